// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to pickle.h: the globals that a pickle may use, and their meaning.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::weights {

enum class Meaning : std::uint8_t {
    ordered_dict,
    tensor,             ///< (storage, offset, size, stride, ...)
    tensor_with_dtype,  ///< (storage, offset, size, stride, requires_grad, hooks, dtype, ...)
    parameter,          ///< (tensor, ...): the tensor
    subclass,           ///< (one of the three above, class, its arguments, attributes): the tensor
    tensor_class,       ///< a class of tensors, which is only named
    storage,            ///< type: its dtype, empty for UntypedStorage
    size,
    device,
    dtype,
    set,
    bytes,   ///< (), or (bytes)
    encode,  ///< (text, "latin1"): how protocol 2 writes bytes
    record,  ///< an object whose fields are only read
};

struct Global {
    std::string_view module;
    std::string_view name;
    Meaning meaning;
    std::string_view type;  ///< dtype of a storage or dtype; class of a record
};

/// Index in the list of globals.
std::optional<std::size_t> find_global(std::string_view module, std::string_view name);
const Global& global_at(std::size_t position);

/// "FloatStorage"; empty for element types without a storage class in torch.
std::string_view storage_class_of(std::string_view torch_dtype);

}  // namespace trainyard::weights
