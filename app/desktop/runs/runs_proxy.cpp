// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_proxy.h"

#include <algorithm>
#include <tuple>

#include <QMimeData>

#include "base/clock.h"

namespace trainyard::desktop {

namespace {
constexpr const char* kQueuedMime = "application/x-trainyard-queued-run";
}  // namespace

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
