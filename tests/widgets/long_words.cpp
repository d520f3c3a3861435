// SPDX-License-Identifier: GPL-3.0-or-later
// Words that are longer than their place: in controls, menus and dialogs.
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTest>

#include <gtest/gtest.h>

#include "widgets/dialogs.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/popup_place.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard::widgets;

namespace {

class LongWords : public testing::Test {
  protected:
    void SetUp() override { Theme::instance().install(*qApp); }
    static QString sentences(int count) { return QStringLiteral("A sentence of a question. ").repeated(count); }
};

}  // namespace

TEST_F(LongWords, AChosenSegmentHasRoomForItsHeavierLetters) {
    SegmentedControl segments({QStringLiteral("Ends at the new last step of all"), QStringLiteral("Stays")});
    segments.adjustSize();
    segments.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&segments));
    const QPushButton* chosen = segments.button(0);
    const QPushButton* other = segments.button(1);
    QFont heavy = chosen->font();
    heavy.setWeight(QFont::DemiBold);
    const int padding = other->width() - other->fontMetrics().horizontalAdvance(other->text());
    EXPECT_GE(chosen->width(), QFontMetrics(heavy).horizontalAdvance(chosen->text()) + padding - 2);
}

TEST_F(LongWords, AComboBoxElidesWhatItHasNoRoomFor) {
    struct Box : QComboBox {
        using QComboBox::initStyleOption;
        using QComboBox::QComboBox;
    };
    const QString name = QStringLiteral("a-run-with-a-name-of-many-letters-1m-lr2e-3");
    Box box;
    box.setFocusPolicy(Qt::NoFocus);
    box.addItem(name);
    box.resize(120, 30);
    box.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&box));
    const QImage before = box.grab().toImage();
    QStyleOptionComboBox option;
    box.initStyleOption(&option);
    const int room =
        box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width();
    box.setItemText(0, option.fontMetrics.elidedText(name, Qt::ElideRight, room));
    EXPECT_TRUE(box.currentText().endsWith(QChar(0x2026)));
    EXPECT_EQ(box.grab().toImage(), before);
}

TEST_F(LongWords, AMenuThatIsHigherThanTheScreenScrolls) {
    QMenu menu;
    const int room = menu.screen()->availableSize().height();
    menu.addAction(QStringLiteral("A command with words"));
    const int row = menu.sizeHint().height();
    for (int i = 0; i < 2 * room / row + 10; ++i)
        menu.addAction(QStringLiteral("A command with words"));
    menu.popup(QPoint());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&menu));
    EXPECT_LE(menu.height(), room);
    for (QAction* action : menu.actions())
        EXPECT_LE(menu.actionGeometry(action).right(), menu.width());
}

TEST_F(LongWords, ADialogIsAsHighAsItsWordsNeedAtItsWidth) {
    install_popup_place(*qApp);
    QDialog dialog;
    auto* words = wrapped(make_note(sentences(20)));
    QString picture;
    for (int i = 0; i < 25; ++i)
        picture += QStringLiteral("|   picture   |\n");
    auto* art = make_mono_label(picture.trimmed());
    dialog.setLayout(make_column({20, 20, 20, 20}, 10, {words, art, make_row({new QPushButton})}));
    dialog.setMinimumWidth(500);
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    ASSERT_GT(dialog.layout()->totalHeightForWidth(dialog.width()), 2 * dialog.screen()->availableSize().height() / 3);
    EXPECT_EQ(dialog.height(), dialog.layout()->totalHeightForWidth(dialog.width()));
    EXPECT_GE(art->height(), art->sizeHint().height());
}

TEST_F(LongWords, TheMessageOfADialogThatScrollsStaysAboveItsButtons) {
    install_popup_place(*qApp);
    QDialog dialog;
    QLabel* problem = wrapped(make_note({}));
    auto* column = make_column({21, 22, 23, 24}, 10, {});
    for (int i = 0; i < 60; ++i)
        column->addWidget(new QPushButton);
    column->addWidget(problem);
    problem->hide();
    dialog.setLayout(column);
    const QPushButton* save = add_dialog_buttons(&dialog, QStringLiteral("Save"));
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    const auto* scroll = dialog.findChild<QScrollArea*>();
    ASSERT_NE(scroll, nullptr);
    EXPECT_EQ(scroll->widget()->layout()->contentsMargins(), QMargins(21, 22, 23, 24));
    EXPECT_FALSE(problem->isVisible());
    problem->setText(QStringLiteral("Another target has this name."));
    problem->show();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const QRect place(problem->mapTo(&dialog, QPoint()), problem->size());
    EXPECT_TRUE(dialog.rect().contains(place));
    EXPECT_LT(place.bottom(), save->mapTo(&dialog, QPoint()).y());
    EXPECT_EQ(problem->visibleRegion().boundingRect().size(), problem->size());
}
