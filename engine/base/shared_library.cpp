// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shared_library.h"

#include <array>
#include <cstring>
#include <fstream>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include "base/error.h"

namespace trainyard {

Message why_no_shared_library(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return Message("{} does not exist: name the shared library (.so) that the plug-in's build made", file.string());
    std::array<char, sizeof(Elf64_Ehdr)> head{};
    std::ifstream stream(file, std::ios::binary);
    if (!std::filesystem::is_regular_file(file, error) || !stream)
        return Message(
            "{} cannot be read as a file: name the shared library (.so) that the plug-in's build "
            "made",
            file.string());
    stream.read(head.data(), head.size());
    Elf64_Ehdr header{};
    std::memcpy(&header, head.data(), sizeof header);
    if (stream.gcount() < static_cast<std::streamsize>(sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN)
        return Message("{} is not a shared library: name the .so file that the plug-in's build made", file.string());
    return {};
}

void* load_shared_library(const std::filesystem::path& file) {
    if (Message problem = why_no_shared_library(file); !problem.empty())
        throw UserError(problem);
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = ::dlerror();
        throw UserError("{} cannot be loaded ({}): build it against the LibTorch of this Trainyard", file.string(),
                        reason == nullptr ? "no reason given" : reason);
    }
    return library;
}

void* find_symbol(void* library, const char* name) {
    return ::dlsym(library, name);
}

SystemLibrary::SystemLibrary(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (library_ == nullptr)
            library_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void* SystemLibrary::look_up(const char* name) {
    void* symbol = library_ != nullptr ? ::dlsym(library_, name) : nullptr;
    if (symbol == nullptr && missing_ == nullptr)
        missing_ = name;
    return symbol;
}

}  // namespace trainyard
