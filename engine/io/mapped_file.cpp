#include "io/mapped_file.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace trainyard::io {

namespace {
constexpr std::size_t kMostMapped = 4u << 20;  // bytes; what large pages map beside that is not counted
constexpr std::size_t kAround = 64u << 10;     // what Linux maps around a page that is read (fault_around_bytes)
}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        throw_file_error("cannot read", path, errno);
    map(file.get(), path);
}

MappedFile::MappedFile(int fd, const std::filesystem::path& path) {
    map(fd, path);
}

void MappedFile::map(int fd, const std::filesystem::path& path) {
    struct stat info {};
    if (::fstat(fd, &info) != 0)
        throw_file_error("cannot read", path, errno);
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return;
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (mapping == MAP_FAILED)
        throw_file_error("cannot map", path, errno);
    bytes_ = {static_cast<const std::byte*>(mapping), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty())
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::has_read(std::size_t count) const {
    const std::size_t mapped = count + 2 * kAround;
    if (read_.fetch_add(mapped, std::memory_order_relaxed) + mapped < kMostMapped)
        return;
    read_.store(0, std::memory_order_relaxed);
    release();
}

void MappedFile::release() const {
    if (!bytes_.empty())
        ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

}  // namespace trainyard::io
