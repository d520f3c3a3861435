// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/window_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QLocale>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>

#include "desktop/help/help_page.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/run_starter.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/about_dialog.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/crash_reports.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/page.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/rail.h"
#include "desktop/shell/report_dialog.h"
#include "desktop/shell/shortcut_editor.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/dialogs.h"
#include "widgets/languages.h"
#include "widgets/local_text.h"
#include "widgets/tab_order.h"

namespace trainyard::desktop {

using widgets::ThemeChoice;

WindowCommands::WindowCommands(MainWindow* window, AppContext* context)
    : QObject(window), window_(window), context_(context) {
    const auto add = [window](const char* id, const std::function<void()>& run) {
        return ActionCollection::instance().add(id, window, run);
    };
    const auto on_page = [window](void (Page::*act)()) {
        return [window, act] {
            if (Page* page = window->actingPage())
                (page->*act)();
        };
    };
    const auto manual = [window](const char* subject) {
        return [window, subject] { window->showSide({QLatin1String(HelpPage::kKey), QLatin1String(subject)}); };
    };
    const auto theme = [context](ThemeChoice choice) {
        return [context, choice] { emit context->themeChosen(static_cast<int>(choice)); };
    };
    Opener* opener = context->opener();
    addPages();
    addLooks();
    add("window.new_run", [context] { context->show<WizardPage>()->opener()->newRun(); });
    add("window.sample", [context] { context->starter()->startSample(); });
    add("window.open", [window, opener] { opener->choose(window); });
    add("window.open_folder", [window, opener] { opener->chooseFolder(window); });
    add("window.open_on_host", [window, opener] { opener->askAddress(window); });
    add("window.open_from_hub", [window, opener] {
        ask_hub(window, HubItem::Model, [opener](const QString&, const QString& folder) { opener->open(folder); });
    });
    add("window.print", [this] { print(); });
    add("window.quit", [window] { window->quit(); });
    add("window.copy", [this] { sendToFocus(Qt::Key_C); });
    add("window.select_all", [this] { sendToFocus(Qt::Key_A); });
    add("window.find", on_page(&Page::find));
    add("window.primary", on_page(&Page::primaryAction));
    add("window.sidebar", [window] { emit window->rail()->foldRequested(); });
    QAction* bar = add("window.menu_bar", [window] { window->setMenuBarShown(!window->isMenuBarShown()); });
    bar->setCheckable(true);
    bar->setChecked(window->isMenuBarShown());
    connect(window, &MainWindow::menuBarShown, bar, &QAction::setChecked);
    add("window.full_screen", [window] {
        // The title bar and its buttons come back, too.
        window->setWindowState(window->windowState() ^ Qt::WindowFullScreen);
    });
    auto* themes = new QActionGroup(window);
    for (const auto& [id, choice] :
         {std::pair("window.theme_dark", ThemeChoice::Dark), std::pair("window.theme_light", ThemeChoice::Light),
          std::pair("window.theme_system", ThemeChoice::System)}) {
        QAction* action = themes->addAction(add(id, theme(choice)));
        action->setCheckable(true);
        const auto show = [action, choice = choice] { action->setChecked(Theme::instance().choice() == choice); };
        connect(&Theme::instance(), &Theme::changed, action, show);
        show();
    }
    add("window.palette", [window] {
        if (window->palette()->isVisible())
            window->palette()->dismiss();
        else
            window->openPalette();
    });
    add("window.back", [window] { window->stepHistory(-1); });
    add("window.forward", [window] { window->stepHistory(1); });
    const auto panel = [window](bool next) {
        return [window, next] {
            const QWidget* active = QApplication::activeWindow();
            widgets::focus_panel(active != nullptr ? active : window, next);
        };
    };
    add("window.next_panel", panel(true));
    add("window.previous_panel", panel(false));
    add("window.refresh", [window, context] {
        context->store()->refresh();
        if (Page* page = window->actingPage())
            page->refresh();
    });
    add("window.new_window", [window] { window->openInNewWindow(); });
    add("window.edit_shortcuts", [window] { widgets::opened(new ShortcutEditor(window)); });
    add("window.manual", [window] { window->openManual(window->actingPage()); });
    add("window.start_here", manual("start-here"));
    add("window.shortcuts", [window] { window->openPalette(QStringLiteral("?")); });
    add("window.whats_new", manual("changes"));
    add("window.report_problem", [this] { reportProblem(); });
    add("window.about", [window, context] { widgets::opened(new AboutDialog(context->engine(), window)); });
}

void WindowCommands::addPages() {
    ActionCollection& commands = ActionCollection::instance();
    bool is_first = true;
    for (const PageEntry& entry : all_pages()) {
        if (entry.rail == RailSection::None)
            continue;
        const QString id = QStringLiteral("window.page_") + entry.key;
        commands.declare({.id = id,
                          .text = [title = entry.title] { return widgets::filled_text(tr("Go to %1"), title()); },
                          .icon = entry.icon,
                          .keys = entry.shortcut.isEmpty() ? QList<QKeySequence>{} : QList{entry.shortcut},
                          .menu = MenuId::View,
                          .starts_group = is_first},
                         QStringLiteral("window.sidebar"));
        is_first = false;
        commands.add(id.toLatin1().constData(), window_, [this, key = entry.key] { context_->open({key, {}}); });
    }
}

/// The text sizes and languages, which are known at run time only. The settings show the same choice.
void WindowCommands::addLooks() {
    Preferences* preferences = context_->preferences();
    const auto add_choices = [this](const std::function<QString()>& title, const QString& icon, const auto& choices) {
        auto* group = new QActionGroup(window_);
        for (const auto& [name, text, is_current, choose] : choices) {
            const QString id = QStringLiteral("window.") + name;
            ActionCollection::instance().declare(
                {.id = id, .text = text, .icon = icon, .menu = MenuId::View, .submenu = title},
                QStringLiteral("window.palette"));
            QAction* action =
                group->addAction(ActionCollection::instance().add(id.toLatin1().constData(), window_, choose));
            action->setCheckable(true);
            const auto show = [action, is_current = is_current] { action->setChecked(is_current()); };
            connect(context_->preferences(), &Preferences::textSizeChanged, action, show);
            connect(context_->preferences(), &Preferences::languageChanged, action, show);
            show();
        }
    };
    struct Choice {
        QString name;  ///< of the command
        std::function<QString()> text;
        std::function<bool()> is_current;
        std::function<void()> choose;
    };
    QVector<Choice> sizes;
    for (const int percent : Preferences::kSizes)
        sizes << Choice{QStringLiteral("text_size_%1").arg(percent),
                        [percent] { return tr("Text size: %1 %").arg(QLocale().toString(percent)); },
                        [preferences, percent] { return preferences->sizeOfText() == percent; },
                        [preferences, percent] { preferences->setSizeOfText(percent); }};
    add_choices([] { return tr("Text size"); }, QStringLiteral("eye"), sizes);
    QVector<Choice> languages{{QStringLiteral("language_system"), [] { return tr("Language: as the system"); },
                               [preferences] { return preferences->language().isEmpty(); },
                               [preferences] { preferences->setLanguage({}); }}};
    for (const widgets::Languages::Language& each : widgets::Languages::all())
        languages << Choice{QStringLiteral("language_") + each.code.toLower(),
                            [name = each.name] { return tr("Language: %1").arg(name); },
                            [preferences, code = each.code] { return preferences->language() == code; },
                            [preferences, code = each.code] { preferences->setLanguage(code); }};
    add_choices([] { return tr("Language"); }, QStringLiteral("file"), languages);
}

/// For a widget that handles the key itself.
void WindowCommands::sendToFocus(Qt::Key key) {
    QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr)
        return;
    for (const QEvent::Type type : {QEvent::ShortcutOverride, QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, Qt::ControlModifier);
        QApplication::sendEvent(focus, &event);
    }
}

void WindowCommands::print() {
    const QPointer<Page> page = window_->actingPage();
    if (page == nullptr)
        return;
    // As on a screen: sizes of widgets are in pixels. The output is PDF, whose texts and lines are sharp anyway.
    constexpr int kDotsPerInch = 96;
    auto* dialog = new QPrintDialog(page->window());
    dialog->setWindowTitle(tr("Print %1").arg(page->title()));
    dialog->printer()->setResolution(kDotsPerInch);
    dialog->printer()->setDocName(page->title());
    dialog->printer()->setCreator(QStringLiteral("Trainyard"));
    connect(dialog, &QDialog::accepted, page, [page, dialog] { page->print(dialog->printer()); });
    widgets::opened(dialog);
}

void WindowCommands::reportProblem() {
    const EngineLink* engine = context_->engine();
    reading_.submit(
        [version = engine->isReady() ? engine->version() : QString()] { return problem_report(version); },
        [this](const QString& report) { widgets::opened(new ReportDialog(tr("Report a problem"), report, window_)); });
}

bool WindowCommands::run(const QString& id) {
    for (QAction* action : window_->actions())
        if (ActionCollection::idOf(action) == id) {
            action->trigger();
            return true;
        }
    return false;
}

QList<QAction*> WindowCommands::all() {
    qDeleteAll(recents_);
    recents_.clear();
    for (const QString& path : Opener::recents()) {
        auto* action = new QAction(tr("Open %1").arg(path), this);
        action->setProperty("iconName", QStringLiteral("clock"));
        connect(action, &QAction::triggered, this, [this, path] { context_->openPath(path); });
        recents_ << action;
    }
    Page* page = context_->currentPage();
    page->updateActions();
    const ActionCollection& commands = ActionCollection::instance();
    QList<QAction*> actions;
    for (const Command& command : commands.commands())
        if (QAction* action = commands.actionIn(page, command.id); action != nullptr && !command.fixed)
            actions << action;
    for (QAction* action : static_cast<QWidget*>(page)->actions())
        if (ActionCollection::idOf(action).isEmpty())
            actions << action;
    return actions + recents_;
}

}  // namespace trainyard::desktop
