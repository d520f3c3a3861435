// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that wrap or stack instead of scrolling sideways.
#include "widgets/layouts.h"

#include <memory>

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include "widgets/cell_delegate.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/popup_place.h"

using namespace trainyard::widgets;

namespace {

QWidget* box(int width, int height = 20) {
    auto* widget = new QWidget;
    widget->setFixedSize(width, height);
    return widget;
}

/// A part that may be wider.
QWidget* part(int width) {
    auto* widget = new QWidget;
    widget->setMinimumSize(width, 20);
    return widget;
}

/// Shows a row at the top of a window of a width.
class RowWindow : public QWidget {
  public:
    explicit RowWindow(QWidget* row) { setLayout(make_column(QMargins(), 0, {row, stretch()})); }
    void showAt(int width) {
        resize(width, 300);
        show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(this));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    }
};

}  // namespace

TEST(WrappingRow, BreaksIntoLinesAndItsHeightFollows) {
    QWidget *a = box(100), *b = box(100), *c = box(100);
    QWidget* row = make_wrapping_row(10, {a, stretch(), b, c});
    RowWindow window(row);
    window.showAt(400);
    EXPECT_EQ(row->height(), 20);
    EXPECT_EQ(c->geometry().right(), 399) << "the stretch takes the rest of a line";
    EXPECT_EQ(row->minimumSizeHint().width(), 100) << "the widest item";
    window.showAt(250);
    EXPECT_EQ(row->height(), 50);
    EXPECT_EQ(a->y(), 0);
    EXPECT_EQ(b->y(), 0);
    EXPECT_EQ(c->pos(), QPoint(150, 30)) << "after the stretch: at the end of its line, too";
    window.showAt(120);
    EXPECT_EQ(row->height(), 80);
    c->hide();
    window.showAt(120);
    EXPECT_EQ(row->height(), 50) << "a hidden item has no line";
    window.showAt(400);
    EXPECT_EQ(row->height(), 20);
}

TEST(WrappingRow, ItemsThatStretchShareTheLinesEvenly) {
    QList<QWidget*> parts;
    for (int i = 0; i < 4; ++i)
        parts << part(100);
    QWidget* row = make_wrapping_row(10, {{parts[0], 1}, {parts[1], 1}, {parts[2], 1}, {parts[3], 1}});
    RowWindow window(row);
    window.showAt(350);  // three have room
    EXPECT_EQ(parts[1]->y(), parts[0]->y());
    EXPECT_GT(parts[2]->y(), parts[0]->y());
    EXPECT_EQ(parts[3]->y(), parts[2]->y());
    EXPECT_EQ(parts[0]->width(), 170);
    EXPECT_EQ(parts[3]->geometry().right(), 349);
}

TEST(WrappingRow, RunsFromTheRightInAMirroredWindow) {
    QWidget *a = box(100), *b = box(100);
    RowWindow window(make_wrapping_row(10, {a, b}));
    window.setLayoutDirection(Qt::RightToLeft);
    window.showAt(150);
    EXPECT_EQ(a->x(), 50);
    EXPECT_EQ(b->x(), 50);
    EXPECT_GT(b->y(), a->y());
}

TEST(WrappingRow, ButtonsOfAPageKeepTheirWidthInALineOfTheirOwn) {
    for (const bool mirrored : {false, true}) {
        auto* holder = new QWidget;
        auto* row = new WrappingRow(40);
        auto* field = new QLineEdit;
        field->setMaximumWidth(200);
        auto* button = new QPushButton(QStringLiteral("Open"));
        add_items(row, {field, button});
        holder->setLayout(row);
        RowWindow window(holder);
        window.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        window.showAt(900);
        EXPECT_EQ(field->width(), 200) << "it expands";
        EXPECT_EQ(button->width(), button->sizeHint().width());
        EXPECT_EQ(mirrored ? 899 - field->geometry().right() : field->x(), row->contentsMargins().left());
    }
}

/// Then only the page around it scrolls.
TEST(StackingRow, AScrollAreaInAColumnHasTheHeightOfItsContent) {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setMinimumSize(100, 50);
    auto* content = new QWidget;
    content->setLayout(make_column({part(80), box(60, 400)}));
    scroll->setWidget(content);
    QWidget* row = make_stacking_row(0, 10, {{scroll, 1}, part(200)});
    QScrollArea page;
    page.setWidgetResizable(true);
    page.setWidget(row);
    page.resize(400, 300);
    page.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
    EXPECT_EQ(scroll->minimumHeight(), 50) << "side by side";
    page.resize(280, 300);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.verticalScrollBar()->maximum() > 0; }, 2000));
    EXPECT_EQ(scroll->verticalScrollBar()->maximum(), 0);
    page.resize(400, 300);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.verticalScrollBar()->maximum() == 0; }, 2000));
    EXPECT_EQ(scroll->minimumHeight(), 50);
}

TEST(StackingRow, StandsInAColumnWhereItsPartsDoNotFit) {
    QWidget *a = part(200), *b = part(100);
    QWidget* row = make_stacking_row(0, 10, {a, {b, 1}});
    RowWindow window(row);
    EXPECT_EQ(row->minimumSizeHint().width(), 200);
    window.showAt(310);
    EXPECT_EQ(a->y(), b->y());
    EXPECT_EQ(a->width(), 200) << "the least, as it does not stretch";
    window.showAt(300);
    EXPECT_GT(b->y(), a->y());
    EXPECT_EQ(a->width(), 300);
    EXPECT_EQ(b->width(), 300);
    b->setMinimumWidth(50);
    window.showAt(299);
    EXPECT_EQ(a->y(), b->y()) << "a part that needs less comes beside it again";
}

TEST(FieldRowLayout, AnEditorWithoutRoomIsBelowItsLabel) {
    QWidget* editor = part(300);
    auto* row = new FieldRow(QStringLiteral("Learning rate"), QStringLiteral("optimizer.lr"), editor);
    RowWindow window(row);
    EXPECT_EQ(row->minimumSizeHint().width(), 300);
    window.showAt(600);
    EXPECT_GT(editor->x(), 100);
    window.showAt(400);
    EXPECT_EQ(editor->x(), 0);
    EXPECT_GT(editor->y(), 20);
    EXPECT_EQ(editor->width(), 400);
    window.showAt(600);
    EXPECT_GT(editor->x(), 100);
}

TEST(DialogOnScreen, ScrollsAboveItsButtonsWhereItIsTooHigh) {
    install_popup_place(*qApp);
    QDialog low, high;
    low.setLayout(make_column({box(200, 50)}));
    high.setLayout(make_column({}));
    const int screen = high.screen()->availableSize().height();
    for (int i = 0; i < 5; ++i)
        high.layout()->addWidget(box(200, screen / 4));
    const QPushButton* go = add_dialog_buttons(&high, QStringLiteral("Go"));
    for (QDialog* dialog : {&low, &high}) {
        dialog->open();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
        EXPECT_LT(dialog->height(), screen);
    }
    EXPECT_EQ(low.findChild<QScrollArea*>(), nullptr);
    auto* scroll = high.findChild<QScrollArea*>();
    ASSERT_NE(scroll, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return scroll->verticalScrollBar()->maximum() > 0; }));
    EXPECT_EQ(scroll->horizontalScrollBar()->maximum(), 0);
    EXPECT_TRUE(high.rect().contains(go->mapTo(&high, go->rect().bottomRight()))) << "the buttons stay in sight";
    EXPECT_TRUE(go->isVisible());
}

TEST(DialogOnScreen, IsNotWiderThanTheScreen) {
    install_popup_place(*qApp);
    QDialog dialog;
    dialog.setLayout(make_column({part(200)}));
    const int screen = dialog.screen()->availableSize().width();
    dialog.resize(screen + 300, 200);
    dialog.open();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    EXPECT_EQ(dialog.width(), screen);
}

TEST(StackingSplitter, StacksPartsThatNeedMoreThanTheWidth) {
    QWidget window;
    QSplitter* splitter = make_stacking_splitter(200, {part(100), part(100)});
    splitter->setParent(&window);
    splitter->setGeometry(0, 0, 300, 100);
    window.resize(400, 200);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_EQ(splitter->orientation(), Qt::Horizontal);
    splitter->widget(1)->setMinimumWidth(250);
    EXPECT_TRUE(QTest::qWaitFor([splitter] { return splitter->orientation() == Qt::Vertical; }));
}

TEST(ShownStack, NeedsTheRoomOfItsShownPage) {
    const std::unique_ptr<QStackedWidget> stack(make_stack());
    stack->addWidget(part(100));
    stack->addWidget(part(500));
    const auto page_of = [&](int index) {
        stack->setCurrentIndex(index);
        return stack->minimumSizeHint().width();
    };
    auto* inside = new QWidget;
    inside->setLayout(make_row(QMargins(), 0, {part(600)}));
    stack->addWidget(inside);
    EXPECT_EQ(page_of(0), 100);
    EXPECT_EQ(page_of(1), 500);
    EXPECT_EQ(page_of(2), 600);
}

TEST(ShownStack, NeedsNoHeightOfAHiddenPageWhoseWordsWrap) {
    QStackedWidget* stack = make_stack();
    const QString words = QStringLiteral("many words that wrap ").repeated(40);
    auto* page = new QWidget;
    auto* label = new QLabel(words);
    label->setWordWrap(true);
    page->setLayout(make_column({label, box(60, 500)}));
    stack->addWidget(part(80));
    stack->addWidget(page);
    QScrollArea around;
    around.setWidgetResizable(true);
    around.setWidget(new QWidget);
    around.widget()->setLayout(make_column({stack}));
    around.resize(300, 200);
    around.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&around));
    EXPECT_EQ(around.verticalScrollBar()->maximum(), 0);
    stack->setCurrentIndex(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return around.verticalScrollBar()->maximum() > 0; }, 2000));
    EXPECT_GE(label->height(), label->heightForWidth(label->width()));
}

TEST(StretchColumn, TakesWhatTheOthersLeaveAndNoLessThanItNeeds) {
    QTableView table;
    QStandardItemModel model(1, 3);
    table.setModel(&model);
    table.verticalHeader()->hide();
    stretch_column(&table, 0, 150);
    table.setColumnWidth(1, 100);
    table.setColumnWidth(2, 100);
    table.resize(500, 100);
    table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&table));
    EXPECT_EQ(table.columnWidth(0), table.viewport()->width() - 200);
    EXPECT_EQ(table.horizontalScrollBar()->maximum(), 0);
    table.resize(300, 100);
    EXPECT_EQ(table.columnWidth(0), 150);
    EXPECT_TRUE(QTest::qWaitFor([&] { return table.horizontalScrollBar()->maximum() > 0; }));
}
