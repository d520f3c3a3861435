// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the sizes and the painting of controls.
#include "widgets/style.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include "widgets/cell.h"
#include "widgets/cell_delegate.h"
#include "widgets/controls.h"
#include "widgets/dialogs.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/nav_button.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard::widgets;

namespace {

class StyleTest : public testing::Test {
  protected:
    void SetUp() override {
        Theme::instance().setChoice(ThemeChoice::Dark);
        Theme::instance().install(*qApp);
        window_.setLayout(new QVBoxLayout);
    }
    template <class Control>
    Control* add(Control* control) {
        window_.layout()->addWidget(control);
        return control;
    }
    void show() {
        window_.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    }
    QWidget window_;
};

bool has_color(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y).rgb() == color.rgb())
                return true;
    return false;
}

/// How much of a painted cell differs from its ground.
double ink_of(const Cell& cell) {
    QTableWidget table(1, 1);
    table.setItemDelegate(new CellDelegate(&table));
    auto* item = new QTableWidgetItem;
    item->setData(CellRole, QVariant::fromValue(cell));
    table.setItem(0, 0, item);
    table.setColumnWidth(0, 200);
    const QImage image = table.viewport()->grab(table.visualItemRect(item).adjusted(4, 4, -4, -4)).toImage();
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            sum += std::abs(image.pixelColor(x, y).lightnessF() - image.pixelColor(0, 0).lightnessF());
    return sum;
}

}  // namespace

TEST_F(StyleTest, StrongCellsAreSemiboldInBothFonts) {
    for (const bool mono : {false, true}) {
        Cell cell;
        cell.text = QStringLiteral("0.03125");
        cell.mono = mono;
        const double plain = ink_of(cell);
        cell.strong = true;
        EXPECT_GT(plain, 1) << mono;
        EXPECT_GT(ink_of(cell), 1.05 * plain) << mono;
    }
}

TEST_F(StyleTest, ButtonsAndFieldsHaveOneHeight) {
    QList<QWidget*> controls{add(new QPushButton(QStringLiteral("Stop"))), add(new QLineEdit), add(new QComboBox),
                             add(new QSpinBox)};
    QWidget* link = add(with_look(new QPushButton(QStringLiteral("More")), {.kind = "link"}));
    auto* segments = add(new SegmentedControl({QStringLiteral("All"), QStringLiteral("Live")}));
    show();
    for (const QWidget* control : controls)
        EXPECT_EQ(control->sizeHint().height(), 30) << control->metaObject()->className();
    EXPECT_EQ(link->sizeHint().height(), 24);
    EXPECT_EQ(segments->sizeHint().height(), 30);
}

TEST_F(StyleTest, EveryControlShowsThatItHasTheFocus) {
    QList<QWidget*> controls{add(new QPushButton(QStringLiteral("Stop"))),
                             add(with_look(new QPushButton(QStringLiteral("Quiet")), {.kind = "ghost"})),
                             add(new QCheckBox(QStringLiteral("Save"))),
                             add(new QRadioButton(QStringLiteral("One"))),
                             add(new QLineEdit),
                             add(new QComboBox),
                             add(new QSpinBox),
                             add(new QPlainTextEdit),
                             add(new QSlider(Qt::Horizontal))};
    QPushButton* other = add(new QPushButton(QStringLiteral("Other")));
    show();
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        Theme::instance().setChoice(choice);
        const QColor ring = Theme::instance().color(Token::Accent);
        for (QWidget* control : controls) {
            control->setFocus();
            EXPECT_TRUE(has_color(control->grab().toImage(), ring)) << control->metaObject()->className();
            other->setFocus();
            EXPECT_FALSE(has_color(control->grab().toImage(), ring)) << control->metaObject()->className();
        }
    }
}

/// Its container has no room beside the words, and its place changes while it has the focus.
TEST_F(StyleTest, ALinkHasARingAroundItsWords) {
    auto* link = with_look(new QPushButton(QStringLiteral("More")), {.kind = "link"});
    QWidget* holder = add(make_holder(make_row({0, 0, 0, 0}, 0, {link, stretch()})));
    QPushButton* other = add(new QPushButton(QStringLiteral("Other")));
    show();
    const auto ringed_sides = [&](const QColor& ring) {
        const QRect words(link->mapTo(&window_, QPoint()), link->size());
        const QRect around = words.adjusted(-5, 0, 5, 0);
        const QImage image = window_.grab().toImage();
        int sides = 0;
        for (const QPoint& point : {QPoint(around.left(), words.center().y()),
                                    {around.right(), words.center().y()},
                                    {words.center().x(), around.top()},
                                    {words.center().x(), around.bottom()}})
            sides += image.pixelColor(point).rgb() == ring.rgb() ? 1 : 0;
        return sides;
    };
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        Theme::instance().setChoice(choice);
        const QColor ring = Theme::instance().color(Token::Accent);
        other->setFocus();
        const QImage words = link->grab().toImage();
        EXPECT_EQ(ringed_sides(ring), 0);
        link->setFocus();
        EXPECT_EQ(ringed_sides(ring), 4);
        EXPECT_EQ(link->grab().toImage(), words);
        window_.layout()->setContentsMargins(40, 30, 10, 10);
        window_.layout()->activate();
        EXPECT_EQ(ringed_sides(ring), 4);
        window_.layout()->setContentsMargins(10, 10, 10, 10);
    }
    holder->hide();
    EXPECT_EQ(ringed_sides(Theme::instance().color(Token::Accent)), 0);
}

/// As the first control of a page after the last one of the window.
TEST_F(StyleTest, TabScrollsToWhatItReaches) {
    auto* inside = new QWidget;
    inside->setLayout(new QVBoxLayout);
    for (int i = 0; i < 40; ++i)
        inside->layout()->addWidget(new QLineEdit);
    QScrollArea* area = add(new QScrollArea);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(inside);
    QPushButton* other = add(new QPushButton(QStringLiteral("Other")));
    window_.resize(300, 300);
    show();
    other->setFocus();
    QTest::keyClick(other, Qt::Key_Backtab, Qt::ShiftModifier);
    const QWidget* field = QApplication::focusWidget();
    ASSERT_TRUE(inside->isAncestorOf(field));
    EXPECT_TRUE(area->viewport()->rect().contains({field->mapTo(area->viewport(), QPoint()), field->size()}));
}

TEST_F(StyleTest, TabReachesEveryButtonOfADialog) {
    QDialog dialog;
    dialog.setLayout(new QVBoxLayout);
    dialog.layout()->addWidget(new QLineEdit);
    QPushButton* go = add_dialog_buttons(&dialog, QStringLiteral("Go"), {});
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
    QList<QWidget*> met;
    while (!met.contains(QApplication::focusWidget())) {
        met << QApplication::focusWidget();
        QTest::keyClick(met.last(), Qt::Key_Tab);
    }
    EXPECT_EQ(met.size(), 3);
    EXPECT_EQ(met.last(), go);
    EXPECT_TRUE(go->isDefault());
}

TEST_F(StyleTest, ReturnPressesTheButtonWithTheFocus) {
    auto* plain = add(new QPushButton(QStringLiteral("Stop")));
    auto* painted = add(new NavButton(QStringLiteral("Runs"), QStringLiteral("runs")));
    show();
    for (QAbstractButton* button : QList<QAbstractButton*>{plain, painted})
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
            const QSignalSpy clicks(button, &QAbstractButton::clicked);
            button->setFocus();
            QTest::keyClick(button, key);
            EXPECT_EQ(clicks.count(), 1) << button->text().toStdString() << ", " << key;
        }
}

TEST_F(StyleTest, AnInvalidFieldHasAnotherLineAndTheSameSize) {
    auto* field = add(new QLineEdit);
    auto* other = add(new QPushButton(QStringLiteral("Other")));
    show();
    other->setFocus();
    const QColor error = Theme::instance().color(Token::Error);
    const QSize before = field->sizeHint();
    EXPECT_FALSE(has_color(field->grab().toImage(), error));
    set_invalid(field, true);
    EXPECT_TRUE(has_color(field->grab().toImage(), error));
    EXPECT_EQ(field->sizeHint(), before);
    set_invalid(field, false);
    EXPECT_FALSE(has_color(field->grab().toImage(), error));
}

TEST_F(StyleTest, ATickHasThreeStates) {
    auto* box = add(new QCheckBox(QStringLiteral("All")));
    box->setTristate(true);
    show();
    QList<QImage> pictures;
    for (const Qt::CheckState state : {Qt::Unchecked, Qt::PartiallyChecked, Qt::Checked}) {
        box->setCheckState(state);
        pictures << box->grab().toImage();
    }
    EXPECT_NE(pictures[0], pictures[1]);
    EXPECT_NE(pictures[1], pictures[2]);
    EXPECT_NE(pictures[0], pictures[2]);
}

TEST_F(StyleTest, TheTipOfANarrowButtonBeginsWithItsText) {
    auto* button = add(with_look(new QPushButton(QStringLiteral("Connections between hosts")),
                                 {.tip = QStringLiteral("Measures each link"), .elides = true}));
    show();
    ASSERT_GT(button->minimumWidth(), 0);
    ASSERT_LT(button->minimumWidth(), button->sizeHint().width() / 2);
    const auto tip_at = [&](int width) {
        button->setFixedWidth(width);
        QHelpEvent event(QEvent::ToolTip, {5, 5}, button->mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(button, &event);
        return QToolTip::text();
    };
    EXPECT_EQ(tip_at(button->minimumWidth()), QStringLiteral("Connections between hosts\nMeasures each link"));
    EXPECT_EQ(tip_at(button->sizeHint().width()), QStringLiteral("Measures each link"));
    QToolTip::hideText();
}

/// Tones and icons are those of the theme that is shown.
TEST_F(StyleTest, LabelsFollowTheTheme) {
    QLabel* label = add(make_note(QStringLiteral("||||"), Tone::Warn));
    show();
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        Theme::instance().setChoice(choice);
        EXPECT_TRUE(QTest::qWaitFor([&] {  // Qt passes a palette on in the event loop
            return label->palette().color(label->foregroundRole()) == Theme::instance().color(Token::Warn);
        }));
    }
}

namespace {

/// Nothing is painted in the corners of a popup where windows can be translucent, else a mask cuts them off.
void expect_round(const QPointer<QWidget>& popup, const char* name) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(popup != nullptr && QTest::qWaitForWindowExposed(popup->windowHandle()) && popup != nullptr);
    const QImage image = popup->grab().toImage();
    const int right = popup->width() - 1, bottom = popup->height() - 1;
    for (const QPoint corner : {QPoint(), QPoint(right, 0), QPoint(0, bottom), QPoint(right, bottom)})
        if (popup->testAttribute(Qt::WA_TranslucentBackground))
            EXPECT_EQ(image.pixelColor(corner).alpha(), 0) << corner.x() << ' ' << corner.y();
        else
            EXPECT_FALSE(popup->mask().isEmpty() || popup->mask().contains(corner)) << corner.x() << ' ' << corner.y();
    const QColor line = Theme::instance().color(Token::LineControl);
    for (const QPoint middle : {QPoint(right / 2, 0), QPoint(0, bottom / 2), QPoint(right, bottom / 2)})
        EXPECT_EQ(image.pixelColor(middle).name(), line.name()) << middle.x() << ' ' << middle.y();
    EXPECT_EQ(image.pixelColor(3, bottom / 2).name(), Theme::instance().color(Token::BgRaised).name());
}

}  // namespace

TEST_F(StyleTest, PopupsHaveRoundCorners) {
    const QStringList words{QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")};
    auto* list = add(new QComboBox);
    list->addItems(words);
    auto* typed = add(new QComboBox);
    typed->addItems(words);
    typed->setEditable(true);
    auto* field = add(new QLineEdit);
    field->setCompleter(new QCompleter(words, field));
    show();

    QMenu menu;
    for (const QString& word : words)
        menu.addAction(word);
    menu.popup(window_.mapToGlobal(QPoint(4, 4)));
    expect_round(&menu, "menu");
    menu.close();

    for (QComboBox* box : {list, typed}) {
        box->showPopup();
        expect_round(box->view()->window(), box->isEditable() ? "list below a field" : "list of a combo box");
        const QAbstractItemView* view = box->view();
        const QRect first = view->visualRect(view->model()->index(0, 0));
        const QRect last = view->visualRect(view->model()->index(box->count() - 1, 0));
        EXPECT_GE(first.height(), view->fontMetrics().height());
        EXPECT_LE(first.height(), 2 * view->fontMetrics().height());
        EXPECT_TRUE(view->viewport()->rect().contains(last));
        EXPECT_GE(view->window()->width(), box->width());
        const QImage row = view->viewport()->grab(first).toImage();
        EXPECT_TRUE(has_color(row, Theme::instance().color(Token::Text))) << "the text of the row is not seen";
        box->hidePopup();
    }

    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("t"));
    expect_round(field->completer()->popup(), "completions");
    field->completer()->popup()->hide();

    QFrame panel(&window_, Qt::Popup);
    panel.setProperty("surface", QStringLiteral("palette"));
    panel.resize(120, 80);
    panel.show();
    expect_round(&panel, "panel");
    panel.close();

    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    QToolTip::showText(window_.mapToGlobal(QPoint(4, 4)), QStringLiteral("a tip of a control"), list);
    const auto tips = [] {
        QWidgetList found;
        for (QWidget* each : QApplication::topLevelWidgets())
            if (each->inherits("QTipLabel") && each->isVisible())
                found << each;
        return found;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !tips().isEmpty(); }));
    expect_round(tips().first(), "tool tip");
    QToolTip::hideText();
}

/// The window of a list of choices closes with Escape before the key is sent to the window with the keyboard focus,
/// which on Wayland is the one below.
TEST_F(StyleTest, EscapeOnlyClosesTheListOfAComboBox) {
    class Escapes : public QObject {
      public:
        bool eventFilter(QObject*, QEvent* event) override {
            count += event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
            return false;
        }
        int count = 0;
    };
    auto* box = add(new QComboBox);
    box->addItems({QStringLiteral("one"), QStringLiteral("two")});
    Escapes escapes;
    window_.installEventFilter(&escapes);
    show();
    box->setFocus();
    box->showPopup();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(box->view()->window()->windowHandle()));
    const auto press = [this] {
        for (const QEvent::Type type : {QEvent::ShortcutOverride, QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent key(type, Qt::Key_Escape, Qt::NoModifier);
            QApplication::sendEvent(window_.windowHandle(), &key);
        }
    };
    press();
    EXPECT_FALSE(box->view()->isVisible());
    EXPECT_EQ(escapes.count, 0);
    press();
    EXPECT_EQ(escapes.count, 1);
}
