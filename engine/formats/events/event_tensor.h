// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of TensorProto that event files use for values to show: a number, strings, a table of numbers. Views point
// into the message. Fields: tensorboard/compat/proto/{tensor,tensor_shape,types}.proto.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace trainyard::events {

inline constexpr std::int64_t kTextTensor = 7;  ///< DT_STRING

struct Tensor {
    std::int64_t type = 0;
    std::uint64_t elements = 1;
    std::uint64_t last_dimension = 1;
    std::optional<double> number;           ///< the first element
    std::vector<std::string_view> strings;  ///< all elements of a string tensor
    std::string_view content;               ///< contiguous elements, little-endian; or
    std::string_view message;               ///< elements as fields of the message

    bool is_float() const;
    bool is_text() const { return type == kTextTensor; }
};

/// False when the message is malformed.
bool decode_tensor(std::string_view message, Tensor& tensor);
/// All elements of a float or double tensor. As the format allows, one value may stand for all of them.
std::vector<double> numbers_of(const Tensor& tensor);

}  // namespace trainyard::events
