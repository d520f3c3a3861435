// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/window_menus.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMenuBar>
#include <QScopedValueRollback>
#include <QTimer>

#include "desktop/app_context.h"
#include "desktop/main_window.h"
#include "desktop/opener.h"
#include "desktop/page.h"
#include "desktop/shell/action_collection.h"
#include "desktop/ui.h"

namespace trainyard::desktop {

namespace {
/// Commands that are shown disabled where they cannot be performed, so that their place is always the same.
bool keeps_place(const Command& command) {
    return command.scope() == QLatin1String("request");
}
}  // namespace

WindowMenus::WindowMenus(MainWindow* window, AppContext* context, bool shown)
    : QObject(window), window_(window), context_(context), bar_(window->menuBar()), shown_(shown) {
    bar_->setVisible(shown);
    for (const MenuId id : {MenuId::File, MenuId::Edit, MenuId::Run, MenuId::View, MenuId::Tools, MenuId::Help}) {
        QMenu* menu = bar_->addMenu(Commands::menuTitle(id));
        menu->setToolTipsVisible(true);
        connect(menu, &QMenu::aboutToShow, this, [this, menu, id] { fill(menu, id); });
        connect(menu, &QMenu::aboutToHide, this, [this] { QTimer::singleShot(0, this, &WindowMenus::hideAgain); });
        fill(menu, id);
    }
    connect(qApp, &QApplication::focusChanged, this, &WindowMenus::hideAgain);
}

void WindowMenus::fill(QMenu* menu, MenuId id) {
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
    Page* page = window_->actingPage();
    if (page != nullptr)
        page->updateActions();
    const ActionCollection& commands = ActionCollection::instance();
    QMenu* themes = nullptr;
    bool separate = false;
    for (const Command& command : commands.commands()) {
        if (command.menu != id)
            continue;
        separate = separate || (command.starts_group && !menu->isEmpty());
        QAction* action = commands.actionIn(page, command.id);
        if (action != nullptr && !action->isVisible())
            action = nullptr;
        if (action == nullptr && !keeps_place(command))
            continue;
        if (std::exchange(separate, false))
            menu->addSeparator();
        if (command.id.startsWith(QLatin1String("window.theme"))) {
            if (themes == nullptr)
                themes = menu->addMenu(tr("Theme"));
            themes->addAction(action);
        } else if (action != nullptr) {
            menu->addAction(action);
        } else {
            auto* nothing = new QAction(command.text(), menu);
            nothing->setEnabled(false);
            nothing->setToolTip(tr("Open a run, or select one in the list of runs, first"));
            menu->addAction(nothing);
        }
        if (command.id == QLatin1String("window.open_on_host"))
            addRecents(menu->addMenu(tr("Recently opened")));
    }
}

void WindowMenus::addRecents(QMenu* menu) {
    for (const QString& path : Opener::recents())
        menu->addAction(path, this, [this, path] { context_->openPath(path); });
    menu->setEnabled(!menu->isEmpty());
}

void WindowMenus::setShown(bool shown) {
    shown_ = shown;
    bar_->setVisible(shown);
}

void WindowMenus::watch(const QObject* watched, const QEvent* event) {
    if (shown_ || sending_ || !watched->isWidgetType())
        return;
    switch (event->type()) {
        case QEvent::KeyPress:
        case QEvent::ShortcutOverride:
            alt_alone_ = static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Alt &&
                         QApplication::activeWindow() == window_ && QApplication::activePopupWidget() == nullptr;
            break;
        case QEvent::MouseButtonPress:
        case QEvent::Wheel:
        case QEvent::WindowDeactivate:
            alt_alone_ = false;
            break;
        case QEvent::KeyRelease:
            if (static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Alt && std::exchange(alt_alone_, false))
                showForNow();
            break;
        default:
            break;
    }
}

/// Shows the bar and lets it handle Alt as if it had been visible before.
void WindowMenus::showForNow() {
    const QScopedValueRollback<bool> guard(sending_, true);
    if (bar_->isVisible()) {
        bar_->hide();
        return;
    }
    bar_->show();
    QKeyEvent pressed(QEvent::ShortcutOverride, Qt::Key_Alt, Qt::AltModifier);
    QApplication::sendEvent(window_, &pressed);
    QKeyEvent released(QEvent::KeyRelease, Qt::Key_Alt, Qt::NoModifier);
    QApplication::sendEvent(window_, &released);
    // A style whose menu bars do not handle Alt opens the first menu.
    if (!bar_->hasFocus() && !bar_->actions().isEmpty())
        bar_->setActiveAction(bar_->actions().front());
}

void WindowMenus::hideAgain() {
    if (!shown_ && !sending_ && !bar_->hasFocus() && QApplication::activePopupWidget() == nullptr)
        bar_->hide();
}

}  // namespace trainyard::desktop
