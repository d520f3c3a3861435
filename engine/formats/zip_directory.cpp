#include "formats/zip_directory.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <zlib.h>

#include "base/error.h"

namespace trainyard::formats {

namespace {

constexpr std::uint64_t kDirectoryLimit = 64 << 20;

[[noreturn]] void refuse(const SourceFile& file, const std::string& why) {
    throw UserError(fmt::format("{} is no archive that can be read: {}", file.path().string(), why));
}

struct End {
    std::uint64_t entries = 0, bytes = 0, begin = 0;
};

/// The record at the end of the archive, in its old form or ZIP64's.
End find_end(const SourceFile& file) {
    constexpr std::uint64_t kEnd = 22;
    if (file.size() < kEnd)
        refuse(file, "it is too short");
    std::uint64_t tail_begin = file.size() - std::min<std::uint64_t>(file.size(), kEnd + 65535);
    std::vector<std::byte> tail = file.read(tail_begin, file.size() - tail_begin);
    std::size_t at = tail.size() - kEnd;
    while (little_endian<std::uint32_t>(tail, at) != 0x06054b50u) {
        if (at == 0)
            refuse(file, "the directory at its end is missing (is it cut off?)");
        --at;
    }
    End end{little_endian<std::uint16_t>(tail, at + 10), little_endian<std::uint32_t>(tail, at + 12),
            little_endian<std::uint32_t>(tail, at + 16)};
    if (end.entries == 0xffff || end.bytes == 0xffffffff || end.begin == 0xffffffff) {
        std::uint64_t place = tail_begin + at;
        if (place >= 20) {
            std::vector<std::byte> locator = file.read(place - 20, 20);
            if (little_endian<std::uint32_t>(locator) == 0x07064b50u) {
                std::vector<std::byte> wide = file.read(little_endian<std::uint64_t>(locator, 8), 56);
                if (little_endian<std::uint32_t>(wide) != 0x06064b50u)
                    refuse(file, "its ZIP64 record is damaged");
                end = {little_endian<std::uint64_t>(wide, 32), little_endian<std::uint64_t>(wide, 40),
                       little_endian<std::uint64_t>(wide, 48)};
            }
        }
    }
    if (end.begin > file.size() || end.bytes > file.size() - end.begin || end.bytes > kDirectoryLimit)
        refuse(file, "its directory does not lie in the file");
    return end;
}

/// ZIP64 sizes stand in an extra field, in the order of those that did not fit.
void read_wide_sizes(std::span<const std::byte> extra, ZipEntry& entry, std::uint64_t& header) {
    while (extra.size() >= 4) {
        auto id = little_endian<std::uint16_t>(extra);
        auto size = little_endian<std::uint16_t>(extra, 2);
        extra = extra.subspan(4);
        if (size > extra.size())
            return;
        if (id == 1) {
            std::span<const std::byte> field = extra.first(size);
            for (std::uint64_t* value : {&entry.bytes, &entry.compressed_bytes, &header}) {
                if (*value != 0xffffffff)
                    continue;
                if (field.size() < 8)
                    return;
                *value = little_endian<std::uint64_t>(field);
                field = field.subspan(8);
            }
        }
        extra = extra.subspan(size);
    }
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const SourceFile& file) {
    End end = find_end(file);
    std::vector<std::byte> directory = file.read(end.begin, end.bytes);
    std::span<const std::byte> rest = directory;
    std::vector<ZipEntry> entries;
    std::set<std::string> names;
    for (std::uint64_t i = 0; i < end.entries; ++i) {
        if (rest.size() < 46 || little_endian<std::uint32_t>(rest) != 0x02014b50u)
            refuse(file, "its directory is damaged");
        auto flags = little_endian<std::uint16_t>(rest, 8), method = little_endian<std::uint16_t>(rest, 10);
        std::size_t name_size = little_endian<std::uint16_t>(rest, 28);
        std::size_t extra_size = little_endian<std::uint16_t>(rest, 30);
        std::size_t comment_size = little_endian<std::uint16_t>(rest, 32);
        ZipEntry entry;
        entry.crc = little_endian<std::uint32_t>(rest, 16);
        entry.compressed_bytes = little_endian<std::uint32_t>(rest, 20);
        entry.bytes = little_endian<std::uint32_t>(rest, 24);
        std::uint64_t header = little_endian<std::uint32_t>(rest, 42);
        if (rest.size() < 46 + name_size + extra_size + comment_size)
            refuse(file, "its directory is damaged");
        entry.name.assign(reinterpret_cast<const char*>(rest.data()) + 46, name_size);
        read_wide_sizes(rest.subspan(46 + name_size, extra_size), entry, header);
        rest = rest.subspan(46 + name_size + extra_size + comment_size);
        if ((flags & 1) != 0)
            refuse(file, fmt::format("'{}' is encrypted", entry.name));
        if (method != 0 && method != 8)
            refuse(file,
                   fmt::format("'{}' is compressed in a way (method {}) that NumPy never uses", entry.name, method));
        entry.deflated = method == 8;
        if (!names.insert(entry.name).second)
            refuse(file, fmt::format("'{}' is there twice", entry.name));
        if (header > file.size() || file.size() - header < 30)
            refuse(file, fmt::format("'{}' does not lie in the file", entry.name));
        std::vector<std::byte> local = file.read(header, 30);
        if (little_endian<std::uint32_t>(local) != 0x04034b50u)
            refuse(file, fmt::format("the header of '{}' is damaged", entry.name));
        entry.begin = header + 30 + little_endian<std::uint16_t>(local, 26) + little_endian<std::uint16_t>(local, 28);
        if (entry.begin > end.begin || entry.compressed_bytes > end.begin - entry.begin ||
            (!entry.deflated && entry.bytes != entry.compressed_bytes))
            refuse(file, fmt::format("'{}' does not lie in the file", entry.name));
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<std::byte> read_zip_entry(const SourceFile& file, const ZipEntry& entry, std::uint64_t limit) {
    std::uint64_t wanted = std::min(entry.bytes, limit);
    std::vector<std::byte> out;
    if (!entry.deflated) {
        out = file.read(entry.begin, wanted);
    } else {
        struct Inflater {
            z_stream stream{};
            Inflater() { ok = inflateInit2(&stream, -MAX_WBITS) == Z_OK; }
            ~Inflater() { inflateEnd(&stream); }
            bool ok = false;
        } inflater;
        if (!inflater.ok)
            throw std::bad_alloc();
        std::vector<std::byte> piece(
            std::min<std::uint64_t>(256 << 10, std::max<std::uint64_t>(entry.compressed_bytes, 1)));
        std::uint64_t place = entry.begin, rest = entry.compressed_bytes;
        int state = Z_OK;
        // Grown as bytes come: a length that lies costs nothing.
        while (out.size() < wanted && state != Z_STREAM_END) {
            if (inflater.stream.avail_in == 0) {
                std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), rest));
                if (size == 0)
                    break;
                file.read(place, std::span(piece).first(size));
                place += size;
                rest -= size;
                inflater.stream.next_in = reinterpret_cast<Bytef*>(piece.data());
                inflater.stream.avail_in = static_cast<uInt>(size);
            }
            std::size_t have = out.size();
            std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(wanted - have, 1 << 20));
            out.resize(have + step);
            inflater.stream.next_out = reinterpret_cast<Bytef*>(out.data() + have);
            inflater.stream.avail_out = static_cast<uInt>(step);
            state = inflate(&inflater.stream, Z_NO_FLUSH);
            out.resize(have + step - inflater.stream.avail_out);
            if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
                refuse(file, fmt::format("'{}' is damaged: {}", entry.name,
                                         inflater.stream.msg != nullptr ? inflater.stream.msg
                                                                        : "its bytes are no deflated data"));
        }
        if (out.size() < wanted)
            refuse(file, fmt::format("'{}' has {} bytes, its directory says {}", entry.name, out.size(), entry.bytes));
    }
    if (wanted == entry.bytes) {
        uLong crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), out.size());
        if (crc != entry.crc)
            refuse(file, fmt::format("the checksum of '{}' differs: the file is damaged", entry.name));
    }
    return out;
}

}  // namespace trainyard::formats
