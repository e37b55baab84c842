"""The PNG files of `tulle spy`, read back with nothing but zlib."""

import struct
import zlib

from harness import same, well


def chunks(data):
    same(data[:8], b"\x89PNG\r\n\x1a\n", "signature")
    at = 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        crc = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        same(zlib.crc32(name + body), crc, f"CRC of {name}")
        yield name, body
        at += 12 + length
    same(at, len(data), "end of the file")


def read_png(path):
    """width, height, rows of brightness (0 black, 255 white)."""
    parts = list(chunks(path.read_bytes()))
    same([name for name, _ in parts], [b"IHDR", b"PLTE", b"IDAT", b"IEND"], "chunks")
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    same((depth, colour, rest), (8, 3, [0, 0, 0]), "header")
    palette = [sum(parts[1][1][3 * n:3 * n + 3]) // 3 for n in range(256)]
    raw = zlib.decompress(parts[2][1])
    same(len(raw), height * (width + 1), "pixels")
    rows = []
    for y in range(height):
        line = raw[y * (width + 1):(y + 1) * (width + 1)]
        same(line[0], 0, "filter")
        rows.append([palette[pixel] for pixel in line[1:]])
    return width, height, rows


def inside(rows):
    """The picture within its frame: the largest box of light grey lines."""
    grey = 0xb0
    lines = [y for y, row in enumerate(rows) if row.count(grey) > 20]
    top, bottom = lines[0], lines[-1]
    left = rows[top].index(grey)
    right = len(rows[top]) - 1 - rows[top][::-1].index(grey)
    air = 4
    return [row[left + air:right - air + 1] for row in rows[top + air:bottom - air + 1]]


def spy(place, name, *more):
    well(place.run("spy", name, "-o", "out.png", *more))
    return inside(read_png(place.folder / "out.png")[2])


def cell(picture, i, j, rows, cols):
    """Brightness in the middle of a place."""
    return picture[(2 * i + 1) * len(picture) // (2 * rows)][(2 * j + 1) * len(picture[0]) // (2 * cols)]


def case_every_place_of_a_small_matrix(place):
    place.matrix()
    picture = spy(place, "a.mtx")
    entries = {(0, 0), (0, 2), (1, 1), (2, 0), (2, 3)}
    for i in range(3):
        for j in range(4):
            dark = cell(picture, i, j, 3, 4) < 200
            same(dark, (i, j) in entries, f"entry {i}, {j}")


def case_darker_where_there_is_more(place):
    """20,000 rows: full blocks, half full blocks, a lone entry."""
    n = 20000
    entries = [(i, j) for i in range(0, 100) for j in range(0, 100)]
    entries += [(i, j) for i in range(10000, 10100) for j in range(10000, 10100) if (i + 7 * j) % 50 == 0]
    entries.append((n - 1, 0))
    text = "".join(f"{i + 1} {j + 1}\n" for i, j in entries)
    place.write("a.mtx", f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} {len(entries)}\n{text}")
    picture = spy(place, "a.mtx", "--size", "200")
    same((len(picture), len(picture[0])), (200, 200), "pixels")
    full, some, lone, none = picture[0][0], picture[100][100], picture[199][0], picture[50][150]
    assert full < some < lone < none == 255, (full, some, lone, none)


def case_sizes_and_shapes(place):
    for spec, least, most in (("random:rows=1,cols=1,mean=1", 1, 1), ("random:rows=3,cols=5000,mean=9", 2, 8),
                              ("random:rows=5000,cols=3,mean=1", 0.1, 0.5),
                              ("random:rows=900,cols=300,mean=2", 0.3, 0.4)):
        well(place.run("generate", spec, "-o", "a.mtx"))
        picture = spy(place, "a.mtx")
        ratio = len(picture[0]) / len(picture)
        assert least <= ratio <= most, f"{spec}: {len(picture[0])} x {len(picture)}"
        assert max(len(picture), len(picture[0])) <= 800, spec
        assert any(pixel < 200 for row in picture for pixel in row), f"{spec}: nothing drawn"


def case_nothing_to_draw(place):
    for rows, cols in ((0, 0), (5, 0), (0, 5), (7, 7)):
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n")
        well(place.run("spy", "a.mtx", "-o", "out.png"))
        read_png(place.folder / "out.png")


def case_the_same_file_every_time(place):
    well(place.run("generate", "rmat:scale=9", "-o", "a.mtx"))
    spy(place, "a.mtx", "--threads", "1")
    first = (place.folder / "out.png").read_bytes()
    spy(place, "a.mtx", "--threads", "2")
    same((place.folder / "out.png").read_bytes() == first, True, "the same bytes")
