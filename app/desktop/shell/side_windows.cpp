// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/side_windows.h"

#include <utility>

#include <QDir>
#include <QJsonArray>

#include "desktop/compare/compare_drawer.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/logo_mark.h"
#include "desktop/shell/page.h"
#include "desktop/shell/page_stack.h"
#include "desktop/shell/side_window.h"
#include "desktop/shell/view_state.h"

namespace trainyard::desktop {

namespace {
const QString kSidesView = QStringLiteral("window");
const QString kSides = QStringLiteral("sides");
/// The comparison is a part of the page of runs that can stand alone.
const QString kCompare = QStringLiteral("compare");
}  // namespace

SideWindows::SideWindows(AppContext* context, PageStack* stack, std::function<bool()> kept, QObject* parent)
    : QObject(parent), context_(context), stack_(stack), is_kept_(std::move(kept)) {
    connect(context->store(), &RunStore::changed, this, &SideWindows::closeLost);
}

SideWindows::~SideWindows() {
    closeAll();
}

SideWindow* SideWindows::show(const Location& location, const QList<QAction*>& program) {
    const QString key = location.text();
    SideWindow* window = windows_.value(key);
    if (window == nullptr) {
        QWidget* widget = takePage(location);
        if (widget == nullptr)
            return nullptr;
        window = new SideWindow(key, widget, program);
        windows_.insert(key, window);
        connect(window, &SideWindow::closed, this, &SideWindows::closed);
        auto entitle = [window](const QString& title) { window->setWindowTitle(title + tr(" – Trainyard")); };
        if (auto* page = qobject_cast<Page*>(widget)) {
            entitle(page->title());
            connect(page, &Page::titleChanged, window, entitle);
        } else {
            entitle(tr("Comparison"));
            connect(context_->page<RunsPage>()->drawer(), &CompareDrawer::closed, window, &QWidget::close);
        }
        window->setWindowIcon(applicationIcon());
        keep();
        emit taken(location);
    }
    window->show();
    window->raise();
    window->activateWindow();
    return window;
}

QVector<Location> SideWindows::shown() const {
    QVector<Location> locations;
    for (const QString& key : windows_.keys())
        locations << Location::parse(key);
    return locations;
}

QVector<const Page*> SideWindows::pages() const {
    QVector<const Page*> pages;
    for (const SideWindow* window : windows_)
        if (const auto* page = qobject_cast<const Page*>(window->page()); page != nullptr)
            pages << page;
    return pages;
}

QVector<Location> SideWindows::kept() const {
    QVector<Location> locations;
    for (const QJsonValue key : ViewState::instance().value(kSidesView, kSides).toArray())
        locations << Location::parse(key.toString());
    return locations;
}

QWidget* SideWindows::takePage(const Location& location) {
    if (location.page == kCompare)
        return context_->page<RunsPage>()->takeDrawer();
    const PageEntry* entry = find_page(location.page);
    return entry != nullptr && entry->own_window ? stack_->take(location) : nullptr;
}

/// Among the pages that were used last: who opens it again finds it as it was.
void SideWindows::putBack(SideWindow* window) {
    const Location location = Location::parse(window->key());
    QWidget* widget = window->takePage();
    if (widget == nullptr)
        return;
    if (location.page == kCompare)
        context_->page<RunsPage>()->returnDrawer();
    else
        stack_->giveBack(location, qobject_cast<Page*>(widget));
}

void SideWindows::closed(const QString& key) {
    if (SideWindow* window = windows_.take(key); window != nullptr)
        putBack(window);
    keep();
}

void SideWindows::closeAll() {
    for (SideWindow* window : std::exchange(windows_, {})) {
        window->disconnect(this);
        putBack(window);
        delete window;
    }
}

void SideWindows::keep() {
    if (is_kept_())
        ViewState::instance().set(kSidesView, kSides, QJsonArray::fromStringList(windows_.keys()));
}

/// A run that is deleted takes its window with it.
void SideWindows::closeLost() {
    if (!context_->store()->isLoaded())
        return;
    for (const QString& key : windows_.keys()) {
        const Location location = Location::parse(key);
        if (location.page != QLatin1String(RunPage::kKey) || QDir::isAbsolutePath(location.subject) ||
            context_->store()->find(location.subject) != nullptr)
            continue;
        SideWindow* window = windows_.take(key);
        window->disconnect(this);
        window->close();
        keep();
    }
}

}  // namespace trainyard::desktop
