// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names in files that are compiled once per instruction set, which the build defines as TRAINYARD_ISA.

#define TRAINYARD_PASTE_NAMES(a, b) a##_##b
#define TRAINYARD_ISA_NAME(name, isa) TRAINYARD_PASTE_NAMES(name, isa)
/// `name`_avx2 and so on.
#define TRAINYARD_FOR_ISA(name) TRAINYARD_ISA_NAME(name, TRAINYARD_ISA)
