// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a page shows when it has nothing yet: line icon, one sentence of what will appear, at most three actions.

#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::widgets {

class EmptyState : public QWidget {
    Q_OBJECT
  public:
    EmptyState(const QString& icon, const QString& sentence, const QString& more = {}, QWidget* parent = nullptr);
    /// The first one added is the primary action.
    QPushButton* addAction(const QString& text, const QString& icon = {});

  private:
    QHBoxLayout* buttons_;
};

}  // namespace trainyard::widgets
