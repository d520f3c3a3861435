#include "widgets/plot/log_model.h"

#include <QElapsedTimer>

namespace trainyard::widgets {

namespace {
constexpr int kSlice = 8;  // ms
constexpr std::size_t kLinesBetweenLooks = 512;
}  // namespace

LogModel::LogModel(QObject* parent) : QAbstractTableModel(parent) {
    timer_.setInterval(0);
    connect(&timer_, &QTimer::timeout, this, &LogModel::filterSlice);
}

void LogModel::append(std::shared_ptr<const LogBlock> block) {
    if (block->lines.empty())
        return;
    if (filter_.passesAll()) {
        const int added = static_cast<int>(block->lines.size());
        beginInsertRows({}, shown_, shown_ + added - 1);
        store_.append(std::move(block));
        shown_ += added;
        endInsertRows();
    } else {
        store_.append(std::move(block));
        timer_.start();
    }
    emit countChanged();
}

void LogModel::clear() {
    beginResetModel();
    timer_.stop();
    store_.clear();
    rows_.clear();
    looked_at_ = 0;
    shown_ = 0;
    endResetModel();
    emit countChanged();
}

void LogModel::setFilter(const LogFilter& filter) {
    beginResetModel();
    filter_ = filter;
    rows_.clear();
    looked_at_ = 0;
    shown_ = filter_.passesAll() ? static_cast<int>(store_.size()) : 0;
    endResetModel();
    if (filter_.passesAll()) {
        timer_.stop();
        emit countChanged();
    } else {
        timer_.start();
    }
}

void LogModel::filterSlice() {
    QElapsedTimer clock;
    clock.start();
    std::vector<std::uint32_t> found;
    while (looked_at_ < store_.size()) {
        if (filter_.matches(store_.line(looked_at_), store_.text(looked_at_)))
            found.push_back(static_cast<std::uint32_t>(looked_at_));
        if (++looked_at_ % kLinesBetweenLooks == 0 && clock.elapsed() >= kSlice)
            break;
    }
    if (looked_at_ == store_.size())
        timer_.stop();
    if (!found.empty()) {
        beginInsertRows({}, shown_, shown_ + static_cast<int>(found.size()) - 1);
        rows_.insert(rows_.end(), found.begin(), found.end());
        shown_ = static_cast<int>(rows_.size());
        endInsertRows();
    }
    emit countChanged();
}

std::size_t LogModel::lineOfRow(int row) const {
    return filter_.passesAll() ? static_cast<std::size_t>(row) : rows_[static_cast<std::size_t>(row)];
}

QString LogModel::copyText(int row) const {
    const std::size_t at = lineOfRow(row);
    const std::string_view text = store_.text(at);
    const int rank = store_.line(at).rank;
    return (rank < 0 ? QStringLiteral("supervisor") : QStringLiteral("r%1").arg(rank)) + QStringLiteral("  ") +
           QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shown_;
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
        return {};
    return copyText(index.row());
}

}  // namespace trainyard::widgets
