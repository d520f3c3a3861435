// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs `trainyard launch --dry-run --json` on a recipe with settings from a file or flags, for tests of all keys of the
// schema.

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "config/accelerate/schema.h"
#include "launch/fake_run.h"

namespace trainyard::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using settings::Key;
using settings::Type;

/// A recipe to plan.
class RecipePlan : public ::testing::Test {
  protected:
    /// Checks that an applied setting changes the plan and an ignored one does not, and counts both kinds.
    static void expect_effect(const Json& row, bool changed, const std::string& what, const std::string& path,
                              int& applied, int& named) {
        // Applied settings without an effect on the plan: both kinds of data parallelism are the same here, the usual
        // settings have use_cpu already, and a plan does not start mpirun.
        const std::set<std::string> kNotPlanned{"distributed_type", "use_cpu", "mpirun_config.mpirun_hostfile"};
        if (row["effect"] == "applied" && !kNotPlanned.contains(path)) {
            EXPECT_TRUE(changed) << what << " has no effect";
            ++applied;
        }
        if (row["effect"] == "ignored") {
            EXPECT_TRUE(!changed) << what << " has an effect";
            ++named;
        }
    }
    Said plan(const std::vector<std::string>& words) {
        std::vector<std::string> all{"launch", "--dry-run", "--json"};
        all.insert(all.end(), words.begin(), words.end());
        all.push_back(fake_.recipe());
        return test::trainyard(all);
    }
    /// A settings file with these values over the usual ones, by path.
    std::string file(std::map<std::string, std::string> values) {
        std::map<std::string, std::string> top{{"compute_environment", "LOCAL_MACHINE"},
                                               {"distributed_type", "MULTI_CPU"},
                                               {"num_processes", "2"},
                                               {"num_machines", "1"},
                                               {"use_cpu", "true"}};
        std::map<std::string, std::string> tables;
        for (const auto& [path, value] : values) {
            const std::size_t dot = path.find('.');
            if (dot == std::string::npos)
                top[path] = value;
            else
                tables[path.substr(0, dot)] += "  " + path.substr(dot + 1) + ": " + value + "\n";
        }
        std::string text;
        for (const auto& [key, value] : top)
            text += key + ": " + value + "\n";
        for (const auto& [table, lines] : tables)
            text += table + ":\n" + lines;
        const fs::path path = fake_.recipe().parent_path() / "settings.yaml";
        write_file_atomically(path, text, false);
        return path.string();
    }

    FakeRun fake_;
};

/// A value that is not the usual one.
inline std::string other_value(const Key& key) {
    const std::string usual = key.standard().display();
    switch (key.type) {
        case Type::boolean:
            return usual == "True" ? "false" : "true";
        case Type::integer:
        case Type::number: {
            double value = std::max(std::isfinite(key.range.least) ? key.range.least : 0.0, 1.0) + 1;
            return std::to_string(static_cast<int>(std::min(value, key.range.most)));
        }
        case Type::choice:
            for (std::string_view choice : key.choices)
                if (choice != usual)
                    return "'" + std::string(choice) + "'";  // NO is a text
            return usual;
        case Type::booleans:
            return "'true,true,true'";
        case Type::texts:
            return "[one]";
        case Type::table:
            return "{one: two}";
        default:
            return key.name == "gpu_ids" ? "'0'" : "something";
    }
}

/// Returns the parts of a plan that applied settings may change: the run, and the environment and arguments of its
/// ranks, without values that differ from launch to launch.
inline std::string effect_of(const Json& plan) {
    std::string text = plan.at("run_yaml");
    for (const char* line : {"\ncommand:", "\ncreated:"})
        if (const std::size_t begin = text.find(line); begin != std::string::npos)
            text.erase(begin, text.find('\n', begin + 1) - begin);
    Json ranks = plan.at("ranks");
    for (Json& rank : ranks)
        rank["environment"].erase("MASTER_PORT");  // a free one
    return text + ranks.dump();
}

/// Returns what an applied setting sets, or why a setting is not applied.
inline std::string words_of(const Json& row) {
    return row.at(row.at("effect") == "applied" ? "sets" : "reason").get<std::string>();
}

/// The row of the table `settings` for that key or flag; null: it is not there.
inline Json row_of(const Json& plan, const std::string& name) {
    for (const Json& one : plan.at("settings"))
        if (one.at("key") == name)
            return one;
    return nullptr;
}

}  // namespace trainyard::test
