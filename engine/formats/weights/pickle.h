// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A restricted unpickler: protocols 2 to 5, and a fixed list of the globals that torch.save of tensors and the metadata
// of torch.distributed.checkpoint need (pickle_globals.cpp). It never calls anything: a known global becomes one of the
// values below; any other is refused with its name. There is no fallback. Work and memory are bounded by the size of
// the pickle and by the limits below; nesting does not use the stack. Format: Python's pickletools.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::weights {

enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,
    long_integer,  ///< more than 64 bits; Object::text has the little-endian two's complement
    real,
    text,   ///< UTF-8
    bytes,  ///< bytes, bytearray
    list,
    tuple,
    dict,  ///< dict, OrderedDict: alternating keys and values
    set,
    size,     ///< torch.Size
    dtype,    ///< Object::type
    device,   ///< Object::text; items are its constructor's arguments
    storage,  ///< Object::text is its key, type its dtype (empty: untyped), number its elements
    tensor,
    record,  ///< of a known class (Object::type): items are the constructor's arguments and the state; number: the global that was called
    name,    ///< a known global that is not a value itself
};

struct Object;

/// An element of the unpickler's stack. Small kinds are stored here, the others in an Object.
struct Value {
    Kind kind = Kind::none;
    union {
        bool boolean;
        std::int64_t integer = 0;  ///< kind integer; for kind name: index in the list of globals
        double real;
        Object* object;
    };

    /// Items of a list, tuple, size, set or dict; empty for all other kinds.
    std::span<const Value> items() const;
    /// The text; empty for all other kinds.
    std::string_view text() const;
};

/// A tensor as the pickle describes it; not yet checked against its storage.
struct TensorPart {
    std::string_view dtype;           ///< torch's name: "float32"
    const Object* storage = nullptr;  ///< kind storage
    std::int64_t offset = 0;          ///< elements
    std::vector<std::int64_t> shape, strides;
};

struct Object {
    Kind kind = Kind::none;
    std::string_view text;  ///< points into the pickle, or into Pickle::texts_
    std::string_view type;
    std::int64_t number = 0;
    std::vector<Value> items;
    std::unique_ptr<TensorPart> tensor;
};

struct PickleLimits {
    std::size_t bytes = 256u << 20;
    std::size_t objects = 8'000'000;
    std::size_t marks = 1000;  ///< nesting depth of open containers
    /// Bytes copied to build sets, dictionaries or bytes from other values; a short pickle could repeat such copies
    /// many times.
    std::size_t copied = 64u << 20;
};

/// An unpickled object and all its parts.
class Pickle {
  public:
    /// Reads one pickle from the start of `bytes`, which must outlive the object. `where` names it in errors. Throws
    /// UserError.
    Pickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits = {});

    const Value& root() const { return root_; }
    /// Bytes up to and including STOP.
    std::size_t size() const { return size_; }
    /// All tensors, in the order in which the pickle builds them.
    const std::vector<const Object*>& tensors() const { return tensors_; }

  private:
    friend class Unpickler;
    std::deque<Object> objects_;
    std::deque<std::string> texts_;
    std::vector<const Object*> tensors_;
    Value root_;
    std::size_t size_ = 0;
};

/// The value of a string key in a dict, the last one if there are several, as in Python; nullptr if there is none.
const Value* find(const Value& dict, std::string_view key);
/// A field of a record whose state is a dict with at most 100 entries; nullptr if there is none.
const Value* field(const Value& record, std::string_view name);
/// Bytes per element of a torch dtype ("float32"); 0 if unknown.
std::size_t element_size(std::string_view torch_dtype);
/// The dtype's name in safetensors ("F32"); empty if it has none.
std::string safetensors_dtype(std::string_view torch_dtype);
/// The inverse; empty if torch has no such dtype.
std::string torch_dtype(std::string_view safetensors_dtype);

}  // namespace trainyard::weights
