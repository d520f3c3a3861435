// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The newest evaluation of a classification: which classes were taken for which, precision, recall and F1 of each
// class, and the samples with the highest loss.

#include <QFrame>

#include "desktop/dashboard/run_record.h"
#include "run/class_report.h"
#include "widgets/cell_table.h"
#include "widgets/forward.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

/// A row for each label, a column for each class that the model found. The shade is the share of the label's samples.
class ConfusionMatrix : public QWidget {
    Q_OBJECT
  public:
    explicit ConfusionMatrix(QWidget* parent = nullptr);
    void setReport(const std::shared_ptr<const run::ClassReport>& report);
    std::int64_t count(int label, int found) const;
    /// The cell at a position; -1, -1: none.
    std::pair<int, int> cellAt(const QPoint& at) const;
    QString words(int label, int found) const;
    QSize sizeHint() const override { return {360_px, 240_px}; }
    QSize minimumSizeHint() const override { return {160_px, 140_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF cell(int label, int found) const;
    int headWidth() const;
    int classes() const { return report_ ? static_cast<int>(report_->classes.size()) : 0; }

    std::shared_ptr<const run::ClassReport> report_;
    std::vector<std::int64_t> counts_;  ///< [label, found]
    std::vector<std::int64_t> totals_;  ///< of each label
};

class ClassTable : public widgets::CellTable {
    Q_OBJECT
  public:
    using CellTable::CellTable;
    void setReport(const std::shared_ptr<const run::ClassReport>& report);

  protected:
    int rows() const override { return static_cast<int>(figures_.size()); }
    int columns() const override { return 5; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column > 0; }
    widgets::Cell cell(int row, int column) const override;

  private:
    std::shared_ptr<const run::ClassReport> report_;
    std::vector<run::ClassFigures> figures_;
};

class WorstTable : public widgets::CellTable {
    Q_OBJECT
  public:
    using CellTable::CellTable;
    void setReport(const std::shared_ptr<const run::ClassReport>& report);

  protected:
    int rows() const override { return report_ ? static_cast<int>(report_->worst.size()) : 0; }
    int columns() const override { return 4; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column == 3; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override { return column == 0 ? words(row, 0) : QString(); }

  private:
    std::shared_ptr<const run::ClassReport> report_;
};

class ClassesPanel : public QFrame {
    Q_OBJECT
  public:
    explicit ClassesPanel(const RunRecord* run, QWidget* parent = nullptr);
    /// Returns false while there is no report.
    bool refresh();
    void show(int part);  ///< 0: matrix, 1: classes, 2: worst samples

  private:
    const RunRecord* run_;
    std::shared_ptr<const run::ClassReport> shown_;
    QLabel* step_;
    widgets::SegmentedControl* parts_;
    QStackedWidget* stack_;
    ConfusionMatrix* matrix_;
    ClassTable* classes_;
    WorstTable* worst_;
};

}  // namespace trainyard::desktop
