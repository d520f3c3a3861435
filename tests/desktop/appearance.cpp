// SPDX-License-Identifier: GPL-3.0-or-later
// Language, size and contrast of the window: from the settings, the command line and the file to what they do.
#include <algorithm>
#include <filesystem>
#include <map>

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/curves/curves_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/run_record.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/appearance_settings.h"
#include "desktop/shell/focus_return.h"
#include "desktop/shell/options.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/rail.h"
#include "desktop/shell/settings_page.h"
#include "desktop/shell/side_window.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "support/child.h"
#include "support/golden.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/window_fixture.h"
#include "widgets/dialogs.h"
#include "widgets/high_contrast.h"
#include "widgets/languages.h"
#include "widgets/nav_button.h"
#include "widgets/theme.h"
#include "widgets/tokens.h"

using namespace trainyard;
using desktop::AppearanceSettings;
using desktop::Preferences;
using widgets::Languages;

namespace {

class AppearanceTest : public testing::Test {
  protected:
    void SetUp() override {
        QFile::remove(file());
        widgets::Theme::instance().install(*qApp);
        Languages::install(*qApp, QStringLiteral("en"));
    }
    void TearDown() override { QFile::remove(file()); }
    static QString file() { return Preferences::configFolder() + QStringLiteral("/desktop.ini"); }
    static void write(const QByteArray& lines) {
        { const Preferences makes_the_folder; }
        QFile ini(file());
        ASSERT_TRUE(ini.open(QIODevice::WriteOnly));
        ini.write("[appearance]\n" + lines);
    }
    static void choose(QComboBox* box, int index) {
        box->setFocus();
        while (box->currentIndex() != index)
            QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    }
};

/// The window with all its pages, while its language and text size change.
class LiveAppearance : public test::WindowFixture {
  protected:
    void TearDown() override {
        WindowFixture::TearDown();
        QFile::remove(Preferences::configFolder() + QStringLiteral("/desktop.ini"));
        Languages::install(*qApp, QStringLiteral("en"));
        widgets::Theme::instance().setTextSize(100);
    }
    /// Opens the draft of a new run, and changes it in two steps.
    desktop::WizardPage* draftWithHistory() {
        auto* page = window_->context()->show<desktop::WizardPage>();
        if (!QTest::qWaitFor([page] { return page->isChecked(); }, kPatience))
            ADD_FAILURE() << "the draft is not read";
        for (const char* steps : {"70", "77"}) {
            page->draft()->beginStep();
            page->draft()->setRecipeValue(kSteps, QLatin1String(steps));
            page->draft()->endStep();
        }
        EXPECT_TRUE(QTest::qWaitFor([page] { return page->isChecked(); }, kPatience));
        return page;
    }
    static void press(QWidget* field, const QString& text) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    /// Changes the text size and waits until the visible page is made again.
    void resizeText(int percent) {
        const QPointer<desktop::Page> before = window_->currentPage();
        preferences_->setSizeOfText(percent);
        ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience));
    }
    /// Returns what is visible of the main window and the windows beside it, and the texts of their actions. Pages that
    /// are not shown are made again when they are.
    static QSet<QString> texts() {
        const auto is_shown = [](const QObject* each) {
            while (each != nullptr && !each->isWidgetType())
                each = each->parent();
            return each != nullptr && static_cast<const QWidget*>(each)->isVisible();
        };
        QSet<QString> found;
        for (QWidget* top : QApplication::topLevelWidgets())
            for (const QObject* each : top->isVisible() ? top->findChildren<QObject*>() : QObjectList())
                for (const char* property : {"text", "title", "placeholderText", "toolTip", "accessibleName"})
                    if (is_shown(each))
                        found << each->property(property).toString();
        return found;
    }
    /// The class of a control, which does not depend on the language.
    static QString kind_of(const QWidget* control) {
        return control == nullptr ? QString() : QString::fromLatin1(control->metaObject()->className());
    }
    /// The class and the name of a control.
    static QString name_of(const QWidget* control) {
        if (control == nullptr)
            return {};
        const QString name = control->accessibleName();
        return kind_of(control) + QLatin1Char(' ') + (name.isEmpty() ? control->property("text").toString() : name);
    }
    /// The page at that location, in the main window or in one of its own.
    desktop::Page* pageAt(const desktop::Location& location) {
        const desktop::SideWindow* side = window_->side(location);
        return side != nullptr ? qobject_cast<desktop::Page*>(side->page()) : window_->currentPage();
    }
    /// A few controls of the page that take the focus by Tab, from the first to the last.
    static QList<QWidget*> someControls(const desktop::Page* page) {
        QList<QWidget*> controls;
        for (QWidget* each : page->findChildren<QWidget*>())
            if ((each->focusPolicy() & Qt::TabFocus) != 0 && each->focusProxy() == nullptr && each->isVisible() &&
                each->isEnabled() && !each->size().isEmpty())
                controls << each;
        constexpr qsizetype kMost = 5;
        QList<QWidget*> some;
        for (qsizetype i = 0; i < std::min(kMost, controls.size()); ++i)
            some << controls[i * (controls.size() - 1) / std::max<qsizetype>(1, std::min(kMost, controls.size()) - 1)];
        return some;
    }
    /// Focuses some controls of the page at `location`, changes language and text size, and expects the focus on the
    /// counterpart. Returns the number of controls.
    int expectFocusReturns(const desktop::Location& location) {
        // That of the window, which may be inactive without a window manager.
        const auto focus = [&] { return pageAt(location)->window()->focusWidget(); };
        const qsizetype count = someControls(pageAt(location)).size();
        for (qsizetype i = 0; i < count; ++i) {
            QWidget* control = someControls(pageAt(location)).value(i);
            if (control == nullptr)
                continue;
            control->setFocus(Qt::TabFocusReason);
            EXPECT_TRUE(pageAt(location)->isAncestorOf(focus())) << name_of(control).toStdString();
            const QString name = name_of(focus());
            const QString kind = kind_of(focus());
            const auto change = [&](const char* code, int percent, const QString& wanted, auto&& found) {
                const QPointer<desktop::Page> before = pageAt(location);
                preferences_->setLanguage(QLatin1String(code));
                preferences_->setSizeOfText(percent);
                constexpr int kLongest = desktop::FocusReturn::kPatience;
                EXPECT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience));
                // Larger and longer texts may leave no room for a control; then one near it has the focus.
                const bool has_room = QLatin1String(code) == QLatin1String("en") && percent == 100;
                const auto is_shown = [&] {
                    const QList<QWidget*> parts = pageAt(location)->findChildren<QWidget*>();
                    return std::ranges::any_of(
                        parts, [&](const QWidget* each) { return each->isVisible() && found(each) == wanted; });
                };
                const auto has_returned = [&] {
                    return pageAt(location)->isAncestorOf(focus()) &&
                           (found(focus()) == wanted || (!has_room && !is_shown()));
                };
                EXPECT_TRUE(QTest::qWaitFor(has_returned, kLongest))
                    << location.text().toStdString() << ", " << code << ": " << wanted.toStdString() << ", but "
                    << name_of(focus()).toStdString();
                test::settle();
                EXPECT_TRUE(has_returned()) << location.text().toStdString() << ": " << wanted.toStdString();
            };
            change("de", 100, kind, kind_of);
            change("en", 125, name, name_of);
            change("en", 100, name, name_of);
        }
        return static_cast<int>(count);
    }
    static void language(const char* code) { Languages::install(*qApp, QLatin1String(code)); }
    desktop::WizardPage* wizard() { return qobject_cast<desktop::WizardPage*>(window_->currentPage()); }

    const QString kSteps = QStringLiteral("training.steps");
};

}  // namespace

TEST_F(LiveAppearance, LanguageChangesWithDraftAndHistory) {
    open();
    const QPointer<desktop::WizardPage> before = draftWithHistory();
    const QString english = before->title();
    const int undoable = before->draft()->history()->undoable();
    ASSERT_GE(undoable, 2);
    preferences_->setLanguage(QStringLiteral("de"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience)) << "the page is made again";
    EXPECT_NE(wizard()->title(), english);
    EXPECT_EQ(wizard()->title(), desktop::WizardPage::tr("New run"));
    EXPECT_EQ(window_->menuBar()->actions().front()->text(), desktop::Commands::menuTitle(desktop::MenuId::File));
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));
    EXPECT_EQ(wizard()->draft()->history()->undoable(), undoable);
    QAction* undo = desktop::ActionCollection::instance().undoAction();
    ASSERT_TRUE(QTest::qWaitFor([undo] { return undo->isEnabled(); }, kPatience)) << "with the focus in the page";
    undo->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("70"));
    desktop::ActionCollection::instance().redoAction()->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));

    // Pages that are not shown are made again when they are.
    window_->context()->show<desktop::SettingsPage>();
    EXPECT_NE(test::child<QComboBox>(*window_->currentPage(), desktop::AppearanceSettings::tr("Language")), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([this] { return wizard() == nullptr; }, kPatience));
}

TEST_F(LiveAppearance, TextSizeChangesWithDraftAndHistory) {
    open();
    const QPointer<desktop::WizardPage> before = draftWithHistory();
    const int height = before->launchButton()->height();
    const double points = QApplication::font().pointSizeF();
    preferences_->setSizeOfText(150);
    ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience));
    EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), 1.5 * points);
    EXPECT_TRUE(QTest::qWaitFor([&] { return wizard()->launchButton()->height() == height * 3 / 2; }, kPatience))
        << height << ", now " << wizard()->launchButton()->height();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));
    ASSERT_TRUE(desktop::ActionCollection::instance().undoAction()->isEnabled());
    desktop::ActionCollection::instance().undoAction()->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("70"));
}

TEST_F(LiveAppearance, AnOpenDialogKeepsItsInputUntilItIsClosed) {
    open();
    window_->context()->show<desktop::SettingsPage>();
    const QPointer<desktop::Page> page = window_->currentPage();
    const QPointer<QDialog> dialog = widgets::opened(new QDialog(page));
    auto* field = new QLineEdit(QStringLiteral("typed"), dialog);
    preferences_->setLanguage(QStringLiteral("de"));
    QApplication::processEvents();
    ASSERT_NE(dialog, nullptr);
    ASSERT_NE(page, nullptr);
    EXPECT_EQ(field->text(), QStringLiteral("typed"));
    dialog->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page == nullptr; }, kPatience));
    EXPECT_EQ(window_->currentPage()->title(), desktop::SettingsPage::tr("Settings"));
}

TEST_F(LiveAppearance, NoTextOfTheOldLanguageStays) {
    const auto active = test::fabricate(
        root(), {.name = "active", .status = run::Status::running, .step = 300, .of = 1000, .age_s = 90});
    const auto over = test::fabricate(root(), {.name = "over", .step = 400, .of = 400});
    const auto place = [](const std::filesystem::path& run) {
        return desktop::Location{QStringLiteral("run"), QString::fromStdString(run.filename().string())};
    };
    const auto show = [&](const QString& page) {
        window_->open(page == QLatin1String("run") ? place(active) : desktop::Location{page, {}});
        test::settle();
    };
    const QStringList pages = {QStringLiteral("run"), QStringLiteral("estimator"), QStringLiteral("new"),
                               QStringLiteral("settings"), QStringLiteral("runs")};
    for (const QString& page : pages) {
        open();
        window_->showSide(place(over));
        show(page);
        test::settle();
        const QSet<QString> english = texts();
        for (const char* code : {"de", "zh_CN"}) {
            const QPointer<desktop::Page> before = window_->currentPage();
            const QPointer<QWidget> beside = window_->side(place(over))->page();
            language(code);
            ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr && beside == nullptr; }, kPatience))
                << page.toStdString();
            test::settle();
            const QSet<QString> live = texts();
            for (const QAbstractSpinBox* field : window_->currentPage()->findChildren<QAbstractSpinBox*>())
                EXPECT_EQ(field->locale().language(), QLocale().language());
            preferences_->setSizeOfText(150);
            test::take_picture(window_.get(), qPrintable(QStringLiteral("-%1-%2-150").arg(page, QLatin1String(code))));
            test::take_picture(window_->side(place(over)), qPrintable(QStringLiteral("-side-") + QLatin1String(code)));
            preferences_->setSizeOfText(100);
            // The reference: a window that was opened in this language.
            open();
            window_->showSide(place(over));
            show(page);
            test::settle();
            QSet<QString> stale = live;
            stale.intersect(english);
            stale.subtract(texts());
            static const QRegularExpression words(QStringLiteral("[A-Za-z]{4,}"));  // figures may be updated
            for (const QString& text : stale.values().filter(words))
                ADD_FAILURE() << page.toStdString() << ", " << code << ": " << text.toStdString();
            language("en");
            open();
            window_->showSide(place(over));
            show(page);
        }
    }
}

TEST_F(LiveAppearance, TypedTextIsKept) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    int fields = 0;
    for (const char* page : {"settings", "runs", "hosts", "traces", "estimator", "new", "run", "notifications"}) {
        const QString subject =
            QLatin1String(page) == QLatin1String("run") ? QString::fromStdString(run.filename().string()) : QString();
        window_->open({QLatin1String(page), subject});
        test::settle();
        for (QLineEdit* field : window_->currentPage()->findChildren<QLineEdit*>()) {
            if (!field->isVisible() || !field->isEnabled() || field->isReadOnly() ||
                qobject_cast<QAbstractSpinBox*>(field->parent()) != nullptr)
                continue;
            press(field, QStringLiteral("typed 7"));
            ++fields;
            resizeText(preferences_->sizeOfText() == 100 ? 150 : 100);
            const QList<QLineEdit*> now = window_->currentPage()->findChildren<QLineEdit*>();
            EXPECT_TRUE(std::ranges::any_of(now, [](const QLineEdit* each) {
                return each->text() == QStringLiteral("typed 7");
            })) << page;
            if (QLatin1String(page) == QLatin1String("settings")) {
                const auto* focus = qobject_cast<QLineEdit*>(window_->focusWidget());
                EXPECT_TRUE(focus != nullptr && focus->text() == QStringLiteral("typed 7"));
            }
            break;
        }
    }
    EXPECT_GE(fields, 4);
}

TEST_F(LiveAppearance, AFolderThatIsBeingCheckedIsTaken) {
    open();
    window_->context()->show<desktop::SettingsPage>();
    const QPointer<desktop::Page> page = window_->currentPage();
    const QString folder = QString::fromStdString((root() / "elsewhere").string());
    QLineEdit* field = nullptr;
    for (QLineEdit* each : page->findChildren<QLineEdit*>())
        if (each->text() == QString::fromStdString(root().string()))
            field = each;
    ASSERT_NE(field, nullptr);
    press(field, folder);
    QTest::keyClick(field, Qt::Key_Return);
    preferences_->setSizeOfText(150);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page == nullptr; }, kPatience));
    EXPECT_EQ(QString::fromLocal8Bit(qgetenv("TRAINYARD_RUNS")), folder);
    EXPECT_TRUE(std::filesystem::is_directory(folder.toStdString()));
}

TEST_F(LiveAppearance, SeveralChangesAtOnce) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    const desktop::Location place{QStringLiteral("run"), QString::fromStdString(run.filename().string())};
    open();
    window_->showSide(place);
    window_->open({QStringLiteral("estimator"), {}});
    for (int i = 0; i < 3; ++i) {
        preferences_->setLanguage(QStringLiteral("de"));
        preferences_->setSizeOfText(150);
        if (i == 1)
            QApplication::processEvents();  // amid the first layouts
        preferences_->setLanguage(QStringLiteral("zh_CN"));
        preferences_->setSizeOfText(i == 2 ? 125 : 200);
    }
    test::settle();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window_->currentPage()->isOutdated(); }, kPatience));
    EXPECT_EQ(Languages::current(), QStringLiteral("zh_CN"));
    EXPECT_EQ(window_->menuBar()->actions().front()->text(), desktop::Commands::menuTitle(desktop::MenuId::File));
    ASSERT_NE(window_->side(place), nullptr);
    EXPECT_FALSE(qobject_cast<desktop::Page*>(window_->side(place)->page())->isOutdated());
    test::take_picture(window_.get());
}

TEST_F(LiveAppearance, ThemeLanguageAndSizeChangeTogetherAndBack) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    const QString id = QString::fromStdString(run.filename().string());
    open();
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    const auto renew = [this](widgets::ThemeChoice theme, const char* code, int percent) {
        const QPointer<desktop::Page> before = window_->currentPage();
        widgets::Theme::instance().setChoice(theme);
        preferences_->setLanguage(QLatin1String(code));
        preferences_->setSizeOfText(percent);
        ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience));
        test::settle();
        EXPECT_FALSE(window_->currentPage()->isOutdated());
    };
    for (const char* page : {"runs", "run", "new", "hosts"}) {
        window_->open({QLatin1String(page), QLatin1String(page) == QLatin1String("run") ? id : QString()});
        test::settle();
        const double points = QApplication::font().pointSizeF();
        const QString title = window_->currentPage()->title();
        renew(widgets::ThemeChoice::Light, "zh_CN", 125);
        EXPECT_NE(window_->currentPage()->title().contains(chinese), page == std::string_view("run"))
            << "the name of the run";
        EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), 1.25 * points);
        EXPECT_EQ(window_->menuBar()->actions().front()->text(), desktop::Commands::menuTitle(desktop::MenuId::File));
        const QImage shown = window_->currentPage()->grab().toImage();
        EXPECT_EQ(shown.pixelColor(1, shown.height() - 2), widgets::token_color(widgets::Token::BgPage, /*dark=*/false))
            << page;
        test::take_picture(window_.get(), qPrintable(QStringLiteral("-light-zh-125-") + QLatin1String(page)));
        renew(widgets::ThemeChoice::Dark, "en", 100);
        EXPECT_EQ(window_->currentPage()->title(), title);
        test::take_picture(window_.get(), qPrintable(QStringLiteral("-dark-en-100-") + QLatin1String(page)));
        QStringList left = texts().values().filter(chinese);
        left.removeIf([](const QString& text) { return text.endsWith(QStringLiteral("简体中文")); });  // its name
        EXPECT_EQ(left.join(QLatin1Char('\n')).toStdString(), "") << page;
    }
}

TEST_F(LiveAppearance, TheHistoryOfCurvesIsKept) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    window_->open({QStringLiteral("run"), QString::fromStdString(run.filename().string())});
    const auto panel = [this] { return window_->currentPage()->findChild<desktop::CurvesPanel*>(); };
    const auto pins = [&] { return panel()->panelLayout().pins.size(); };
    qobject_cast<desktop::RunPage*>(window_->currentPage())->showCurves(true);
    ASSERT_NE(panel(), nullptr);
    panel()->pin({QStringLiteral("s:train/loss")});
    ASSERT_EQ(pins(), 1);
    for (const int percent : {150, 100}) {
        resizeText(percent);
        ASSERT_TRUE(QTest::qWaitFor([&] { return panel() != nullptr && panel()->isVisible(); }, kPatience));
        ASSERT_EQ(pins(), 1);
        panel()->find();
        ASSERT_TRUE(desktop::ActionCollection::instance().undoAction()->isEnabled()) << percent;
        desktop::ActionCollection::instance().undoAction()->trigger();
        EXPECT_EQ(pins(), 0);
        desktop::ActionCollection::instance().redoAction()->trigger();
        EXPECT_EQ(pins(), 1);
    }
    window_->context()->show<desktop::RunsPage>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel() == nullptr; }, kPatience));
}

TEST_F(LiveAppearance, TheFocusIsKeptOnEveryPage) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    test::fabricate(root(), {.name = "two", .step = 300, .of = 400, .age_s = 900});
    const std::map<QString, std::filesystem::path> subjects = {
        {QStringLiteral("run"), run.filename()},
        {QStringLiteral("logs"), test::own_golden("tb_events") / "runs"},
        {QStringLiteral("architecture"), test::own_golden("models") / "llama_gqa" / "model.safetensors"}};
    open();
    for (const desktop::PageEntry& entry : desktop::all_pages()) {
        SCOPED_TRACE(entry.key.toStdString());
        const auto subject = subjects.find(entry.key);
        const desktop::Location location{
            entry.key, subject == subjects.end() ? QString() : QString::fromStdString(subject->second.string())};
        window_->open(location);
        test::settle();
        if (entry.key == QLatin1String("run")) {
            ASSERT_TRUE(QTest::qWaitFor(
                [&] {
                    const auto* page = qobject_cast<desktop::RunPage*>(window_->currentPage());
                    return page != nullptr && page->record()->isCaughtUp();
                },
                kPatience));
        }
        const int controls = expectFocusReturns(location);
        if (entry.key != QLatin1String("reading") && entry.key != QLatin1String("notifications")) {  // empty here
            EXPECT_GT(controls, 0);
        }
        if (desktop::SideWindow* side = window_->side(location); side != nullptr)
            side->close();
    }
    auto* draft = window_->context()->show<desktop::WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([draft] { return draft->isChecked(); }, kPatience));
    for (const char* step : {"training", "data", "review", "expert"}) {
        SCOPED_TRACE(step);
        ASSERT_TRUE(wizard()->openNamed(QLatin1String(step)));
        test::settle();
        EXPECT_GT(expectFocusReturns({QStringLiteral("new"), {}}), 2);
    }
}

TEST_F(LiveAppearance, TheCurrentRowAndTheSidebarKeepTheFocus) {
    double age = 600;
    for (const char* name : {"one", "two", "three"})
        test::fabricate(root(), {.name = name, .step = 400, .of = 400, .age_s = age *= 2});
    open();
    auto* page = window_->context()->show<desktop::RunsPage>();
    test::settle();
    page->table()->setFocus(Qt::TabFocusReason);
    page->table()->selectRow(1);
    const auto table = [this] { return qobject_cast<desktop::RunsPage*>(window_->currentPage())->table(); };
    const QString name = table()->currentIndex().siblingAtColumn(0).data().toString();
    resizeText(150);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->focusWidget() == table() && table()->currentIndex().isValid(); },
                                kPatience));
    EXPECT_EQ(table()->currentIndex().row(), 1);
    EXPECT_EQ(table()->currentIndex().siblingAtColumn(0).data().toString(), name);

    // Not only pages are made again.
    auto* rail = window_->findChild<desktop::Rail*>();
    ASSERT_NE(rail, nullptr);
    QWidget* entry = rail->findChildren<widgets::NavButton*>().value(2);
    ASSERT_NE(entry, nullptr);
    entry->setFocus(Qt::TabFocusReason);
    const QString text = name_of(entry);
    resizeText(100);
    EXPECT_TRUE(QTest::qWaitFor([&] { return name_of(window_->focusWidget()) == text; }, kPatience))
        << name_of(window_->focusWidget()).toStdString();

    // A key of the user comes first.
    table()->setFocus(Qt::TabFocusReason);
    resizeText(125);
    QTest::keyClick(window_.get(), Qt::Key_Tab);
    QWidget* chosen = window_->focusWidget();
    test::settle();
    EXPECT_EQ(window_->focusWidget(), chosen);
}

TEST_F(LiveAppearance, AnOpenMenuStays) {
    open();
    window_->context()->show<desktop::SettingsPage>();
    const QPointer<desktop::Page> page = window_->currentPage();
    const QPointer<QMenu> menu = new QMenu(page);
    menu->addAction(QStringLiteral("Entry"));
    menu->popup(page->mapToGlobal(QPoint(50, 50)));
    preferences_->setSizeOfText(150);
    test::settle();
    ASSERT_NE(menu, nullptr);
    EXPECT_NE(page, nullptr);
    menu->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page == nullptr; }, kPatience));
}

TEST_F(AppearanceTest, LanguageAndSizeAreStoredAndReported) {
    Preferences preferences;
    const QSignalSpy languages(&preferences, &Preferences::languageChanged);
    const QSignalSpy sizes(&preferences, &Preferences::textSizeChanged);
    AppearanceSettings settings(&preferences);
    settings.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&settings));
    QComboBox* box = test::child<QComboBox>(settings, QStringLiteral("Language"));
    ASSERT_EQ(box->count(), 4);
    EXPECT_EQ(box->itemText(2).toStdString(), "Deutsch");
    choose(box, 1);
    EXPECT_EQ(preferences.language(), QStringLiteral("en"));
    choose(box, 2);
    EXPECT_EQ(preferences.language(), QStringLiteral("de"));
    EXPECT_EQ(languages.count(), 2);
    choose(box, 3);
    QComboBox* size = test::child<QComboBox>(settings, QStringLiteral("Text size"));
    EXPECT_EQ(size->currentData().toInt(), 100);
    choose(size, size->findData(150));
    EXPECT_EQ(sizes.count(), 3) << "110, 125 and 150 %";
    const Preferences again;
    EXPECT_EQ(again.language(), QStringLiteral("zh_CN"));
    EXPECT_EQ(again.sizeOfText(), 150);
}

TEST_F(AppearanceTest, WhatTheFileSaysOfNoLanguageOrSizeIsToldAndNotTaken) {
    write("language=tlh\nsize=300\n");
    const Preferences preferences;
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("tlh"))) << preferences.complaint().toStdString();
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("300")));
    EXPECT_TRUE(preferences.complaint().contains(file()));
    EXPECT_EQ(preferences.sizeOfText(), 100);
}

TEST_F(AppearanceTest, ContrastChangesAtOnceAndIsKept) {
    Preferences preferences;
    AppearanceSettings settings(&preferences);
    settings.show();
    EXPECT_FALSE(test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines"))->isChecked());
    QTest::mouseClick(
        test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines")), Qt::LeftButton,
        Qt::NoModifier,
        {8, test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines"))->height() / 2});
    EXPECT_TRUE(preferences.highContrast());
    EXPECT_TRUE(widgets::is_high_contrast());
    EXPECT_EQ(widgets::Theme::instance().color(widgets::Token::BgPage),
              widgets::Theme::instance().isDark() ? QColor(Qt::black) : QColor(Qt::white));
    widgets::Theme::instance().setHighContrast(false);
    const Preferences again;
    EXPECT_TRUE(again.highContrast());
}

TEST_F(AppearanceTest, TheCommandLineChoosesALanguage) {
    desktop::Options options;
    const QString problem = desktop::parseOptions(
        {QStringLiteral("trainyard-desktop"), QStringLiteral("--language"), QStringLiteral("de")}, options);
    EXPECT_TRUE(problem.isEmpty()) << problem.toStdString();
    EXPECT_EQ(options.language, QStringLiteral("de"));
    // A window of another language may be open: this one stands for itself.
    EXPECT_FALSE(options.returns());
    desktop::Options other;
    const QString refused =
        desktop::parseOptions({QStringLiteral("trainyard-desktop"), QStringLiteral("--language=tlh")}, other);
    EXPECT_TRUE(refused.contains(QStringLiteral("tlh")) && refused.contains(QStringLiteral("zh_CN")))
        << refused.toStdString();
}
