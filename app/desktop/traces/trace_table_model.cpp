#include "desktop/traces/trace_table_model.h"

#include <algorithm>

#include <QLocale>

#include "widgets/cell.h"

namespace trainyard::desktop {

using widgets::Token;

namespace {

/// Milliseconds and microseconds with so many decimals that small and large ones stand under each other.
QString inUnit(double nanoseconds, double unit, int decimals) {
    return QLocale().toString(nanoseconds / unit, 'f', decimals);
}

double meanOf(const TraceRow& row) {
    return row.count > 0 ? static_cast<double>(row.total) / static_cast<double>(row.count) : 0;
}

}  // namespace

const QVector<TraceTableModel::Column>& TraceTableModel::columnsOf(TraceTable table) {
    using C = Column;
    static const QVector<C> kernels{C::Name, C::Family, C::Count, C::Total, C::Mean, C::Percent, C::Share};
    static const QVector<C> operations{C::Name, C::Category, C::Count,   C::Total,
                                       C::Self, C::Mean,     C::Percent, C::Share};
    static const QVector<C> calls{C::Name, C::Count, C::Total, C::Self, C::Percent, C::Share};
    static const QVector<C> slices{C::Name, C::Category, C::Track, C::Begin, C::Total};
    static const QVector<C> compared{C::Name, C::Category, C::Before, C::After, C::Difference, C::Counts};
    switch (table) {
        case TraceTable::Kernels:
            return kernels;
        case TraceTable::Operations:
            return operations;
        case TraceTable::Calls:
        case TraceTable::Flame:
            return calls;
        case TraceTable::Slices:
            return slices;
        case TraceTable::Compared:
            break;
    }
    return compared;
}

void TraceTableModel::setRows(TraceTable table, QVector<TraceRow> rows) {
    beginResetModel();
    table_ = table;
    rows_ = std::move(rows);
    endResetModel();
}

int TraceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TraceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columnsOf(table_).size());
}

bool TraceTableModel::isShare(int section) const {
    return column(section) == Column::Share;
}

bool TraceTableModel::isWords(Column column) {
    return column == Column::Name || column == Column::Family || column == Column::Category || column == Column::Track;
}

QString TraceTableModel::title(Column column) {
    switch (column) {
        case Column::Name:
            return tr("Name");
        case Column::Family:
            return tr("Family");
        case Column::Category:
            return tr("Category");
        case Column::Count:
            return tr("Count");
        case Column::Total:
            return tr("Total, ms");
        case Column::Self:
            return tr("Self, ms");
        case Column::Mean:
            return tr("Mean, µs");
        case Column::Percent:
            return tr("% of busy");
        case Column::Share:
            return tr("Share");
        case Column::Track:
            return tr("Track");
        case Column::Begin:
            return tr("Begin, ms");
        case Column::Before:
            return tr("Before, ms");
        case Column::After:
            return tr("After, ms");
        case Column::Difference:
            return tr("Difference, ms");
        case Column::Counts:
            break;
    }
    return tr("Count");
}

QString TraceTableModel::plainTitle(Column column) {
    switch (column) {
        case Column::Name:
            return QStringLiteral("name");
        case Column::Family:
            return QStringLiteral("family");
        case Column::Category:
            return QStringLiteral("category");
        case Column::Count:
            return QStringLiteral("count");
        case Column::Total:
            return QStringLiteral("total_ns");
        case Column::Self:
            return QStringLiteral("self_ns");
        case Column::Mean:
            return QStringLiteral("mean_ns");
        case Column::Percent:
            return QStringLiteral("percent");
        case Column::Share:
            return QStringLiteral("share");
        case Column::Track:
            return QStringLiteral("track");
        case Column::Begin:
            return QStringLiteral("begin_ns");
        case Column::Before:
            return QStringLiteral("before_ns");
        case Column::After:
            return QStringLiteral("after_ns");
        case Column::Difference:
            return QStringLiteral("difference_ns");
        case Column::Counts:
            break;
    }
    return QStringLiteral("count");
}

double TraceTableModel::number(const TraceRow& row, Column column) {
    switch (column) {
        case Column::Count:
            return static_cast<double>(row.count);
        case Column::Total:
            return static_cast<double>(row.total);
        case Column::Self:
            return static_cast<double>(row.self);
        case Column::Mean:
            return meanOf(row);
        case Column::Percent:
            return 100 * row.share;
        case Column::Share:
            return row.share;
        case Column::Begin:
            return static_cast<double>(row.begin);
        case Column::Before:
            return row.before;
        case Column::After:
            return row.after;
        case Column::Difference:
            return row.after - row.before;
        case Column::Counts:
            return row.count_after - row.count_before;
        default:
            return 0;
    }
}

const QString* TraceTableModel::words(const TraceRow& row, Column column) {
    switch (column) {
        case Column::Name:
            return &row.name;
        case Column::Family:
            return &row.family;
        case Column::Category:
            return &row.category;
        case Column::Track:
            return &row.track;
        default:
            return nullptr;
    }
}

QString TraceTableModel::text(const TraceRow& row, Column column) const {
    if (const QString* shown = words(row, column))
        return *shown;
    switch (column) {
        case Column::Count:
            return QLocale().toString(qulonglong{row.count});
        case Column::Mean:
            return inUnit(meanOf(row), 1e3, 1);
        case Column::Percent:
            return QLocale().toString(100 * row.share, 'f', 1);
        case Column::Share:
            return {};
        case Column::Difference: {
            const double by = row.after - row.before;
            return (by < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + inUnit(std::abs(by), 1e6, 3);
        }
        case Column::Counts:
            return QStringLiteral("%1 \u2192 %2")
                .arg(QLocale().toString(row.count_before, 'g', 6), QLocale().toString(row.count_after, 'g', 6));
        default:
            return inUnit(number(row, column), 1e6, 3);
    }
}

QString TraceTableModel::plainText(const TraceRow& row, Column column) {
    if (const QString* shown = words(row, column))
        return *shown;
    if (column == Column::Counts)
        return QStringLiteral("%1 -> %2").arg(row.count_before, 0, 'g', 10).arg(row.count_after, 0, 'g', 10);
    return QString::number(number(row, column), 'g', 17);
}

QVector<QStringList> TraceTableModel::plain() const {
    QVector<QStringList> lines(1);
    for (const Column column : columnsOf(table_))
        lines[0] << plainTitle(column);
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

QVariant TraceTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_.size())
        return {};
    const TraceRow& row = rows_[index.row()];
    const Column of = column(index.column());
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return of == Column::Share ? text(row, Column::Percent) : text(row, of);
    if (role == Qt::ToolTipRole && isWords(of))
        return text(row, of).left(2000).toHtmlEscaped();
    if (role == widgets::CellRole) {
        widgets::Cell cell;
        cell.text = text(row, of);
        cell.mono = true;
        if (of == Column::Name) {
            cell.swatch = true;
            cell.run_number = row.color;
            cell.text = QString(2 * std::min(row.depth, 40), QLatin1Char(' ')) + cell.text;
        } else if (isWords(of)) {
            cell.mono = false;
            cell.ink = Token::TextSecondary;
        } else {
            cell.alignment = Qt::AlignRight;
        }
        return QVariant::fromValue(cell);
    }
    return {};
}

QVariant TraceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return title(column(section));
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isWords(column(section)) || isShare(section) ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    return {};
}

void TraceTableModel::sort(int section, Qt::SortOrder order) {
    if (table_ == TraceTable::Calls || section < 0 || section >= columnCount())
        return;
    beginResetModel();
    const Column by = column(section);
    const auto before = [&](const TraceRow& a, const TraceRow& b) {
        return isWords(by) ? text(a, by).compare(text(b, by), Qt::CaseInsensitive) < 0 : number(a, by) < number(b, by);
    };
    std::stable_sort(rows_.begin(), rows_.end(), [&](const TraceRow& a, const TraceRow& b) {
        return order == Qt::AscendingOrder ? before(a, b) : before(b, a);
    });
    endResetModel();
}

}  // namespace trainyard::desktop
