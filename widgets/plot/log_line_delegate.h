// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One line of a log as it is painted: time, rank, level, words with their terminal colours, and what is being looked for marked.

#include <QStyledItemDelegate>

namespace trainyard::widgets {

class LogModel;
struct LogStyle;

class LogLineDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    LogLineDelegate(const LogModel* model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    const LogModel* model_;
};

/// The colour in which a terminal's colour is shown: the sixteen named ones as those of the theme, all others readable
/// on a panel (contrast of at least 4.5). `base`: what unstyled text has.
QColor log_ink(const LogStyle& style, const QColor& base);

}  // namespace trainyard::widgets
