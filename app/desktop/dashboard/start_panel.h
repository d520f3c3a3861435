// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shown instead of the loss chart until the first step: what the run is waiting for, since when, and the stages of the
// start.

#include <QFrame>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class StartPanel : public QFrame {
    Q_OBJECT
  public:
    explicit StartPanel(const RunRecord* run, QWidget* parent = nullptr);
    void refresh(double now);
    QLabel* sentence() const { return sentence_; }

  private:
    QString sentenceOf(const QString& current, double now) const;

    const RunRecord* run_;
    QLabel* sentence_;
    QVector<widgets::IconLabel*> pictures_;
    QVector<QLabel*> words_;
};

}  // namespace trainyard::desktop
