// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/numpy.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "formats/tables/array_rows.h"
#include "formats/tables/source_file.h"
#include "formats/tables/zip_entry.h"

namespace trainyard::formats {

namespace {

constexpr std::uint64_t kHeaderLimit = 1 << 20;

/// Parses the literal of a header: a dictionary with three entries, and no other Python syntax.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    ArrayHeader parse() {
        ArrayHeader header;
        bool type = false, order = false, shape = false;
        expect('{');
        while (!take('}')) {
            std::string key = quoted();
            expect(':');
            if (key == "descr" && !type) {
                if (peek() == '[')
                    refuse("it holds structures (records with named fields): store each field as an array of its own");
                parse_type(quoted(), header);
                type = true;
            } else if (key == "fortran_order" && !order) {
                header.fortran_order = truth();
                order = true;
            } else if (key == "shape" && !shape) {
                header.shape = tuple();
                shape = true;
            } else {
                refuse(Message("its header has an entry '{}' that does not belong there", key));
            }
            if (!take(',') && peek() != '}')
                refuse("its header is not a dictionary");
        }
        if (peek() != '\0')
            refuse("there is text after its header");
        if (!type || !order || !shape)
            refuse("its header lacks one of descr, fortran_order and shape");
        return header;
    }

    [[noreturn]] void refuse(const Message& why) const {
        throw UserError("{} is not a valid array file: {}", where_, why);
    }

  private:
    char peek() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted)
            return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!take(wanted))
            refuse("its header is not a dictionary");
    }
    std::string quoted() {
        char quote = peek();
        if (quote != '\'' && quote != '"')
            refuse("its header is not a dictionary with text keys");
        std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos)
            refuse("a text in its header is not closed");
        std::string value(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        if (value.find('\\') != std::string::npos)
            refuse("a text in its header has an escape");
        return value;
    }
    bool truth() {
        peek();
        for (std::string_view word : {"True", "False"})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return word == "True";
            }
        refuse("fortran_order is neither True nor False");
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> values;
        expect('(');
        while (!take(')')) {
            std::int64_t value = 0;
            std::size_t digits = 0;
            peek();
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
                if (digits > 17)
                    refuse("a number of its shape is too large");
                value = value * 10 + (text_[at_] - '0');
            }
            if (digits == 0)
                refuse("its shape is not a tuple of numbers");
            take('L');  // Python 2
            if (values.size() == 64)
                refuse("it has more than 64 dimensions");
            values.push_back(value);
            if (!take(',') && peek() != ')')
                refuse("its shape is not a tuple of numbers");
        }
        return values;
    }
    void parse_type(const std::string& code, ArrayHeader& header) {
        struct Code {
            const char* code;
            ElementType type;
        };
        static constexpr Code kCodes[] = {
            {"b1", ElementType::boolean}, {"i1", ElementType::i8},  {"i2", ElementType::i16}, {"i4", ElementType::i32},
            {"i8", ElementType::i64},     {"u1", ElementType::u8},  {"u2", ElementType::u16}, {"u4", ElementType::u32},
            {"u8", ElementType::u64},     {"f2", ElementType::f16}, {"f4", ElementType::f32}, {"f8", ElementType::f64}};
        char order = code.empty() ? '\0' : code[0];
        if (order == '<' || order == '>' || order == '|' || order == '=')
            for (const Code& one : kCodes)
                if (code.substr(1) == one.code) {
                    header.type = one.type;
                    header.big_endian = order == '>' && element_size(one.type) > 1;
                    return;
                }
        if (code.find('O') != std::string::npos)
            refuse("it holds Python objects, which cannot be read without running them: store numbers");
        refuse(Message("its type is '{}': numbers (b1, i1-i8, u1-u8, f2-f8) can be read", code));
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
};

/// Offset of the array in the file, computed from the first twelve bytes.
std::uint64_t header_bytes(std::span<const std::byte> begin, const std::string& where) {
    auto refuse = [&](const char* why) { throw UserError("{} is not a NumPy array: {}", where, why); };
    if (begin.size() < 12 || std::memcmp(begin.data(), "\x93NUMPY", 6) != 0)
        refuse("it does not begin as one");
    auto version = static_cast<int>(begin[6]);
    if (version < 1 || version > 3)
        refuse("it is of an unknown version");
    std::uint64_t size =
        version == 1 ? 10ull + little_endian<std::uint16_t>(begin, 8) : 12ull + little_endian<std::uint32_t>(begin, 8);
    if (size > kHeaderLimit)
        refuse("its header claims more than a megabyte");
    return size;
}

/// Reverses the bytes of every element.
void swap_bytes(std::span<std::byte> data, std::size_t element) {
    for (std::size_t at = 0; at + element <= data.size(); at += element)
        std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                     data.begin() + static_cast<std::ptrdiff_t>(at + element));
}

/// Reads rows of an array; `read(offset, out)` reads bytes at `offset` from the first element.
template <class Read>
void read_rows(const ArrayHeader& header, std::int64_t first, std::int64_t count, std::span<std::byte> out, Read read) {
    std::size_t element = element_size(header.type);
    std::uint64_t rows = static_cast<std::uint64_t>(header.shape.empty() ? 1 : header.shape[0]);
    std::uint64_t inner = rows == 0 ? 0 : header.elements() / rows;
    auto at = static_cast<std::uint64_t>(first), wanted = static_cast<std::uint64_t>(count);
    if (!header.fortran_order || header.shape.size() < 2) {
        read(at * inner * element, out);
    } else {
        // In column-major order, elements at the same position of consecutive rows are contiguous; the first index of
        // the position changes fastest.
        std::vector<std::byte> strip(wanted * element);
        std::vector<std::uint64_t> index(header.shape.size(), 0);
        for (std::uint64_t place = 0; place < inner; ++place) {
            read((place * rows + at) * element, std::span(strip));
            std::uint64_t c_place = 0;
            for (std::size_t d = 1; d < index.size(); ++d)
                c_place = c_place * static_cast<std::uint64_t>(header.shape[d]) + index[d];
            for (std::uint64_t row = 0; row < wanted; ++row)
                std::memcpy(out.data() + (row * inner + c_place) * element, strip.data() + row * element, element);
            for (std::size_t d = 1; d < index.size(); ++d) {
                if (++index[d] < static_cast<std::uint64_t>(header.shape[d]))
                    break;
                index[d] = 0;
            }
        }
    }
    if (header.big_endian)
        swap_bytes(out, element);
}

/// An array in a file: its header, and its bytes if they had to be decompressed.
struct Opened {
    ArrayHeader header;
    std::uint64_t begin = 0;  ///< offset of the array's file in the archive
    std::vector<std::byte> unpacked;

    void rows(const SourceFile& file, std::int64_t first, std::int64_t count, std::span<std::byte> out) const {
        read_rows(header, first, count, out, [&](std::uint64_t offset, std::span<std::byte> to) {
            offset += header.data_begin;
            if (unpacked.empty())
                file.read(begin + offset, to);
            else
                std::copy_n(unpacked.begin() + static_cast<std::ptrdiff_t>(offset), to.size(), to.begin());
        });
    }
};

Opened open_array(const SourceFile& file) {
    std::vector<std::byte> begin = file.read(0, std::min<std::uint64_t>(file.size(), kHeaderLimit + 12));
    return {parse_npy_header(begin, file.size(), file.path().string()), 0, {}};
}

Opened open_entry(const SourceFile& file, const files::ZipEntry& entry, std::uint64_t memory_limit) {
    std::string where = fmt::format("{}({})", file.path().string(), entry.name);
    std::vector<std::byte> begin = read_zip_entry(file, entry, std::min<std::uint64_t>(entry.bytes, kHeaderLimit + 12));
    Opened opened{parse_npy_header(begin, entry.bytes, where), entry.begin, {}};
    if (entry.deflated) {
        if (entry.bytes > memory_limit)
            throw UserError(
                "{} is compressed and needs {} bytes of memory, more than memory_limit: store it "
                "with numpy.savez, which is read in pieces",
                where, entry.bytes);
        opened.unpacked = read_zip_entry(file, entry, entry.bytes);
    }
    return opened;
}

std::string array_name(const files::ZipEntry& entry) {
    return entry.name.ends_with(".npy") ? entry.name.substr(0, entry.name.size() - 4) : entry.name;
}

}  // namespace

std::uint64_t ArrayHeader::elements() const {
    std::uint64_t product = 1;
    for (std::int64_t size : shape)
        product *= static_cast<std::uint64_t>(size);
    return product;
}

ArrayHeader parse_npy_header(std::span<const std::byte> begin, std::uint64_t file_bytes, const std::string& where) {
    std::uint64_t size = header_bytes(begin, where);
    auto refuse = [&](const Message& why) { throw UserError("{} is not a valid array file: {}", where, why); };
    if (size > begin.size() || size > file_bytes)
        refuse("its header is cut off");
    std::uint64_t prefix = static_cast<int>(begin[6]) == 1 ? 10 : 12;
    std::string_view text(reinterpret_cast<const char*>(begin.data()) + prefix, size - prefix);
    ArrayHeader header = HeaderParser(text, where).parse();
    header.data_begin = size;
    std::uint64_t room = (file_bytes - size) / element_size(header.type), elements = 1;
    if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end())
        elements = 0;
    // The other sizes of a shape that contains a zero must not overflow either.
    std::uint64_t product = 1;
    for (std::int64_t dimension : header.shape) {
        auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(dimension, 1));
        if (product > std::numeric_limits<std::int64_t>::max() / 16 / length)
            refuse("its shape is too large");
        product *= length;
    }
    elements *= product;
    if (elements > room)
        refuse(Message("its shape ({}) needs {} bytes and the file has {}: it is cut off or lies",
                       fmt::join(header.shape, ", "), elements * element_size(header.type), file_bytes - size));
    return header;
}

std::unique_ptr<TableReader> open_npy(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<ArrayRows>(path, options, [](const SourceFile& file, const auto& add) {
        auto array = std::make_shared<Opened>(open_array(file));
        add("array", array->header.type, array->header.shape,
            [&file, array](auto... arguments) { array->rows(file, arguments...); });
    });
}

std::unique_ptr<TableReader> open_npz(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<ArrayRows>(path, options, [&](const SourceFile& file, const auto& add) {
        for (const files::ZipEntry& entry : read_zip_directory(file)) {
            const auto& wanted = options.columns;
            if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), array_name(entry)) == wanted.end())
                continue;  // not decompressed
            auto array = std::make_shared<Opened>(open_entry(file, entry, options.memory_limit));
            add(array_name(entry), array->header.type, array->header.shape,
                [&file, array](auto... arguments) { array->rows(file, arguments...); });
        }
    });
}

}  // namespace trainyard::formats
