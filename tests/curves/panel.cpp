// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <QUrl>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/card_set.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/curves/parameters_card.h"
#include "desktop/curves/tag_model.h"
#include "desktop/curves/tag_tree.h"
#include "fake_source.h"
#include "support/child.h"
#include "support/drag.h"
#include "support/draw_charts.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/label.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using widgets::CurveChart;

namespace {

class PanelTest : public testing::Test {
  protected:
    PanelBar* bar() const { return test::child<PanelBar>(*panel_); }
    TagModel* tags() const { return test::child<TagModel>(*panel_); }
    TagTree* tree() const { return test::child<TagTree>(*panel_); }
    CardGrid* grid() const { return test::child<CardGrid>(*panel_); }
    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        for (const char* tag :
             {"train/loss", "train/lr", "train/norm", "eval/loss", "system/memory#0", "system/memory#1"})
            a_.add(tag, 200);
        b_.add("train/loss", 150);
        b_.add("eval/accuracy", 20);
    }
    void open(const QVector<CurveSource*>& sources) {
        panel_ = std::make_unique<CurvesPanel>(QStringLiteral("project"), QStringLiteral("run"));
        panel_->resize(1200, 800);
        panel_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(panel_.get()));
        panel_->setSources(sources);
        settle();
    }
    void settle() { test::draw_charts(panel_.get()); }
    CurveCard* card(const char* id) const { return qobject_cast<CurveCard*>(grid()->card(QString::fromLatin1(id))); }
    static void wheel(QWidget* widget, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        const QPointF at(widget->width() / 2.0, widget->height() / 2.0);
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    static void drop(QWidget* target, const char* tag) {
        QMimeData data;
        data.setData(QLatin1String(kTagMime), tag);
        const QPoint at = target->rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &event);
    }

    test::ViewsFolder views_;
    test::TemporaryFolder home_;
    test::FakeSource a_{QStringLiteral("a"), 1};
    test::FakeSource b_{QStringLiteral("b"), 2};
    std::unique_ptr<CurvesPanel> panel_;
};

}  // namespace

TEST_F(PanelTest, EveryTagHasAChartInItsGroup) {
    open({&a_});
    QStringList groups;
    for (const GridSection& section : grid()->sections())
        groups << section.title + QLatin1Char(' ') + QString::number(section.count);
    EXPECT_EQ(groups.join(QStringLiteral(", ")), QStringLiteral("train 3, eval 1, system 1"));
    ASSERT_NE(card("s:train/loss"), nullptr);
    EXPECT_EQ(card("s:train/loss")->chart()->curves().size(), 1);
    ASSERT_NE(card("s:system/memory"), nullptr);
    const QVector<widgets::Curve> ranks = card("s:system/memory")->chart()->curves();
    ASSERT_EQ(ranks.size(), 2);
    EXPECT_EQ(ranks[1].name, QStringLiteral("rank 1"));
    EXPECT_NE(ranks[0].color, ranks[1].color);
}

TEST_F(PanelTest, SeveralSourcesLieOverEachOtherInTheirColours) {
    open({&a_, &b_});
    const QVector<widgets::Curve> curves = card("s:train/loss")->chart()->curves();
    ASSERT_EQ(curves.size(), 2);
    EXPECT_EQ(curves[0].name, QStringLiteral("a"));
    EXPECT_EQ(curves[1].color, 2);
    EXPECT_EQ(card("s:eval/accuracy")->chart()->curves().size(), 1);
}

TEST_F(PanelTest, ASourceThatDiesIsGoneFromEveryChart) {
    auto c = std::make_unique<test::FakeSource>(QStringLiteral("c"), 3);
    c->add("train/loss", 50);
    c->add("only/here", 50);
    open({&a_, c.get()});
    ASSERT_EQ(card("s:train/loss")->chart()->curves().size(), 2);
    c.reset();
    EXPECT_EQ(panel_->sources().size(), 1);
    EXPECT_EQ(card("s:train/loss")->chart()->curves().size(), 1);
    EXPECT_EQ(panel_->index().find(QStringLiteral("s:only/here")), nullptr);
    settle();
}

TEST_F(PanelTest, ThousandsOfTagsCostWhatIsSeen) {
    test::FakeSource many(QStringLiteral("many"));
    for (int i = 0; i < 12'345; ++i)
        many.add("layer " + std::to_string(i / 20) + "/weight " + std::to_string(i % 20));
    open({&many});
    EXPECT_EQ(panel_->index().entries().size(), 12'345u);
    const qsizetype live = test::child<CardSet>(*panel_)->live().size();
    EXPECT_GT(live, 4);
    EXPECT_LT(live, 40);
    grid()->verticalScrollBar()->setValue(grid()->verticalScrollBar()->maximum());
    settle();
    EXPECT_LT(test::child<CardSet>(*panel_)->live().size(), 40);
    EXPECT_NE(grid()->card(QStringLiteral("s:layer 617/weight 4")), nullptr);
    EXPECT_EQ(grid()->card(QStringLiteral("s:layer 0/weight 0")), nullptr);
}

TEST_F(PanelTest, WordsAndExpressionsSeekTags) {
    open({&a_});
    panel_->find();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar()->field()->hasFocus(); }));
    QTest::keyClicks(bar()->field(), QStringLiteral("loss"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return grid()->sections().size() == 2; }));
    EXPECT_EQ(tags()->tagCount(), 2);
    panel_->setFilter(QStringLiteral("/(/"));
    EXPECT_FALSE(bar()->field()->toolTip().isEmpty());
    EXPECT_EQ(tags()->tagCount(), 2) << "the list stays as it was";
    panel_->setFilter(QStringLiteral("/^train.l/"));
    EXPECT_EQ(tags()->tagCount(), 2);
    EXPECT_EQ(grid()->sections().size(), 1u);
    panel_->setFilter(QStringLiteral("nowhere"));
    EXPECT_EQ(tags()->tagCount(), 0);
    EXPECT_FALSE(grid()->isVisible()) << "an empty answer says so";
    QTest::keyClick(bar()->field(), Qt::Key_Escape);
    EXPECT_EQ(tags()->tagCount(), 5);
}

TEST_F(PanelTest, StarsAndPinsStandOnTopAndAreUndone) {
    open({&a_});
    panel_->toggleStar(QStringLiteral("s:eval/loss"));
    EXPECT_EQ(grid()->sections().front().title, QStringLiteral("Starred"));
    panel_->pin({QStringLiteral("s:train/lr")});
    EXPECT_EQ(grid()->sections().front().title, QStringLiteral("Pinned"));
    ASSERT_NE(card("pin:1"), nullptr);
    panel_->setFocus();
    QTest::keyClick(panel_.get(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(grid()->sections().front().title, QStringLiteral("Starred"));
    QTest::keyClick(panel_.get(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(grid()->sections().front().title, QStringLiteral("train"));
    QTest::keyClick(panel_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(grid()->sections().front().title, QStringLiteral("Starred"));
}

TEST_F(PanelTest, MenusOfCardsAndTagsDoNotBlock) {
    open({&a_});
    const auto choose = [](QWidget* widget, const QPoint& at, const QString& words) {
        QContextMenuEvent press(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &press);
        QPointer<QMenu> menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr) << words.toStdString();
        QAction* chosen = nullptr;
        for (QAction* action : menu->actions())
            if (action->text() == words)
                chosen = action;
        ASSERT_NE(chosen, nullptr) << words.toStdString();
        chosen->trigger();
        if (menu != nullptr)
            menu->close();
    };
    choose(card("s:train/lr"), QPoint(20, 8), QStringLiteral("Pin to the top"));
    ASSERT_NE(card("pin:1"), nullptr);
    const QModelIndex tag = tags()->indexOf(QStringLiteral("s:eval/loss"));
    ASSERT_TRUE(tag.isValid());
    tree()->expandAll();
    tree()->scrollTo(tag);
    choose(tree()->viewport(), tree()->visualRect(tag).center(), QStringLiteral("Add a star"));
    EXPECT_EQ(panel_->panelLayout().stars.size(), 1);
}

TEST_F(PanelTest, ATagDroppedOntoAChartLiesOverIt) {
    open({&a_});
    drop(card("s:train/loss"), "s:eval/loss");
    ASSERT_NE(card("pin:1"), nullptr);
    EXPECT_EQ(card("pin:1")->chart()->curves().size(), 2);
    EXPECT_EQ(card("pin:1")->spec().title, QStringLiteral("train/loss + eval/loss"));
    EXPECT_EQ(card("s:train/loss")->chart()->curves().size(), 1) << "the chart in its group stays what it is";
    drop(card("pin:1"), "s:train/norm");
    EXPECT_EQ(card("pin:1")->chart()->curves().size(), 3);
    drop(grid()->viewport(), "s:train/lr");
    ASSERT_NE(card("pin:2"), nullptr);
}

TEST_F(PanelTest, OneClickInTheTreeShowsTheChart) {
    for (int i = 0; i < 60; ++i)
        a_.add("group " + std::to_string(i) + "/value", 5);
    open({&a_});
    const QModelIndex last = tags()->index(tags()->rowCount() - 1, 0);
    tree()->scrollTo(last);
    const QRect row = tree()->visualRect(last);
    ASSERT_EQ(grid()->verticalScrollBar()->value(), 0);
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 30, row.center().y()));
    EXPECT_GT(grid()->verticalScrollBar()->value(), 0);
    // The star at the right end of the row.
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, QPoint(row.right() - 12, row.center().y()));
    EXPECT_EQ(panel_->panelLayout().stars.size(), 1);
}

TEST_F(PanelTest, ZoomAndCrosshairAreThoseOfAllCharts) {
    open({&a_});
    CurveChart* first = card("s:train/loss")->chart();
    CurveChart* second = card("s:train/lr")->chart();
    const int scrolled = grid()->verticalScrollBar()->value();
    wheel(first, 1);
    EXPECT_TRUE(first->isFollowing()) << "without the focus the wheel scrolls the cards";
    grid()->verticalScrollBar()->setValue(scrolled);
    wheel(first, 3, Qt::ControlModifier);
    first->setFocus();
    wheel(first, 3);
    EXPECT_FALSE(first->isFollowing());
    EXPECT_FALSE(second->isFollowing());
    EXPECT_EQ(second->view().x, first->view().x);
    QTest::mouseMove(first, first->rect().center());
    EXPECT_TRUE(QTest::qWaitFor([&] { return second->view().crosshair == first->view().crosshair; }));
    QTest::keyClick(first, Qt::Key_F);
    EXPECT_TRUE(second->isFollowing());
}

TEST_F(PanelTest, UnitSmoothingAndAxesAreThoseOfAllCharts) {
    open({&a_});
    test::child<widgets::SegmentedControl>(*panel_, QStringLiteral("Horizontal axis"))
        ->setCurrent(static_cast<int>(widgets::XUnit::Time));
    test::child<QSlider>(*bar())->setValue(900);
    EXPECT_EQ(card("s:train/lr")->chart()->view().scale.unit, widgets::XUnit::Time);
    EXPECT_NEAR(card("s:train/lr")->chart()->smoothing(), 0.9, 1e-9);
    CurveChart* first = card("s:train/loss")->chart();
    first->setFocus();
    QTest::keyClick(first, Qt::Key_L);
    EXPECT_TRUE(card("s:train/lr")->chart()->isLogY());
    EXPECT_TRUE(panel_->panelLayout().log_y);
    EXPECT_FALSE(test::child<widgets::SegmentedControl>(*panel_, QStringLiteral("Horizontal axis"))
                     ->button(static_cast<int>(widgets::XUnit::Tokens))
                     ->isVisible())
        << "a unit that means nothing is not offered";
}

TEST_F(PanelTest, GrowthIsDrawnWithoutAnotherCard) {
    open({&a_});
    CurveCard* before = card("s:train/loss");
    a_.append("train/loss", 5000, 0.5);
    EXPECT_TRUE(QTest::qWaitFor([&] { return before->chart()->view().x.upper > 4900; }));
    a_.add("fresh/tag", 3);
    emit a_.tagsChanged();
    EXPECT_TRUE(QTest::qWaitFor([&] { return card("s:fresh/tag") != nullptr; }));
    EXPECT_EQ(card("s:train/loss"), before);
}

TEST_F(PanelTest, ACardIsEnlargedAndBack) {
    open({&a_});
    panel_->enlarge(QStringLiteral("s:train/loss"));
    ASSERT_NE(panel_->enlarged(), nullptr);
    EXPECT_FALSE(grid()->isVisible());
    EXPECT_GT(panel_->enlarged()->height(), 500);
    QTest::keyClick(panel_->enlarged(), Qt::Key_Escape);
    EXPECT_EQ(panel_->enlarged(), nullptr);
    EXPECT_TRUE(grid()->isVisible());
}

TEST_F(PanelTest, ParametersStandInATable) {
    a_.setParameters({{"lr", "3e-4"}, {"seed", "1"}});
    b_.setParameters({{"lr", "1e-3"}, {"seed", "1"}});
    open({&a_, &b_});
    EXPECT_EQ(grid()->sections().back().title, QStringLiteral("Parameters"));
    grid()->verticalScrollBar()->setValue(grid()->verticalScrollBar()->maximum());
    settle();
    auto* table = qobject_cast<ParametersCard*>(grid()->card(QStringLiteral("*parameters")));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(test::child<QTableView>(*table)->model()->rowCount(), 2);
    EXPECT_EQ(test::child<QTableView>(*table)->model()->columnCount(), 3);
    EXPECT_EQ(test::child<QTableView>(*table)->model()->index(0, 0).data().toString(), QStringLiteral("lr"))
        << "what differs is first";
}

TEST_F(PanelTest, HistogramsAndTextsHaveTheirOwnCards) {
    a_.addHistogram("weights/layer", 12);
    a_.addText("notes/plan", "**Train** until it converges.");
    open({&a_});
    panel_->setFilter(QStringLiteral("/^(weights|notes)/"));
    settle();
    auto* histogram = qobject_cast<PanelCard*>(grid()->card(QStringLiteral("h:weights/layer")));
    auto* text = qobject_cast<PanelCard*>(grid()->card(QStringLiteral("t:notes/plan")));
    ASSERT_NE(histogram, nullptr);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(histogram->kind(), CardKind::Histogram);
    EXPECT_EQ(text->kind(), CardKind::Text);
}

TEST_F(PanelTest, ACardSaysThatOnlySomeOfItsHistogramsAreKept) {
    a_.addHistogram("weights/all", 12);
    a_.addHistogram("weights/some", 12);
    a_.setMediaMet("weights/some", 5000);
    open({&a_});
    panel_->setFilter(QStringLiteral("/^weights/"));
    settle();
    const auto says = [this](const char* id, const QString& words) {
        const auto* card = qobject_cast<PanelCard*>(grid()->card(QLatin1String(id)));
        if (card == nullptr)
            return false;
        for (const QLabel* label : card->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    };
    EXPECT_TRUE(says("h:weights/some", QStringLiteral("12 of 5,000 steps · step 110")));
    EXPECT_TRUE(says("h:weights/all", QStringLiteral("step 110")));
    EXPECT_FALSE(says("h:weights/all", QStringLiteral(" of ")));
}

TEST_F(PanelTest, LayoutsHaveNamesAndResetIsUndone) {
    open({&a_});
    panel_->pin({QStringLiteral("s:train/lr")});
    test::child<NamedLayouts>(*panel_)->save(QStringLiteral("mine"));
    panel_->changeLayout({});
    EXPECT_EQ(card("pin:1"), nullptr);
    panel_->changeLayout(PanelLayout::fromJson(test::child<NamedLayouts>(*panel_)->layout(QStringLiteral("mine"))));
    EXPECT_NE(card("pin:1"), nullptr);
    panel_->history()->undo();
    EXPECT_EQ(card("pin:1"), nullptr);
    EXPECT_EQ(test::child<NamedLayouts>(*panel_)->names(), QStringList{QStringLiteral("mine")});
}

TEST_F(PanelTest, AnotherPanelFindsTheSameView) {
    for (int i = 0; i < 60; ++i)
        a_.add("group " + std::to_string(i) + "/value", 5);
    open({&a_});
    panel_->pin({QStringLiteral("s:train/lr")});
    CurveChart* chart = card("s:train/loss")->chart();
    chart->setFocus();
    wheel(chart, 4);
    const widgets::XRange zoom = chart->view().x;
    panel_->showTag(QStringLiteral("s:group 40/value"));
    settle();
    const CardGrid::Anchor anchor = grid()->anchor();
    ASSERT_FALSE(anchor.card.isEmpty());
    panel_.reset();
    // Another process reads the files.
    views_.reread();
    open({&a_});
    EXPECT_EQ(panel_->panelLayout().pins.size(), 1);
    EXPECT_EQ(grid()->anchor(), anchor);
    auto* there = qobject_cast<CurveCard*>(grid()->card(QStringLiteral("s:group 40/value")));
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(there->chart()->view().x, zoom);
}

TEST_F(PanelTest, NoTwoCommandsOfAMenuHaveOneName) {
    open({&a_});
    int found = 0;
    for (const QMenu* menu : panel_->findChildren<QMenu*>()) {
        QSet<QString> names;
        for (const QAction* action : menu->actions()) {
            if (action->isSeparator())
                continue;
            EXPECT_FALSE(names.contains(action->text())) << action->text().toStdString();
            names.insert(action->text());
            found += action->text().startsWith(QStringLiteral("Logarithmic ")) ? 1 : 0;
        }
    }
    EXPECT_EQ(found, 2) << "one switch for each axis, which it names";
}

TEST_F(PanelTest, FoldedGroupsHoldNoCards) {
    open({&a_});
    emit grid()->foldRequested(QStringLiteral("g:train"));
    EXPECT_EQ(card("s:train/loss"), nullptr);
    EXPECT_NE(card("s:eval/loss"), nullptr);
    panel_->showTag(QStringLiteral("s:train/loss"));
    EXPECT_NE(card("s:train/loss"), nullptr) << "what is asked for is unfolded";
}

TEST_F(PanelTest, AChartIsDraggedOutAsPictureAndValues) {
    open({&a_});
    CurveCard* shown = card("s:train/loss");
    ASSERT_NE(shown, nullptr);
    widgets::ElidedLabel* title = nullptr;
    for (auto* label : shown->findChildren<widgets::ElidedLabel*>())
        if (label->fullText() == shown->spec().title)
            title = label;
    ASSERT_NE(title, nullptr);
    const QMimeData* data = test::drag_from(title, title->rect().center());
    ASSERT_NE(data, nullptr);
    EXPECT_FALSE(data->imageData().value<QImage>().isNull());
    EXPECT_TRUE(data->text().startsWith(QStringLiteral("curve\tstep\twall_time\tvalue\n")))
        << data->text().toStdString();
    ASSERT_EQ(data->urls().size(), 2);
    const QString picture = data->urls()[0].toLocalFile(), values = data->urls()[1].toLocalFile();
    EXPECT_TRUE(picture.endsWith(QStringLiteral(".png"))) << picture.toStdString();
    EXPECT_FALSE(QImage(picture).isNull());
    QFile file(values);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << values.toStdString();
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.startsWith("curve,step,wall_time,value\n"));
    EXPECT_EQ(text.count('\n'), data->text().count(QLatin1Char('\n')));
    EXPECT_GT(text.count('\n'), 10);
    // The chart itself still selects a range.
    EXPECT_EQ(test::drag_from(shown->chart(), shown->chart()->rect().center()), nullptr);
}
