// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screen_limit.h"

#include <QEvent>
#include <QScreen>
#include <QStyle>
#include <QWidget>
#include <QWindow>

namespace trainyard::widgets {

ScreenLimit::ScreenLimit(QWidget* window) : QObject(window), window_(window) {
    window->installEventFilter(this);
}

void ScreenLimit::setSmallest(const QSize& smallest) {
    smallest_ = smallest;
    apply();
}

/// The room of the screen for the window inside its frame, whose size is known once the window is shown.
QSize ScreenLimit::room() const {
    const QSize frame = window_->isVisible()
                            ? window_->frameGeometry().size() - window_->size()
                            : QSize(0, window_->style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, window_));
    return window_->screen()->availableSize() - frame;
}

bool ScreenLimit::fit() {
    const QSize size = window_->size();
    window_->resize(size.boundedTo(room()));
    return window_->size() != size;
}

void ScreenLimit::apply() {
    QScreen* screen = window_->screen();
    if (screen != screen_) {
        if (screen_ != nullptr)
            disconnect(screen_, nullptr, this, nullptr);
        screen_ = screen;
        connect(screen, &QScreen::availableGeometryChanged, this, &ScreenLimit::apply);
    }
    window_->setMinimumSize(smallest_.boundedTo(room()));
}

bool ScreenLimit::eventFilter(QObject* watched, QEvent* event) {
    // The native window exists from here on.
    if (event->type() == QEvent::Show)
        connect(window_->windowHandle(), &QWindow::screenChanged, this, &ScreenLimit::apply, Qt::UniqueConnection);
    return QObject::eventFilter(watched, event);
}

}  // namespace trainyard::widgets
