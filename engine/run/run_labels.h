// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// labels.json: what people write on a run afterwards: the name it is shown under, tags, a note, its colour. Everything else in a run's
// folder says what happened; this alone may be changed later, by anybody who may write there. Replaced atomically; keys of newer
// versions are kept. The last writer wins.

#include <string>
#include <vector>

#include "run/paths.h"

namespace trainyard::run {

struct Labels {
    std::string name = {};               ///< shown instead of the run's own name; empty: its own
    std::vector<std::string> tags = {};  ///< in the order in which they were given, each once
    std::string note = {};
    bool archived = false;  ///< out of sight, not deleted
    int color = 0;          ///< number of the run colour, from 1; 0: by the order in which runs were made
    bool baseline = false;  ///< the run that others are compared with
    bool operator==(const Labels&) const = default;

    void fields(auto& field) const {
        field("name", name)("tags", tags)("note", note)("archived", archived)("color", color)("baseline", baseline);
    }
};

inline fs::path labels_file(const RunPaths& run) {
    return run.root() / "labels.json";
}

/// Nothing written on it yet: the defaults. Throws UserError naming the file when it is no such file.
Labels read_labels(const RunPaths& run);
/// The same for lists, where a run is worth more than what is written on it: the defaults, too, when the file cannot be read.
Labels labels_or_none(const RunPaths& run) noexcept;
/// Throws UserError when the run's folder cannot be written, or when what is there is not ours to replace (no JSON object).
void write_labels(const RunPaths& run, const Labels& labels);

/// A tag as it is kept: no white space around, none inside (a `-` instead), since the filter and the terminal separate tags by it.
std::string tidy_tag(const std::string& text);
void add_tag(Labels& labels, const std::string& tag);
void remove_tag(Labels& labels, const std::string& tag);

}  // namespace trainyard::run
