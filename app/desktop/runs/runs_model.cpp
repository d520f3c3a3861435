// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <QMimeData>

#include "base/clock.h"
#include "desktop/runs/run_names.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"
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
constexpr const char* kQueuedMime = "application/x-trainyard-queued-run";

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
    head.states = states.join(QStringLiteral(", "));
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
            return run.hosts.join(QStringLiteral(", "));
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
                cell.chip.text = tr("Stopping, %n left", nullptr, run.ranksLeft);
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

RunsProxy::RunsProxy(RunsModel* model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(model);
    setDynamicSortFilter(true);
    sort(RunsModel::Started, Qt::DescendingOrder);
}

QString RunsProxy::setFilterText(const QString& text) {
    RunFilter filter;
    QString sentence = RunFilter::parse(text, filter);
    if (sentence.isEmpty())
        sentence = filter.unknownName(model_->runs());
    // A filter that was accepted before the settings were read hides nothing once its name is known to be wrong.
    if (!sentence.isEmpty() && filter_.unknownName(model_->runs()).isEmpty())
        return sentence;
    filter_ = sentence.isEmpty() ? filter : RunFilter();
    changeFilter();
    return sentence;
}

QString RunsProxy::unknownName(const QString& text) const {
    RunFilter filter;
    return RunFilter::parse(text, filter).isEmpty() ? filter.unknownName(model_->runs()) : QString();
}

void RunsProxy::setOnly(const std::optional<QSet<QString>>& paths) {
    if (paths == only_)
        return;
    only_ = paths;
    changeFilter();
}

void RunsProxy::setSegment(RunSegment segment) {
    segment_ = segment;
    changeFilter();
}

void RunsProxy::changeFilter() {
    release();
    regroup();
    invalidateFilter();
}

void RunsProxy::setGrouping(const Grouping& grouping) {
    if (grouping == grouping_)
        return;
    grouping_ = grouping;
    collapsed_.clear();
    changeFilter();
}

void RunsProxy::setCollapsed(const QSet<QString>& keys) {
    collapsed_ = keys;
    changeFilter();
}

void RunsProxy::toggleGroup(const QString& key) {
    QSet<QString> keys = collapsed_;
    if (!keys.remove(key))
        keys.insert(key);
    setCollapsed(keys);
}

void RunsProxy::regroup() {
    if (held_)
        return;
    QVector<const RunSummary*> listed;
    if (grouping_.kind != GroupKind::None)
        for (const RunSummary& run : model_->runs())
            if (isListed(run))
                listed << &run;
    QHash<QString, QString> keys;
    QVector<RunGroup> groups = groupRuns(listed, grouping_, keys);
    QHash<QString, int> places;
    for (RunGroup& group : groups) {
        places.insert(group.key, static_cast<int>(places.size()));
        group.collapsed = collapsed_.contains(group.key);
    }
    const bool moved = keys != groups_ || places != group_places_;
    groups_ = keys;
    group_places_ = places;
    model_->setGroups(groups);
    if (moved)
        invalidate();
}

int RunsProxy::groupPlace(int row) const {
    const RunGroup* group = model_->groupAt(row);
    const QString& path = model_->at(row).path;
    // A run that came since regroup() is in the group where it will be.
    const auto known = groups_.constFind(path);
    const QString key = group != nullptr              ? group->key
                        : known != groups_.constEnd() ? *known
                                                      : groupOf(model_->at(row), grouping_);
    return group_places_.value(key, static_cast<int>(group_places_.size()));
}

void RunsProxy::hold() {
    if (held_)
        return;
    held_.emplace();
    for (const RunSummary& run : model_->runs())
        held_->insert(run.id);
    setDynamicSortFilter(false);
}

void RunsProxy::release() {
    if (!held_)
        return;
    held_.reset();
    setDynamicSortFilter(true);
    regroup();
    invalidateFilter();
}

RunsProxy::Waiting RunsProxy::waiting() const {
    Waiting waiting;
    if (!held_)
        return waiting;
    for (int row = 0; row < model_->runs().size(); ++row) {
        const RunSummary& run = model_->at(row);
        const bool wanted = isListed(run) && !collapsed_.contains(groups_.value(run.path));
        const bool shown = mapFromSource(model_->index(row, 0)).isValid();
        if (!held_->contains(run.id))
            waiting.added += wanted;
        else
            waiting.moved = waiting.moved || wanted != shown;
    }
    for (int row = 1; row < rowCount() && !waiting.moved; ++row) {
        const QModelIndex upper = mapToSource(index(row - 1, std::max(0, sortColumn())));
        const QModelIndex lower = mapToSource(index(row, std::max(0, sortColumn())));
        waiting.moved = sortOrder() == Qt::AscendingOrder ? lessThan(lower, upper) : lessThan(upper, lower);
    }
    return waiting;
}

void RunsProxy::setSecondKey(int column, Qt::SortOrder order) {
    second_ = column;
    second_order_ = order;
    model_->setSecondKey(column, order);
    invalidate();
}

const RunSummary& RunsProxy::at(const QModelIndex& index) const {
    return model_->at(mapToSource(index).row());
}

bool RunsProxy::accepts(const RunSummary& run) const {
    return inSegment(run, segment_) && filter_.matches(run, wall_seconds());
}

bool RunsProxy::filterAcceptsRow(int row, const QModelIndex&) const {
    if (model_->isGroup(row))
        return true;
    const RunSummary& run = model_->at(row);
    const bool folded = !collapsed_.isEmpty() && collapsed_.contains(groups_.value(run.path));
    return !folded && (!held_ || held_->contains(run.id)) && isListed(run);
}

int RunsProxy::compare(int left, int right, int column, Qt::SortOrder order) const {
    const QVariant x = model_->data(model_->index(left, column), RunsModel::SortRole);
    const QVariant y = model_->data(model_->index(right, column), RunsModel::SortRole);
    if (!x.isValid() || !y.isValid())
        return static_cast<int>(y.isValid()) - static_cast<int>(x.isValid());
    int way = 0;
    if (x.typeId() != y.typeId())  // words and numbers in one column: numbers first
        way = x.typeId() == QMetaType::Double ? -1 : 1;
    else if (const QPartialOrdering found = QVariant::compare(x, y); found == QPartialOrdering::Less)
        way = -1;
    else if (found == QPartialOrdering::Greater)
        way = 1;
    return order == Qt::AscendingOrder ? way : -way;
}

bool RunsProxy::lessThan(const QModelIndex& a, const QModelIndex& b) const {
    if (grouping_.kind != GroupKind::None) {
        const bool ascending = sortOrder() == Qt::AscendingOrder;
        if (const int x = groupPlace(a.row()), y = groupPlace(b.row()); x != y)
            return (x < y) == ascending;
        if (const bool head = model_->isGroup(a.row()); head != model_->isGroup(b.row()))
            return head == ascending;
    }
    const RunSummary& left = model_->at(a.row());
    const RunSummary& right = model_->at(b.row());
    if (left.isLive() != right.isLive())
        return left.isLive() == (sortOrder() == Qt::AscendingOrder);
    // Queued runs come after active ones, in the order of the queue, regardless of the sort column.
    const bool left_waits = left.phase == RunPhase::Queued, right_waits = right.phase == RunPhase::Queued;
    if (left_waits || right_waits) {
        const auto x = std::tie(left_waits, left.queue, left.queuePlace, left.id);
        const auto y = std::tie(right_waits, right.queue, right.queuePlace, right.id);
        return sortOrder() == Qt::AscendingOrder ? x < y : x > y;
    }
    int way = compare(a.row(), b.row(), a.column(), sortOrder());
    if (way == 0 && second_ >= 0)
        way = compare(a.row(), b.row(), second_, second_order_);
    if (way == 0)
        way = left.id > right.id ? -1 : left.id < right.id ? 1 : 0;  // the newer one first
    // The view inverts the result for descending order.
    return sortOrder() == Qt::AscendingOrder ? way < 0 : way > 0;
}

Qt::ItemFlags RunsProxy::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QSortFilterProxyModel::flags(index);
    return index.isValid() && at(index).queuePlace > 0 ? flags | Qt::ItemIsDragEnabled : flags;
}

QStringList RunsProxy::mimeTypes() const {
    return {QLatin1String(kQueuedMime)};
}

QMimeData* RunsProxy::mimeData(const QModelIndexList& indexes) const {
    QSet<QString> paths;
    for (const QModelIndex& index : indexes)
        if (at(index).queuePlace > 0)
            paths.insert(at(index).path);
    if (paths.size() != 1)
        return nullptr;
    auto* data = new QMimeData;
    data->setData(QLatin1String(kQueuedMime), paths.begin()->toUtf8());
    return data;
}

int RunsProxy::placeForDrop(const QMimeData* data, int row, const QModelIndex& parent) const {
    const QString path = QString::fromUtf8(data->data(QLatin1String(kQueuedMime)));
    const RunSummary* moved = model_->find(path);
    if (moved == nullptr || moved->queuePlace == 0)
        return 0;
    if (row < 0)
        row = parent.isValid() ? parent.row() : rowCount();
    auto neighbour = [&](int at_row) -> const RunSummary* {
        if (at_row < 0 || at_row >= rowCount())
            return nullptr;
        const RunSummary& run = at(index(at_row, 0));
        return run.queuePlace > 0 && run.queue == moved->queue ? &run : nullptr;
    };
    // The target is in front of a row of the queue, or after its last row. Taking the run out moves the following rows
    // up.
    if (const RunSummary* below = neighbour(row))
        return below->queuePlace - (moved->queuePlace < below->queuePlace ? 1 : 0);
    if (const RunSummary* above = neighbour(row - 1))
        return above->queuePlace + (moved->queuePlace > above->queuePlace ? 1 : 0);
    return 0;
}

bool RunsProxy::canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                                const QModelIndex& parent) const {
    return action == Qt::MoveAction && placeForDrop(data, row, parent) > 0;
}

bool RunsProxy::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
    const int place = action == Qt::MoveAction ? placeForDrop(data, row, parent) : 0;
    if (place > 0)
        emit queueMoveWanted(QString::fromUtf8(data->data(QLatin1String(kQueuedMime))), place);
    return false;  // the view removes nothing: the row moves when the queue has
}

}  // namespace trainyard::desktop
