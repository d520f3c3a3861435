// The actions of the window: each has a name, most have keys, all are found in the command palette.

#include <QAction>
#include <QStackedWidget>

#include "desktop/command_palette.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/main_window.h"
#include "desktop/opener.h"
#include "desktop/preferences.h"
#include "desktop/runs/run_store.h"
#include "desktop/settings_page.h"
#include "widgets/nav_button.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::ThemeChoice;

QAction* MainWindow::addCommand(const QString& text, const QString& icon, const QKeySequence& keys,
                                const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setProperty("iconName", icon);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
}

void MainWindow::makeActions() {
    auto key = [](const char* text) { return QKeySequence(QLatin1String(text)); };
    addCommand(tr("New run"), QStringLiteral("plus"), key("Ctrl+N"), [this] { showPlace(Place::NewRun); });
    addCommand(tr("Open a file…"), QStringLiteral("file"), key("Ctrl+O"), [this] { opener_->choose(this); });
    addCommand(tr("Open a run folder or a folder of logs…"), QStringLiteral("folder"), key("Ctrl+Shift+O"),
               [this] { opener_->chooseFolder(this); });
    addCommand(tr("Open logs of another machine…"), QStringLiteral("hosts"), {}, [this] { opener_->askAddress(this); });
    addCommand(tr("Start the sample run"), QStringLiteral("play"), {}, [this] { startSample(); });
    const std::pair<Place, const char*> places[] = {
        {Place::Runs, "Ctrl+1"},     {Place::Hosts, "Ctrl+2"},       {Place::Estimator, "Ctrl+3"},
        {Place::Traces, "Ctrl+4"},   {Place::Checkpoints, "Ctrl+5"}, {Place::Notifications, "Ctrl+Shift+N"},
        {Place::Settings, "Ctrl+,"},
    };
    static const char* const icons[] = {"runs", "hosts", "estimate", "trace", "ckpt", "bell", "gear"};
    int i = 0;
    for (const auto& [place, keys] : places) {
        addCommand(tr("Go to %1").arg(rail_->button(place)->text()), QLatin1String(icons[i++]), key(keys),
                   [this, where = place] { showPlace(where); });
    }
    addCommand(tr("Command palette"), QStringLiteral("search"), key("Ctrl+K"),
               [this] { palette_->isVisible() ? palette_->dismiss() : openPalette(); });
    addCommand(tr("Shortcuts"), QStringLiteral("info"), key("Ctrl+/"), [this] { openPalette(QStringLiteral(">")); });
    addCommand(tr("Collapse or expand the sidebar"), QStringLiteral("panel"), key("Ctrl+B"),
               [this] { emit rail_->foldRequested(); });
    addCommand(tr("Back"), QStringLiteral("left"), key("Alt+Left"), [this] { stepHistory(-1); });
    addCommand(tr("Forward"), QStringLiteral("right"), key("Alt+Right"), [this] { stepHistory(1); });
    addCommand(tr("Refresh"), QStringLiteral("undo"), key("F5"), [this] {
        store_->refresh();
        if (auto* page = qobject_cast<Page*>(actingPage()))
            page->refresh();
    });
    addCommand(tr("Find in this page"), QStringLiteral("search"), key("Ctrl+F"), [this] {
        if (auto* page = qobject_cast<Page*>(actingPage()))
            page->find();
        else if (auto* run = qobject_cast<RunPage*>(actingPage()))
            run->find();
    });
    addCommand(tr("Main action of this page"), QStringLiteral("bolt"), key("Ctrl+Return"), [this] {
        if (auto* page = qobject_cast<Page*>(actingPage()))
            page->primaryAction();
    });
    addCommand(tr("Open in a new window"), QStringLiteral("screen"), key("Ctrl+Shift+D"),
               [this] { openInNewWindow(); });
    addCommand(tr("Theme: dark"), QStringLiteral("moon"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::Dark)); });
    addCommand(tr("Theme: light"), QStringLiteral("sun"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::Light)); });
    addCommand(tr("Theme: as the system"), QStringLiteral("screen"), {},
               [this] { setTheme(static_cast<int>(ThemeChoice::System)); });
    addCommand(tr("Quit"), QStringLiteral("x"), key("Ctrl+Q"), [this] { close(); });
}

void MainWindow::setTheme(int choice) {
    Theme::instance().setChoice(static_cast<ThemeChoice>(choice));
    preferences_->setTheme(static_cast<ThemeChoice>(choice));
    if (settings_ != nullptr)
        settings_->refresh();
}

QList<QAction*> MainWindow::commands() {
    // What was opened lately, as the list is now.
    qDeleteAll(recents_);
    recents_.clear();
    for (const QString& path : Opener::recents()) {
        auto* action = new QAction(tr("Open %1").arg(path), this);
        action->setProperty("iconName", QStringLiteral("clock"));
        connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
        recents_ << action;
    }
    return actions() + currentPage()->actions() + recents_;
}

}  // namespace trainyard::desktop
