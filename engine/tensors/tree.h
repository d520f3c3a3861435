#pragma once
// Nested containers of tensors: what a batch, the argument of a collective and a state dictionary are. The kinds are those of the
// Python objects that torch.save and Accelerate pass around (None, bool, int, float, str, Tensor, list, tuple, dict), so that a state
// read from their files and one written for them need no other type.

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

/// Key of a dictionary: text, or a whole number (torch's optimizer state counts its parameters).
using TreeKey = std::variant<std::string, std::int64_t>;
std::string to_string(const TreeKey& key);

class Tree {
  public:
    struct Entry;
    using List = std::vector<Tree>;
    using Dict = std::vector<Entry>;  ///< in the order of insertion; keys are different from each other
    /// A Python object of a type that Tree lacks (NumPy array, bytes, an integer of more than 64 bits, a set); it is kept as pickled so that it
    /// can be written back.
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
    // Not default arguments: those would need Entry while it is incomplete (clang).
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

    /// The value as that kind. Throws UserError naming both kinds when it is another; as_real() takes integers too.
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

    /// Value of a dictionary's key; nullptr when it has none or this is no dictionary.
    const Tree* find(const TreeKey& key) const;
    Tree* find(const TreeKey& key);
    /// The same, throwing UserError that names the missing key.
    const Tree& at(const TreeKey& key) const;
    /// Adds or replaces. None becomes a dictionary.
    void set(const TreeKey& key, Tree value);
    void append(Tree value);  ///< to a list or tuple; None becomes a list

    /// The same nest with every tensor replaced by `change(tensor)`.
    Tree map_tensors(const std::function<at::Tensor(const at::Tensor&)>& change) const;
    /// Visits every tensor, depth first; `path` is e.g. "batch.input_ids" or "[0].labels".
    void for_each_tensor(const std::function<void(const std::string& path, const at::Tensor&)>& visit) const;

    /// Visits everything that is no container, in the same order.
    void for_each_leaf(const std::function<void(const std::string& path, const Tree& leaf)>& visit) const;
    /// Kinds without values: "{ids: Tensor, scores: (Tensor, float), texts: [str, str]}".
    std::string structure() const;

    /// Same kinds, keys in any order; floats and tensors equal in dtype, shape and every bit (a NaN equals itself).
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

// Behind Entry, which the destructor of a value needs.
inline Tree::Tree(bool value) : value_(value) {}
inline Tree::Tree(int value) : value_(static_cast<std::int64_t>(value)) {}
inline Tree::Tree(std::int64_t value) : value_(value) {}
inline Tree::Tree(double value) : value_(value) {}
inline Tree::Tree(const char* value) : value_(std::string(value)) {}
inline Tree::Tree(std::string value) : value_(std::move(value)) {}
inline Tree::Tree(at::Tensor value) : value_(std::move(value)) {}
inline Tree::Tree(PickledObject value) : value_(std::move(value)) {}

/// Something whose state a checkpoint keeps, under torch's two names.
class Stateful {
  public:
    virtual ~Stateful() = default;
    virtual Tree state_dict() const = 0;
    /// Throws UserError naming the key that is missing or of another kind; then nothing has changed.
    virtual void load_state_dict(const Tree& state) = 0;
};

/// Parameters or buffers of a model, in the model's order, under the names of its state dictionary.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

}  // namespace trainyard
