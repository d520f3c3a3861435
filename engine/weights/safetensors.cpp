#include "weights/safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <tuple>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace trainyard::weights {

namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr const char* kMetadata = "__metadata__";

/// An error in the header, without the name of the file.
struct BadHeader {
    std::string message;
};

/// Parses the header's JSON as a stream, because a finished JSON object no longer shows duplicate keys.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
  public:
    std::vector<TensorInfo> tensors;
    std::map<std::string, std::string> metadata;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return number(nullptr, "a negative number"); }
    bool number_unsigned(number_unsigned_t n) override { return number(&n, ""); }
    bool number_float(number_float_t, const string_t&) override { return number(nullptr, "not a whole number"); }
    bool binary(binary_t&) override { return value(); }

    bool string(string_t& text) override {
        if (place_ == Place::metadata) {
            metadata[field_] = text;
            return true;
        }
        if (place_ == Place::tensor && field_ == "dtype") {
            current_.dtype = text;
            return true;
        }
        return value();
    }

    bool start_object(std::size_t) override {
        switch (place_) {
            case Place::outside:
                place_ = Place::top;
                return true;
            case Place::top:
                place_ = current_.name == kMetadata ? Place::metadata : Place::tensor;
                fields_.clear();
                return true;
            default:
                return skip_begin();
        }
    }
    bool end_object() override {
        switch (place_) {
            case Place::top:
                place_ = Place::outside;
                return true;
            case Place::metadata:
                place_ = Place::top;
                return true;
            case Place::tensor:
                for (const char* needed : {"dtype", "shape", "data_offsets"})
                    if (!fields_.contains(needed))
                        fail(fmt::format("has no {}", needed));
                if (offsets_.size() != 2)
                    fail(fmt::format("has {} data_offsets instead of 2", offsets_.size()));
                current_.begin = offsets_[0];
                current_.end = offsets_[1];
                tensors.push_back(std::move(current_));
                current_ = {};
                place_ = Place::top;
                return true;
            default:
                return skip_end();
        }
    }
    bool start_array(std::size_t) override {
        if (place_ == Place::tensor && (field_ == "shape" || field_ == "data_offsets")) {
            place_ = field_ == "shape" ? Place::shape : Place::offsets;
            return true;
        }
        if (place_ == Place::outside)
            throw BadHeader{"the header is a list, not a table of tensors"};
        return skip_begin();
    }
    bool end_array() override {
        if (place_ == Place::shape || place_ == Place::offsets) {
            place_ = Place::tensor;
            return true;
        }
        return skip_end();
    }
    bool key(string_t& name) override {
        if (place_ == Place::top) {
            if (!names_.insert(name).second)
                throw BadHeader{fmt::format("the name '{}' is there twice", name)};
            current_ = {};
            current_.name = name;
            offsets_.clear();
        } else if (place_ == Place::tensor || place_ == Place::metadata) {
            if (!fields_.insert(name).second)
                fail(fmt::format("has the key '{}' twice", name));
            field_ = name;
        }
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        // nlohmann's message begins with its own error number and position.
        std::string text = error.what();
        std::size_t colon = text.find(": ");
        throw BadHeader{fmt::format("byte {} of the header: {}", position,
                                    colon == std::string::npos ? text : text.substr(colon + 2))};
    }

  private:
    enum class Place { outside, top, metadata, tensor, shape, offsets, skipped };

    [[noreturn]] void fail(const std::string& message) {
        throw BadHeader{current_.name == kMetadata ? "the metadata " + message
                                                   : fmt::format("tensor '{}' {}", current_.name, message)};
    }

    /// A scalar where none is expected, or the value of an unknown key, which is ignored.
    bool value() {
        switch (place_) {
            case Place::skipped:
                return true;
            case Place::metadata:
                fail(fmt::format("has a value for '{}' that is not text", field_));
            case Place::tensor:
                if (field_ == "dtype" || field_ == "shape" || field_ == "data_offsets")
                    fail(fmt::format("has a {} of the wrong type", field_));
                return true;
            case Place::shape:
            case Place::offsets:
                fail(fmt::format("has something in its {} that is not a number", field_));
            case Place::top:
                throw BadHeader{fmt::format("'{}' is not a table", current_.name)};
            case Place::outside:
                break;
        }
        throw BadHeader{"the header is not a table of tensors"};
    }

    bool number(const number_unsigned_t* n, const char* wrong) {
        if (place_ != Place::shape && place_ != Place::offsets)
            return value();
        if (n == nullptr)
            fail(fmt::format("has {} in its {}", wrong, field_));
        if (place_ == Place::offsets) {
            offsets_.push_back(*n);
        } else {
            if (*n > static_cast<number_unsigned_t>(INT64_MAX))
                fail("has a shape that is too large");
            current_.shape.push_back(static_cast<std::int64_t>(*n));
        }
        return true;
    }

    bool skip_begin() {
        if (place_ == Place::tensor && field_ != "dtype" && field_ != "shape" && field_ != "data_offsets")
            place_ = Place::skipped;
        else if (place_ != Place::skipped)
            return value();
        if (++skipped_depth_ > 32)
            throw BadHeader{"is nested too deeply"};
        return true;
    }
    bool skip_end() {
        if (--skipped_depth_ == 0)
            place_ = Place::tensor;
        return true;
    }

    Place place_ = Place::outside;
    TensorInfo current_;
    std::vector<std::uint64_t> offsets_;
    std::string field_;
    std::set<std::string> names_, fields_;
    int skipped_depth_ = 0;
};

/// Every byte must belong to exactly one tensor, and each tensor must have as many bytes as its shape and dtype
/// require.
void check_layout(std::vector<TensorInfo>& tensors, std::uint64_t data_bytes) {
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t position = 0;
    for (const TensorInfo& tensor : tensors) {
        auto fail = [&](std::string message) { throw BadHeader{fmt::format("tensor '{}' {}", tensor.name, message)}; };
        std::uint64_t bytes = dtype_size(tensor.dtype);
        if (bytes == 0)
            fail(fmt::format("has the unknown dtype '{}'", tensor.dtype));
        for (std::int64_t size : tensor.shape)
            if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
                fail("has a shape that is too large");
        if (tensor.end < tensor.begin)
            fail("ends before it begins");
        if (tensor.begin < position)
            fail("overlaps the one before it");
        if (tensor.begin > position)
            fail(fmt::format("begins {} bytes behind the one before it", tensor.begin - position));
        if (tensor.end > data_bytes)
            fail(fmt::format("ends at byte {} of the data, but there are only {}: the file is cut", tensor.end,
                             data_bytes));
        if (tensor.end - tensor.begin != bytes)
            fail(fmt::format("has {} bytes where its shape and dtype need {}", tensor.end - tensor.begin, bytes));
        position = tensor.end;
    }
    if (position != data_bytes)
        throw BadHeader{fmt::format("{} bytes at the end belong to no tensor", data_bytes - position)};
}

}  // namespace

std::size_t dtype_size(const std::string& dtype) {
    static const std::map<std::string, std::size_t> sizes{
        {"F64", 8}, {"I64", 8}, {"U64", 8}, {"F32", 4}, {"I32", 4},  {"U32", 4},     {"F16", 2},     {"BF16", 2},
        {"I16", 2}, {"U16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"C64", 8}};
    auto found = sizes.find(dtype);
    return found == sizes.end() ? 0 : found->second;
}

struct SafetensorsFile::Impl {
    fs::path path;
    const std::byte* mapping = nullptr;
    std::uint64_t size = 0;
    std::uint64_t data = 0;  // offset of the data in the file
    std::vector<TensorInfo> tensors;
    std::map<std::string, std::size_t> index;
    std::map<std::string, std::string> metadata;

    ~Impl() {
        if (mapping != nullptr)
            ::munmap(const_cast<std::byte*>(mapping), size);
    }

    void read() {
        std::string_view all(reinterpret_cast<const char*>(mapping), size);
        if (size < 8)
            throw BadHeader{fmt::format("it has {} bytes, too few for a header", size)};
        std::uint64_t length = 0;
        std::memcpy(&length, all.data(), 8);
        if (length > kLargestHeader)
            throw BadHeader{fmt::format("its header claims {} bytes, more than the 100 MB allowed", length)};
        if (length > size - 8)
            throw BadHeader{
                fmt::format("its header claims {} bytes, but only {} follow: the file is cut", length, size - 8)};
        HeaderReader header;
        std::string_view text = all.substr(8, length);
        nlohmann::json::sax_parse(text.begin(), text.end(), &header);
        data = 8 + length;
        tensors = std::move(header.tensors);
        metadata = std::move(header.metadata);
        check_layout(tensors, size - data);
        for (std::size_t i = 0; i < tensors.size(); ++i)
            index[tensors[i].name] = i;
    }
};

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0)
        throw_file_error("cannot read", path, errno);
    if (!S_ISREG(info.st_mode))
        throw UserError(fmt::format("{} is not a file: name a safetensors file", path.string()));
    impl_->size = static_cast<std::uint64_t>(info.st_size);
    if (impl_->size > 0) {
        // A private writable mapping, for callers that hand the bytes out as tensors: writes stay in this process.
        void* mapping =
            ::mmap(nullptr, impl_->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.get(), 0);
        if (mapping == MAP_FAILED)
            throw_file_error("cannot read", path, errno);
        impl_->mapping = static_cast<const std::byte*>(mapping);
    }
    try {
        impl_->read();
    } catch (const BadHeader& error) {
        throw UserError(fmt::format("{} is not a whole safetensors file: {}", path.string(), error.message));
    }
}

SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&&) noexcept = default;

const std::vector<TensorInfo>& SafetensorsFile::tensors() const {
    return impl_->tensors;
}

const TensorInfo* SafetensorsFile::find(const std::string& name) const {
    auto found = impl_->index.find(name);
    return found == impl_->index.end() ? nullptr : &impl_->tensors[found->second];
}

std::span<const std::byte> SafetensorsFile::bytes(const TensorInfo& tensor) const {
    return {impl_->mapping + impl_->data + tensor.begin, tensor.end - tensor.begin};
}

std::uint64_t SafetensorsFile::data_offset() const {
    return impl_->data;
}

const std::map<std::string, std::string>& SafetensorsFile::metadata() const {
    return impl_->metadata;
}

const std::filesystem::path& SafetensorsFile::path() const {
    return impl_->path;
}

namespace {

std::uint64_t byte_size(const TensorToWrite& tensor) {
    std::uint64_t bytes = dtype_size(tensor.dtype);
    for (std::int64_t size : tensor.shape)
        bytes *= static_cast<std::uint64_t>(size);
    return bytes;
}

std::string header_of(const std::vector<const TensorToWrite*>& tensors,
                      const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header[kMetadata] = metadata;
    std::uint64_t position = 0;
    for (const TensorToWrite* tensor : tensors) {
        std::uint64_t end = position + byte_size(*tensor);
        header[tensor->name] = {{"dtype", tensor->dtype}, {"shape", tensor->shape}, {"data_offsets", {position, end}}};
        position = end;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::uint64_t length = text.size();
    std::string whole(8, '\0');
    std::memcpy(whole.data(), &length, 8);
    return whole + text;
}

void check_tensor(const TensorToWrite& tensor) {
    std::uint64_t bytes = byte_size(tensor);
    bool whole = tensor.stream ? tensor.bytes.empty() : bytes == tensor.bytes.size();
    if (dtype_size(tensor.dtype) == 0 || !whole || tensor.name == kMetadata)
        throw std::invalid_argument(fmt::format("tensor '{}' to write has {} bytes of {} where its shape needs {}",
                                                tensor.name, tensor.bytes.size(), tensor.dtype, bytes));
}

void write_tensor(files::FileWriter& file, const TensorToWrite& tensor) {
    if (!tensor.stream)
        return file.write(tensor.bytes);
    std::uint64_t left = byte_size(tensor);
    tensor.stream([&](std::span<const std::byte> piece) {
        if (piece.size() > left)
            throw std::invalid_argument(fmt::format("tensor '{}' has more bytes than its shape needs", tensor.name));
        left -= piece.size();
        file.write(piece);
    });
    if (left > 0)
        throw std::invalid_argument(
            fmt::format("tensor '{}' has {} bytes less than its shape needs", tensor.name, left));
}

}  // namespace

files::WrittenFile write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                                     const std::map<std::string, std::string>& metadata) {
    std::vector<const TensorToWrite*> order;
    std::set<std::string> names;
    for (const TensorToWrite& tensor : tensors) {
        check_tensor(tensor);
        if (!names.insert(tensor.name).second)
            throw std::invalid_argument(fmt::format("tensor '{}' is to be written twice", tensor.name));
        order.push_back(&tensor);
    }
    // Descending element size keeps every tensor aligned to its elements.
    std::sort(order.begin(), order.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        std::size_t size_a = dtype_size(a->dtype), size_b = dtype_size(b->dtype);
        return size_a != size_b ? size_a > size_b : a->name < b->name;
    });
    std::string header = header_of(order, metadata);
    std::uint64_t total = header.size();
    for (const TensorToWrite* tensor : order)
        total += byte_size(*tensor);

    files::FileWriter file(path, total);
    file.write(header);
    for (const TensorToWrite* tensor : order)
        write_tensor(file, *tensor);
    return file.finish();
}

}  // namespace trainyard::weights
