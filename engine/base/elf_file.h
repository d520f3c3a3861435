// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a program or shared library has, from its ELF headers: nothing is loaded or executed. Source: System V ABI,
// https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html

#include <filesystem>
#include <string_view>

namespace trainyard {

/// True if the file is a 64-bit ELF file of this machine's byte order with a note of this owner (PT_NOTE).
bool has_note(const std::filesystem::path& file, std::string_view owner);

/// True if the file is such an ELF file and its dynamic symbol table defines `symbol`.
bool exports_symbol(const std::filesystem::path& file, std::string_view symbol);

/// Owner of the note that every program has which is linked with Trainyard's library
/// (distributed/parallel/launch_environment.cpp).
inline constexpr std::string_view kLibraryNote = "Trainyard";

}  // namespace trainyard
