// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/safetensors_header.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "formats/weights/json_view.h"
#include "formats/weights/lfs_pointer.h"

namespace trainyard::weights {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::uint64_t kMostHeaderBytes = 100'000'000;
constexpr std::string_view kMetadataName = "__metadata__";

/// An error in the header, without the name of the file.
struct BadHeader {
    Message message;
};

class HeaderReader {
  public:
    explicit HeaderReader(const JsonView& text) : text_(text) {}

    SafetensorsHeader read() {
        check(parser_.iterate(text_.view()).get(document_));
        ondemand::json_type top_type{};
        check(document_.type().get(top_type));
        if (top_type == ondemand::json_type::array)
            throw BadHeader{"the header is a list, not a table of tensors"};
        ondemand::object top;
        if (top_type != ondemand::json_type::object || document_.get_object().get(top) != simdjson::SUCCESS)
            throw BadHeader{"the header is not a table of tensors"};
        for (auto field : top) {
            std::string_view name;
            check(name_of_field(field, name));
            if (!names_.insert(name).second)
                throw BadHeader{Message("the name '{}' is there twice", name)};
            ondemand::value value;
            check(field.value().get(value));
            ondemand::object table;
            const ondemand::json_type type = type_of(value);
            // The safetensors library reads null as missing metadata.
            if (name == kMetadataName && type == ondemand::json_type::null) {
                check(skip_null(value));
                continue;
            }
            if (type != ondemand::json_type::object || value.get_object().get(table) != simdjson::SUCCESS)
                throw BadHeader{Message("'{}' is not a table", name)};
            name == kMetadataName ? read_metadata(table) : read_tensor(name, table);
        }
        if (const char* rest = nullptr; document_.current_location().get(rest) == simdjson::SUCCESS)
            throw BadHeader{"there is something after the table of tensors"};
        return std::move(header_);
    }

  private:
    void check(simdjson::error_code error) {
        if (error == simdjson::SUCCESS)
            return;
        if (error == simdjson::EMPTY)
            throw BadHeader{"its header is empty"};
        if (error == simdjson::DEPTH_ERROR)
            throw BadHeader{"is nested too deeply"};
        const char* at = nullptr;
        const char* what = simdjson::error_message(error);
        if (started_ && document_.current_location().get(at) == simdjson::SUCCESS)
            throw BadHeader{Message("byte {} of the header: {}", at - text_.view().data(), what)};
        throw BadHeader{Message("the header: {}", what)};
    }
    ondemand::json_type type_of(ondemand::value& value) {
        started_ = true;
        ondemand::json_type type{};
        check(value.type().get(type));
        return type;
    }

    void read_metadata(ondemand::object& table) {
        for (auto field : table) {
            std::string_view key, text;
            check(name_of_field(field, key));
            ondemand::value value;
            check(field.value().get(value));
            if (type_of(value) != ondemand::json_type::string)
                throw BadHeader{Message("the metadata has a value for '{}' that is not text", key)};
            check(value.get_string().get(text));
            if (!header_.metadata.emplace(key, text).second)
                throw BadHeader{Message("the metadata has the key '{}' twice", key)};
        }
    }

    void read_tensor(std::string_view name, ondemand::object& table) {
        TensorInfo tensor;
        tensor.name = name;
        const auto fail = [&](const Message& what) { throw BadHeader{Message("tensor '{}' {}", name, what)}; };
        std::uint64_t offsets[2]{};
        std::size_t offset_count = 0;
        bool has_dtype = false, has_shape = false, has_offsets = false;
        fields_.clear();
        for (auto field : table) {
            std::string_view key;
            check(name_of_field(field, key));
            if (std::ranges::find(fields_, key) != fields_.end())
                fail(Message("has the key '{}' twice", key));
            fields_.push_back(key);
            ondemand::value value;
            check(field.value().get(value));
            const ondemand::json_type type = type_of(value);
            if (key == "dtype") {
                has_dtype = true;
                if (type != ondemand::json_type::string)
                    fail("has a dtype of the wrong type");
                std::string_view dtype;
                check(value.get_string().get(dtype));
                tensor.dtype = dtype;
            } else if (key == "shape") {
                has_shape = true;
                read_numbers(value, type, "shape", fail, [&](std::uint64_t size) {
                    if (size > static_cast<std::uint64_t>(INT64_MAX))
                        fail("has a shape that is too large");
                    tensor.shape.push_back(static_cast<std::int64_t>(size));
                });
            } else if (key == "data_offsets") {
                has_offsets = true;
                read_numbers(value, type, "data_offsets", fail, [&](std::uint64_t offset) {
                    if (offset_count < 2)
                        offsets[offset_count] = offset;
                    ++offset_count;
                });
            } else {
                check(skip_value(value));
            }
        }
        for (const auto& [has, needed] :
             {std::pair(has_dtype, "dtype"), std::pair(has_shape, "shape"), std::pair(has_offsets, "data_offsets")})
            if (!has)
                fail(Message("has no {}", needed));
        if (offset_count != 2)
            fail(Message("has {} data_offsets instead of 2", offset_count));
        tensor.begin = offsets[0];
        tensor.end = offsets[1];
        header_.tensors.push_back(std::move(tensor));
    }

    template <class Fail, class Take>
    void read_numbers(ondemand::value& value, ondemand::json_type type, const char* field, Fail&& fail, Take&& take) {
        ondemand::array list;
        if (type != ondemand::json_type::array || value.get_array().get(list) != simdjson::SUCCESS)
            fail(Message("has a {} of the wrong type", field));
        for (auto entry : list) {
            ondemand::value item;
            check(entry.get(item));
            std::uint64_t number = 0;
            if (item.get_uint64().get(number) == simdjson::SUCCESS) {
                take(number);
                continue;
            }
            if (type_of(item) != ondemand::json_type::number)
                fail(Message("has something in its {} that is not a number", field));
            ondemand::number_type kind{};
            check(item.get_number_type().get(kind));
            fail(Message("has {} in its {}",
                         kind == ondemand::number_type::signed_integer ? Message("a negative number")
                                                                       : Message("not a whole number"),
                         field));
        }
    }

    const JsonView& text_;
    ondemand::parser parser_;
    ondemand::document document_;
    bool started_ = false;  ///< the document has a place
    SafetensorsHeader header_;
    std::unordered_set<std::string_view> names_;
    std::vector<std::string_view> fields_;  ///< of the current tensor: three, as a rule
};

/// Every byte must belong to exactly one tensor, and each tensor must have as many bytes as its shape and dtype
/// require.
void check_layout(std::vector<TensorInfo>& tensors, std::uint64_t data_bytes) {
    const auto before = [](const TensorInfo& a, const TensorInfo& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    };
    if (!std::ranges::is_sorted(tensors, before))
        std::ranges::sort(tensors, before);
    std::uint64_t position = 0;
    for (const TensorInfo& tensor : tensors) {
        auto fail = [&](const Message& message) { throw BadHeader{Message("tensor '{}' {}", tensor.name, message)}; };
        std::uint64_t bytes = dtype_size(tensor.dtype);
        if (bytes == 0)
            fail(Message("has the unknown dtype '{}'", tensor.dtype));
        for (std::int64_t size : tensor.shape)
            if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
                fail("has a shape that is too large");
        if (tensor.end < tensor.begin)
            fail("ends before it begins");
        if (tensor.begin < position)
            fail("overlaps the one before it");
        if (tensor.begin > position)
            fail(Message("begins {} bytes behind the one before it", tensor.begin - position));
        if (tensor.end > data_bytes)
            fail(
                Message("ends at byte {} of the data, but there are only {}: the file is cut", tensor.end, data_bytes));
        if (tensor.end - tensor.begin != bytes)
            fail(Message("has {} bytes where its shape and dtype need {}", tensor.end - tensor.begin, bytes));
        position = tensor.end;
    }
    if (position != data_bytes)
        throw BadHeader{Message("{} bytes at the end belong to no tensor", data_bytes - position)};
}

std::uint64_t data_offset_of(std::span<const std::byte> first, std::uint64_t file_bytes) {
    if (file_bytes < kSafetensorsLength || first.size() < kSafetensorsLength)
        throw BadHeader{Message("it has {} bytes, too few for a header", file_bytes)};
    std::uint64_t length = 0;
    std::memcpy(&length, first.data(), kSafetensorsLength);
    if (length > kMostHeaderBytes)
        throw BadHeader{Message("its header claims {} bytes, more than the 100 MB allowed", length)};
    if (length > file_bytes - kSafetensorsLength)
        throw BadHeader{Message("its header claims {} bytes, but only {} follow: the file is cut", length,
                                file_bytes - kSafetensorsLength)};
    return kSafetensorsLength + length;
}

[[noreturn]] void refuse(const std::string& where, const BadHeader& error) {
    throw UserError("{} is not a whole safetensors file: {}", where, error.message);
}

void read_at(int file, std::span<std::byte> out, std::uint64_t offset, const std::filesystem::path& path) {
    const ssize_t got = read_all_at(file, out, offset);
    if (got < 0)
        throw_file_error("cannot read", path, errno);
    if (static_cast<std::size_t>(got) < out.size())
        throw UserError("{} became shorter while it was read", path.string());
}

}  // namespace

std::size_t dtype_size(std::string_view dtype) {
    static constexpr std::pair<std::string_view, std::size_t> kSizes[] = {
        {"BF16", 2}, {"F32", 4},     {"F16", 2},     {"F64", 8},     {"I64", 8}, {"I32", 4},
        {"U8", 1},   {"F8_E4M3", 1}, {"U64", 8},     {"U32", 4},     {"I16", 2}, {"U16", 2},
        {"I8", 1},   {"BOOL", 1},    {"F8_E5M2", 1}, {"F8_E8M0", 1}, {"C64", 8}};
    for (const auto& [name, size] : kSizes)
        if (name == dtype)
            return size;
    return 0;
}

std::uint64_t safetensors_data_offset(std::span<const std::byte> first, std::uint64_t file_bytes,
                                      const std::string& where) {
    refuse_lfs_pointer(first, where);
    try {
        return data_offset_of(first, file_bytes);
    } catch (const BadHeader& error) {
        refuse(where, error);
    }
}

SafetensorsHeader read_safetensors_header(std::span<const std::byte> bytes, std::uint64_t file_bytes,
                                          const std::string& where) {
    refuse_lfs_pointer(bytes, where);
    try {
        const std::uint64_t data = data_offset_of(bytes, file_bytes);
        if (data > bytes.size())
            throw BadHeader{Message("its header extends past byte {}", bytes.size())};
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kSafetensorsLength,
                                    data - kSafetensorsLength);
        const JsonView view(text, bytes.size() - kSafetensorsLength);
        SafetensorsHeader header = HeaderReader(view).read();
        header.data_offset = data;
        check_layout(header.tensors, file_bytes - data);
        return header;
    } catch (const BadHeader& error) {
        refuse(where, error);
    }
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
    const FileDescriptor file = open_regular_file(path);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0)
        throw_file_error("cannot read", path, errno);
    return read_safetensors_header(file.get(), static_cast<std::uint64_t>(info.st_size), path);
}

SafetensorsHeader read_safetensors_header(int file, std::uint64_t file_bytes, const std::filesystem::path& path) {
    std::byte first[kSafetensorsLength]{};
    const std::span<std::byte> begin = std::span(first).first(std::min<std::uint64_t>(file_bytes, sizeof first));
    read_at(file, begin, 0, path);
    std::vector<std::byte> bytes(safetensors_data_offset(begin, file_bytes, path.string()) +
                                 simdjson::SIMDJSON_PADDING);
    read_at(file, std::span(bytes).first(bytes.size() - simdjson::SIMDJSON_PADDING), 0, path);
    return read_safetensors_header(bytes, file_bytes, path.string());
}

}  // namespace trainyard::weights
