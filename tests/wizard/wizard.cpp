// SPDX-License-Identifier: GPL-3.0-or-later
// Every set-up that the wizard is for, through the real pages: what is written equals what the question tree writes.

#include <algorithm>

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>

#include "desktop/wizard/page_list.h"
#include "desktop/wizard/review_page.h"
#include "desktop/wizard/steps.h"
#include "desktop/wizard_fixture.h"
#include "launch/plan/recipe_limit.h"
#include "support/child.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {
class WizardTest : public test::WizardFixture {};
}  // namespace

TEST_F(WizardTest, SingleCpuIsFilledInAndLaunchable) {
    open(cpu());
    EXPECT_EQ(yaml(), expected({}));
    EXPECT_NE(yaml().find("distributed_type: 'NO'"), std::string::npos) << yaml();
    EXPECT_NE(yaml().find("use_cpu: true"), std::string::npos) << yaml();
    const QVector<Step> shown = test::child<PageList>(*wizard())->shownSteps();
    EXPECT_FALSE(shown.contains(Step::Parallelism));
    EXPECT_FALSE(shown.contains(Step::Script));
    EXPECT_TRUE(test::shown_words(*test::child<PageList>(*wizard())).contains(QStringLiteral("Parallelism: one rank")));
    goodRecipe();
    EXPECT_TRUE(wizard()->problems().isEmpty());
    wizard()->save(QString::fromStdString(file("cpu.yaml")));
    EXPECT_EQ(content(file("cpu.yaml")), expected({}));
}

TEST_F(WizardTest, ManyGpusReplicate) {
    open(gpus(4));
    EXPECT_EQ(draft().ranks(), 4) << "found on the machine";
    type("num_processes", QStringLiteral("3"));
    choose("mp", QStringLiteral("bf16"));
    wizard()->showStep(Step::Parallelism);
    EXPECT_EQ(layoutOf(draft()), Layout::Replicate);
    EXPECT_EQ(yaml(), expected({{"num_processes", "3"}, {"mp", "bf16"}}));
    EXPECT_NE(yaml().find("distributed_type: MULTI_GPU"), std::string::npos);
}

TEST_F(WizardTest, OneProcessOfManyGpusIsExplainedAtItsField) {
    open(gpus(4));
    type("num_processes", QStringLiteral("1"));
    ASSERT_TRUE(waitForProblem("num_processes"));
    EXPECT_NE(problem("num_processes").find("MULTI_GPU"), std::string::npos) << problem("num_processes");
    type("num_processes", QStringLiteral("2"));
    EXPECT_EQ(problem("num_processes"), "") << "goes at once";
}

TEST_F(WizardTest, Fsdp2) {
    open(gpus(4));
    clickCard(Layout::Shard);
    choose("fsdp_offload", QStringLiteral("yes"));
    choose("fsdp_wrap", QStringLiteral("SIZE_BASED_WRAP"));
    type("fsdp_min", QStringLiteral("5000"));
    choose("fsdp_sd", QStringLiteral("FULL_STATE_DICT"));
    choose("fsdp_ckpt", QStringLiteral("yes"));
    EXPECT_EQ(yaml(), expected({{"fsdp", "yes"},
                                {"fsdp_offload", "yes"},
                                {"fsdp_wrap", "SIZE_BASED_WRAP"},
                                {"fsdp_min", "5000"},
                                {"fsdp_sd", "FULL_STATE_DICT"},
                                {"fsdp_ckpt", "yes"}}));
    EXPECT_NE(yaml().find("fsdp_version: 2"), std::string::npos);
    EXPECT_TRUE(wizard()->row(QStringLiteral("fsdp_min"))->isVisible());
    EXPECT_EQ(wizard()->row(QStringLiteral("ds_stage")), nullptr) << "not asked, not made";
}

TEST_F(WizardTest, AWayThatIsChosenAgainHasItsAnswers) {
    open(gpus(4));
    clickCard(Layout::Shard);
    choose("fsdp_wrap", QStringLiteral("SIZE_BASED_WRAP"));
    type("fsdp_min", QStringLiteral("5000"));
    const std::string sharded = yaml();
    clickCard(Layout::Replicate);
    EXPECT_EQ(yaml().find("fsdp"), std::string::npos) << "what does not apply is not written";
    clickCard(Layout::Shard);
    EXPECT_EQ(yaml(), sharded);
}

TEST_F(WizardTest, ZeroThreeWithOffload) {
    open(gpus(8));
    clickCard(Layout::Zero);
    choose("ds_stage", QStringLiteral("3"));
    choose("ds_off_opt", QStringLiteral("cpu"));
    choose("ds_off_par", QStringLiteral("nvme"));
    type("ds_par_nvme", QStringLiteral("/scratch"));
    choose("ds_clip_yn", QStringLiteral("yes"));
    type("ds_clip", QStringLiteral("0.5"));
    type("ds_gas", QStringLiteral("4"));
    choose("mp", QStringLiteral("bf16"));
    EXPECT_EQ(yaml(), expected({{"ds", "yes"},
                                {"ds_stage", "3"},
                                {"ds_off_opt", "cpu"},
                                {"ds_off_par", "nvme"},
                                {"ds_par_nvme", "/scratch"},
                                {"ds_clip_yn", "yes"},
                                {"ds_clip", "0.5"},
                                {"ds_gas", "4"},
                                {"mp", "bf16"}}));
    EXPECT_NE(yaml().find("distributed_type: DEEPSPEED"), std::string::npos);
}

TEST_F(WizardTest, ManyMachines) {
    open(gpus(8));
    type("num_machines", QStringLiteral("2"));
    wizard()->page(Step::Hardware);
    ASSERT_TRUE(waitForProblem("main_ip"));
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return editor("main_ip")->hasFocus() || !wizard()->isChecked(); }));
    type("main_ip", QStringLiteral("gpu-a"));
    type("main_port", QStringLiteral("99999"));
    ASSERT_TRUE(waitForProblem("main_port"));
    EXPECT_NE(problem("main_port").find("65535"), std::string::npos);
    type("main_port", QStringLiteral("29511"));
    choose("machine_rank", QStringLiteral("1"));
    choose("same_network", QStringLiteral("no"));
    type("rdzv_backend", QStringLiteral("c10d"));
    EXPECT_EQ(problem("main_port"), "");
    EXPECT_EQ(yaml(), expected({{"num_machines", "2"},
                                {"main_ip", "gpu-a"},
                                {"main_port", "29511"},
                                {"machine_rank", "1"},
                                {"same_network", "no"},
                                {"rdzv_backend", "c10d"}}));
    EXPECT_EQ(draft().ranks(), 16);
}

TEST_F(WizardTest, MeshAndMegatronByCard) {
    open(gpus(4));
    clickCard(Layout::Mesh);
    type("pc_shard", QStringLiteral("2"));
    type("pc_tp", QStringLiteral("2"));
    EXPECT_EQ(yaml(), expected({{"fsdp", "yes"}, {"pc", "yes"}, {"pc_shard", "2"}, {"pc_tp", "2"}}));
    clickCard(Layout::Replicate);
    EXPECT_EQ(yaml(), expected({}));
    auto* page = static_cast<ParallelismPage*>(wizard()->page(Step::Parallelism));
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("mlm")));
    press(Qt::Key_Space);
    EXPECT_TRUE(page->card(Layout::Megatron)->accessibleDescription().startsWith(QStringLiteral("chosen. ")));
    EXPECT_NE(yaml().find("distributed_type: MEGATRON_LM"), std::string::npos);
    clickCard(Layout::Mesh);
    EXPECT_EQ(yaml(), expected({{"fsdp", "yes"}, {"pc", "yes"}, {"pc_shard", "2"}, {"pc_tp", "2"}}))
        << "answers of hidden questions are remembered";
}

TEST_F(WizardTest, AWayThatThisMachineCannotGoSaysWhy) {
    open(cpu());
    choose("machine_type", QStringLiteral("MULTI_CPU"));
    wizard()->openNamed(QStringLiteral("parallelism"));
    auto* page = static_cast<ParallelismPage*>(wizard()->page(Step::Parallelism));
    EXPECT_TRUE(page->card(Layout::Shard)->isBlocked());
    const std::string before = yaml();
    QTest::mouseClick(page->card(Layout::Shard), Qt::LeftButton);
    EXPECT_EQ(yaml(), before);
}

TEST_F(WizardTest, EveryQuestionIsReachable) {
    open(gpus(2));
    const settings::Answers several{{"num_machines", "2"}, {"main_ip", "a"}, {"same_network", "no"}};
    auto with = [&](settings::Answers answers, const settings::Answers& base = {}) {
        answers.insert(base.begin(), base.end());
        return answers;
    };
    const std::vector<settings::Answers> ways{
        {},
        several,
        with({{"ds", "yes"}, {"ds_file_yn", "yes"}}, several),
        with({{"ds", "yes"}, {"ds_launcher", "pdsh"}, {"ds_excl_yn", "yes"}, {"ds_incl_yn", "yes"}}, several),
        {{"ds", "yes"},
         {"ds_stage", "3"},
         {"ds_off_opt", "nvme"},
         {"ds_off_par", "nvme"},
         {"ds_clip_yn", "yes"},
         {"ds_moe_yn", "yes"}},
        {{"fsdp", "yes"}, {"fsdp_version", "2"}, {"fsdp_wrap", "TRANSFORMER_BASED_WRAP"}, {"fsdp_no_split", "no"}},
        {{"fsdp", "yes"}, {"fsdp_version", "1"}, {"fsdp_wrap", "SIZE_BASED_WRAP"}, {"fsdp_ram", "no"}},
        {{"fsdp", "yes"}, {"fsdp_version", "2"}, {"pc", "yes"}, {"pc_cp", "2"}},
        {{"mlm", "yes"}, {"mlm_tp", "2"}, {"mlm_pp", "2"}},
        {{"machine_type", "NO"}},
        {{"machine_type", "NO"}, {"use_cpu", "yes"}},
        {{"machine_type", "MULTI_CPU"}, {"use_mpirun", "yes"}},
        {{"machine_type", "XLA"}, {"tpu_cluster", "yes"}, {"tpu_cmd_yn", "yes"}, {"tpu_cmd_file_yn", "yes"}},
        {{"machine_type", "XLA"}, {"tpu_cluster", "yes"}, {"tpu_cmd_yn", "yes"}, {"tpu_cmd_file_yn", "no"}},
        {{"mp", "fp8"}, {"fp8_backend", "TE"}, {"te_override", "yes"}},
        {{"mp", "fp8"}, {"fp8_backend", "MSAMP"}},
        {{"mp", "fp8"}, {"fp8_backend", "AO"}},
        {{"mp", "bf16"}},
        {{"dynamo", "yes"}, {"dynamo_custom", "yes"}},
        {{"env", "AMAZON_SAGEMAKER"}},
    };
    std::vector<settings::Answers> sagemaker;
    const settings::Questionnaire tree(machine_);
    auto all = ways;
    // SageMaker's own menus: every option of each, one at a time.
    for (const settings::Question& question : tree.questions()) {
        if (!question.id.starts_with("sm_"))
            continue;
        std::vector<std::string> values{"yes", "no"};
        for (const settings::Option& option : question.options)
            values.push_back(option.value);
        for (const std::string& value : values) {
            all.push_back({{"env", "AMAZON_SAGEMAKER"}, {question.id, value}});
            for (const char* dynamo : {"sm_dynamo", "dynamo"})
                all.push_back({{"env", "AMAZON_SAGEMAKER"}, {question.id, value}, {dynamo, "yes"}});
        }
    }
    for (const settings::Question& question : tree.questions()) {
        bool found = false;
        for (const settings::Answers& answers : all) {
            if (found || !tree.shown(question, answers))
                continue;
            found = true;
            draft().model()->reset();
            for (const auto& [id, value] : answers)
                draft().answer(QString::fromStdString(id), QString::fromStdString(value));
            EXPECT_TRUE(wizard()->goToField(QString::fromStdString(question.id))) << question.id;
            QWidget* focus = QApplication::focusWidget();
            EXPECT_TRUE(focus != nullptr && wizard()->page(wizard()->currentStep())->isAncestorOf(focus))
                << question.id << " has no field that takes the keyboard";
        }
        EXPECT_TRUE(found) << question.id << ": none of the ways of this test leads there";
    }
}

TEST_F(WizardTest, AQuestionThatIsNotAskedSaysWhy) {
    open(cpu());
    EXPECT_FALSE(wizard()->goToField(QStringLiteral("fsdp_strategy")));
    EXPECT_TRUE(wizard()->message()->isVisible());
    EXPECT_FALSE(wizard()->message()->text().isEmpty());
}

TEST_F(WizardTest, WhatTheEngineDoesNotTrainIsSaidOnTheFieldOnReviewAndAsAFailedCheck) {
    open(gpus(4));
    goodRecipe();
    write("offload.yaml",
          "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nfsdp_config:\n"
          "  fsdp_offload_params: true\nmixed_precision: 'no'\nnum_machines: 1\nnum_processes: 4\n");
    load("offload.yaml");
    ASSERT_EQ(layoutOf(draft()), Layout::Shard);
    const QString reason = QStringLiteral("recipes keep everything on the device they train on");
    QSignalSpy launched(wizard(), &WizardPage::launchRequested);

    wizard()->showStep(Step::Review);
    auto* review = static_cast<ReviewPage*>(wizard()->page(Step::Review));
    EXPECT_TRUE(test::shown_words(*review).contains(reason)) << test::shown_words(*review).toStdString();
    EXPECT_FALSE(test::shown_words(*review).contains(QStringLiteral("No problems")));
    EXPECT_TRUE(test::shown_words(*review).contains(
        QRegularExpression(QStringLiteral("\nLayout\n[^\n]*%1").arg(QRegularExpression::escape(reason)))))
        << test::shown_words(*review).toStdString();
    ASSERT_NE(test::child<QPushButton>(*review, QStringLiteral("Train data-parallel")), nullptr);

    // Launch leads to the field instead of to a refusal of the command line.
    wizard()->primaryAction();
    ASSERT_TRUE(QTest::qWaitFor([this] { return wizard()->currentStep() == Step::Parallelism; }));
    EXPECT_EQ(launched.count(), 0);
    auto* page = static_cast<ParallelismPage*>(wizard()->page(Step::Parallelism));
    ASSERT_TRUE(page->limit()->isVisible());
    EXPECT_TRUE(page->limit()->text().contains(reason));

    wizard()->showStep(Step::Review);
    QTest::mouseClick(test::child<QPushButton>(*review, QStringLiteral("Train data-parallel")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return layoutOf(draft()) == Layout::Replicate; }));
    settle();
    EXPECT_EQ(draft().draft().settings().text("distributed_type"), "MULTI_GPU");
    EXPECT_EQ(test::child<QPushButton>(*review, QStringLiteral("Train data-parallel")), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*review).contains(QStringLiteral("\nLayout\nthe engine trains it"));
    })) << test::shown_words(*review).toStdString();

    // The other way out: a script can offload.
    draft().history()->undo();
    settle();
    ASSERT_NE(test::child<QPushButton>(*review, QStringLiteral("Use my script")), nullptr);
    QTest::mouseClick(test::child<QPushButton>(*review, QStringLiteral("Use my script")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return wizard()->currentStep() == Step::Script; }));
    EXPECT_EQ(draft().purpose(), Purpose::Script);
    EXPECT_EQ(layoutOf(draft()), Layout::Shard);
    wizard()->showStep(Step::Parallelism);
    EXPECT_FALSE(page->limit()->isVisible());
}

TEST_F(WizardTest, SettingsOfMegatronLmAreTrained) {
    open(gpus(4));
    goodRecipe();
    write("megatron.yaml",
          "compute_environment: LOCAL_MACHINE\ndistributed_type: MEGATRON_LM\nmegatron_lm_config:\n"
          "  megatron_lm_tp_degree: 1\nmixed_precision: 'no'\nnum_machines: 1\nnum_processes: 4\n");
    load("megatron.yaml");
    ASSERT_EQ(layoutOf(draft()), Layout::Megatron);
    wizard()->showStep(Step::Review);
    auto* review = static_cast<ReviewPage*>(wizard()->page(Step::Review));
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*review).contains(QStringLiteral("\nLayout\nthe engine trains it"));
    })) << test::shown_words(*review).toStdString();
}

TEST_F(WizardTest, WhatTheEngineShardsHasNoMarkAndWhatItDoesNotOffloadHasOne) {
    open(gpus(4));
    goodRecipe();
    clickCard(Layout::Zero);
    choose("ds_stage", QStringLiteral("3"));
    settle();
    EXPECT_EQ(problem("ds_stage"), "");
    clickCard(Layout::Shard);
    settle();
    EXPECT_FALSE(plan::recipe_limit(draft().draft().settings()));
    const auto marked = [&](const char* preset) {
        draft().model()->reset();
        for (const settings::Preset& each : settings::Draft::presets())
            if (each.id == preset)
                draft().model()->applyPreset(each);
        settle();
        std::string all;
        for (const FieldProblem& each : problemsOf(draft()))
            if (each.beyond_engine)
                all += each.sentence.toStdString() + "\n";
        return all;
    };
    const auto says = [&](const char* preset, const char* words) {
        return marked(preset).find(words) != std::string::npos;
    };
    // Each option that is refused has its reason beside it, before it is chosen.
    const auto hint = [this](const char* key) {
        std::string all;
        for (const QLabel* label : wizard()->page(Step::Parallelism)->row(QLatin1String(key))->findChildren<QLabel*>())
            all += label->text().toStdString() + "\n";
        return all;
    };
    EXPECT_NE(hint("fsdp_offload").find("Not with the engine: Yes (recipes keep everything"), std::string::npos)
        << hint("fsdp_offload");
    clickCard(Layout::Zero);
    choose("ds_stage", QStringLiteral("3"));
    settle();
    EXPECT_NE(hint("ds_off_par").find("weights stay on the device that trains"), std::string::npos)
        << hint("ds_off_par");
    EXPECT_EQ(hint("ds_stage").find("Not with the engine"), std::string::npos);
    EXPECT_TRUE(says("largest-model", "recipes keep everything on the device they train on"));
    EXPECT_TRUE(says("zero-3-offload", "recipes keep optimizer state on the device they train on"));
    EXPECT_TRUE(says("zero-3-offload", "weights stay on the device that trains"));
    EXPECT_EQ(marked("many-gpus"), "");
}

TEST_F(WizardTest, ReviewListsFindingsWithAWayToEach) {
    open(gpus(2));
    goodRecipe();
    type("num_machines", QStringLiteral("2"));
    wizard()->showStep(Step::Review);
    auto* review = static_cast<ReviewPage*>(wizard()->page(Step::Review));
    EXPECT_TRUE(QTest::qWaitFor([&] { return test::shown_words(*review).contains(QStringLiteral("main_process_ip")); }))
        << test::shown_words(*review).toStdString();
    test::settle();
    const auto buttons = review->findChildren<QPushButton*>();
    const auto go = std::ranges::find(buttons, QStringLiteral("Go to field"), &QPushButton::text);
    ASSERT_NE(go, buttons.end());
    QTest::mouseClick(*go, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return wizard()->currentStep() == Step::Hardware; }));
    EXPECT_TRUE(editor("main_ip")->hasFocus());
}
