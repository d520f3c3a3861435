// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel with a table: a row for each formula and source, with last, lowest, highest and mean value.

#include <memory>
#include <vector>

#include "desktop/curves/panel_card.h"
#include "report/panel_lines.h"
#include "widgets/cell_table.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class FiguresModel : public widgets::CellTable {
    Q_OBJECT
  public:
    using CellTable::CellTable;
    struct Row {
        QString run, metric;
        report::LineFigures figures;
    };
    void setRows(std::vector<Row> rows);
    QString text() const;  ///< tab-separated, with full precision

  protected:
    int rows() const override { return static_cast<int>(rows_.size()); }
    int columns() const override { return 6; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column > 1; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    static double figure(const report::LineFigures& figures, int column);
    std::vector<Row> rows_;
};

class TableCard : public PanelCard {
    Q_OBJECT
  public:
    explicit TableCard(const PanelContext* context, QWidget* parent = nullptr);
    ~TableCard() override;
    FiguresModel* model() const { return model_; }
    void refresh() override;
    void release() override;

  protected:
    void fill() override;
    void addToMenu(QMenu& menu) override;

  private:
    FiguresModel* model_;
    QTableView* table_;
    QLabel* problem_;
    std::vector<std::unique_ptr<report::MetricSource>> metrics_;
    std::unique_ptr<report::PanelLines> lines_;
    std::size_t shown_ = 0;  ///< points
};

}  // namespace trainyard::desktop
