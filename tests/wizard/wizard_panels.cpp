// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the panels of the wizard on a real draft: the written file, the read file, the memory estimate, pasted text
// and presets.

#include <fstream>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBlock>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "desktop/wizard/diff_text.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/fit_panel.h"
#include "desktop/wizard/pasted.h"
#include "desktop/wizard/presets_menu.h"
#include "desktop/wizard/read_panel.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/written_panel.h"
#include "launch/plan/recipe_limit.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/chip.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using desktop::DraftModel;
using desktop::FitPanel;
using desktop::Pasted;
using desktop::PresetsMenu;
using desktop::ReadPanel;
using desktop::WrittenPanel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

constexpr char kFile[] =
    "# our cluster\n"
    "compute_environment: LOCAL_MACHINE\n"
    "distributed_type: MULTI_GPU\n"
    "gpu_ids: all\n"
    "mixed_precision: bf16  # saves memory\n"
    "num_machines: 1\n"
    "num_processes: 2\n"
    "use_cpu: false\n";

settings::Machine gpus(int count) {
    settings::Machine machine;
    machine.device = count > 0 ? "cuda" : "cpu";
    machine.device_count = count;
    machine.physical_cores = 8;
    return machine;
}

settings::Loaded file(const std::string& text) {
    return settings::read_settings(text, "default_config.yaml", settings::Format::yaml);
}

QString line(const QPlainTextEdit* text, int number) {
    return text->document()->findBlockByNumber(number).text();
}

int lineOf(const QPlainTextEdit* text, const char* part) {
    for (int i = 0; i < text->document()->blockCount(); ++i)
        if (line(text, i).contains(QLatin1String(part)))
            return i;
    return -1;
}

class WrittenPanelTest : public testing::Test {
  protected:
    desktop::DiffText* editor() const { return test::child<desktop::DiffText>(panel_); }
    void SetUp() override {
        panel_.resize(380, 500);
        panel_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel_));
    }
    void clickLine(int number) {
        QPlainTextEdit* text = editor();
        QTextCursor cursor(text->document()->findBlockByNumber(number));
        cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, 4);
        text->setTextCursor(cursor);
        QTest::mouseClick(text->viewport(), Qt::LeftButton, {}, text->cursorRect(cursor).center());
    }
    void retype(const QString& text) {
        editor()->setFocus();
        editor()->selectAll();
        QApplication::clipboard()->setText(text);
        editor()->paste();
    }

    DraftModel model_{gpus(4)};
    WrittenPanel panel_{&model_};
};

}  // namespace

TEST_F(WrittenPanelTest, ShowsTheFileAndMarksWhatDiffers) {
    EXPECT_EQ(editor()->toPlainText().toStdString() + "\n",
              model_.draft().text() + (editor()->toPlainText().endsWith('\n') ? "\n" : ""));
    model_.open(file(kFile));
    EXPECT_EQ(panel_.counts()->fullText(), QStringLiteral("as in the file"));
    model_.set(QStringLiteral("num_processes"), 4);
    model_.set(QStringLiteral("main_process_port"), 29501);
    model_.set(QStringLiteral("gpu_ids"), {});
    EXPECT_THAT(panel_.counts()->fullText().toStdString(), HasSubstr("~ 1 changed"));
    EXPECT_THAT(panel_.counts()->fullText().toStdString(), HasSubstr("+ 1 added"));
    EXPECT_THAT(panel_.counts()->fullText().toStdString(), HasSubstr("1 removed"));
    EXPECT_GE(lineOf(editor(), "gpu_ids"), 0) << "a removed line is still seen";
    EXPECT_GE(lineOf(editor(), "# our cluster"), 0);
    EXPECT_THAT(panel_.copyText().toStdString(), testing::Not(HasSubstr("gpu_ids"))) << "but not copied";
    EXPECT_EQ(panel_.copyText().toStdString(), model_.draft().text());
    model_.history()->undo();
    model_.history()->undo();
    model_.history()->undo();
    EXPECT_EQ(panel_.counts()->fullText(), QStringLiteral("as in the file"));
}

TEST_F(WrittenPanelTest, ClickingALineAndEnterGoToItsKey) {
    model_.open(file(kFile));
    QSignalSpy went(&panel_, &WrittenPanel::keyActivated);
    clickLine(lineOf(editor(), "num_processes"));
    ASSERT_EQ(went.count(), 1);
    EXPECT_EQ(went.takeFirst().first().toString(), QStringLiteral("num_processes"));
    QTest::keyClick(editor(), Qt::Key_Up);
    QTest::keyClick(editor(), Qt::Key_Return);
    ASSERT_EQ(went.count(), 1);
    EXPECT_EQ(went.takeFirst().first().toString(), QStringLiteral("num_machines"));
    clickLine(0);
    EXPECT_EQ(went.count(), 0) << "a comment has no field";
}

TEST_F(WrittenPanelTest, TheYamlIsEditedInPlaceAsOneStep) {
    model_.open(file(kFile));
    test::child<QPushButton>(panel_, QStringLiteral("Edit"))->click();
    QPlainTextEdit* text = editor();
    ASSERT_FALSE(text->isReadOnly());
    QTextCursor cursor(text->document()->findBlockByNumber(lineOf(text, "num_processes")));
    cursor.movePosition(QTextCursor::EndOfBlock);
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor);
    text->setTextCursor(cursor);
    QTest::keyClicks(text, QStringLiteral("4"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model_.settings().integer("num_processes", 0) == 4; }, 5000));
    QTest::keyClick(text, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(text, QStringLiteral("debug: true"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model_.settings().boolean("debug"); }, 5000));
    test::child<QPushButton>(panel_, QStringLiteral("Done"))->click();
    EXPECT_TRUE(text->isReadOnly());
    EXPECT_THAT(panel_.counts()->fullText().toStdString(), HasSubstr("~ 1 changed"));
    EXPECT_GE(lineOf(text, "# saves memory"), 0) << "comments of the file are still there";
    while (model_.history()->undoable() > 0)
        model_.history()->undo();
    EXPECT_EQ(model_.draft().text(), kFile);
}

TEST_F(WrittenPanelTest, ATextThatCannotBeReadSaysWhereAndChangesNothing) {
    model_.open(file(kFile));
    panel_.setEditing(true);
    retype(QStringLiteral("num_machines: 1\nnum_processes: [2\n"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel_.problem()->text().isEmpty(); }, 5000));
    EXPECT_THAT(panel_.problem()->text().toStdString(), HasSubstr("Line "));
    EXPECT_EQ(model_.draft().text(), kFile);
    EXPECT_EQ(model_.history()->undoable(), 0);
    // A valid text with an invalid value is passed to the form, which explains the problem.
    retype(
        QStringLiteral("compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_machines: 1\n"
                       "num_processes: 2\nmain_process_port: 99999\n"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model_.settings().has("main_process_port"); }, 5000));
    EXPECT_TRUE(panel_.problem()->text().isEmpty());
    ASSERT_NE(model_.finding(QStringLiteral("main_process_port")), nullptr);
}

TEST_F(WrittenPanelTest, RecipeAndCommandHaveTheirTabs) {
    panel_.setCommand(QStringLiteral("trainyard launch --num_processes 4 recipe.yaml"));
    panel_.setRecipe(QStringLiteral("name: run\n"));
    test::child<widgets::SegmentedControl>(panel_)->setCurrent(WrittenPanel::Recipe);
    EXPECT_EQ(panel_.copyText(), QStringLiteral("name: run\n"));
    test::child<widgets::SegmentedControl>(panel_)->setCurrent(WrittenPanel::Command);
    EXPECT_EQ(editor()->toPlainText(), QStringLiteral("trainyard launch --num_processes 4 recipe.yaml"));
    test::child<widgets::SegmentedControl>(panel_)->setCurrent(WrittenPanel::Recipe);
    panel_.setRecipe({});
    EXPECT_EQ(panel_.tab(), WrittenPanel::Yaml) << "an own script has no recipe";
    QSignalSpy save(&panel_, &WrittenPanel::saveRequested);
    for (QPushButton* button : panel_.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Save as…"))
            button->click();
    EXPECT_EQ(save.count(), 1);
}

TEST(ReadPanelTest, TellsWhatBecameOfEachKey) {
    DraftModel model(gpus(2));
    ReadPanel panel(&model);
    EXPECT_TRUE(panel.isHidden());
    model.open(
        file("compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nfp16: true\nnum_machines: 1\n"
             "num_processes: two\nfsdp_config:\n  my_note: 7\n"));
    EXPECT_FALSE(panel.isHidden());
    auto find = [&panel](ReadPanel::Item::Kind kind) {
        const auto& items = panel.items();
        return std::find_if(items.begin(), items.end(), [kind](const auto& item) { return item.kind == kind; });
    };
    using Kind = ReadPanel::Item::Kind;
    ASSERT_NE(find(Kind::translated), panel.items().end());
    EXPECT_THAT(find(Kind::translated)->text.toStdString(), HasSubstr("mixed_precision"));
    EXPECT_THAT(find(Kind::translated)->text.toStdString(), HasSubstr("line 3"));
    ASSERT_NE(find(Kind::unknown), panel.items().end());
    EXPECT_EQ(find(Kind::unknown)->path, QStringLiteral("fsdp_config.my_note"));
    ASSERT_NE(find(Kind::problem), panel.items().end());
    EXPECT_THAT(find(Kind::problem)->text.toStdString(), HasSubstr("line 5"));
    EXPECT_THAT(panel.copyText().toStdString(), HasSubstr("default_config.yaml"));
    QSignalSpy went(&panel, &ReadPanel::keyActivated);
    for (QPushButton* button : panel.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("fsdp_config.my_note"))
            button->click();
    ASSERT_EQ(went.count(), 1);
    model.reset();
    EXPECT_TRUE(panel.isHidden());
}

TEST(FitPanelTest, JudgesWholeCopiesByTheEstimateAndNothingElse) {
    DraftModel model(gpus(0));
    model.set(QStringLiteral("num_processes"), 1);
    FitPanel panel(&model);
    EXPECT_EQ(panel.verdict(), FitPanel::Verdict::unknown);
    const config::Recipe recipe;
    const auto one = static_cast<std::uint64_t>(estimate::estimate_memory(recipe).total());
    panel.setModel(recipe);
    EXPECT_EQ(panel.verdict(), FitPanel::Verdict::unknown) << "memory of the machine is not known yet";
    EXPECT_EQ(panel.total(), one);
    panel.setMemory(one * 4);
    EXPECT_EQ(panel.verdict(), FitPanel::Verdict::fits);
    config::Recipe larger = recipe;
    larger.training.batch_size = panel.largestBatch();
    EXPECT_LE(estimate::estimate_memory(larger).total(), one * 4);
    ++larger.training.batch_size;
    EXPECT_GT(estimate::estimate_memory(larger).total(), one * 4);
    for (const QPushButton* button : panel.findChildren<QPushButton*>())
        EXPECT_EQ(button->isVisibleTo(&panel), button->text() == QStringLiteral("Architecture"))
            << "a batch that fits is not replaced by a larger one";
    QSignalSpy wanted(&panel, &FitPanel::batchWanted), graph(&panel, &FitPanel::architectureWanted);
    for (QPushButton* button : panel.findChildren<QPushButton*>())
        button->click();
    EXPECT_EQ(graph.count(), 1);
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted.first().first().toLongLong(), panel.largestBatch());

    panel.setMemory(one - 1);
    EXPECT_EQ(panel.verdict(), FitPanel::Verdict::over);
    EXPECT_THAT(test::child<widgets::StateChip>(panel)->chip().text.toStdString(), HasSubstr("does not fit"));
    model.set(QStringLiteral("distributed_type"), "MULTI_CPU");
    model.set(QStringLiteral("num_processes"), 3);
    const auto three = static_cast<std::uint64_t>(3 * estimate::estimate_memory(recipe, 3).total());
    EXPECT_EQ(panel.total(), three);
    panel.setModel(std::nullopt);
    EXPECT_EQ(panel.total(), three) << "the last figure must stay while a field is invalid";
    panel.setNoModel();
    EXPECT_EQ(panel.total(), 0U);
}

TEST(FitPanelTest, LayoutsItCannotJudgeSaySo) {
    DraftModel model(gpus(2));
    FitPanel panel(&model);
    panel.setModel(config::Recipe{});
    panel.setMemory(1ull << 40);
    EXPECT_EQ(panel.verdict(), FitPanel::Verdict::unknown);
    EXPECT_THAT(panel.note()->text().toStdString(), HasSubstr("not known"));
    model.set(QStringLiteral("distributed_type"), "MEGATRON_LM");
    EXPECT_GT(panel.total(), 0U) << "tensor and pipeline parallelism are trained";
    model.set(QStringLiteral("distributed_type"), "FSDP");
    model.set(QStringLiteral("fsdp_config.fsdp_offload_params"), true);
    EXPECT_THAT(panel.note()->text().toStdString(), HasSubstr("fsdp_offload_params"));
    EXPECT_EQ(panel.total(), 0U);
    model.set(QStringLiteral("fsdp_config.fsdp_offload_params"), false);
    EXPECT_GT(panel.total(), 0U) << "FSDP itself is trained";
}

TEST(FitPanelTest, RanksShareOutWhatTheStageOfZeroSays) {
    DraftModel model(gpus(2));
    FitPanel panel(&model);
    config::Recipe recipe;
    panel.setModel(recipe);
    model.set(QStringLiteral("num_processes"), 2);
    model.set(QStringLiteral("distributed_type"), "DEEPSPEED");
    model.set(QStringLiteral("deepspeed_config.zero_stage"), 1);
    recipe.parallel.zero_stage = 1;
    EXPECT_EQ(panel.total(), static_cast<std::uint64_t>(2 * estimate::estimate_memory(recipe, 2).total()));
    EXPECT_LT(static_cast<double>(panel.total()), 2 * estimate::estimate_memory(config::Recipe{}, 2).total());
}

TEST(PastedTest, LaunchCommands) {
    const Pasted pasted = desktop::read_pasted(
        "$ CUDA_VISIBLE_DEVICES=0,1 OMP_NUM_THREADS=4 accelerate launch --use_fsdp --num-processes=8 \\\n"
        "    --fsdp_version 2 --mixed_precision bf16 --max_restarts 3 'my train.py' --lr 1e-4\n",
        true);
    EXPECT_EQ(pasted.kind, Pasted::Kind::launch_command);
    EXPECT_EQ(pasted.program, "my train.py");
    EXPECT_THAT(pasted.arguments, ElementsAre("--lr", "1e-4"));
    settings::Settings keys;
    for (const auto& [path, value] : pasted.keys)
        keys.set(path, value);
    EXPECT_EQ(keys.text("distributed_type"), "FSDP");
    EXPECT_EQ(keys.integer("num_processes", 0), 8);
    EXPECT_EQ(keys.integer("fsdp_config.fsdp_version", 0), 2);
    EXPECT_EQ(keys.text("mixed_precision"), "bf16");
    EXPECT_EQ(keys.text("gpu_ids"), "0,1");
    EXPECT_EQ(pasted.notes.size(), 2U);
    EXPECT_THROW(desktop::read_pasted("accelerate launch --num_procesess 2 train.py", true), InvalidInput);
}

TEST(PastedTest, Torchrun) {
    const Pasted pasted = desktop::read_pasted(
        "python -m torch.distributed.run --nnodes 2 --nproc-per-node=4 --node_rank 1 --rdzv-endpoint gpu-a:29400 "
        "--rdzv_backend c10d -m pkg.train --epochs 3",
        true);
    EXPECT_EQ(pasted.kind, Pasted::Kind::torchrun_command);
    settings::Settings keys;
    for (const auto& [path, value] : pasted.keys)
        keys.set(path, value);
    EXPECT_EQ(keys.integer("num_machines", 0), 2);
    EXPECT_EQ(keys.integer("num_processes", 0), 8);
    EXPECT_EQ(keys.integer("machine_rank", 0), 1);
    EXPECT_EQ(keys.text("main_process_ip"), "gpu-a");
    EXPECT_EQ(keys.integer("main_process_port", 0), 29400);
    EXPECT_EQ(keys.text("rdzv_backend"), "c10d");
    EXPECT_EQ(keys.text("distributed_type"), "MULTI_GPU");
    EXPECT_EQ(pasted.program, "pkg.train");
    const Pasted cpu = desktop::read_pasted("torchrun --standalone --nproc_per_node 2 train.py", false);
    EXPECT_THAT(cpu.keys, testing::Contains(Pair("distributed_type", Value("MULTI_CPU"))));
    EXPECT_THROW(desktop::read_pasted("torchrun --nnodes many train.py", true), UserError);
}

TEST(PastedTest, FilesAreToldApartByContent) {
    EXPECT_EQ(desktop::read_pasted(kFile, true).kind, Pasted::Kind::settings_file);
    const Pasted zero = desktop::read_pasted(
        R"({"zero_optimization": {"stage": 3}, "gradient_clipping": 1.0, "bf16": {"enabled": true}})", true);
    EXPECT_EQ(zero.kind, Pasted::Kind::deepspeed_json);
    EXPECT_THAT(zero.keys, testing::Contains(Pair("deepspeed_config.zero_stage", Value(3))));
    for (const char* nothing : {"", "  \n", "hello", "a: 1\nb: 2\n", "{\"x\": ", "it's a text"})
        EXPECT_THROW(desktop::read_pasted(nothing, true), UserError) << nothing;
}

TEST(PastedTest, WordsAsAShellSplitsThem) {
    const auto words = [](const std::string& text) { return desktop::split_commands(text).at(0).words; };
    EXPECT_THAT(words("a 'b c' \"d \\\"e\\\"\" f\\ g # comment\nh \\\n i ''"),
                ElementsAre("a", "b c", "d \"e\"", "f g", "h", "i", ""));
    EXPECT_THROW(desktop::split_commands("a 'b"), UserError);
    const auto commands = desktop::split_commands("cd x && a 'b;c'>log 2>&1 --n=2 | tee 'a|b' &\nd <in; e\\&f 3 >g");
    ASSERT_EQ(commands.size(), 5U);
    EXPECT_THAT(commands[0].words, ElementsAre("cd", "x"));
    EXPECT_THAT(commands[1].words, ElementsAre("a", "b;c", "--n=2"));
    EXPECT_THAT(commands[1].redirections, ElementsAre("> log", "2>&1"));
    EXPECT_THAT(commands[2].words, ElementsAre("tee", "a|b"));
    EXPECT_THAT(commands[3].words, ElementsAre("d"));
    EXPECT_THAT(commands[3].redirections, ElementsAre("< in"));
    EXPECT_THAT(commands[4].words, ElementsAre("e&f", "3"));
    EXPECT_THAT(commands[4].redirections, ElementsAre("> g"));
}

/// Commands of scripts, READMEs and job files.
TEST(PastedTest, WhatIsOfTheShellIsLeftOutAndNamed) {
    const Pasted pasted = desktop::read_pasted(
        "cd ~/project && nohup accelerate launch --num_processes 2 train.py --data $DATA --lr 1e-4 > log.txt 2>&1 &",
        true);
    EXPECT_EQ(pasted.program, "train.py");
    EXPECT_THAT(pasted.arguments, ElementsAre("--data", "$DATA", "--lr", "1e-4"));
    std::string notes;
    for (const Message& note : pasted.notes)
        notes += note.text() + "\n";
    for (const char* named : {"cd ~/project", "> log.txt 2>&1", "$DATA"})
        EXPECT_THAT(notes, HasSubstr(named));
    EXPECT_EQ(pasted.notes.size(), 3U) << notes;
}

/// As web pages and chats show commands: blanks that do not break, one long dash for two, round quotes.
TEST(PastedTest, CommandsOfWebPages) {
    const Pasted pasted = desktop::read_pasted(
        "accelerate\u00a0launch \u2014num_processes\u00a02 \u2013mixed_precision bf16 train.py \u201ca b\u201d\u200b "
        "c\u2014d",
        true);
    EXPECT_EQ(pasted.program, "train.py");
    EXPECT_THAT(pasted.arguments, ElementsAre("a b", "c\u2014d"));
    EXPECT_THAT(pasted.keys, testing::Contains(Pair("num_processes", Value(2))));
    EXPECT_THAT(pasted.keys, testing::Contains(Pair("mixed_precision", Value("bf16"))));
}

namespace {

class PresetsMenuTest : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        model_.setMachine(gpus(2));
        button_.resize(100, 30);
        button_.show();
        menu_.popup(&button_);
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return menu_.isReady(); }, 5000));
    }
    void choose(const QString& name) {
        const auto items = test::child<QListWidget>(menu_)->findItems(name, Qt::MatchExactly);
        ASSERT_EQ(items.size(), 1) << name.toStdString();
        test::child<QListWidget>(menu_)->setCurrentItem(items.first());
    }
    QAbstractItemModel* keys() { return test::child<QTableView>(menu_)->model(); }
    QString cell(int row, int column) { return keys()->index(row, column).data().toString(); }

    test::TemporaryFolder folder_;
    desktop::RunDraft draft_;
    DraftModel& model_ = *draft_.model();
    QPushButton button_;
    PresetsMenu menu_{&draft_};
};

}  // namespace

TEST_F(PresetsMenuTest, BuiltInOnesShowTheirKeysAndAreOneStep) {
    for (const settings::Preset& preset : settings::Draft::presets()) {
        choose(QString::fromStdString(preset.name));
        ASSERT_EQ(keys()->rowCount(), static_cast<int>(preset.keys.size()));
        for (int row = 0; row < keys()->rowCount(); ++row)
            EXPECT_EQ(cell(row, 0).toStdString(), preset.keys[static_cast<std::size_t>(row)].first);
    }
    const std::string before = model_.draft().text();
    const settings::Preset& last = settings::Draft::presets().back();
    QSignalSpy applied(&menu_, &PresetsMenu::applied);
    test::child<QPushButton>(menu_, QStringLiteral("Apply"))->click();
    ASSERT_EQ(applied.count(), 1);
    EXPECT_FALSE(menu_.isVisible());
    for (const auto& [path, value] : last.keys) {
        if (value.is_null())
            continue;
        ASSERT_NE(model_.settings().find(path), nullptr) << path;
        EXPECT_EQ(*model_.settings().find(path), value) << path;
    }
    model_.history()->undo();
    EXPECT_EQ(model_.draft().text(), before);
    EXPECT_EQ(model_.history()->undoable(), 0);
}

TEST_F(PresetsMenuTest, WhatTheEngineRefusesIsLeftOutAndTheReasonStandsThere) {
    const auto notes = [this] {
        QString all;
        for (const QLabel* label : menu_.findChildren<QLabel*>())
            all += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
        return all.toStdString();
    };
    for (const char* name : {"Largest model on this machine", "ZeRO-3 with offload"}) {
        SCOPED_TRACE(name);
        model_.reset();
        menu_.popup(&button_);
        settle();
        choose(QString::fromLatin1(name));
        EXPECT_THAT(notes(), HasSubstr("Not applied, because the engine does not support it: "));
        EXPECT_THAT(notes(), HasSubstr("on the device"));
        menu_.apply();
        EXPECT_FALSE(plan::recipe_limit(model_.settings()));
        EXPECT_EQ(model_.settings().text("mixed_precision"), "bf16");
    }
    EXPECT_EQ(model_.settings().integer("deepspeed_config.zero_stage", 0), 3);

    // A script may have all of it.
    draft_.setPurpose(desktop::Purpose::Script);
    model_.reset();
    menu_.popup(&button_);
    settle();
    choose(QStringLiteral("ZeRO-3 with offload"));
    EXPECT_EQ(notes().find("Not applied"), std::string::npos);
    menu_.apply();
    EXPECT_EQ(model_.settings().text("deepspeed_config.offload_param_device"), "cpu");
}

TEST_F(PresetsMenuTest, OwnOnesAreKeptAppliedAndDeleted) {
    model_.set(QStringLiteral("main_process_port"), 29777);
    test::child<QLineEdit>(menu_, QStringLiteral("Name of the new preset"))->setFocus();
    QTest::keyClicks(test::child<QLineEdit>(menu_, QStringLiteral("Name of the new preset")),
                     QStringLiteral("My box: two GPUs"));
    QTest::keyClick(test::child<QLineEdit>(menu_, QStringLiteral("Name of the new preset")), Qt::Key_Return);
    const std::filesystem::path saved = folder_.path() / "trainyard" / "presets" / "my-box-two-gpus.yaml";
    ASSERT_TRUE(QTest::qWaitFor([&] { return std::filesystem::exists(saved); }, 5000));
    settle();
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            return test::child<QListWidget>(menu_)
                       ->findItems(QStringLiteral("My box: two GPUs"), Qt::MatchExactly)
                       .size() == 1;
        },
        5000));
    model_.reset();
    choose(QStringLiteral("My box: two GPUs"));
    test::child<QPushButton>(menu_, QStringLiteral("Apply"))->click();
    EXPECT_EQ(model_.settings().integer("main_process_port", 0), 29777);

    // A broken preset is reported and does not hide the valid one.
    std::ofstream(saved.parent_path() / "broken.yaml") << "a: [\n";
    menu_.popup(&button_);
    settle();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !menu_.message()->isHidden(); }, 5000));
    EXPECT_THAT(menu_.message()->text().toStdString(), HasSubstr("broken.yaml"));
    choose(QStringLiteral("My box: two GPUs"));
    EXPECT_FALSE(menu_.deleteButton()->isHidden());
    menu_.deleteButton()->click();
    EXPECT_TRUE(std::filesystem::exists(saved)) << "asks first";
    EXPECT_THAT(menu_.deleteButton()->text().toStdString(), HasSubstr("My box"));
    menu_.deleteButton()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !std::filesystem::exists(saved); }, 5000));
    settle();
}

TEST_F(PresetsMenuTest, ACommandFromTheClipboardIsShownThenApplied) {
    QApplication::clipboard()->setText(
        QStringLiteral("torchrun --nproc_per_node 2 --master_port 29999 train.py --x 1"));
    test::child<QPushButton>(menu_, QStringLiteral("From the clipboard"))->click();
    EXPECT_TRUE(menu_.message()->isHidden()) << menu_.message()->text().toStdString();
    EXPECT_FALSE(model_.settings().integer("main_process_port", 0) == 29999) << "shown first";
    QSignalSpy program(&menu_, &PresetsMenu::programPasted);
    test::child<QPushButton>(menu_, QStringLiteral("Apply"))->click();
    EXPECT_EQ(model_.settings().integer("main_process_port", 0), 29999);
    EXPECT_EQ(model_.settings().integer("num_processes", 0), 2);
    ASSERT_EQ(program.count(), 1);
    EXPECT_EQ(program.first().first().toString(), QStringLiteral("train.py"));
    EXPECT_EQ(program.first().last().toStringList(), (QStringList{QStringLiteral("--x"), QStringLiteral("1")}));
}

TEST_F(PresetsMenuTest, AFileFromTheClipboardIsOpenedAndNonsenseIsSaid) {
    menu_.importText(QStringLiteral("what is this"));
    EXPECT_THAT(menu_.message()->text().toStdString(), HasSubstr("clipboard"));
    menu_.importText(QString::fromLatin1(kFile));
    test::child<QPushButton>(menu_, QStringLiteral("Open"))->click();
    ASSERT_TRUE(model_.draft().original().has_value());
    EXPECT_EQ(model_.draft().text(), kFile);
}
