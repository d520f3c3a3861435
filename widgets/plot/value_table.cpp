// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/value_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLocale>
#include <QTableView>

#include "widgets/cell_delegate.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/value_table_model.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

ValueTable::ValueTable(const CurveChart& chart, QWidget* parent) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1: values").arg(chart.accessibleName()));
    resize(560_px, 480_px);
    auto* model = new ValueTableModel(chart_values(chart, true), this);
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(windowTitle());
    table->setFont(Theme::instance().mono(12));
    set_quiet_look(table, 24_px);
    table->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (int column = 0; column < model->columnCount(); ++column)
        set_column_widths(table->horizontalHeader(), {{column, 140}});
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    setLayout(make_column({make_note(model->isWhole() ? tr("%Ln visible steps", nullptr, model->rowCount())
                                                      : tr("The first %Ln visible steps; an export as CSV has all",
                                                           nullptr, model->rowCount())),
                           table}));
    auto* copy = new QAction(tr("Copy"), table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(copy);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, [table, model] {
        QString text;
        for (const QModelIndex& row : table->selectionModel()->selectedRows()) {
            for (int column = 0; column < model->columnCount(); ++column) {
                const QVariant value = model->index(row.row(), column).data(Qt::UserRole);
                text += (column > 0 ? QStringLiteral("\t") : QString()) +
                        (column == 0       ? value.toString()
                         : value.isValid() ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                                           : QString());
            }
            text += QLatin1Char('\n');
        }
        QApplication::clipboard()->setText(text);
    });
    table->setFocus();
}

}  // namespace trainyard::widgets
