#include "base/error.h"

#include <fmt/format.h>

namespace trainyard {

std::string Problem::text() const {
    std::string place = file;
    if (line > 0)
        place += fmt::format("{}{}:{}", place.empty() ? "line " : ":", line, column);
    std::string subject = key.empty() ? message : key + ": " + message;
    return place.empty() ? subject : place + ": " + subject;
}

namespace {
std::string joined(const std::vector<Problem>& problems) {
    std::string all;
    for (const Problem& problem : problems)
        all += (all.empty() ? "" : "\n") + problem.text();
    return all;
}
}  // namespace

InvalidInput::InvalidInput(std::vector<Problem> problems)
    : UserError(joined(problems)), problems_(std::move(problems)) {}

}  // namespace trainyard
