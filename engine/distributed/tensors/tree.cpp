// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace trainyard {

namespace {

[[noreturn]] void wrong_kind(const char* wanted, const Tree& tree) {
    throw UserError("expected {}, found {}", wanted, tree.kind());
}

void visit_leaves(const Tree& tree, const std::string& path,
                  const std::function<void(const std::string&, const Tree&)>& visit) {
    if (tree.is_list() || tree.is_tuple()) {
        for (std::size_t i = 0; i < tree.items().size(); ++i)
            visit_leaves(tree.items()[i], path + "[" + std::to_string(i) + "]", visit);
    } else if (tree.is_dict()) {
        for (const Tree::Entry& entry : tree.entries())
            visit_leaves(entry.value, path.empty() ? to_string(entry.key) : path + "." + to_string(entry.key), visit);
    } else {
        visit(path, tree);
    }
}

bool same_tensor(const at::Tensor& a, const at::Tensor& b) {
    if (!a.defined() || !b.defined())
        return a.defined() == b.defined();
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes())
        return false;
    auto plain = [](const at::Tensor& tensor) {
        return tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
    };
    at::Tensor left = plain(a), right = plain(b);
    return left.numel() == 0 || std::memcmp(left.const_data_ptr(), right.const_data_ptr(), left.nbytes()) == 0;
}

}  // namespace

std::string to_string(const TreeKey& key) {
    return std::holds_alternative<std::string>(key) ? std::get<std::string>(key)
                                                    : std::to_string(std::get<std::int64_t>(key));
}

Tree Tree::list() {
    return list(List{});
}

Tree Tree::list(List items) {
    Tree tree;
    tree.value_ = std::move(items);
    return tree;
}

Tree Tree::tuple() {
    return tuple(List{});
}

Tree Tree::tuple(List items) {
    Tree tree;
    tree.value_ = Items{std::move(items)};
    return tree;
}

Tree Tree::dict() {
    return dict(Dict{});
}

Tree Tree::dict(std::initializer_list<Entry> entries) {
    return dict(Dict(entries));
}

Tree Tree::dict(Dict entries) {
    Tree tree;
    tree.value_ = std::move(entries);
    return tree;
}

const char* Tree::kind() const {
    static constexpr std::array kNames{"None",   "bool", "int",   "float", "str",
                                       "Tensor", "list", "tuple", "dict",  "object"};
    return kNames[value_.index()];
}

bool Tree::as_bool() const {
    if (!is_bool())
        wrong_kind("bool", *this);
    return std::get<bool>(value_);
}

std::int64_t Tree::as_integer() const {
    if (!is_integer())
        wrong_kind("int", *this);
    return std::get<std::int64_t>(value_);
}

double Tree::as_real() const {
    if (is_integer())
        return static_cast<double>(std::get<std::int64_t>(value_));
    if (!is_real())
        wrong_kind("float", *this);
    return std::get<double>(value_);
}

const std::string& Tree::as_text() const {
    if (!is_text())
        wrong_kind("str", *this);
    return std::get<std::string>(value_);
}

const at::Tensor& Tree::as_tensor() const {
    if (!is_tensor())
        wrong_kind("Tensor", *this);
    return std::get<at::Tensor>(value_);
}

const Tree::PickledObject& Tree::as_pickled_object() const {
    if (!is_pickled_object())
        wrong_kind("object", *this);
    return std::get<PickledObject>(value_);
}

const Tree::List& Tree::items() const {
    if (is_list())
        return std::get<List>(value_);
    if (is_tuple())
        return std::get<Items>(value_).items;
    wrong_kind("list or tuple", *this);
}

Tree::List& Tree::items() {
    return const_cast<List&>(std::as_const(*this).items());
}

const Tree::Dict& Tree::entries() const {
    if (!is_dict())
        wrong_kind("dict", *this);
    return std::get<Dict>(value_);
}

Tree::Dict& Tree::entries() {
    return const_cast<Dict&>(std::as_const(*this).entries());
}

const Tree* Tree::find(const TreeKey& key) const {
    if (!is_dict())
        return nullptr;
    const Dict& dictionary = std::get<Dict>(value_);
    auto found =
        std::find_if(dictionary.begin(), dictionary.end(), [&](const Entry& entry) { return entry.key == key; });
    return found == dictionary.end() ? nullptr : &found->value;
}

Tree* Tree::find(const TreeKey& key) {
    return const_cast<Tree*>(std::as_const(*this).find(key));
}

const Tree& Tree::at(const TreeKey& key) const {
    if (!is_dict())
        wrong_kind("dict", *this);
    const Tree* value = find(key);
    if (value == nullptr)
        throw UserError("the key '{}' is missing", to_string(key));
    return *value;
}

void Tree::set(const TreeKey& key, Tree value) {
    if (is_none())
        value_ = Dict();
    if (Tree* old = find(key))
        *old = std::move(value);
    else
        entries().push_back({key, std::move(value)});
}

void Tree::append(Tree value) {
    if (is_none())
        value_ = List();
    items().push_back(std::move(value));
}

Tree Tree::map_tensors(const std::function<at::Tensor(const at::Tensor&)>& change) const {
    if (is_tensor())
        return Tree(change(as_tensor()));
    Tree copy = *this;
    if (is_list() || is_tuple()) {
        for (Tree& item : copy.items())
            item = item.map_tensors(change);
    } else if (is_dict()) {
        for (Entry& entry : copy.entries())
            entry.value = entry.value.map_tensors(change);
    }
    return copy;
}

void Tree::for_each_tensor(const std::function<void(const std::string&, const at::Tensor&)>& visit) const {
    for_each_leaf([&](const std::string& path, const Tree& leaf) {
        if (leaf.is_tensor())
            visit(path, leaf.as_tensor());
    });
}

void Tree::for_each_leaf(const std::function<void(const std::string&, const Tree&)>& visit) const {
    visit_leaves(*this, {}, visit);
}

std::string Tree::structure() const {
    if (is_dict()) {
        std::string text;
        for (const Entry& entry : entries())
            text += (text.empty() ? "" : ", ") + to_string(entry.key) + ": " + entry.value.structure();
        return "{" + text + "}";
    }
    if (is_list() || is_tuple()) {
        std::string text;
        for (const Tree& item : items())
            text += (text.empty() ? "" : ", ") + item.structure();
        return is_list() ? "[" + text + "]" : "(" + text + ")";
    }
    return kind();
}

bool Tree::operator==(const Tree& other) const {
    if (value_.index() != other.value_.index())
        return false;
    if (is_tensor())
        return same_tensor(as_tensor(), other.as_tensor());
    if (is_list() || is_tuple())
        return items() == other.items();
    if (is_dict()) {
        if (entries().size() != other.entries().size())
            return false;
        return std::all_of(entries().begin(), entries().end(), [&](const Entry& entry) {
            const Tree* twin = other.find(entry.key);
            return twin != nullptr && *twin == entry.value;
        });
    }
    if (is_bool())
        return as_bool() == other.as_bool();
    if (is_integer())
        return as_integer() == other.as_integer();
    if (is_pickled_object())
        return as_pickled_object() == other.as_pickled_object();
    if (is_real())
        return std::bit_cast<std::uint64_t>(as_real()) == std::bit_cast<std::uint64_t>(other.as_real());
    return !is_text() || as_text() == other.as_text();
}

}  // namespace trainyard
