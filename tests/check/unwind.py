#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""unwind.py BUILD: no program or library of the build has two unwind entries that begin at one address.

An empty part of a function gives such a pair. The linker's table then has one of the two, and an exception that passes
there may end the program. The last case has such a pair, which must be found.
"""
import mmap
import pathlib
import struct
import sys
import unittest

BUILD = pathlib.Path(sys.argv[1])
PC_RELATIVE_32 = 0x1B


def section(data, wanted):
    """Place, size and address of a section of a 64-bit ELF file."""
    offset, = struct.unpack_from("<Q", data, 40)
    size, number, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(number)]
    for name, _, _, address, place, length in headers:
        begin = headers[names][4] + name
        if data[begin:data.find(b"\0", begin)] == wanted:
            return place, length, address
    return 0, 0, 0


def addresses_with_two_entries(data, place, length, address):
    """Number of entries, and the addresses that a second one has, of an .eh_frame section."""
    seen, twice, entries, at = set(), [], 0, place
    while at < place + length:
        size, kind = struct.unpack_from("<II", data, at)
        if size == 0:
            break
        if kind == 0:
            augmentation = data[at + 9:data.find(b"\0", at + 9)]
            if b"R" in augmentation:
                parts = at + 9 + len(augmentation) + 1
                for _ in range(4):  # alignment of code and data, return register, length of the augmentation
                    while data[parts] & 0x80:
                        parts += 1
                    parts += 1
                for letter in augmentation.decode()[1:]:
                    if letter == "R":
                        assert data[parts] == PC_RELATIVE_32, f"addresses are written as {data[parts]:#x}"
                    parts += 5 if letter == "P" and data[parts] & 0x0F in (0x0B, 0x03) else 1
        else:
            begin = address + at + 8 - place + struct.unpack_from("<i", data, at + 8)[0]
            entries += 1
            if begin in seen:
                twice.append(begin)
            seen.add(begin)
        at += 4 + size
    return entries, twice


class Unwind(unittest.TestCase):
    def test_programs_of_the_build(self):
        files = [file for folder in ("bin", "tests") for file in (BUILD / folder).iterdir()
                 if file.is_file() and not file.is_symlink()]
        programs = 0
        for file in files:
            with file.open("rb") as opened:
                beginning = opened.read(5)
            if beginning != b"\x7fELF\2":
                continue
            programs += 1
            with self.subTest(file=file.name), file.open("rb") as opened:
                data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
                entries, twice = addresses_with_two_entries(data, *section(data, b".eh_frame"))
                self.assertGreater(entries, 0)
                self.assertEqual([hex(begin) for begin in twice], [])
        self.assertGreater(programs, 3)

    def test_an_empty_part_is_found(self):
        common = struct.pack("<II", 16, 0) + b"\1zR\0\1\x78\x10\1" + bytes([PC_RELATIVE_32]) + bytes(3)
        data = common
        for begin, size in ((0x40, 0), (0x40, 1), (0x41, 8)):
            at = len(data)
            data += struct.pack("<IIii", 16, at + 4, begin - at - 8, size) + bytes(4)
        self.assertEqual(addresses_with_two_entries(data, 0, len(data), 0), (3, [0x40]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
