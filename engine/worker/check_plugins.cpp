// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/check_plugins.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "config/recipe/tracker_names.h"
#include "launch/supervisor/plugin_order.h"
#include "models/plugins/plugins.h"

namespace trainyard::worker {

namespace {

std::string read_input() {
    std::string text;
    char buffer[1 << 12];
    for (ssize_t n = 0; (n = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    return text;
}

bool is_builtin_tracker(const std::string& name) {
#define TRAINYARD_TRACKER_NAME(NAME) #NAME,
    static const std::string known[] = {TRAINYARD_TRACKERS(TRAINYARD_TRACKER_NAME)};
#undef TRAINYARD_TRACKER_NAME
    return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

launch::PluginAnswer answer_to(const launch::PluginOrder& order) {
    launch::PluginAnswer answer;
    auto check = [&](auto work) {
        try {
            work();
        } catch (const UserError& error) {
            answer.problems.push_back(error.message());
        }
    };
    check([&] { plugins::load(order.plugins); });
    if (!answer.problems.empty())
        return answer;
    auto require = [&](plugins::Part part, const std::string& name) {
        if (!name.empty())
            check([&] { plugins::require(part, name); });
    };
    require(plugins::Part::model, order.model);
    require(plugins::Part::data_set, order.data_set);
    require(plugins::Part::loss, order.loss);
    require(plugins::Part::step, order.step);
    for (const std::string& name : order.metrics)
        require(plugins::Part::metric, name);
    for (const std::string& name : order.trackers)
        if (!is_builtin_tracker(name))
            require(plugins::Part::tracker, name);
    return answer;
}

}  // namespace

int check_plugins() {
    // Libraries may print: only the answer goes to standard output.
    const int answers = ::dup(STDOUT_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    const auto order = fields::from_text<launch::PluginOrder>(read_input(), "the order to check plug-ins");
    const std::string text = fields::to_text(answer_to(order));
    std::FILE* out = ::fdopen(answers, "w");
    const bool written = out != nullptr && std::fputs(text.c_str(), out) >= 0 && std::fflush(out) == 0;
    // Destructors of the libraries are not part of the check.
    ::_exit(written ? kExitDone : kExitFailed);
}

}  // namespace trainyard::worker
