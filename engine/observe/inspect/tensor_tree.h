// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors of a checkpoint as a tree of modules with totals, and the filter over their names. Nodes are ranges of
// the sorted tensors and are created when they are expanded, so a million tensors cost nothing before.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/inspect/contents.h"

namespace trainyard::inspect {

class TensorTree {
  public:
    /// All tensors. `contents` must outlive the object.
    explicit TensorTree(const Contents& contents);
    /// Only these (ascending indices of Contents::tensors).
    TensorTree(const Contents& contents, std::vector<std::uint32_t> rows);

    struct Node {
        std::string label;               ///< "layers", "self_attn.q_proj.weight"
        std::size_t begin = 0, end = 0;  ///< positions in rows()
        std::size_t prefix = 0;          ///< bytes of the names that all of them share, up to and with the dot
        bool leaf = false;               ///< one tensor: rows()[begin]
        std::uint64_t bytes = 0;
        std::uint64_t elements = 0;
        std::size_t tensors() const { return end - begin; }
    };
    const std::vector<std::uint32_t>& rows() const { return rows_; }
    /// One node for each section that has tensors.
    std::vector<Node> roots() const;
    /// A module with few tensors has no node of its own: they are shown with the rest of their names. Modules with one
    /// child are joined with it.
    std::vector<Node> children(const Node& node) const;
    /// The type that all tensors of a node have; "mixed" otherwise.
    std::string dtype_of(const Node& node) const;

  private:
    Node make(std::size_t begin, std::size_t end, std::size_t prefix, std::string label) const;
    const std::string& name(std::size_t position) const { return contents_->tensors[rows_[position]].name; }
    std::size_t component_end(std::size_t position, std::size_t from) const;

    const Contents* contents_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint64_t> bytes_, elements_;  ///< sums up to each position
};

/// What a text of the filter asks for: words that are in the name, all of them, in any case; a type ("bf16");
/// `size>1GB`, `size<4kB`; `nan`; `changed`.
struct TensorQuery {
    std::vector<std::string> words;  ///< lower case
    std::vector<std::string> dtypes;
    std::optional<std::uint64_t> larger, smaller;  ///< bytes
    bool nan = false, changed = false;
    bool empty() const { return words.empty() && dtypes.empty() && !larger && !smaller && !nan && !changed; }
};
/// Throws UserError for an invalid size.
TensorQuery parse_query(const std::string& text);

/// Names in one piece of memory, for fast search. Made once for a checkpoint.
class NameIndex {
  public:
    explicit NameIndex(const Contents& contents);
    /// Ascending indices. `has_nan`, `has_changed`: asked for `nan` and `changed`.
    std::vector<std::uint32_t> find(const TensorQuery& query, const std::function<bool(std::uint32_t)>& has_nan = {},
                                    const std::function<bool(std::uint32_t)>& has_changed = {}) const;

  private:
    const Contents* contents_;
    std::string names_;                  ///< lower case, a newline behind each
    std::vector<std::uint32_t> begins_;  ///< of each name
};

/// "model.layers.12.mlp.up_proj.weight" is layer 12, "mlp.up_proj.weight"; nothing where no part of the name is a
/// number.
struct LayerPlace {
    std::int64_t layer = 0;
    std::string kind;
};
std::optional<LayerPlace> layer_of(std::string_view name);

}  // namespace trainyard::inspect
