// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page of checkpoints: list, tree, statistics, differences, verification, and removal with undo.
#include <algorithm>
#include <stdexcept>

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include <gtest/gtest.h>

#include "base/file.h"
#include "desktop/checkpoints/checkpoint_list_panel.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/checkpoints/inspector.h"
#include "desktop/checkpoints/painted.h"
#include "desktop/checkpoints/tensor_panel.h"
#include "desktop/checkpoints/write_dialog.h"
#include "desktop/fabricated_runs.h"
#include "formats/weights/elements.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/weight_source.h"
#include "inspect/saved.h"
#include "run/mirror.h"
#include "support/child.h"
#include "support/drag.h"
#include "support/golden.h"
#include "support/hosts.h"
#include "support/picture.h"
#include "support/says.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/inline_message.h"
#include "widgets/languages.h"
#include "widgets/plot/number_text.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

/// The control that a screen reader calls so.
template <class Control>
Control* named(const QWidget* in, const char* name) {
    for (auto* control : in->findChildren<Control*>())
        if (control->accessibleName() == QLatin1String(name))
            return control;
    throw std::runtime_error(std::string("there is no control called ") + name);
}

class CheckpointsPageTest : public testing::Test {
  protected:
    Inspector* inspector() const { return test::child<Inspector>(*page_); }
    CheckpointListPanel* checkpoint_list() const { return test::child<CheckpointListPanel>(*page_); }
    TensorPanel* tensors() const { return test::child<TensorPanel>(*page_); }
    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        run_ = test::fabricate(runs_.path(), {.name = "llama", .step = 20, .of = 20});
        fs::remove_all(run_ / "checkpoints");
        for (int step : {3, 6, 9})
            test::write_checkpoint(folder(step), step, tensors(step), 3.0 - step * 0.1);
    }
    static test::Floats tensors(int step) {
        test::Floats all{{"model.embed.weight", std::vector<float>(64, 0.5f)}, {"model.norm.weight", {1, 2, 3, 4}}};
        for (int layer = 0; layer < 12; ++layer)
            for (const char* part : {"attn.q", "mlp.up"})
                all["model.layers." + std::to_string(layer) + "." + part] =
                    std::vector<float>(16, layer == 2 ? static_cast<float>(step) : 1.0f);
        return all;
    }
    /// Returns the figure of the selected tensor that has this label.
    QString figure(const char* name) const {
        for (const auto* form : inspector()->findChildren<QFormLayout*>())
            for (int row = 0; row < form->rowCount(); ++row)
                if (const QLayoutItem* item = form->itemAt(row, QFormLayout::LabelRole);
                    item != nullptr && qobject_cast<QLabel*>(item->widget())->text() == QLatin1String(name))
                    return qobject_cast<QLabel*>(form->itemAt(row, QFormLayout::FieldRole)->widget())->text();
        return {};
    }
    fs::path folder(int step) const { return run_ / "checkpoints" / ("checkpoint_" + std::to_string(step)); }
    void open() {
        page_ = std::make_unique<CheckpointsPage>(QString::fromStdString(runs_.path().string()));
        page_->resize(1228, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        page_->setRuns({{QString::fromStdString(run_.string()), QStringLiteral("llama")}});
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, 10'000));
        test::settle();
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, 10'000));
    }
    std::uint32_t tensor(const char* name) const {
        const auto& all = tensors()->model()->checkpoint()->contents.tensors;
        for (std::uint32_t i = 0; i < all.size(); ++i)
            if (all[i].name == name)
                return i;
        ADD_FAILURE() << name;
        return 0;
    }
    /// Chooses an action of a menu button, as a user does.
    void chooseInMenu(const char* button, const char* action) {
        QMenu* menu = test::child<QPushButton>(*page_, QString::fromUtf8(button))->menu();
        emit menu->aboutToShow();
        for (QAction* one : menu->actions())
            if (one->text() == QString::fromUtf8(action))
                return one->trigger();
        FAIL() << action;
    }
    /// Answers the dialog that is open with a file or folder.
    void chooseInDialog(const fs::path& path) {
        auto* dialog = page_->findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->findChild<QLineEdit*>()->setText(QString::fromStdString(path.string()));
        dialog->findChild<QDialogButtonBox*>()->buttons().front()->click();
        settle();
    }
    void typeInDialog(const char* text) {
        auto* dialog = page_->findChild<QInputDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue(QString::fromUtf8(text));
        dialog->accept();
        settle();
    }
    /// Titles of the tree's first level, and the number of their tensors.
    QStringList branches() const {
        static const QRegularExpression count(QStringLiteral("(\\d+) tensors?$"));
        const TensorModel* model = tensors()->model();
        QStringList found;
        for (int row = 0; row < model->rowCount(); ++row)
            found << QStringLiteral("%1: %2").arg(
                model->index(row, 0).data().toString(),
                count.match(model->index(row, TensorModel::Kind).data().toString()).captured(1));
        return found;
    }
    QPushButton* messageButton(const QString& text) {
        test::settle();  // a new button is shown by the event loop
        for (QPushButton* button : page_->message()->findChildren<QPushButton*>())
            if (button->text() == text && button->isVisibleTo(page_.get()))
                return button;
        return nullptr;
    }
    QPushButton* resumeButton() const {
        for (auto* button : page_->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Resume")))
                return button;
        return nullptr;
    }
    void TearDown() override { test::take_picture(page_.get()); }
    test::TemporaryFolder runs_;
    test::ViewsFolder views_;
    fs::path run_;
    std::unique_ptr<CheckpointsPage> page_;
};

TEST_F(CheckpointsPageTest, WhatCannotBeOpenedLeavesTheRunThatIsShown) {
    open();
    auto* run = page_->findChild<QComboBox*>();
    ASSERT_EQ(run->currentText(), QStringLiteral("llama"));
    page_->open(QStringLiteral("/nowhere/at/all"));
    settle();
    EXPECT_TRUE(page_->message()->isVisible());
    EXPECT_EQ(run->currentText(), QStringLiteral("llama"));
}

TEST_F(CheckpointsPageTest, ALongNameOfAFileTakesNoRoomFromThePage) {
    open();
    const int before = tensors()->minimumSizeHint().width();
    const fs::path file = runs_.path() / (std::string(200, 'x') + ".safetensors");
    test::write_floats(file, {{"a", {1}}});
    page_->open(QString::fromStdString(file.string()));
    settle();
    EXPECT_EQ(tensors()->model()->shown(), 1u);
    EXPECT_EQ(tensors()->minimumSizeHint().width(), before);
}

/// In any window, most of a name is to be seen, and changes have a column only with a comparison.
TEST_F(CheckpointsPageTest, NamesOfTensorsHaveRoom) {
    open();
    const QHeaderView* header = tensors()->tree()->header();
    for (const int width : {888, 1068, 1228, 1600}) {
        page_->resize(width, 660);
        settle();
        EXPECT_TRUE(header->isSectionHidden(TensorModel::Change));
        EXPECT_GE(header->sectionSize(TensorModel::Name), 160) << width;
        EXPECT_GE(tensors()->tree()->viewport()->height(), 150) << width;
    }
    page_->compareWith(1);
    settle();
    EXPECT_FALSE(header->isSectionHidden(TensorModel::Change));
}

TEST_F(CheckpointsPageTest, OpensTheNewestWithItsTreeAndFigures) {
    open();
    EXPECT_EQ(checkpoint_list()->table()->model()->rowCount(), 3);
    const TensorModel* model = tensors()->model();
    ASSERT_NE(model->checkpoint(), nullptr);
    EXPECT_EQ(model->checkpoint()->contents.value("step"), "9");
    EXPECT_EQ(resumeButton()->text(), QStringLiteral("Resume from 9"));
    const QModelIndex weights = model->index(0, 0);
    EXPECT_EQ(weights.data().toString(), QStringLiteral("Weights"));
    tensors()->choose(tensor("model.layers.2.mlp.up"));
    EXPECT_NE(test::child<QLabel>(*inspector(), QStringLiteral("mlp.up")), nullptr);
    EXPECT_EQ(figure("max"), QStringLiteral("9.000"));
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("good\nmodel.safetensors")));
}

TEST_F(CheckpointsPageTest, TheStateHasTheNumberOfRanksThatSavedIt) {
    checkpoint::Manifest manifest = checkpoint::read_manifest(folder(9));
    manifest.world_size = 2;
    checkpoint::write_manifest(folder(9), manifest);
    open();
    EXPECT_EQ(figure("world size"), QStringLiteral("2"));
}

TEST_F(CheckpointsPageTest, ComparesWithTheOneBefore) {
    open();
    QTest::keyClick(page_.get(), Qt::Key_D);
    settle();
    const TensorModel* model = tensors()->model();
    const inspect::TensorChange* change = model->change(tensor("model.layers.2.mlp.up"));
    ASSERT_NE(change, nullptr);
    EXPECT_NEAR(change->relative, 0.5, 1e-6) << "from 6 to 9";
    EXPECT_EQ(model->change(tensor("model.norm.weight"))->kind, inspect::TensorChange::Kind::same);
    // The largest change is first, until the header sorts by name again.
    const auto first_leaf = [&] {
        QModelIndex at = model->index(0, 0);
        for (auto* one = tensors()->model(); one->rowCount(at) > 0 || one->canFetchMore(at); at = one->index(0, 0, at))
            one->fetchMore(at);
        return model->tensorAt(at);
    };
    double largest = 0;
    for (std::uint32_t i = 0; i < 26; ++i)
        largest = std::max(largest, model->change(i)->relative);
    ASSERT_TRUE(first_leaf());
    EXPECT_NE(first_leaf(), 0u);
    EXPECT_EQ(model->change(*first_leaf())->relative, largest);
    QTest::mouseClick(tensors()->tree()->header()->viewport(), Qt::LeftButton, {},
                      QPoint(tensors()->tree()->header()->sectionViewportPosition(TensorModel::Name) + 30, 8));
    EXPECT_EQ(first_leaf(), 0u);
    tensors()->filterLine()->setText(QStringLiteral("changed mlp"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model->shown() == 1; }));
    tensors()->filterLine()->setText(QStringLiteral("size>nothing"));
    ASSERT_TRUE(QTest::qWaitFor([&] {
        const auto labels = tensors()->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("nothing"));
        });
    }));
    EXPECT_EQ(model->shown(), 1u) << "an unreadable checkpoint must not change the page";
    tensors()->filterLine()->clear();
    ASSERT_TRUE(QTest::qWaitFor([&] { return model->shown() == 26; }));
    // The graph opens with the same comparison.
    QSignalSpy graph(page_.get(), &CheckpointsPage::architectureRequested);
    test::child<QPushButton>(*page_, QStringLiteral("Architecture"))->click();
    ASSERT_EQ(graph.count(), 1);
    EXPECT_TRUE(QFileInfo(graph.first().first().toString()).isDir());
    EXPECT_TRUE(QFileInfo(graph.first().last().toString()).isDir());
    EXPECT_NE(graph.first().first(), graph.first().last());
}

/// A checkpoint of the run with one that was saved elsewhere: with wrapped names, in another type, with tensors of
/// its own.
TEST_F(CheckpointsPageTest, ComparesWithAnyFileFolderAndStep) {
    const fs::path base = runs_.path() / "elsewhere" / "base.safetensors";
    fs::create_directories(base.parent_path());
    std::vector<std::vector<std::byte>> bytes;
    std::vector<weights::TensorToWrite> written;
    test::Floats all = tensors(6);
    all.erase("model.norm.weight");
    all["model.pooler.weight"] = {3, 4};
    bytes.reserve(all.size());
    for (const auto& [name, values] : all) {
        weights::convert_elements("F32", std::as_bytes(std::span(values)), "BF16", bytes.emplace_back());
        written.push_back(
            {"module._orig_mod." + name, "BF16", {static_cast<std::int64_t>(values.size())}, bytes.back()});
    }
    weights::write_safetensors(base, written);
    open();
    chooseInMenu("Compare with…", "File…");
    chooseInDialog(base);
    EXPECT_EQ(branches(), (QStringList{QStringLiteral("Only in elsewhere/base.safetensors: 1"),
                                       QStringLiteral("Only in this one: 1"), QStringLiteral("Weights: 25")}))
        << branches().join(QLatin1Char('|')).toStdString() << page_->message()->text().toStdString();
    TensorModel* model = tensors()->model();
    EXPECT_EQ(model->change(tensor("model.layers.2.mlp.up"))->relative, 0.5) << "bf16 holds 6 and 9 exactly";
    EXPECT_EQ(model->change(tensor("model.layers.3.mlp.up"))->kind, inspect::TensorChange::Kind::same)
        << "of another type, with the same values";
    // The tensor that is only in the other file can be viewed.
    const QModelIndex other = model->index(0, 0, model->index(0, 0));
    tensors()->tree()->setCurrentIndex(other);
    ASSERT_TRUE(QTest::qWaitFor([&] { return figure("L2 norm") == QStringLiteral("5.000"); }))
        << figure("L2 norm").toStdString();
    EXPECT_EQ(model->index(0, TensorModel::Change, model->index(0, 0)).data().toString(), QStringLiteral("removed"));
    // The filter is also of the tensors that only the other one has.
    tensors()->filterLine()->setText(QStringLiteral("pooler"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return branches().size() == 1; }));
    EXPECT_EQ(branches().front(), QStringLiteral("Only in elsewhere/base.safetensors: 1"));
    tensors()->filterLine()->clear();
    ASSERT_TRUE(QTest::qWaitFor([&] { return branches().size() == 3; }));
    test::take_picture(page_.get(), "other");
    // Another item of the list is compared with the same file.
    page_->choose(1);
    settle();
    EXPECT_EQ(tensors()->againstBox()->currentText(), QStringLiteral("elsewhere/base.safetensors"));
    EXPECT_EQ(model->change(tensor("model.layers.2.mlp.up"))->kind, inspect::TensorChange::Kind::same);
    chooseInMenu("Compare with…", "Run and step…");
    typeInDialog("llama@3");
    EXPECT_EQ(model->change(tensor("model.layers.2.mlp.up"))->relative, 1) << "from 3 to 6";
    EXPECT_EQ(branches(), (QStringList{QStringLiteral("Weights: 26")}));
    chooseInMenu("Compare with…", "Folder…");
    chooseInDialog(folder(9));
    EXPECT_NEAR(model->change(tensor("model.layers.2.mlp.up"))->relative, 1.0 / 3, 1e-6) << "from 9 to 6";
    page_->compareWithPlace(QStringLiteral("llama@77"));
    settle();
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("77")));
    EXPECT_EQ(tensors()->againstBox()->currentText(), QStringLiteral("nothing"));
}

TEST_F(CheckpointsPageTest, OpensASingleFileAndListsRunsThatHaveCheckpoints) {
    open();
    const fs::path empty = test::fabricate(runs_.path(), {.name = "empty", .step = 20, .of = 20});
    fs::remove_all(empty / "checkpoints");
    const fs::path trainer = runs_.path() / "trainer";
    test::write_floats(trainer / "checkpoint-500" / "model.safetensors", {{"a", {1}}});
    const std::string state = R"({"log_history": [{"step": 1, "loss": 2}]})";
    write_file_atomically(trainer / "trainer_state.json", state);
    const fs::path logs = runs_.path() / "logs";
    fs::create_directories(logs / "checkpoint-5");
    write_file_atomically(logs / "trainer_state.json", state);
    const auto words = [](const fs::path& path) { return QString::fromStdString(path.string()); };
    page_->setRuns({{words(empty), QStringLiteral("empty")},
                    {words(trainer / "trainer_state.json"), QStringLiteral("trainer_state.json")},
                    {words(run_), QStringLiteral("llama")}});
    settle();
    const auto* box = test::child<QComboBox>(*page_, QStringLiteral("Run"));
    QStringList listed;
    for (int i = 0; i < box->count(); ++i)
        listed << box->itemText(i);
    EXPECT_EQ(listed, (QStringList{QStringLiteral("trainer"), QStringLiteral("llama")}));
    chooseInMenu("Open…", "File…");
    chooseInDialog(trainer / "checkpoint-500" / "model.safetensors");
    EXPECT_EQ(tensors()->model()->shown(), 1u);
    EXPECT_EQ(checkpoint_list()->table()->model()->rowCount(), 1);
    page_->open(words(trainer / "trainer_state.json"));
    settle();
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("holds no checkpoint")));
    EXPECT_EQ(tensors()->model()->shown(), 1u) << "what was open stays";
    // A folder that is called like a checkpoint and has only the history of the training is not listed.
    test::write_floats(logs / "checkpoint-10" / "model.safetensors", {{"a", {1}}});
    write_file_atomically(logs / "checkpoint-5" / "trainer_state.json", state);
    page_->open(words(logs));
    settle();
    EXPECT_EQ(checkpoint_list()->table()->model()->rowCount(), 1);
}

TEST_F(CheckpointsPageTest, TensorsOfACheckpointThatCannotBeReadAreNotNew) {
    open();
    fs::resize_file(folder(6) / "model.safetensors", 30);
    QTest::keyClick(page_.get(), Qt::Key_D);
    settle();
    EXPECT_EQ(tensors()->model()->change(tensor("model.norm.weight")), nullptr);
    EXPECT_EQ(page_->message()->title(), QStringLiteral("Not everything can be compared"));
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("model.safetensors")));
}

TEST_F(CheckpointsPageTest, VerifiesAndNamesTheDamage) {
    open();
    page_->verifyChosen();
    settle();
    EXPECT_TRUE(page_->message()->title().contains(QStringLiteral("is complete")));
    std::string content = read_file(folder(9) / "model.safetensors");
    content[content.size() - 3] ^= 1;
    write_file_atomically(folder(9) / "model.safetensors", content);
    page_->verifyChosen();
    settle();
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("model.safetensors")));
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("broken\nmodel.safetensors")));
}

TEST_F(CheckpointsPageTest, RemovesItsPreviewAndPutsItBack) {
    open();
    checkpoint_list()->setPlaces(1, 0);
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("Removes 6, 3")));
    page_->pruneByPolicy();
    QPushButton* sure = messageButton(QStringLiteral("Remove"));
    ASSERT_NE(sure, nullptr);
    EXPECT_TRUE(fs::exists(folder(3))) << "nothing must be removed before the confirmation";
    sure->click();
    settle();
    EXPECT_FALSE(fs::exists(folder(3)));
    EXPECT_FALSE(fs::exists(folder(6)));
    EXPECT_TRUE(fs::exists(folder(9)));
    QPushButton* undo = messageButton(QStringLiteral("Undo"));
    ASSERT_NE(undo, nullptr);
    undo->click();
    settle();
    EXPECT_TRUE(fs::exists(folder(3)));
    EXPECT_EQ(checkpoint_list()->table()->model()->rowCount(), 3);
    checkpoint_list()->setPlaces(0, 0);
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("set one of them to 1 or more")));
    EXPECT_FALSE(checkpoint_list()->plan().count > 0);
}

TEST_F(CheckpointsPageTest, KeepsThePolicyOfAListAndTheOpenNodes) {
    open();
    test::child<QSpinBox>(*page_, QStringLiteral("Number of best checkpoints to keep"))->setValue(0);
    test::child<QSpinBox>(*page_, QStringLiteral("Number of newest checkpoints to keep"))->setValue(1);
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("Removes 6, 3")));
    test::child<QSpinBox>(*page_, QStringLiteral("Interval in steps of the checkpoints to keep"))->setValue(6);
    EXPECT_TRUE(test::shown_words(*checkpoint_list()).contains(QStringLiteral("Removes 3")));
    tensors()->choose(tensor("model.layers.2.mlp.up"));
    const auto layer = [this] { return tensors()->tree()->currentIndex().parent(); };
    ASSERT_TRUE(tensors()->tree()->isExpanded(layer()));
    page_->choose(1);
    settle();
    tensors()->choose(tensor("model.norm.weight"));
    const TensorModel* model = tensors()->model();
    const QModelIndex weights = model->index(0, 0);
    bool open_layer = false;
    for (const QModelIndex& index :
         model->match(weights, Qt::DisplayRole, QStringLiteral("2"), -1, Qt::MatchExactly | Qt::MatchRecursive))
        open_layer = open_layer || tensors()->tree()->isExpanded(index);
    EXPECT_TRUE(open_layer) << "the node that was open in the other checkpoint";
    page_.reset();
    open();
    EXPECT_EQ(test::child<QSpinBox>(*page_, QStringLiteral("Number of best checkpoints to keep"))->value(), 0);
    EXPECT_EQ(test::child<QSpinBox>(*page_, QStringLiteral("Interval in steps of the checkpoints to keep"))->value(),
              6);
}

/// One dialog for everything that a conversion can be.
TEST_F(CheckpointsPageTest, WhatIsKeptIsSaidInWholeSentences) {
    struct Said {
        const char *language, *one, *three;
    };
    for (const Said& said : {Said{"en", "Keep the 1 best checkpoint", "Keep the 3 best checkpoints"},
                             Said{"de", "Den 1 besten Checkpoint behalten", "Die 3 besten Checkpoints behalten"},
                             Said{"zh_CN", "\u4fdd\u7559\u6700\u597d\u7684 1 \u4e2a checkpoint",
                                  "\u4fdd\u7559\u6700\u597d\u7684 3 \u4e2a checkpoint"}}) {
        widgets::Languages::install(*qApp, QLatin1String(said.language));
        open();
        for (const auto& [value, words] : {std::pair(1, said.one), std::pair(3, said.three)}) {
            QSpinBox* box = checkpoint_list()->findChildren<QSpinBox*>().first();
            box->setValue(value);
            // The texts before and after the field, with its number between them.
            QStringList shown;
            for (const QObject* part : box->parentWidget()->children())
                if (const auto* label = qobject_cast<const QLabel*>(part))
                    shown << label->text();
            ASSERT_EQ(shown.size(), 2);
            EXPECT_EQ(QStringLiteral("%1 %2 %3").arg(shown[0]).arg(value).arg(shown[1]).trimmed(),
                      QString::fromUtf8(words));
        }
        page_.reset();
    }
    widgets::Languages::install(*qApp, QStringLiteral("en"));
}

TEST_F(CheckpointsPageTest, WritesWithEveryChoice) {
    open();
    WriteDialog dialog(checkpoint_list()->checkpoint_list(), 0, page_.get());
    inspect::Conversion asked;
    QObject::connect(&dialog, &WriteDialog::writeRequested, page_.get(),
                     [&](const inspect::Conversion& conversion) { asked = conversion; });
    EXPECT_EQ(dialog.conversion().sources, std::vector<fs::path>{folder(9)});
    EXPECT_EQ(named<QDoubleSpinBox>(&dialog, "Largest shard")->text(), QStringLiteral("5 GB"));
    named<QComboBox>(&dialog, "Weights")->setCurrentIndex(3);
    EXPECT_FALSE(dialog.complaint().isEmpty()) << "three checkpoints need three shares";
    named<QLineEdit>(&dialog, "Shares")->setText(QStringLiteral("1 0 1"));
    EXPECT_TRUE(dialog.complaint().isEmpty());
    named<QComboBox>(&dialog, "Type")->setCurrentIndex(2);
    named<QComboBox>(&dialog, "Layout")->setCurrentIndex(1);
    named<QDoubleSpinBox>(&dialog, "Largest shard")->setValue(0.001);
    write_file_atomically(runs_.path() / "names.txt", "model.embed.weight -> tokens\n");
    named<QLineEdit>(&dialog, "Rename by table")
        ->setText(QString::fromStdString((runs_.path() / "names.txt").string()));
    named<QLineEdit>(&dialog, "Folder to write")->setText(QString::fromStdString((runs_.path() / "out").string()));
    dialog.show();
    test::take_picture(&dialog, "dialog");
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Write"))
            button->click();
    EXPECT_EQ(asked.sources, (std::vector<fs::path>{folder(3), folder(6), folder(9)})) << "oldest first";
    page_->write(asked);
    settle();
    const auto written = weights::open_weights(runs_.path() / "out");
    bool renamed = false;
    for (std::size_t i = 0; i < written->tensors().size(); ++i) {
        const auto& one = written->tensors()[i];
        EXPECT_EQ(one.dtype, "BF16");
        renamed = renamed || one.name == "tokens";
        if (one.name == "model.layers.2.mlp.up")
            written->stream(i, [](std::span<const std::byte> bytes) {
                std::vector<float> values(bytes.size() / 2);
                weights::decode_elements("BF16", bytes, values);
                EXPECT_EQ(values.front(), 6.0f) << "of 3 and 9";
            });
    }
    EXPECT_TRUE(renamed);
}

TEST_F(CheckpointsPageTest, ModelsAreExportedToOtherPrograms) {
    open();
    page_->open(QString::fromStdString((test::own_golden("models") / "llama_gqa").string()));
    settle();
    chooseInMenu("Export…", "GGUF file for llama.cpp in q8_0…");
    EXPECT_TRUE(page_->findChild<QFileDialog*>()->selectedFiles().front().endsWith(QStringLiteral("-q8_0.gguf")));
    const fs::path gguf = runs_.path() / "llama.gguf", onnx = runs_.path() / "llama.onnx";
    chooseInDialog(gguf);
    EXPECT_EQ(page_->message()->title(), QStringLiteral("Written and read back"));
    EXPECT_THAT(page_->message()->text(), test::says("{} has no tokenizer.json: the file has no tokens, and programs "
                                                     "can give it their numbers alone",
                                                     testing::_));
    test::take_picture(page_.get(), "gguf");
    const std::string bytes = read_file(gguf);
    const auto header = weights::read_gguf_header(std::as_bytes(std::span(bytes)), bytes.size(), "llama.gguf");
    EXPECT_EQ(header.tensors.size(), 21u);
    EXPECT_EQ(std::ranges::find(header.tensors, "output.weight", &weights::GgufTensor::name)->type, "Q8_0");
    delete page_->findChild<QFileDialog*>();
    chooseInMenu("Export…", "ONNX file…");
    chooseInDialog(onnx);
    EXPECT_TRUE(fs::exists(onnx));
    delete page_->findChild<QFileDialog*>();

    // The page names what cannot be exported, and no file is created.
    page_->open(QString::fromStdString((test::own_golden("speech_models") / "stable").string()));
    settle();
    chooseInMenu("Export…", "ONNX file…");
    chooseInDialog(runs_.path() / "wav2vec2.onnx");
    EXPECT_EQ(page_->message()->title(), QStringLiteral("The file was not written"));
    EXPECT_THAT(page_->message()->text(), test::says("the model cannot be written as ONNX: {}", testing::_));
    EXPECT_FALSE(fs::exists(runs_.path() / "wav2vec2.onnx"));
    test::take_picture(page_.get(), "refused");
}

TEST_F(CheckpointsPageTest, TheDialogHasTheTypesOfGguf) {
    open();
    WriteDialog dialog(checkpoint_list()->checkpoint_list(), 0, page_.get());
    dialog.show();
    auto* layout = named<QComboBox>(&dialog, "Layout");
    auto *dtype = named<QComboBox>(&dialog, "Type"), *matrices = named<QComboBox>(&dialog, "Type of matrices");
    EXPECT_TRUE(dtype->isVisible());
    EXPECT_FALSE(matrices->isVisible());
    dtype->setCurrentIndex(2);
    layout->setCurrentText(QStringLiteral("GGUF file for llama.cpp"));
    EXPECT_FALSE(dtype->isVisible());
    ASSERT_TRUE(matrices->isVisible());
    EXPECT_EQ(dialog.conversion().gguf_type, "");
    matrices->setCurrentText(QStringLiteral("q4_k"));
    for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
        widgets::Theme::instance().setChoice(theme);
        test::take_picture(&dialog, theme == widgets::ThemeChoice::Dark ? "dialog-gguf-dark" : "dialog-gguf-light");
    }
    EXPECT_EQ(dialog.conversion().program, inspect::Conversion::Program::llama_cpp);
    EXPECT_EQ(dialog.conversion().gguf_type, "q4_k");
    EXPECT_EQ(dialog.conversion().dtype, "");
    layout->setCurrentText(QStringLiteral("ONNX file"));
    EXPECT_FALSE(matrices->isVisible());
    EXPECT_FALSE(dtype->isVisible());
    EXPECT_EQ(dialog.conversion().program, inspect::Conversion::Program::onnx);
    EXPECT_EQ(dialog.conversion().gguf_type, "");
}

TEST_F(CheckpointsPageTest, RowsOfAnEmbeddingAreTokens) {
    const std::vector<float> values{3, 4, 0, 0, 1, 0, 0, 0};
    fs::create_directories(runs_.path() / "hf");
    weights::write_safetensors(
        runs_.path() / "hf" / "model.safetensors",
        {{"model.embed_tokens.weight", "F32", {2, 4}, std::as_bytes(std::span(values))},
         {"model.layers.0.self_attn.q_proj.weight", "F32", {4, 2}, std::as_bytes(std::span(values))}});
    write_file_atomically(runs_.path() / "hf" / "config.json", R"({"num_attention_heads": 2})");
    open();
    page_->open(QString::fromStdString((runs_.path() / "hf").string()));
    settle();
    tensors()->choose(tensor("model.embed_tokens.weight"));
    ASSERT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*inspector()).contains(QStringLiteral("token 0: norm 5.000"));
    })) << test::shown_words(*inspector()).toStdString();
    named<QSpinBox>(inspector(), "First row")->setValue(1);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::shown_words(*inspector()).contains(QStringLiteral("token 1: norm 1.000")); }));
    tensors()->choose(tensor("model.layers.0.self_attn.q_proj.weight"));
    named<QSpinBox>(inspector(), "Attention head")->setValue(1);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*inspector()).contains(QStringLiteral("head 1: norm 1.000"));
    })) << test::shown_words(*inspector()).toStdString();
}

/// A folder that bitsandbytes quantized, with double quantization.
TEST_F(CheckpointsPageTest, QuantizedWeightsHaveTheirValuesAndMagnitudes) {
    const fs::path quantized = test::own_golden("quantization") / "qlora" / "nf4_double" / "quantised";
    open();
    page_->open(QString::fromStdString(quantized.string()));
    settle();
    const std::uint32_t number = tensor("model.layers.0.mlp.up_proj.weight");
    const OpenCheckpointPointer checkpoint = tensors()->model()->checkpoint();
    const std::vector<std::int64_t> shape = checkpoint->quantized.shape(number);
    ASSERT_EQ(shape.size(), 2u);
    tensors()->choose(number);
    settle();
    const QString type = tensors()->tree()->currentIndex().siblingAtColumn(TensorModel::Kind).data().toString();
    EXPECT_EQ(type, QStringLiteral("nf4 %1×%2").arg(shape[0]).arg(shape[1]));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::shown_words(*inspector()).contains(QStringLiteral("nf4: ")); }))
        << test::shown_words(*inspector()).toStdString();
    EXPECT_EQ(named<QSpinBox>(inspector(), "First row")->maximum(), shape[0] - 1);
    double largest = 0;
    const auto stored = weights::open_model(quantized);
    for (std::size_t i = 0; i < stored->tensors().size(); ++i)
        if (stored->tensors()[i].name == "model.layers.0.mlp.up_proj.weight")
            stored->stream(i, [&](std::span<const std::byte> piece) {
                std::vector<float> values(piece.size() / weights::dtype_size(stored->tensors()[i].dtype));
                weights::decode_elements(stored->tensors()[i].dtype, piece, values);
                largest = std::max(largest, static_cast<double>(*std::ranges::max_element(values)));
            });
    EXPECT_EQ(figure("max"), widgets::value_number(largest)) << "of the values, not of the codes";
    test::take_picture(page_.get(), "quantized");
    tensors()->choose(tensor("model.norm.weight"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test::shown_words(*inspector()).contains(QStringLiteral("nf4: ")); }));
}

/// For a checkpoint on a host, only the headers and the tensors that the user views are downloaded.
TEST_F(CheckpointsPageTest, OpensOneOnAHost) {
    test::TestHosts hosts(1);
    ::setenv("TRAINYARD_SSH_CONFIG", hosts.ssh_config().c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
    const std::vector<float> values(4'000'000, 0.5f);
    const fs::path there = hosts.home_of("host1") / "far";
    fs::create_directories(there);
    weights::write_safetensors(there / "model.safetensors",
                               {{"a.weight", "F32", {2000, 2000}, std::as_bytes(std::span(values))},
                                {"b.weight", "F32", {3}, std::as_bytes(std::span(values).first(3))}});
    fs::permissions(there / "model.safetensors", fs::perms::others_read, fs::perm_options::add);
    open();
    page_->open(QStringLiteral("host1:far"));
    settle();
    const OpenCheckpointPointer checkpoint = tensors()->model()->checkpoint();
    ASSERT_NE(checkpoint, nullptr) << page_->message()->text().toStdString();
    ASSERT_NE(checkpoint->far, nullptr);
    EXPECT_EQ(tensors()->model()->shown(), 2u);
    EXPECT_LT(checkpoint->far->received(), 200'000u) << "of 16 MB";
    EXPECT_FALSE(resumeButton()->isEnabled());
    EXPECT_FALSE(test::child<QPushButton>(*page_, QStringLiteral("Try it"))->isEnabled()) << "its weights are not here";
    tensors()->choose(tensor("b.weight"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return figure("max") == QStringLiteral("0.500"); }))
        << figure("max").toStdString();
    EXPECT_LT(checkpoint->far->received(), 1'000'000u);
    // A checkpoint of this machine is compared with the one of the host.
    page_->open(QString::fromStdString(run_.string()));
    settle();
    chooseInMenu("Compare with…", "On a host, over SSH…");
    typeInDialog("host1:far");
    EXPECT_EQ(branches(), (QStringList{QStringLiteral("Only in host1:far: 2"), QStringLiteral("Only in this one: 26")}))
        << branches().join(QLatin1Char('|')).toStdString() << page_->message()->text().toStdString();
    page_->open(QStringLiteral("host1:/nothing"));
    settle();
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("host1:/nothing does not exist")))
        << page_->message()->text().toStdString();
    ::unsetenv("TRAINYARD_SSH_CONFIG");
}

TEST_F(CheckpointsPageTest, AFolderThatIsDroppedIsOpened) {
    open();
    test::write_floats(runs_.path() / "hf" / "model.safetensors", {{"a", {1}}});
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString((runs_.path() / "hf").string()))});
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page_.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page_.get(), &drop);
    settle();
    EXPECT_EQ(tensors()->model()->shown(), 1u);
}

TEST_F(CheckpointsPageTest, TheNewestIsNotRemovedAndPinsStay) {
    open();
    QTest::keyClick(page_.get(), Qt::Key_Delete);
    EXPECT_EQ(messageButton(QStringLiteral("Remove")), nullptr);
    QTest::keyClick(page_.get(), Qt::Key_P);
    settle();
    EXPECT_TRUE(fs::exists(folder(9) / "keep"));
    QTest::keyClick(page_.get(), Qt::Key_P);
    settle();
    EXPECT_FALSE(fs::exists(folder(9) / "keep"));
}

TEST_F(CheckpointsPageTest, WritesAndResumes) {
    open();
    inspect::Conversion conversion;
    conversion.dtype = "bf16";
    conversion.output = runs_.path() / "out";
    page_->write(conversion);
    settle();
    EXPECT_EQ(weights::open_weights(runs_.path() / "out")->tensors().front().dtype, "BF16");
    QString spec, from;
    QObject::connect(page_.get(), &CheckpointsPage::resumeRequested, page_.get(),
                     [&](const QString& file, const QString& checkpoint) {
                         spec = file;
                         from = checkpoint;
                     });
    page_->choose(1);
    settle();
    QTest::keyClick(page_.get(), Qt::Key_R);
    EXPECT_EQ(spec.toStdString(), (run_ / "run.yaml").string());
    EXPECT_EQ(from.toStdString(), folder(6).string());
}

TEST_F(CheckpointsPageTest, ABrokenOneSaysWhichFileAndWhatInstead) {
    fs::resize_file(folder(9) / "model.safetensors", 30);
    open();
    page_->choose(0);
    settle();
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("model.safetensors")));
    EXPECT_TRUE(page_->message()->text().contains(QStringLiteral("Resume from 6 instead")));
    EXPECT_FALSE(resumeButton()->isEnabled());
}

TEST_F(CheckpointsPageTest, OneThatIsOnAnotherMachineSaysWhereAndOffersToCopyIt) {
    run::MirrorState mirror;
    mirror.host = "gpu-a";
    mirror.path = "/data/llama";
    run::write_mirror(run::RunPaths(run_), mirror);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder(6)))
        if (entry.path().filename() != "manifest.json")
            fs::remove_all(entry.path());
    open();
    EXPECT_EQ(checkpoint_list()->checkpoint_list().items[1].state, inspect::CheckpointState::remote);
    const QAbstractItemModel* list = checkpoint_list()->table()->model();
    EXPECT_EQ(list->index(1, 2).data().toString(), QStringLiteral("on gpu-a"));
    page_->choose(1);
    settle();
    EXPECT_EQ(page_->message()->title(), QStringLiteral("It is on gpu-a"));
    EXPECT_THAT(page_->message()->text(),
                test::says("{} of run {} is on {}: `trainyard runs fetch {} {}` copies it to this machine",
                           "checkpoint_6", testing::_, "gpu-a", testing::_, "checkpoint_6"));
    EXPECT_FALSE(resumeButton()->isEnabled());
    EXPECT_EQ(tensors()->model()->shown(), 0u);
    QSignalSpy copies(page_.get(), &CheckpointsPage::copyRequested);
    QTest::mouseClick(test::child<QPushButton>(*page_->message(), QStringLiteral("Copy to this machine")),
                      Qt::LeftButton);
    ASSERT_EQ(copies.count(), 1);
    EXPECT_EQ(copies[0][0].toString().toStdString(), run_.string());
    EXPECT_EQ(copies[0][1].toString(), QStringLiteral("checkpoint_6"));
    // The others are used as before; the copied one is, too.
    page_->choose(0);
    settle();
    EXPECT_FALSE(page_->message()->isVisible());
    EXPECT_TRUE(resumeButton()->isEnabled());
    test::write_checkpoint(folder(6), 6, tensors(6), 2.4);
    page_->refresh();
    settle();
    EXPECT_EQ(checkpoint_list()->checkpoint_list().items[1].state, inspect::CheckpointState::whole);
}

TEST_F(CheckpointsPageTest, OpensAnyFolderAndSaysWhatIsNone) {
    open();
    test::write_floats(runs_.path() / "hf" / "model.safetensors", {{"a", {1}}});
    page_->open(QString::fromStdString((runs_.path() / "hf").string()));
    settle();
    EXPECT_EQ(tensors()->model()->shown(), 1u);
    EXPECT_FALSE(resumeButton()->isEnabled()) << "it does not belong to a run";
    fs::create_directories(runs_.path() / "none");
    page_->open(QString::fromStdString((runs_.path() / "none").string()));
    settle();
    EXPECT_THAT(page_->message()->text(), test::says("{} holds no checkpoint: expected weights (.safetensors, .bin, "
                                                     ".gguf), .metadata, or the files of save_state",
                                                     testing::_));
}

TEST_F(CheckpointsPageTest, ACheckpointIsDraggedOutAsItsFolder) {
    open();
    QTableView* table = checkpoint_list()->table();
    const QMimeData* data = test::drag_from(table->viewport(), table->visualRect(table->model()->index(1, 1)).center());
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->urls(), QList<QUrl>{QUrl::fromLocalFile(QString::fromStdString(folder(6).string()))});
}

}  // namespace
