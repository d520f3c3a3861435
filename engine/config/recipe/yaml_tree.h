#pragma once
// YAML as a plain tree with places, for files that people write: scalars stay text (the schema decides what they are),
// duplicate keys are kept so that they can be reported. Refused because nobody needs them here and they hide what a
// file says: anchors, aliases, tags, several documents; and sizes that only an attack has (1 MiB, 64 levels). Files of other
// programs may have aliases: they are put in, up to a number of nodes (YamlRules). Every place is one of the text that was given:
// a part of a file is read from its branch of the file's tree, never written out and parsed again.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace trainyard::config {

struct YamlEntry;

struct YamlValue {
    enum class Kind { null, scalar, list, map };
    Kind kind = Kind::null;
    std::string text;                ///< of a scalar
    bool plain = true;               ///< scalar without quotes: may mean a number or a truth value
    int line = 0;                    ///< from 1
    int column = 0;                  ///< from 1
    std::vector<YamlValue> items;    ///< of a list
    std::vector<YamlEntry> entries;  ///< of a map

    /// How the value is named in messages: `the text "12"`, `12`, `a list`, `a table of keys`, `nothing`.
    Message description() const;
    bool is_map() const { return kind == Kind::map; }
    bool is_list() const { return kind == Kind::list; }
    bool is_scalar() const { return kind == Kind::scalar; }
    /// The value of a key of this map, the first where it is given twice; nullptr when there is none, or this is no map.
    const YamlValue* find(std::string_view key) const;
};

struct YamlEntry {
    YamlValue key;  ///< a scalar
    YamlValue value;
};

struct YamlRules {
    bool aliases = false;               ///< put in what an alias names
    bool keep_end = false;              ///< line ends at the end count (a block text may end in one); the caller
                                        ///< itself looks for quotes that are never closed
    std::size_t most_nodes = 1u << 20;  ///< scalars, lists and maps, aliases put in
    std::size_t most_bytes = 1u << 20;  ///< of the text
};

/// The value as one line of YAML in flow style; read again it is the same.
std::string flow_text(const YamlValue& value);

/// Appends what is wrong to `problems` (each named with `file`); the tree is then what could be read.
YamlValue parse_yaml(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                     const YamlRules& rules = {});

}  // namespace trainyard::config
