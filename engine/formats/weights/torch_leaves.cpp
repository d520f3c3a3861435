// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/torch_leaves.h"

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::weights {

namespace {

constexpr std::size_t kDeepestTable = 8, kMostLeaves = 500'000;
constexpr std::size_t kMostNames = 64u << 20;  ///< bytes: one key may be used many times

std::string leaf_key(const Value& key) {
    return key.kind == Kind::text      ? std::string(key.text())
           : key.kind == Kind::integer ? std::to_string(key.integer)
                                       : "?";
}

bool is_sequence(const Value& value) {
    return value.kind == Kind::list || value.kind == Kind::tuple;
}

bool holds_tables(const Value& value) {
    for (const Value& item : value.items())
        if (item.kind == Kind::tensor || item.kind == Kind::dict || is_sequence(item))
            return true;
    return false;
}

class LeafWalk {
  public:
    LeafWalk(TorchLeaves& found, const std::string& where) : found_(found), where_(where) {}

    void walk(const Value& value) {
        if (value.kind == Kind::dict && path_.size() < kDeepestTable && !value.items().empty()) {
            const std::span<const Value> items = value.items();
            for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
                path_.push_back(leaf_key(items[i]));
                walk(items[i + 1]);
                path_.pop_back();
            }
        } else if (is_sequence(value) && path_.size() < kDeepestTable && holds_tables(value)) {
            for (std::size_t i = 0; i < value.items().size(); ++i) {
                path_.push_back(std::to_string(i));
                walk(value.items()[i]);
                path_.pop_back();
            }
        } else {
            add(value);
        }
    }

  private:
    void add(const Value& value) {
        for (const std::string& key : path_)
            names_ += key.size();
        if (found_.leaves.size() >= kMostLeaves || names_ > kMostNames)
            throw UserError("{} has more than {} values", where_, kMostLeaves);
        const TensorPart* tensor = value.kind == Kind::tensor ? value.object->tensor.get() : nullptr;
        found_.leaves.push_back(
            {path_, tensor != nullptr,
             tensor == nullptr ? 0 : static_cast<std::uint64_t>(element_count(tensor->shape).value_or(0))});
        found_.tensors.push_back(tensor);
        found_.values.push_back(&value);
    }

    TorchLeaves& found_;
    const std::string& where_;
    std::vector<std::string> path_;
    std::size_t names_ = 0;
};

}  // namespace

TorchLeaves leaves_of(const TorchFile& file) {
    TorchLeaves found;
    LeafWalk(found, file.where()).walk(file.root());
    return found;
}

}  // namespace trainyard::weights
