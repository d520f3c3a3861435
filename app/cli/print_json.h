#pragma once
// The answers of --json.

#include <cstdio>

#include "base/json_writer.h"
#include "base/printable.h"

namespace trainyard::cli {

/// Indented, with a newline; bytes that are no UTF-8 are replaced, what a terminal would obey is written as an escape of JSON.
template <typename Json>
void print_json(const Json& value) {
    std::printf("%s\n", text::printable_lines(json_text(value, {.indent = 2})).c_str());
}

}  // namespace trainyard::cli
