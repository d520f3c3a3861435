// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/side_window.h"

#include <QAction>
#include <QCloseEvent>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/pixels.h"
#include "widgets/screen_limit.h"
#include "widgets/scroll_area.h"
#include "widgets/tab_order.h"

namespace trainyard::desktop {

namespace {
QSize usual_side() {
    return {1100_px, 760_px};
}
QSize smallest_side() {
    return {720_px, 480_px};
}
const QString kSideGeometry = QStringLiteral("window");
}  // namespace

SideWindow::SideWindow(const QString& key, QWidget* page, const QList<QAction*>& program) : key_(key), page_(page) {
    setAttribute(Qt::WA_DeleteOnClose);
    auto* limit = new widgets::ScreenLimit(this);
    limit->setSmallest(smallest_side());
    auto* root = new QWidget;
    root->setObjectName(QStringLiteral("root"));
    root->setLayout(make_column({0, 0, 0, 0}, {widgets::make_page_scroll(page, usual_side())}));
    page->show();
    setCentralWidget(root);
    const QByteArray kept =
        QByteArray::fromBase64(ViewState::instance().value(key_, kSideGeometry).toString().toLatin1());
    if (kept.isEmpty() || !restoreGeometry(kept))
        resize(usual_side());
    limit->fit();
    restored_ = true;
    addActions(program);
    ActionCollection::instance().add("window.close", this, [this] { close(); });
}

QWidget* SideWindow::takePage() {
    QWidget* page = page_;
    page_ = nullptr;
    if (page != nullptr)
        page->setParent(nullptr);
    return page;
}

void SideWindow::keepGeometry() {
    if (restored_ && isVisible())
        ViewState::instance().set(key_, kSideGeometry, QString::fromLatin1(saveGeometry().toBase64()));
}

void SideWindow::closeEvent(QCloseEvent* event) {
    QMainWindow::closeEvent(event);
    emit closed(key_);
}

void SideWindow::moveEvent(QMoveEvent* event) {
    QMainWindow::moveEvent(event);
    keepGeometry();
}

void SideWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    keepGeometry();
}

bool SideWindow::focusNextPrevChild(bool next) {
    return widgets::focus_by_reading(this, next);
}

}  // namespace trainyard::desktop
