// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <type_traits>

#include <ATen/ops/empty.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"

namespace trainyard {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

namespace {

constexpr char kMagic[] = {'T', 'Y', 'T', '1'};
constexpr int kDeepest = 200;
constexpr std::uint32_t kMostDimensions = 64;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;

enum class Kind : std::uint8_t { none, no, yes, integer, real, text, tensor, undefined_tensor, list, tuple, dict };
enum class Key : std::uint8_t { integer, text };

class Writer {
  public:
    void value(const Tree& tree, int depth);
    std::vector<std::uint8_t> bytes{std::begin(kMagic), std::end(kMagic)};

  private:
    void raw(const void* data, std::size_t size) {
        const auto* first = static_cast<const std::uint8_t*>(data);
        bytes.insert(bytes.end(), first, first + size);
    }
    template <typename T>
    requires std::is_trivially_copyable_v<T>
    void number(T value) { raw(&value, sizeof value); }
    void text(const std::string& value) {
        number(static_cast<std::uint64_t>(value.size()));
        raw(value.data(), value.size());
    }
    void tensor(const at::Tensor& value);
};

void Writer::tensor(const at::Tensor& value) {
    std::string type = dtype_name(value.scalar_type());
    if (!dtype_of_name(type))
        throw UserError("tensors of {} cannot be sent as objects: convert them first", type);
    at::Tensor host = value.detach().cpu().resolve_conj().resolve_neg().contiguous();
    number(static_cast<std::uint8_t>(type.size()));
    raw(type.data(), type.size());
    number(static_cast<std::uint32_t>(host.dim()));
    for (std::int64_t size : host.sizes())
        number(size);
    number(static_cast<std::uint64_t>(host.nbytes()));
    raw(host.const_data_ptr(), host.nbytes());
}

void Writer::value(const Tree& tree, int depth) {
    if (depth > kDeepest)
        throw UserError("a nest deeper than {} cannot be sent", kDeepest);
    if (tree.is_none()) {
        number(Kind::none);
    } else if (tree.is_bool()) {
        number(tree.as_bool() ? Kind::yes : Kind::no);
    } else if (tree.is_integer()) {
        number(Kind::integer);
        number(tree.as_integer());
    } else if (tree.is_real()) {
        number(Kind::real);
        number(tree.as_real());
    } else if (tree.is_text()) {
        number(Kind::text);
        text(tree.as_text());
    } else if (tree.is_tensor()) {
        number(tree.as_tensor().defined() ? Kind::tensor : Kind::undefined_tensor);
        if (tree.as_tensor().defined())
            tensor(tree.as_tensor());
    } else if (tree.is_dict()) {
        number(Kind::dict);
        number(static_cast<std::uint64_t>(tree.entries().size()));
        for (const Tree::Entry& entry : tree.entries()) {
            if (const auto* key = std::get_if<std::int64_t>(&entry.key)) {
                number(Key::integer);
                number(*key);
            } else {
                number(Key::text);
                text(std::get<std::string>(entry.key));
            }
            value(entry.value, depth + 1);
        }
    } else {
        number(tree.is_list() ? Kind::list : Kind::tuple);
        number(static_cast<std::uint64_t>(tree.items().size()));
        for (const Tree& item : tree.items())
            value(item, depth + 1);
    }
}

class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    Tree document() {
        if (std::memcmp(take(sizeof kMagic).data(), kMagic, sizeof kMagic) != 0)
            fail("it does not begin with TYT1");
        Tree tree = value(0);
        if (place_ != bytes_.size())
            fail("something follows its end");
        return tree;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UserError("a received object is damaged at byte {}: {}", place_, what);
    }
    std::span<const std::uint8_t> take(std::uint64_t size) {
        if (size > bytes_.size() - place_)
            fail("it is cut off");
        auto part = bytes_.subspan(place_, size);
        place_ += size;
        return part;
    }
    template <typename T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text(std::uint64_t length) {
        auto part = take(length);
        return {part.begin(), part.end()};
    }
    std::uint64_t count() {
        auto count = number<std::uint64_t>();
        if (count > bytes_.size() - place_)  // a value has at least one byte
            fail("it claims more items than it has bytes");
        return count;
    }
    Tree value(int depth);
    at::Tensor tensor();
    Tree::List items(int depth);
    Tree::Dict entries(int depth);

    std::span<const std::uint8_t> bytes_;
    std::size_t place_ = 0;
};

at::Tensor Reader::tensor() {
    std::string name = text(number<std::uint8_t>());
    auto type = dtype_of_name(name);
    if (!type)
        fail("unknown dtype");
    auto dimensions = number<std::uint32_t>();
    if (dimensions > kMostDimensions)
        fail("too many dimensions");
    std::vector<std::int64_t> shape;
    std::uint64_t elements = 1;  // empty dimensions count as 1 until the end: strides are products
    bool empty = false;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        auto size = number<std::int64_t>();
        if (size < 0 || static_cast<std::uint64_t>(size) > kMostElements / elements)
            fail("an impossible shape");
        elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1));
        empty = empty || size == 0;
        shape.push_back(size);
    }
    std::uint64_t expected = empty ? 0 : elements * c10::elementSize(*type);
    auto bytes = number<std::uint64_t>();
    if (bytes != expected)
        fail("its bytes are not those of its shape");
    auto numbers = take(bytes);
    at::Tensor result = at::empty(shape, at::TensorOptions(*type));
    if (bytes > 0)
        std::memcpy(result.mutable_data_ptr(), numbers.data(), bytes);
    return result;
}

Tree::List Reader::items(int depth) {
    std::uint64_t number_of_items = count();
    Tree::List result;
    for (std::uint64_t i = 0; i < number_of_items; ++i)
        result.push_back(value(depth + 1));
    return result;
}

Tree::Dict Reader::entries(int depth) {
    std::uint64_t number_of_entries = count();
    Tree::Dict result;
    std::set<TreeKey> keys;
    for (std::uint64_t i = 0; i < number_of_entries; ++i) {
        TreeKey key;
        switch (number<Key>()) {
            case Key::integer:
                key = number<std::int64_t>();
                break;
            case Key::text:
                key = text(number<std::uint64_t>());
                break;
            default:
                fail("unknown kind of key");
        }
        if (!keys.insert(key).second)
            fail("the same key twice");
        result.push_back({std::move(key), value(depth + 1)});
    }
    return result;
}

Tree Reader::value(int depth) {
    if (depth > kDeepest)
        fail("nested too deep");
    switch (number<Kind>()) {
        case Kind::none:
            return {};
        case Kind::no:
            return false;
        case Kind::yes:
            return true;
        case Kind::integer:
            return number<std::int64_t>();
        case Kind::real:
            return number<double>();
        case Kind::text:
            return text(number<std::uint64_t>());
        case Kind::tensor:
            return tensor();
        case Kind::undefined_tensor:
            return at::Tensor();
        case Kind::list:
            return Tree::list(items(depth));
        case Kind::tuple:
            return Tree::tuple(items(depth));
        case Kind::dict:
            return Tree::dict(entries(depth));
    }
    fail("unknown kind of value");
}

}  // namespace

std::vector<std::uint8_t> to_bytes(const Tree& tree) {
    Writer writer;
    writer.value(tree, 0);
    return std::move(writer.bytes);
}

Tree from_bytes(std::span<const std::uint8_t> bytes) {
    return Reader(bytes).document();
}

}  // namespace trainyard
