// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/chunk_log_tail.h"

#include <algorithm>
#include <cstring>

#include <zlib.h>

namespace trainyard::desktop {

namespace {

constexpr std::size_t kHeadSize = 7;  // followed by a number and a version
constexpr std::uint64_t kBlock = 32 * 1024;
constexpr std::uint64_t kPieceHead = 7;      // CRC-32, length, type
constexpr std::size_t kRead = 1u << 20;      // bytes at a time
constexpr std::size_t kLongest = 64u << 20;  // of a record

enum Piece { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

std::uint32_t little_endian(const char* bytes, int count) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes, static_cast<std::size_t>(count));
    return number;
}

}  // namespace

bool ChunkLogTail::readRecords(std::uint64_t limit_bytes) {
    const std::uint64_t begin = file_.position();
    std::string buffer;
    for (std::size_t wanted = kRead;;) {
        buffer.resize(wanted);
        const ssize_t got = file_.read(buffer.data(), wanted, file_.position());
        if (got < 0) {
            problem_ = file_.error();
            return true;
        }
        buffer.resize(static_cast<std::size_t>(got));
        const std::size_t taken = takeRecords(buffer);
        file_.consume(buffer.data(), taken);
        if (!problem_.empty() || static_cast<std::size_t>(got) < wanted)
            return true;
        if (file_.position() - begin >= limit_bytes)
            return false;
        // The record is longer than the buffer: read more at once.
        wanted = taken > 0 ? kRead : wanted * 2;
        if (wanted > 2 * kLongest) {
            problem_ = Message("{} has a record of more than {} MB at byte {}: everything before it is shown",
                               file_.path().string(), kLongest >> 20, file_.position());
            return true;
        }
    }
}

/// Reads the complete records at the start of `bytes`, which begin at the current file position. Returns their
/// length.
std::size_t ChunkLogTail::takeRecords(std::string_view bytes) {
    std::size_t at = 0, taken = 0;
    if (file_.position() == 0) {
        if (bytes.size() < kHeadSize)
            return 0;
        if (!bytes.starts_with(head_)) {
            problem_ = foreign_;
            return 0;
        }
        at = taken = kHeadSize;
    }
    std::string joined;
    while (at < bytes.size()) {
        const std::uint64_t left = kBlock - (file_.position() + at) % kBlock;
        if (left < kPieceHead) {
            at += left;
            continue;
        }
        if (bytes.size() - at < kPieceHead)
            break;
        const std::string_view rest = bytes.substr(at);
        const std::uint64_t size = little_endian(rest.data() + 4, 2);
        const int type = static_cast<unsigned char>(rest[6]);
        if (type == 0 && size == 0) {  // the rest of a block may be zeros
            at += left;
            continue;
        }
        if (size > left - kPieceHead || type < kWhole || type > kLast)
            return damage(at, taken);
        if (rest.size() < kPieceHead + size)
            break;
        const auto* summed = reinterpret_cast<const Bytef*>(rest.data() + 6);
        if (::crc32(0, summed, static_cast<uInt>(size + 1)) != little_endian(rest.data(), 4))
            return damage(at, taken);
        const std::string_view piece = rest.substr(kPieceHead, size);
        at += kPieceHead + size;
        if (type == kWhole || type == kFirst)
            joined.clear();
        if (type == kWhole) {
            takeRecord(piece);
            taken = at;
        } else {
            joined.append(piece);
            if (type == kLast) {
                takeRecord(joined);
                taken = at;
            }
        }
    }
    return std::min(taken, bytes.size());
}

std::size_t ChunkLogTail::damage(std::size_t at, std::size_t taken) {
    problem_ = Message("{} is damaged at byte {}: everything before it is shown", file_.path().string(),
                       file_.position() + at);
    return taken;
}

}  // namespace trainyard::desktop
