#include "legacy/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace trainyard::legacy {

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
    // Without O_NONBLOCK a pipe of that name would keep us waiting.
    FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0)
        throw_file_error("cannot read", path_, errno);
    if (!S_ISREG(info.st_mode))
        throw UserError(fmt::format("{} is not a file", path_.string()));
    if (info.st_size == 0)
        return;
    auto size = static_cast<std::size_t>(info.st_size);
    // Writable for those who hand the bytes on as tensors: changed pages are this process's own.
    void* mapping = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.get(), 0);
    if (mapping == MAP_FAILED)
        throw_file_error("cannot read", path_, errno);
    bytes_ = {static_cast<const std::byte*>(mapping), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty())
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void release_pages(std::span<const std::byte> part) {
    auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
    auto end = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace trainyard::legacy
