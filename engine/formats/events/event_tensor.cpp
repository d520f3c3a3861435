// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_tensor.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/protobuf.h"

namespace trainyard::events {

using protobuf::Fields;
using protobuf::little_endian;
using protobuf::Wire;

namespace {

// Enumerators of tensorflow/core/framework/types.proto.
enum Type : std::int64_t {
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kUint8 = 4,
    kInt16 = 5,
    kInt8 = 6,
    kInt64 = 9,
    kBool = 10,
    kBfloat16 = 14,
    kUint16 = 17,
    kHalf = 19,
    kUint32 = 22,
    kUint64 = 23,
};

double half_to_double(std::uint64_t bits) {
    double sign = bits & 0x8000 ? -1.0 : 1.0;
    int exponent = static_cast<int>(bits >> 10 & 0x1f);
    double fraction = static_cast<double>(bits & 0x3ff);
    if (exponent == 31)
        return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024.0 + fraction, exponent - 25);
}

double bfloat16_to_double(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xffff) << 16);
}

std::size_t size_of(std::int64_t type) {
    switch (type) {
        case kUint8:
        case kInt8:
        case kBool:
            return 1;
        case kInt16:
        case kUint16:
        case kHalf:
        case kBfloat16:
            return 2;
        case kFloat:
        case kInt32:
        case kUint32:
            return 4;
        case kDouble:
        case kInt64:
        case kUint64:
            return 8;
        default:
            return 0;
    }
}

double from_content(std::int64_t type, std::uint64_t bits) {
    switch (type) {
        case kFloat:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case kDouble:
            return std::bit_cast<double>(bits);
        case kHalf:
            return half_to_double(bits);
        case kBfloat16:
            return bfloat16_to_double(bits);
        case kInt8:
            return static_cast<std::int8_t>(bits);
        case kInt16:
            return static_cast<std::int16_t>(bits);
        case kInt32:
            return static_cast<std::int32_t>(bits);
        case kInt64:
            return static_cast<double>(static_cast<std::int64_t>(bits));
        default:
            return static_cast<double>(bits);
    }
}

bool decode_shape(std::string_view message, Tensor& tensor) {
    Fields shape(message);
    while (shape.next()) {
        if (!shape.is(2, Wire::bytes))
            continue;
        std::uint64_t size = 0;
        Fields dimension(shape.bytes());
        while (dimension.next())
            if (dimension.is(1, Wire::varint))
                size = dimension.bits();
        if (!dimension.valid() || __builtin_mul_overflow(tensor.elements, size, &tensor.elements))
            return false;
        tensor.last_dimension = size;
    }
    return shape.valid();
}

/// The first number of a repeated field, packed or not.
std::optional<double> first_number(const Fields& field, std::int64_t type) {
    std::uint64_t bits = field.bits();
    if (field.is(field.number(), Wire::bytes)) {
        std::string_view packed = field.bytes();
        if (field.number() == 5 || field.number() == 6) {
            std::size_t size = field.number() == 5 ? 4 : 8;
            if (packed.size() < size)
                return std::nullopt;
            bits = little_endian(packed.substr(0, size));
        } else {
            bits = 0;
            int shift = 0;
            for (char c : packed) {
                bits |= static_cast<std::uint64_t>(c & 0x7f) << shift;
                shift += 7;
                if ((c & 0x80) == 0 || shift > 63)
                    break;
            }
        }
    }
    return from_content(type, bits);
}

}  // namespace

bool Tensor::is_float() const {
    return type == kFloat || type == kDouble || type == kHalf || type == kBfloat16;
}

bool decode_tensor(std::string_view message, Tensor& tensor) {
    tensor.message = message;
    // All writers put the type first, but a message may have its fields in any order.
    for (Fields field(message); field.next();)
        if (field.is(1, Wire::varint))
            tensor.type = field.integer();
    Fields field(message);
    while (field.next()) {
        if (field.is(2, Wire::bytes)) {
            if (!decode_shape(field.bytes(), tensor))
                return false;
        } else if (field.is(4, Wire::bytes)) {
            tensor.content = field.bytes();
        } else if (field.is(8, Wire::bytes)) {
            tensor.strings.push_back(field.bytes());
        } else if (size_of(tensor.type) > 0 && !tensor.number) {
            switch (field.number()) {
                case 5:
                case 6:
                case 7:
                case 10:
                case 11:
                case 13:
                case 16:
                case 17:
                    tensor.number = first_number(field, tensor.type);
                    break;
                default:
                    break;
            }
        }
    }
    std::size_t size = size_of(tensor.type);
    if (!tensor.number && size > 0 && tensor.content.size() >= size)
        tensor.number = from_content(tensor.type, little_endian(tensor.content.substr(0, size)));
    // A writer may omit an element that is zero.
    if (!tensor.number && size > 0 && tensor.content.empty() && tensor.elements == 1)
        tensor.number = 0.0;
    return field.valid();
}

std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> numbers;
    const std::size_t size = tensor.type == kFloat ? 4 : tensor.type == kDouble ? 8 : 0;
    if (size == 0)
        return numbers;
    const auto take = [&](std::string_view packed) {
        for (std::size_t at = 0; at + size <= packed.size(); at += size)
            numbers.push_back(from_content(tensor.type, little_endian(packed.substr(at, size))));
    };
    take(tensor.content);
    const int place = tensor.type == kFloat ? 5 : 6;
    for (Fields field(tensor.message); field.next();) {
        if (field.is(place, Wire::bytes))
            take(field.bytes());
        else if (field.is(place, size == 4 ? Wire::fixed32 : Wire::fixed64))
            numbers.push_back(from_content(tensor.type, field.bits()));
    }
    // Limits the allocation to the elements that the message has bytes for, except for a repeated one: a shape alone
    // must not reserve memory.
    constexpr std::uint64_t kMostRepeated = 1 << 16;
    if (numbers.size() == 1 && tensor.elements > 1 && tensor.elements <= kMostRepeated)
        numbers.resize(tensor.elements, numbers.front());
    return numbers;
}

}  // namespace trainyard::events
