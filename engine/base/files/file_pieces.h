// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a large file once, in pieces, with several requests in flight: sequential requests leave most of a fast disk's
// bandwidth unused. Data in the page cache is read from there; the rest bypasses it (O_DIRECT), because a checkpoint of
// many gigabytes would fill the cache with pages that are copied once and never used again.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace trainyard::files {

struct PieceReaders {
    /// Called with one piece after the other, in the order of the file: for checksums.
    std::function<void(std::span<const std::byte>)> in_order;
    /// Called with a piece and its offset in the file, in any order and from several threads, after in_order has
    /// returned for it. May be empty.
    std::function<void(std::uint64_t, std::span<const std::byte>)> side_by_side;
};

enum class Cache {
    pass,  ///< the file is not read again soon
    fill,  ///< the file will be read again, so it should be in the page cache
};

/// Reads the first `bytes` bytes, which must exist. Does not follow a symbolic link. Throws UserError naming the file,
/// and what a reader throws; the pieces before that have been passed to the readers.
void read_pieces(const std::filesystem::path& path, std::uint64_t bytes, const PieceReaders& readers,
                 Cache cache = Cache::pass);

}  // namespace trainyard::files
