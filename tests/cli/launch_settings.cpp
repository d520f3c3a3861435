// Every key of a settings file and every flag of `launch`, given with a recipe: what is applied changes the plan, what is not is named with the
// reason, and nothing is dropped without a word. The keys are those of the schema that engine/settings/KEYS.md is made from.

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "launch/rank_orders.h"
#include "settings/schema.h"

namespace trainyard::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using settings::Key;
using settings::Section;
using settings::Type;
using test::FakeRun;
using test::Said;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class LaunchSettingsOfRecipe : public ::testing::Test {
  protected:
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
std::string other_value(const Key& key) {
    const std::string usual = key.standard().display();
    switch (key.type) {
        case Type::boolean:
            return usual == "true" ? "false" : "true";
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

/// What `applied` settings change: the run, or what its ranks are given. Not what differs from launch to launch.
std::string effect_of(const json& plan) {
    std::string text = plan.at("run_yaml");
    for (const char* line : {"\ncommand:", "\ncreated:"})
        if (const std::size_t begin = text.find(line); begin != std::string::npos)
            text.erase(begin, text.find('\n', begin + 1) - begin);
    json ranks = plan.at("ranks");
    for (json& rank : ranks)
        rank["environment"].erase("MASTER_PORT");  // a free one
    return text + ranks.dump();
}

/// What an applied setting sets, or why another is not applied.
std::string words_of(const json& row) {
    return row.at(row.at("effect") == "applied" ? "sets" : "reason").get<std::string>();
}

TEST_F(LaunchSettingsOfRecipe, EveryKeyOfAFileIsAppliedOrNamed) {
    const Said usual = plan({"--config_file", file({})});
    ASSERT_EQ(usual.code, 0) << usual.err;
    const std::string before = effect_of(json::parse(usual.out));
    int applied = 0, named = 0;
    for (const Key& key : settings::schema()) {
        if (key.section == Section::launch || key.section == Section::sagemaker || key.name == "compute_environment")
            continue;
        const std::string path = key.path(), value = key.name == "num_processes" ? "3" : other_value(key);
        const Said said = plan({"--config_file", file({{path, value}})});
        if (said.code != 0) {
            EXPECT_EQ(said.code, 2) << path << ": " << said.err;
            // By its own name, its table's, or what it asks for.
            EXPECT_THAT(said.err,
                        ::testing::AnyOf(HasSubstr(std::string(key.name)),
                                         HasSubstr(key.section == Section::parallelism ? "parallelism_config: a mesh"
                                                                                       : "2 machines meet")))
                << path << " " << value;
            ++named;
            continue;
        }
        const json after = json::parse(said.out);
        json row;
        for (const json& one : after["settings"])
            if (one["key"] == path)
                row = one;
        if (row.is_null()) {
            ADD_FAILURE() << path << " is dropped without a word";
            continue;
        }
        EXPECT_GT(words_of(row).size(), 8u) << path;
        EXPECT_NE(row["effect"], "refused") << path << ": what is refused is not planned";
        // The two kinds of data parallelism are one here; the usual file says use_cpu; a plan does not start mpirun.
        const std::set<std::string> kNotPlanned{"distributed_type", "use_cpu", "mpirun_config.mpirun_hostfile"};
        if (row["effect"] == "applied" && !kNotPlanned.contains(path)) {
            EXPECT_TRUE(before != effect_of(after)) << path << " " << value << " has no effect";
            ++applied;
        }
        if (row["effect"] == "ignored") {
            EXPECT_TRUE(before == effect_of(after)) << path << " " << value << " has an effect";
            ++named;
        }
    }
    EXPECT_GE(applied, 4);
    EXPECT_GE(named, 80);
}

TEST_F(LaunchSettingsOfRecipe, EveryFlagIsAppliedOrNamed) {
    const std::string settings_file = file({});
    const Said usual = plan({"--config_file", settings_file});
    ASSERT_EQ(usual.code, 0) << usual.err;
    const std::string before = effect_of(json::parse(usual.out));
    // These ask for something else than a plan, or are part of how this test asks.
    const std::set<std::string_view> kOther{"module", "no_python", "config_file", "dry_run", "json",
                                            "check",  "slurm",     "hosts",       "hostfile"};
    // Of the launch, not of the run that is planned.
    const std::set<std::string> kOfLaunch{"--queue", "--detach", "--run_dir", "--cpu", "--mpirun_hostfile"};
    for (const Key& key : settings::schema()) {
        if (key.flag.kind == settings::FlagKind::none || kOther.contains(key.name) || key.section == Section::sagemaker)
            continue;
        std::string value = other_value(key);
        if (value.front() == '\'')
            value = value.substr(1, value.size() - 2);
        if (key.name == "num_processes")
            value = "3";
        if (key.name == "set")
            value = "training.steps=77";
        if (key.name == "run_dir")
            value = (fake_.recipe().parent_path() / "own_run").string();
        std::vector<std::string> words{"--config_file", settings_file, std::string(key.flag.name)};
        if (key.flag.kind == settings::FlagKind::value || key.flag.kind == settings::FlagKind::repeated)
            words.push_back(value);
        const Said said = plan(words);
        const std::string flag(key.flag.name);
        if (said.code != 0) {
            EXPECT_EQ(said.code, 2) << flag << ": " << said.err;
            // Named itself, or by what it asks for.
            static const std::map<std::string_view, std::string> kAsksFor{{"num_machines", "2 machines meet"},
                                                                          {"tpu_use_cluster", "tpu_name"},
                                                                          {"tpu", "not with TPU"},
                                                                          {"use_fsdp", "not with FSDP"},
                                                                          {"use_megatron_lm", "not with Megatron-LM"}};
            auto asks = kAsksFor.find(key.name);
            EXPECT_THAT(said.err, ::testing::AnyOf(HasSubstr(flag), HasSubstr(std::string(key.name)),
                                                   HasSubstr(asks == kAsksFor.end() ? flag : asks->second)))
                << value;
            continue;
        }
        const json after = json::parse(said.out, nullptr, false);
        ASSERT_FALSE(after.is_discarded()) << flag << ": " << said.out;
        json row;
        for (const json& one : after["settings"])
            if (one["key"] == flag)
                row = one;
        ASSERT_FALSE(row.is_null()) << flag << " is dropped without a word";
        EXPECT_GT(words_of(row).size(), 8u) << flag;
        const bool changes = row["effect"] == "applied" && !kOfLaunch.contains(flag) &&
                             key.standard().display() != value &&
                             words_of(row).find("way of training") == std::string::npos;
        if (changes) {
            EXPECT_TRUE(before != effect_of(after)) << flag << " " << value << " has no effect";
        } else if (row["effect"] == "ignored") {
            EXPECT_TRUE(before == effect_of(after)) << flag << " " << value << " has an effect";
        }
    }
}

TEST_F(LaunchSettingsOfRecipe, WhatAFileSaysReachesTheRun) {
    Said said = plan({"--config_file", file({{"debug", "true"}, {"enable_cpu_affinity", "true"}})});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("  debug: true\n"), HasSubstr("cpu_affinity: true\n")));
    said = plan({"--config_file", file({{"dynamo_config.dynamo_backend", "INDUCTOR"}})});
    EXPECT_EQ(said.code, 0) << "a compiler of Python is no reason not to train: " << said.err;
    said = test::trainyard({"launch", "--dry-run", "--config_file",
                            file({{"dynamo_config.dynamo_backend", "INDUCTOR"}, {"debug", "true"}}), fake_.recipe()});
    EXPECT_THAT(said.out, AllOf(HasSubstr("# setting dynamo_config.dynamo_backend INDUCTOR ("),
                                HasSubstr("): ignored: the engine's kernels are compiled already"),
                                HasSubstr("# setting debug true ("), HasSubstr("): applied: parallel.debug")));
    EXPECT_THAT(said.out, Not(HasSubstr("# setting num_machines"))) << "what is as usual needs no line";
    said = plan({"--config_file", file({}), "--tee", "3", "--log_dir", "somewhere"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("tee: \"3\"\n"), HasSubstr("/somewhere\"\n")));
}

TEST(RankOrdersOfDevices, TheDevicesOfTheSettingsAreThoseThatRanksSee) {
    run::RunSpec spec;
    spec.launch.num_processes = 2;
    spec.launch.gpu_ids = "2,3";
    for (const auto& [device, variable] :
         {std::pair("cuda", "CUDA_VISIBLE_DEVICES"), {"npu", "ASCEND_RT_VISIBLE_DEVICES"}}) {
        spec.launch.device = device;
        const auto orders =
            launch::rank_orders(run::RunPaths("/run"), spec, run::machines_of(spec.launch), {}, "worker");
        ASSERT_EQ(orders.size(), 1u);
        ASSERT_TRUE(orders[0].environment.contains(variable)) << device;
        EXPECT_EQ(orders[0].environment.at(variable), "2,3");
    }
    EXPECT_EQ(run::parse_spec(run::to_yaml(spec), "run.yaml").launch.gpu_ids, "2,3");
}

}  // namespace
}  // namespace trainyard::cli
