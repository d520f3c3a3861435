// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_model.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "desktop/runs/run_filter.h"
#include "desktop/runs/run_names.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"
#include "widgets/local_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Cell;
using widgets::Token;

namespace {
struct ColumnLook {
    const char* key;
    const char* title;
    bool number = false;
};
constexpr ColumnLook kColumns[RunsModel::ColumnCount] = {
    {"name", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Name")},
    {"state", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "State")},
    {"curve", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Train loss")},
    {"loss", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Train"), true},
    {"val", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Val"), true},
    {"rate", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Tokens/s"), true},
    {"step", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Step"), true},
    {"hosts", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Hosts")},
    {"ranks", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Ranks"), true},
    {"gpus", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "GPUs"), true},
    {"started", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Started")},
    {"duration", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Duration"), true},
    {"note", QT_TRANSLATE_NOOP("trainyard::desktop::RunsModel", "Note")}};

QString runs_text(qsizetype runs) {
    return runs == 1 ? RunsModel::tr("1 run") : RunsModel::tr("%1 runs").arg(runs);
}

/// A mean of a column, written as the column's values.
QString number_text(double value, int column) {
    switch (column) {
        case RunsModel::Train:
        case RunsModel::Validation:
            return lossText(value);
        case RunsModel::Rate:
            return rateText(value);
        case RunsModel::Duration:
            return durationText(value);
        case RunsModel::Step:
        case RunsModel::Ranks:
        case RunsModel::Gpus:
            if (value == std::round(value))
                return stepText(static_cast<std::int64_t>(value));
            break;
        default:
            break;
    }
    return widgets::value_number(value, 3);
}
}  // namespace

void RunsModel::setRuns(const RunSummaries& runs) {
    if (QSet<QString> repeated = repeated_names(runs); repeated != repeated_) {
        repeated_ = std::move(repeated);
        if (!runs_.isEmpty())
            emit dataChanged(index(0, Name), index(static_cast<int>(runs_.size()) - 1, Name));
    }
    QSet<QString> wanted;
    for (const RunSummary& run : runs)
        wanted.insert(run.id);
    QHash<QString, int> kept;  // id -> place among those that stay
    for (const RunSummary& run : std::as_const(runs_))
        if (wanted.contains(run.id))
            kept.insert(run.id, static_cast<int>(kept.size()));
    int last = -1;
    bool in_order = true;
    for (const RunSummary& run : runs)
        if (const auto at = kept.constFind(run.id); at != kept.constEnd()) {
            in_order = in_order && *at > last;
            last = *at;
        }
    if (kept.isEmpty() || !in_order) {
        beginResetModel();
        runs_ = runs;
        endResetModel();
        return;
    }
    for (int row = static_cast<int>(runs_.size()) - 1; row >= 0; --row)
        if (!wanted.contains(runs_[row].id)) {
            beginRemoveRows({}, row, row);
            runs_.removeAt(row);
            endRemoveRows();
        }
    // Both lists are in the same order now, so what is new can be put in place in one walk.
    for (int row = 0; row < runs.size(); ++row) {
        if (row < runs_.size() && runs_[row].id == runs[row].id) {
            if (runs_[row] == runs[row])
                continue;
            runs_[row] = runs[row];
            emit dataChanged(index(row, 0), index(row, columnCount() - 1));
        } else {
            beginInsertRows({}, row, row);
            runs_.insert(row, runs[row]);
            endInsertRows();
        }
    }
}

void RunsModel::setExtraColumns(const QStringList& names) {
    if (names == extra_)
        return;
    for (int i = static_cast<int>(extra_.size()) - 1; i >= 0; --i)
        if (!names.contains(extra_[i])) {
            beginRemoveColumns({}, ColumnCount + i, ColumnCount + i);
            extra_.removeAt(i);
            endRemoveColumns();
        }
    for (const QString& name : names)
        if (!extra_.contains(name)) {
            const int at = columnCount();
            beginInsertColumns({}, at, at);
            extra_ << name;
            endInsertColumns();
        }
}

void RunsModel::setGroups(const QVector<RunGroup>& groups) {
    QHash<QString, const RunSummary*> runs;
    if (!groups.isEmpty())
        for (const RunSummary& run : std::as_const(runs_))
            runs.insert(run.path, &run);
    QVector<Head> heads;
    for (const RunGroup& group : groups)
        heads << headOf(group, runs);
    const int first = static_cast<int>(runs_.size());
    const auto same_key = [](const Head& a, const Head& b) { return a.group.key == b.group.key; };
    if (std::ranges::equal(heads, heads_, same_key)) {
        for (qsizetype i = 0; i < heads.size(); ++i)
            if (heads_[i] != heads[i]) {
                heads_[i] = heads[i];
                const int row = first + static_cast<int>(i);
                emit dataChanged(index(row, 0), index(row, columnCount() - 1));
            }
        return;
    }
    if (!heads_.isEmpty()) {
        beginRemoveRows({}, first, first + static_cast<int>(heads_.size()) - 1);
        heads_.clear();
        endRemoveRows();
    }
    if (heads.isEmpty())
        return;
    beginInsertRows({}, first, first + static_cast<int>(heads.size()) - 1);
    heads_ = heads;
    endInsertRows();
}

RunsModel::Head RunsModel::headOf(const RunGroup& group, const QHash<QString, const RunSummary*>& runs) const {
    Head head{group, {}, {}, {}};
    head.shown.id = QStringLiteral("group/") + group.key;
    head.shown.name = group.title;
    head.shown.phase = RunPhase::Imported;  // nothing that is done to runs is done to it
    int counts[static_cast<std::size_t>(RunPhase::Unreadable) + 1] = {};
    QVector<const RunSummary*> members;
    for (const QString& path : group.paths)
        if (const RunSummary* run = runs.value(path)) {
            members << run;
            ++counts[static_cast<std::size_t>(run->phase)];
        }
    QStringList states;
    for (std::size_t phase = 0; phase < std::size(counts); ++phase)
        if (counts[phase] > 0)
            states << QStringLiteral("%1 %2").arg(counts[phase]).arg(phaseWord(static_cast<RunPhase>(phase)));
    head.states = widgets::list_text(states);
    for (int column = 0; column < columnCount(); ++column) {
        QVector<double> values;
        if (isNumber(column))
            for (const RunSummary* run : std::as_const(members))
                // A run that has not begun has step 0, and an empty cell.
                if (const QVariant value = sortValue(*run, column);
                    value.isValid() && value.typeId() != QMetaType::QString && !plainText(*run, column).isEmpty())
                    values << value.toDouble();
        head.spreads << spreadOf(values);
    }
    return head;
}

std::optional<Spread> RunsModel::spread(int row, int column) const {
    return isGroup(row) ? heads_[row - runs_.size()].spreads.value(column) : std::nullopt;
}

QString RunsModel::groupText(int row, int column) const {
    const Head& head = heads_[row - runs_.size()];
    const qsizetype runs = head.group.paths.size();
    if (column == Name)
        return QStringLiteral("%1, %2").arg(head.group.title, runs_text(runs));
    if (column == State)
        return head.states;
    // The column of curves has room for the spread of the loss; the other columns are as wide as a number.
    if (column == Curve) {
        const std::optional<Spread> loss = head.spreads.value(Train);
        return loss && loss->deviation > 0 ? QStringLiteral("± ") + widgets::value_number(loss->deviation, 3)
                                           : QString();
    }
    const std::optional<Spread> spread = head.spreads.value(column);
    if (!spread)
        return {};
    const QString mean = number_text(spread->mean, column);
    return column >= ColumnCount && spread->deviation > 0
               ? mean + QStringLiteral(" ±") + widgets::value_number(spread->deviation, 2)
               : mean;
}

QString RunsModel::groupTip(int row, int column) const {
    const std::optional<Spread> spread = heads_[row - runs_.size()].spreads.value(column);
    if (!spread)
        return column == Curve ? groupTip(row, Train) : groupText(row, column);
    return tr("%1 of %2: mean %3, standard deviation %4, %5 to %6")
        .arg(title(column), runs_text(spread->runs), number_text(spread->mean, column),
             number_text(spread->deviation, column), number_text(spread->least, column),
             number_text(spread->most, column));
}

Cell RunsModel::groupCell(int row, int column) const {
    const RunGroup& group = heads_[row - runs_.size()].group;
    Cell cell;
    cell.text = groupText(row, column);
    cell.mono = isNumber(column);
    cell.ink = Token::TextSecondary;
    if (column == Name) {
        cell.text = (group.collapsed ? QStringLiteral("▸ ") : QStringLiteral("▾ ")) + group.title;
        cell.tags = {runs_text(group.paths.size())};
        cell.strong = true;
        cell.ink = Token::Text;
        cell.tick =
            std::ranges::all_of(group.paths, [this](const QString& path) { return ticked_set_.contains(path); });
    }
    return cell;
}

const RunSummary* RunsModel::find(const QString& path) const {
    const auto found = std::ranges::find(runs_, path, &RunSummary::path);
    return found == runs_.end() ? nullptr : &*found;
}

QString RunsModel::columnKey(int column) const {
    return column < ColumnCount ? QLatin1String(kColumns[column].key) : extra_.value(column - ColumnCount);
}

int RunsModel::columnOf(const QString& key) const {
    for (int column = 0; column < columnCount(); ++column)
        if (columnKey(column) == key)
            return column;
    return -1;
}

void RunsModel::setTicked(const QStringList& paths) {
    if (paths == ticked_)
        return;
    ticked_ = paths;
    ticked_set_ = QSet<QString>(paths.begin(), paths.end());
    if (!runs_.isEmpty())
        emit dataChanged(index(0, Name), index(rowCount() - 1, Name), {widgets::CellRole, Qt::CheckStateRole});
    emit tickedChanged();
}

void RunsModel::tick(const QStringList& paths, bool on) {
    QStringList ticked = ticked_;
    for (const QString& path : paths)
        if (!on)
            ticked.removeAll(path);
        else if (!ticked_set_.contains(path))
            ticked << path;
    setTicked(ticked);
}

void RunsModel::setSecondKey(int column, Qt::SortOrder order) {
    second_ = column;
    second_order_ = order;
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = CellTable::flags(index);
    if (index.column() == Name)
        flags |= isGroup(index.row()) ? Qt::ItemIsUserCheckable : Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    return flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (index.isValid() && index.column() == Name && role == Qt::CheckStateRole) {
        const RunGroup* group = groupAt(index.row());
        tick(group != nullptr ? group->paths : QStringList(runs_[index.row()].path), value.toInt() == Qt::Checked);
        return true;
    }
    if (!index.isValid() || index.column() != Name || role != Qt::EditRole || isGroup(index.row()))
        return false;
    const RunSummary& run = runs_[index.row()];
    const QString name = value.toString().simplified();
    if (name != run.name)
        emit renamed(run.path, name);
    return true;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (isGroup(index.row())) {
        if (role != Qt::CheckStateRole || index.column() != Name)
            return role == SortRole || role == Qt::EditRole ? QVariant() : CellTable::data(index, role);
        return groupCell(index.row(), Name).tick.value_or(false) ? Qt::Checked : Qt::Unchecked;
    }
    const RunSummary& run = runs_[index.row()];
    if (role == SortRole)
        return sortValue(run, index.column());
    if (role == Qt::EditRole && index.column() == Name)
        return run.name;
    if (role == Qt::CheckStateRole && index.column() == Name)
        return ticked_set_.contains(run.path) ? Qt::Checked : Qt::Unchecked;
    return CellTable::data(index, role);
}

QString RunsModel::spoken(int row, int column) const {
    const QString text = words(row, column);
    if (isGroup(row))
        return column != Name            ? text
               : groupAt(row)->collapsed ? tr("Group %1, collapsed").arg(text)
                                         : tr("Group %1, expanded").arg(text);
    return column == Name && ticked_set_.contains(runs_[row].path) ? tr("%1, selected for comparison").arg(text) : text;
}

QString RunsModel::tip(int row, int column) const {
    if (isGroup(row))
        return groupTip(row, column);
    const RunSummary& run = runs_[row];
    QStringList lines;
    if (column == State || column == Curve)
        lines = {run.failure.isEmpty() ? run.message : run.failure, run.failureDetails, run.metricsProblem};
    else if (column == Started)
        lines = {run.phase == RunPhase::Queued ? run.message : run.created > 0 ? absoluteTime(run.created) : QString()};
    else if (column == Name)
        lines = {run.ownName == run.name ? run.name : QStringLiteral("%1  (%2)").arg(run.name, run.ownName),
                 run.tags.join(QStringLiteral(", ")), run.note, run.path};
    else if (column == Note)
        lines = {run.note};
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString RunsModel::plainText(const RunSummary& run, int column) const {
    const double now = column == Started || column == Duration ? wall_seconds() : 0;
    switch (column) {
        case Name:
            return repeated_.contains(run.name) ? run.name + QStringLiteral("  ") + short_id(run) : run.name;
        case State:
            return phaseWord(run.phase);
        case Train:
            return lossText(run.loss);
        case Validation:
            return lossText(run.validationLoss);
        case Rate:
            return rateText(run.tokensPerSecond);
        case Step:
            return run.phase == RunPhase::Unreadable || !run.isOurs() || run.phase == RunPhase::Queued
                       ? QString()
                       : stepText(run.step);
        case Hosts:
            return widgets::list_text(run.hosts);
        case Ranks:
            return run.ranks > 0 ? QString::number(run.ranks) : QString();
        case Gpus:
            return run.gpus > 0 ? QString::number(run.gpus) : QString();
        case Started:
            return run.phase == RunPhase::Queued && !run.message.isEmpty() ? run.message
                                                                           : relativeTime(run.created, now);
        case Duration: {
            const std::optional<double> seconds = run.duration(now);
            return seconds ? durationText(*seconds) : QString();
        }
        case Note:
            return run.note.simplified();
        default:
            break;
    }
    const QString name = extra_.value(column - ColumnCount);
    if (QString words = wordsOf(run, name); !words.isEmpty())
        return words;
    const double number = numberOf(run, name, 0);
    if (!std::isnan(number))
        return widgets::value_number(number);
    // A NaN metric is shown; a missing metric leaves the cell empty.
    return run.metrics && run.metrics->find(name) != nullptr ? QStringLiteral("NaN") : QString();
}

QString RunsModel::fullText(const RunSummary& run, int column) const {
    if (column == Started)
        return run.created > 0 ? qt(iso_time(run.created)) : QString();
    if (column == Hosts)
        return run.hosts.join(QLatin1Char(' '));
    QString plain = plainText(run, column).simplified();
    if (!isNumber(column) || plain.isEmpty())
        return plain;
    const QVariant value = sortValue(run, column);
    if (value.typeId() == QMetaType::Double)
        return QString::number(value.toDouble(), 'g', 17);
    return value.isValid() ? value.toString() : plain;
}

bool RunsModel::isNumber(int column) const {
    return column >= ColumnCount || kColumns[column].number;
}

Cell RunsModel::cell(int row, int column) const {
    if (isGroup(row))
        return groupCell(row, column);
    const RunSummary& run = runs_[row];
    Cell cell;
    cell.run_number = run.number;
    cell.text = plainText(run, column);
    cell.mono = isNumber(column);
    switch (column) {
        case Name:
            cell.tick = ticked_set_.contains(run.path);
            cell.swatch = true;
            cell.strong = true;
            cell.tags = run.tags;
            if (run.baseline)
                cell.tags.prepend(tr("baseline"));
            if (run.archived)
                cell.ink = Token::TextSecondary;
            if (run.phase == RunPhase::Missing)
                cell.ink = Token::TextMuted;
            break;
        case State:
            cell.chip = phaseChip(run.phase);
            if (run.queuePlace > 0)
                cell.chip.text = tr("Queued, number %1").arg(run.queuePlace);
            else if (run.phase == RunPhase::Stopping && run.ranksLeft > 0)
                cell.chip.text = tr("Stopping, %Ln left", nullptr, run.ranksLeft);
            else if (run.isLive() && run.of > 0 && run.step > 0)
                cell.progress = run.share();
            if (!run.metricsProblem.isEmpty() && !run.hasFailed()) {
                cell.chip.icon = QStringLiteral("warn");
                cell.chip.color = Token::Warn;
            }
            break;
        case Curve:
            cell.spark = run.spark;
            break;
        case Train:
        case Validation: {
            const std::optional<double>& loss = column == Train ? run.loss : run.validationLoss;
            if (loss && !std::isfinite(*loss))
                cell.ink = Token::Error;
            break;
        }
        case Ranks:
        case Gpus:
        case Duration:
        case Hosts:
        case Note:
        case Started:
            cell.ink = Token::TextSecondary;
            break;
        default:
            break;
    }
    return cell;
}

QVariant RunsModel::sortValue(const RunSummary& run, int column) const {
    auto number = [](const std::optional<double>& value) {
        return value && !std::isnan(*value) ? QVariant(*value) : QVariant();
    };
    switch (column) {
        case Name:
            return run.name.toLower();
        case State:
            return static_cast<int>(run.phase);
        case Train:
        case Curve:
            return number(run.loss);
        case Validation:
            return number(run.validationLoss);
        case Rate:
            return number(run.tokensPerSecond);
        case Step:
            return static_cast<qlonglong>(run.step);
        case Hosts:
            return run.hosts.isEmpty() ? QVariant() : QVariant(run.hosts.join(QLatin1Char(',')));
        case Ranks:
            return run.ranks;
        case Gpus:
            return run.gpus;
        case Duration:
            return number(run.duration(run.heartbeat));
        case Note:
            return run.note.isEmpty() ? QVariant() : QVariant(run.note.toLower());
        case Started:
            // Runs that cannot be read have no time, but their id begins with one.
            return run.id;
        default:
            break;
    }
    const QString name = extra_.value(column - ColumnCount);
    const double value = numberOf(run, name, 0);
    if (!std::isnan(value))
        return value;
    const QString words = wordsOf(run, name);
    return words.isEmpty() ? QVariant() : QVariant(words.toLower());
}

QString RunsModel::title(int column) const {
    return column < ColumnCount ? tr(kColumns[column].title) : extra_.value(column - ColumnCount);
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole)
        return tr("%1: click to sort, Shift+click to add a second sort key").arg(title(section));
    QVariant known = CellTable::headerData(section, orientation, role);
    if (section != second_ || role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return known;
    return known.toString() + (second_order_ == Qt::AscendingOrder ? QStringLiteral(" ²↑") : QStringLiteral(" ²↓"));
}

}  // namespace trainyard::desktop
