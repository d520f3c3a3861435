// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/table_card.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QTableView>

#include "desktop/curves/curve_source.h"
#include "desktop/curves/panel_problems.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

void FiguresModel::setRows(std::vector<Row> rows) {
    const bool same = rows.size() == rows_.size();
    if (!same)
        beginResetModel();
    rows_ = std::move(rows);
    if (same)
        cellsChanged();
    else
        endResetModel();
}

QString FiguresModel::title(int column) const {
    const QStringList titles{tr("Run"), tr("Metric"), tr("Last"), tr("Lowest"), tr("Highest"), tr("Mean")};
    return titles.value(column);
}

double FiguresModel::figure(const report::LineFigures& figures, int column) {
    return column == 2 ? figures.last : column == 3 ? figures.lowest : column == 4 ? figures.highest : figures.mean;
}

widgets::Cell FiguresModel::cell(int row, int column) const {
    const Row& at = rows_[static_cast<std::size_t>(row)];
    widgets::Cell cell;
    cell.mono = column > 0;
    if (column < 2)
        cell.text = column == 0 ? at.run : at.metric;
    else if (at.figures.points > 0)
        cell.text = widgets::value_number(figure(at.figures, column));
    return cell;
}

QString FiguresModel::tip(int row, int column) const {
    const report::LineFigures& figures = rows_[static_cast<std::size_t>(row)].figures;
    if (column < 2 || figures.points == 0)
        return words(row, column);
    if (column == 5)
        return tr("of %Ln points", nullptr, static_cast<int>(figures.points));
    const std::int64_t step = column == 2   ? figures.last_step
                              : column == 3 ? figures.lowest_step
                                            : figures.highest_step;
    return tr("at step %1").arg(stepText(step));
}

QString FiguresModel::text() const {
    QStringList lines;
    QStringList titles;
    for (int column = 0; column < 6; ++column)
        titles << title(column);
    lines << titles.join(QLatin1Char('\t'));
    for (const Row& row : rows_) {
        QStringList cells{row.run, row.metric};
        for (int column = 2; column < 6; ++column)
            cells << QString::number(figure(row.figures, column), 'g', 17);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

TableCard::TableCard(const PanelContext* context, QWidget* parent)
    : PanelCard(CardKind::Table, context, parent),
      model_(new FiguresModel(this)),
      table_(named(new QTableView, tr("Table"))),
      problem_(make_problem_label()) {
    table_->setModel(model_);
    table_->setItemDelegate(new widgets::CellDelegate(table_));
    table_->setProperty("surface", QStringLiteral("choices"));
    widgets::set_quiet_look(table_, 26_px);
    table_->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->setWordWrap(false);
    body()->addLayout(make_column({1, 2, 1, 4}, 4, {{table_, 1}, problem_}), 1);
}

TableCard::~TableCard() = default;

void TableCard::fill() {
    lines_.reset();
    metrics_ = metrics_of(context());
    shown_ = 0;
    lines_ = lines_of_panel(spec().panel.value_or(report::Panel()), metrics_, widgets::XUnit::Step);
    model_->setRows({});
    refresh();
}

void TableCard::refresh() {
    if (!lines_)
        return;
    lines_->follow();
    std::size_t points = 1;
    for (const report::PanelLine& line : lines_->lines())
        points += line.series->size();
    show_problems(problem_, *lines_);
    if (std::exchange(shown_, points) == points)
        return;
    std::vector<FiguresModel::Row> rows;
    for (const report::PanelLine& line : lines_->lines())
        rows.push_back({(*context().sources)[static_cast<qsizetype>(line.source)]->name(), qt(line.name),
                        report::figures_of(*line.series)});
    model_->setRows(std::move(rows));
    table_->setColumnHidden(0, context().sources->size() < 2);
}

void TableCard::release() {
    lines_.reset();
    metrics_.clear();
    model_->setRows({});
}

void TableCard::addToMenu(QMenu& menu) {
    menu.addAction(tr("Copy as a table"), this, [this] { copy_text(model_->text()); });
}

}  // namespace trainyard::desktop
