// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elf_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <elf.h>

namespace trainyard {

namespace {

constexpr std::uint64_t kLargestTable = 1u << 28;  // bytes: of a damaged file no more is read

class ElfFile {
  public:
    explicit ElfFile(const std::filesystem::path& file) : in_(file, std::ios::binary) {
        constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
        const std::string bytes = read(0, sizeof header_);
        if (bytes.size() != sizeof header_)
            return;
        std::memcpy(&header_, bytes.data(), sizeof header_);
        valid_ = std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 && header_.e_ident[EI_CLASS] == ELFCLASS64 &&
                 header_.e_ident[EI_DATA] == kOrder;
    }

    std::vector<Elf64_Phdr> segments() {
        return entries<Elf64_Phdr>(header_.e_phoff, header_.e_phnum, header_.e_phentsize);
    }
    std::vector<Elf64_Shdr> sections() {
        return entries<Elf64_Shdr>(header_.e_shoff, header_.e_shnum, header_.e_shentsize);
    }

    /// Shorter than `bytes` at the end of the file.
    std::string read(std::uint64_t offset, std::uint64_t bytes) {
        std::string text(static_cast<std::size_t>(std::min(bytes, kLargestTable)), '\0');
        in_.clear();
        in_.seekg(static_cast<std::streamoff>(offset));
        in_.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in_.gcount())));
        return text;
    }

  private:
    template <typename Entry>
    std::vector<Entry> entries(std::uint64_t offset, std::size_t count, std::size_t size) {
        if (!valid_ || size != sizeof(Entry))
            return {};
        const std::string bytes = read(offset, count * size);
        std::vector<Entry> all(bytes.size() / size);
        std::memcpy(all.data(), bytes.data(), all.size() * size);
        return all;
    }

    std::ifstream in_;
    Elf64_Ehdr header_{};
    bool valid_ = false;
};

std::size_t padded(std::size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

bool is_owned(std::string_view notes, std::string_view owner) {
    Elf64_Nhdr head;
    while (notes.size() >= sizeof head) {
        std::memcpy(&head, notes.data(), sizeof head);
        notes.remove_prefix(sizeof head);
        const std::string_view name = notes.substr(0, std::min<std::size_t>(head.n_namesz, notes.size()));
        if (name.substr(0, name.find('\0')) == owner)
            return true;
        notes.remove_prefix(std::min(notes.size(), padded(head.n_namesz) + padded(head.n_descsz)));
    }
    return false;
}

}  // namespace

bool has_note(const std::filesystem::path& file, std::string_view owner) {
    ElfFile elf(file);
    return std::ranges::any_of(elf.segments(), [&](const Elf64_Phdr& segment) {
        return segment.p_type == PT_NOTE && is_owned(elf.read(segment.p_offset, segment.p_filesz), owner);
    });
}

bool exports_symbol(const std::filesystem::path& file, std::string_view symbol) {
    ElfFile elf(file);
    const std::vector<Elf64_Shdr> sections = elf.sections();
    const auto table = std::ranges::find(sections, static_cast<Elf64_Word>(SHT_DYNSYM), &Elf64_Shdr::sh_type);
    if (table == sections.end() || table->sh_link >= sections.size())
        return false;
    const Elf64_Shdr& texts = sections[table->sh_link];
    const std::string names = elf.read(texts.sh_offset, texts.sh_size);
    const std::string bytes = elf.read(table->sh_offset, table->sh_size);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= bytes.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym entry;
        std::memcpy(&entry, bytes.data() + at, sizeof entry);
        if (entry.st_shndx != SHN_UNDEF && entry.st_name < names.size() &&
            std::string_view(names.c_str() + entry.st_name) == symbol)
            return true;
    }
    return false;
}

}  // namespace trainyard
