// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/megatron_set.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/tables/source_file.h"

namespace trainyard::formats {

namespace {

constexpr char kMagic[] = "MMIDIDX\0";  // nine bytes including the terminating zero
constexpr std::uint64_t kHeader = 9 + 8 + 1 + 8 + 8;
constexpr char kOldMagic[] = "TNTIDX\0";  // eight bytes including the terminating zero
constexpr std::uint64_t kOldHeader = 8 + 6 * 8;

constexpr ElementType kTypeCodes[] = {ElementType::u8,  ElementType::i8,  ElementType::i16, ElementType::i32,
                                      ElementType::i64, ElementType::f64, ElementType::f32, ElementType::u16};

std::filesystem::path without_ending(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    if (ending == ".bin" || ending == ".idx")
        return std::filesystem::path(path).replace_extension();
    return path;
}

std::filesystem::path with(const std::filesystem::path& prefix, const char* ending) {
    return prefix.string() + ending;
}

template <class T>
std::vector<T> read_numbers(const SourceFile& file, std::uint64_t offset, std::uint64_t count) {
    std::vector<T> numbers(count);
    file.read(offset, std::as_writable_bytes(std::span(numbers)));
    return numbers;
}

template <class T>
void widen(std::span<const std::byte> bytes, std::span<std::int64_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::int64_t>(little_endian<T>(bytes, i * sizeof(T)));
}

}  // namespace

struct MegatronSet::Impl {
    std::filesystem::path prefix;
    SourceFile index, data;
    ElementType type = ElementType::i32;
    std::vector<std::int32_t> lengths;
    std::vector<std::int64_t> documents;
    std::uint64_t starts_begin = 0;
    std::int64_t start_unit = 1;  ///< bytes that a start counts
    std::int64_t tokens = 0;

    explicit Impl(const std::filesystem::path& path)
        : prefix(path), index(with(prefix, ".idx")), data(with(prefix, ".bin")) {}

    [[noreturn]] void refuse(const Message& why) const {
        throw UserError("{} is not a valid index of an indexed set: {}", index.path().string(), why);
    }

    void read_header() {
        if (index.size() < kHeader)
            refuse("it is cut off");
        std::vector<std::byte> header = index.read(0, kHeader);
        if (std::memcmp(header.data(), kOldMagic, 8) == 0)
            return read_old_header();
        if (std::memcmp(header.data(), kMagic, 9) != 0)
            refuse("it begins with neither MMIDIDX nor TNTIDX: write the set again with Megatron-LM's preprocessing");
        if (little_endian<std::uint64_t>(header, 9) != 1)
            refuse(Message("it is of version {}, known is 1", little_endian<std::uint64_t>(header, 9)));
        auto code = static_cast<std::size_t>(header[17]);
        if (code < 1 || code > std::size(kTypeCodes))
            refuse(Message("its type code is {}, known are 1 to 8", code));
        type = kTypeCodes[code - 1];
        auto sequences = little_endian<std::uint64_t>(header, 18);
        auto ends = little_endian<std::uint64_t>(header, 26);
        // Divides instead of multiplying, so that a false number cannot overflow.
        std::uint64_t room = index.size() - kHeader;
        if (sequences > room / 12 || ends > (room - sequences * 12) / 8)
            refuse(Message("it claims {} sequences and {} documents, too many for its {} bytes", sequences, ends,
                           index.size()));
        std::uint64_t rest = room - sequences * 12 - ends * 8;
        if (rest != 0 && rest != sequences)
            refuse(Message("{} bytes follow its last number", rest));
        lengths = read_numbers<std::int32_t>(index, kHeader, sequences);
        starts_begin = kHeader + sequences * 4;
        documents = read_numbers<std::int64_t>(index, kHeader + sequences * 12, ends);
    }

    void read_old_header() {
        if (index.size() < kOldHeader)
            refuse("it is cut off");
        const std::vector<std::byte> header = index.read(0, kOldHeader);
        const auto number = [&](std::size_t at) { return little_endian<std::uint64_t>(header, 8 + 8 * at); };
        if (number(0) != 1)
            refuse(Message("it is of version {}, known is 1", number(0)));
        const std::uint64_t code = number(1), sequences = number(3), sizes = number(4), ends = number(5);
        if (code < 1 || code > std::size(kTypeCodes))
            refuse(Message("its type code is {}, known are 1 to 8", code));
        type = kTypeCodes[code - 1];
        if (number(2) != element_size(type))
            refuse(Message("its tokens have {} bytes, and those of its type code {} have {}", number(2), code,
                           element_size(type)));
        start_unit = static_cast<std::int64_t>(element_size(type));
        if (sizes != sequences)
            refuse("its sequences are tables of several dimensions");
        // Divides instead of multiplying, so that a false number cannot overflow.
        const std::uint64_t room = (index.size() - kOldHeader) / 8;
        if (sequences > room / 3 || ends > room || room - 3 * sequences < ends + 2 ||
            index.size() != kOldHeader + 8 * (3 * sequences + 2 + ends))
            refuse(
                Message("it claims {} sequences and {} documents, which do not give its {} bytes: sets of fairseq "
                        "have no documents and cannot be read",
                        sequences, ends, index.size()));
        starts_begin = kOldHeader + 8 * (sequences + 1);
        for (const std::int64_t length :
             read_numbers<std::int64_t>(index, kOldHeader + 16 * (sequences + 1), sequences)) {
            if (length < 0 || length > std::numeric_limits<std::int32_t>::max())
                refuse(Message("sequence {} has {} tokens", lengths.size(), length));
            lengths.push_back(static_cast<std::int32_t>(length));
        }
        documents = read_numbers<std::int64_t>(index, kOldHeader + 8 * (3 * sequences + 2), ends);
    }

    void check_sequences() {
        auto size = static_cast<std::int64_t>(element_size(type));
        auto bytes = static_cast<std::int64_t>(data.size());
        constexpr std::size_t kPiece = 1 << 16;
        for (std::size_t first = 0; first < lengths.size(); first += kPiece) {
            std::size_t count = std::min(kPiece, lengths.size() - first);
            auto starts = read_numbers<std::int64_t>(index, starts_begin + first * 8, count);
            for (std::size_t i = 0; i < count; ++i) {
                std::int64_t length = lengths[first + i];
                if (length < 0 || starts[i] < 0 || starts[i] > bytes / start_unit ||
                    length > (bytes - starts[i] * start_unit) / size)
                    throw UserError(
                        "{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of {}: one of the two files is "
                        "truncated or belongs to another set",
                        index.path().string(), first + i, length, starts[i] * start_unit, bytes, data.path().string());
                tokens += length;
            }
        }
        std::int64_t before = 0;
        for (std::size_t i = 0; i < documents.size(); ++i) {
            if (documents[i] < before || documents[i] > std::ssize(lengths))
                refuse(Message("document {} begins at sequence {}, which is not one of its {}", i, documents[i],
                               lengths.size()));
            before = documents[i];
        }
    }
};

MegatronSet::MegatronSet(const std::filesystem::path& prefix) : impl_(std::make_unique<Impl>(without_ending(prefix))) {
    impl_->read_header();
    impl_->check_sequences();
}
MegatronSet::~MegatronSet() = default;
MegatronSet::MegatronSet(MegatronSet&&) noexcept = default;
MegatronSet& MegatronSet::operator=(MegatronSet&&) noexcept = default;

ElementType MegatronSet::type() const {
    return impl_->type;
}
std::int64_t MegatronSet::sequences() const {
    return std::ssize(impl_->lengths);
}
std::span<const std::int32_t> MegatronSet::lengths() const {
    return impl_->lengths;
}
std::span<const std::int64_t> MegatronSet::document_ends() const {
    return impl_->documents;
}
std::int64_t MegatronSet::tokens() const {
    return impl_->tokens;
}
const std::filesystem::path& MegatronSet::prefix() const {
    return impl_->prefix;
}

void MegatronSet::read(std::int64_t sequence, std::int64_t offset, std::span<std::int64_t> out) const {
    if (sequence < 0 || sequence >= sequences() || offset < 0 ||
        offset + std::ssize(out) > impl_->lengths[static_cast<std::size_t>(sequence)])
        throw std::out_of_range("tokens of an indexed set");
    if (out.empty())
        return;
    std::size_t size = element_size(impl_->type);
    std::int64_t start = 0;
    impl_->index.read(impl_->starts_begin + static_cast<std::uint64_t>(sequence) * 8,
                      std::as_writable_bytes(std::span(&start, 1)));
    std::uint64_t place =
        static_cast<std::uint64_t>(start * impl_->start_unit) + static_cast<std::uint64_t>(offset) * size;
    // Narrow tokens are read into the end of `out` and widened from the front, so no other buffer is needed.
    std::span<std::byte> bytes = std::as_writable_bytes(out).last(out.size() * size);
    impl_->data.read(place, bytes);
    switch (impl_->type) {
        case ElementType::u8:
            return widen<std::uint8_t>(bytes, out);
        case ElementType::i8:
            return widen<std::int8_t>(bytes, out);
        case ElementType::i16:
            return widen<std::int16_t>(bytes, out);
        case ElementType::u16:
            return widen<std::uint16_t>(bytes, out);
        case ElementType::i32:
            return widen<std::int32_t>(bytes, out);
        case ElementType::i64:
            return;
        default:
            throw UserError("{} holds {} numbers, and tokens are whole ones", impl_->data.path().string(),
                            name_of(impl_->type));
    }
}

}  // namespace trainyard::formats
