// SPDX-License-Identifier: GPL-3.0-or-later
// Every golden case of config_load through read_settings, with_defaults and to_text. Where Accelerate is wrong, a rule over the
// input says so (config_load_rules.h), never the name of a case.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "config/accelerate/rules.h"
#include "config/accelerate/settings_file.h"
#include "settings/config_load_rules.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::settings {
namespace {

using namespace test_rules;

json json_of(const Value& value) {
    if (value.is_null())
        return nullptr;
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::int64_t* whole = value.integer())
        return *whole;
    if (const double* number = value.number()) {
        if (std::isnan(*number))
            return "nan";
        if (std::isinf(*number))
            return *number < 0 ? "-inf" : "inf";
        return *number;
    }
    if (const std::string* text = value.text())
        return *text;
    if (const auto* date = std::get_if<Date>(&value.data))
        return {{"date", date->text}};
    json made = value.list() != nullptr ? json::array() : json::object();
    if (value.list() != nullptr)
        for (const Value& item : *value.list())
            made.push_back(json_of(item));
    else
        for (const Entry& entry : *value.map())
            made[entry.key] = json_of(entry.value);
    return made;
}

json without_nothing(const json& config) {
    json kept = json::object();
    for (const auto& [key, value] : config.items())
        if (!value.is_null() && !(value.is_object() && value.empty()))
            kept[key] = value;
    return kept;
}

class ConfigLoadFile : public testing::TestWithParam<const char*> {};

std::string problems_of(const Loaded& made) {
    std::string all;
    for (const Problem& problem : made.problems)
        all += problem.text().text() + "\n";
    return all;
}

TEST_P(ConfigLoadFile, EveryGoldenCase) {
    std::ifstream stream(test::golden(GetParam()));
    const json all = json::parse(stream);
    for (const json& golden : all.at("cases")) {
        SCOPED_TRACE(golden.at("id").get<std::string>());
        if (golden.at("input").at("text").is_null()) {
            test::TemporaryFolder folder;
            EXPECT_THROW(load_settings(folder.path() / "config.yaml"), UserError);
            continue;
        }
        Case c = case_of(golden.at("input"));
        const json& expected = golden.at("expected");
        Outcome outcome;
        outcome.refused = expected.contains("error");
        if (!outcome.refused) {
            outcome.config = expected.at("config");
            outcome.saved = expected.at("saved").get<std::string>();
        }
        for (const test_rules::LoadRule& rule : load_rules())
            rule.judge(c, expected, outcome);

        Format format = c.file.ends_with(".json") ? Format::json : Format::yaml;
        Loaded made = read_settings(c.text, c.file, format);
        EXPECT_EQ(!made.problems.empty(), outcome.refused) << problems_of(made);
        for (const std::string& key : outcome.named)
            EXPECT_TRUE(std::ranges::any_of(made.problems, [&](const Problem& p) { return p.key == key; }))
                << key << " is not named in\n"
                << problems_of(made);
        for (const Problem& problem : made.problems)
            EXPECT_FALSE(problem.message.empty());
        if (outcome.refused || !made.problems.empty())
            continue;
        Settings complete = with_defaults(made.settings);
        EXPECT_EQ(without_nothing(json_of(Value(complete.root()))), without_nothing(outcome.config));
        EXPECT_EQ(complete.text("compute_environment") == "AMAZON_SAGEMAKER", c.sagemaker);
        std::string saved = to_text(complete, format);
        EXPECT_EQ(saved, outcome.saved.value_or(saved));
        // Whatever was saved says the same and needs no further change.
        Loaded again = read_settings(saved, c.file, format);
        EXPECT_TRUE(again.problems.empty()) << problems_of(again);
        EXPECT_TRUE(std::ranges::none_of(again.notes, [](const ReadNote& note) {
            return note.kind == ReadNote::Kind::repaired || note.kind == ReadNote::Kind::translated;
        })) << saved;
        EXPECT_EQ(to_text(again.settings, format), saved);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, ConfigLoadFile, testing::Values("config_load.json", "config_load_more.json"));

/// Both tables of README.md have a row for each rule.
TEST(ConfigLoad, RulesAreDocumented) {
    std::ifstream stream(std::string(TRAINYARD_SOURCE_DIR) + "/engine/config/accelerate/README.md");
    std::stringstream readme;
    readme << stream.rdbuf();
    for (const test_rules::LoadRule& rule : load_rules())
        EXPECT_THAT(readme.str(), testing::HasSubstr(std::string("\n| ") + rule.name + " | "));
    for (std::span<const settings::Rule> table :
         {machine_rules(), sharding_rules(), deepspeed_rules(), precision_rules(), cloud_rules()})
        for (const settings::Rule& rule : table)
            EXPECT_THAT(readme.str(),
                        testing::HasSubstr("\n| " + std::string(rule.name) + " | " + std::string(rule.says) + " |\n"));
}

TEST(ConfigLoad, RulesHoldForInputsBeyondTheGoldenFile) {
    auto refused = [](const std::string& text) {
        return !read_settings(text, "c.yaml", Format::yaml).problems.empty();
    };
    EXPECT_TRUE(refused("distributed_type: FSDP\nfsdp_config: {fsdp_version: 3}\n"));
    EXPECT_TRUE(refused("distributed_type: FSDP\nfsdp_config: {fsdp_auto_wrap_policy: SOME_WRAP}\n"));
    EXPECT_TRUE(refused("distributed_type: !!str NO\n"));
    EXPECT_TRUE(refused("distributed_type: 'NO'\nmain_process_port: 99999\n"));
    EXPECT_FALSE(refused("distributed_type: OFF\n"));
    EXPECT_FALSE(refused("distributed_type: TPU\nnum_processes: 8\n"));
    EXPECT_FALSE(refused("distributed_type: 'NO'\ntp_config:\n  tp_size: 1\n"));
}

}  // namespace
}  // namespace trainyard::settings
