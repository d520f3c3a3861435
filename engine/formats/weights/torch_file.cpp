// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/torch_file.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/weights/lfs_pointer.h"

namespace trainyard::weights {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kPiece = 4u << 20;  ///< bytes that are gathered at once for tensors that are not contiguous

std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// First pickle of the format before torch 1.6: the integer 0x1950a86a20f9469cfc6c.
constexpr std::string_view kMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);

bool is_contiguous(const TensorPart& tensor) {
    std::int64_t expected = 1;
    for (std::size_t d = tensor.shape.size(); d-- > 0;) {
        if (tensor.shape[d] != 1 && tensor.strides[d] != expected)
            return false;
        expected *= tensor.shape[d];
    }
    return true;
}

}  // namespace

std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) {
    std::int64_t count = 1;
    bool overflow = false;
    for (std::int64_t size : shape) {
        if (size == 0)
            return 0;
        overflow = overflow || size < 0 || __builtin_mul_overflow(count, size, &count);
    }
    return overflow ? std::nullopt : std::optional(count);
}

TorchFile::TorchFile(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {
    open();
}

TorchFile::TorchFile(const std::filesystem::path& path)
    : file_(std::make_unique<files::MappedFile>(path)), bytes_(file_->bytes()), where_(path.string()) {
    open();
}

void TorchFile::open() {
    if (bytes_.empty())
        throw UserError("{} is empty: copy it again", where_);
    refuse_lfs_pointer(bytes_, where_);
    if (files::ZipArchive::begins_like_one(bytes_))
        open_archive();
    else
        open_sequence();
    for (const Object* tensor : pickle_->tensors())
        check(*tensor->tensor);
}

void TorchFile::open_archive() {
    archive_.emplace(bytes_, where_);
    pickle_ = std::make_unique<Pickle>(archive_->read("data.pkl"), where_);
    if (archive_->find("byteorder") != nullptr && as_text(archive_->read("byteorder")) != "little")
        throw UserError(
            "{} holds its numbers with the highest byte first: save it again on a machine of the "
            "usual byte order",
            where_);
    for (const auto& [name, entry] : archive_->entries())
        if (name.starts_with("data/"))
            storages_[name.substr(5)].bytes = entry.bytes;
}

void TorchFile::open_sequence() {
    constexpr auto kProtocol =
        std::byte{0x80};  // the first operation of every pickle since protocol 2, which torch.save has always written
    if (bytes_.front() != kProtocol)
        throw UserError(
            "{} is not a weights file: it begins neither as a ZIP archive nor as a pickle, which torch.save writes",
            where_);
    std::size_t at = 0;
    auto next = [&] {
        auto pickle = std::make_unique<Pickle>(bytes_.subspan(at), where_);
        at += pickle->size();
        return pickle;
    };
    auto magic = next();
    if (magic->root().kind != Kind::long_integer || magic->root().object->text != kMagic)
        throw UserError("{} was not written by torch.save: it is some other pickle", where_);
    auto version = next(), system = next();
    if (version->root().kind != Kind::integer || version->root().integer != 1001)
        throw UserError("{} has a version of torch.save's old format that is unknown", where_);
    if (const Value* little = find(system->root(), "little_endian");
        little == nullptr || little->kind != Kind::boolean || !little->boolean)
        throw UserError(
            "{} holds its numbers with the highest byte first: save it again on a machine of the "
            "usual byte order",
            where_);
    pickle_ = next();
    // The element type of a storage is only known from the tensors that use it.
    std::map<std::string_view, std::size_t> sizes;
    for (const Object* tensor : pickle_->tensors()) {
        const Object& storage = *tensor->tensor->storage;
        sizes[storage.text] = storage.type.empty() ? 1 : element_size(storage.type);
    }
    auto keys = next();
    for (const Value& key : keys->root().items()) {
        auto size = sizes.find(key.text());
        if (key.kind != Kind::text || size == sizes.end())
            throw UserError("{} is damaged: it has a storage that no tensor uses", where_);
        std::uint64_t count = 0, bytes = 0;
        if (bytes_.size() - at < 8)
            throw UserError("{} is cut: the storages of its tensors are missing", where_);
        std::memcpy(&count, bytes_.data() + at, 8);
        at += 8;
        if (__builtin_mul_overflow(count, size->second, &bytes) || bytes > bytes_.size() - at)
            throw UserError("{} is truncated: the storage '{}' ends beyond the file", where_, key.text());
        Storage& storage = storages_[std::string(key.text())];
        storage.bytes = bytes_.subspan(at, bytes);
        storage.verified = true;  // the old format has no checksums
        at += bytes;
    }
}

void TorchFile::check(const TensorPart& tensor) {
    auto fail = [&](const Message& what) { throw UserError("{} is damaged: {}", where_, what); };
    auto found = storages_.find(tensor.storage->text);
    if (found == storages_.end())
        fail(Message("the storage '{}' is missing", tensor.storage->text));
    std::uint64_t element = element_size(tensor.dtype);
    std::uint64_t stored_element = tensor.storage->type.empty() ? 1 : element_size(tensor.storage->type);
    std::uint64_t claimed = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(tensor.storage->number), stored_element, &claimed) ||
        claimed > found->second.bytes.size())
        fail(Message("the storage '{}' has {} bytes where the pickle says {} elements", tensor.storage->text,
                     found->second.bytes.size(), tensor.storage->number));
    auto count = element_count(tensor.shape);
    if (!count)
        fail("the shape of a tensor is too large");
    if (*count == 0)
        return;
    // Checking the last element suffices, because offset and strides are not negative.
    std::uint64_t last = static_cast<std::uint64_t>(tensor.offset), end = 0;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        std::uint64_t reach = 0;
        if (__builtin_mul_overflow(static_cast<std::uint64_t>(tensor.shape[d] - 1),
                                   static_cast<std::uint64_t>(tensor.strides[d]), &reach) ||
            __builtin_add_overflow(last, reach, &last))
            fail("the strides of a tensor are too large");
    }
    if (__builtin_add_overflow(last, std::uint64_t{1}, &end) || __builtin_mul_overflow(end, element, &end) ||
        end > claimed)
        fail(Message("a tensor reaches beyond the end of its storage '{}'", tensor.storage->text));
    // A tensor with stride 0 may be larger than its storage, but real ones are not much larger.
    if (static_cast<std::uint64_t>(*count) > (std::uint64_t{1} << 20) &&
        static_cast<std::uint64_t>(*count) / 1024 > claimed)
        fail("a tensor repeats a few elements without end");
}

const TorchFile::Storage& TorchFile::storage_of(const TensorPart& tensor) const {
    const Storage& storage = storages_.find(tensor.storage->text)->second;
    if (!storage.verified)
        archive_->read("data/" + std::string(tensor.storage->text));
    storage.verified = true;
    return storage;
}

Bytes TorchFile::storage_bytes(const TensorPart& tensor, bool trusted) const {
    return trusted ? storages_.find(tensor.storage->text)->second.bytes : storage_of(tensor).bytes;
}

Bytes TorchFile::contiguous_bytes(const TensorPart& tensor, bool trusted) const {
    const auto count = static_cast<std::size_t>(*element_count(tensor.shape));
    if (count == 0 || !is_contiguous(tensor))
        return {};
    const std::size_t element = element_size(tensor.dtype);
    return storage_bytes(tensor, trusted).subspan(static_cast<std::size_t>(tensor.offset) * element, count * element);
}

void TorchFile::stream(const TensorPart& tensor, const std::function<void(Bytes)>& sink) const {
    std::int64_t count = *element_count(tensor.shape);
    if (count == 0)
        return;
    std::size_t element = element_size(tensor.dtype);
    const std::byte* first = storage_of(tensor).bytes.data() + static_cast<std::size_t>(tensor.offset) * element;
    if (is_contiguous(tensor)) {
        Bytes whole{first, static_cast<std::size_t>(count) * element};
        sink(whole);
        return files::release_pages(whole);
    }
    std::vector<std::byte> piece;
    piece.reserve(kPiece);
    std::vector<std::int64_t> index(tensor.shape.size(), 0);
    for (std::int64_t done = 0; done < count; ++done) {
        std::size_t at = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            at += static_cast<std::size_t>(index[d] * tensor.strides[d]);
        piece.insert(piece.end(), first + at * element, first + (at + 1) * element);
        if (piece.size() + element > kPiece) {
            sink(piece);
            piece.clear();
        }
        for (std::size_t d = index.size(); d-- > 0 && ++index[d] == tensor.shape[d];)
            index[d] = 0;
    }
    sink(piece);
}

}  // namespace trainyard::weights
