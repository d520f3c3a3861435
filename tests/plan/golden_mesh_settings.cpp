// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of a mesh as Accelerate's ParallelismConfig and Accelerator accept or refuse them (golden/mesh.json, kinds
// `config` and `accelerator`), beside what the same sizes in a settings file are, and what they make of a recipe.

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/accelerate/check.h"
#include "config/accelerate/schema.h"
#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "launch/plan/recipe_keys.h"
#include "launch/plan/recipe_limit.h"
#include "support/golden.h"

namespace trainyard::plan {
namespace {

using MeshJson = nlohmann::json;

constexpr std::array kMeshNames = {"dp_replicate", "dp_shard", "cp", "sp", "tp"};

settings::Loaded load_mesh(MeshJson file, const MeshJson& table) {
    if (!table.empty())
        file["parallelism_config"] = table;
    return settings::read_settings(file.dump(), "x.json", settings::Format::json);
}

bool refuses(const settings::Loaded& loaded) {
    return !loaded.problems.empty() || std::ranges::any_of(settings::check(loaded.settings), [](const auto& finding) {
        return finding.severity == settings::Finding::Severity::error;
    });
}

/// parallelism_config of arguments and variables; nothing: arguments that no settings file has.
std::optional<MeshJson> mesh_table_of(const MeshJson& input) {
    MeshJson table = MeshJson::object();
    const MeshJson variables = input.value("env", MeshJson::object()),
                   arguments = input.value("arguments", MeshJson::object());
    for (const auto& [name, value] : variables.items())
        for (const settings::Key& key : settings::schema())
            if (key.environment.name == name)
                table[std::string(key.name)] = value;
    for (const auto& [name, value] : arguments.items())
        if (!name.ends_with("_handler"))
            table["parallelism_config_" + name] = value;
        else if (!value.is_object())
            return std::nullopt;
        else
            for (const auto& [setting, of_handler] : value.items())
                table["parallelism_config_" + setting] = of_handler;
    return table;
}

std::map<std::string, std::int64_t> sizes_of(const settings::Settings& settings) {
    const RecipeMesh mesh = recipe_mesh(settings);
    return {{"dp_replicate", mesh.dp_replicate},
            {"dp_shard", mesh.dp_shard},
            {"cp", mesh.cp},
            {"sp", mesh.sp},
            {"tp", mesh.tp}};
}

TEST(MeshSettings, SizesAreRefusedAndMeantAsInAccelerate) {
    std::ifstream file(test::golden("mesh.json"));
    const MeshJson cases = MeshJson::parse(file)["cases"];
    int seen = 0;
    for (const MeshJson& one : cases) {
        const MeshJson &input = one["input"], &expected = one["expected"];
        const std::optional<MeshJson> table = input["kind"] == "config" ? mesh_table_of(input) : std::nullopt;
        if (!table)
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const std::int64_t ranks = expected.value("total_size", std::int64_t{4});
        // Only DeepSpeed shares sequences by heads.
        const bool by_heads = expected.value("sp_size", 1) > 1;
        MeshJson settings{{"distributed_type", by_heads ? "DEEPSPEED" : "FSDP"}, {"num_processes", ranks}};
        if (by_heads)
            settings["deepspeed_config"] = {{"zero_stage", 2}};
        else
            settings["fsdp_config"] = {{"fsdp_version", 2}};
        const settings::Loaded loaded = load_mesh(settings, *table);
        EXPECT_EQ(refuses(loaded), expected.contains("error"));
        if (expected.contains("error") || refuses(loaded))
            continue;
        std::vector<std::string> above_one;
        std::int64_t product = 1, data = 1;
        for (const auto& [name, size] : sizes_of(loaded.settings)) {
            EXPECT_EQ(size, expected[name + "_size"].get<std::int64_t>()) << name;
            product *= size;
            data *= name.starts_with("dp_") ? size : 1;
            if (size > 1)
                above_one.push_back(name);
        }
        EXPECT_EQ(product, ranks);
        EXPECT_EQ(data, expected["data_parallel_size"].get<std::int64_t>());
        std::vector<std::string> active = expected["active_mesh_dims"];
        std::ranges::sort(active);
        EXPECT_EQ(above_one, active);
        if (expected.contains("cp_comm_strategy")) {
            EXPECT_EQ(loaded.settings.text("parallelism_config.parallelism_config_cp_comm_strategy", "allgather"),
                      expected["cp_comm_strategy"].get<std::string>());
        }
    }
    EXPECT_GT(seen, 0);
}

/// Deliberate differences between a program's ParallelismConfig and a settings file.
struct MeshDifference {
    const char* reason;
    std::function<bool(const std::string& type, const std::function<int(const char*)>& size)> applies;
    bool refused;
};

const std::vector<MeshDifference>& mesh_differences() {
    static const std::vector<MeshDifference> table{
        {"accelerate launch has a mesh with FSDP 2 alone, and replicas on GPUs need none",
         [](const std::string& type, const auto& size) {
             return type == "MULTI_GPU" &&
                    std::ranges::any_of(kMeshNames, [&](const char* name) { return size(name) > 1; });
         },
         true},
        {"under FSDP Accelerate builds no mesh for sequences that ranks share, and nothing shares them",
         [](const std::string& type, const auto& size) { return type == "FSDP2" && size("sp") > 1; }, true},
        {"FSDP 2 with nothing to shard: a recipe trains these replicas, or the layers that all ranks share",
         [](const std::string& type, const auto& size) {
             return type == "FSDP2" && size("dp_shard") == 1 && size("cp") == 1 &&
                    size("dp_replicate") * size("tp") == 4 && (size("dp_replicate") == 1 || size("tp") == 1);
         },
         false},
    };
    return table;
}

TEST(MeshSettings, AnAcceleratorOfAnyTypeAcceptsTheSameMeshes) {
    std::ifstream file(test::golden("mesh.json"));
    const MeshJson cases = MeshJson::parse(file)["cases"];
    int seen = 0, trained = 0;
    for (const MeshJson& one : cases) {
        const MeshJson &input = one["input"], &expected = one["expected"];
        const std::string kind = input["kind"];
        ASSERT_TRUE(kind == "mesh" || kind == "config" || kind == "accelerator" || kind == "autotp" ||
                    kind == "dispatch")
            << kind;
        if (kind != "accelerator")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const std::string type = input["type"];
        const std::int64_t ranks = input["ranks"].get<std::int64_t>();
        const bool fsdp = type.starts_with("FSDP");
        MeshJson settings{{"distributed_type", fsdp ? "FSDP" : type}, {"num_processes", ranks}};
        if (type == "MULTI_CPU" || type == "NO")
            settings["use_cpu"] = true;
        if (fsdp)
            settings["fsdp_config"] = {{"fsdp_version", type.back() - '0'}};
        if (type == "DEEPSPEED")
            settings["deepspeed_config"] = {{"zero_stage", 2}};
        MeshJson table = MeshJson::object();
        for (const auto& [name, size] : input["sizes"].items())
            table["parallelism_config_" + name + "_size"] = size;
        const settings::Loaded loaded = load_mesh(settings, table);
        const auto size = [&](const char* name) { return input["sizes"].value(name, 1); };
        bool refused = expected.contains("error");
        for (const MeshDifference& difference : mesh_differences())
            if (difference.applies(type, size)) {
                refused = difference.refused;
                break;
            }
        EXPECT_EQ(refuses(loaded), refused);
        if (refuses(loaded) || expected.contains("error"))
            continue;
        // What a recipe on these ranks makes of it: the sizes themselves, and the rest of the ranks as data ranks.
        ++trained;
        for (const auto& [name, wanted] : expected["sizes_after"].items()) {
            const auto asked = sizes_of(loaded.settings).at(name);
            EXPECT_EQ(asked, input["sizes"].value(name, 1)) << name;
            // Replicas that nobody asked for are the ranks.
            EXPECT_TRUE(asked == wanted.get<std::int64_t>() || (asked == 1 && wanted == ranks)) << name;
        }
        if (expected["mesh"].is_null())
            continue;
        // Replicas of one rank each have nothing that ZeRO could share out; Accelerate's DeepSpeed ignores the size.
        if (type == "DEEPSPEED" && size("dp_replicate") == ranks) {
            EXPECT_THROW(config::on_ranks(with_settings({}, loaded.settings), ranks), InvalidInput);
            continue;
        }
        const config::Recipe recipe = config::on_ranks(with_settings({}, loaded.settings), ranks);
        const config::ParallelRecipe& parallel = recipe.parallel;
        const std::map<std::string, std::int64_t> made{
            {"dp_replicate", recipe.data_ranks(ranks) / recipe.shard_ranks(ranks)},
            {"dp_shard", recipe.shard_ranks(ranks)},
            {"cp", parallel.cp_size},
            {"sp", parallel.sp_size},
            {"tp", parallel.tp_size}};
        std::int64_t product = 1;
        for (const auto& [name, count] : made)
            product *= count;
        EXPECT_EQ(product, ranks);
        for (std::size_t i = 0; i < expected["mesh"]["dimensions"].size(); ++i)
            EXPECT_EQ(made.at(expected["mesh"]["dimensions"][i]), expected["mesh"]["shape"][i].get<std::int64_t>());
    }
    EXPECT_GT(seen, 0);
    EXPECT_GT(trained, 0);
}

}  // namespace
}  // namespace trainyard::plan
