// Windows beside the main one, each with one page of it. A page is either in the main window or in one of these.

#include <utility>

#include <QApplication>
#include <QJsonArray>
#include <QStackedWidget>

#include "desktop/compare/compare_drawer.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/main_window.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/side_window.h"
#include "desktop/view_state.h"

namespace trainyard::desktop {

namespace {
const QString kRunSide = QStringLiteral("run:");
const QString kLogsSide = QStringLiteral("logs:");
const QString kCompareSide = QStringLiteral("compare");
}  // namespace

void MainWindow::openInNewWindow() {
    // Ctrl+Shift+D in a window of its own: the page is there already.
    if (qobject_cast<SideWindow*>(QApplication::activeWindow()) != nullptr)
        return;
    if (!location_.logs.isEmpty())
        showSide(kLogsSide + location_.logs);
    else if (!location_.runId.isEmpty())
        showSide(kRunSide + location_.runId);
    else if (currentPage() == runs_ && !runs_->model()->ticked().isEmpty())
        showSide(kCompareSide);
}

SideWindow* MainWindow::showSide(const QString& key) {
    SideWindow* window = sides_.value(key);
    if (window == nullptr) {
        QWidget* page = takePage(key);
        if (page == nullptr)
            return nullptr;
        window = new SideWindow(key, page, actions());
        sides_.insert(key, window);
        connect(window, &SideWindow::closed, this, &MainWindow::sideClosed);
        auto entitle = [window](const QString& title) { window->setWindowTitle(title + tr(" – Trainyard")); };
        if (auto* run = qobject_cast<RunPage*>(page)) {
            entitle(run->record()->name());
            connect(run, &RunPage::titleChanged, window, entitle);
        } else if (auto* framed = qobject_cast<Page*>(page)) {
            entitle(framed->title());
        } else {
            entitle(tr("Comparison"));
            connect(runs_->drawer(), &CompareDrawer::closed, window, &QWidget::close);
        }
        window->setWindowIcon(windowIcon());
        keepSides();
        // What has gone leaves its place to the list it came from.
        const QString shown = !location_.logs.isEmpty() ? kLogsSide + location_.logs : kRunSide + location_.runId;
        if (shown == key)
            go({Place::Runs, {}});
    }
    window->show();
    window->raise();
    window->activateWindow();
    return window;
}

QWidget* MainWindow::takePage(const QString& key) {
    if (key == kCompareSide)
        return runs_->takeDrawer();
    if (key.startsWith(kLogsSide)) {
        LogPage* page = logPage(key.mid(kLogsSide.size()));
        log_pages_.removeAll(page);
        stack_->removeWidget(page);
        return page;
    }
    if (!key.startsWith(kRunSide))
        return nullptr;
    QWidget* page = runPage(key.mid(kRunSide.size()));
    run_pages_.removeIf([page](const auto& one) { return one.second == page; });
    stack_->removeWidget(page);
    return page;
}

/// Among the pages that were used last: who opens it again finds it as it was.
void MainWindow::putBack(SideWindow* window) {
    QWidget* page = window->takePage();
    if (page == nullptr)
        return;
    if (window->key() == kCompareSide) {
        runs_->returnDrawer();
        return;
    }
    stack_->addWidget(page);
    if (auto* logs = qobject_cast<LogPage*>(page))
        log_pages_ << logs;
    else
        run_pages_ << std::pair<QString, QWidget*>(window->key().mid(kRunSide.size()), page);
}

void MainWindow::sideClosed(const QString& key) {
    if (SideWindow* window = sides_.take(key); window != nullptr)
        putBack(window);
    keepSides();
}

/// They go with this one, and are there again on the next start.
void MainWindow::dropSides() {
    for (SideWindow* window : std::exchange(sides_, {})) {
        window->disconnect(this);
        putBack(window);
        delete window;
    }
}

void MainWindow::keepSides() {
    if (options_.returns() && isVisible())
        ViewState::instance().set(QStringLiteral("window"), QStringLiteral("sides"),
                                  QJsonArray::fromStringList(sides_.keys()));
}

/// A run that is deleted takes its window with it.
void MainWindow::closeLostSides() {
    if (!store_->isLoaded())
        return;
    for (const QString& key : sides_.keys()) {
        const QString id = key.mid(kRunSide.size());
        if (!key.startsWith(kRunSide))
            continue;
        if (const RunSummary* run = store_->find(id); run != nullptr) {
            if (auto* page = qobject_cast<RunPage*>(sides_.value(key)->page()))
                page->record()->setColorNumber(run->number);
        } else if (!opened_.contains(id)) {
            SideWindow* window = sides_.take(key);
            window->disconnect(this);
            window->close();
            keepSides();
        }
    }
}

QWidget* MainWindow::actingPage() const {
    if (const auto* side = qobject_cast<SideWindow*>(QApplication::activeWindow()); side != nullptr && side->page())
        return side->page();
    return currentPage();
}

void MainWindow::comeToFront() {
    if (qobject_cast<SideWindow*>(QApplication::activeWindow()) == nullptr)
        return;
    raise();
    activateWindow();
}

}  // namespace trainyard::desktop
