// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/scratch_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/files/page_memory.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard::files {

namespace {

constexpr std::size_t kBounce = kLargePage;  ///< bytes that are copied at a time through aligned memory

std::size_t page_before(std::size_t byte) {
    return byte / page_size() * page_size();
}

std::size_t page_after(std::size_t byte) {
    return page_before(byte + page_size() - 1);
}

/// Memory of this thread that O_DIRECT reads to, and the processor finds in its cache.
std::byte* bounce_buffer() {
    static thread_local const PageMemory buffer(kBounce);
    return buffer.data();
}

/// Memory of ranges that went back to the disk, for the next ones of the same size: the system clears new pages, and
/// clearing what is overwritten at once costs as much as a third of reading it. For all files of the process.
class SparePages {
  public:
    /// Moves pages to `to`, a part of a mapping. Returns false if there are none.
    bool give(std::byte* to, std::size_t bytes) {
        PageMemory pages;
        {
            const std::lock_guard lock(mutex_);
            const auto found = std::ranges::find(pages_, bytes, &PageMemory::size);
            if (found == pages_.end())
                return false;
            pages = std::move(*found);
            pages_.erase(found);
            bytes_ -= bytes;
        }
        // Its own mapping stays, without pages, until it ends.
        return ::mremap(pages.data(), bytes, bytes, kMove, to) != MAP_FAILED;
    }

    /// Takes the pages at `from`, a part of a mapping, which has none afterwards. Best effort.
    void take(std::byte* from, std::size_t bytes) {
        {
            const std::lock_guard lock(mutex_);
            if (bytes_ + bytes > kMostBytes)
                return;
        }
        PageMemory pages(bytes);
        if (::mremap(from, bytes, bytes, kMove, pages.data()) == MAP_FAILED)
            return;
        const std::lock_guard lock(mutex_);
        pages_.push_back(std::move(pages));
        bytes_ += bytes;
    }

    void release() {
        const std::lock_guard lock(mutex_);
        pages_.clear();
        bytes_ = 0;
    }

  private:
    static constexpr std::size_t kMostBytes = 64 << 20;
    static constexpr int kMove = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;

    std::mutex mutex_;
    std::vector<PageMemory> pages_;
    std::size_t bytes_ = 0;
};

SparePages& spare_pages() {
    static SparePages pages;
    return pages;
}

/// Opens an unnamed file in the folder. On failure the descriptor is invalid and errno is set.
FileDescriptor open_nameless(const std::filesystem::path& folder) {
    FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    // Fallback for file systems without unnamed files: create a file and remove its name at once.
    std::string name = (folder / ".trainyard-XXXXXX").string();
    FileDescriptor named(::mkostemp(name.data(), O_CLOEXEC));
    if (named)
        ::unlink(name.c_str());
    return named;
}

Message why_not(const std::filesystem::path& folder, int error) {
    if (error == ENOENT)
        return Message("the folder {} does not exist: make it, or name another one", folder.string());
    if (error == ENOTDIR)
        return Message("{} is not a folder: name one", folder.string());
    return Message("no file can be written in {}: {}; name another folder", folder.string(), system_message(error));
}

/// The most that a count holds where the system does not tell it.
std::uint64_t free_bytes(const std::filesystem::path& folder) {
    struct statvfs disk {};
    return ::statvfs(folder.c_str(), &disk) == 0 ? static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize
                                                 : std::numeric_limits<std::uint64_t>::max();
}

Message no_room(const std::filesystem::path& folder, std::uint64_t count, const Message& what, std::uint64_t free) {
    return Message(
        "the disk of {} has no room for {}: it takes {}, {} are free; make room, or "
        "name another folder",
        folder.string(), what, text::file_size(count), text::file_size(free));
}

}  // namespace

Message why_no_room(const std::filesystem::path& folder, std::uint64_t count, const Message& what) {
    const std::uint64_t free = free_bytes(folder);
    return count > free ? no_room(folder, count, what, free) : Message();
}

Message why_no_scratch_file(const std::filesystem::path& folder) {
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return why_not(folder, errno);
    if (!S_ISDIR(info.st_mode))
        return why_not(folder, ENOTDIR);
    return open_nameless(folder) ? Message() : why_not(folder, errno);
}

ScratchFile::ScratchFile(const std::filesystem::path& folder, std::size_t count, const Message& what)
    : lost_(Message("{} in {} is lost: the disk is full, or fails; make room, or name another folder, and "
                    "resume from the last checkpoint",
                    what, folder.string())) {
    if (Message problem = why_no_scratch_file(folder); !problem.empty())
        throw UserError(problem);
    file_ = open_nameless(folder);
    if (!file_)
        throw UserError(why_not(folder, errno));
    if (count == 0)
        return;
    const std::size_t pages = page_after(count);
    const int error =
        failpoint_hit("scratch.file", "enospc") ? ENOSPC : ::posix_fallocate(file_.get(), 0, static_cast<off_t>(pages));
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
        throw UserError(no_room(folder, count, what, free_bytes(folder)));
    if (error != 0)
        throw UserError(why_not(folder, error));
    void* mapping = map_at_large_page(pages, MAP_SHARED, file_.get());
    if (mapping == MAP_FAILED)
        throw UserError(why_not(folder, errno));
    mapping_ = mapping;
    count_ = count;
    watch_ = PageWatch(mapping, count, folder, lost_);
    direct_ =
        FileDescriptor(::open(fmt::format("/proc/self/fd/{}", file_.get()).c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
    if (direct_ && read_all_at(direct_.get(), {bounce_buffer(), page_size()}, 0) < 0)
        direct_.close();
}

ScratchFile::~ScratchFile() {
    watch_.end();
    if (mapping_ != nullptr)
        ::munmap(mapping_, page_after(count_));
}

std::size_t ScratchFile::aligned(std::size_t count) {
    const std::size_t to = count < kLargePage ? page_size() : kLargePage;
    return (count + to - 1) / to * to;
}

template <class Action>
void ScratchFile::each_part(std::size_t begin, std::size_t end, Action action) const {
    std::vector<std::pair<std::size_t, std::size_t>> loaded;
    {
        const std::lock_guard lock(mutex_);
        auto one = loaded_.upper_bound(begin);
        if (one != loaded_.begin() && std::prev(one)->second > begin)
            --one;
        for (; one != loaded_.end() && one->first < end; ++one)
            loaded.emplace_back(std::max(one->first, begin), std::min(one->second, end));
    }
    for (const auto& [from, to] : loaded) {
        if (begin < from)
            action(begin, from, false);
        action(from, to, true);
        begin = to;
    }
    if (begin < end)
        action(begin, end, false);
}

bool ScratchFile::in_page_cache(std::size_t begin, std::size_t end) const {
    std::vector<unsigned char> pages((end - begin) / page_size());
    return ::mincore(bytes().data() + begin, end - begin, pages.data()) == 0 &&
           std::ranges::all_of(pages, [](unsigned char page) { return (page & 1U) != 0; });
}

void ScratchFile::read_from_disk(std::size_t begin, std::size_t end, std::byte* to) const {
    for (std::size_t at = page_before(begin); at < end; at += kBounce) {
        const std::size_t first = std::max(at, begin), last = std::min(at + kBounce, end),
                          wanted = std::min(kBounce, page_after(end) - at);
        // Values written through the mapping are in the page cache, and would have to be written to the disk first.
        const int file = in_page_cache(at, at + wanted) ? file_.get() : direct();
        const ssize_t got = read_all_at(file, {bounce_buffer(), wanted}, at);
        if (got < static_cast<ssize_t>(last - at))
            throw UserError(lost_);
        std::memcpy(to + (first - begin), bounce_buffer() + (first - at), last - first);
    }
}

void ScratchFile::write_to_disk(std::size_t begin, std::size_t end, const std::byte* from) const {
    for (std::size_t at = page_before(begin); at < end; at += kBounce) {
        const std::size_t first = std::max(at, begin), last = std::min(at + kBounce, end),
                          until = std::min(at + kBounce, page_after(end));
        for (const std::size_t page : {at, until - page_size()})  // of which a part is written
            if ((page < first || page + page_size() > last) &&
                read_all_at(direct(), {bounce_buffer() + (page - at), page_size()}, page) !=
                    static_cast<ssize_t>(page_size()))
                throw UserError(lost_);
        std::memcpy(bounce_buffer() + (first - at), from + (first - begin), last - first);
        if (!write_all_at(direct(), {reinterpret_cast<const char*>(bounce_buffer()), until - at}, at))
            throw UserError(lost_);
    }
}

void ScratchFile::read(std::size_t begin, std::size_t end, void* to) const {
    each_part(begin, end, [&](std::size_t first, std::size_t last, bool loaded) {
        std::byte* const out = static_cast<std::byte*>(to) + (first - begin);
        if (loaded)
            std::memcpy(out, bytes().data() + first, last - first);
        else
            read_from_disk(first, last, out);
    });
}

void ScratchFile::write(std::size_t begin, std::size_t end, const void* from) const {
    each_part(begin, end, [&](std::size_t first, std::size_t last, bool loaded) {
        const std::byte* const in = static_cast<const std::byte*>(from) + (first - begin);
        if (loaded)
            std::memcpy(bytes().data() + first, in, last - first);
        else
            write_to_disk(first, last, in);
    });
}

void ScratchFile::load(std::size_t begin, std::size_t end) {
    if (begin >= end)
        return;
    begin = page_before(begin);
    end = page_after(end);
    if (in_memory(begin, end))
        return;
    std::byte* const pages = bytes().data() + begin;
    const bool reuses = spare_pages().give(pages, end - begin);
    if (!reuses && ::mmap(pages, end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
                       MAP_FAILED)
        throw std::bad_alloc();
    {
        const std::lock_guard lock(mutex_);
        loaded_[begin] = end;
    }
    if (!reuses)
        ::madvise(pages, end - begin, MADV_HUGEPAGE);  // advisory
    if (read_all_at(direct(), {pages, end - begin}, begin) != static_cast<ssize_t>(end - begin))
        throw UserError(lost_);
}

void ScratchFile::store(std::size_t begin, std::size_t end) {
    if (begin >= end)
        return;
    begin = page_before(begin);
    end = page_after(end);
    std::byte* const pages = bytes().data() + begin;
    if (!write_all_at(direct(), {reinterpret_cast<const char*>(pages), end - begin}, begin))
        throw UserError(lost_);
    discard(begin, end);
}

void ScratchFile::discard(std::size_t begin, std::size_t end) {
    if (begin >= end)
        return;
    begin = page_before(begin);
    end = page_after(end);
    std::byte* const pages = bytes().data() + begin;
    spare_pages().take(pages, end - begin);
    if (::mmap(pages, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_.get(),
               static_cast<off_t>(begin)) == MAP_FAILED)
        throw std::bad_alloc();
    const std::lock_guard lock(mutex_);
    loaded_.erase(begin);
}

bool ScratchFile::in_memory(std::size_t begin, std::size_t end) const {
    bool all = true;
    each_part(begin, end, [&](std::size_t, std::size_t, bool loaded) { all = all && loaded; });
    return all;
}

void ScratchFile::let_go(std::size_t begin, std::size_t end) const {
    if (begin == 0 && end >= count_)
        spare_pages().release();
    end = end >= count_ ? page_after(count_) : page_before(end);
    each_part(page_before(begin), end, [&](std::size_t first, std::size_t last, bool loaded) {
        if (!loaded)
            ::madvise(bytes().data() + first, last - first, MADV_DONTNEED);
    });
}

void ScratchFile::check() const {
    throw_if_pages_were_lost();
}

}  // namespace trainyard::files
