// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/zip_directory.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::files {

namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                        kLocator64 = 0x07064b50;
constexpr std::uint64_t kEndSize = 22, kLongestComment = 0xffff, kMostEntries = 4'000'000,
                        kMostLocalExtra =
                            256;  ///< bytes that writers put behind a local header's name: torch aligns to 64
constexpr std::uint16_t kStored = 0, kDeflated = 8;

using Bytes = std::span<const std::byte>;

/// Little-endian number at `at`; the caller has checked the bounds.
template <class T>
T number(Bytes bytes, std::uint64_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// Offset of the directory and number of its entries.
struct Directory {
    std::uint64_t begin = 0, size = 0, entries = 0;
};

class ZipDirectoryReader {
  public:
    ZipDirectoryReader(Bytes bytes, const Message& refused) : bytes_(bytes), refused_(refused) {}

    ZipPart place() const {
        const Directory directory = find_directory();
        return {directory.begin, bytes_.size() - directory.begin};
    }

    /// The heads of the entries, for zip_entry_heads().
    std::vector<ZipPart> heads(std::uint64_t whole) {
        whole_ = whole;
        read();
        return std::move(heads_);
    }

    std::vector<ZipEntry> read() {
        Directory directory = find_directory();
        std::uint64_t at = directory.begin, end = directory.begin + directory.size;
        for (std::uint64_t i = 0; i < directory.entries; ++i)
            at = read_entry(at, end, directory.begin);
        if (at != end)
            fail("its directory is longer than its entries");
        check_overlap();
        std::vector<ZipEntry> entries;
        for (Found& found : found_)
            entries.push_back(std::move(found.entry));
        return entries;
    }

  private:
    struct Found {
        ZipEntry entry;
        std::uint64_t begin = 0, end = 0;  // from the local header to the end of the data
    };

    [[noreturn]] void fail(const Message& what) const { throw UserError("{}: {}", refused_, what); }

    Directory find_directory() const {
        if (bytes_.size() < kEndSize)
            fail("it is cut");
        std::uint64_t last = bytes_.size() - kEndSize;
        std::uint64_t first = last > kLongestComment ? last - kLongestComment : 0;
        for (std::uint64_t at = last + 1; at-- > first;)
            if (number<std::uint32_t>(bytes_, at) == kEnd &&
                at + kEndSize + number<std::uint16_t>(bytes_, at + 20) == bytes_.size())
                return read_end(at);
        fail("the directory at its end is missing, so it is cut");
    }

    Directory read_end(std::uint64_t at) const {
        if (number<std::uint16_t>(bytes_, at + 4) != 0 || number<std::uint16_t>(bytes_, at + 6) != 0)
            fail("it is one part of several");
        Directory directory{number<std::uint32_t>(bytes_, at + 16), number<std::uint32_t>(bytes_, at + 12),
                            number<std::uint16_t>(bytes_, at + 10)};
        std::uint64_t end = at;
        if (at >= 20 && number<std::uint32_t>(bytes_, at - 20) == kLocator64) {
            std::uint64_t at64 = number<std::uint64_t>(bytes_, at - 12);
            if (at64 > at - 20 || at - 20 - at64 < 56 || number<std::uint32_t>(bytes_, at64) != kEnd64)
                fail("the 64-bit end of its directory is missing");
            directory = {number<std::uint64_t>(bytes_, at64 + 48), number<std::uint64_t>(bytes_, at64 + 40),
                         number<std::uint64_t>(bytes_, at64 + 32)};
            end = at64;
        }
        if (directory.begin > end || directory.size > end - directory.begin)
            fail("its directory lies outside the file");
        if (directory.entries > kMostEntries || directory.entries > directory.size / 46)
            fail("its directory claims more entries than it can hold");
        return directory;
    }

    std::uint64_t read_entry(std::uint64_t at, std::uint64_t end, std::uint64_t data_end) {
        if (end - at < 46 || number<std::uint32_t>(bytes_, at) != kCentralHeader)
            fail("its directory is damaged");
        auto flags = number<std::uint16_t>(bytes_, at + 8);
        auto method = number<std::uint16_t>(bytes_, at + 10);
        std::uint64_t stored = number<std::uint32_t>(bytes_, at + 20), size = number<std::uint32_t>(bytes_, at + 24);
        std::uint64_t name_size = number<std::uint16_t>(bytes_, at + 28);
        std::uint64_t extra_size = number<std::uint16_t>(bytes_, at + 30);
        std::uint64_t comment_size = number<std::uint16_t>(bytes_, at + 32);
        std::uint64_t header = number<std::uint32_t>(bytes_, at + 42);
        std::uint64_t length = 46 + name_size + extra_size + comment_size;
        if (length > end - at)
            fail("its directory is damaged");
        Found found;
        found.entry.name.assign(reinterpret_cast<const char*>(bytes_.data()) + at + 46, name_size);
        found.entry.crc = number<std::uint32_t>(bytes_, at + 16);
        read_extra(bytes_.subspan(at + 46 + name_size, extra_size), size, stored, header);
        check_name(found.entry.name);
        if ((flags & 1) != 0)
            fail(Message("its entry '{}' is encrypted", found.entry.name));
        if (method != kStored && method != kDeflated)
            fail(Message("its entry '{}' is compressed in a way (method {}) that cannot be read", found.entry.name,
                         method));
        if (method == kStored && stored != size)
            fail(Message("its entry '{}' has two sizes", found.entry.name));
        found.entry.deflated = method == kDeflated;
        found.entry.compressed_bytes = stored;
        found.entry.bytes = size;
        if (whole_) {
            const bool all = stored < *whole_ || found.entry.name.ends_with(".pkl");
            const std::uint64_t wanted = 30 + name_size + kMostLocalExtra + (all ? std::min(stored, data_end) : 0);
            if (header < data_end)
                heads_.push_back({header, std::min(wanted, data_end - header)});
            return at + length;
        }
        locate(found, header, method, data_end);
        found_.push_back(std::move(found));
        return at + length;
    }

    /// The 64-bit values of the fields whose 32 bits are all set, in this order (APPNOTE 4.5.3).
    void read_extra(Bytes extra, std::uint64_t& size, std::uint64_t& stored, std::uint64_t& header) const {
        for (std::uint64_t at = 0; extra.size() - at >= 4;) {
            std::uint64_t field_size = number<std::uint16_t>(extra, at + 2), value = at + 4;
            if (field_size > extra.size() - value)
                fail("its directory is damaged");
            if (number<std::uint16_t>(extra, at) == 1)
                for (std::uint64_t* field : {&size, &stored, &header})
                    if (*field == 0xffffffff) {
                        if (value + 8 > at + 4 + field_size)
                            fail("its directory is damaged");
                        *field = number<std::uint64_t>(extra, value);
                        value += 8;
                    }
            at += 4 + field_size;
        }
    }

    void check_name(const std::string& name) const {
        bool odd = name.empty() || name.front() == '/' || name.find('\\') != std::string::npos ||
                   name.find('\0') != std::string::npos;
        for (std::size_t begin = 0; begin <= name.size() && !odd;) {
            std::size_t end = std::min(name.find('/', begin), name.size());
            std::string part = name.substr(begin, end - begin);
            odd = part == ".." || part == "." || (part.empty() && end < name.size());
            begin = end + 1;
        }
        if (odd)
            fail(Message("the name '{}' leaves the archive", name));
    }

    void locate(Found& found, std::uint64_t header, std::uint16_t method, std::uint64_t data_end) const {
        const std::uint64_t size = found.entry.compressed_bytes;
        if (header > data_end || data_end - header < 30 || number<std::uint32_t>(bytes_, header) != kLocalHeader)
            fail(Message("its entry '{}' is not where the directory says", found.entry.name));
        std::uint64_t name_size = number<std::uint16_t>(bytes_, header + 26);
        std::uint64_t data = header + 30 + name_size + number<std::uint16_t>(bytes_, header + 28);
        if (data > data_end || size > data_end - data)
            fail(Message("its entry '{}' extends past the file's data", found.entry.name));
        if (number<std::uint16_t>(bytes_, header + 8) != method || name_size != found.entry.name.size() ||
            std::memcmp(bytes_.data() + header + 30, found.entry.name.data(), name_size) != 0)
            fail(Message("its entry '{}' is another one in the directory than in its own place", found.entry.name));
        found.entry.begin = data;
        found.begin = header;
        found.end = data + size;
    }

    void check_overlap() {
        std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < found_.size(); ++i)
            if (found_[i].begin < found_[i - 1].end)
                fail(Message("its entries '{}' and '{}' overlap", found_[i - 1].entry.name, found_[i].entry.name));
    }

    Bytes bytes_;
    const Message& refused_;
    std::vector<Found> found_;
    std::optional<std::uint64_t> whole_;  ///< only heads are looked for
    std::vector<ZipPart> heads_;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> archive, const Message& refused) {
    std::vector<ZipEntry> entries = ZipDirectoryReader(archive, refused).read();
    std::set<std::string_view> names;
    for (const ZipEntry& entry : entries)
        if (!names.insert(entry.name).second)
            throw UserError("{}: the entry '{}' is there twice", refused, entry.name);
    return entries;
}

ZipPart zip_directory_place(std::span<const std::byte> archive, const Message& refused) {
    return ZipDirectoryReader(archive, refused).place();
}

std::vector<ZipPart> zip_entry_heads(std::span<const std::byte> archive, std::uint64_t whole, const Message& refused) {
    return ZipDirectoryReader(archive, refused).heads(whole);
}

bool begins_like_zip(std::span<const std::byte> bytes) {
    return bytes.size() >= 4 && number<std::uint32_t>(bytes, 0) == kLocalHeader;
}

}  // namespace trainyard::files
