// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/window_commands.h"

#include <QAction>

#include "desktop/app_context.h"
#include "desktop/command_palette.h"
#include "desktop/help/help_page.h"
#include "desktop/main_window.h"
#include "desktop/opener.h"
#include "desktop/page.h"
#include "desktop/pages/pages.h"
#include "desktop/rail.h"
#include "desktop/run_starter.h"
#include "desktop/runs/run_store.h"
#include "desktop/ui.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

using widgets::ThemeChoice;

WindowCommands::WindowCommands(MainWindow* window, AppContext* context)
    : QObject(window), window_(window), context_(context) {
    auto icon = [](const char* name) { return QLatin1String(name); };
    auto keys = [](const char* text) { return QLatin1String(text); };
    Opener* opener = context->opener();
    add(tr("New run"), icon("plus"), keys("Ctrl+N"), [context] { context->show<WizardPage>()->newRun(); });
    add(tr("Open a file…"), icon("file"), keys("Ctrl+O"), [window, opener] { opener->choose(window); });
    add(tr("Open a run folder or a folder of logs…"), icon("folder"), keys("Ctrl+Shift+O"),
        [window, opener] { opener->chooseFolder(window); });
    add(tr("Open logs of another machine…"), icon("hosts"), {}, [window, opener] { opener->askAddress(window); });
    add(tr("Start the sample run"), icon("play"), {}, [context] { context->starter()->startSample(); });
    for (const PageEntry& entry : all_pages())
        if (entry.rail != RailSection::None)
            add(tr("Go to %1").arg(entry.title()), entry.icon, entry.shortcut.toString(), [context, key = entry.key] {
                context->open({key, {}});
            });
    add(tr("Command palette"), icon("search"), keys("Ctrl+K"), [window] {
        if (window->palette()->isVisible())
            window->palette()->dismiss();
        else
            window->openPalette();
    });
    add(tr("Shortcuts"), icon("info"), keys("Ctrl+/"), [window] { window->openPalette(QStringLiteral(">")); });
    add(tr("Manual"), icon("info"), keys("F1"), [window] { window->openManual(window->actingPage()); });
    add(tr("Start here: features beside a plain loop"), icon("info"), {}, [window] {
        window->showSide({QLatin1String(HelpPage::kKey), QStringLiteral("start-here")});
    });
    add(tr("Collapse or expand the sidebar"), icon("panel"), keys("Ctrl+B"),
        [window] { emit window->rail()->foldRequested(); });
    add(tr("Back"), icon("left"), keys("Alt+Left"), [window] { window->stepHistory(-1); });
    add(tr("Forward"), icon("right"), keys("Alt+Right"), [window] { window->stepHistory(1); });
    add(tr("Refresh"), icon("undo"), keys("F5"), [window, context] {
        context->store()->refresh();
        if (Page* page = window->actingPage())
            page->refresh();
    });
    add(tr("Find in this page"), icon("search"), keys("Ctrl+F"), [window] {
        if (Page* page = window->actingPage())
            page->find();
    });
    add(tr("Main action of this page"), icon("bolt"), keys("Ctrl+Return"), [window] {
        if (Page* page = window->actingPage())
            page->primaryAction();
    });
    add(tr("Open in a new window"), icon("screen"), keys("Ctrl+Shift+D"), [window] { window->openInNewWindow(); });
    auto theme = [context](ThemeChoice choice) {
        return [context, choice] { emit context->themeChosen(static_cast<int>(choice)); };
    };
    add(tr("Theme: dark"), icon("moon"), {}, theme(ThemeChoice::Dark));
    add(tr("Theme: light"), icon("sun"), {}, theme(ThemeChoice::Light));
    add(tr("Theme: as the system"), icon("screen"), {}, theme(ThemeChoice::System));
    add(tr("Quit"), icon("x"), keys("Ctrl+Q"), [window] { window->close(); });
}

void WindowCommands::add(const QString& text, const QString& icon, const QString& keys,
                         const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcut(QKeySequence(keys));
    action->setProperty("iconName", icon);
    connect(action, &QAction::triggered, this, run);
    window_->addAction(action);
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
    return window_->actions() + static_cast<QWidget*>(context_->currentPage())->actions() + recents_;
}

}  // namespace trainyard::desktop
