#!/usr/bin/env python3
"""Print what must become of every character when it is shown: lines of FIRST LAST WHAT, in hexadecimal.

WHAT is "hidden", "shown", or "any" for characters that this Python's Unicode does not know.
"""

import unicodedata

HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}

# Default_Ignorable_Code_Point in DerivedCoreProperties.txt, which Python lacks.
IGNORABLE = [(0xad, 0xad), (0x34f, 0x34f), (0x61c, 0x61c), (0x115f, 0x1160), (0x17b4, 0x17b5),
             (0x180b, 0x180f), (0x200b, 0x200f), (0x202a, 0x202e), (0x2060, 0x206f), (0x3164, 0x3164),
             (0xfe00, 0xfe0f), (0xfeff, 0xfeff), (0xffa0, 0xffa0), (0xfff0, 0xfff8),
             (0x1bca0, 0x1bca3), (0x1d173, 0x1d17a), (0xe0000, 0xe0fff)]


def is_noncharacter(code):
    return code & 0xfffe == 0xfffe or 0xfdd0 <= code <= 0xfdef


def fate(code):
    category = unicodedata.category(chr(code))
    if category in HIDDEN or is_noncharacter(code):
        return "hidden"
    if any(first <= code <= last for first, last in IGNORABLE):
        return "hidden"
    return "any" if category == "Cn" else "shown"


def main():
    first, now = 0, fate(0)
    for code in range(1, 0x110001):
        then = fate(code) if code < 0x110000 else None
        if then != now:
            print(f"{first:x} {code - 1:x} {now}")
            first, now = code, then


if __name__ == "__main__":
    main()
