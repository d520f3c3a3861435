// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Nested containers of tensors (torch's "pytree"): batches, arguments of collectives, state dictionaries. The kinds are
// those of the Python objects that torch.save and Accelerate use (None, bool, int, float, str, Tensor, list, tuple,
// dict), so state that is read from or written for their files needs no other type.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard {

/// Key of a dictionary: text or an integer (torch's optimizer state numbers the parameters).
using TreeKey = std::variant<std::string, std::int64_t>;
std::string to_string(const TreeKey& key);

class Tree {
  public:
    struct Entry;
    using List = std::vector<Tree>;
    using Dict = std::vector<Entry>;  ///< in the order of insertion; keys are unique
    /// A Python object of a type that Tree lacks (NumPy array, bytes, an integer of more than 64 bits, a set), kept as
    /// its pickle so that it can be written again.
    struct PickledObject {
        std::string type;    ///< "numpy.ndarray", "bytes", ...
        std::string pickle;  ///< protocol 2 opcodes that build it, without PROTO and STOP, without memo
        bool operator==(const PickledObject&) const = default;
    };

    Tree() = default;  ///< None
    Tree(bool value);
    Tree(int value);
    Tree(std::int64_t value);
    Tree(double value);
    Tree(const char* value);
    Tree(std::string value);
    Tree(at::Tensor value);
    Tree(PickledObject value);
    // Overloads instead of default arguments: those would need Entry while it is incomplete (clang).
    static Tree list();
    static Tree list(List items);
    static Tree tuple();
    static Tree tuple(List items);
    static Tree dict();
    static Tree dict(std::initializer_list<Entry> entries);
    static Tree dict(Dict entries);

    bool is_none() const { return std::holds_alternative<std::monostate>(value_); }
    bool is_tensor() const { return std::holds_alternative<at::Tensor>(value_); }
    bool is_list() const { return std::holds_alternative<List>(value_); }
    bool is_tuple() const { return std::holds_alternative<Items>(value_); }
    bool is_dict() const { return std::holds_alternative<Dict>(value_); }
    bool is_bool() const { return std::holds_alternative<bool>(value_); }
    bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
    bool is_real() const { return std::holds_alternative<double>(value_); }
    bool is_text() const { return std::holds_alternative<std::string>(value_); }
    bool is_pickled_object() const { return std::holds_alternative<PickledObject>(value_); }
    /// "None", "bool", "int", "float", "str", "Tensor", "list", "tuple", "dict", "object"
    const char* kind() const;

    /// The value as that kind. Throws UserError with both kinds if it has another kind; as_real() also accepts
    /// integers.
    bool as_bool() const;
    std::int64_t as_integer() const;
    double as_real() const;
    const std::string& as_text() const;
    const at::Tensor& as_tensor() const;
    const PickledObject& as_pickled_object() const;
    /// Items of a list or tuple.
    const List& items() const;
    List& items();
    const Dict& entries() const;
    Dict& entries();

    /// The value of a key; nullptr if it is missing or this is not a dictionary.
    const Tree* find(const TreeKey& key) const;
    Tree* find(const TreeKey& key);
    /// The same, but throws UserError with the name of a missing key.
    const Tree& at(const TreeKey& key) const;
    /// Adds or replaces a value. None becomes a dictionary.
    void set(const TreeKey& key, Tree value);
    void append(Tree value);  ///< to a list or tuple; None becomes a list

    /// A copy with every tensor replaced by `change(tensor)`.
    Tree map_tensors(const std::function<at::Tensor(const at::Tensor&)>& change) const;
    /// Visits every tensor, depth first; `path` is e.g. "batch.input_ids" or "[0].labels".
    void for_each_tensor(const std::function<void(const std::string& path, const at::Tensor&)>& visit) const;

    /// Visits everything that is not a container, in the same order.
    void for_each_leaf(const std::function<void(const std::string& path, const Tree& leaf)>& visit) const;
    /// The kinds without values: "{ids: Tensor, scores: (Tensor, float), texts: [str, str]}".
    std::string structure() const;

    /// Equal kinds, keys in any order; numbers and tensors are compared by dtype, shape and every bit (so a NaN equals
    /// itself).
    bool operator==(const Tree& other) const;

  private:
    struct Items {
        List items;
    };
    std::variant<std::monostate, bool, std::int64_t, double, std::string, at::Tensor, List, Items, Dict, PickledObject>
        value_;
};

struct Tree::Entry {
    TreeKey key;
    Tree value;
};

// Defined after Entry, which the destructor of a value needs.
inline Tree::Tree(bool value) : value_(value) {}
inline Tree::Tree(int value) : value_(static_cast<std::int64_t>(value)) {}
inline Tree::Tree(std::int64_t value) : value_(value) {}
inline Tree::Tree(double value) : value_(value) {}
inline Tree::Tree(const char* value) : value_(std::string(value)) {}
inline Tree::Tree(std::string value) : value_(std::move(value)) {}
inline Tree::Tree(at::Tensor value) : value_(std::move(value)) {}
inline Tree::Tree(PickledObject value) : value_(std::move(value)) {}

/// An object whose state is saved in checkpoints, with torch's method names.
class Stateful {
  public:
    virtual ~Stateful() = default;
    virtual Tree state_dict() const = 0;
    /// Throws UserError with the key that is missing or of a wrong kind; then nothing has changed.
    virtual void load_state_dict(const Tree& state) = 0;
};

/// Parameters or buffers, in the model's order, with the names of its state dictionary.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

}  // namespace trainyard
