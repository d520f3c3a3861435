// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/window_renewal.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QApplication>

#include "desktop/shell/main_window.h"
#include "desktop/shell/page.h"
#include "desktop/shell/page_stack.h"
#include "desktop/shell/side_window.h"
#include "desktop/shell/side_windows.h"
#include "widgets/theme.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kAttemptAgain = 500;  // ms

bool is_due(const Page* page) {
    return page->isOutdated() && !page->isBusy();
}
}  // namespace

WindowRenewal::WindowRenewal(MainWindow* window, PageStack* stack, SideWindows* sides)
    : QObject(window), window_(window), stack_(stack), sides_(sides) {
    widgets::act_after(timer_, 0, this, &WindowRenewal::attempt);
    connect(&widgets::Theme::instance(), &widgets::Theme::textSizeChanged, this, &WindowRenewal::outdate);
}

/// A change of the language installs several catalogues, each with an event of its own.
void WindowRenewal::outdate() {
    outdated_ = true;
    timer_.start();
}

void WindowRenewal::attemptLater() {
    QTimer::singleShot(kAttemptAgain, &timer_, qOverload<>(&QTimer::start));
}

void WindowRenewal::attempt() {
    // A dialog may hold input, and belongs to a page, as a menu and what the mouse drags do.
    if (QApplication::activeModalWidget() != nullptr || QApplication::activePopupWidget() != nullptr ||
        QApplication::mouseButtons() != Qt::NoButton) {
        attemptLater();
        return;
    }
    const auto any = [this](auto&& test) {
        return std::invoke(test, window_->currentPage()) || std::ranges::any_of(sides_->pages(), test);
    };
    if (outdated_ || any(is_due))
        renew();
    if (any(&Page::isOutdated))  // busy
        attemptLater();
}

void WindowRenewal::renew() {
    const FocusPlace in_page = focus_.place(window_->currentPage());
    const FocusPlace in_parts = in_page.part.isEmpty() ? focus_.place(window_->centralWidget()) : FocusPlace();
    const bool sides_too = outdated_ || std::ranges::any_of(sides_->pages(), is_due);
    const QVector<Location> in_windows = sides_too ? sides_->shown() : QVector<Location>();
    const auto* active = qobject_cast<SideWindow*>(QApplication::activeWindow());
    const QString active_key = active != nullptr ? active->key() : QString();
    const FocusPlace in_side = active != nullptr ? focus_.place(active->page()) : FocusPlace();
    window_->setUpdatesEnabled(false);
    if (sides_too)
        sides_->closeAll();
    if (std::exchange(outdated_, false)) {
        stack_->outdate();
        emit partsOutdated();
    }
    emit pageOutdated();
    window_->setUpdatesEnabled(true);
    if (in_page.part.isEmpty())
        focus_.begin(window_->centralWidget(), in_parts);
    else
        focus_.begin(window_->currentPage(), in_page);
    for (const Location& location : in_windows)
        window_->showSide(location);
    SideWindow* again = active_key.isEmpty() ? nullptr : sides_->find(Location::parse(active_key));
    if (again != nullptr)
        focus_.begin(again->page(), in_side);
    if (!in_windows.isEmpty())
        (again != nullptr ? static_cast<QWidget*>(again) : window_)->activateWindow();
}

}  // namespace trainyard::desktop
