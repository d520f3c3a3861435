// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/log_list_model.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "desktop/sources/log_record.h"
#include "desktop/text/qt_text.h"
#include "widgets/local_text.h"
#include "widgets/plot/number_text.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kInterval = 300;       // ms between two looks at last values
constexpr double kLiveSeconds = 60;  // grew within
}  // namespace

LogListModel::LogListModel(QObject* parent) : QAbstractListModel(parent) {
    widgets::act_after(due_, kInterval, this, [this] {
        if (!shown_.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
    });
}

void LogListModel::add(const std::vector<LogRecord*>& records) {
    bool ticked = false;
    for (LogRecord* record : records) {
        Row row;
        row.record = record;
        row.ticked = chosen_ ? wanted_.contains(record->placeName()) : tickCount() < kFirstTicks;
        ticked = ticked || row.ticked;
        rows_.push_back(row);
        auto news = [this] { widgets::start_unless_active(due_); };
        connect(record, &CurveSource::curvesChanged, this, news);
        connect(record, &CurveSource::complaintsChanged, this, news);
        connect(record, &LogRecord::labelsChanged, this, [this] {
            widgets::start_unless_active(due_);
            if (!filter_.isEmpty())
                show();
        });
    }
    std::sort(rows_.begin(), rows_.end(),
              [](const Row& a, const Row& b) { return natural_less(a.record->placeName(), b.record->placeName()); });
    findTail();
    show();
    if (ticked)
        emit ticksChanged();
}

void LogListModel::findTail() {
    tail_.clear();
    if (rows_.size() < 2)
        return;
    const QString first = rows_.front().record->placeName();
    const qsizetype slash = first.lastIndexOf(QLatin1Char('/'));
    if (slash <= 0)
        return;
    const QString tail = first.mid(slash);
    if (std::all_of(rows_.begin(), rows_.end(),
                    [&tail](const Row& row) { return row.record->placeName().endsWith(tail); }))
        tail_ = tail;
}

void LogListModel::show() {
    beginResetModel();
    shown_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (const LogRecord& record = *rows_[i].record;
            filter_.matches(record.placeName()) ||
            filter_.matches(record.name() + QLatin1Char(' ') + record.labels().join(QLatin1Char(' '))))
            shown_.push_back(static_cast<int>(i));
    endResetModel();
}

QString LogListModel::setFilter(const QString& words) {
    filter_.setWords(words);
    if (filter_.problem().isEmpty())
        show();
    return filter_.problem();
}

LogRecord* LogListModel::record(int row) const {
    return rowAt(row).record;
}

QVector<LogRecord*> LogListModel::ticked() const {
    QVector<LogRecord*> list;
    for (const Row& row : rows_)
        if (row.ticked && list.size() < kMostTicks)
            list << row.record;
    return list;
}

int LogListModel::tickCount() const {
    return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.ticked; }));
}

void LogListModel::setTicks(const QStringList& names) {
    wanted_ = QSet<QString>(names.begin(), names.end());
    chosen_ = true;
    for (Row& row : rows_)
        row.ticked = wanted_.contains(row.record->placeName());
    if (!rows_.empty()) {
        show();
        emit ticksChanged();
    }
}

QStringList LogListModel::ticks() const {
    // Selected logs that do not exist (yet) stay selected, for when they appear.
    QStringList names(wanted_.begin(), wanted_.end());
    if (!chosen_)
        for (const Row& row : rows_)
            if (row.ticked)
                names << row.record->placeName();
    names.sort();
    return names;
}

void LogListModel::choose(Row& row, bool on) {
    if (!chosen_) {
        chosen_ = true;
        for (const Row& other : rows_)
            if (other.ticked)
                wanted_.insert(other.record->placeName());
    }
    row.ticked = on;
    if (on)
        wanted_.insert(row.record->placeName());
    else
        wanted_.remove(row.record->placeName());
}

void LogListModel::tellChosen() {
    emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
    emit ticksChanged();
    emit ticksChosen();
}

void LogListModel::tickOnly(int row) {
    for (Row& other : rows_)
        choose(other, false);
    choose(rowAt(row), true);
    tellChosen();
}

void LogListModel::tickShown(bool on) {
    for (const int at : shown_)
        choose(rows_[static_cast<std::size_t>(at)], on);
    if (shown_.empty())
        return;
    tellChosen();
}

Qt::CheckState LogListModel::shownState() const {
    const auto on = std::count_if(shown_.begin(), shown_.end(),
                                  [this](int at) { return rows_[static_cast<std::size_t>(at)].ticked; });
    return on == 0                                            ? Qt::Unchecked
           : on == static_cast<std::ptrdiff_t>(shown_.size()) ? Qt::Checked
                                                              : Qt::PartiallyChecked;
}

std::string LogListModel::mainTag(const std::vector<TagInfo>& tags) {
    static const std::array<std::string, 10> known{"train/loss", "loss",      "loss/train", "train_loss", "Loss/train",
                                                   "epoch_loss", "eval/loss", "val/loss",   "val_loss",   "accuracy"};
    for (const std::string& name : known)
        for (const TagInfo& tag : tags)
            if (tag.kind == TagKind::Scalar && tag.tag == name)
                return name;
    for (const TagInfo& tag : tags)
        if (tag.kind == TagKind::Scalar)
            return tag.tag;
    return {};
}

int LogListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant LogListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    Row& row = rowAt(index.row());
    const LogRecord& record = *row.record;
    if (row.tags_seen != record.tags().size()) {
        row.tag = mainTag(record.tags());
        row.tags_seen = record.tags().size();
    }
    switch (role) {
        case Qt::CheckStateRole:
            return row.ticked ? Qt::Checked : Qt::Unchecked;
        case Qt::DisplayRole:
            return record.name() == record.placeName() ? record.placeName().chopped(tail_.size()) : record.name();
        case Qt::AccessibleTextRole:
            return record.name();
        case Qt::ToolTipRole: {
            QStringList lines{qt(record.place().string())};
            if (record.name() != record.placeName())
                lines.prepend(record.name());
            if (!record.labels().isEmpty())
                lines << tr("Tags: %1").arg(widgets::list_text(record.labels()));
            if (!record.note().isEmpty())
                lines << record.note();
            if (!row.tag.empty())
                lines << tr("The figure is the last value of %1.").arg(qt(row.tag));
            lines << record.complaints();
            return lines.join(QLatin1Char('\n'));
        }
        case ColorRole:
            return record.colorNumber();
        case ValueRole: {
            const widgets::Series& series = record.series(row.tag);
            return row.tag.empty() || series.empty() ? QString()
                                                     : widgets::value_number(series.value(series.size() - 1), 4);
        }
        case LiveRole:
            return record.isCaughtUp() && wall_seconds() - record.lastNews() < kLiveSeconds;
        case WarnRole:
            return !record.complaints().isEmpty();
        default:
            return {};
    }
}

bool LogListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid())
        return false;
    choose(rowAt(index.row()), value.toInt() == static_cast<int>(Qt::Checked));
    tellChosen();
    return true;
}

void LogListModel::toggle(const QModelIndex& index) {
    const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    setData(index, static_cast<int>(on ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

Qt::ItemFlags LogListModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable;
}

}  // namespace trainyard::desktop
