// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/trace_table_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QLocale>

namespace trainyard::desktop {

using widgets::Token;

namespace {

double meanOf(const TraceRow& row) {
    return row.count > 0 ? static_cast<double>(row.total) / static_cast<double>(row.count) : 0;
}

double differenceOf(const TraceRow& row) {
    return row.after - row.before;
}

}  // namespace

const QVector<TraceTableModel::Column>& TraceTableModel::columnsOf(TraceTable table) {
    // In the order of TraceTable; the flame graph shows the calls.
    using C = Column;
    static const QVector<C> kernels{C::Name, C::Family, C::Count, C::Total, C::Mean, C::Percent, C::Share};
    static const QVector<C> operations{C::Name, C::Category, C::Count, C::Total, C::Self, C::Mean, C::OfStep, C::Share};
    static const QVector<C> calls{C::Name, C::Count, C::Total, C::Self, C::OfStep, C::Share};
    static const QVector<C> slices{C::Name, C::Category, C::Track, C::Begin, C::Total};
    static const QVector<C> compared{C::Name, C::Category, C::Before, C::After, C::Difference, C::Counts};
    static const std::array<QVector<C>, 6> columns{kernels, operations, calls, slices, calls, compared};
    return columns[static_cast<std::size_t>(table)];
}

void TraceTableModel::setRows(TraceTable table, QVector<TraceRow> rows) {
    beginResetModel();
    table_ = table;
    rows_ = std::move(rows);
    endResetModel();
}

const TraceTableModel::Head& TraceTableModel::head(Column column) {
    // In the order of Column.
    static const Head heads[]{
        {QT_TR_NOOP("Name"), "name", &TraceRow::name},
        {QT_TR_NOOP("Family"), "family", &TraceRow::family},
        {QT_TR_NOOP("Category"), "category", &TraceRow::category},
        {QT_TR_NOOP("Count"), "count", nullptr, &TraceRow::count},
        {QT_TR_NOOP("Total, ms"), "total_ns", nullptr, &TraceRow::total, 1e6, 3},
        {QT_TR_NOOP("Self, ms"), "self_ns", nullptr, &TraceRow::self, 1e6, 3},
        {QT_TR_NOOP("Mean, µs"), "mean_ns", nullptr, meanOf, 1e3, 1},
        {QT_TR_NOOP("% of busy"), "percent", nullptr, [](const TraceRow& row) { return 100 * row.share; }, 1, 1},
        {QT_TR_NOOP("% of step"), "percent", nullptr, [](const TraceRow& row) { return 100 * row.share; }, 1, 1},
        {QT_TR_NOOP("Share"), "share", nullptr, &TraceRow::share},
        {QT_TR_NOOP("Track"), "track", &TraceRow::track},
        {QT_TR_NOOP("Begin, ms"), "begin_ns", nullptr, &TraceRow::begin, 1e6, 3},
        {QT_TR_NOOP("Before, ms"), "before_ns", nullptr, &TraceRow::before, 1e6, 3},
        {QT_TR_NOOP("After, ms"), "after_ns", nullptr, &TraceRow::after, 1e6, 3},
        {QT_TR_NOOP("Difference, ms"), "difference_ns", nullptr, differenceOf, 1e6, 3},
        {QT_TR_NOOP("Count"), "count", nullptr, [](const TraceRow& row) { return row.count_after - row.count_before; }},
    };
    return heads[static_cast<std::size_t>(column)];
}

QString TraceTableModel::text(const TraceRow& row, Column column) {
    const Head& of = head(column);
    if (of.words != nullptr)
        return row.*of.words;
    const QLocale locale;
    if (column == Column::Counts)
        return QStringLiteral("%1 \u2192 %2")
            .arg(locale.toString(row.count_before, 'g', 6), locale.toString(row.count_after, 'g', 6));
    const double number = of.number(row) / of.unit;
    if (column == Column::Difference)
        return (number < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) +
               locale.toString(std::abs(number), 'f', of.decimals);
    return locale.toString(number, 'f', of.decimals);
}

QString TraceTableModel::plainText(const TraceRow& row, Column column) {
    const Head& of = head(column);
    if (of.words != nullptr)
        return row.*of.words;
    if (column == Column::Counts)
        return QStringLiteral("%1 -> %2").arg(row.count_before, 0, 'g', 10).arg(row.count_after, 0, 'g', 10);
    return QString::number(of.number(row), 'g', 17);
}

QVector<QStringList> TraceTableModel::plain() const {
    QVector<QStringList> lines(1);
    for (const Column column : columnsOf(table_))
        lines[0] << QLatin1String(head(column).plain);
    if (table_ == TraceTable::Calls)
        lines[0] << QStringLiteral("depth");
    for (const TraceRow& row : rows_) {
        QStringList cells;
        for (const Column column : columnsOf(table_))
            cells << plainText(row, column);
        if (table_ == TraceTable::Calls)
            cells << QString::number(row.depth);
        lines << cells;
    }
    return lines;
}

QString TraceTableModel::words(int row, int section) const {
    return text(rows_[row], column(section) == Column::Share ? Column::Percent : column(section));
}

QString TraceTableModel::tip(int row, int section) const {
    return isWords(column(section)) ? text(rows_[row], column(section)) : QString();
}

widgets::Cell TraceTableModel::cell(int at, int section) const {
    const TraceRow& row = rows_[at];
    const Column of = column(section);
    widgets::Cell cell;
    cell.mono = of == Column::Name || !isWords(of);
    if (of == Column::Share) {
        cell.bar = row.share;
        cell.run_number = row.color;
        cell.ink = Token::TextMuted;
        return cell;
    }
    cell.text = text(row, of);
    if (of == Column::Name) {
        cell.swatch = true;
        cell.run_number = row.color;
        cell.text = QString(2 * std::min(row.depth, 40), QLatin1Char(' ')) + cell.text;
    } else if (isWords(of)) {
        cell.ink = Token::TextSecondary;
    }
    return cell;
}

void TraceTableModel::sort(int section, Qt::SortOrder order) {
    if (table_ == TraceTable::Calls || section < 0 || section >= columnCount())
        return;
    beginResetModel();
    const Column by = column(section);
    const auto before = [&](const TraceRow& a, const TraceRow& b) {
        return isWords(by) ? text(a, by).compare(text(b, by), Qt::CaseInsensitive) < 0
                           : head(by).number(a) < head(by).number(b);
    };
    std::stable_sort(rows_.begin(), rows_.end(), [&](const TraceRow& a, const TraceRow& b) {
        return order == Qt::AscendingOrder ? before(a, b) : before(b, a);
    });
    endResetModel();
}

}  // namespace trainyard::desktop
