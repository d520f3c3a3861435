// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_set>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/json_writer.h"

namespace trainyard::weights {

namespace {

constexpr const char* kMetadata = "__metadata__";

}  // namespace

struct SafetensorsFile::Impl {
    fs::path path;
    FileDescriptor file;
    std::uint64_t size = 0;
    SafetensorsHeader header;
    std::vector<std::size_t> by_name;  // positions in the tensors

    ~Impl() {
        if (mapping_ != nullptr)
            ::munmap(mapping_, size);
    }

    void read() {
        header = read_safetensors_header(file.get(), size, path);
        by_name.resize(header.tensors.size());
        std::iota(by_name.begin(), by_name.end(), std::size_t{0});
        std::sort(by_name.begin(), by_name.end(),
                  [this](std::size_t a, std::size_t b) { return header.tensors[a].name < header.tensors[b].name; });
    }

    /// Maps the file when its bytes are first asked for: who reads headers needs no address space for weights.
    const std::byte* mapping() {
        std::call_once(mapped_, [this] {
            if (size == 0)
                return;
            // A private writable mapping, for callers that hand the bytes out as tensors: writes stay in this process.
            void* all = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.get(), 0);
            if (all == MAP_FAILED)
                throw_file_error("cannot read", path, errno);
            mapping_ = static_cast<std::byte*>(all);
            file.close();
        });
        return mapping_;
    }

  private:
    std::once_flag mapped_;
    std::byte* mapping_ = nullptr;
};

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    impl_->file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!impl_->file || ::fstat(impl_->file.get(), &info) != 0)
        throw_file_error("cannot read", path, errno);
    if (!S_ISREG(info.st_mode))
        throw UserError("{} is not a file: name a safetensors file", path.string());
    impl_->size = static_cast<std::uint64_t>(info.st_size);
    impl_->read();
}

SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&&) noexcept = default;

const std::vector<TensorInfo>& SafetensorsFile::tensors() const {
    return impl_->header.tensors;
}

const TensorInfo* SafetensorsFile::find(const std::string& name) const {
    const auto found = std::lower_bound(
        impl_->by_name.begin(), impl_->by_name.end(), name,
        [this](std::size_t i, const std::string& text) { return impl_->header.tensors[i].name < text; });
    return found == impl_->by_name.end() || impl_->header.tensors[*found].name != name ? nullptr
                                                                                       : &impl_->header.tensors[*found];
}

std::span<const std::byte> SafetensorsFile::bytes(const TensorInfo& tensor) const {
    return {impl_->mapping() + impl_->header.data_offset + tensor.begin, tensor.end - tensor.begin};
}

std::uint64_t SafetensorsFile::data_offset() const {
    return impl_->header.data_offset;
}

const std::map<std::string, std::string>& SafetensorsFile::metadata() const {
    return impl_->header.metadata;
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

/// The order in which safetensors' own writer puts element types (0.7).
std::size_t place_of_dtype(std::string_view dtype) {
    static constexpr std::string_view kOrder[] = {"U64",     "I64",     "F64", "C64", "F32", "U32",
                                                  "I32",     "BF16",    "F16", "U16", "I16", "F8_E8M0",
                                                  "F8_E4M3", "F8_E5M2", "I8",  "U8",  "BOOL"};
    return static_cast<std::size_t>(std::find(std::begin(kOrder), std::end(kOrder), dtype) - std::begin(kOrder));
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
    std::string text = json_text(header);
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
    // Descending element size keeps every tensor aligned to its elements; the order within a size is the original's.
    std::sort(order.begin(), order.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        const std::size_t place_a = place_of_dtype(a->dtype), place_b = place_of_dtype(b->dtype);
        return place_a != place_b ? place_a < place_b : a->name < b->name;
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
