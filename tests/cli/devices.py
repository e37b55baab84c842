"""`tulle devices`: with drivers that we made, with none, and with whatever this machine has."""

import json
import os
import re
import subprocess
import sys

import harness
from harness import fail_with, same, well

NAMES = ["name", "model", "driver", "gpu", "memory", "units", "lanes", "shuffles", "f64", "usable", "why"]
CUDA = """\
cuda:0  Spindle
  driver   CUDA 12.4
  memory   6.0 GiB, 5 units
  lanes    32 of a warp, exchanging by shuffles
  types    f32, f64
  unusable WHY
cuda:1  Spool (not a GPU) (not a GPU: times say nothing)
  driver   CUDA 12.4
  memory   6.0 GiB, 5 units
  lanes    32 of a warp, exchanging by shuffles
  types    f32, f64
  unusable WHY
"""
OPENCL = """\
opencl:0  Shuttle 9000
  driver   Loom 1.2.3
  memory   24 GiB, 84 units
  lanes    64 of a warp, exchanging by shuffles
  types    f32, f64
opencl:1  Treadle (not a GPU: times say nothing)
  driver   Loom 1.2.3
  memory   1.5 GiB, 1 unit
  lanes    32 of a warp, exchanging through local memory
  types    f32, f64
opencl:2  Need\\x1b[2Jle
  driver   Loom 1.2.3
  memory   1.0 GiB, 2 units
  lanes    32 of a warp, exchanging through local memory
  types    f32; no f64
  unusable work-groups of 64 and 16384 bytes of local memory; kernels need 256 and 32768
opencl:3  Heddle
  driver   Loom 1.2.3
  memory   16 GiB, 60 units
  lanes    64 of a warp, exchanging through local memory
  types    f32, f64
"""


def drivers(**more):
    """The environment in which only the drivers of the tests are found."""
    return harness.environment(LD_LIBRARY_PATH=os.environ["TULLE_TEST_DRIVERS"], **more)


def machine(place):
    """The environment with the machine's own drivers: they keep compiled kernels in the home folder, and what they
    leak at the end is theirs."""
    sanitizer = os.environ.get("ASAN_OPTIONS", "")
    return harness.environment(HOME=str(place.folder), ASAN_OPTIONS=f"{sanitizer}:detect_leaks=0".lstrip(":"))


def case_six_devices(place):
    """To the letter, but for why CUDA's cannot be used: that depends on whether nvcc was there for the build."""
    shown = well(place.run("devices", env=drivers()))
    cuda, opencl = shown[:shown.index("opencl:0")], shown[shown.index("opencl:0"):]
    assert re.search("unusable .*(nvcc|compute capability is 6.1)", cuda), cuda
    same(re.sub("unusable .*", "unusable WHY", cuda), CUDA, "devices of CUDA")
    same(opencl, OPENCL, "devices of OpenCL")


def case_json_says_the_same(place):
    told = json.loads(well(place.run("devices", "--json", env=drivers())))
    same([list(d) for d in told], 6 * [NAMES], "keys")
    same([(d["name"], d["gpu"], d["memory"], d["units"], d["lanes"], d["shuffles"], d["f64"], d["usable"])
          for d in told],
         [("cuda:0", True, 6 << 30, 5, 32, True, True, False),
          ("cuda:1", False, 6 << 30, 5, 32, True, True, False),
          ("opencl:0", True, 24 << 30, 84, 64, True, True, True),
          ("opencl:1", False, 3 << 29, 1, 32, False, True, True),
          ("opencl:2", True, 1 << 30, 2, 32, False, False, False),
          ("opencl:3", True, 16 << 30, 60, 64, False, True, True)], "figures")
    same([bool(d["why"]) for d in told], [True, True, False, False, True, False], "why not")
    same(told[4]["model"], "Need\x1b[2Jle", "a name with an escape")


def case_none(place):
    """Without a device the libraries are named that were looked for; it is no failure."""
    shown = well(place.run("devices", env=drivers(TULLE_TEST_DEVICES="0")))
    for word in ("No devices", "libcuda.so.1", "libOpenCL.so.1"):
        assert word in shown, f"no {word} in: {shown}"
    same(well(place.run("devices", "--json", env=drivers(TULLE_TEST_DEVICES="0"))), "[]\n", "as JSON")


def case_this_machine(place):
    """Whatever is there: text and JSON tell of the same devices."""
    told = json.loads(well(place.run("devices", "--json", env=machine(place))))
    shown = well(place.run("devices", env=machine(place)))
    for device in told:
        assert f"{device['name']}  " in shown, f"no {device['name']} in: {shown}"
    same("No devices" in shown, not told, "no devices")


def case_formats(place):
    """Formats for devices are there whatever devices are; their names are those of `tulle formats`. Then come
    the kernels for batches."""
    told = json.loads(well(place.run("devices", "--formats", "--json")))
    lines = well(place.run("devices", "--formats")).splitlines()
    known = {f["name"] for f in json.loads(well(place.run("formats", "--json")))}
    same(len(lines), len(told), "lines")
    same(len({(f["of"], f["format"]) for f in told}), len(told), "names, none of them twice")
    same({f["of"] for f in told}, {"matrix", "batch"}, "what they multiply")
    for line, f in zip(lines, told):
        of, name = ("batch " if f["of"] == "batch" else ""), f["format"]
        assert name.split(":")[0] in known, f"{name} is no format"
        assert line.startswith(f"{of}{name} "), f"order: {line}, not {of}{name}"
        same("same bits" in line, f["same_bits"], f"bits of {name}")
        assert f["about"] in line, f"no '{f['about']}' in: {line}"


def case_table_of_the_guide(place):
    """docs/gpu.md lists what the command lists."""
    done = subprocess.run([sys.executable, harness.TREE / "scripts/device_docs.py", harness.TREE, place.tulle,
                           "--check"], capture_output=True, text=True, check=False)
    same(done.returncode, 0, done.stdout + done.stderr)


def case_multiplies(place):
    """On whatever device there is, each format of a few, both types, both operators: right, and no time of a CPU."""
    place.matrix()
    devices = [d for d in json.loads(well(place.run("devices", "--json", env=machine(place))))
               if d["usable"]]
    for device in devices[:1]:
        for form in ("csr", "csr:kernel=scalar"):
            for more in ([], ["-t"], ["--value-type", "f32"]):
                got = json.loads(well(place.run("mul", "--json", "--seconds", "0.001", "--device", device["name"],
                                                "--format", form, *more, "a.mtx", env=machine(place))))
                same(got["check"]["right"], True, f"{form} {more}")
                same(got["time"] is None, not device["gpu"], "a time")
                same(got["plan"]["format"], form, "format")
        shown = well(place.run("mul", "--seconds", "0.001", "--device", device["name"], "a.mtx",
                               env=machine(place)))
        same("the device is not a GPU" in shown, not device["gpu"], "what the text says of times")
        assert "right: 3 rows" in shown and device["name"] in shown, shown


def case_device_is_refused(place):
    place.matrix()
    fail_with(place.run("mul", "--device", "opencl:9", "a.mtx", env=drivers()), 2, "tulle devices")
    fail_with(place.run("mul", "--device", "opencl:2", "a.mtx", env=drivers()), 6, "work-groups of 64")
    fail_with(place.run("mul", "--device", "opencl:0", "--isa", "scalar", "a.mtx", env=drivers()), 2, "--isa")


def case_refusals(place):
    fail_with(place.run("devices", "opencl:0"), 2, "too many")
