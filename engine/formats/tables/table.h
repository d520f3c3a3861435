// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of a data file as columns: the result of every reader in this folder. Does not depend on LibTorch; engine/data
// converts it to tensors.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::formats {

enum class ElementType : std::uint8_t {
    boolean,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f16,
    bf16,
    f32,
    f64,
    text,  ///< bytes of any length; UTF-8 if the format guarantees it
};

/// Bytes per element; 0 for text.
std::size_t element_size(ElementType type);
/// "bool", "int8", ..., "uint64", "float16", "bfloat16", "float32", "float64", "text"
const char* name_of(ElementType type);
/// Throws UserError with the known names for an unknown one.
ElementType element_type(std::string_view name);

/// The content of a column in each row: one element, a block of fixed `shape`, or (`list`) any number of elements.
struct Field {
    std::string name;
    ElementType type = ElementType::f64;
    std::vector<std::int64_t> shape = {};  ///< of one row; empty for single elements and for lists
    bool list = false;
    bool is_assumed = false;  ///< no value was seen from which the type could be inferred; not compared

    /// Elements per row; not for lists.
    std::int64_t elements() const;
    Message describe() const;  ///< "image: uint8 [28, 28]", "tokens: list of int32"
    bool operator==(const Field& other) const {
        return name == other.name && type == other.type && shape == other.shape && list == other.list;
    }
};

using Schema = std::vector<Field>;

/// nullptr if no field has that name.
const Field* find_field(const Schema& schema, std::string_view name);

struct Column {
    Field field;
    std::int64_t rows = 0;
    std::vector<std::byte> data;          ///< the elements of all rows, little-endian; text: all characters
    std::vector<std::int64_t> list_ends;  ///< lists: number of elements up to the end of each row
    std::vector<std::int64_t> text_ends;  ///< text: bytes of `data` up to the end of each element
    std::vector<std::uint8_t>
        missing;  ///< empty: every row has a value; else 1 for each row without one (it has zeros or no elements)

    template <class T>
    void append(T value) {
        std::size_t at = data.size();
        data.resize(at + sizeof value);
        std::memcpy(data.data() + at, &value, sizeof value);
    }
    void append_text(std::string_view value);

    bool is_missing(std::int64_t row) const { return !missing.empty() && missing[static_cast<std::size_t>(row)] != 0; }
    /// First element of a row, and one past the last.
    std::int64_t begin_of(std::int64_t row) const;
    std::int64_t end_of(std::int64_t row) const;
    /// An element as text (for lists an element, not a row: see begin_of()).
    std::string_view text(std::int64_t element) const;
    /// The elements as T, which must have the size of the field's type.
    template <class T>
    std::span<const T> values() const {
        return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
    }
    /// Appends row `row` of a column with an equal field.
    void append_row(const Column& from, std::int64_t row);
    /// Appends rows `first` .. `first + count`.
    void append_rows(const Column& from, std::int64_t first, std::int64_t count);
    /// Appends a missing value: zeros (a block of the field's shape), empty text, or an empty list.
    void append_missing();
};

struct Table {
    std::vector<Column> columns;
    std::int64_t rows = 0;

    explicit Table(const Schema& schema = {});
    /// nullptr if there is none.
    const Column* find(std::string_view name) const;
    /// The same, but throws UserError with the existing columns.
    const Column& at(std::string_view name) const;
    void append_row(const Table& from, std::int64_t row);
    void append_rows(const Table& from, std::int64_t first, std::int64_t count);
    std::size_t bytes() const;
};

}  // namespace trainyard::formats
