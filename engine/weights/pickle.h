#pragma once
// A restricted unpickler: protocols 2 to 5, and a closed table of the names that torch.save of tensors and the metadata of
// torch.distributed.checkpoint need (pickle_globals.cpp). Nothing is ever called: a known name becomes a value of ours, any other
// name is a refusal that says which one it was. There is no fallback. Work and memory are bounded by the size of the text and by
// the limits below; nesting costs no stack. Format: Python's pickletools.

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
    long_integer,  ///< more than 64 bits: Object::text has them, little-endian two's complement
    real,
    text,   ///< UTF-8
    bytes,  ///< bytes, bytearray
    list,
    tuple,
    dict,  ///< dict, OrderedDict: keys and values in turn
    set,
    size,     ///< torch.Size
    dtype,    ///< Object::type
    device,   ///< Object::text; items are its constructor's arguments
    storage,  ///< Object::text is its key, type its dtype (empty: bytes without type), number its elements
    tensor,
    record,  ///< of a known class (Object::type): items are its constructor's arguments and its state; number: the global called
    name,  ///< a known global that is not a value by itself
};

struct Object;

/// What stands on the unpickler's stack. Small kinds are here, the others in an Object.
struct Value {
    Kind kind = Kind::none;
    union {
        bool boolean;
        std::int64_t integer = 0;  ///< kind integer; of kind name: position in the table
        double real;
        Object* object;
    };

    /// Items of a list, tuple, size, set or dict; empty for any other kind.
    std::span<const Value> items() const;
    /// The text; empty for any other kind.
    std::string_view text() const;
};

/// A tensor as the pickle describes it. Nothing is checked against its storage here.
struct TensorPart {
    std::string_view dtype;           ///< torch's name: "float32"
    const Object* storage = nullptr;  ///< kind storage
    std::int64_t offset = 0;          ///< elements
    std::vector<std::int64_t> shape, strides;
};

struct Object {
    Kind kind = Kind::none;
    std::string_view text;  ///< points into the pickle, or into the Pickle's own texts
    std::string_view type;
    std::int64_t number = 0;
    std::vector<Value> items;
    std::unique_ptr<TensorPart> tensor;
};

struct PickleLimits {
    std::size_t bytes = 256u << 20;
    std::size_t objects = 8'000'000;
    std::size_t marks = 1000;  ///< containers under construction at once
    /// Bytes copied in making sets, dictionaries or bytes of other values; a short text could ask for it again and again.
    std::size_t copied = 64u << 20;
};

/// One unpickled object and everything it holds.
class Pickle {
  public:
    /// Reads one pickle from the start of `bytes`, which must outlive the object. `where` names it in errors. Throws UserError.
    Pickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits = {});

    const Value& root() const { return root_; }
    /// Bytes up to and including its STOP.
    std::size_t size() const { return size_; }
    /// All tensors, in the order of the text.
    const std::vector<const Object*>& tensors() const { return tensors_; }

  private:
    friend class Unpickler;
    std::deque<Object> objects_;
    std::deque<std::string> texts_;
    std::vector<const Object*> tensors_;
    Value root_;
    std::size_t size_ = 0;
};

/// Value of a text key in a dict; of several the last, as in Python. nullptr when there is none.
const Value* find(const Value& dict, std::string_view key);
/// A field of a record whose state is a dict of at most 100 fields. nullptr when there is none.
const Value* field(const Value& record, std::string_view name);
/// Bytes of an element of a torch dtype ("float32"); 0 when unknown.
std::size_t element_size(std::string_view torch_dtype);
/// The dtype's name in safetensors ("F32"); empty when it has none.
std::string safetensors_dtype(std::string_view torch_dtype);
/// The other way round; empty when torch has none.
std::string torch_dtype(std::string_view safetensors_dtype);

}  // namespace trainyard::weights
