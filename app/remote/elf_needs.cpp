// SPDX-License-Identifier: GPL-3.0-or-later
// What a program or library needs to be loaded, as the dynamic section says it (System V ABI, chapter 5; .gnu.version_r as in the
// Linux Standard Base, Symbol Versioning).

#include <cstring>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "remote/bundle.h"

namespace trainyard::remote {

namespace {

[[noreturn]] void damaged(const std::filesystem::path& file) {
    throw UserError("{} is no 64-bit ELF file, or is damaged", file.string());
}

/// A file in memory; every access is checked.
class Image {
  public:
    explicit Image(const std::filesystem::path& file) : file_(file) {
        FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat info {};
        if (!descriptor || ::fstat(descriptor.get(), &info) != 0)
            throw_file_error("cannot read", file, errno);
        size_ = static_cast<std::size_t>(info.st_size);
        if (size_ == 0)
            damaged(file);
        void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
        if (memory == MAP_FAILED)
            throw_file_error("cannot read", file, errno);
        data_ = static_cast<const char*>(memory);
    }
    ~Image() { ::munmap(const_cast<char*>(data_), size_); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    template <typename Record>
    Record at(std::uint64_t offset) const {
        if (offset > size_ || sizeof(Record) > size_ - offset)
            damaged(file_);
        Record record;
        std::memcpy(&record, data_ + offset, sizeof record);
        return record;
    }
    std::string text(std::uint64_t offset) const {
        if (offset >= size_)
            damaged(file_);
        std::size_t length = ::strnlen(data_ + offset, size_ - offset);
        if (length == size_ - offset)
            damaged(file_);
        return {data_ + offset, length};
    }

  private:
    std::filesystem::path file_;
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

std::string machine_name(std::uint16_t machine) {
    return machine == EM_X86_64 ? "x86_64" : machine == EM_AARCH64 ? "aarch64" : Message("ELF machine {}", machine);
}

/// Folders of a run path; $ORIGIN is the folder of the file.
void add_folders(std::vector<std::string>& folders, const std::string& path, const std::string& origin) {
    for (std::size_t start = 0; start < path.size();) {
        std::size_t end = std::min(path.find(':', start), path.size());
        std::string folder = path.substr(start, end - start);
        for (const char* name : {"${ORIGIN}", "$ORIGIN"})
            for (std::size_t at; (at = folder.find(name)) != std::string::npos;)
                folder.replace(at, std::strlen(name), origin);
        if (!folder.empty())
            folders.push_back(folder);
        start = end + 1;
    }
}

}  // namespace

bool version_less(const std::string& one, const std::string& other) {
    std::size_t a = 0, b = 0;
    while (a < one.size() || b < other.size()) {
        auto part = [](const std::string& text, std::size_t& at) {
            unsigned long value = 0;
            while (at < text.size() && text[at] >= '0' && text[at] <= '9')
                value = value * 10 + static_cast<unsigned long>(text[at++] - '0');
            if (at < text.size())
                ++at;
            return value;
        };
        unsigned long left = part(one, a), right = part(other, b);
        if (left != right)
            return left < right;
    }
    return false;
}

ElfNeeds read_elf_needs(const std::filesystem::path& file) {
    Image image(file);
    auto head = image.at<Elf64_Ehdr>(0);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_phentsize != sizeof(Elf64_Phdr))
        damaged(file);
    ElfNeeds needs;
    needs.machine = machine_name(head.e_machine);
    std::vector<Elf64_Phdr> segments;
    for (std::uint64_t i = 0; i < head.e_phnum; ++i)
        segments.push_back(image.at<Elf64_Phdr>(head.e_phoff + i * sizeof(Elf64_Phdr)));
    auto offset_of = [&](std::uint64_t address) {
        for (const Elf64_Phdr& segment : segments)
            if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
                return segment.p_offset + (address - segment.p_vaddr);
        damaged(file);
    };
    std::vector<Elf64_Dyn> entries;
    for (const Elf64_Phdr& segment : segments)
        if (segment.p_type == PT_DYNAMIC)
            for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
                entries.push_back(image.at<Elf64_Dyn>(segment.p_offset + at));
                if (entries.back().d_tag == DT_NULL)
                    break;
            }
    std::uint64_t strings = 0, versions = 0, version_count = 0;
    for (const Elf64_Dyn& entry : entries)
        if (entry.d_tag == DT_STRTAB)
            strings = offset_of(entry.d_un.d_ptr);
        else if (entry.d_tag == DT_VERNEED)
            versions = offset_of(entry.d_un.d_ptr);
        else if (entry.d_tag == DT_VERNEEDNUM)
            version_count = entry.d_un.d_val;
    std::string origin = std::filesystem::absolute(file).parent_path().string();
    for (const Elf64_Dyn& entry : entries)
        if (entry.d_tag == DT_NEEDED)
            needs.libraries.push_back(image.text(strings + entry.d_un.d_val));
        else if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH)
            add_folders(needs.run_path, image.text(strings + entry.d_un.d_val), origin);
    for (std::uint64_t i = 0; versions != 0 && i < version_count; ++i) {
        auto library = image.at<Elf64_Verneed>(versions);
        std::uint64_t at = versions + library.vn_aux;
        for (int k = 0; k < library.vn_cnt; ++k) {
            auto version = image.at<Elf64_Vernaux>(at);
            std::string name = image.text(strings + version.vna_name);
            if (name.starts_with("GLIBC_2.") && version_less(needs.c_library, name.substr(6)))
                needs.c_library = name.substr(6);
            if (version.vna_next == 0)
                break;
            at += version.vna_next;
        }
        if (library.vn_next == 0)
            break;
        versions += library.vn_next;
    }
    return needs;
}

}  // namespace trainyard::remote
