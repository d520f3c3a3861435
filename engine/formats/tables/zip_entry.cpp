// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/zip_entry.h"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "base/error.h"
#include "base/files/mapped_file.h"

namespace trainyard::formats {

namespace {

Message refused_words(const SourceFile& file) {
    return Message("{} is not a valid ZIP archive", file.path().string());
}

[[noreturn]] void refuse(const SourceFile& file, const Message& why) {
    throw UserError("{}: {}", refused_words(file), why);
}

}  // namespace

std::vector<files::ZipEntry> read_zip_directory(const SourceFile& file) {
    return files::read_zip_directory(files::MappedFile(file.path()).bytes(), refused_words(file));
}

std::vector<std::byte> read_zip_entry(const SourceFile& file, const files::ZipEntry& entry, std::uint64_t limit) {
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
        // Grows with the decompressed bytes, so that a false length costs no memory.
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
                refuse(file, Message("'{}' is damaged: {}", entry.name,
                                     inflater.stream.msg != nullptr ? Message::verbatim(inflater.stream.msg)
                                                                    : Message("its bytes are not deflate data")));
        }
        if (out.size() < wanted)
            refuse(file, Message("'{}' has {} bytes, its directory says {}", entry.name, out.size(), entry.bytes));
    }
    if (wanted == entry.bytes) {
        uLong crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), out.size());
        if (crc != entry.crc)
            refuse(file, Message("the checksum of '{}' differs: the file is damaged", entry.name));
    }
    return out;
}

}  // namespace trainyard::formats
