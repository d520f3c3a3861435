// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/gguf_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "formats/weights/lfs_pointer.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kMagicOfGguf = "GGUF";
constexpr std::size_t kShownItems = 8, kLongestText = 1u << 30;
constexpr int kDeepestList = 4;

/// A type of ggml: `block` elements take `bytes`.
struct GgmlType {
    std::uint32_t id;
    std::string_view name;
    std::uint32_t block, bytes;
    std::string_view dtype;
};

constexpr GgmlType kGgmlTypes[] = {
    {0, "F32", 1, 4, "F32"},      {1, "F16", 1, 2, "F16"},      {2, "Q4_0", 32, 18, ""},
    {3, "Q4_1", 32, 20, ""},      {6, "Q5_0", 32, 22, ""},      {7, "Q5_1", 32, 24, ""},
    {8, "Q8_0", 32, 34, ""},      {9, "Q8_1", 32, 40, ""},      {10, "Q2_K", 256, 84, ""},
    {11, "Q3_K", 256, 110, ""},   {12, "Q4_K", 256, 144, ""},   {13, "Q5_K", 256, 176, ""},
    {14, "Q6_K", 256, 210, ""},   {15, "Q8_K", 256, 292, ""},   {16, "IQ2_XXS", 256, 66, ""},
    {17, "IQ2_XS", 256, 74, ""},  {18, "IQ3_XXS", 256, 98, ""}, {19, "IQ1_S", 256, 50, ""},
    {20, "IQ4_NL", 32, 18, ""},   {21, "IQ3_S", 256, 110, ""},  {22, "IQ2_S", 256, 82, ""},
    {23, "IQ4_XS", 256, 136, ""}, {24, "I8", 1, 1, "I8"},       {25, "I16", 1, 2, "I16"},
    {26, "I32", 1, 4, "I32"},     {27, "I64", 1, 8, "I64"},     {28, "F64", 1, 8, "F64"},
    {29, "IQ1_M", 256, 56, ""},   {30, "BF16", 1, 2, "BF16"},   {34, "TQ1_0", 256, 54, ""},
    {35, "TQ2_0", 256, 66, ""},   {39, "MXFP4", 32, 17, ""},    {40, "NVFP4", 64, 36, ""},
};

const GgmlType* ggml_type(std::uint32_t id) {
    const auto* found =
        std::find_if(std::begin(kGgmlTypes), std::end(kGgmlTypes), [&](const GgmlType& type) { return type.id == id; });
    return found == std::end(kGgmlTypes) ? nullptr : found;
}

/// Types of values in the order of their numbers.
enum class GgufValue : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };
constexpr std::uint32_t kLastGgufValue = 12;

constexpr std::uint32_t kWrittenVersion = 3;
constexpr std::uint64_t kWrittenAlignment = 32;

std::uint64_t whole_places(std::uint64_t bytes) {
    return (bytes + kWrittenAlignment - 1) / kWrittenAlignment * kWrittenAlignment;
}

template <class Number>
void append_gguf(std::string& out, const Number& number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_gguf_text(std::string& out, std::string_view text) {
    append_gguf(out, std::uint64_t{text.size()});
    out += text;
}

template <class Values, class Append>
void append_gguf_list(std::string& out, GgufValue type, const Values& values, Append append) {
    append_gguf(out, GgufValue::list);
    append_gguf(out, type);
    append_gguf(out, std::uint64_t{values.size()});
    for (const auto& value : values)
        append(out, value);
}

class GgufReader {
  public:
    GgufReader(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& where)
        : bytes_(bytes), file_bytes_(file_bytes), where_(where) {}

    GgufHeader read() {
        refuse_lfs_pointer(bytes_, where_);
        if (!begins_like_gguf(bytes_))
            fail("it does not begin with GGUF");
        at_ = kMagicOfGguf.size();
        header_.version = number<std::uint32_t>();
        if (header_.version == __builtin_bswap32(2u) || header_.version == __builtin_bswap32(3u))
            fail("its numbers have the highest byte first: convert it on a machine of the usual byte order");
        if (header_.version != 2 && header_.version != 3)
            fail(Message("it has version {}, and 2 and 3 can be read", header_.version));
        const auto tensors = number<std::uint64_t>(), values = number<std::uint64_t>();
        std::uint64_t alignment = 32;
        std::set<std::string> keys;
        for (std::uint64_t i = 0; i < values; ++i) {
            std::string key = text();
            if (!keys.insert(key).second)
                fail(Message("the key '{}' is there twice", key));
            std::string value = read_value(type_of_value(key), 0, key == "general.alignment" ? &alignment : nullptr);
            header_.values.emplace_back(std::move(key), std::move(value));
        }
        if (alignment == 0 || alignment > 1u << 20 || !std::has_single_bit(alignment))
            fail(Message("its alignment {} is not a power of two up to 1 MiB", alignment));
        std::set<std::string> names;
        for (std::uint64_t i = 0; i < tensors; ++i) {
            read_tensor();
            if (!names.insert(header_.tensors.back().name).second)
                fail(Message("the name '{}' is there twice", header_.tensors.back().name));
        }
        header_.header_bytes = (at_ + alignment - 1) / alignment * alignment;
        place(alignment);
        return std::move(header_);
    }

  private:
    [[noreturn]] void fail(const Message& what) const {
        throw UserError("{} is not a whole GGUF file: {}", where_, what);
    }

    std::span<const std::byte> take(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            fail(Message("its header extends past byte {}: the file is truncated", bytes_.size()));
        at_ += count;
        return bytes_.subspan(at_ - count, count);
    }
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() {
        const auto length = number<std::uint64_t>();
        if (length > kLongestText)
            fail("a text in its header is longer than 1 GiB");
        auto part = take(length);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }
    GgufValue type_of_value(const std::string& key) {
        const auto type = number<std::uint32_t>();
        if (type > kLastGgufValue)
            fail(Message("the value of '{}' has the unknown type {}", key, type));
        return static_cast<GgufValue>(type);
    }

    /// `whole`: gets the value of a whole number.
    std::string read_value(GgufValue type, int depth, std::uint64_t* whole = nullptr) {
        const auto integer = [&](auto value) {
            if (whole != nullptr)
                *whole = static_cast<std::uint64_t>(value);
            return std::to_string(value);
        };
        switch (type) {
            case GgufValue::u8:
                return integer(number<std::uint8_t>());
            case GgufValue::i8:
                return integer(number<std::int8_t>());
            case GgufValue::u16:
                return integer(number<std::uint16_t>());
            case GgufValue::i16:
                return integer(number<std::int16_t>());
            case GgufValue::u32:
                return integer(number<std::uint32_t>());
            case GgufValue::i32:
                return integer(number<std::int32_t>());
            case GgufValue::u64:
                return integer(number<std::uint64_t>());
            case GgufValue::i64:
                return integer(number<std::int64_t>());
            case GgufValue::f32:
                return fmt::format("{}", number<float>());
            case GgufValue::f64:
                return fmt::format("{}", number<double>());
            case GgufValue::boolean:
                return number<std::uint8_t>() != 0 ? "true" : "false";
            case GgufValue::text:
                return text::to_utf8(text());
            case GgufValue::list:
                return read_list(depth);
        }
        fail("a value in its header has an unknown type");
    }

    /// Every item takes at least a byte, so the work is bounded by the file.
    std::string read_list(int depth) {
        if (depth == kDeepestList)
            fail("a list in its header is nested too deeply");
        const GgufValue type = type_of_value("a list");
        const auto count = number<std::uint64_t>();
        std::string shown;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string item = read_value(type, depth + 1);
            if (i < kShownItems)
                shown += (i == 0 ? "" : ", ") + item;
        }
        return count > kShownItems ? fmt::format("[{}, ...] ({} items)", shown, count) : "[" + shown + "]";
    }

    void read_tensor() {
        GgufTensor tensor;
        tensor.name = text();
        const auto dimensions = number<std::uint32_t>();
        if (dimensions > 8)
            fail(Message("tensor '{}' has {} dimensions", tensor.name, dimensions));
        for (std::uint32_t d = 0; d < dimensions; ++d) {
            const auto size = number<std::uint64_t>();
            if (size > INT64_MAX)
                fail(Message("tensor '{}' has a shape that is too large", tensor.name));
            tensor.shape.push_back(static_cast<std::int64_t>(size));
        }
        const auto id = number<std::uint32_t>();
        const GgmlType* type = ggml_type(id);
        tensor.begin = number<std::uint64_t>();
        const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.front();
        std::reverse(tensor.shape.begin(), tensor.shape.end());
        const auto count = element_count(tensor.shape);
        if (!count)
            fail(Message("tensor '{}' has a shape that is too large", tensor.name));
        tensor.type = type == nullptr ? fmt::format("type {}", id) : std::string(type->name);
        if (type != nullptr) {
            if (row % type->block != 0)
                fail(Message("tensor '{}' has rows of {} elements, no multiple of the {} of a block of {}", tensor.name,
                             row, type->block, type->name));
            tensor.dtype = type->dtype;
            if (__builtin_mul_overflow(static_cast<std::uint64_t>(*count / type->block), std::uint64_t{type->bytes},
                                       &tensor.bytes))
                fail(Message("tensor '{}' has a shape that is too large", tensor.name));
        }
        header_.tensors.push_back(std::move(tensor));
    }

    /// Offsets count from the data. Tensors lie inside the file and do not overlap.
    void place(std::uint64_t alignment) {
        std::vector<const GgufTensor*> by_place;
        for (GgufTensor& tensor : header_.tensors) {
            if (tensor.begin % alignment != 0)
                fail(Message("tensor '{}' does not begin at a multiple of {}", tensor.name, alignment));
            if (__builtin_add_overflow(tensor.begin, header_.header_bytes, &tensor.begin) ||
                tensor.begin > file_bytes_ || tensor.bytes > file_bytes_ - tensor.begin)
                fail(Message("tensor '{}' extends past the {} bytes of the file: it is truncated", tensor.name,
                             file_bytes_));
            by_place.push_back(&tensor);
        }
        std::sort(by_place.begin(), by_place.end(),
                  [](const GgufTensor* a, const GgufTensor* b) { return a->begin < b->begin; });
        for (std::size_t i = 1; i < by_place.size(); ++i)
            if (by_place[i - 1]->begin + by_place[i - 1]->bytes > by_place[i]->begin)
                fail(Message("tensors '{}' and '{}' overlap", by_place[i - 1]->name, by_place[i]->name));
    }

    std::span<const std::byte> bytes_;
    std::uint64_t file_bytes_;
    const std::string& where_;
    std::uint64_t at_ = 0;
    GgufHeader header_;
};

}  // namespace

bool begins_like_gguf(std::span<const std::byte> bytes) {
    return bytes.size() >= kMagicOfGguf.size() &&
           std::memcmp(bytes.data(), kMagicOfGguf.data(), kMagicOfGguf.size()) == 0;
}

void GgufValues::begin(std::string_view key) {
    ++count_;
    append_gguf_text(bytes_, key);
}

void GgufValues::add_number(std::string_view key, std::int64_t value) {
    begin(key);
    append_gguf(bytes_, GgufValue::u32);
    append_gguf(bytes_, static_cast<std::uint32_t>(value));
}

void GgufValues::add_float(std::string_view key, float value) {
    begin(key);
    append_gguf(bytes_, GgufValue::f32);
    append_gguf(bytes_, value);
}

void GgufValues::add_bool(std::string_view key, bool value) {
    begin(key);
    append_gguf(bytes_, GgufValue::boolean);
    append_gguf(bytes_, static_cast<std::uint8_t>(value));
}

void GgufValues::add_text(std::string_view key, std::string_view value) {
    begin(key);
    append_gguf(bytes_, GgufValue::text);
    append_gguf_text(bytes_, value);
}

void GgufValues::add_numbers(std::string_view key, std::span<const std::int32_t> values) {
    begin(key);
    append_gguf_list(bytes_, GgufValue::i32, values, append_gguf<std::int32_t>);
}

void GgufValues::add_floats(std::string_view key, std::span<const float> values) {
    begin(key);
    append_gguf_list(bytes_, GgufValue::f32, values, append_gguf<float>);
}

void GgufValues::add_texts(std::string_view key, std::span<const std::string> values) {
    begin(key);
    append_gguf_list(bytes_, GgufValue::text, values, append_gguf_text);
}

std::pair<std::int64_t, std::int64_t> gguf_block(std::string_view type) {
    const auto* found = std::ranges::find_if(kGgmlTypes, [&](const GgmlType& known) { return known.name == type; });
    return found == std::end(kGgmlTypes) ? std::pair<std::int64_t, std::int64_t>(0, 0)
                                         : std::pair<std::int64_t, std::int64_t>(found->block, found->bytes);
}

std::uint64_t gguf_bytes(std::string_view type, const std::vector<std::int64_t>& shape) {
    const auto [block, bytes] = gguf_block(type);
    std::int64_t elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    return static_cast<std::uint64_t>(elements / block * bytes);
}

files::WrittenFile write_gguf(const std::filesystem::path& path, const GgufValues& values,
                              const std::vector<GgufTensorToWrite>& tensors) {
    std::string header(kMagicOfGguf);
    append_gguf(header, kWrittenVersion);
    append_gguf(header, std::uint64_t{tensors.size()});
    append_gguf(header, values.count());
    header += values.bytes();
    std::uint64_t at = 0;
    for (const GgufTensorToWrite& tensor : tensors) {
        append_gguf_text(header, tensor.name);
        append_gguf(header, static_cast<std::uint32_t>(tensor.shape.size()));
        for (auto size = tensor.shape.rbegin(); size != tensor.shape.rend(); ++size)
            append_gguf(header, static_cast<std::uint64_t>(*size));
        append_gguf(header, std::ranges::find(kGgmlTypes, tensor.type, &GgmlType::name)->id);
        append_gguf(header, at);
        at += whole_places(gguf_bytes(tensor.type, tensor.shape));
    }
    header.resize(whole_places(header.size()));
    files::FileWriter file(path, header.size() + at);
    file.write(header);
    for (const GgufTensorToWrite& tensor : tensors) {
        const std::uint64_t end = file.position() + gguf_bytes(tensor.type, tensor.shape);
        tensor.stream([&](std::span<const std::byte> piece) { file.write(piece); });
        if (file.position() != end)
            throw std::logic_error(fmt::format("tensor '{}' does not have the bytes of its shape", tensor.name));
        file.write(std::string(whole_places(end) - end, '\0'));
    }
    return file.finish();
}

GgufHeader read_gguf_header(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& where) {
    return GgufReader(bytes, file_bytes, where).read();
}

}  // namespace trainyard::weights
