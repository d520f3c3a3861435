#pragma once
// Arrow's columns to ours. Objects inside (structs) become columns `outer.inner`; dictionaries are looked up; dates and times stay the
// numbers they are stored as; lists of lists are blocks where every level has a fixed size, and refused otherwise.

#include <string>
#include <vector>

#include "formats/arrow_abi.h"
#include "formats/table.h"

namespace trainyard::formats {

/// A column of ours and the way to it in the schema: numbers of children from the top.
struct ArrowColumn {
    Field field;
    std::vector<std::size_t> path;
    std::string problem;  ///< not empty: of a type that cannot be read, said in a sentence
};

/// All columns of a schema, depth first.
std::vector<ArrowColumn> arrow_columns(const ArrowSchema& schema);

/// Appends `length` rows of the column: `schema` and `array` are the top-level child that column.path begins with.
void append_arrow(Column& column, const ArrowColumn& source, const ArrowSchema& schema, const ArrowArray& array);

}  // namespace trainyard::formats
