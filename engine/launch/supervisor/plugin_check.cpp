// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/plugin_check.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/run_program.h"
#include "config/recipe/metric_names.h"
#include "launch/supervisor/plugin_order.h"
#include "models/spec/external/external_family.h"
#include "models/spec/tasks.h"

namespace trainyard::launch {

namespace {

constexpr double kLongest = 60;  ///< seconds to load the plug-ins
constexpr std::size_t kMostErrorText = 500;

std::string last_text(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.size() <= kMostErrorText ? text : text.substr(text.size() - kMostErrorText);
}

PluginOrder order_of(const config::Recipe& recipe) {
    PluginOrder order;
    order.plugins = recipe.plugins;
    if (recipe.model.model_type == families::kPluginModel)
        order.model = recipe.model.plugin;
    order.data_set = recipe.data.plugin;
    if (recipe.model.task != families::kSentenceEmbedding)
        order.loss = recipe.model.loss;
    order.step = recipe.training.step_function;
    std::ranges::copy_if(recipe.training.metrics, std::back_inserter(order.metrics),
                         [](const std::string& name) { return !config::is_built_in_metric(name); });
    order.trackers = recipe.logging.trackers;
    return order;
}

}  // namespace

std::vector<Message> check_plugins(const config::Recipe& recipe, const std::filesystem::path& worker) {
    const ProgramResult result =
        run_program({worker.string(), "check-plugins"}, fields::to_text(order_of(recipe)), kLongest);
    const std::string files = fmt::format("{}", fmt::join(recipe.plugins, ", "));
    if (result.timed_out)
        return {Message("plugins: {} took longer than {} s to load: registration must not wait for anything", files,
                        static_cast<int>(kLongest))};
    if (result.status >= 0 && WIFSIGNALED(result.status))
        return {
            Message("plugins: {} crashed while it was loaded (signal {}, {}){}", files, WTERMSIG(result.status),
                    ::strsignal(WTERMSIG(result.status)),
                    result.error.empty() ? Message() : Message(": {}", Message::verbatim(last_text(result.error))))};
    if (!result.ok())
        return {Message("plugins: {} could not be checked by {}: {}", files, worker.string(),
                        Message::verbatim(last_text(result.error)))};
    try {
        return fields::from_text<PluginAnswer>(result.output, "the answer of trainyard-worker").problems;
    } catch (const UserError& error) {
        return {Message("plugins: {}", error.message())};
    }
}

}  // namespace trainyard::launch
