// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the question tree without a user interface: consistency of the questions, defaults that follow the machine,
// and messages about answers that are refused.

#include "config/accelerate/questionnaire.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/accelerate/schema.h"
#include "settings/machine_with_gpus.h"
#include "support/says.h"

namespace trainyard::settings {
namespace {

using test::says;
using test::says_only;
using testing::HasSubstr;

TEST(Questionnaire, EveryQuestionIsWholeAndKnowsItsKey) {
    Questionnaire questionnaire(with_gpus(1));
    std::set<std::string> ids;
    for (const Question& question : questionnaire.questions()) {
        SCOPED_TRACE(question.id);
        EXPECT_TRUE(ids.insert(question.id).second);
        EXPECT_FALSE(question.title.empty());
        EXPECT_FALSE(question.label.empty());
        EXPECT_FALSE(question.help.empty());
        EXPECT_EQ(questionnaire.find(question.id), &question);
        bool shown = questionnaire.shown(question, {});
        EXPECT_EQ(questionnaire.hidden_because(question, {}).empty(), shown);
        if (question.path.empty())
            continue;
        const Key* key = find_key(question.path, question.id.starts_with("sm_"));
        ASSERT_NE(key, nullptr);
        EXPECT_EQ(key->path(), question.path);
        if (key->choices.empty())
            continue;
        for (const Option& option : question.options)
            EXPECT_TRUE(std::ranges::find(key->choices, option.value) != key->choices.end()) << option.value;
    }
    EXPECT_EQ(questionnaire.find("no_such_question"), nullptr);
}

TEST(Questionnaire, DefaultsFollowTheMachine) {
    Questionnaire eight(with_gpus(8));
    EXPECT_EQ(eight.answer(*eight.find("machine_type"), {}), "MULTI_GPU");
    EXPECT_EQ(eight.answer(*eight.find("num_processes"), {}), "8");
    EXPECT_EQ(eight.answer(*eight.find("num_processes"), {{"num_machines", "2"}}), "16");
    EXPECT_EQ(eight.answer(*eight.find("use_cpu"), {{"machine_type", "NO"}}), "no");
    Questionnaire one(with_gpus(1));
    EXPECT_EQ(one.answer(*one.find("machine_type"), {}), "NO");
    Questionnaire none(Machine{});
    EXPECT_EQ(none.answer(*none.find("machine_type"), {}), "NO");
    EXPECT_EQ(none.answer(*none.find("use_cpu"), {}), "yes");
    Machine tpu;
    tpu.tpu = true;
    EXPECT_EQ(Questionnaire(tpu).answer(*none.find("machine_type"), {}), "XLA");
    Questionnaire plain(with_gpus(8), false);
    EXPECT_EQ(plain.answer(*plain.find("machine_type"), {}), "NO");
}

TEST(Questionnaire, AHiddenAnswerIsNotWritten) {
    Questionnaire questionnaire(with_gpus(2));
    Answers answers{{"machine_type", "MULTI_GPU"}, {"ds", "yes"}, {"ds_stage", "3"}};
    EXPECT_EQ(questionnaire.settings(answers).integer("deepspeed_config.zero_stage", 0), 3);
    answers["machine_type"] = "MULTI_CPU";
    Settings settings = questionnaire.settings(answers);
    EXPECT_FALSE(settings.has("deepspeed_config"));
    EXPECT_EQ(settings.text("distributed_type"), "MULTI_CPU");
    EXPECT_THAT(questionnaire.hidden_because(*questionnaire.find("ds_stage"), answers),
                says_only("only with DeepSpeed and without a DeepSpeed file"));
}

TEST(Questionnaire, WhatCannotStandIsSaidInWords) {
    Questionnaire questionnaire(with_gpus(2));
    struct {
        Answers answers;
        const char* id;
        const char* sentence;
    } cases[] = {
        {{{"machine_type", "MULTI_GPU"}, {"num_machines", "two"}}, "num_machines", "two is not a whole number"},
        {{{"machine_type", "MULTI_GPU"}, {"num_machines", "0"}}, "num_machines", "out of range, use 1 to 65536"},
        {{{"machine_type", "MULTI_GPU"}, {"num_machines", "2"}, {"main_port", "99999"}}, "main_port", "use 0 to 65535"},
        {{{"machine_type", "MULTI_GPU"}, {"num_machines", "2"}}, "main_ip", "name the host or IP address"},
        {{{"machine_type", "MULTI_GPU"}, {"num_machines", "2"}, {"machine_rank", "2"}},
         "machine_rank",
         "not one of 0, 1"},
        {{{"machine_type", "MULTI_GPU"}, {"num_processes", "1"}}, "num_processes", "take 2 or more"},
        {{{"machine_type", "MULTI_NEURON"}, {"ds", "yes"}}, "ds", "does not run on Neuron"},
        {{{"machine_type", "GPU"}}, "machine_type", "not one of NO, MULTI_CPU"},
        {{{"machine_type", "NO"}, {"gpu_ids", "first"}}, "gpu_ids", "0,1"},
        {{{"machine_type", "NO"}, {"use_cpu", "perhaps"}}, "use_cpu", "answer yes or no"},
        {{{"ds", "yes"}, {"ds_clip_yn", "yes"}, {"ds_clip", "much"}}, "ds_clip", "not a number"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.sentence);
        auto problem = questionnaire.problem(*questionnaire.find(one.id), one.answers);
        ASSERT_TRUE(problem);
        EXPECT_THAT(*problem, HasSubstr(one.sentence));
        auto all = questionnaire.problems(one.answers);
        EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& pair) { return pair.first->id == one.id; }));
    }
    EXPECT_TRUE(questionnaire.problems({}).empty());
}

TEST(Questionnaire, OptionsAndLabelsDependOnAnswers) {
    Questionnaire questionnaire(with_gpus(2));
    Answers answers{{"machine_type", "MULTI_GPU"}, {"fsdp", "yes"}};
    const Question& saved = *questionnaire.find("fsdp_sd");
    EXPECT_EQ(questionnaire.options(saved, answers).size(), 2u);
    EXPECT_EQ(questionnaire.default_answer(saved, answers), "SHARDED_STATE_DICT");
    answers["fsdp_version"] = "1";
    EXPECT_EQ(questionnaire.options(saved, answers).size(), 3u);
    EXPECT_EQ(questionnaire.default_answer(saved, answers), "FULL_STATE_DICT");
    const Question& processes = *questionnaire.find("num_processes");
    EXPECT_EQ(questionnaire.label(processes, {{"machine_type", "MULTI_NPU"}}), "NPUs");
    EXPECT_EQ(questionnaire.label(processes, {{"machine_type", "MULTI_CPU"}}), "Processes");
    // A menu of ranks never grows without bound.
    EXPECT_LE(
        questionnaire
            .options(*questionnaire.find("machine_rank"), {{"machine_type", "MULTI_GPU"}, {"num_machines", "65536"}})
            .size(),
        1024u);
}

TEST(Questionnaire, NoticesSayWhatIsNotInTheFile) {
    Questionnaire questionnaire(with_gpus(1));
    EXPECT_THAT(questionnaire.notices({{"env", "AMAZON_SAGEMAKER"}, {"sm_auth", "credentials"}}).at(0),
                says("access keys are not stored: launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY from the "
                     "environment"));
    EXPECT_THAT(questionnaire.notices({{"env", "AMAZON_SAGEMAKER"}, {"sm_role", "create"}}).at(0),
                says("the role accelerate_sagemaker_execution_role is named, not created: where the account lacks it, "
                     "`trainyard config --create-role` creates it"));
    EXPECT_THAT(questionnaire.notices({{"dynamo", "yes"}}).at(0), HasSubstr("TF32"));
    EXPECT_TRUE(questionnaire.notices({{"dynamo", "yes"}, {"mp", "bf16"}}).empty());
    EXPECT_TRUE(questionnaire.notices({}).empty());
}

TEST(Questionnaire, AskingOneByOneEnds) {
    for (const char* type : {"NO", "MULTI_GPU", "MULTI_CPU", "XLA"}) {
        Questionnaire questionnaire(with_gpus(2));
        Answers answers{{"machine_type", type}};
        std::size_t asked = 0;
        while (const Question* question = questionnaire.next(answers)) {
            ASSERT_LT(asked++, questionnaire.questions().size());
            answers[question->id] = "";
        }
        EXPECT_GT(asked, 3u);
    }
}

}  // namespace
}  // namespace trainyard::settings
