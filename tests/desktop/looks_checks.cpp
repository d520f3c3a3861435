// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of support/accessibility_checks.h find what they look for.

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include "support/accessibility_checks.h"
#include "support/settle.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/controls.h"
#include "widgets/scroll_area.h"
#include "widgets/theme.h"

using namespace trainyard;

TEST(LookOverTest, ALabelWithoutRoomIsFound) {
    QWidget window;
    auto* label = new QLabel(QStringLiteral("quite a long sentence"), &window);
    label->resize(30, 20);
    auto* button = new QPushButton(QStringLiteral("a button with words"), &window);
    button->setGeometry(0, 40, 20, 24);
    auto* outside = new QPushButton(QStringLiteral("far"), &window);
    outside->setGeometry(380, 80, 80, 24);
    window.resize(400, 200);
    window.show();
    EXPECT_EQ(test::clipped_texts(&window).size(), 3) << test::clipped_texts(&window).join('\n').toStdString();
    label->setToolTip(label->text());
    button->resize(300, 24);
    outside->move(200, 80);
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
}

TEST(LookOverTest, AWordWithoutRoomIsFound) {
    QWidget window;
    auto* label = new QLabel(QStringLiteral("a enable_fsdp_float8_all_gather"), &window);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->resize(100, 100);
    window.resize(400, 200);
    window.show();
    EXPECT_EQ(test::clipped_texts(&window).size(), 1) << test::clipped_texts(&window).join('\n').toStdString();
    label->resize(300, 100);
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
}

TEST(LookOverTest, ATitleBesideItsColumnIsFound) {
    widgets::Theme::instance().install(*qApp);
    QWidget window;
    QTableView table(&window);
    using Rows = widgets::CellRows;
    Rows rows(
        QVector<Rows::Column>{{.title = QStringLiteral("Name")}, {.title = QStringLiteral("Size"), .number = true}});
    table.setModel(&rows);
    widgets::set_rows_look(&table);
    rows.setRows({Rows::Row{{{.text = QStringLiteral("one")}}, {{.text = QStringLiteral("1.5"), .mono = true}}},
                  Rows::Row{{{.text = QStringLiteral("two")}}, {{.text = QStringLiteral("12.5"), .mono = true}}}});
    table.setGeometry(0, 0, 300, 160);
    window.resize(320, 180);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_TRUE(test::misaligned_titles(&window).isEmpty())
        << test::misaligned_titles(&window).join('\n').toStdString();
    table.horizontalHeader()->setProperty("padding", 3);
    EXPECT_EQ(test::misaligned_titles(&window).size(), 2) << test::misaligned_titles(&window).join('\n').toStdString();
}

TEST(LookOverTest, ACutFigureIsFound) {
    widgets::Theme::instance().install(*qApp);
    QWidget window;
    QTableView table(&window);
    using Rows = widgets::CellRows;
    Rows rows(QVector<Rows::Column>{{.title = QStringLiteral("Step")}, {.title = QStringLiteral("Name")}});
    table.setModel(&rows);
    widgets::set_rows_look(&table);
    rows.setRows(
        {Rows::Row{{{.text = QStringLiteral("18,000"), .mono = true}}, {{.text = QStringLiteral("a long name")}}}});
    table.setGeometry(0, 0, 300, 160);
    table.setColumnWidth(0, 120);
    table.setColumnWidth(1, 70);
    window.resize(320, 180);
    window.show();
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
    table.setColumnWidth(0, 60);
    EXPECT_EQ(test::clipped_texts(&window).size(), 1) << test::clipped_texts(&window).join('\n').toStdString();
}

TEST(LookOverTest, AColumnThatCutsWordsWithoutNeedIsFound) {
    widgets::Theme::instance().install(*qApp);
    QWidget window;
    QTableView table(&window);
    using Rows = widgets::CellRows;
    Rows rows(QVector<Rows::Column>{{.title = QStringLiteral("Step")}, {.title = QStringLiteral("Saved")}});
    table.setModel(&rows);
    widgets::set_rows_look(&table);
    rows.setRows({Rows::Row{{{.text = QStringLiteral("900")}}, {{.text = QStringLiteral("21 November")}}}});
    table.setGeometry(0, 0, 300, 160);
    table.setColumnWidth(0, 180);
    table.setColumnWidth(1, 60);
    window.resize(320, 180);
    window.show();
    EXPECT_EQ(test::needlessly_cut_columns(&window).size(), 1);
    widgets::stretch_column(&table, 0, 60);
    table.horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    test::settle();
    EXPECT_TRUE(test::needlessly_cut_columns(&window).isEmpty())
        << test::needlessly_cut_columns(&window).join('\n').toStdString();
    EXPECT_EQ(table.horizontalHeader()->length(), table.viewport()->width()) << "the columns fill the table";
}

TEST(LookOverTest, AButtonAtTheEdgeOfAPanelIsFound) {
    QWidget window;
    window.resize(300, 100);
    auto* panel = new QFrame(&window);
    panel->setProperty("surface", QStringLiteral("panel"));
    panel->setGeometry(0, 0, 200, 60);
    auto* button = new QPushButton(QStringLiteral("Layout"), panel);
    button->setGeometry(120, 10, 79, 30);
    window.show();
    EXPECT_EQ(test::controls_at_edges(&window).size(), 1);
    button->move(110, 10);
    EXPECT_TRUE(test::controls_at_edges(&window).isEmpty());
}

TEST(LookOverTest, AWideButtonWithOnlyAnIconIsFound) {
    QWidget window;
    window.resize(300, 100);
    auto* button = new QPushButton(&window);
    QPixmap picture(16, 16);
    picture.fill(Qt::black);
    button->setIcon(picture);
    button->setGeometry(0, 0, 120, 30);
    window.show();
    EXPECT_EQ(test::stretched_icons(&window).size(), 1);
    button->setGeometry(0, 0, 34, 30);
    EXPECT_TRUE(test::stretched_icons(&window).isEmpty());
    button->setGeometry(0, 0, 120, 30);
    button->setText(QStringLiteral("Open"));
    EXPECT_TRUE(test::stretched_icons(&window).isEmpty()) << "words fill it";
}

TEST(LookOverTest, ALinkBesideTheWordsAboveIsFound) {
    widgets::Theme::instance().install(*qApp);
    QWidget window;
    auto* label = new QLabel(QStringLiteral("Words"), &window);
    label->setGeometry(20, 0, 100, 20);
    auto* link = new QPushButton(QStringLiteral("Words"), &window);
    widgets::set_look(link, {.kind = "link"});
    link->setGeometry(QRect({24, 30}, link->sizeHint()));
    window.resize(300, 100);
    window.show();
    EXPECT_EQ(test::shifted_links(&window).size(), 1);
    link->move(20, 30);
    EXPECT_TRUE(test::shifted_links(&window).isEmpty()) << test::shifted_links(&window).join('\n').toStdString();
}

TEST(LookOverTest, TwoGapsOfADialogAreFound) {
    QWidget dialog;
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(new QPushButton(QStringLiteral("above")));
    column->addStretch();
    column->addWidget(new QPushButton(QStringLiteral("between")));
    auto* below = new QPushButton(QStringLiteral("below"));
    column->addWidget(below);
    dialog.resize(200, 600);
    dialog.show();
    EXPECT_TRUE(test::blank_gaps(&dialog).isEmpty()) << test::blank_gaps(&dialog).join('\n').toStdString();
    column->insertStretch(3);
    column->activate();
    EXPECT_EQ(test::blank_gaps(&dialog).size(), 1);
}

TEST(LookOverTest, TextsOverEachOtherAreFound) {
    QWidget window;
    auto* label = new QLabel(QStringLiteral("a sentence"), &window);
    label->setGeometry(0, 0, 100, 20);
    auto* button = new QPushButton(QStringLiteral("a button"), &window);
    button->setGeometry(80, 4, 100, 24);
    window.resize(400, 200);
    window.show();
    EXPECT_EQ(test::overlapping_texts(&window).size(), 1);
    button->move(101, 4);
    EXPECT_TRUE(test::overlapping_texts(&window).isEmpty());
}

TEST(LookOverTest, APanelOverAnotherAndWhatIsOutsideAreFound) {
    QWidget window;
    window.resize(300, 200);
    auto* split = new QSplitter(&window);
    split->setGeometry(0, 0, 300, 200);
    for (const char* words : {"left", "right"}) {
        auto* panel = new QFrame;
        auto* label = new QLabel(QLatin1String(words), panel);
        label->setGeometry(0, 0, 160, 20);
        split->addWidget(panel);
    }
    split->setSizes({150, 150});
    window.show();
    EXPECT_EQ(test::unreachable_texts(&window).size(), 2) << test::unreachable_texts(&window).join('\n').toStdString();
    EXPECT_TRUE(test::covered_texts(&window).isEmpty()) << "what is cut covers nothing";
    split->widget(1)->setGeometry(100, 0, 200, 200);
    EXPECT_EQ(test::covered_texts(&window).size(), 1);
    auto* message = new QLabel(QStringLiteral("over all"), &window);
    message->setGeometry(0, 0, 300, 20);
    message->show();
    EXPECT_EQ(test::covered_texts(&window).size(), 1) << "a message over a page is meant";
}

TEST(LookOverTest, APageThatIsLargerThanTheWindowScrolls) {
    QWidget window;
    auto* page = new QWidget;
    auto* row = new QHBoxLayout(page);
    for (const char* words : {"a button with words", "another button with words", "a third one"})
        row->addWidget(new QPushButton(QLatin1String(words)));
    const int least = row->totalMinimumSize().width();
    QScrollArea* scroll = widgets::make_page_scroll(page, {2000, 2000});
    scroll->setParent(&window);
    window.resize(least / 2, 100);
    scroll->setGeometry(window.rect());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_TRUE(QTest::qWaitFor([&] { return scroll->horizontalScrollBar()->maximum() > 0; }));
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
    EXPECT_TRUE(test::unreachable_texts(&window).isEmpty());
    scroll->resize(least + 100, 100);
    EXPECT_TRUE(QTest::qWaitFor([&] { return scroll->horizontalScrollBar()->maximum() == 0; }));
    EXPECT_EQ(page->width(), least + 100);
}

TEST(LookOverTest, ASqueezedPanelIsFoundAndAColumnOfPanelsScrolls) {
    QWidget window;
    window.resize(300, 120);
    const auto panel = [](const QString& text) {
        auto* label = new QLabel(text);
        label->setWordWrap(true);
        auto* rows = new QVBoxLayout;
        rows->addWidget(label);
        rows->addWidget(new QPushButton(QStringLiteral("Apply")));
        auto* frame = new QFrame;
        frame->setLayout(rows);
        return frame;
    };
    const auto panels = [&] {
        auto* column = new QVBoxLayout;
        for (int i = 0; i < 2; ++i)
            column->addWidget(panel(QStringLiteral("a sentence of many words, ").repeated(8)));
        return column;
    };
    auto* squeezed = new QWidget(&window);
    squeezed->setLayout(panels());
    squeezed->setGeometry(window.rect());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_FALSE(test::squeezed_panels(&window).isEmpty());
    delete squeezed;

    QScrollArea* scroll = widgets::make_panel_scroll(panels());
    scroll->setParent(&window);
    scroll->setGeometry(window.rect());
    scroll->show();
    test::settle();
    EXPECT_TRUE(test::squeezed_panels(&window).isEmpty()) << test::squeezed_panels(&window).join('\n').toStdString();
    EXPECT_GT(scroll->verticalScrollBar()->maximum(), 0);
    scroll->resize(300, 900);
    test::settle();
    EXPECT_EQ(scroll->verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(scroll->widget()->height(), scroll->viewport()->height()) << "panels share the height";
}

TEST(LookOverTest, AControlWithoutANameIsFound) {
    QWidget window;
    auto* field = new QLineEdit(&window);
    window.show();
    EXPECT_EQ(test::nameless_controls(&window).size(), 1);
    field->setAccessibleName(QStringLiteral("Host"));
    EXPECT_TRUE(test::nameless_controls(&window).isEmpty());
}

TEST(LookOverTest, AFocusThatJumpsOrIsNotSeenIsFound) {
    widgets::Theme::instance().install(*qApp);
    QWidget window;
    auto* first = new QPushButton(QStringLiteral("first"), &window);
    auto* lower = new QPushButton(QStringLiteral("lower"), &window);
    auto* upper = new QPushButton(QStringLiteral("upper"), &window);
    first->setGeometry(10, 5, 60, 20);
    lower->setGeometry(10, 60, 100, 30);
    upper->setGeometry(10, 28, 100, 30);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    EXPECT_EQ(test::jumping_focus(&window).size(), 1);
    QWidget::setTabOrder(upper, lower);
    EXPECT_TRUE(test::jumping_focus(&window).isEmpty()) << test::jumping_focus(&window).join('\n').toStdString();
    EXPECT_TRUE(test::unseen_focus(&window).isEmpty());
    lower->setStyleSheet(QStringLiteral("QPushButton, QPushButton:focus { border: 1px solid gray; outline: none; }"));
    EXPECT_EQ(test::unseen_focus(&window).size(), 1);
}
