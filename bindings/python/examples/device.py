"""Heat on a grid, step by step on a GPU, or on whatever OpenCL or CUDA offers: the vectors stay on the device."""
import sys

import numpy as np
import scipy.sparse as sp

import tulle

if not any(one["usable"] for one in tulle.devices()):
    print("no device: neither libcuda.so.1 nor an OpenCL driver offers one that can be used")
    sys.exit()

side, steps = 60, 50
line = sp.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(side, side))
laplace = sp.kron(sp.eye_array(side), line) + sp.kron(line, sp.eye_array(side))
A = tulle.matrix(sp.csr_array(sp.eye_array(side * side) + laplace / 8))  # one step: half of the heat moves on

D = A.on()  # the first device; A.on("cuda:0") names one
print(D.explain())
start = np.zeros(side * side)
start[side * side // 2 + side // 2] = 1
now, then = D.device.vector(start), D.device.vector(start)
for _ in range(steps):
    D.dot(now, out=then)  # queued, not waited for
    now, then = then, now

host = start
for _ in range(steps):
    host = A @ host
print(f"largest difference from the host: {np.abs(now.numpy() - host).max():.1e}")
