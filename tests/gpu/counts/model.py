"""Sectors that kernels for GPUs ask for, computed from the matrix alone.

For csr (scalar, vector, adaptive), ellr, sell and csr5, this file derives from the definition of each layout which
element of which array each lane touches, and counts 32-byte sectors per warp instruction. It shares no code with
the library or the interpreter. `steps()` says in which order lanes with different numbers of entries go through
them.

product(matrix, type, format) returns a list of launches, each with `kernel` and `arrays`: {name of the parameter:
[loads, sectors loaded, stores, sectors stored]}.
"""

from bisect import bisect_right
from itertools import groupby

WIDTH, THREADS, SECTOR = 32, 128, 32
STREAM, LONG = 1024, 8 * 1024  # entries of a block of csr_adaptive, and of a piece of a long row


class Matrix:
    def __init__(self, rows, cols, row_ptr, col):
        self.rows, self.cols, self.row_ptr, self.col = rows, cols, row_ptr, col
        self.nnz = len(col)
        self.length = [row_ptr[i + 1] - row_ptr[i] for i in range(rows)]

    def row_of(self, k):
        """The row of entry k."""
        return bisect_right(self.row_ptr, k) - 1


class Launch:
    """Counts of one launch. Arrays begin at multiples of 256 bytes."""

    def __init__(self, kernel, value_bytes):
        self.kernel, self.arrays = kernel, {}
        self.bytes = {"val": value_bytes, "x": value_bytes, "y": value_bytes, "carry": value_bytes, "split": 8,
                      "table": value_bytes}

    def _touch(self, array, elements, at):
        if elements:
            size = self.bytes.get(array, 4)
            counts = self.arrays.setdefault(array, [0, 0, 0, 0])
            counts[at] += 1
            counts[at + 1] += len({n * size // SECTOR for n in elements})

    def load_bytes(self, array, places):
        """The same for an array whose elements differ in size: by the byte at which each begins."""
        if places:
            counts = self.arrays.setdefault(array, [0, 0, 0, 0])
            counts[0] += 1
            counts[1] += len({place // SECTOR for place in places})

    def load(self, array, elements):
        """One load of a warp: the element of each lane that takes part."""
        self._touch(array, elements, 0)

    def store(self, array, elements):
        self._touch(array, elements, 2)

    def entries(self, places, col):
        """A step of the product: values, columns and x of the entries at these places."""
        self.load("val", places)
        self.load("col", places)
        self.load("x", [col[k] for k in places])


def blocks_for(count, each):
    return -(-count // each)


def warps_for(threads):
    """The first thread of each warp of a launch that has at least `threads` threads."""
    return range(0, blocks_for(threads, THREADS) * THREADS, WIDTH)


def steps(turns):
    """The steps of a sum in which lane l has turns[l] entries: lists of (lane, turn).

    Lanes go four turns at a time; then each does the up to three that are left, at the same time as the others do
    theirs.
    """
    for first in range(0, max((n // 4 for n in turns.values()), default=0) * 4, 4):
        there = [lane for lane, n in turns.items() if first + 4 <= n]
        for turn in range(first, first + 4):
            yield [(lane, turn) for lane in there]
    for left in range(3):
        there = [(lane, n // 4 * 4 + left) for lane, n in turns.items() if left < n % 4]
        if there:
            yield there


def one_by_one(turns):
    """The same for a loop without loads in advance."""
    for turn in range(max(turns.values(), default=0)):
        yield [(lane, turn) for lane, n in turns.items() if turn < n]


def turns_of(begin, end, step):
    return max(0, blocks_for(end - begin, step))


# ---- csr ----


def csr_scalar(a, launch):
    for first in warps_for(a.rows):
        rows = range(first, min(first + WIDTH, a.rows))
        launch.load("row_ptr", rows)
        launch.load("row_ptr", [i + 1 for i in rows])
        for step in steps({i: a.length[i] for i in rows}):
            launch.entries([a.row_ptr[i] + turn for i, turn in step], a.col)
        launch.store("y", rows)


def csr_vector(a, launch, lanes):
    for first in warps_for(a.rows * lanes):
        threads = range(first, min(first + WIDTH, a.rows * lanes))
        begin = {t: a.row_ptr[t // lanes] + t % lanes for t in threads}
        launch.load("row_ptr", [t // lanes for t in threads])
        launch.load("row_ptr", [t // lanes + 1 for t in threads])
        for step in steps({t: turns_of(begin[t], a.row_ptr[t // lanes + 1], lanes) for t in threads}):
            launch.entries([begin[t] + turn * lanes for t, turn in step], a.col)
        launch.store("y", [t // lanes for t in threads if t % lanes == 0])


def lanes_for(rows, nnz, least):
    """The most lanes per row of which each has `least` entries in a row of mean length."""
    lanes = 1
    while lanes < WIDTH and 2 * lanes * least <= nnz // rows:
        lanes *= 2
    return lanes


def row_blocks(a):
    """(first row, first entry) of each block of csr_adaptive, and one after the last; rows that are split."""
    blocks, split, i = [], [], 0
    while i < a.rows:
        end = i
        while end < min(a.rows, i + STREAM) and a.row_ptr[end + 1] - a.row_ptr[i] <= STREAM:
            end += 1
        if end > i:
            blocks.append((i, a.row_ptr[i]))
            i = end
            continue
        pieces = blocks_for(a.length[i], LONG)
        if pieces > 1:
            split.append((i, len(blocks), len(blocks) + pieces - 1))
        blocks += [(i, a.row_ptr[i] + n * LONG) for n in range(pieces)]
        i += 1
    return blocks + [(a.rows, a.nnz)], split


def stream(a, launch, row, rows, begin, end):
    """A block of several rows: products by all threads, then sums by as many lanes per row as there are threads."""
    lanes = 1
    while lanes < WIDTH and 2 * lanes * rows <= THREADS:
        lanes *= 2
    warps = range(0, THREADS, WIDTH)
    for warp in warps:
        for first in range(begin + warp, end, THREADS):
            launch.entries(range(first, min(first + WIDTH, end)), a.col)
    for first in range(0, rows, THREADS // lanes):
        for warp in warps:
            threads = range(warp, warp + WIDTH)
            mine = [row + first + t // lanes for t in threads if first + t // lanes < rows]
            launch.load("row_ptr", [i + 1 for i in mine])
            launch.load("row_ptr", mine)
            launch.store("y", [i for t, i in zip(threads, mine) if t % lanes == 0])


def csr_adaptive(a, launch, blocks):
    for b, ((row, begin), (next_row, end)) in enumerate(zip(blocks, blocks[1:])):
        for _ in range(0, THREADS, WIDTH):
            for array in ("first_row", "first"):
                launch.load(array, [b])
                launch.load(array, [b + 1])
        if next_row - row > 1:
            stream(a, launch, row, next_row - row, begin, end)
            continue
        for warp in range(0, THREADS, WIDTH):
            for step in steps({k: turns_of(k, end, THREADS) for k in range(begin + warp, begin + warp + WIDTH)}):
                launch.entries([k + turn * THREADS for k, turn in step], a.col)
        whole = begin == a.row_ptr[row] and end == a.row_ptr[row + 1]
        launch.load("row_ptr", [row])
        if begin == a.row_ptr[row]:
            launch.load("row_ptr", [row + 1])
        launch.store("y" if whole else "carry", [row if whole else 2 * b + (begin == a.row_ptr[row])])


def carries(launch, split):
    """One warp per row that several blocks have a part of."""
    for n, (row, first, last) in enumerate(split):
        launch.load("split", [3 * n + 1])
        launch.load("split", [3 * n + 2])
        for part in range(first, last + 1, WIDTH):
            launch.load("carry", [2 * p + (p == first) for p in range(part, min(part + WIDTH, last + 1))])
        launch.load("split", [3 * n])
        launch.store("y", [row])


# ---- ellr and sell ----


def ellr_rows(a, launch, lanes):
    """Entry n of row i is at (n // lanes * lead + i) * lanes + n % lanes."""
    lead = blocks_for(a.rows, 32) * 32
    for first in warps_for(a.rows * lanes):
        threads = range(first, min(first + WIDTH, a.rows * lanes))
        launch.load("length", [t // lanes for t in threads])
        for step in steps({t: turns_of(t % lanes, a.length[t // lanes], lanes) for t in threads}):
            places = [turn * lead * lanes + t for t, turn in step]
            launch.load("val", places)
            launch.load("col", places)
            launch.load("x", [a.col[a.row_ptr[t // lanes] + turn * lanes + t % lanes] for t, turn in step])
        launch.store("y", [t // lanes for t in threads if t % lanes == 0])


def sorted_rows(a, height, sigma):
    """Rows in the order of lanes: in each window of sigma rows whole chunks of neighbours of one length first, then
    the others by falling length."""
    order, window = [], blocks_for(sigma, height) * height
    for begin in range(0, a.rows, window):
        rest = []
        for _, run in groupby(range(begin, min(begin + window, a.rows)), key=lambda i: a.length[i]):
            run = list(run)
            alike = len(run) // height * height
            order += run[:alike]
            rest += run[alike:]
        order += sorted(rest, key=lambda i: -a.length[i])
    return order


class Chunk:
    """32 rows of sell, side by side. `lanes`: rows that have an entry in each step."""

    def __init__(self, a, rows):
        self.rows = rows
        length = [a.length[i] for i in rows]
        self.width, self.entries = length[0], sum(length)
        self.lanes = [sum(n > step for n in length) for step in range(self.width)]
        self.even = len(rows) == WIDTH and length[-1] == self.width
        self.consecutive = len(rows) == WIDTH and all(i == rows[0] + r for r, i in enumerate(rows))
        self.slots = blocks_for(self.entries, WIDTH) * WIDTH
        # Columns relative to the row, where each row has those of the row before, one further on.
        self.strip = None
        if self.consecutive and self.even and self.width:
            offsets = [[a.col[a.row_ptr[i] + n] - i for n in range(self.width)] for i in rows]
            if all(other == offsets[0] for other in offsets):
                self.strip = offsets[0]
        columns = [a.col[k] for i in rows for k in range(a.row_ptr[i], a.row_ptr[i + 1])]
        self.near = self.strip is None and bool(columns) and max(columns) - min(columns) < 1 << 16

    @property
    def levels(self):
        return 0 if self.even or not self.width else len(set(self.lanes))


def sell_chunks(a, sigma=1024):
    """Chunks with `val`, the number of their first value, and `col`, the byte of their first column. One that has the
    strips of the chunk before shares its columns."""
    order, chunks, val, col = sorted_rows(a, WIDTH, sigma), [], 0, 0
    for first in range(0, a.rows, WIDTH):
        chunk = Chunk(a, order[first:first + WIDTH])
        chunk.val, chunk.col = val, col
        val += chunk.slots
        if chunk.strip is not None and chunks and chunks[-1].strip == chunk.strip:
            chunk.col = chunks[-1].col
        elif chunk.strip is not None:
            col += blocks_for(4 * chunk.width, 64) * 64
        else:
            col += chunk.slots * (2 if chunk.near else 4)
        chunks.append(chunk)
    return chunks


def sell_rows(a, launch, value_bytes, codes=0):
    """One warp per chunk. Values take `value_bytes` each; where they are codes, a table of `codes` is read first by
    each block."""
    level = scattered = 0
    for c, chunk in enumerate(sell_chunks(a)):
        if codes and c * WIDTH % THREADS == 0:
            launch.load("table", range(codes))
        for word in range(4):
            launch.load("chunk", [4 * c + word])
        for word in range(2) if value_bytes else [1]:
            launch.load("base", [2 * c + word])
        for n in range(2 * chunk.levels):
            launch.load("level", [2 * level + n])
        level += chunk.levels
        at = 0
        for step, lanes in enumerate(chunk.lanes):
            slots = range(at, at + lanes)
            if value_bytes:
                launch.load_bytes("val", [(chunk.val + slot) * value_bytes for slot in slots])
            if chunk.strip is not None:
                launch.load_bytes("col", [chunk.col + 4 * step])
            else:
                launch.load_bytes("col", [chunk.col + slot * (2 if chunk.near else 4) for slot in slots])
            launch.load("x", [a.col[a.row_ptr[i] + step] for i in chunk.rows[:lanes]])
            at += lanes
        if not chunk.consecutive:
            launch.load("row", [scattered + r for r in range(len(chunk.rows))])
            scattered += WIDTH
        launch.store("y", chunk.rows)


# ---- csr5 ----


class Tiles:
    """The layout of CSR5 with omega = 32: tiles of 32 x sigma entries, lane l has sigma of them in a row."""

    CONSTANTS = (4, 7, 16, 32, 48)  # sigmas that have kernels

    def __init__(self, a, sigma):
        self.a, self.sigma = a, sigma or self.sigma_for(a)
        self.size = WIDTH * self.sigma
        self.count = a.nnz // self.size
        self.row = [a.row_of(t * self.size) if t * self.size < a.nnz else a.rows for t in range(self.count + 1)]
        bits = (self.size - 1).bit_length()
        self.units = blocks_for(self.sigma + bits + 5, 32)
        self.segments, self.empty_ptr, end = [], [], 0
        for t in range(self.count):
            rows = self.rows_of_segments(t)
            self.segments.append(rows)
            self.empty_ptr.append(end)
            end += len(rows) if self.has_empty_rows(t) else 0
        self.any_empty = end > 0

    @staticmethod
    def sigma_for(a):
        """The paper's <4, 32, 256, 4>."""
        if a.nnz <= 4 * a.rows:
            return 4
        if a.nnz <= 32 * a.rows:
            return a.nnz // a.rows
        return 32 if a.nnz <= 256 * a.rows else 4

    def begins(self, k):
        """Entry k is the first of its row."""
        return self.a.row_ptr[self.a.row_of(k)] == k

    def rows_of_segments(self, t):
        first = t * self.size
        return [self.a.row_of(k) for k in range(first, first + self.size) if k == first or self.begins(k)]

    def has_empty_rows(self, t):
        """A row without entries lies between the tile's first row and the row after its last entry."""
        return any(self.a.length[i] == 0 for i in range(self.row[t], self.row[t + 1]))


def put(launch, tiles, t, lanes):
    """Sums of segments leave the tile; lanes: the segment of each lane that has one to store."""
    inside = tiles.a.row_ptr[tiles.row[t]] < t * tiles.size
    to_y = [s for s in lanes if not (s == 0 and inside)]
    if tiles.any_empty and tiles.has_empty_rows(t):
        launch.load("empty_offset", [tiles.empty_ptr[t] + s for s in to_y])
    launch.store("y", [tiles.segments[t][s] for s in to_y])
    launch.store("carry", [t for s in lanes if s == 0 and inside])


def csr5_tile(launch, tiles, t):
    a, sigma, first = tiles.a, tiles.sigma, t * tiles.size
    one_row = tiles.row[t] == tiles.row[t + 1]
    launch.load("tile_ptr", [t])
    launch.load("row_ptr", [tiles.row[t]])
    if tiles.has_empty_rows(t):
        launch.load("empty_ptr", [t])
    launch.load("tile_ptr", [t + 1])
    if not one_row:
        units = [tiles.units - 1, *range(blocks_for(sigma, 32))]  # offsets, flags
        for unit in set(units) if sigma in tiles.CONSTANTS and sigma <= 32 else units:  # else one may be loaded twice
            launch.load("desc", [(t * tiles.units + unit) * WIDTH + lane for lane in range(WIDTH)])
    segment, opened = [-1] * WIDTH, 0
    flags = [k == first or tiles.begins(k) for k in range(first, first + tiles.size)]
    offset = []  # of the first segment that begins in each lane
    for lane in range(WIDTH):
        offset.append(opened)
        opened += sum(flags[lane * sigma:(lane + 1) * sigma])
    for j in range(sigma):
        done = []
        for lane in range(WIDTH):
            if flags[lane * sigma + j] and not one_row:
                if segment[lane] < 0:
                    segment[lane] = offset[lane]
                else:
                    done.append(segment[lane])
                    segment[lane] += 1
        put(launch, tiles, t, done)
        places = [first + j * WIDTH + lane for lane in range(WIDTH)]
        launch.load("col", places)
        launch.load("val", places)
        launch.load("x", [a.col[first + lane * sigma + j] for lane in range(WIDTH)])
    put(launch, tiles, t, [0] if one_row else [s for s in segment if s >= 0])


def csr5_tail(a, launch, tiles):
    """Rows that reach past the tiles, `lanes` lanes each."""
    first = tiles.count * tiles.size
    row, end = a.row_of(first), a.row_of(a.nnz - 1) + 1
    lanes = lanes_for(end - row, a.nnz - first, 1)
    for warp in warps_for((end - row) * lanes):
        threads = range(warp, min(warp + WIDTH, (end - row) * lanes))
        mine = {t: row + t // lanes for t in threads}
        begin = {t: max(a.row_ptr[i], first) + t % lanes for t, i in mine.items()}
        launch.load("row_ptr", list(mine.values()))
        launch.load("row_ptr", [i + 1 for i in mine.values()])
        for step in steps({t: turns_of(begin[t], a.row_ptr[mine[t] + 1], lanes) for t in threads}):
            launch.entries([begin[t] + turn * lanes for t, turn in step], a.col)
        heads = [mine[t] for t in threads if t % lanes == 0]
        launch.load("row_ptr", [i + 1 for i in heads])
        launch.load("row_ptr", heads)
        heads = [i for i in heads if a.length[i] > 0]
        launch.store("carry", [tiles.count for i in heads if a.row_ptr[i] < first])
        launch.store("y", [i for i in heads if a.row_ptr[i] >= first])


def csr5_empty_rows(a, launch):
    for first in warps_for(a.rows):
        rows = range(first, min(first + WIDTH, a.rows))
        launch.load("row_ptr", [i + 1 for i in rows])
        launch.load("row_ptr", rows)
        launch.store("y", [i for i in rows if a.length[i] == 0])


def find_runs(a, launch, tiles, places):
    """Threads that look at these tiles find runs of carries that begin there: {tile: (row, first, last)}."""
    row = {t: tiles.row[t] if t <= tiles.count else a.rows for t in places}
    launch.load("tile_ptr", [t for t in places if t <= tiles.count])
    real = [t for t in places if row[t] < a.rows]
    launch.load("row_ptr", [row[t] for t in real])
    there = [t for t in real if (t - 1) * tiles.size <= a.row_ptr[row[t]] < t * tiles.size]
    launch.load("row_ptr", [row[t] + 1 for t in there])
    return {t: (row[t], t, (a.row_ptr[row[t] + 1] - 1) // tiles.size) for t in there}


def csr5_carries(a, launch, tiles):
    """One thread per tile; a run that is longer than a block is added by all threads of the block."""
    for block in range(0, blocks_for(tiles.count + 1, THREADS) * THREADS, THREADS):
        chosen = None
        for warp in range(block, block + THREADS, WIDTH):
            runs = find_runs(a, launch, tiles, range(warp, warp + WIDTH))
            short = {t: run for t, run in runs.items() if run[2] - run[1] < THREADS}
            chosen = next((t for t in runs if t not in short), chosen)
            for step in one_by_one({t: last - first + 1 for t, (_, first, last) in short.items()}):
                launch.load("carry", [t + turn for t, turn in step])
            launch.load("y", [row for row, _, _ in short.values()])
            launch.store("y", [row for row, _, _ in short.values()])
        if chosen is not None:
            for warp in range(0, THREADS, WIDTH):
                row, first, last = find_runs(a, launch, tiles, [chosen])[chosen]
                for at in range(first + warp, last + 1, THREADS):
                    launch.load("carry", range(at, min(at + WIDTH, last + 1)))
            launch.load("y", [row])
            launch.store("y", [row])


# ---- products ----


def kernel_of_csr(a):
    """The kernel that csr takes by default."""
    longest = max(a.length, default=0)
    if a.nnz < 16 * a.rows or (longest > 2048 and longest // 32 > a.nnz // a.rows):
        return "csr:kernel=adaptive"
    return "csr:kernel=vector"


def product(a, value_type, form, values="uniform"):
    """The launches of a product; None: a format without a model. `values`: which of them sell stores how."""
    made = []

    def launch(kernel):
        made.append(Launch(kernel, 4 if value_type == "f32" else 8))
        return made[-1]

    form = kernel_of_csr(a) if form == "csr" else form
    if form == "csr:kernel=scalar":
        csr_scalar(a, launch("csr_scalar"))
    elif form == "csr:kernel=vector":
        csr_vector(a, launch("csr_vector"), max(4, lanes_for(a.rows, a.nnz, 4)))
    elif form == "csr:kernel=adaptive":
        blocks, split = row_blocks(a)
        csr_adaptive(a, launch("csr_adaptive"), blocks)
        if split:
            carries(launch("carries"), split)
    elif form == "ellr":
        ellr_rows(a, launch("ellr_rows"), lanes_for(a.rows, a.nnz, 8))
    elif form == "sell" and values == "table":
        sell_rows(a, launch("sell_codes"), 1, min(16, a.nnz))
    elif form == "sell" and values == "ones":
        sell_rows(a, launch("sell_ones"), 0)
    elif form == "sell" and values == "floats" and value_type == "f64":
        sell_rows(a, launch("sell_floats"), 4)
    elif form == "sell":
        sell_rows(a, launch("sell_rows"), 4 if value_type == "f32" else 8)
    elif form in ("csr5", "csr5:sigma=48"):
        tiles = Tiles(a, 48 if form == "csr5:sigma=48" else 0)
        if 0 in a.length:
            csr5_empty_rows(a, launch("csr5_empty_rows"))
        if tiles.count:
            on_tiles = launch(f"csr5_tiles_{tiles.sigma}" if tiles.sigma in tiles.CONSTANTS else "csr5_tiles")
            for t in range(tiles.count):
                csr5_tile(on_tiles, tiles, t)
        if tiles.count * tiles.size < a.nnz:
            csr5_tail(a, launch("csr5_tail"), tiles)
        if tiles.count:
            csr5_carries(a, launch("csr5_carries"), tiles)
    else:
        return None
    return made
