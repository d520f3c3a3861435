// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// JSON form of the problems of an input, for other programs.

#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"

namespace trainyard::cli {

struct ProblemList {
    struct Entry {
        std::string file;
        int line = 0, column = 0;
        std::string key;
        Message message, text;  ///< without and with the position

        void fields(auto& field) const {
            field("file", file)("line", line)("column", column)("key", key)("message", message)("text", text);
        }
    };
    std::vector<Entry> problems;

    void fields(auto& field) const { field("problems", problems); }
};

/// `{"problems":[...]}`: those of an InvalidInput, else one with the message of the error.
inline std::string problems_json(const std::exception& error) {
    ProblemList list;
    auto add = [&](const Problem& one) {
        list.problems.push_back({one.file, one.line, one.column, one.key, one.message, one.text()});
    };
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        for (const Problem& problem : invalid->problems())
            add(problem);
    else
        add({"", 0, 0, "", message_of(error)});
    return fields::to_text(list);
}

}  // namespace trainyard::cli
