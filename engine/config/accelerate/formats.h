#pragma once
// YAML and JSON as trees of values, and back. What the values mean is not decided here. Internal to the library.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "config/accelerate/value.h"

namespace trainyard::settings {

constexpr std::size_t kMostNodes = 10'000;
constexpr std::size_t kDeepest = kMostJsonDepth;
constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// As PyYAML's safe_load reads it: YAML 1.1 scalars, aliases and merge keys put in. Refused: tags, several documents, tabs
/// outside of quotes (PyYAML refuses them, too), whatever is over the limits of file.h. Of a key that is given twice the last value
/// counts, as in Python; `twice` says where, and may be the same list as `problems` where that is not to pass. What is returned of a
/// bad text is what could be read.
Value parse_yaml_text(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                      std::vector<Problem>& twice);

/// The same for JSON; places are those of the text.
Value parse_json_text(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                      std::vector<Problem>& twice);

/// As safe_dump writes it: block style, keys sorted, ASCII.
std::string write_yaml(const Value::Map& root);
/// One entry as it stands `indent` columns deep, with its newline.
std::string write_yaml_entry(const Entry& entry, int indent);

/// As json.dumps(indent=2, sort_keys=True) writes it, with a newline at the end.
std::string write_json(const Value::Map& root);

/// From 1; columns count bytes.
struct Place {
    int line = 1;
    int column = 1;
};
Place place_of(std::string_view text, std::size_t offset);

}  // namespace trainyard::settings
