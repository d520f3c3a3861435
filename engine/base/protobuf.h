// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The protobuf wire format without groups: reading fields of a message in place, and appending fields to a string.
// https://protobuf.dev/programming-guides/encoding

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::protobuf {

static_assert(std::endian::native == std::endian::little, "numbers are taken as they lie");

enum class Wire : int { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// The number in at most 8 bytes.
inline std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
}

/// Iterates over the fields of one message. Views point into the given text.
class Fields {
  public:
    explicit Fields(std::string_view message) : at_(message.data()), end_(message.data() + message.size()) {}

    /// Advances to the next field; false at the end, or if the message is malformed (see valid()).
    bool next() {
        if (at_ == end_ || !valid_)
            return false;
        std::uint64_t key = 0;
        if (!take_varint(key) || (key >> 3) == 0 || (key >> 3) > 0x1fffffff)
            return fail();
        number_ = static_cast<int>(key >> 3);
        switch (key & 7) {
            case 0:
                wire_ = Wire::varint;
                return take_varint(value_) || fail();
            case 1:
                wire_ = Wire::fixed64;
                return take_fixed<std::uint64_t>() || fail();
            case 5:
                wire_ = Wire::fixed32;
                return take_fixed<std::uint32_t>() || fail();
            case 2: {
                wire_ = Wire::bytes;
                std::uint64_t size = 0;
                if (!take_varint(size) || size > static_cast<std::uint64_t>(end_ - at_))
                    return fail();
                bytes_ = std::string_view(at_, size);
                at_ += size;
                return true;
            }
            default:
                return fail();  // no message read here uses groups
        }
    }

    bool valid() const { return valid_; }
    bool is(int number, Wire wire) const { return number_ == number && wire_ == wire; }
    int number() const { return number_; }
    std::int64_t integer() const { return static_cast<std::int64_t>(value_); }
    std::uint64_t bits() const { return value_; }
    double as_double() const { return reinterpret<double>(value_); }
    float as_float() const { return reinterpret<float>(static_cast<std::uint32_t>(value_)); }
    std::string_view bytes() const { return bytes_; }

    template <class To, class From>
    static To reinterpret(From from) {
        static_assert(sizeof(To) == sizeof(From));
        To to;
        std::memcpy(&to, &from, sizeof to);
        return to;
    }

  private:
    bool fail() {
        valid_ = false;
        return false;
    }
    bool take_varint(std::uint64_t& value) {
        if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) {  // the most frequent case
            value = static_cast<unsigned char>(*at_++);
            return true;
        }
        return take_long_varint(value);
    }
    bool take_long_varint(std::uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at_ == end_)
                return false;
            const auto byte = static_cast<unsigned char>(*at_++);
            if (shift == 63 && byte > 1)
                return false;
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return true;
        }
        return false;
    }
    template <class Number>
    bool take_fixed() {
        if (static_cast<std::size_t>(end_ - at_) < sizeof(Number))
            return false;
        Number number;
        std::memcpy(&number, at_, sizeof number);
        value_ = number;
        at_ += sizeof number;
        return true;
    }

    const char* at_;
    const char* end_;
    std::string_view bytes_;
    std::uint64_t value_ = 0;
    int number_ = 0;
    Wire wire_ = Wire::varint;
    bool valid_ = true;
};

/// Appends the integers of a repeated field, packed or not. False if they are cut off or another kind of field.
inline bool read_integers(const Fields& field, std::vector<std::int64_t>& values) {
    if (field.is(field.number(), Wire::varint)) {
        values.push_back(field.integer());
        return true;
    }
    std::string_view packed = field.bytes();
    if (!field.is(field.number(), Wire::bytes))
        return false;
    while (!packed.empty()) {
        std::uint64_t value = 0;
        std::size_t size = 0;
        do {
            if (size == packed.size() || size == 10)
                return false;
            value |= static_cast<std::uint64_t>(packed[size] & 0x7f) << 7 * size;
        } while (static_cast<unsigned char>(packed[size++]) >= 0x80);
        values.push_back(static_cast<std::int64_t>(value));
        packed.remove_prefix(size);
    }
    return true;
}

/// The same for floats.
inline bool read_floats(const Fields& field, std::vector<float>& values) {
    if (field.is(field.number(), Wire::fixed32)) {
        values.push_back(field.as_float());
        return true;
    }
    const std::string_view packed = field.bytes();
    if (!field.is(field.number(), Wire::bytes) || packed.size() % sizeof(float) != 0)
        return false;
    const std::size_t count = values.size();
    values.resize(count + packed.size() / sizeof(float));
    std::memcpy(values.data() + count, packed.data(), packed.size());
    return true;
}

inline void append_varint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

inline void append_key(std::string& out, int number, Wire wire) {
    append_varint(out, static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(wire));
}

inline void append_integer(std::string& out, int number, std::int64_t value) {
    append_key(out, number, Wire::varint);
    append_varint(out, static_cast<std::uint64_t>(value));
}

inline void append_little_endian(std::string& out, std::uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(bits >> (8 * i));
}

inline void append_double(std::string& out, int number, double value) {
    append_key(out, number, Wire::fixed64);
    append_little_endian(out, Fields::reinterpret<std::uint64_t>(value), 8);
}

inline void append_float(std::string& out, int number, float value) {
    append_key(out, number, Wire::fixed32);
    append_little_endian(out, Fields::reinterpret<std::uint32_t>(value), 4);
}

inline void append_bytes(std::string& out, int number, std::string_view bytes) {
    append_key(out, number, Wire::bytes);
    append_varint(out, bytes.size());
    out += bytes;
}

}  // namespace trainyard::protobuf
