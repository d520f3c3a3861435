// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes pickles of protocol 2 as torch.save does, readable with torch.load(weights_only=True): only opcodes that its
// restricted unpickler supports, and no memo. Values are written in order; containers are opened and closed.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/weights/pickle.h"

namespace trainyard::weights {

/// A tensor inside an archive.
struct TensorToPickle {
    std::string_view dtype;    ///< torch's name
    std::string_view storage;  ///< key: the archive's entry is "data/<key>"
    std::int64_t storage_elements = 0;
    std::int64_t offset = 0;  ///< elements
    std::span<const std::int64_t> shape, strides;
};

class PickleWriter {
  public:
    PickleWriter() = default;

    void none() { text_ += 'N'; }
    void boolean(bool value) { text_ += value ? '\x88' : '\x89'; }
    void integer(std::int64_t value);
    void real(double value);
    void text(std::string_view value);
    void bytes(std::string_view value);
    void tensor(const TensorToPickle& tensor);
    void begin_list();  ///< items follow
    void end_list();
    void begin_dict();  ///< alternating keys and values follow
    void end_dict();
    void begin_tuple();
    void end_tuple();
    /// Writes an unpickled value with all its parts. Throws UserError (`where`) if it contains tensors, storages or
    /// globals, is nested more than 100 levels deep, or grows far beyond the pickle that it came from.
    void value(const Value& value, const std::string& where);
    /// Writes opcodes that value() produced.
    void again(std::string_view instructions) { text_ += instructions; }

    /// The opcodes so far, without PROTO and STOP.
    const std::string& instructions() const { return text_; }
    /// The complete pickle.
    std::string finish() const { return "\x80\x02" + text_ + "."; }

    void global(std::string_view module, std::string_view name);
    void reduce() { text_ += 'R'; }
    /// An object of a class, without calling its constructor; build() with a dictionary or a tuple, its state, follows.
    void instance(std::string_view module, std::string_view name) {
        global(module, name);
        text_ += ")\x81";
    }
    void build() { text_ += 'b'; }

  private:
    void write(const Value& value, const std::string& where, int depth);

    std::string text_;
};

/// Opcodes that build a one-dimensional NumPy array. `dtype` is NumPy's short name ("u4"), `bytes` the little-endian
/// elements.
std::string numpy_array(std::string_view dtype, std::int64_t count, std::string_view bytes);

}  // namespace trainyard::weights
