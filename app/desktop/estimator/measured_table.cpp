// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/measured_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QHeaderView>
#include <QTableWidget>

#include "desktop/estimator/memory_groups.h"
#include "desktop/shell/ui.h"
#include "estimate/estimate_file.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr qsizetype kMostRead = 200, kMostShown = 50;
constexpr double kAmber = 0.05;
const int& kAllColumns = live_px(300);  ///< narrower, the error and what was measured stand alone

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
      table_(named(new QTableWidget, tr("Estimate against measured"))),
      summary_(wrapped(make_label({}, 11, QFont::Normal, Tone::Muted))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* title = make_elided(tr("Estimate against measured"), Theme::instance().text(14, QFont::DemiBold));
    table_->setColumnCount(4);
    table_->setHorizontalHeaderLabels({tr("Run"), tr("Estimate"), tr("Measured"), tr("Error")});
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < 4; ++column)
        table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    setLayout(make_column({14, 10, 14, 10}, 6, {title, {table_, 1}, summary_}));
    connect(table_, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) {
        emit runActivated(table_->item(item->row(), 0)->data(Qt::UserRole).toString());
    });
    show({});
}

void MeasuredTable::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    table_->setColumnHidden(1, width() < kAllColumns);
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
    table_->setRowCount(static_cast<int>(rows.size()));
    double sum = 0;
    std::vector<double> factors;
    for (int i = 0; i < table_->rowCount(); ++i) {
        const Row& row = rows[i];
        sum += std::fabs(row.error);
        factors.push_back(row.measured / row.estimate);
        auto* name = new QTableWidgetItem(row.run.name);
        name->setData(Qt::UserRole, row.run.path);
        name->setToolTip(row.worst);
        table_->setItem(i, 0, name);
        const QStringList figures{
            memoryText(row.estimate), memoryText(row.measured),
            (row.error < 0 ? QString() : QStringLiteral("+")) + widgets::percent_text(row.error, 1)};
        for (int column = 1; column < 4; ++column) {
            auto* item = new QTableWidgetItem(figures[column - 1]);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(Theme::instance().mono(12));
            item->setToolTip(row.worst);
            if (column == 3 && std::fabs(row.error) > kAmber)
                item->setForeground(Theme::instance().color(Token::Warn));
            table_->setItem(i, column, item);
        }
    }
    table_->setVisible(!rows.isEmpty());
    std::ranges::sort(factors);
    summary_->setText(rows.isEmpty()
                          ? tr("When a run has ended, what its ranks used is shown here beside its estimate.")
                          : tr("Mean error %1 % over %n runs; the median run used %2 of its estimate.", nullptr,
                               static_cast<int>(rows.size()))
                                .arg(widgets::decimal_text(100 * sum / static_cast<double>(rows.size()), 1))
                                .arg(widgets::decimal_text(factors[factors.size() / 2], 2)));
}

}  // namespace trainyard::desktop
