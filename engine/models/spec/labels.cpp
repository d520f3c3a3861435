// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/labels.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

using Json = nlohmann::json;

}  // namespace

std::string problem_of(const ModelConfig& config) {
    if (config.task == kQuestionAnswering)
        return kSpans;
    if (config.task == kMultipleChoice || config.task == kSemanticSegmentation)
        return kSingleLabel;
    if (!config.problem_type.empty())
        return config.problem_type;
    return config.num_labels == 1 ? kRegression : kSingleLabel;
}

std::string loss_of(const ModelConfig& config) {
    return config.loss.empty() ? problem_of(config) : config.loss;
}

void count_labels(Json& config) {
    auto names = config.find("id2label");
    if (names == config.end() || !names->is_object() || names->empty())
        return;
    // transformers writes no num_labels beside the names; of both the names count.
    config["num_labels"] = names->size();
}

std::vector<std::string> label_names(const ModelConfig& config) {
    const Json given = read_json(config.id2label.text);
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < config.num_labels; ++i) {
        const std::string key = std::to_string(i);
        const bool has = given.is_object() && given.contains(key) && given[key].is_string();
        names.push_back(has ? given[key].get<std::string>() : "LABEL_" + key);
    }
    return names;
}

ModelConfig with_label_names(const ModelConfig& config) {
    ModelConfig made = config;
    Json names = Json::object();
    const std::vector<std::string> all = label_names(config);
    for (std::size_t i = 0; i < all.size(); ++i)
        names[std::to_string(i)] = all[i];
    made.id2label.text = json_text(names);
    return made;
}

void check_labels(const ModelConfig& config, std::vector<ConfigProblem>& problems) {
    static const std::vector<std::string> known{kRegression, kSingleLabel, kMultiLabel};
    if (!config.problem_type.empty() && std::ranges::find(known, config.problem_type) == known.end())
        problems.push_back({"problem_type",
                            {},
                            Message("'{}' is not known{}: use {}, {} or {}", config.problem_type,
                                    text::did_you_mean(config.problem_type, known), known[0], known[1], known[2])});
    if (config.problem_type == kSingleLabel && config.num_labels < 2)
        problems.push_back(
            {"problem_type", {"num_labels"}, "a single class is always right: give num_labels from 2 on"});
    const Json given = read_json(config.id2label.text);
    if (config.id2label.text.empty())
        return;
    bool good = given.is_object() && std::cmp_equal(given.size(), config.num_labels);
    for (std::int64_t i = 0; good && i < config.num_labels; ++i)
        good = given.contains(std::to_string(i)) && given[std::to_string(i)].is_string();
    if (!good)
        problems.push_back(
            {"id2label",
             {"num_labels"},
             Message("must name the classes 0 to {}, such as {{0: negative, 1: positive}}", config.num_labels - 1)});
}

}  // namespace trainyard::families
