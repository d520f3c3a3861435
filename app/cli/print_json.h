// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The answers of --json.

#include <cstdio>

#include "base/json_writer.h"
#include "base/printable.h"

namespace trainyard::cli {

/// Prints indented JSON and a newline. Bytes that are not valid UTF-8 are replaced; control characters are written as
/// JSON escapes.
template <typename Json>
void print_json(const Json& value) {
    std::printf("%s\n", text::printable_lines(json_text(value, {.indent = 2})).c_str());
}

}  // namespace trainyard::cli
