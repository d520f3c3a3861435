// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/torch_archive.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>

#include "base/error.h"
#include "base/files/file_writer.h"
#include "base/files/zip_writer.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/pickle_writer.h"
#include "formats/weights/torch_file.h"

namespace trainyard::checkpoint {

namespace {

using weights::Kind;
using weights::Value;

constexpr int kDeepest = 100;

/// The trees of a file, and the storages they share.
class TreeReader {
  public:
    TreeReader(const std::filesystem::path& path, bool trusted)
        : TreeReader(std::make_shared<weights::TorchFile>(path), path.string(), trusted) {}
    TreeReader(std::shared_ptr<weights::TorchFile> file, std::string where, bool trusted)
        : file_(std::move(file)),
          where_(std::move(where)),
          trusted_(trusted),
          // Values that are remembered and used again make a tree larger than its text, but not by orders.
          left_(1000 + 8 * file_->pickle().size()) {}

    Tree read() { return tree(file_->root(), "", 0); }

  private:
    [[noreturn]] void fail(const std::string& place, const Message& what) const {
        throw place.empty() ? UserError("{} {}", where_, what) : UserError("{}: '{}' {}", where_, place, what);
    }

    Tree tree(const Value& value, const std::string& place, int depth) {
        if (depth > kDeepest)
            fail(place.substr(0, 60) + "...", Message("is nested more than {} deep", kDeepest));
        if (left_-- == 0)
            fail("", "repeats its objects without end");
        switch (value.kind) {
            case Kind::none:
                return {};
            case Kind::boolean:
                return value.boolean;
            case Kind::integer:
                return value.integer;
            case Kind::real:
                return value.real;
            case Kind::text:
                return std::string(value.text());
            case Kind::tensor:
                return tensor(value.object);
            case Kind::list:
                return Tree::list(items(value, place, depth));
            case Kind::tuple:
            case Kind::size:
                return Tree::tuple(items(value, place, depth));
            case Kind::dict:
                return dict(value, place, depth);
            default:
                return foreign(value, place);
        }
    }

    Tree::List items(const Value& value, const std::string& place, int depth) {
        Tree::List list;
        for (std::size_t i = 0; i < value.items().size(); ++i)
            list.push_back(tree(value.items()[i], place + "[" + std::to_string(i) + "]", depth + 1));
        return list;
    }

    Tree dict(const Value& value, const std::string& place, int depth) {
        Tree::Dict entries;
        std::unordered_map<std::string, std::size_t> positions;
        std::span<const Value> items = value.items();
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            const Value& key = items[i];
            if (key.kind != Kind::text && key.kind != Kind::integer)
                return foreign(value, place);
            TreeKey name = key.kind == Kind::text ? TreeKey(std::string(key.text())) : TreeKey(key.integer);
            std::string shown = to_string(name);
            Tree entry = tree(items[i + 1], place.empty() ? shown : place + "." + shown, depth + 1);
            // As in Python a key that comes again changes the value, not the place.
            auto [found, is_new] = positions.emplace((key.kind == Kind::text ? "t" : "i") + shown, entries.size());
            if (is_new)
                entries.push_back({std::move(name), std::move(entry)});
            else
                entries[found->second].value = std::move(entry);
        }
        return Tree::dict(std::move(entries));
    }

    Tree foreign(const Value& value, const std::string& place) {
        weights::PickleWriter writer;
        writer.value(value, where_ + (place.empty() ? "" : ": '" + place + "'"));
        std::size_t size = writer.instructions().size() / 64;
        if (size > left_)
            fail("", "repeats its objects without end");
        left_ -= size;
        return Tree::PickledObject{type_of(value), writer.instructions()};
    }

    static std::string type_of(const Value& value) {
        switch (value.kind) {
            case Kind::bytes:
                return "bytes";
            case Kind::long_integer:
                return "int";
            case Kind::set:
                return "set";
            case Kind::dict:
                return "dict";
            case Kind::dtype:
                return "torch.dtype";
            case Kind::device:
                return "torch.device";
            default:
                return std::string(value.object->type);
        }
    }

    at::Tensor tensor(const weights::Object* object) {
        auto known = tensors_.find(object);
        if (known != tensors_.end())
            return known->second;
        const weights::TensorPart& part = *object->tensor;
        auto dtype = dtype_of_name(part.dtype);
        if (!dtype)
            fail("", Message("holds a tensor of the unknown type {}", part.dtype));
        at::NoGradGuard no_grad;
        at::Tensor result = at::empty({0}, at::TensorOptions().dtype(*dtype));
        std::int64_t size = weights::element_count(part.shape).value_or(0);
        if (size == 0)
            result.resize_(part.shape);
        else
            result.set_(storage(part), part.offset, part.shape, part.strides);
        return tensors_.emplace(object, std::move(result)).first->second;
    }

    c10::Storage storage(const weights::TensorPart& part) {
        auto known = storages_.find(part.storage->text);
        if (known != storages_.end())
            return known->second;
        std::span<const std::byte> bytes = file_->storage_bytes(part, trusted_);
        c10::DataPtr data;
        constexpr std::uintptr_t kLargestElement = 16;
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kLargestElement == 0) {
            auto* keep = new std::shared_ptr<weights::TorchFile>(file_);
            data = c10::DataPtr(
                const_cast<std::byte*>(bytes.data()), keep,
                [](void* context) { delete static_cast<std::shared_ptr<weights::TorchFile>*>(context); }, at::kCPU);
        } else {  // files before torch 1.6 put storages anywhere
            data = c10::GetCPUAllocator()->allocate(bytes.size());
            std::memcpy(data.get(), bytes.data(), bytes.size());
        }
        c10::Storage made(c10::Storage::use_byte_size_t(), bytes.size(), std::move(data), nullptr, false);
        return storages_.emplace(std::string(part.storage->text), std::move(made)).first->second;
    }

    std::shared_ptr<weights::TorchFile> file_;
    std::string where_;
    bool trusted_;
    std::size_t left_;
    std::map<std::string, c10::Storage, std::less<>> storages_;
    std::unordered_map<const weights::Object*, at::Tensor> tensors_;
};

/// Bytes that tensors reach in one piece of memory; pieces that overlap are one storage of the file.
struct Piece {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    std::size_t first{};  ///< of the tree's tensors in it
    std::string key{};
};

Piece reach(const at::Tensor& tensor) {
    if (tensor.numel() == 0)
        return {};
    std::int64_t last = 0;
    for (std::int64_t d = 0; d < tensor.dim(); ++d)
        last += (tensor.size(d) - 1) * tensor.stride(d);
    const auto* begin = static_cast<const std::byte*>(tensor.const_data_ptr());
    return {begin, begin + (static_cast<std::size_t>(last) + 1) * tensor.element_size()};
}

class TreeWriter {
  public:
    explicit TreeWriter(const std::string& where) : where_(where) {}

    std::string pickle(const Tree& tree) {
        collect(tree);
        join();
        write(tree);
        return out_.finish();
    }
    /// In the order of their keys.
    std::vector<Piece> pieces() const {
        std::vector<Piece> pieces = pieces_;
        std::ranges::sort(pieces, {}, &Piece::first);
        return pieces;
    }

  private:
    void collect(const Tree& tree) {
        tree.for_each_tensor([&](const std::string& path, const at::Tensor& tensor) {
            if (!tensor.defined() || !tensor.device().is_cpu() || tensor.layout() != at::kStrided)
                throw UserError("{}: '{}' is not a dense tensor in CPU memory", where_, path);
            if (Piece piece = reach(tensor); piece.begin != nullptr) {
                piece.first = pieces_.size();
                pieces_.push_back(piece);
            }
        });
    }

    /// Merges overlapping pieces, keeps the element type's alignment, and numbers the pieces in the order of the tree:
    /// equal content produces equal bytes, whatever its addresses in memory.
    void join() {
        std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
        std::vector<Piece> joined;
        for (const Piece& piece : pieces_) {
            if (!joined.empty() && piece.begin < joined.back().end) {
                joined.back().end = std::max(joined.back().end, piece.end);
                joined.back().first = std::min(joined.back().first, piece.first);
            } else {
                joined.push_back(piece);
            }
        }
        std::vector<Piece*> in_order;
        for (Piece& piece : joined)
            in_order.push_back(&piece);
        std::ranges::sort(in_order, {}, [](const Piece* piece) { return piece->first; });
        for (std::size_t i = 0; i < in_order.size(); ++i)
            in_order[i]->key = std::to_string(i);
        pieces_ = std::move(joined);
    }

    void write(const Tree& tree) {
        if (tree.is_none())
            out_.none();
        else if (tree.is_bool())
            out_.boolean(tree.as_bool());
        else if (tree.is_integer())
            out_.integer(tree.as_integer());
        else if (tree.is_real())
            out_.real(tree.as_real());
        else if (tree.is_text())
            out_.text(tree.as_text());
        else if (tree.is_pickled_object())
            out_.again(tree.as_pickled_object().pickle);
        else if (tree.is_tensor())
            write_tensor(tree.as_tensor());
        else
            write_container(tree);
    }

    void write_container(const Tree& tree) {
        if (tree.is_dict()) {
            out_.begin_dict();
            for (const Tree::Entry& entry : tree.entries()) {
                if (const auto* text = std::get_if<std::string>(&entry.key))
                    out_.text(*text);
                else
                    out_.integer(std::get<std::int64_t>(entry.key));
                write(entry.value);
            }
            return out_.end_dict();
        }
        tree.is_list() ? out_.begin_list() : out_.begin_tuple();
        for (const Tree& item : tree.items())
            write(item);
        tree.is_list() ? out_.end_list() : out_.end_tuple();
    }

    void write_tensor(const at::Tensor& tensor) {
        weights::TensorToPickle part{.dtype = dtype_name(tensor.scalar_type()),
                                     .storage = kEmpty,
                                     .storage_elements = 0,
                                     .offset = 0,
                                     .shape = tensor.sizes(),
                                     .strides = tensor.strides()};
        if (tensor.numel() > 0) {
            const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
            auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), data,
                                          [](const std::byte* at, const Piece& p) { return at < p.begin; });
            --piece;
            auto element = static_cast<std::int64_t>(tensor.element_size());
            part.storage = piece->key;
            part.storage_elements = (piece->end - piece->begin) / element;
            part.offset = (data - piece->begin) / element;
            if ((data - piece->begin) % element != 0)
                throw UserError(
                    "{}: two tensors of different types share memory in a way that no "
                    "file can hold",
                    where_);
        } else {
            has_empty_ = true;
        }
        out_.tensor(part);
    }

  public:
    static constexpr const char* kEmpty = "none";  ///< key of the storage of tensors without elements
    bool has_empty() const { return has_empty_; }

  private:
    const std::string& where_;
    weights::PickleWriter out_;
    std::vector<Piece> pieces_;
    bool has_empty_ = false;
};

std::string serialization_id(const std::string& pickle) {
    // torch's is a hash of the content, too: twenty digits of the pickle's and twenty of the number of its bytes.
    std::string digits = std::to_string(std::hash<std::string>{}(pickle));
    std::string size = std::to_string(pickle.size());
    return std::string(20 - std::min<std::size_t>(20, digits.size()), '0') + digits.substr(0, 20) +
           std::string(20 - size.size(), '0') + size;
}

}  // namespace

Tree read_torch_file(const std::filesystem::path& path, bool trusted) {
    return TreeReader(path, trusted).read();
}

Tree read_torch_bytes(std::span<const std::byte> bytes, const std::string& where) {
    return TreeReader(std::make_shared<weights::TorchFile>(bytes, where), where, false)
        .read()
        .map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });
}

namespace {

/// The pickle and the pieces of memory of an archive.
struct Archive {
    TreeWriter writer;
    std::string pickle;
    std::vector<Piece> pieces;

    Archive(const Tree& tree, const std::string& where)
        : writer(where), pickle(writer.pickle(tree)), pieces(writer.pieces()) {}

    std::uint64_t size_limit() const {
        std::vector<std::uint64_t> sizes{pickle.size(), 100};
        for (const Piece& piece : pieces)
            sizes.push_back(static_cast<std::uint64_t>(piece.end - piece.begin));
        return files::ZipWriter::size_limit(sizes);
    }
    void write(files::ZipWriter& zip) const {
        zip.add("data.pkl", pickle);
        zip.add(".format_version", "1");
        zip.add(".storage_alignment", "64");
        zip.add("byteorder", "little");
        for (const Piece& piece : pieces)
            zip.add("data/" + piece.key, std::span(piece.begin, piece.end));
        if (writer.has_empty())
            zip.add(std::string("data/") + TreeWriter::kEmpty, "");
        zip.add("version", "3\n");
        zip.add(".data/serialization_id", serialization_id(pickle));
        zip.finish();
    }
};

}  // namespace

std::string torch_bytes(const Tree& tree, const std::string& where) {
    std::string text;
    files::ZipWriter zip([&text](std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    Archive(tree, where).write(zip);
    return text;
}

files::WrittenFile write_torch_file(const std::filesystem::path& path, const Tree& tree, bool sync_folder) {
    const std::string where = path.string();
    const Archive archive(tree, where);
    files::FileWriter file(path, archive.size_limit());
    files::ZipWriter zip(file);
    archive.write(zip);
    return file.finish(sync_folder);
}

}  // namespace trainyard::checkpoint
