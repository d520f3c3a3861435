#pragma once
// A large file read once, in pieces, with several requests under way at a time: one after the other leaves most of a fast disk's rate
// unused. What the page cache holds is taken from there, the rest is read past it (O_DIRECT), so that a checkpoint of many gigabytes does
// not have to be given memory that it is copied out of at once.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace trainyard::files {

struct PieceReaders {
    /// Called with one piece after the other, from front to back: checksums.
    std::function<void(std::span<const std::byte>)> in_order;
    /// Called with a piece's place in the file, in any order and by several threads at a time, after in_order has seen it. May be empty.
    std::function<void(std::uint64_t, std::span<const std::byte>)> side_by_side;
};

enum class Cache {
    pass,  ///< the pieces are all that is wanted of the file
    fill,  ///< the file is going to be read again
};

/// Reads the first `bytes` bytes, which must be there. A symbolic link is not followed. Throws UserError naming the file, and what a reader
/// throws; what was read before that has been given to the readers.
void read_pieces(const std::filesystem::path& path, std::uint64_t bytes, const PieceReaders& readers,
                 Cache cache = Cache::pass);

}  // namespace trainyard::files
