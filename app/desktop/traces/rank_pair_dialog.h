// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which two ranks of a trace are compared.

#include <QDialog>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::desktop {

class RankPairDialog : public QDialog {
    Q_OBJECT
  public:
    /// `range`: what is compared, in words.
    RankPairDialog(const QStringList& ranks, int before, int after, const QString& range, QWidget* parent = nullptr);
    int before() const;
    int after() const;

  private:
    QComboBox *before_, *after_;
};

}  // namespace trainyard::desktop
