// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of FSDP as Accelerate's plug-in resolves or refuses them (golden/fsdp_plan.json, kind `plugin`), beside
// what a recipe makes of the same settings file. Units of wrapping are the engine's own.

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "config/accelerate/check.h"
#include "config/accelerate/schema.h"
#include "config/accelerate/settings_file.h"
#include "launch/plan/recipe_limit.h"
#include "support/golden.h"

namespace trainyard::plan {
namespace {

using Json = nlohmann::json;
using Table = std::map<std::string, Json>;  ///< fsdp_config

/// Nothing: an argument that no settings file has.
std::optional<Table> table_of(const Json& input) {
    static const std::map<std::string, std::string> other_names{
        {"cpu_offload", "fsdp_offload_params"},
        {"transformer_cls_names_to_wrap", "fsdp_transformer_layer_cls_to_wrap"}};
    Table table;
    const Json arguments = input.value("arguments", Json::object()), variables = input.value("env", Json::object());
    for (const auto& [name, value] : arguments.items()) {
        const auto other = other_names.find(name);
        const std::string key = other == other_names.end() ? "fsdp_" + name : other->second;
        const std::string path = name == "fsdp_version" ? name : key;
        if (settings::find_key("fsdp_config." + path) == nullptr || value.is_object())
            return std::nullopt;
        table[path] = value;
    }
    for (const auto& [name, value] : variables.items())
        for (const settings::Key& key : settings::schema())
            if (key.environment.name == name)
                table[std::string(key.name)] = value;
    return table;
}

settings::Loaded loaded_of(const Table& table) {
    Json file{{"distributed_type", "FSDP"}, {"num_processes", 2}};
    if (!table.empty())
        file["fsdp_config"] = table;
    return settings::read_settings(file.dump(), "x.json", settings::Format::json);
}

bool is_refused(const settings::Loaded& loaded) {
    if (!loaded.problems.empty())
        return true;
    for (const settings::Finding& finding : settings::check(loaded.settings))
        if (finding.severity == settings::Finding::Severity::error)
            return true;
    return false;
}

/// Deliberate differences between the check of a settings file and of the arguments of the plug-in.
struct Difference {
    const char* reason;
    std::function<bool(const Table& table)> applies;
    bool refused;
};

bool is_second(const Table& table) {
    const auto version = table.find("fsdp_version");
    return version != table.end() && (version->second == 2 || version->second == "2");
}

bool is_in_lower_case(const Table& table, const char* key) {
    const auto found = table.find(key);
    return found != table.end() && found->second.is_string() &&
           std::ranges::any_of(found->second.get<std::string>(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string prefetches(const Table& fsdp) {
    const auto found = fsdp.find("fsdp_forward_prefetch");
    return found == fsdp.end()         ? ""
           : found->second.is_string() ? found->second.get<std::string>()
                                       : found->second.dump();
}

const std::vector<Difference>& differences() {
    static const std::vector<Difference> table{
        {"names are written in upper case",
         [](const Table& fsdp) {
             return is_in_lower_case(fsdp, "fsdp_sharding_strategy") || is_in_lower_case(fsdp, "fsdp_auto_wrap_policy");
         },
         true},
        {"FSDP 2 does not read the strategy of FSDP 1",
         [](const Table& fsdp) { return is_second(fsdp) && fsdp.contains("fsdp_sharding_strategy"); }, false},
        {"FSDP 1 does not read the key of FSDP 2",
         [](const Table& fsdp) {
             const auto found = fsdp.find("fsdp_reshard_after_forward");
             return !is_second(fsdp) && found != fsdp.end() && found->second.is_boolean();
         },
         false},
        {"FSDP 2 refuses the prefetching of FSDP 1 where it is on",
         [](const Table& fsdp) { return is_second(fsdp) && prefetches(fsdp) == "true"; }, true},
        {"FSDP 2 takes the prefetching of FSDP 1 where it is off",
         [](const Table& fsdp) { return is_second(fsdp) && prefetches(fsdp) == "false"; }, false},
        {"numbers and truth values may be texts",
         [](const Table& fsdp) {
             const auto size = fsdp.find("fsdp_min_num_params"), offload = fsdp.find("fsdp_offload_params");
             return (size != fsdp.end() && size->second.is_string()) ||
                    (offload != fsdp.end() && offload->second.is_string());
         },
         false},
        {"activation checkpoints are offloaded in both versions, if activation checkpointing is on",
         [](const Table& fsdp) { return fsdp.contains("fsdp_activation_checkpointing_offload"); }, false},
    };
    return table;
}

/// Stage of ZeRO of Accelerate's plug-in.
std::int64_t stage_of(const Json& plugin) {
    if (plugin["fsdp_version"] == 2)
        return plugin["reshard_after_forward"].get<bool>() ? 3 : 2;
    static const std::vector<std::string> names{"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD",
                                                "HYBRID_SHARD_ZERO2"};
    // Accelerate's questionnaire writes a strategy under the key of FSDP 2, and reading a file moves it.
    const Json& strategy =
        plugin[plugin["reshard_after_forward"].is_string() ? "reshard_after_forward" : "sharding_strategy"];
    const std::string name =
        strategy.is_number() ? names.at(strategy.get<std::size_t>() - 1) : strategy.get<std::string>();
    return name == "NO_SHARD" ? 0 : name == "SHARD_GRAD_OP" || name == "HYBRID_SHARD_ZERO2" ? 2 : 3;
}

TEST(FsdpPlan, SettingsAreRefusedAndMeantAsInAccelerate) {
    std::ifstream file(test::golden("fsdp_plan.json"));
    const Json cases = Json::parse(file)["cases"];
    int seen = 0;
    for (const Json& one : cases) {
        const Json &input = one["input"], &expected = one["expected"];
        const std::optional<Table> table = input["kind"] == "plugin" ? table_of(input) : std::nullopt;
        if (!table)
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const settings::Loaded loaded = loaded_of(*table);
        bool refused = expected.contains("error"), differs = false;
        for (const Difference& difference : differences())
            if (!differs && difference.applies(*table)) {
                refused = difference.refused;
                differs = true;
            }
        EXPECT_EQ(is_refused(loaded), refused);
        if (is_refused(loaded) || expected.contains("error"))
            continue;
        const RecipeSharding sharding = recipe_sharding(loaded.settings);
        EXPECT_EQ(sharding.zero_stage, stage_of(expected));
        const std::string policy =
            expected["auto_wrap_policy"].is_string() ? expected["auto_wrap_policy"].get<std::string>() : "";
        if (sharding.zero_stage == 3 && !policy.empty()) {
            EXPECT_EQ(sharding.wrap, policy == "size_based_auto_wrap_policy" ? "size" : "block");
        }
        // A launch and the plug-in have different default sizes.
        if (sharding.wrap == "size" && table->contains("fsdp_min_num_params")) {
            EXPECT_EQ(sharding.wrap_min_params, expected["min_num_params"].get<std::int64_t>());
        }
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace trainyard::plan
