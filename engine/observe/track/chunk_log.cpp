// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/chunk_log.h"

#include <cerrno>
#include <span>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/files/zip_archive.h"
#include "base/protobuf.h"
#include "base/system_call.h"

namespace trainyard::track {

namespace {

namespace pb = protobuf;

constexpr std::size_t kBlock = 32768, kChunkHead = 7;

enum ChunkKind : char { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

std::uint32_t checksum(std::string_view bytes) {
    return files::crc32(std::as_bytes(std::span(bytes)));
}

}  // namespace

ChunkLog::ChunkLog(fs::path path, std::string_view head, int end_field) : path_(std::move(path)) {
    file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file_)
        throw_file_error("cannot write", path_, errno);
    position_ = end_of_records(read_file(path_, std::uint64_t{1} << 40), head, end_field);
    written_ = position_;
    if (position_ == 0)
        append(head);
    if (::ftruncate(file_.get(), static_cast<off_t>(written_)) != 0)
        throw_file_error("cannot write", path_, errno);
}

void ChunkLog::add(std::string_view record) {
    ++count_;
    for (bool first = true; first || !record.empty(); first = false) {
        std::size_t room = kBlock - position_ % kBlock;
        if (room < kChunkHead) {
            append(std::string(room, '\0'));
            room = kBlock;
        }
        const std::string_view chunk = record.substr(0, room - kChunkHead);
        record.remove_prefix(chunk.size());
        std::string summed(1, first ? (record.empty() ? kWhole : kFirst) : (record.empty() ? kLast : kMiddle)), bytes;
        summed += chunk;
        pb::append_little_endian(bytes, checksum(summed), 4);
        pb::append_little_endian(bytes, chunk.size(), 2);
        append(bytes + summed);
    }
}

void ChunkLog::flush() {
    while (!buffer_.empty()) {
        const ssize_t n = retry_interrupted(
            [&] { return ::pwrite(file_.get(), buffer_.data(), buffer_.size(), static_cast<off_t>(written_)); });
        if (n < 0)
            throw_file_error("cannot write", path_, errno);
        buffer_.erase(0, static_cast<std::size_t>(n));
        written_ += static_cast<std::size_t>(n);
    }
}

void ChunkLog::append(std::string_view bytes) {
    buffer_ += bytes;
    position_ += bytes.size();
}

/// The position after the last whole record before the end of the run or damage; counts the records.
std::size_t ChunkLog::end_of_records(std::string_view bytes, std::string_view head, int end_field) {
    if (!bytes.starts_with(head))
        return 0;
    std::size_t end = head.size();
    std::string record;
    for (std::size_t at = end; at < bytes.size();) {
        const std::size_t room = kBlock - at % kBlock;
        if (room < kChunkHead) {
            at += room;
            continue;
        }
        if (bytes.size() - at < kChunkHead)
            break;
        const std::size_t size = pb::little_endian(bytes.substr(at + 4, 2));
        const std::string_view summed = bytes.substr(at + 6, size + 1);
        if (summed.size() != size + 1 || size > room - kChunkHead ||
            checksum(summed) != pb::little_endian(bytes.substr(at, 4)))
            break;
        at += kChunkHead + size;
        if (summed[0] == kWhole || summed[0] == kFirst)
            record.clear();
        record += summed.substr(1);
        if (summed[0] != kWhole && summed[0] != kLast)
            continue;
        bool is_end = false;
        for (pb::Fields fields(record); fields.next();)
            is_end = is_end || fields.number() == end_field;
        if (is_end)
            break;
        end = at;
        ++count_;
    }
    return end;
}

}  // namespace trainyard::track
