// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "widgets/card.h"
#include "widgets/cell_delegate.h"
#include "widgets/chip.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/nav_button.h"
#include "widgets/popup_place.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard::widgets;

TEST(SegmentedControlTest, OneIsOnAndArrowsChoose) {
    SegmentedControl control({"All", "Live", "Failed"});
    control.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&control));
    QSignalSpy changed(&control, &SegmentedControl::currentChanged);
    EXPECT_EQ(control.current(), 0);
    control.button(0)->setFocus();
    QTest::keyClick(control.button(0), Qt::Key_Right);
    EXPECT_EQ(control.current(), 1);
    EXPECT_FALSE(control.button(0)->isChecked());
    QTest::mouseClick(control.button(2), Qt::LeftButton);
    EXPECT_EQ(control.current(), 2);
    EXPECT_EQ(changed.count(), 2);
    control.setCurrent(2);
    EXPECT_EQ(changed.count(), 2);
}

TEST(CardTest, SpaceEnterAndClickActivate) {
    Card card("Try it now");
    card.resize(200, 100);
    card.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&card));
    QSignalSpy activated(&card, &Card::activated);
    QTest::keyClick(&card, Qt::Key_Space);
    QTest::keyClick(&card, Qt::Key_Return);
    QTest::mouseClick(&card, Qt::LeftButton);
    QTest::keyClick(&card, Qt::Key_A);
    EXPECT_EQ(activated.count(), 3);
    EXPECT_EQ(card.accessibleName(), QStringLiteral("Try it now"));
}

TEST(CardTest, FocusIsSeen) {
    QWidget window;
    Card card("Card", &window);
    QPushButton other("other", &window);
    window.resize(300, 200);
    card.setGeometry(10, 10, 200, 100);
    other.setGeometry(10, 150, 60, 30);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    other.setFocus();
    const QImage without = card.grab().toImage();
    card.setFocus();
    EXPECT_NE(card.grab().toImage(), without);
}

// A hint that had two lines and has one again, by other words or by more room, leaves no empty line behind.
TEST(FieldRowTest, LinesThatAreGoneTakeNoRoom) {
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* row = new FieldRow("Format", "data.format", new QLineEdit, "follows the files");
    column->addWidget(row);
    column->addStretch(1);
    page.resize(700, 300);
    page.show();
    QCoreApplication::processEvents();
    const int one_line = row->height();
    row->setWarning(QString("these files are tables of another format than the one that was chosen ").repeated(3));
    EXPECT_TRUE(QTest::qWaitFor([&] { return row->height() > one_line; }));
    row->setWarning({});
    EXPECT_TRUE(QTest::qWaitFor([&] { return row->height() == one_line; })) << row->height();
    row->setHint(QString("follows the files, ").repeated(4));
    page.resize(360, 300);
    EXPECT_TRUE(QTest::qWaitFor([&] { return row->height() > one_line; }));
    page.resize(1200, 300);
    EXPECT_TRUE(QTest::qWaitFor([&] { return row->height() == one_line; })) << row->height();
}

// A long hint that has room in one line: the page below is not higher than its rows.
TEST(FieldRowTest, APageOfRowsDoesNotScrollToABlankEnd) {
    auto* column = new QVBoxLayout;
    FieldRow* last = nullptr;
    for (int i = 0; i < 12; ++i)
        column->addWidget(last = new FieldRow("Name", "name", new QLineEdit, QString("a long hint, ").repeated(9)));
    column->addStretch(1);
    QScrollArea* area = make_upright_scroll(column);
    area->resize(1300, 300);
    area->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(area));
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return area->widget()->height() - last->mapTo(area->widget(), QPoint(0, last->height())).y() < 30;
    })) << area->widget()->height()
        << ", the last row ends at " << last->mapTo(area->widget(), QPoint(0, last->height())).y();
    delete area;
}

TEST(FieldRowTest, ALongKeyIsShownInLines) {
    const QString key = QStringLiteral("enable_fsdp_float8_all_gather");
    FieldRow row("Gather in FP8", key, new QLineEdit, "half the traffic");
    row.resize(700, row.sizeHint().height());
    row.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&row));
    const auto labels = row.findChildren<QLabel*>();
    const auto found = std::ranges::find(labels, key, &QLabel::accessibleName);
    ASSERT_NE(found, labels.end());
    const QLabel* name = *found;
    const QStringList lines = name->text().split(QLatin1Char('\n'));
    EXPECT_GT(lines.size(), 1) << "it has no room in one line";
    EXPECT_EQ(lines.join(QString()), key);
    for (const QString& line : lines)
        EXPECT_LE(name->fontMetrics().horizontalAdvance(line), name->width()) << line.toStdString();
    // A setting without a name of its own is labelled with its key.
    FieldRow labelled(key, {}, new QLineEdit);
    EXPECT_EQ(labelled.label(), key);
    const auto parts = labelled.findChildren<QLabel*>();
    EXPECT_TRUE(std::ranges::any_of(parts, [&](const QLabel* part) {
        return part->text().contains(QLatin1Char('\n')) && part->text().remove(QLatin1Char('\n')) == key;
    }));
    EXPECT_TRUE(QTest::qWaitFor([&] { return name->height() >= name->sizeHint().height(); }))
        << name->height() << " of " << name->sizeHint().height();
}

TEST(FieldRowTest, ProblemReplacesTheHintAndGoesAgain) {
    auto* edit = new QLineEdit;
    FieldRow row("Steps", "training.steps", edit, "how long");
    row.setProblem("must be a whole number");
    EXPECT_TRUE(edit->property("invalid").toBool());
    EXPECT_EQ(edit->accessibleDescription(), QStringLiteral("must be a whole number"));
    EXPECT_EQ(row.problem(), QStringLiteral("must be a whole number"));
    row.setProblem({});
    EXPECT_FALSE(edit->property("invalid").toBool());
    EXPECT_EQ(edit->accessibleDescription(), QStringLiteral("how long"));
    EXPECT_EQ(edit->accessibleName(), QStringLiteral("Steps"));
}

TEST(InlineMessageTest, ShowsCopiesAndGoes) {
    InlineMessage message;
    EXPECT_TRUE(message.isHidden());
    message.showMessage(InlineMessage::Kind::Error, "It failed", "Do this.", "line 1\nline 2");
    EXPECT_FALSE(message.isHidden());
    EXPECT_EQ(message.copyText(), QStringLiteral("It failed\nDo this.\nline 1\nline 2"));
    for (QPushButton* button : message.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Copy"))
            button->click();
    EXPECT_EQ(QApplication::clipboard()->text(), message.copyText());
    message.dismiss();
    EXPECT_TRUE(message.isHidden());
}

TEST(ElidedLabelTest, KeepsTheWholeTextAsToolTip) {
    ElidedLabel label("a rather long name of a run that does not fit");
    label.resize(80, 20);
    label.show();
    EXPECT_TRUE(label.text().endsWith(QChar(0x2026)));
    EXPECT_EQ(label.toolTip(), QStringLiteral("a rather long name of a run that does not fit"));
    label.resize(600, 20);
    EXPECT_EQ(label.text(), label.fullText());
    EXPECT_TRUE(label.toolTip().isEmpty());
    label.setContentsMargins(20, 0, 20, 0);
    label.resize(label.sizeHint());
    EXPECT_EQ(label.text(), label.fullText());
    label.resize(label.width() - 30, 20);
    EXPECT_TRUE(label.text().endsWith(QChar(0x2026))) << "there is no room beside the margins";
    EXPECT_LE(label.fontMetrics().horizontalAdvance(label.text()), label.contentsRect().width());
}

TEST(NavButtonTest, SaysItsNumbers) {
    NavButton button("Runs", "runs");
    button.setCount("3");
    EXPECT_EQ(button.accessibleName(), QStringLiteral("Runs, 3"));
    button.setFolded(true);
    EXPECT_EQ(button.toolTip(), QStringLiteral("Runs"));
}

TEST(ChipTest, IsAsWideAsItsWords) {
    const Chip chip{"Running", "play", Token::Ok};
    const Chip longer{"Running and running", "play", Token::Ok};
    EXPECT_GT(chip_size(longer).width(), chip_size(chip).width());
    StateChip widget(chip);
    EXPECT_EQ(widget.sizeHint(), chip_size(chip));
    EXPECT_EQ(widget.accessibleName(), QStringLiteral("Running"));
    EXPECT_FALSE(widget.isVisible()) << "no window of its own";
    widget.setChip({});
    EXPECT_TRUE(widget.isHidden());
}

TEST(SparkTest, LeavesOutWhatIsNotFinite) {
    QImage image(100, 20, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const QPolygonF points{{0, 5}, {0.5, qQNaN()}, {1, 1}};
    paint_spark(painter, QRectF(0, 2, 100, 16), points, Qt::red);
    painter.end();
    // A straight line from the upper left to the lower right corner.
    EXPECT_GT(image.pixelColor(50, 10).alpha(), 0);
    EXPECT_EQ(image.pixelColor(90, 4).alpha(), 0);
    const QPolygonF nothing{{0, qQNaN()}};
    QPainter again(&image);
    paint_spark(again, QRectF(0, 0, 100, 20), nothing, Qt::red);
}

TEST(WheelGuardTest, TheWheelScrollsAndChangesNoValue) {
    Theme::instance().install(*qApp);
    auto* slider = new QSlider(Qt::Horizontal);
    auto* box = new QSpinBox;
    auto* choice = new QComboBox;
    choice->addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
    slider->setValue(50);
    box->setValue(50);
    choice->setCurrentIndex(1);
    auto* column = new QVBoxLayout;
    for (QWidget* control : std::initializer_list<QWidget*>{slider, box, choice})
        column->addWidget(control);
    column->addSpacing(2000);
    QScrollArea* area = make_upright_scroll(column);
    area->resize(300, 200);
    area->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(area));
    ASSERT_TRUE(QTest::qWaitFor([&] { return area->verticalScrollBar()->maximum() > 0; }));
    for (QWidget* control : std::initializer_list<QWidget*>{slider, box, choice}) {
        control->setFocus();
        const int before = area->verticalScrollBar()->value();
        const QPointF at = control->rect().center();
        QWheelEvent wheel(at, control->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(control, &wheel);
        EXPECT_GT(area->verticalScrollBar()->value(), before) << control->metaObject()->className();
    }
    EXPECT_EQ(slider->value(), 50);
    EXPECT_EQ(box->value(), 50);
    EXPECT_EQ(choice->currentIndex(), 1);
    delete area;
}

TEST(PopupPlaceTest, MenusStayInsideTheirWindow) {
    Theme::instance().install(*qApp);
    QWidget window;
    window.setGeometry(100, 100, 400, 300);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    const QRect inside(window.mapToGlobal(QPoint()), window.size());
    QMenu menu(&window);
    menu.addAction(QStringLiteral("quite a long line of a menu"));
    menu.addAction(QStringLiteral("another one"));
    for (const QPoint& at : {inside.topLeft(), inside.topRight(), inside.bottomLeft(), inside.bottomRight()}) {
        menu.popup(at);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&menu));
        EXPECT_TRUE(inside.contains(menu.geometry())) << at.x() << ", " << at.y();
        menu.close();
    }
    // A context menu at the right edge opens beside the pointer, not under it.
    const QRect moved = place_of_popup(QRect(480, 200, 120, 80), QRect(100, 100, 400, 300), QPoint(479, 200));
    EXPECT_FALSE(moved.contains(QPoint(479, 200)));
    EXPECT_EQ(moved.right(), 478);
    EXPECT_EQ(place_of_popup(QRect(150, 150, 500, 80), QRect(100, 100, 400, 300), QPoint()).left(), 150)
        << "what is larger than the window stays where it was";
}

TEST(PopupPlaceTest, SubmenusStayInsideTheWindowBesideTheirMenu) {
    Theme::instance().install(*qApp);
    QWidget window;
    window.setGeometry(100, 100, 400, 300);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    const QRect inside(window.mapToGlobal(QPoint()), window.size());
    QMenu menu(&window);
    QMenu* more = menu.addMenu(QStringLiteral("more"));
    for (int i = 0; i < 6; ++i)
        more->addAction(QStringLiteral("a line of the submenu"));
    for (const QPoint& at : {inside.topLeft(), inside.topRight(), inside.bottomLeft(), inside.bottomRight()}) {
        menu.popup(at);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&menu));
        menu.setActiveAction(more->menuAction());
        QTest::keyClick(&menu, Qt::Key_Right);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(more));
        EXPECT_TRUE(inside.contains(more->geometry())) << at.x() << ", " << at.y();
        EXPECT_LE(more->geometry().intersected(menu.geometry()).width(), 8) << "the menu can be seen";
        menu.close();
    }
    EXPECT_EQ(place_of_submenu(QRect(480, 200, 120, 80), QRect(380, 200, 100, 80), QRect(100, 100, 400, 300)),
              QRect(260, 200, 120, 80));
}

TEST(StackingSplitter, PartsAreBelowEachOtherWhileItIsNarrow) {
    QWidget window;
    auto* left = new QLabel(QStringLiteral("left"));
    auto* right = new QLabel(QStringLiteral("right"));
    left->setMinimumSize(200, 50);
    right->setMinimumSize(300, 60);
    window.setLayout(make_row({0, 0, 0, 0}, {make_stacking_splitter(600, {left, right})}));
    window.resize(700, 200);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_GE(right->x(), left->geometry().right());
    EXPECT_EQ(window.minimumSizeHint().width(), 300) << "the wider part alone";
    window.resize(400, 200);
    QApplication::processEvents();
    EXPECT_GE(right->y(), left->geometry().bottom());
    EXPECT_EQ(left->width(), 400);
    EXPECT_GE(window.minimumSizeHint().height(), 110);
    window.resize(700, 200);
    QApplication::processEvents();
    EXPECT_GE(right->x(), left->geometry().right());
}

TEST(Buttons, ADisabledPrimaryOneLooksDisabled) {
    Theme::instance().install(*qApp);
    QWidget window;
    window.resize(240, 60);
    for (const char* kind : {"primary", "dangerFill"}) {
        QPushButton button("Resume", &window);
        button.setProperty("kind", QString::fromLatin1(kind));
        button.setGeometry(10, 10, 200, 30);
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        const auto inside = [&] { return button.grab().toImage().pixelColor(8, 15); };
        const QColor enabled = inside();
        button.setEnabled(false);
        EXPECT_NE(inside(), enabled) << kind;
        EXPECT_NE(inside(), Theme::instance().color(Token::AccentFill)) << kind;
    }
}
