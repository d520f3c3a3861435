// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_view.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QWheelEvent>

#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/plot/log_line_delegate.h"
#include "widgets/plot/log_scroll_bar.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

LogView::LogView(const QString& accessibleName, QWidget* parent)
    : QTableView(parent),
      model_(new LogModel(this)),
      bar_(new LogScrollBar(model_, this)),
      button_(new QPushButton(this)) {
    setAccessibleName(accessibleName);
    setModel(model_);
    setVerticalScrollBar(bar_);
    setItemDelegate(new LogLineDelegate(model_, this));
    horizontalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    set_quiet_look(this, kRowHeight);
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumHeight(2 * kRowHeight);
    button_->setVisible(false);
    button_->setCursor(Qt::ArrowCursor);
    connect(button_, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(model_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
        // Rows that are still being written are removed and added with every change, so they do not count as new.
        rowsCame(model_->liveOfRow(first) != nullptr ? 0 : last - first + 1);
    });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        new_lines_ = 0;
        rowsCame(0);
    });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this,
            [this] { QMetaObject::invokeMethod(this, &LogView::scrolledByUser, Qt::QueuedConnection); });
    connect(model_, &LogModel::foundChanged, viewport(), qOverload<>(&QWidget::update));
    connect(this, &QAbstractItemView::clicked, this, [this](const QModelIndex& at) { emit rowChosen(at.row()); });
    connect(this, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& at) { emit rowOpened(at.row()); });
}

void LogView::goToRow(int row) {
    if (row < 0 || row >= model_->rowCount())
        return;
    setFollowing(false);
    const QModelIndex at = model_->index(row, 0);
    setCurrentIndex(at);
    scrollTo(at, QAbstractItemView::PositionAtCenter);
}

bool LogView::goToFound(bool down) {
    const int row = model_->nextFound(currentIndex().isValid() ? currentIndex().row() : -1, down);
    goToRow(row);
    return row >= 0;
}

void LogView::setMark(int row) {
    bar_->setMark(row);
    viewport()->update();
}

void LogView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (bar_->mark() < 0 || bar_->mark() >= model_->rowCount())
        return;
    const QRect row = visualRect(model_->index(bar_->mark(), 0));
    if (row.isValid())
        QPainter(viewport())
            .fillRect(QRect(0, row.bottom(), viewport()->width(), 1), Theme::instance().color(Token::Accent));
}

void LogView::setFollowing(bool following) {
    if (following) {
        new_lines_ = 0;
        button_->hide();
        scrollToBottom();
    }
    if (following_ == following)
        return;
    following_ = following;
    emit followingChanged(following);
}

void LogView::rowsCame(int count) {
    if (following_) {
        scrollToBottom();
        return;
    }
    new_lines_ += count;
    button_->setVisible(new_lines_ > 0);
    button_->setText(new_lines_ == 1 ? tr("1 new line ↓") : tr("%1 new lines ↓").arg(new_lines_));
    placeButton();
}

void LogView::placeButton() {
    button_->adjustSize();
    button_->move((viewport()->width() - button_->width()) / 2, viewport()->height() - button_->height() - 6_px);
}

void LogView::scrolledByUser() {
    const QScrollBar* bar = verticalScrollBar();
    setFollowing(bar->value() >= bar->maximum());
}

void LogView::wheelEvent(QWheelEvent* event) {
    QTableView::wheelEvent(event);
    scrolledByUser();
}

void LogView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (following_)
        scrollToBottom();
    placeButton();
}

void LogView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QModelIndexList rows = selectionModel()->selectedRows();
        std::sort(rows.begin(), rows.end());
        QStringList lines;
        for (const QModelIndex& row : rows)
            lines << model_->copyText(row.row());
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
        return;
    }
    if (currentIndex().isValid() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        emit rowChosen(currentIndex().row());
        return;
    }
    if (currentIndex().isValid() && event->key() == Qt::Key_Space) {
        emit rowOpened(currentIndex().row());
        return;
    }
    if (event->key() == Qt::Key_End) {
        setFollowing(true);
        return;
    }
    QTableView::keyPressEvent(event);
    scrolledByUser();
}

}  // namespace trainyard::widgets
