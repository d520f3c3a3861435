#include "io/event_record.h"

#include <bit>
#include <cmath>
#include <optional>

#include "io/protobuf.h"

namespace trainyard::io {

using protobuf::Fields;
using protobuf::Wire;

namespace {

// Numbers of tensorflow/core/framework/types.proto.
enum Type : std::int64_t {
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kUint8 = 4,
    kInt16 = 5,
    kInt8 = 6,
    kString = 7,
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

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
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

struct Tensor {
    std::int64_t type = 0;
    std::uint64_t elements = 1;
    std::optional<double> number;  // the first element
    std::vector<std::string_view> strings;

    bool is_float() const { return type == kFloat || type == kDouble || type == kHalf || type == kBfloat16; }
};

bool decode_shape(std::string_view message, std::uint64_t& elements) {
    Fields shape(message);
    while (shape.next()) {
        if (!shape.is(2, Wire::bytes))
            continue;
        std::uint64_t size = 0;
        Fields dimension(shape.bytes());
        while (dimension.next())
            if (dimension.is(1, Wire::varint))
                size = dimension.bits();
        if (!dimension.valid() || __builtin_mul_overflow(elements, size, &elements))
            return false;
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

bool decode_tensor(std::string_view message, Tensor& tensor) {
    std::string_view content;
    // The type comes first in every writer, but a message may have its fields in any order.
    for (Fields field(message); field.next();)
        if (field.is(1, Wire::varint))
            tensor.type = field.integer();
    Fields field(message);
    while (field.next()) {
        if (field.is(2, Wire::bytes)) {
            if (!decode_shape(field.bytes(), tensor.elements))
                return false;
        } else if (field.is(4, Wire::bytes)) {
            content = field.bytes();
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
    if (!tensor.number && size > 0 && content.size() >= size)
        tensor.number = from_content(tensor.type, little_endian(content.substr(0, size)));
    // An element that equals zero may be left out of the message.
    if (!tensor.number && size > 0 && content.empty() && tensor.elements == 1)
        tensor.number = 0.0;
    return field.valid();
}

bool decode_metadata(std::string_view message, std::string& plugin) {
    Fields metadata(message);
    while (metadata.next()) {
        if (!metadata.is(1, Wire::bytes))
            continue;
        Fields data(metadata.bytes());
        while (data.next())
            if (data.is(1, Wire::bytes))
                plugin = data.bytes();
        if (!data.valid())
            return false;
    }
    return metadata.valid();
}

bool decode_value(std::string_view message, EventRecord& record) {
    std::string tag, plugin;
    std::optional<double> simple;
    std::optional<Tensor> tensor;
    Fields value(message);
    while (value.next()) {
        if (value.is(1, Wire::bytes))
            tag = value.bytes();
        else if (value.is(2, Wire::fixed32))
            simple = value.as_float();
        else if (value.is(8, Wire::bytes)) {
            if (!decode_tensor(value.bytes(), tensor.emplace()))
                return false;
        } else if (value.is(9, Wire::bytes)) {
            if (!decode_metadata(value.bytes(), plugin))
                return false;
        }
    }
    if (!value.valid())
        return false;
    if (simple) {
        record.scalars.emplace_back(std::move(tag), *simple);
    } else if (tensor && tensor->number && tensor->elements == 1 && (plugin == "scalars" || tensor->is_float())) {
        record.scalars.emplace_back(std::move(tag), *tensor->number);
    } else if (tensor && tensor->type == kString && plugin == "text") {
        std::string text;
        for (std::string_view part : tensor->strings)
            text += (text.empty() ? "" : "\n") + std::string(part);
        record.texts.emplace_back(std::move(tag), std::move(text));
    } else {
        ++record.skipped;
    }
    return true;
}

std::string event(std::int64_t step, double wall_time) {
    std::string message;
    protobuf::append_double(message, 1, wall_time);
    if (step != 0)
        protobuf::append_integer(message, 2, step);
    return message;
}

}  // namespace

bool decode_event(std::string_view payload, EventRecord& record) {
    record = {};
    Fields field(payload);
    while (field.next()) {
        if (field.is(1, Wire::fixed64)) {
            record.wall_time = field.as_double();
        } else if (field.is(2, Wire::varint)) {
            record.step = field.integer();
        } else if (field.is(3, Wire::bytes)) {
            record.file_version = field.bytes();
        } else if (field.is(5, Wire::bytes)) {
            Fields summary(field.bytes());
            while (summary.next())
                if (summary.is(1, Wire::bytes) && !decode_value(summary.bytes(), record))
                    return false;
            if (!summary.valid())
                return false;
        } else if (field.is(7, Wire::bytes)) {
            Fields session(field.bytes());
            while (session.next())
                if (session.is(1, Wire::varint))
                    record.restart = session.integer() == 1;
            if (!session.valid())
                return false;
        }
    }
    return field.valid();
}

std::string encode_version(double wall_time) {
    std::string message = event(0, wall_time);
    protobuf::append_bytes(message, 3, "brain.Event:2");
    return message;
}

std::string encode_scalars(std::int64_t step, double wall_time,
                           const std::vector<std::pair<std::string, double>>& scalars) {
    std::string summary, value;
    for (const auto& [tag, number] : scalars) {
        value.clear();
        protobuf::append_bytes(value, 1, tag);
        protobuf::append_float(value, 2, static_cast<float>(number));
        protobuf::append_bytes(summary, 1, value);
    }
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 5, summary);
    return message;
}

std::string encode_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text) {
    std::string plugin, metadata, dimension, shape, tensor, value, summary;
    protobuf::append_bytes(plugin, 1, "text");
    protobuf::append_bytes(metadata, 1, plugin);
    protobuf::append_integer(dimension, 1, 1);
    protobuf::append_bytes(shape, 2, dimension);
    protobuf::append_integer(tensor, 1, kString);
    protobuf::append_bytes(tensor, 2, shape);
    protobuf::append_bytes(tensor, 8, text);
    protobuf::append_bytes(value, 1, std::string(tag) + "/text_summary");
    protobuf::append_bytes(value, 8, tensor);
    protobuf::append_bytes(value, 9, metadata);
    protobuf::append_bytes(summary, 1, value);
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 5, summary);
    return message;
}

std::string encode_restart(std::int64_t step, double wall_time) {
    std::string session;
    protobuf::append_integer(session, 1, 1);
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 7, session);
    return message;
}

}  // namespace trainyard::io
