// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the conversion of settings between FSDP 1, FSDP 2 and DeepSpeed with Accelerate's command and documentation
// (golden/fsdp_convert.json).

#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "config/accelerate/settings_file.h"
#include "config/values/value_formats.h"
#include "estimate/recipe_estimate.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using settings::Settings;
using test::says;
using testing::HasSubstr;

Json conversion_cases() {
    std::ifstream file(test::golden("fsdp_convert.json"));
    return Json::parse(file)["cases"];
}

Json json_of_text(const std::string& text) {
    std::vector<Problem> problems;
    const Value tree = parse_yaml(text, "out.yaml", problems);
    EXPECT_TRUE(problems.empty());
    return Json::parse(json_of(tree).dump());
}

/// Where we differ from `accelerate to-fsdp2` on purpose: a rule over the input.
struct Difference {
    const char* reason;
    std::function<bool(const Json& table)> applies;
    std::function<void(Json& table)> ours;  ///< changes Accelerate's table to ours; empty: refused
};

std::string text_of(const Json& table, const char* key) {
    return !table.contains(key) || table[key].is_null() ? ""
           : table[key].is_string()                     ? table[key].get<std::string>()
                                                        : table[key].dump();
}

bool is_number_of_strategy(const std::string& text) {
    return text.size() == 1 && text[0] >= '1' && text[0] <= '5';
}

const std::vector<Difference>& differences() {
    static const std::vector<Difference> table{
        {"strategies that do not exist make a file that FSDP 2 refuses",
         [](const Json& fsdp) {
             for (const char* key : {"fsdp_sharding_strategy", "fsdp_reshard_after_forward"}) {
                 const std::string text = text_of(fsdp, key);
                 if (!text.empty() && text != "true" && text != "false" && !is_number_of_strategy(text) &&
                     text != "FULL_SHARD" && text != "SHARD_GRAD_OP" && text != "NO_SHARD" && text != "HYBRID_SHARD" &&
                     text != "HYBRID_SHARD_ZERO2")
                     return true;
             }
             return false;
         },
         {}},
        {"a version that is written as text counts",
         [](const Json& fsdp) { return fsdp.contains("fsdp_version") && fsdp["fsdp_version"] == "2"; },
         [](Json& fsdp) {
             if (fsdp.erase("fsdp_reshard_after_forward") > 0)
                 fsdp["fsdp_sharding_strategy"] = "FULL_SHARD";
         }},
        {"of two strategy keys the one that FSDP 1 reads counts",
         [](const Json& fsdp) {
             return !text_of(fsdp, "fsdp_sharding_strategy").empty() &&
                    !text_of(fsdp, "fsdp_reshard_after_forward").empty();
         },
         [](Json& fsdp) { fsdp["fsdp_reshard_after_forward"] = true; }},
        {"strategies may be numbers",
         [](const Json& fsdp) { return is_number_of_strategy(text_of(fsdp, "fsdp_sharding_strategy")); },
         [](Json& fsdp) {
             const std::string number = text_of(fsdp, "fsdp_reshard_after_forward");
             fsdp["fsdp_reshard_after_forward"] = number == "1" || number == "4";
         }},
        {"FSDP 2 has no local checkpoints",
         [](const Json& fsdp) { return text_of(fsdp, "fsdp_state_dict_type") == "LOCAL_STATE_DICT"; },
         [](Json& fsdp) { fsdp["fsdp_state_dict_type"] = "SHARDED_STATE_DICT"; }},
        {"the old name of the prefetching is translated, and dropped as the new one is",
         [](const Json& fsdp) { return fsdp.contains("fsdp_backward_prefetch_policy"); },
         [](Json& fsdp) { fsdp.erase("fsdp_backward_prefetch_policy"); }},
        {"a null strategy counts as missing",
         [](const Json& fsdp) {
             return fsdp.contains("fsdp_sharding_strategy") && fsdp["fsdp_sharding_strategy"].is_null();
         },
         [](Json& fsdp) { fsdp.erase("fsdp_reshard_after_forward"); }},
    };
    return table;
}

TEST(FsdpConvert, ToFsdp2AsAccelerateWritesIt) {
    int seen = 0;
    for (const Json& one : conversion_cases()) {
        const Json &input = one["input"], &expected = one["expected"];
        if (input["kind"] != "to_fsdp2")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        test::TemporaryFolder folder;
        const auto path = [&](const std::string& name) { return folder.path() / name; };
        const std::string text = input["text"].is_string() ? input["text"].get<std::string>() : "";
        if (input["text"].is_string())
            write_file_atomically(path("in.yaml"), text);
        for (const Json& name : input.value("existing", Json::array()))
            write_file_atomically(path(name.get<std::string>()), "is there");
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard", "to-fsdp2"};
        if (input.contains("flags"))
            for (const Json& flag : input["flags"])
                words.push_back(flag.get<std::string>());
        else
            words.insert(words.end(), {"--config_file", "in.yaml", "--output_file", "out.yaml"});
        test::Program program(words, [&] {
            if (::chdir(folder.path().c_str()) != 0)
                ::_exit(1);
        });
        const test::Said said = program.wait();
        if (expected.contains("error")) {
            EXPECT_NE(said.code, 0);
            continue;
        }
        const Json given = json_of_text(text);
        Json written = expected["written"];
        const Json fsdp = given.is_object() && given.contains("fsdp_config") && given["fsdp_config"].is_object()
                              ? given["fsdp_config"]
                              : Json::object();
        // A file without distributed_type is not a settings file.
        const bool is_settings = given.contains("distributed_type");
        bool refused = !is_settings;
        for (const Difference& difference : differences()) {
            if (!difference.applies(fsdp))
                continue;
            SCOPED_TRACE(difference.reason);
            if (!difference.ours) {
                refused = true;
                break;
            }
            for (auto& [name, content] : written.items())
                if (!input.contains("flags") && content.contains("fsdp_config"))
                    difference.ours(content["fsdp_config"]);
            break;
        }
        if (refused) {
            EXPECT_EQ(said.code, 2) << said.err;
            continue;
        }
        ASSERT_EQ(said.code, 0) << said.err;
        for (const auto& [name, content] : written.items())
            EXPECT_EQ(json_of_text(read_file(path(name))), content) << name;
    }
    EXPECT_GT(seen, 0);
}

/// The row's keys in the table `name`; texts in angle brackets stand for a name of the model.
Settings settings_of_row(const char* type, const std::string& table, const Json& keys) {
    Settings settings;
    settings.set("distributed_type", type);
    settings.set("num_processes", std::int64_t{4});
    for (const auto& [key, value] : keys.items())
        settings.set(table + "." + key, value.is_boolean()          ? Value(value.get<bool>())
                                        : value.is_number_integer() ? Value(value.get<std::int64_t>())
                                                                    : Value(value.get<std::string>()));
    return settings;
}

/// Expects every key of `wanted` with its value, except for values that the other framework leaves at auto.
void expect_keys(const Settings& ours, const std::string& table, const Json& wanted) {
    for (const auto& [key, value] : wanted.items()) {
        const std::string path = table + "." + key;
        if (value.is_boolean()) {
            EXPECT_EQ(ours.boolean(path, !value.get<bool>()), value.get<bool>()) << key;
        } else if (value != "auto") {
            EXPECT_EQ(ours.text(path), value.is_string() ? value.get<std::string>() : value.dump()) << key;
        }
    }
}

TEST(FsdpConvert, EquivalenceHoldsInBothDirections) {
    int seen = 0;
    for (const Json& one : conversion_cases()) {
        const Json& input = one["input"];
        if (input["kind"] != "equivalent")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const Json& fsdp = input["fsdp"];
        Json deepspeed = input["deepspeed"];
        test::TemporaryFolder folder;
        std::vector<settings::ReadNote> notes;
        const bool in_json = deepspeed.contains("zero_hpz_partition_size");
        if (!fsdp.is_null()) {
            Json said = deepspeed;
            said.erase("zero_hpz_partition_size");
            const Settings made = settings::to_deepspeed(settings_of_row("FSDP", "fsdp_config", fsdp), notes);
            EXPECT_EQ(made.text("distributed_type"), "DEEPSPEED");
            EXPECT_FALSE(made.has("fsdp_config"));
            expect_keys(made, "deepspeed_config", said);
            const bool told = std::ranges::any_of(notes, [](const settings::ReadNote& note) {
                return note.message.text().find("zero_hpz_partition_size") != std::string::npos;
            });
            EXPECT_EQ(told, in_json);
        }
        if (deepspeed.empty())
            continue;  // DeepSpeed decides it: nothing to convert back
        if (!deepspeed.contains("zero_stage"))
            deepspeed["zero_stage"] = 3;
        Settings given = settings_of_row("DEEPSPEED", "deepspeed_config", deepspeed);
        if (in_json) {
            const std::string file = (folder.path() / "ds.json").string();
            write_file_atomically(file, R"({"zero_optimization": {"stage": 3, "zero_hpz_partition_size": 2}})");
            given = settings_of_row("DEEPSPEED", "deepspeed_config", {{"deepspeed_config_file", file}});
        }
        if (fsdp.is_null()) {
            EXPECT_THROW(settings::to_fsdp(given, 2, notes), InvalidInput);
            continue;
        }
        const int version = fsdp.value("fsdp_version", 1);
        const Settings back = settings::to_fsdp(given, version, notes);
        EXPECT_EQ(back.text("distributed_type"), "FSDP");
        EXPECT_FALSE(back.has("deepspeed_config"));
        expect_keys(back, "fsdp_config", fsdp);
    }
    EXPECT_GT(seen, 0);
}

/// The engine's weights and optimizer state are fp32 whatever the file of weights has; without mixed precision FSDP
/// trains in the file's format, which ours does not.
TEST(FsdpConvert, FormatsOfMixedPrecisionAreAsDocumented) {
    for (const Json& one : conversion_cases()) {
        const Json &input = one["input"], &expected = one["expected"];
        if (input["kind"] != "precision" || input["mixed_precision"] == "no")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        const config::Recipe recipe = config::parse_recipe(
            "model: {n_layer: 1, n_head: 1, n_embd: 8, vocab_size: 16, n_positions: 8}\n"
            "data: {path: a, sequence_length: 8}\ntraining: {mixed_precision: " +
                input["mixed_precision"].get<std::string>() + "}\n",
            "/r/r.yaml");
        const estimate::RecipeEstimate estimated = estimate::estimate_recipe(recipe, 1);
        const double parameters = estimated.plan.model.parameters();
        const auto bytes = [&](estimate::Part part) { return estimated.memory.fullest().bytes_of(part) / parameters; };
        EXPECT_EQ(choice_name(estimated.plan.setup.precision), expected["computed"].get<std::string>());
        EXPECT_EQ(expected["optimizer"] == "fp32", bytes(estimate::Part::optimizer) == 8);
        EXPECT_EQ(expected["stored"] == "fp32", bytes(estimate::Part::weights) >= 4);
    }
}

TEST(FsdpConvert, CommandsWriteAFileAndSayWhatIsLost) {
    test::TemporaryFolder folder;
    const std::string first = (folder.path() / "fsdp.yaml").string(), second = (folder.path() / "ds.yaml").string(),
                      third = (folder.path() / "back.yaml").string();
    write_file_atomically(first,
                          "distributed_type: FSDP\nnum_processes: 4\nfsdp_config:\n  fsdp_version: 1\n"
                          "  fsdp_sharding_strategy: SHARD_GRAD_OP\n  fsdp_forward_prefetch: true\n");
    test::Said said = test::trainyard({"to-deepspeed", "--config_file", first, "--output_file", second});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                test::says("{} became zero_stage: {}", testing::EndsWith("SHARD_GRAD_OP"), testing::StartsWith("2")));
    EXPECT_THAT(said.out, HasSubstr("fsdp_forward_prefetch was dropped"));
    EXPECT_EQ(settings::load_settings(second).settings.integer("deepspeed_config.zero_stage", 0), 2);
    said = test::trainyard({"to-fsdp", "--config_file", second, "--output_file", third, "--fsdp_version", "1"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(settings::load_settings(third).settings.text("fsdp_config.fsdp_sharding_strategy"), "SHARD_GRAD_OP");
    write_file_atomically(second,
                          "distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n"
                          "  offload_optimizer_device: nvme\n");
    said = test::trainyard({"to-fsdp", "--config_file", second, "--overwrite"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("FSDP does not offload to a disk: set it to cpu or none"));
}

}  // namespace
}  // namespace trainyard
