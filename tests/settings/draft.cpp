// SPDX-License-Identifier: GPL-3.0-or-later
// Settings while someone works on them: what is written, what is remembered, undo, and that an opened file is not harmed.

#include "config/accelerate/draft.h"

#include <cmath>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "config/accelerate/schema.h"
#include "settings/machine_with_gpus.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::settings {
namespace {

using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Loaded file_of(const std::string& text, const std::string& name = "a.yaml") {
    return read_settings(text, name, name.ends_with(".json") ? Format::json : Format::yaml);
}

const DraftLine* line_of(const std::vector<DraftLine>& lines, const std::string& path) {
    for (const DraftLine& line : lines)
        if (line.path == path)
            return &line;
    return nullptr;
}

constexpr const char* kOldFsdp =
    "# ours since 2023\n"
    "distributed_type: FSDP  # sharded\n"
    "num_processes: 4\n"
    "mixed_precision: bf16\n"
    "fsdp_config:\n"
    "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n"
    "  fsdp_sharding_strategy: SHARD_GRAD_OP\n"
    "  fsdp_ignored_modules: norm.*\n";

TEST(Draft, StartsFilledInFromTheMachine) {
    Draft draft(with_gpus(4));
    EXPECT_EQ(draft.settings().text("distributed_type"), "MULTI_GPU");
    EXPECT_EQ(draft.settings().integer("num_processes", 0), 4);
    EXPECT_FALSE(draft.modified());
    EXPECT_TRUE(draft.findings().empty());
    draft.set_machine(with_gpus(8));
    EXPECT_EQ(draft.settings().integer("num_processes", 0), 8);
    draft.answer("num_processes", "6");
    draft.set_machine(with_gpus(2));
    EXPECT_EQ(draft.settings().integer("num_processes", 0), 6) << "what was answered stays";
}

TEST(Draft, AnswersOfHiddenQuestionsComeBack) {
    Draft draft(with_gpus(4));
    draft.answer("fsdp", "yes");
    draft.answer("fsdp_offload", "yes");
    draft.answer("ds", "yes");
    EXPECT_FALSE(draft.settings().has("fsdp_config"));
    EXPECT_TRUE(draft.settings().has("deepspeed_config"));
    draft.answer("ds", "no");
    EXPECT_TRUE(draft.settings().boolean("fsdp_config.fsdp_offload_params"));
}

TEST(Draft, AnOpenedFileIsTheSameUntilSomethingIsChanged) {
    Draft draft(with_gpus(1));
    draft.open(file_of(kOldFsdp));
    EXPECT_EQ(draft.text(), kOldFsdp);
    EXPECT_FALSE(draft.modified());
    EXPECT_EQ(draft.questionnaire().answer(*draft.questionnaire().find("fsdp_version"), draft.answers()), "1")
        << "a file that does not say means version 1";
    for (const DraftLine& line : draft.lines())
        EXPECT_EQ(line.change, DraftLine::Change::same);

    const Draft::State opened = draft.state();
    draft.answer("num_processes", "8");
    EXPECT_TRUE(draft.modified());
    EXPECT_THAT(draft.text(), HasSubstr("# ours since 2023"));
    EXPECT_THAT(draft.text(), HasSubstr("  # sharded"));
    EXPECT_THAT(draft.text(), HasSubstr("num_processes: 8\n"));
    ASSERT_NE(line_of(draft.lines(), "num_processes"), nullptr);
    EXPECT_EQ(line_of(draft.lines(), "num_processes")->change, DraftLine::Change::changed);
    draft.set_state(opened);
    EXPECT_EQ(draft.text(), kOldFsdp);
}

TEST(Draft, KeysThatNoQuestionCoversSleepWithTheirTable) {
    Draft draft(with_gpus(4));
    draft.open(file_of(kOldFsdp));
    draft.answer("fsdp", "no");
    EXPECT_FALSE(draft.settings().has("fsdp_config"));
    EXPECT_EQ(line_of(draft.lines(), "fsdp_config")->change, DraftLine::Change::removed);
    draft.answer("fsdp", "yes");
    EXPECT_EQ(draft.settings().text("fsdp_config.fsdp_ignored_modules"), "norm.*");
    draft.answer("env", "AMAZON_SAGEMAKER");
    EXPECT_FALSE(draft.settings().has("fsdp_config"));
    draft.answer("env", "LOCAL_MACHINE");
    EXPECT_EQ(draft.settings().text("fsdp_config.fsdp_ignored_modules"), "norm.*");
}

/// The questions leave out what DeepSpeed's own file sets; a file that has both is an error before it is saved.
TEST(Draft, DoubleConfigurationOfDeepSpeedIsAnError) {
    Draft draft(with_gpus(4));
    const auto errors = [&] {
        std::vector<std::string> paths;
        for (const Finding& finding : draft.findings())
            if (finding.severity == Finding::Severity::error)
                paths.push_back(finding.path);
        return paths;
    };
    draft.answer("ds", "yes");
    draft.answer("mp", "bf16");
    draft.answer("ds_stage", "3");
    draft.answer("ds_file_yn", "yes");
    draft.answer("ds_file", "ds.json");
    EXPECT_TRUE(draft.settings().has("deepspeed_config.deepspeed_config_file"));
    EXPECT_FALSE(draft.settings().has("deepspeed_config.zero_stage"));
    EXPECT_FALSE(draft.settings().has("mixed_precision"));
    EXPECT_THAT(errors(), testing::IsEmpty());
    draft.open(
        file_of("distributed_type: DEEPSPEED\nmixed_precision: bf16\nnum_processes: 4\n"
                "deepspeed_config: {deepspeed_config_file: ds.json, gradient_clipping: 0.5}\n"));
    EXPECT_THAT(errors(), testing::UnorderedElementsAre("mixed_precision", "deepspeed_config.gradient_clipping"));
}

TEST(Draft, AnAnswerWinsOverWhatTheFileSaid) {
    Draft draft(with_gpus(4));
    draft.open(file_of("distributed_type: MULTI_GPU\nnum_processes: 2\n"));
    EXPECT_FALSE(draft.settings().has("debug"));
    draft.answer("debug", "yes");
    EXPECT_TRUE(draft.settings().boolean("debug"));
    EXPECT_EQ(line_of(draft.lines(), "debug")->change, DraftLine::Change::added);
}

TEST(Draft, ExpertKeysAndQuestionsAreOneModel) {
    Draft draft(with_gpus(4));
    draft.set("distributed_type", "FSDP");
    EXPECT_EQ(draft.questionnaire().answer(*draft.questionnaire().find("fsdp"), draft.answers()), "yes");
    EXPECT_EQ(draft.settings().integer("fsdp_config.fsdp_version", 0), 2) << "the questions' defaults come with it";
    draft.set("fsdp_config.fsdp_version", 1);
    EXPECT_EQ(draft.settings().text("fsdp_config.fsdp_sharding_strategy"), "FULL_SHARD");
    draft.set("fsdp_config.fsdp_ignored_modules", "lm_head");
    EXPECT_EQ(draft.settings().text("fsdp_config.fsdp_ignored_modules"), "lm_head");
    draft.set("fsdp_config.fsdp_ignored_modules", Value());
    EXPECT_FALSE(draft.settings().has("fsdp_config.fsdp_ignored_modules"));
    draft.set("debug", Value());
    EXPECT_FALSE(draft.settings().has("debug"));
    draft.set("mixed_precision", "bf16");
    EXPECT_EQ(draft.answers().at("mp"), "bf16");
    // A value no question could have given stands, and is found fault with.
    draft.set("mixed_precision", "fp12");
    EXPECT_EQ(draft.settings().text("mixed_precision"), "fp12");
    EXPECT_TRUE(
        std::ranges::any_of(draft.findings(), [](const Finding& one) { return one.path == "mixed_precision"; }));
}

TEST(Draft, AnEarlierStateIsSetAgain) {
    Draft draft(with_gpus(4));
    std::vector<Draft::State> states{draft.state()};
    std::vector<std::string> texts{draft.text()};
    for (const char* value : {"2", "3", "4", "5"}) {
        draft.answer("num_processes", value);
        states.push_back(draft.state());
        texts.push_back(draft.text());
    }
    draft.answer("num_processes", "5");
    EXPECT_EQ(draft.state(), states.back()) << "nothing new";
    for (std::size_t i = texts.size(); i-- > 0;) {
        draft.set_state(states[i]);
        EXPECT_EQ(draft.text(), texts[i]);
    }
}

TEST(Draft, APresetGivesGoodSettings) {
    for (const Preset& preset : Draft::presets()) {
        SCOPED_TRACE(preset.id);
        Draft draft(with_gpus(4));
        std::string before = draft.text();
        draft.apply(preset);
        for (const auto& [path, value] : preset.keys) {
            EXPECT_NE(find_key(path), nullptr) << path;
            const Value* written = draft.settings().find(path);
            ASSERT_NE(written, nullptr) << path;
            EXPECT_EQ(written->display(), value.display()) << path;
        }
        for (const Finding& finding : draft.findings()) {
            bool left_to_say = preset.id == "many-hosts" && finding.path == "main_process_ip";
            EXPECT_TRUE(left_to_say || finding.severity != Finding::Severity::error) << finding.message;
        }
        draft.set_state(Draft(with_gpus(4)).state());
        EXPECT_EQ(draft.text(), before);
    }
}

TEST(Draft, ProblemsOfQuestionsAreFindings) {
    Draft draft(with_gpus(4));
    draft.answer("num_machines", "2");
    draft.answer("main_port", "99999");
    std::vector<std::string> paths;
    for (const Finding& finding : draft.findings())
        paths.push_back(finding.path);
    EXPECT_THAT(paths, Contains("main_process_port"));
    EXPECT_THAT(paths, Contains("main_process_ip"));
    EXPECT_EQ(std::ranges::count(paths, "main_process_port"), 1) << "told once";
    draft.answer("main_port", "29500");
    draft.answer("main_ip", "gpu-a");
    EXPECT_TRUE(draft.findings().empty());
}

TEST(Draft, WhatOnlyThisMachineLacksIsAWarning) {
    Machine bare;
    bare.device = "cuda";
    bare.device_count = 2;
    Draft draft(bare);
    draft.answer("ds", "yes");
    ASSERT_EQ(draft.findings().size(), 1u);
    EXPECT_EQ(draft.findings()[0].severity, Finding::Severity::warning);
    EXPECT_THAT(draft.findings()[0].message, HasSubstr("deepspeed"));
}

TEST(Draft, FlagsThatSayTheSame) {
    Draft draft(with_gpus(4));
    using Words = std::vector<std::string>;
    EXPECT_EQ(draft.command_flags(), (Words{"--multi_gpu", "--num_processes", "4"}));
    draft.answer("fsdp", "yes");
    draft.answer("mp", "bf16");
    Words words = draft.command_flags();
    EXPECT_THAT(words, Contains("--use_fsdp"));
    EXPECT_THAT(words, testing::IsSupersetOf({"--fsdp_version", "2", "--mixed_precision", "bf16"}));
    EXPECT_THAT(words, Not(Contains("--fsdp_min_num_params")));
    draft.answer("machine_type", "NO");
    draft.answer("use_cpu", "yes");
    draft.answer("mp", "no");
    EXPECT_THAT(draft.command_flags(), testing::ElementsAre("--cpu", "--num_processes", "1"));
}

TEST(Draft, SaveMakesTheFileTheNewOriginal) {
    test::TemporaryFolder folder;
    Draft draft(with_gpus(2));
    draft.answer("debug", "yes");
    draft.save(folder.path() / "new" / "a.yaml");
    EXPECT_FALSE(draft.modified());
    EXPECT_EQ(read_file(folder.path() / "new" / "a.yaml"), draft.text());
    EXPECT_EQ(draft.settings(), load_settings(folder.path() / "new" / "a.yaml").settings);
    draft.save(folder.path() / "a.json");
    EXPECT_TRUE(Json::accept(read_file(folder.path() / "a.json")));
    EXPECT_EQ(draft.settings(), load_settings(folder.path() / "a.json").settings);
    draft.answer("debug", "no");
    EXPECT_TRUE(draft.modified());
}

TEST(Draft, KeptAcrossARestart) {
    Draft draft(with_gpus(4));
    draft.open(file_of(kOldFsdp));
    draft.answer("num_processes", "8");
    draft.set("fsdp_config.fsdp_min_num_params", 1000);
    draft.answer("fsdp", "no");
    Draft other(with_gpus(4));
    ASSERT_TRUE(other.restore(draft.store()));
    EXPECT_EQ(other.text(), draft.text());
    EXPECT_EQ(other.lines(), draft.lines());
    other.answer("fsdp", "yes");
    EXPECT_EQ(other.settings().text("fsdp_config.fsdp_ignored_modules"), "norm.*");
    std::string before = other.text();
    for (const char* broken : {"", "{", "[]", "{\"version\": 9}", "{\"version\": 2, \"answers\": [1]}", "null"})
        EXPECT_FALSE(other.restore(broken)) << broken;
    EXPECT_EQ(other.text(), before);
}

TEST(Draft, KeepsValuesThatJsonDoesNotHave) {
    Draft draft(with_gpus(2));
    const Value own(Value::List{1.0, 1, HUGE_VAL, "1", "caf\xC3\xA9\n", Value(Date{"2024-01-02T03:04:05+01:00"}),
                                Value(Value::Map{{"a", Value()}})});
    draft.set("dynamo_config.own", own);
    Draft other(with_gpus(2));
    ASSERT_TRUE(other.restore(draft.store()));
    ASSERT_NE(other.settings().find("dynamo_config.own"), nullptr);
    EXPECT_EQ(*other.settings().find("dynamo_config.own"), own);
}

TEST(Draft, ReadsWhatVersion1Stored) {
    Draft draft(with_gpus(2));
    ASSERT_TRUE(draft.restore(
        R"({"version": 1, "answers": {}, "dormant": [], "overrides": [{"path": "dynamo_config.own", "removed": false,
            "value": [{"number": "1.0"}, 1, "1", null, {"date": "2024-01-02"}, {"map": [["a b", true]]}]}]})"));
    const Value own(
        Value::List{1.0, 1, "1", Value(), Value(Date{"2024-01-02"}), Value(Value::Map{{"a b", Value(true)}})});
    ASSERT_NE(draft.settings().find("dynamo_config.own"), nullptr);
    EXPECT_EQ(*draft.settings().find("dynamo_config.own"), own);
}

TEST(Draft, ComparedLinesAreAddedChangedAndRemoved) {
    std::vector<DraftLine> lines =
        compare_texts("a: 1\nb: 2\nc:\n  x: 1\n  y: 2\nd: 4\n", "a: 1\nb: 3\nc:\n  y: 2\n  z: 9\nd: 4\ne: 5\n");
    using Change = DraftLine::Change;
    std::vector<DraftLine> wanted{{Change::same, "a: 1", "a"},     {Change::changed, "b: 3", "b"},
                                  {Change::same, "c:", "c"},       {Change::removed, "  x: 1", "c.x"},
                                  {Change::same, "  y: 2", "c.y"}, {Change::added, "  z: 9", "c.z"},
                                  {Change::same, "d: 4", "d"},     {Change::added, "e: 5", "e"}};
    ASSERT_EQ(lines.size(), wanted.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(lines[i], wanted[i]) << lines[i].text << " " << lines[i].path;
    EXPECT_TRUE(compare_texts("", "").empty());
}

/// Every text of the loader's golden cases, opened and saved unchanged.
TEST(DraftGolden, OpeningAndSavingHarmsNoFile) {
    std::ifstream file(test::golden("config_load.json"));
    int files = 0;
    const Json document = Json::parse(file);
    for (const Json& one : document.at("cases")) {
        if (one.at("input").at("text").is_null())
            continue;
        SCOPED_TRACE(one.at("id").get<std::string>());
        std::string text = one.at("input").at("text");
        Loaded loaded = file_of(text, one.at("input").value("file", "config.yaml"));
        Settings settings = loaded.settings;
        Draft draft(with_gpus(2));
        draft.open(loaded);
        EXPECT_EQ(draft.settings(), settings);
        EXPECT_EQ(draft.text(loaded.format), rewrite(loaded, settings));
        if (loaded.problems.empty() && loaded.notes.empty()) {
            EXPECT_EQ(draft.text(loaded.format), text);
        }
        ++files;
    }
    EXPECT_GT(files, 0);
}

/// Random settings, of keys of all sections and with values right and wrong: what is written is what was opened.
TEST(DraftProperty, AnySettingsComeOutAsTheyWentIn) {
    std::mt19937 random(11);
    std::vector<const Key*> keys;
    for (const Key& key : schema())
        if (key.section != Section::launch)
            keys.push_back(&key);
    auto pick = [&random](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    for (int round = 0; round < 400; ++round) {
        Settings settings;
        static const char* const kTypes[] = {"NO", "MULTI_GPU", "FSDP", "DEEPSPEED", "MEGATRON_LM", "XLA", "MULTI_CPU"};
        settings.set("distributed_type", kTypes[pick(7)]);
        if (pick(8) == 0)
            settings.set("compute_environment", "AMAZON_SAGEMAKER");
        for (std::size_t n = pick(40); n > 0; --n) {
            const Key& key = *keys[pick(keys.size())];
            Value value;
            switch (pick(5)) {
                case 0:
                    value = key.choices.empty() ? Value("word") : Value(key.choices[pick(key.choices.size())]);
                    break;
                case 1:
                    value = pick(2) == 0;
                    break;
                case 2:
                    value = static_cast<int>(pick(9));
                    break;
                case 3:
                    value = 0.5 + static_cast<double>(pick(3));
                    break;
                default:
                    value = Value(Value::List{"a", 1});
            }
            settings.set(key.path(), value);
        }
        Draft draft(with_gpus(2));
        draft.open(
            {.settings = settings, .notes = {}, .problems = {}, .text = to_text(settings, Format::yaml), .file = "x"});
        ASSERT_EQ(draft.settings(), settings) << to_text(settings, Format::yaml);
        const Draft::State opened = draft.state();
        draft.answer("mp", "bf16");
        draft.answer("num_processes", "7");
        draft.set_state(opened);
        ASSERT_EQ(draft.settings(), settings);
    }
}

/// For every walk through the tree: answers into a draft, the text questionnaire's way, and the file opened again
/// agree.
TEST(DraftGolden, WizardQuestionnaireAndFileAgree) {
    ::setenv("HOME", "/home/user", 1);
    std::ifstream file(test::golden("questionnaire.json"));
    int walks = 0;
    const Json document = Json::parse(file);
    for (const Json& one : document.at("cases")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        Machine machine = with_gpus(2);
        if (one.at("input").contains("machine"))
            machine.device = one.at("input").at("machine").value("device", "cuda");
        Questionnaire questionnaire(machine);
        Answers given;
        for (const auto& [id, answer] : one.at("input").at("answers").items())
            if (questionnaire.find(id) != nullptr)
                given[id] = answer;
        // The text questionnaire asks in its own order and takes Enter for the rest.
        Answers asked;
        while (const Question* question = questionnaire.next(asked))
            asked[question->id] = given.contains(question->id) ? given[question->id] : "";
        std::string by_text = to_text(questionnaire.settings(asked), Format::yaml);
        // The wizard takes them in any order.
        Draft wizard(machine);
        for (auto answer = given.rbegin(); answer != given.rend(); ++answer)
            wizard.answer(answer->first, answer->second);
        EXPECT_EQ(wizard.text(), by_text);
        // A hand-written file of the same content.
        Loaded written = file_of("# by hand\n" + by_text);
        if (questionnaire.problems(asked).empty()) {
            EXPECT_TRUE(written.problems.empty()) << written.problems.at(0).text();
        }
        Draft opened(machine);
        opened.open(written);
        EXPECT_EQ(to_text(opened.settings(), Format::yaml), to_text(written.settings, Format::yaml));
        if (written.notes.empty()) {
            EXPECT_EQ(to_text(opened.settings(), Format::yaml), by_text);
        }
        ++walks;
    }
    EXPECT_GT(walks, 0);
}

}  // namespace
}  // namespace trainyard::settings
