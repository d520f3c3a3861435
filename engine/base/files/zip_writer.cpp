// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/zip_writer.h"

#include <fmt/format.h>

#include "base/files/zip_archive.h"

namespace trainyard::files {

namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kNo32 = 0xffffffff;  ///< the value is in the 64-bit field
constexpr std::uint16_t kUtf8Names = 0x800;
constexpr std::uint16_t kPadding = 0x4246;  ///< id of the extra field that torch uses for padding, "FB"

template <class T>
void append(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void append16(std::string& text, std::uint64_t value) {
    append(text, static_cast<std::uint16_t>(value));
}
void append32(std::string& text, std::uint64_t value) {
    append(text, static_cast<std::uint32_t>(value));
}

}  // namespace

void ZipWriter::add(std::string_view name, std::span<const std::byte> bytes) {
    Entry entry{(folder_.empty() ? "" : folder_ + "/") + std::string(name), bytes.size(), position_, crc32(bytes)};
    std::string extra;
    bool large = entry.size >= kNo32;
    if (large) {
        append16(extra, 1);
        append16(extra, 16);
        append(extra, entry.size);
        append(extra, entry.size);
    }
    std::uint64_t begin = entry.place + 30 + entry.name.size() + extra.size() + 4;
    std::uint64_t padding = (kAlignment - begin % kAlignment) % kAlignment;
    append16(extra, kPadding);
    append16(extra, padding);
    extra.append(padding, 'Z');

    std::string header;
    append32(header, 0x04034b50);
    append16(header, large ? 45 : 20);
    append16(header, kUtf8Names);
    append16(header, 0);  // stored
    append32(header, 0);  // time
    append32(header, entry.crc);
    append32(header, large ? kNo32 : entry.size);
    append32(header, large ? kNo32 : entry.size);
    append16(header, entry.name.size());
    append16(header, extra.size());
    put(header + entry.name + extra);
    put(bytes);
    entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
    std::uint64_t begin = position_;
    for (const Entry& entry : entries_) {
        std::string extra;
        bool large = entry.size >= kNo32, far = entry.place >= kNo32;
        if (large || far) {
            append16(extra, 1);
            append16(extra, (large ? 16 : 0) + (far ? 8 : 0));
            if (large) {
                append(extra, entry.size);
                append(extra, entry.size);
            }
            if (far)
                append(extra, entry.place);
        }
        std::string record;
        append32(record, 0x02014b50);
        append16(record, extra.empty() ? 20 : 45);
        append16(record, extra.empty() ? 20 : 45);
        append16(record, kUtf8Names);
        append16(record, 0);
        append32(record, 0);
        append32(record, entry.crc);
        append32(record, large ? kNo32 : entry.size);
        append32(record, large ? kNo32 : entry.size);
        append16(record, entry.name.size());
        append16(record, extra.size());
        append16(record, 0);  // comment
        append16(record, 0);  // disk
        append16(record, 0);
        append32(record, 0);
        append32(record, far ? kNo32 : entry.place);
        put(record + entry.name + extra);
    }
    std::uint64_t end = position_, size = end - begin;
    std::string tail;
    bool wide = entries_.size() >= 0xffff || begin >= kNo32 || size >= kNo32;
    if (wide) {
        append32(tail, 0x06064b50);
        append(tail, std::uint64_t{44});
        append16(tail, 45);
        append16(tail, 45);
        append32(tail, 0);
        append32(tail, 0);
        append(tail, std::uint64_t{entries_.size()});
        append(tail, std::uint64_t{entries_.size()});
        append(tail, size);
        append(tail, begin);
        append32(tail, 0x07064b50);
        append32(tail, 0);
        append(tail, end);
        append32(tail, 1);
    }
    append32(tail, 0x06054b50);
    append32(tail, 0);
    append16(tail, wide ? 0xffff : entries_.size());
    append16(tail, wide ? 0xffff : entries_.size());
    append32(tail, wide ? kNo32 : size);
    append32(tail, wide ? kNo32 : begin);
    append16(tail, 0);
    put(tail);
}

std::uint64_t ZipWriter::size_limit(std::span<const std::uint64_t> sizes) {
    std::uint64_t total = 200;
    for (std::uint64_t size : sizes)
        total += size + 400;
    return total;
}

}  // namespace trainyard::files
