// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/measured_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QHeaderView>
#include <QTableView>

#include "desktop/estimator/memory_groups.h"
#include "desktop/shell/ui.h"
#include "estimate/estimate_file.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr qsizetype kMostRead = 200, kMostShown = 50;
constexpr double kAmber = 0.05;
const int& kAllColumns = live_px(360);  ///< narrower, the estimate is not shown
const int& kTwoFigures = live_px(280);  ///< narrower, the error alone is shown beside the run

/// Asks for its smallest height and takes what is left. The column of panels around gives a panel with wrapped words
/// its preferred height, at the cost of the others, so that one must not be more than the smallest.
class LowTable : public QTableView {
  public:
    QSize sizeHint() const override { return {QTableView::sizeHint().width(), minimumHeight()}; }
};

/// The part whose prediction differs most from what was measured, with the difference.
QString worstPart(const estimate::EstimateFile& file) {
    QString worst;
    double most = 0;
    for (const char* key : {"weights", "compute_copy", "gradients", "optimizer", "buckets", estimate::kOnDisk.data()}) {
        const auto predicted = static_cast<double>(estimate::bytes_of(file.predicted, key)),
                   measured = static_cast<double>(estimate::bytes_of(file.measured->parts, key));
        if (std::fabs(measured - predicted) > most) {
            most = std::fabs(measured - predicted);
            worst = MeasuredTable::tr("%1: %2 estimated, %3 measured")
                        .arg(QString::fromLatin1(key), memoryText(predicted), memoryText(measured));
        }
    }
    double step = 0;
    for (const char* key : {"activations", "logits", "workspace"})
        step += static_cast<double>(estimate::bytes_of(file.predicted, key));
    const auto measured = static_cast<double>(estimate::bytes_of(file.measured->parts, "step"));
    if (measured > 0 && std::fabs(measured - step) > most)
        worst = MeasuredTable::tr("activations and temporary: %1 estimated, %2 measured")
                    .arg(memoryText(step), memoryText(measured));
    return worst;
}

}  // namespace

MeasuredTable::MeasuredTable(QWidget* parent)
    : QFrame(parent),
      model_(new widgets::CellRows({{tr("Run")}, {tr("Estimate"), true}, {tr("Measured"), true}, {tr("Error"), true}},
                                   this)),
      table_(named<QTableView>(new LowTable, tr("Estimate against measured"))),
      summary_(wrapped(make_label({}, 11, QFont::Normal, Tone::Muted))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* title = make_elided(tr("Estimate against measured"), Theme::instance().text(14, QFont::DemiBold));
    table_->setModel(model_);
    widgets::set_rows_look(table_);
    table_->verticalHeader()->setDefaultSectionSize(30_px);
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < 4; ++column)
        table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setMinimumHeight(64_px);  // the header and one row; in a small window the chart above needs the room
    summary_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setLayout(make_column({14, 10, 14, 10}, 6, {title, {table_, 1}, summary_}));
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& at) { emit runActivated(at.siblingAtColumn(0).data(Qt::UserRole).toString()); });
    show({});
}

void MeasuredTable::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    table_->setColumnHidden(1, width() < kAllColumns);
    table_->setColumnHidden(2, width() < kTwoFigures);
}

void MeasuredTable::setRuns(const QVector<Run>& runs) {
    job_.submit(
        [runs = runs.mid(0, kMostRead)](const widgets::Cancelled& cancelled) {
            QVector<Row> rows;
            for (const Run& run : runs) {
                if (cancelled || rows.size() == kMostShown)
                    break;
                const auto file =
                    estimate::read_estimate_file((run.path + QStringLiteral("/estimate.json")).toStdString());
                if (!file || !file->error())
                    continue;
                const double estimate = static_cast<double>(file->predicted_total),
                             measured = static_cast<double>(file->measured->peak_resident);
                rows.push_back({run, estimate, measured, estimate / measured - 1, worstPart(*file)});
            }
            return rows;
        },
        [this](const QVector<Row>& rows) { show(rows); });
}

void MeasuredTable::show(const QVector<Row>& rows) {
    QVector<widgets::CellRows::Row> cells;
    double sum = 0;
    std::vector<double> factors;
    for (const Row& row : rows) {
        sum += std::fabs(row.error);
        factors.push_back(row.measured / row.estimate);
        const QString error = (row.error < 0 ? QString() : QStringLiteral("+")) + widgets::percent_text(row.error, 1);
        const Token ink = std::fabs(row.error) > kAmber ? Token::Warn : Token::Text;
        cells << widgets::CellRows::Row{{{.text = row.run.name}, row.worst, row.run.path},
                                        {{.text = memoryText(row.estimate), .mono = true}, row.worst},
                                        {{.text = memoryText(row.measured), .mono = true}, row.worst},
                                        {{.text = error, .mono = true, .ink = ink}, row.worst}};
    }
    model_->setRows(cells);
    table_->setVisible(!rows.isEmpty());
    // Without the table, the summary is below the title, and the line of the calibration stays at the bottom.
    static_cast<QBoxLayout*>(layout())->setStretchFactor(summary_, rows.isEmpty() ? 1 : 0);
    std::ranges::sort(factors);
    summary_->setText(rows.isEmpty()
                          ? tr("Runs that have ended are listed here with their estimated and their measured memory.")
                          : tr("Mean error %1 % over %Ln runs; the median run used %2 of its estimate.", nullptr,
                               static_cast<int>(rows.size()))
                                .arg(widgets::decimal_text(100 * sum / static_cast<double>(rows.size()), 1))
                                .arg(widgets::decimal_text(factors[factors.size() / 2], 2)));
}

}  // namespace trainyard::desktop
