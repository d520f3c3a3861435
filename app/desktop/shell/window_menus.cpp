// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/window_menus.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPointer>
#include <QScopedValueRollback>
#include <QTimer>

#include "base/clock.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/page.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {
/// Pages that are tools. They are in the View menu, too.
constexpr const char* kToolPages[] = {"window.page_sweeps", "window.page_estimator", "window.page_checkpoints",
                                      "window.page_settings"};

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
    if (id == MenuId::Tools)
        for (const char* tool : kToolPages)
            if (QAction* action = commands.actionIn(page, QLatin1String(tool)); action != nullptr)
                menu->addAction(action);
    QHash<QString, QMenu*> submenus;
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
        QMenu* into = menu;
        if (command.submenu)
            into = submenus.value(command.submenu());
        if (std::exchange(separate, false) && into != nullptr)
            into->addSeparator();
        if (into == nullptr) {
            if (command.starts_group)
                menu->addSeparator();
            submenus.insert(command.submenu(), into = menu->addMenu(command.submenu()));
        }
        if (action != nullptr) {
            into->addAction(action);
        } else {
            auto* nothing = new QAction(command.text(), menu);
            nothing->setEnabled(false);
            nothing->setToolTip(tr("Open a run, or select one in the list of runs, first"));
            into->addAction(nothing);
        }
        if (command.id == QLatin1String("window.new_run"))
            addDrafts(menu->addMenu(tr("Continue draft")));
        if (command.id == QLatin1String("window.open_on_host"))
            addRecents(menu->addMenu(tr("Recently opened")));
    }
}

/// The drafts that were set aside. They are read by another thread, so the menu is enabled a moment later.
void WindowMenus::addDrafts(QMenu* menu) {
    menu->setEnabled(false);
    reading_.submit(
        [] { return DraftKeeper::readParked(); },
        [this, menu = QPointer<QMenu>(menu)](const QVector<ParkedDraft>& drafts) {
            if (menu == nullptr)
                return;
            for (const ParkedDraft& draft : drafts)
                menu->addAction(
                    QStringLiteral("%1  ·  %2").arg(draft.name, clock_text(draft.time, wall_seconds())), this,
                    [this, file = draft.file] { context_->show<WizardPage>()->opener()->continueDraft(file); });
            menu->setEnabled(!menu->isEmpty());
        });
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
