// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/file_pieces.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/direct.h"
#include "base/files/page_memory.h"
#include "base/system_call.h"

namespace trainyard::files {

namespace {

constexpr std::size_t kPiece = 1u << 20;    ///< four of these saturate the disks measured, and fit in a core's cache
constexpr std::uint64_t kMostRequests = 4;  ///< more requests did not increase the throughput

class PieceReading {
  public:
    PieceReading(const std::filesystem::path& path, std::uint64_t bytes, const PieceReaders& readers, Cache cache)
        : path_(path), bytes_(bytes), readers_(readers) {
        constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        file_ = FileDescriptor(::open(path.c_str(), kFlags));
        if (!file_)
            throw_file_error("cannot read", path, errno);
        if (cache == Cache::fill || bytes == 0)
            return;
        direct_ = FileDescriptor(::open(path.c_str(), kFlags | O_DIRECT));
        // The mapping is never accessed; mincore() needs it to tell which pages are cached.
        void* mapping = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file_.get(), 0);
        mapping_ = mapping == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapping);
    }
    ~PieceReading() {
        if (mapping_ != nullptr)
            ::munmap(mapping_, bytes_);
    }
    PieceReading(const PieceReading&) = delete;
    PieceReading& operator=(const PieceReading&) = delete;

    void run() {
        std::uint64_t pieces = (bytes_ + kPiece - 1) / kPiece;
        std::vector<std::thread> threads;
        for (std::uint64_t i = 1; i < std::min(pieces, kMostRequests); ++i)
            threads.emplace_back([this] { work(); });
        work();
        for (std::thread& thread : threads)
            thread.join();
        if (failure_)
            std::rethrow_exception(failure_);
    }

  private:
    void work() {
        try {
            const PageMemory buffer(kPiece);
            for (std::uint64_t number = next_++; number * kPiece < bytes_; number = next_++) {
                std::uint64_t offset = number * kPiece;
                auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, bytes_ - offset));
                read(buffer.data(), offset, count);
                std::span<const std::byte> piece(buffer.data(), count);
                if (!in_turn(number, piece))
                    return;
                if (readers_.side_by_side)
                    readers_.side_by_side(offset, piece);
            }
        } catch (...) {
            std::lock_guard lock(mutex_);
            if (!failure_)
                failure_ = std::current_exception();
            turn_.notify_all();
        }
    }

    /// False if another thread has failed.
    bool in_turn(std::uint64_t number, std::span<const std::byte> piece) {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [&] { return failure_ || seen_ == number; });
        if (failure_)
            return false;
        lock.unlock();  // only this thread has this turn
        readers_.in_order(piece);
        lock.lock();
        ++seen_;
        turn_.notify_all();
        return true;
    }

    void read(std::byte* to, std::uint64_t offset, std::size_t count) {
        std::size_t done = 0;
        if (direct_ && !is_cached(offset, count))
            done = take(direct_, to, offset, kPiece);
        // Also completes short or refused reads: some file systems allow O_DIRECT in open() but not in read().
        while (done < count) {
            std::size_t more = take(file_, to + done, offset + done, count - done);
            if (more == 0)
                throw UserError("{} has {} bytes instead of {}: it was cut while it was read", path_.string(),
                                std::filesystem::file_size(path_), bytes_);
            done += more;
        }
    }

    /// Bytes that one request returned; 0 if a request with O_DIRECT is refused.
    std::size_t take(const FileDescriptor& from, std::byte* to, std::uint64_t offset, std::size_t count) {
        const ssize_t n = retry_interrupted([&] { return ::pread(from.get(), to, count, static_cast<off_t>(offset)); });
        if (n < 0 && &from != &direct_)
            throw_file_error("cannot read", path_, errno);
        return static_cast<std::size_t>(std::max<ssize_t>(0, n));
    }

    bool is_cached(std::uint64_t offset, std::size_t count) {
        if (mapping_ == nullptr)
            return false;
        std::array<unsigned char, kPiece / kDirectBlock> pages{};
        std::size_t used = (count + kDirectBlock - 1) / kDirectBlock;
        return ::mincore(mapping_ + offset, count, pages.data()) == 0 &&
               std::all_of(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(used),
                           [](unsigned char page) { return (page & 1) != 0; });
    }

    FileDescriptor file_, direct_;
    std::filesystem::path path_;
    std::uint64_t bytes_;
    const PieceReaders& readers_;
    std::byte* mapping_ = nullptr;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;
    std::condition_variable turn_;
    std::uint64_t seen_ = 0;  ///< pieces that in_order has seen
    std::exception_ptr failure_;
};

}  // namespace

void read_pieces(const std::filesystem::path& path, std::uint64_t bytes, const PieceReaders& readers, Cache cache) {
    PieceReading(path, bytes, readers, cache).run();
}

}  // namespace trainyard::files
