// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/token_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/files/hash.h"
#include "base/system_call.h"

namespace trainyard::files {

namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::size_t kTokenBuffer = 1u << 20;  // bytes
constexpr std::size_t kCheckPiece = 8u << 20;
constexpr std::array<char, 8> kTokenMagic{'T', 'Y', 'T', 'O', 'K', 'E', 'N', 'S'};
constexpr std::uint32_t kTokenFileVersion = 1;

/// The first 64 bits of XXH3-128.
std::uint64_t sum_of(const Xxh128& hash) {
    return std::stoull(hash.digest().substr(0, 16), nullptr, 16);
}

struct Header {
    std::array<char, 8> magic = kTokenMagic;
    std::uint32_t version = kTokenFileVersion;
    std::uint32_t token_bytes = 1;
    std::uint64_t tokens = 0, kept = 0, documents = 0, text_bytes = 0;
    std::int64_t largest = 0;
    std::uint64_t content_sum = 0;  ///< of everything after the header
    std::uint64_t header_sum = 0;   ///< of the header up to this field

    std::uint64_t sum() const {
        Xxh128 hash;
        hash.add(std::as_bytes(std::span(this, 1)).first(offsetof(Header, header_sum)));
        return sum_of(hash);
    }
    std::uint64_t token_end() const { return sizeof(Header) + (kept * token_bytes + 7) / 8 * 8; }
    std::uint64_t size() const { return token_end() + documents * sizeof(std::int64_t) + text_bytes; }
};
static_assert(sizeof(Header) == 72);

void write_at(int fd, std::string_view bytes, std::uint64_t place) {
    if (!write_all_at(fd, bytes, place))
        throw TokenFileError(std::strerror(errno));
}

}  // namespace

/// Buffered output to a file, counted and hashed.
struct TokenFileWriter::Stream {
    FileDescriptor own;  ///< set if this object opened the file itself
    int fd = -1;
    std::uint64_t place = 0;
    Xxh128 hash;
    std::string buffer;

    void add(const void* bytes, std::size_t count) {
        buffer.append(static_cast<const char*>(bytes), count);
        if (buffer.size() >= kTokenBuffer)
            flush();
    }
    void flush() {
        write_at(fd, buffer, place);
        place += buffer.size();
        hash.add(std::as_bytes(std::span(buffer)));
        buffer.clear();
    }
};

TokenFileWriter::TokenFileWriter(int fd, int bytes)
    : fd_(fd), bytes_(bytes), body_(std::make_unique<Stream>()), ends_(std::make_unique<Stream>()) {
    body_->fd = fd;
    body_->place = sizeof(Header);
    // The ends stay in memory until all tokens are written; with documents of usual length they take a hundredth of the
    // tokens' size.
    ends_->own = FileDescriptor(::memfd_create("ends of documents", MFD_CLOEXEC));
    ends_->fd = ends_->own.get();
}

TokenFileWriter::~TokenFileWriter() = default;

void TokenFileWriter::add(std::string_view text) {
    tokens_ += std::ssize(text);
    for (const char byte : text)
        largest_ = std::max<std::int64_t>(largest_, static_cast<unsigned char>(byte));
    body_->add(text.data(), text.size());
}

void TokenFileWriter::add(std::int32_t token) {
    ++tokens_;
    largest_ = std::max<std::int64_t>(largest_, token);
    body_->add(&token, sizeof token);
}

void TokenFileWriter::pass_over(std::int64_t tokens, std::int64_t largest) {
    tokens_ += tokens;
    largest_ = std::max(largest_, largest);
}

void TokenFileWriter::put_end() {
    if (documents_ > 0)
        ends_->add(&last_end_, sizeof last_end_);
}

void TokenFileWriter::end_document() {
    put_end();
    ++documents_;
    last_end_ = tokens_;
}

void TokenFileWriter::finish(std::string_view left_out) {
    put_end();
    ends_->flush();
    Header header;
    header.token_bytes = static_cast<std::uint32_t>(bytes_);
    header.tokens = static_cast<std::uint64_t>(tokens_);
    header.documents = static_cast<std::uint64_t>(documents_);
    header.text_bytes = left_out.size();
    header.largest = largest_;
    const std::uint64_t bytes = body_->place + body_->buffer.size() - sizeof(Header);
    header.kept = bytes / header.token_bytes;
    constexpr std::array<char, 8> nothing{};
    body_->add(nothing.data(), header.token_end() - sizeof(Header) - bytes);
    std::string piece;
    for (std::uint64_t place = 0; place < ends_->place; place += piece.size()) {
        piece.resize(std::min<std::uint64_t>(kTokenBuffer, ends_->place - place));
        const ssize_t n = ::pread(ends_->fd, piece.data(), piece.size(), static_cast<off_t>(place));
        if (n <= 0)
            throw TokenFileError(std::strerror(n < 0 ? errno : EIO));
        piece.resize(static_cast<std::size_t>(n));
        body_->add(piece.data(), piece.size());
    }
    body_->add(left_out.data(), left_out.size());
    body_->flush();
    header.content_sum = sum_of(body_->hash);
    header.header_sum = header.sum();
    write_at(fd_, {reinterpret_cast<const char*>(&header), sizeof header}, 0);
}

TokenFile::TokenFile(int fd, const std::filesystem::path& path, bool whole) : file_(fd, path) {
    const std::span<const std::byte> bytes = file_.bytes();
    Header header;
    if (bytes.size() < sizeof header)
        throw TokenFileError("it is cut off");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != kTokenMagic || header.version != kTokenFileVersion || header.header_sum != header.sum())
        throw TokenFileError("it is not a token file of this version");
    // The sum cannot overflow: the header's checksum has verified the three numbers.
    if (header.size() != bytes.size() || (header.token_bytes != 1 && header.token_bytes != 4))
        throw TokenFileError("its size is not the one it was written with");
    if (whole) {
        Xxh128 hash;
        for (std::size_t at = sizeof header; at < bytes.size(); at += kCheckPiece) {
            const auto piece = bytes.subspan(at, std::min(kCheckPiece, bytes.size() - at));
            hash.add(piece);
            file_.release();
        }
        if (sum_of(hash) != header.content_sum)
            throw TokenFileError("its content is not the one it was written with");
    }
    bytes_ = static_cast<int>(header.token_bytes);
    tokens_ = static_cast<std::int64_t>(header.tokens);
    documents_ = static_cast<std::int64_t>(header.documents);
    largest_ = header.largest;
    first_ = bytes.data() + sizeof header;
    ends_ = reinterpret_cast<const std::int64_t*>(bytes.data() + header.token_end());
    left_out_ = {reinterpret_cast<const char*>(ends_ + documents_), header.text_bytes};
}

std::int64_t TokenFile::end_of(std::int64_t document) const {
    file_.has_read(sizeof(std::int64_t));
    return ends_[document];
}

std::int64_t TokenFile::document_at(std::int64_t token) const {
    file_.has_read(sizeof(std::int64_t));
    return std::upper_bound(ends_, ends_ + documents_, token) - ends_;
}

void TokenFile::copy(std::int64_t first, std::span<std::int64_t> out) const {
    if (bytes_ == 1) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(first_) + first;
        std::copy_n(from, out.size(), out.begin());
    } else {
        const auto* from = reinterpret_cast<const std::int32_t*>(first_) + first;
        std::copy_n(from, out.size(), out.begin());
    }
    file_.has_read(out.size() * static_cast<std::size_t>(bytes_));
}

}  // namespace trainyard::files
