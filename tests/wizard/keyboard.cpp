// SPDX-License-Identifier: GPL-3.0-or-later
// New run by keyboard alone, page by page: Tab and Shift+Tab reach every control in reading order and bring it on the
// screen with a visible focus; arrow keys, Space and Return do what a mouse does.

#include <QPushButton>

#include <fmt/format.h>

#include "desktop/wizard/page_list.h"
#include "desktop/wizard/steps.h"
#include "desktop/wizard_fixture.h"
#include "support/accessibility_checks.h"
#include "support/child.h"
#include "support/settle.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class WizardKeyboardTest : public test::WizardFixture {
  protected:
    static constexpr int kMostTabs = 200;
    void expectNone(const QStringList& faults) {
        for (const QString& fault : faults)
            ADD_FAILURE() << fault.toStdString();
    }
    PageList* list() { return test::child<PageList>(*wizard()); }
    QPushButton* button(const QString& text) {
        for (auto* each : wizard()->findChildren<QPushButton*>())
            if (each->isVisible() && each->text() == text)
                return each;
        return nullptr;
    }
    bool tabTo(const QWidget* wanted) {
        for (int i = 0; i < kMostTabs && wanted != nullptr && !wanted->hasFocus(); ++i)
            press(Qt::Key_Tab);
        return wanted != nullptr && wanted->hasFocus();
    }
    bool shows(Step step) { return list()->button(step)->isChecked(); }
};

}  // namespace

TEST_F(WizardKeyboardTest, TabReachesEveryControlOfEveryPage) {
    for (const QSize& size : {QSize(1100, 700), QSize(1440, 900)}) {
        window_.reset();
        open(gpus(4), size);
        for (const Purpose purpose : {Purpose::Engine, Purpose::Script}) {
            draft().setPurpose(purpose);
            settle();
            for (const Step step : list()->shownSteps()) {
                wizard()->showStep(step);
                settle();
                test::settle();
                SCOPED_TRACE(fmt::format("{} pixels, purpose {}, {}", size.width(), static_cast<int>(purpose),
                                         stepName(step).toStdString()));
                for (auto* fold : wizard()->page(step)->findChildren<QPushButton*>())
                    if (fold->isVisible() && fold->isCheckable() && !fold->isChecked() &&
                        fold->property("kind") == QLatin1String("link"))
                        fold->click();
                test::settle();
                expectNone(test::jumping_focus(window_.get()));
                for (const widgets::ThemeChoice theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
                    widgets::Theme::instance().setChoice(theme);
                    test::settle();
                    expectNone(test::unseen_focus(wizard()));
                }
            }
        }
        wizard()->setExpert(true);
        test::settle();
        expectNone(test::jumping_focus(window_.get()));
    }
}

TEST_F(WizardKeyboardTest, ReturnPressesWhatHasTheFocus) {
    open(gpus(4));
    goodRecipe();
    wizard()->showStep(Step::Start);
    const QVector<Step> steps = list()->shownSteps();
    // The button to the next page, whose first field has the focus then.
    ASSERT_TRUE(tabTo(button(QStringLiteral("Next: %1").arg(stepTitle(steps[1])))));
    press(Qt::Key_Return);
    EXPECT_TRUE(shows(steps[1]));
    EXPECT_TRUE(wizard()->page(steps[1])->isAncestorOf(QApplication::focusWidget()));
    // A page of the list.
    ASSERT_TRUE(tabTo(list()->button(steps[1])));
    press(Qt::Key_Down);
    press(Qt::Key_Enter, Qt::KeypadModifier);
    EXPECT_TRUE(shows(steps[2]));
    // A link.
    const qsizetype shown = list()->shownSteps().size();
    ASSERT_TRUE(tabTo(button(QStringLiteral("Show all pages"))));
    press(Qt::Key_Return);
    EXPECT_GT(list()->shownSteps().size(), shown);
    press(Qt::Key_Space);
    EXPECT_EQ(list()->shownSteps().size(), shown);
    // A segment.
    ASSERT_TRUE(tabTo(button(QStringLiteral("Guided"))));
    press(Qt::Key_Right);
    EXPECT_TRUE(button(QStringLiteral("Expert"))->isChecked());
    ASSERT_TRUE(tabTo(button(QStringLiteral("Expert"))));
    press(Qt::Key_Return);
    EXPECT_TRUE(button(QStringLiteral("Expert"))->isChecked());
}

TEST_F(WizardKeyboardTest, ThePageOfHardwareStartsAtItsFirstHost) {
    open(cpu());
    wizard()->showStep(Step::Hardware);
    wizard()->page(Step::Hardware)->focusFirst();
    const auto* tick = qobject_cast<QCheckBox*>(QApplication::focusWidget());
    ASSERT_NE(tick, nullptr);
    EXPECT_EQ(tick->text(), QStringLiteral("This machine"));
}

/// Return in a field neither starts the run nor presses a button.
TEST_F(WizardKeyboardTest, ReturnInAFieldStaysThere) {
    open(gpus(4));
    fakeEngine("exit 1");
    goodRecipe();
    const QString key = QStringLiteral("training.steps");
    ASSERT_TRUE(wizard()->goToField(key));
    QWidget* field = QApplication::focusWidget();
    press(Qt::Key_Return);
    EXPECT_EQ(QApplication::focusWidget(), field);
    EXPECT_TRUE(shows(Step::Training));
    EXPECT_TRUE(arguments().empty());
}
