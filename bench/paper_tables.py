"""Published figures of the five papers that the bench repeats, and their lists of matrices. All of it is theirs."""

# CSR5 paper, Table 2, by the names of the collection.
REGULAR = ("dense2 pdb1HYS consph cant pwtk qcd5_4 mc2depi rma10 shipsec1 mac_econ cop20k_A scircuit "
           "Ga41As41H72 Si41Ge41H72").split()
IRREGULAR = ("webbase-1M rail4284 Circuit5M eu-2005 in-2004 mip1 ASIC_680k dc2 FullChip ins2").split()

# CSR5 paper, Table 3: for the regular, then the irregular matrices T_pre / T_new, then mean and best
# speedup over the fastest CSR of the machine at n = 50 and at n = 500.
CSR5_TABLE_3 = """
CPU-BiCSB          538.01 0.06 0.11 0.35 0.60   331.77 0.13   0.24 0.60   1.07
CPU-pOSKI           12.30 0.43 0.88 0.57 0.99    10.71 0.62   1.66 0.83   2.43
CPU-CSR5             6.14 0.52 0.74 0.59 0.96     3.69 0.91   2.37 1.03   2.93
nGPU-HYB            13.73 0.73 0.98 0.92 1.21    28.59 1.86  13.61 2.77  25.57
nGPU-BRC           151.21 0.26 0.31 0.80 0.98    51.85 1.17   7.60 2.49  15.47
nGPU-ACSR            1.10 0.68 0.93 0.72 1.03     3.04 5.05  41.47 5.41  51.95
nGPU-CSR5            3.06 1.04 1.34 1.10 1.45     1.99 6.43  48.37 6.77  52.31
aGPU-CSR-Adaptive    2.68 1.00 1.33 1.07 1.48     1.16 3.02  27.88 3.11  28.22
aGPU-CSR5            4.99 1.04 1.39 1.14 1.51     3.10 5.72 135.32 6.04 141.94
Phi-ESB            922.47 0.05 0.15 0.33 0.88   222.19 0.27   1.15 1.30   2.96
Phi-CSR5            11.52 0.54 1.14 0.65 1.39     9.45 3.43  18.48 4.10  21.18
"""

# CSR2 paper, Table III: CSR2 over CSR5 on a Xeon E5-2670 v3 at 100 and 1000 iterations, on an i7-7700HQ
# at 100 and 1000. Its symmetric matrices are the stored half, as its authors ran them.
CSR2_TABLE_3 = """
nd24k:half       1.56 1.32 1.82 1.81
Si41Ge41H72:half 1.27 1.17 1.57 1.59
dense2048        4.03 3.61 2.25 2.24
Ga41As41H72:half 1.17 1.12 1.57 1.55
pwtk:half        1.60 1.50 1.47 1.47
pdb1HYS:half     1.90 1.75 1.69 1.73
cant:half        1.78 1.75 1.72 1.61
crankseg_2:half  1.43 1.39 1.81 1.79
qcd5_4           1.21 1.15 1.08 1.13
shipsec1:half    2.85 2.45 1.58 1.58
ins2:half        2.24 2.20 1.35 1.29
mip1:half        2.37 2.22 1.72 1.70
rail4284         1.89 1.22 1.07 1.09
"""

# ELLPACK-R paper, Table I: mean row length, its standard deviation in percent of the mean, and the percentage of the
# entries that HYB keeps in ELLPACK, as printed; dw2048, rma10 and bcsstk24 contradict themselves there.
ELLPACK_R_TABLE_1 = """
qh1484     4.12 38.87  86.8
dw2048     4.94 10.24  98.7
rbs480a   35.60  1.38 100.0
gemat12    6.72 44.79  90.7
dw8192     5.10 12.05  96.9
mhd3200a  21.26 27.41  93.6
e20r4000  31.02 49.63  86.9
bcsstk24  45.00 25.59 100.0
mac_econ   6.17 71.92  81.1
qcd5_4    39.00  0.00 100.0
mc2depi    3.99  1.91 100.0
rma10     50.69 56.11  81.3
cop20k_A  21.65 63.70  82.8
wbp128   240.05 14.49 100.0
dense2  2000.00  0.00 100.0
cant      64.17 21.90  99.7
pdb1HYS  119.30 26.70  96.0
consph    72.13 26.45 100.0
shipsec1  55.46 19.96  93.1
pwtk      53.39  8.88  99.4
wbp256   479.34 14.71 100.0
"""

# ELLPACK-R paper, section 5: matrices on which a kernel stands out. Its figures print no numbers.
ELLPACK_R_REMARKS = {
    "SpMV4GPU best": "e20r4000 bcsstk24 rma10 cant pdb1HYS consph shipsec1 pwtk".split(),
    "SpMV4GPU poor": "qcd5_4 mc2depi cop20k_A wbp128 wbp256".split(),
    "HYB not above ELLPACK": "qcd5_4 mc2depi cop20k_A wbp128 consph wbp256".split(),
    "ELLPACK slow": "rma10 pdb1HYS shipsec1 pwtk".split(),
    "ELLPACK or HYB above ELLPACK-R": "mc2depi shipsec1".split(),
}

# Batched SpMV paper: its 32 matrices, and those of order 800 to 1024.
BATCHED = """pivtol tomography west0989 G45 GD02_a Si2 ck656 ex25 jgl011 lock_700 fs_541_1 mbeacxc dwt_918 mcfe
dwt_607 rbsa480 gr_30_30 bcsstk34 cage8 ex27 can_838 bcsstm34 USAir97 bp_1600 rotor2 msc00726 nos3 G2 dwt_992
ex2 tols90 bcsstk02""".split()
BATCHED_LARGE = "west0989 G45 ex25 dwt_918 gr_30_30 cage8 ex27 can_838 bp_1600 nos3 G2 dwt_992".split()

# Batched SpMV paper, Fig. 6 and 7 as read from its text: GFlop/s of the mixed batches on a P100.
BATCHED_MIXED = {"ell": ("40", "30"), "smart": ("45", "> 45"), "balanced": ("50", "> 50"), "coo": ("55", "> 55")}

# FastLoad paper: geometric mean of its speedup, and matrices on which it is faster, of 2757.
FASTLOAD_OVER = {"CSC": (2.12, 2342), "cuSPARSE": (2.98, 2326), "CSR5": (2.88, 2402), "TileSpMV": (1.22, 1978)}

# FastLoad paper, Table I: share of matrices in percent and speedup over TileSpMV, CSR5 and cuSPARSE, by the limit of
# the height of blocks; 0: none. The first pair is doubtful.
FASTLOAD_TABLE_1 = """
0  81 0.79 90 1.79 89 2.01
1  81 1.26 90 2.84 89 3.02
2  81 1.26 92 2.83 90 3.03
4  81 1.24 92 2.79 90 2.99
8  80 1.21 92 2.72 90 2.94
16 74 1.16 92 2.61 89 2.81
32 67 1.05 90 2.35 85 2.53
"""

# FastLoad paper, Fig. 1: matrices of a group of the collection, and geometric means in microseconds on an RTX 3090 Ti
# of FastLoad, cuSPARSE, TileSpMV, CSR5 and CSC.
FASTLOAD_FIG_1 = """
HB           292  6.6311  32.5455   9.0088  23.8919   9.4296
Sandia       192  6.9679  36.0062   9.9633  24.8761  24.9389
Meszaros     166 11.8361  44.3485  13.4281  33.6107  25.8784
DIMACS10     151 86.7853 118.1814 146.7377 257.3278 130.0859
Lpnetlib     138  6.8547  35.4989   9.0276  25.9212   9.8286
JGD_Homology 128  9.6768  37.1191  11.7809  37.8256  10.3381
VDOL          91  7.8624  39.8879  10.4464  28.2259  73.0954
Bai           78  6.3013  31.7247   8.8241  23.4947   7.4589
Pajek         76  7.4146  37.2196   9.2464  28.8736  13.2644
Gset          67  7.8285  33.8816   9.7546  27.0006  15.5135
"""

# Members of these groups by the collection's index (sparse.tamu.edu/files/ssstats.csv, 2019), as far as bench and tests
# know them. The paper names no matrices. Patterns are the shell's.
FASTLOAD_GROUPS = {
    "HB": """[46]*_bus abb313 arc130 ash* bcspwr* bcsstk[0-2]* bcsstm* bea* bp_* can_* curtis54 dwt_* fs_* gent113
             gr_30_30 gre_* ibm32 impcol_* jgl* jpwh_991 lns* lund_* mbea* mcca mcfe nnc* nos? orani678 orsirr_2
             plat362 plskz362 pores_* rgg010 saylr* sherman1 shl_* steam? str_* west* will* wm? young?c""".split(),
    "DIMACS10": "chesapeake ct2010 delaunay_n16".split(),
    "Lpnetlib": "lp_e226 lp_maros_r7 lp_share1b lpi_galenet lpi_itest6".split(),
    "JGD_Homology": ["n3c4-b4"],
    "VDOL": "dynamicSoaringProblem_1 reorientation_1".split(),
    "Bai": "dwg961a dwg961b olm1000 olm500 qc324 rbsa480".split(),
    "Pajek": "Erdos971 Journals Tina_DisCog".split(),
    "Gset": ["G51"],
}


def published(text):
    """{name: [figure]}"""
    return {words[0]: [float(word) for word in words[1:]]
            for words in map(str.split, text.strip().splitlines())}
