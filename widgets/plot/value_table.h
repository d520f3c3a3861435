// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The values of a chart as a table (value_table_model.h): for those who cannot see the chart, and for reading numbers off. The title says how
// many there are. Ctrl+C copies rows.

#include <QDialog>

namespace trainyard::widgets {

class CurveChart;

/// A window over the chart's; closes itself.
class ValueTable : public QDialog {
    Q_OBJECT
  public:
    explicit ValueTable(const CurveChart& chart, QWidget* parent = nullptr);
};

}  // namespace trainyard::widgets
