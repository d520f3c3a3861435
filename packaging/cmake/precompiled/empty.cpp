// SPDX-License-Identifier: GPL-3.0-or-later
// CMake needs a source file to know the language of a target with precompiled headers.
