// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the expert mode with mouse and keyboard: every key of the schema can be found, changed, reset and corrected.

#include "desktop/wizard/expert_view.h"

#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "config/accelerate/schema.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/expert_model.h"
#include "desktop/wizard/expert_tree.h"
#include "support/child.h"
#include "support/settle.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using desktop::DraftModel;
using desktop::ExpertFilter;
using desktop::ExpertModel;
using desktop::ExpertTree;
using desktop::ExpertView;

namespace {

settings::Machine twoGpus() {
    settings::Machine machine;
    machine.device = "cuda";
    machine.device_count = 2;
    machine.physical_cores = 8;
    return machine;
}

class ExpertViewTest : public testing::Test {
  protected:
    widgets::SegmentedControl* filters() const { return test::child<widgets::SegmentedControl>(view_); }
    void SetUp() override {
        view_.resize(1000, 700);
        view_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
    }
    ExpertTree* tree() { return test::child<ExpertTree>(view_); }
    QModelIndex cell(const char* path, int column) {
        EXPECT_TRUE(view_.focusKey(QLatin1String(path))) << path;
        return tree()->currentIndex().siblingAtColumn(column);
    }
    QRect place(const char* path, int column) { return tree()->visualRect(cell(path, column)); }
    void click(const QPoint& at) { QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, at); }
    const desktop::ExpertRow* row(const char* path) {
        auto* filter = qobject_cast<ExpertFilter*>(tree()->model());
        return filter->model()->at(filter->model()->find(QLatin1String(path)));
    }
    const Value* value(const char* path) const { return model_.settings().find(path); }
    /// Returns the editor of the row that is being edited. Does not change the focus.
    QWidget* editor(const char* path) {
        auto* filter = qobject_cast<ExpertFilter*>(tree()->model());
        const QModelIndex key = filter->mapFromSource(filter->model()->find(QLatin1String(path)));
        return tree()->indexWidget(key.siblingAtColumn(ExpertModel::ValueColumn));
    }
    void typeValue(const char* path, const QString& text) {
        ASSERT_TRUE(view_.focusKey(QLatin1String(path)));
        QTest::keyClick(tree(), Qt::Key_Return);
        auto* edit = qobject_cast<QLineEdit*>(editor(path));
        ASSERT_NE(edit, nullptr) << path;
        QTest::keyClicks(edit, text);
    }
    void filter(int which) { filters()->button(which)->click(); }

    DraftModel model_{twoGpus()};
    ExpertView view_{&model_};
};

}  // namespace

TEST_F(ExpertViewTest, EveryKeyOfTheSchemaIsFoundByPartOfItsName) {
    for (const settings::Key& key : settings::schema()) {
        const std::string_view name = key.section == settings::Section::launch ? key.flag.name : key.name;
        const QString path =
            QString::fromStdString(key.section == settings::Section::launch ? std::string(name) : key.path());
        // Without the first letters, so that only a search within the name finds it.
        const QString part = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).mid(name.size() > 3);
        view_.searchField()->setText(part);
        EXPECT_TRUE(view_.shownKeys().contains(path)) << path.toStdString() << " by " << part.toStdString();
    }
}

TEST_F(ExpertViewTest, TheMeaningHasRoomInTheSmallestWindow) {
    // Widths of the middle column of the wizard in a window of 1100 pixels, with and without the side panels.
    for (const int width : {460, 640, 860, 1200}) {
        view_.resize(width, 560);
        test::settle();
        EXPECT_GE(tree()->columnWidth(ExpertModel::MeaningColumn), tree()->viewport()->width() / 5) << width;
        int all = 0;
        for (int column = 0; column < ExpertModel::ColumnCount; ++column)
            all += tree()->isColumnHidden(column) ? 0 : tree()->columnWidth(column);
        EXPECT_LE(all, tree()->viewport()->width()) << width << ": nothing stands outside";
    }
}

TEST_F(ExpertViewTest, TypingInTheSearchFieldNarrowsAndDownGoesToTheFirstKey) {
    view_.searchField()->setFocus();
    QTest::keyClicks(view_.searchField(), QStringLiteral("--fsdp-version"));
    EXPECT_EQ(view_.shownKeys(), QStringList{QStringLiteral("fsdp_config.fsdp_version")});
    QTest::keyClick(view_.searchField(), Qt::Key_Down);
    EXPECT_TRUE(tree()->hasFocus());
    EXPECT_EQ(tree()->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("fsdp_version"));
    QTest::keyClick(tree(), Qt::Key_Escape);
    EXPECT_TRUE(view_.searchField()->text().isEmpty());
    // Searches by label and description.
    view_.searchField()->setText(QStringLiteral("offload to the cpu"));
    EXPECT_TRUE(view_.shownKeys().contains(QStringLiteral("fsdp_config.fsdp_offload_params")));
    view_.searchField()->setText(QStringLiteral("nosuchkeyatall"));
    EXPECT_TRUE(view_.shownKeys().isEmpty());
}

TEST_F(ExpertViewTest, ATypedValueIsWrittenAndUndoneAsOneStep) {
    QSignalSpy changed(&model_, &DraftModel::changed);
    typeValue("main_process_port", QStringLiteral("29511"));
    EXPECT_EQ(changed.count(), 5) << "one a keystroke";
    ASSERT_NE(value("main_process_port"), nullptr);
    EXPECT_EQ(*value("main_process_port"), Value(29511));
    EXPECT_NE(model_.draft().text().find("main_process_port: 29511\n"), std::string::npos);
    QTest::keyClick(editor("main_process_port"), Qt::Key_Return);
    model_.history()->undo();
    EXPECT_TRUE(value("main_process_port") == nullptr || !(*value("main_process_port") == Value(29511)));
    EXPECT_EQ(model_.history()->undoable(), 0) << "five keystrokes were one step";
    model_.history()->redo();
    EXPECT_EQ(*value("main_process_port"), Value(29511));
}

TEST_F(ExpertViewTest, EscapeBringsBackWhatStoodThere) {
    model_.set(QStringLiteral("main_process_port"), 29600);
    typeValue("main_process_port", QStringLiteral("7"));
    EXPECT_EQ(*value("main_process_port"), Value(7));
    QTest::keyClick(editor("main_process_port"), Qt::Key_Escape);
    EXPECT_EQ(*value("main_process_port"), Value(29600));
    EXPECT_TRUE(tree()->hasFocus());
    EXPECT_EQ(editor("main_process_port"), nullptr);
}

TEST_F(ExpertViewTest, TabEndsTheEditOnTheNextRow) {
    typeValue("num_machines", QStringLiteral("2"));
    const QString next = tree()->indexBelow(tree()->currentIndex().siblingAtColumn(0)).data().toString();
    QTest::keyClick(editor("num_machines"), Qt::Key_Tab);
    ASSERT_TRUE(QTest::qWaitFor([this] { return editor("num_machines") == nullptr; }, 5000));
    EXPECT_EQ(tree()->currentIndex().siblingAtColumn(0).data().toString(), next);
    EXPECT_TRUE(tree()->hasFocus());
    EXPECT_EQ(*value("num_machines"), Value(2));
}

TEST_F(ExpertViewTest, TheMenuKeyOffersWhatTheMouseCan) {
    model_.set(QStringLiteral("main_process_port"), 29600);
    ASSERT_TRUE(view_.focusKey(QStringLiteral("main_process_port")));
    QContextMenuEvent press(QContextMenuEvent::Keyboard, QPoint(5, 5), tree()->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(tree()->viewport(), &press);
    auto* menu = tree()->findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("Remove it from the file"))
            action->trigger();
    menu->close();
    EXPECT_FALSE(row("main_process_port")->value == QStringLiteral("29600"));
}

TEST_F(ExpertViewTest, TypingOnARowBeginsToEditIt) {
    ASSERT_TRUE(view_.focusKey(QStringLiteral("num_machines")));
    QTest::keyClick(tree(), Qt::Key_3);
    ASSERT_NE(editor("num_machines"), nullptr);
    EXPECT_EQ(*value("num_machines"), Value(3));
}

TEST_F(ExpertViewTest, TickBySpaceAndMouseWritesTheDefaultAndTakesItBack) {
    const char* key = "enable_cpu_affinity";
    model_.set(QLatin1String(key), {});
    ASSERT_EQ(value(key), nullptr);
    ASSERT_TRUE(view_.focusKey(QLatin1String(key)));
    QTest::keyClick(tree(), Qt::Key_Space);
    ASSERT_NE(value(key), nullptr);
    EXPECT_EQ(*value(key), Value(false));
    click(desktop::ExpertDelegate::tickRect(place(key, ExpertModel::KeyColumn)).center());
    EXPECT_EQ(value(key), nullptr);
    // A key that has no default asks for its value.
    ASSERT_TRUE(view_.focusKey(QStringLiteral("main_process_ip")));
    QTest::keyClick(tree(), Qt::Key_Space);
    EXPECT_NE(editor("main_process_ip"), nullptr);
}

TEST_F(ExpertViewTest, SegmentsChecksAndListsAreChosenByMouseAndKeys) {
    // A segment by the mouse.
    const QRect version = place("fsdp_config.fsdp_version", ExpertModel::ValueColumn);
    ASSERT_NE(row("fsdp_config.fsdp_version"), nullptr);
    ASSERT_EQ(desktop::editor_of(*row("fsdp_config.fsdp_version")), desktop::ExpertEditor::segments);
    auto* delegate = qobject_cast<desktop::ExpertDelegate*>(tree()->itemDelegate());
    click(delegate->segmentRects(version, *row("fsdp_config.fsdp_version"))[1].center());
    ASSERT_NE(value("fsdp_config.fsdp_version"), nullptr);
    EXPECT_EQ(*value("fsdp_config.fsdp_version"), Value(2));
    // The same by keys: Enter opens the list of choices.
    ASSERT_TRUE(view_.focusKey(QStringLiteral("mixed_precision")));
    QTest::keyClick(tree(), Qt::Key_Return);
    auto* box = qobject_cast<QComboBox*>(editor("mixed_precision"));
    ASSERT_NE(box, nullptr);
    QTest::keyClick(box->view(), Qt::Key_Home);
    while (box->view()->currentIndex().data().toString() != QStringLiteral("bf16")) {
        const int before = box->view()->currentIndex().row();
        QTest::keyClick(box->view(), Qt::Key_Down);
        ASSERT_NE(before, box->view()->currentIndex().row());
    }
    QTest::keyClick(box->view(), Qt::Key_Return);
    EXPECT_EQ(*value("mixed_precision"), Value("bf16"));
    // A truth value.
    ASSERT_TRUE(view_.focusKey(QStringLiteral("debug")));
    QTest::keyClick(tree(), Qt::Key_Return);
    EXPECT_EQ(*value("debug"), Value(true));
    const QRect debug = place("debug", ExpertModel::ValueColumn);
    click(delegate->valueRect(debug, *row("debug")).center());
    EXPECT_EQ(*value("debug"), Value(false));
}

TEST_F(ExpertViewTest, AWrongValueIsSaidKeptAndCounted) {
    typeValue("main_process_port", QStringLiteral("99999"));
    QWidget* edit = editor("main_process_port");
    EXPECT_TRUE(edit->property("invalid").toBool());
    QTest::keyClick(edit, Qt::Key_Return);
    const QString meaning = cell("main_process_port", ExpertModel::MeaningColumn).data().toString();
    EXPECT_TRUE(meaning.contains(QStringLiteral("99999"))) << meaning.toStdString();
    EXPECT_EQ(filters()->button(ExpertFilter::Invalid)->text(), QStringLiteral("Invalid 1"));
    filter(ExpertFilter::Invalid);
    EXPECT_EQ(view_.shownKeys(), QStringList{QStringLiteral("main_process_port")});
    // A row that no longer matches the filter stays until the edit ends.
    typeValue("main_process_port", QStringLiteral("29500"));
    EXPECT_EQ(view_.shownKeys(), QStringList{QStringLiteral("main_process_port")});
    QTest::keyClick(editor("main_process_port"), Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return view_.shownKeys().isEmpty(); }, 5000));
}

TEST_F(ExpertViewTest, TheFixButtonMends) {
    // Every finding that has one good value offers it, by mouse and by key.
    model_.set(QStringLiteral("mixed_precison"), "bf16");
    ASSERT_NE(row("mixed_precison"), nullptr) << "an unknown key has a row";
    ASSERT_TRUE(row("mixed_precison")->has_fix);
    auto* delegate = qobject_cast<desktop::ExpertDelegate*>(tree()->itemDelegate());
    const QRect meaning = tree()->meaningRect(cell("mixed_precison", ExpertModel::KeyColumn));
    click(delegate->fixRect(meaning, *row("mixed_precison")).center());
    EXPECT_EQ(row("mixed_precison"), nullptr);
    EXPECT_EQ(value("mixed_precison"), nullptr);
    model_.history()->undo();
    ASSERT_TRUE(view_.focusKey(QStringLiteral("mixed_precison")));
    QTest::keyClick(tree(), Qt::Key_Period, Qt::ControlModifier);
    EXPECT_EQ(value("mixed_precison"), nullptr);
}

TEST_F(ExpertViewTest, FiltersCountSetAndChangedKeys) {
    settings::Loaded loaded = settings::read_settings(
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_machines: 1\n"
        "num_processes: 2\nfsdp_config:\n  my_note: 7\n",
        "old.yaml", settings::Format::yaml);
    model_.open(std::move(loaded));
    EXPECT_EQ(filters()->button(ExpertFilter::Set)->text(), QStringLiteral("Set 5"));
    EXPECT_EQ(filters()->button(ExpertFilter::Changed)->text(), QStringLiteral("Changed 0"));
    filter(ExpertFilter::Set);
    EXPECT_EQ(view_.shownKeys().size(), 5);
    EXPECT_TRUE(view_.shownKeys().contains(QStringLiteral("fsdp_config.my_note")))
        << "unknown keys must be preserved and shown";
    model_.set(QStringLiteral("num_processes"), 4);
    filter(ExpertFilter::Changed);
    EXPECT_EQ(view_.shownKeys(), QStringList{QStringLiteral("num_processes")});
    // A key that the filter hides can still be found.
    EXPECT_TRUE(view_.focusKey(QStringLiteral("debug")));
    EXPECT_EQ(filters()->current(), ExpertFilter::All);
    EXPECT_EQ(tree()->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("debug"));
    EXPECT_FALSE(view_.focusKey(QStringLiteral("nothing_like_it")));
}

TEST_F(ExpertViewTest, GroupsFoldByKeysAndMouseAndStayFolded) {
    ASSERT_TRUE(view_.focusKey(QStringLiteral("debug")));
    QTest::keyClick(tree(), Qt::Key_Left);
    const QPersistentModelIndex group = tree()->currentIndex().siblingAtColumn(0);
    ASSERT_FALSE(group.parent().isValid());
    EXPECT_TRUE(tree()->isExpanded(group));
    QTest::keyClick(tree(), Qt::Key_Left);
    EXPECT_FALSE(tree()->isExpanded(group));
    view_.searchField()->setText(QStringLiteral("debug"));
    EXPECT_TRUE(tree()->isExpanded(tree()->model()->index(0, 0))) << "search results must be visible";
    view_.searchField()->clear();
    EXPECT_FALSE(tree()->isExpanded(tree()->model()->index(0, 0)));
    click(tree()->visualRect(tree()->model()->index(0, 0)).center());
    EXPECT_TRUE(tree()->isExpanded(tree()->model()->index(0, 0)));
}

TEST_F(ExpertViewTest, FlagsOfLaunchAreShownButNotWritten) {
    ASSERT_TRUE(view_.focusKey(QStringLiteral("--max_restarts")));
    const std::string before = model_.draft().text();
    QTest::keyClick(tree(), Qt::Key_Space);
    QTest::keyClick(tree(), Qt::Key_Return);
    QTest::keyClick(tree(), Qt::Key_5);
    EXPECT_EQ(model_.draft().text(), before);
}

TEST_F(ExpertViewTest, SageMakerHasItsOwnMeaningOfSharedKeys) {
    model_.set(QStringLiteral("compute_environment"), "AMAZON_SAGEMAKER");
    ASSERT_TRUE(view_.focusKey(QStringLiteral("ec2_instance_type")));
    typeValue("ec2_instance_type", QStringLiteral("ml.p4d.24xlarge"));
    EXPECT_NE(model_.draft().text().find("ec2_instance_type: ml.p4d.24xlarge"), std::string::npos);
}

TEST_F(ExpertViewTest, CellsSpeak) {
    const QModelIndex unset = cell("main_process_ip", ExpertModel::ValueColumn);
    EXPECT_TRUE(unset.data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("not set")));
    EXPECT_TRUE(cell("fsdp_config.fsdp_version", ExpertModel::KeyColumn)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Since Accelerate 1.6")));
    EXPECT_FALSE(tree()->accessibleName().isEmpty());
    EXPECT_FALSE(view_.searchField()->accessibleName().isEmpty());
}
