#pragma once
// What is wrong with an input, for programs.

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace trainyard::cli {

inline nlohmann::json problem_json(const Problem& problem) {
    return {{"file", problem.file},
            {"line", problem.line},
            {"column", problem.column},
            {"key", problem.key},
            {"message", problem.message.text()},
            {"text", problem.text().text()}};
}

}  // namespace trainyard::cli
