// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of checks and what is painted beside it: cells with icon and words, and the bar over the table.

#include <QTableView>
#include <QWidget>

#include "desktop/launch/check_table.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class CheckView : public QTableView {
    Q_OBJECT
  public:
    explicit CheckView(CheckTable* table, QWidget* parent = nullptr);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void arrange();
};

/// Passed, warnings and failures as parts of one bar.
class CheckBar : public QWidget {
    Q_OBJECT
  public:
    explicit CheckBar(const CheckTable* table, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {200_px, 6_px}; }
    QSize minimumSizeHint() const override { return {40_px, 6_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const CheckTable* table_;
};

}  // namespace trainyard::desktop
