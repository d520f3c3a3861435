// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the list for other programs: copied, or saved as a table.
#include <algorithm>
#include <numeric>

#include <QApplication>
#include <QClipboard>
#include <QTableView>

#include "desktop/runs/run_messages.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/save_file.h"
#include "widgets/csv_text.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

QVector<QStringList> RunsPage::tableOf(const QVector<int>& rows) const {
    QVector<int> columns;
    for (int column = 0; column < model_->columnCount(); ++column)
        if (column != RunsModel::Curve && !hidden_.contains(column))
            columns << column;
    QVector<QStringList> table(1);
    for (int column : std::as_const(columns))
        table[0] << model_->columnKey(column);
    for (int row : rows) {
        if (proxy_->groupAt(proxy_->index(row, 0)) != nullptr)
            continue;
        const RunSummary& run = proxy_->at(proxy_->index(row, 0));
        QStringList cells;
        for (int column : std::as_const(columns))
            cells << model_->fullText(run, column);
        table << cells;
    }
    return table;
}

void RunsPage::copySelection() const {
    QVector<int> rows;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
        rows << row.row();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QStringList& cells : tableOf(rows))
        lines << cells.join(QLatin1Char('\t'));
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void RunsPage::saveTable(const QString& file) {
    QVector<int> rows(proxy_->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    export_.submit(
        [table = tableOf(rows), file] {
            QByteArray bytes;
            for (const QStringList& cells : table)
                bytes += widgets::csv_line(cells).toUtf8();
            return saveFile(file, bytes);
        },
        [this, file](const QString& problem) {
            messages_->tell(problem.isEmpty() ? tr("Saved to %1.").arg(file) : problem, false);
        });
}

void RunsPage::exportTable() {
    widgets::ask_save_file(this, tr("Save the list"), QStringLiteral("runs.csv"), tr("Tables (*.csv)"),
                           [this](const QString& file) { saveTable(file); });
}

}  // namespace trainyard::desktop
