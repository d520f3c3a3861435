// SPDX-License-Identifier: GPL-3.0-or-later
// Tests launches of a recipe with the file of the wizard's draft: every key and every answer is applied, reported as
// ignored, or refused by name before the start, and the flags that the draft offers for copying have the same effect as
// its file.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/recipe_plan.h"
#include "config/accelerate/check.h"
#include "config/accelerate/draft.h"

namespace trainyard::cli {
namespace {

using Json = nlohmann::json;
using settings::Draft;
using settings::Key;
using settings::Section;
using test::effect_of;
using test::other_value;
using test::row_of;
using test::Said;
using test::words_of;
using ::testing::HasSubstr;

class LaunchOfWizardsDraft : public test::RecipePlan {
  protected:
    /// Two ranks on the processor.
    static Draft usual() {
        Draft draft;
        draft.set_all({{"distributed_type", Value("MULTI_CPU")},
                       {"num_processes", Value(2)},
                       {"use_cpu", Value(true)},
                       {"mixed_precision", Value("no")}});
        return draft;
    }
    Said plan_of(const Draft& draft) {
        const std::filesystem::path file = fake_.folder() / "draft.yaml";
        write_file_atomically(file, draft.text(), false);
        return plan({"--config_file", file.string()});
    }
    /// Every key that the draft writes has a row, or the launch is refused with words that name one of them.
    void expect_named(const Draft& draft, const std::string& what) {
        const Said said = plan_of(draft);
        const auto leaves = draft.settings().leaves();
        if (said.code != 0) {
            EXPECT_EQ(said.code, 2) << what << ": " << said.err;
            const std::set<std::string> ways{"FSDP",      "Megatron-LM",   "TPU",
                                             "SageMaker", "machines meet", "--device_library"};
            const bool named =
                std::ranges::any_of(ways, [&](const auto& way) { return said.err.find(way) != std::string::npos; }) ||
                std::ranges::any_of(leaves, [&](const auto& leaf) {
                    return said.err.find(settings::split_path(leaf.first).second) != std::string::npos;
                });
            EXPECT_TRUE(named) << what << ": " << said.err << draft.text();
            return;
        }
        const Json after = Json::parse(said.out);
        for (const auto& [path, value] : leaves)
            if (!value.is_null() && !(value.map() != nullptr && value.map()->empty())) {
                const Json row = row_of(after, path);
                EXPECT_FALSE(row.is_null()) << what << ": " << path << " is dropped silently";
                if (!row.is_null()) {
                    EXPECT_GT(words_of(row).size(), 8u) << path;
                }
            }
    }
};

TEST_F(LaunchOfWizardsDraft, EveryKeyIsAppliedOrNamed) {
    const Said before = plan_of(usual());
    ASSERT_EQ(before.code, 0) << before.err;
    const std::string effect = effect_of(Json::parse(before.out));
    int applied = 0, named = 0;
    for (const Key& key : settings::schema()) {
        if (key.section == Section::launch || key.section == Section::sagemaker || key.name == "compute_environment")
            continue;
        const std::string path = key.path();
        std::string typed = key.name == "num_processes" ? "3" : other_value(key);
        if (typed.front() == '\'')
            typed = typed.substr(1, typed.size() - 2);
        Draft draft = usual();
        draft.set(path, settings::value_from_text(path, typed));
        const Said said = plan_of(draft);
        if (said.code != 0 || draft.settings().find(path) == nullptr) {
            expect_named(draft, path);
            ++named;
            continue;
        }
        const Json after = Json::parse(said.out), row = row_of(after, path);
        if (row.is_null()) {
            ADD_FAILURE() << path << " is dropped silently";
            continue;
        }
        expect_effect(row, effect != effect_of(after), path + " " + typed, path, applied, named);
    }
    EXPECT_GE(applied, 4);
    EXPECT_GE(named, 80);
}

TEST_F(LaunchOfWizardsDraft, EveryAnswerIsAppliedOrNamed) {
    int answers = 0;
    const Draft empty;
    for (const settings::Question& question : empty.questionnaire().questions()) {
        std::vector<std::string> choices;
        for (const settings::Option& option : empty.questionnaire().options(question, {}))
            choices.push_back(option.value);
        if (choices.empty())
            choices = {"2"};
        for (const std::string& choice : choices) {
            Draft draft = usual();
            draft.answer(question.id, choice);
            ++answers;
            // An answer that leaves the settings unchanged, for example because the wizard rejects it, is not launched.
            if (draft.settings() == usual().settings())
                continue;
            expect_named(draft, question.id + " = " + choice);
        }
    }
    EXPECT_GE(answers, 100);
}

TEST_F(LaunchOfWizardsDraft, ItsFlagsDoWhatItsFileDoes) {
    int compared = 0;
    for (const auto& [path, typed] : std::vector<std::pair<std::string, std::string>>{
             {"num_processes", "3"},
             {"mixed_precision", "bf16"},
             {"debug", "true"},
             {"enable_cpu_affinity", "true"},
             {"main_process_port", "29876"},
             {"dynamo_config.dynamo_backend", "INDUCTOR"},
         }) {
        Draft draft = usual();
        draft.set(path, settings::value_from_text(path, typed));
        const Said by_file = plan_of(draft);
        const Said by_flags = plan(draft.command_flags());
        ASSERT_EQ(by_file.code, 0) << path << by_file.err;
        ASSERT_EQ(by_flags.code, 0) << path << by_flags.err;
        EXPECT_EQ(effect_of(Json::parse(by_file.out)), effect_of(Json::parse(by_flags.out))) << path;
        ++compared;
    }
    EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace trainyard::cli
