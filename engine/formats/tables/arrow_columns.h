// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Converts Arrow columns. Structs become columns `outer.inner`; dictionaries are decoded; dates and times stay the
// integers that are stored; lists of lists become blocks if every level has a fixed size. Other lists of lists and
// lists of structs, such as conversations, become JSON text without white space, as JSON Lines has them; members
// without a value are left out.

#include <string>
#include <vector>

#include "base/message.h"
#include "formats/tables/arrow_abi.h"
#include "formats/tables/table.h"

namespace trainyard::formats {

/// A column and its path in the schema: child indices from the top.
struct ArrowColumn {
    Field field;
    std::vector<std::size_t> path;
    Message problem;       ///< not empty: the type is not supported, as a sentence
    bool is_utf8 = false;  ///< of Arrow's type for text; other columns of type text hold bytes
    bool is_json = false;  ///< rows are written as JSON text
};

/// All columns of a schema, depth first.
std::vector<ArrowColumn> arrow_columns(const ArrowSchema& schema);

/// Appends `length` rows: `schema` and `array` are the top-level child that column.path starts at.
void append_arrow(Column& column, const ArrowColumn& source, const ArrowSchema& schema, const ArrowArray& array);

}  // namespace trainyard::formats
