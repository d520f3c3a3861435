// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// YAML and JSON as trees of values, and back. A tag, a second document, and sizes that only an attack has are refused. Every place is
// one of the text that was given: a part of a file is read from its branch of the file's tree, never written out and parsed again.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "config/values/value.h"

namespace trainyard {

class JsonWriter;

struct TreeRules {
    bool aliases = false;               ///< puts in what an alias names; else anchors and aliases are refused
    std::size_t most_nodes = 1u << 20;  ///< scalars, lists, tables and keys, aliases put in
    std::size_t most_bytes = 1u << 20;  ///< of the text
    /// Where a key that is given twice is reported. With it the text is read as PyYAML's safe loader and Python's json read it: no scalar
    /// is left plain, the last value of such a key counts, and `<<` puts in other tables; a tab outside of quotes, a day that does not
    /// exist and a bare `=` are refused, and a text that cannot be parsed gives no tree. nullptr: both values stay in the tree, which has
    /// what could be read.
    std::vector<Problem>* twice = nullptr;
};

/// For files that Accelerate reads, too. `twice` may be the list of the other problems.
inline TreeRules python_rules(std::vector<Problem>& twice) {
    return {.aliases = true, .most_nodes = 10'000, .twice = &twice};
}

/// Appends what is wrong to `problems`, each named with `file`.
Value parse_yaml(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                 const TreeRules& rules = {});
/// The same for JSON, with NaN, Infinity and 1e400 as Python's json reads them.
Value parse_json_tree(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                      const TreeRules& rules);

/// How YAML in block style is written: as PyYAML's safe_dump, with keys sorted and in ASCII; or as ruamel.yaml (YAML 1.2), in the order
/// of the tree and in UTF-8.
enum class YamlStyle { pyyaml, ruamel };
std::string write_yaml(const Value::Map& root, YamlStyle style = YamlStyle::pyyaml);
/// The lines of one entry, indented by `indent` columns, with the last newline.
std::string write_yaml_entry(const Entry& entry, int indent);
/// The value as one line of YAML in flow style, with scalars as they are spelled; read again it is the same.
std::string flow_text(const Value& value);
/// A key per line in the order of the tree: tables in block style, lists of tables with an item per line, everything
/// else as flow_text().
std::string block_text(const Value::Map& root, int indent = 0);

/// How JSON is written: as Python's json.dumps(sort_keys=True), in the order of the tree with "nan", "inf" and "-inf"
/// as texts, or in
/// that order with NaN and Infinity as Python writes them, so that it is read as the same tree.
enum class JsonTree { python, standard, exact };
/// Numbers are spelled as Python spells them.
void write_json_tree(JsonWriter& out, const Value& value, JsonTree form);
/// As json.dumps(indent=2, sort_keys=True) writes it, with a newline at the end.
std::string write_json(const Value::Map& root);
/// For the answers of --json. What JSON does not have is a text: dates, `inf` and `nan`.
nlohmann::ordered_json json_of(const Value& value);

}  // namespace trainyard
