#include "desktop/runs/runs_model.h"

#include <cmath>

#include <QSet>

#include "base/clock.h"
#include "desktop/words.h"
#include "widgets/cell_delegate.h"

namespace trainyard::desktop {

using widgets::Cell;
using widgets::Token;

void RunsModel::setRuns(const RunSummaries& runs) {
    QSet<QString> wanted;
    for (const RunSummary& run : runs)
        wanted.insert(run.id);
    for (int row = static_cast<int>(runs_.size()) - 1; row >= 0; --row)
        if (!wanted.contains(runs_[row].id)) {
            beginRemoveRows({}, row, row);
            runs_.removeAt(row);
            endRemoveRows();
        }
    // Both lists are newest first, so what is new can be put in place in one walk.
    for (int row = 0; row < runs.size(); ++row) {
        if (row < runs_.size() && runs_[row].id == runs[row].id) {
            if (runs_[row] == runs[row])
                continue;
            runs_[row] = runs[row];
            emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
        } else {
            beginInsertRows({}, row, row);
            runs_.insert(row, runs[row]);
            endInsertRows();
        }
    }
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const RunSummary& run = runs_[index.row()];
    switch (role) {
        case widgets::CellRole:
            return cell(run, index.column());
        case SortRole:
            return sortValue(run, index.column());
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return plainText(run, index.column());
        case Qt::ToolTipRole:
            if (index.column() == State)
                return run.failure.isEmpty() ? run.message : run.failure;
            if (index.column() == Started && run.created > 0)
                return absoluteTime(run.created);
            if (index.column() == Name)
                return run.path;
            return {};
        default:
            return {};
    }
}

QString RunsModel::plainText(const RunSummary& run, int column) const {
    switch (column) {
        case Name:
            return run.name;
        case State:
            return phaseWord(run.phase);
        case Train:
            return lossText(run.loss);
        case Validation:
            return lossText(run.validationLoss);
        case Rate:
            return rateText(run.tokensPerSecond);
        case Step:
            return run.phase == RunPhase::Unreadable ? QString() : stepText(run.step);
        case Hosts:
            return run.hosts.join(QStringLiteral(", "));
        case Ranks:
            return run.ranks > 0 ? QString::number(run.ranks) : QString();
        case Started:
            return relativeTime(run.created, wall_seconds());
        default:
            return {};
    }
}

QVariant RunsModel::cell(const RunSummary& run, int column) const {
    Cell cell;
    cell.run_number = run.number;
    cell.text = plainText(run, column);
    switch (column) {
        case Name:
            cell.swatch = true;
            cell.strong = true;
            break;
        case State:
            cell.chip = phaseChip(run.phase);
            if (run.isLive() && run.of > 0 && run.step > 0)
                cell.progress = run.share();
            break;
        case Curve:
            cell.spark = run.spark;
            break;
        case Train:
        case Validation:
        case Rate:
        case Step:
        case Ranks: {
            cell.mono = true;
            cell.alignment = Qt::AlignRight;
            const std::optional<double>& loss = column == Train ? run.loss : run.validationLoss;
            if (column == Ranks)
                cell.ink = Token::TextSecondary;
            else if ((column == Train || column == Validation) && loss && !std::isfinite(*loss))
                cell.ink = Token::Error;
            break;
        }
        case Hosts:
        case Started:
            cell.ink = Token::TextSecondary;
            break;
        default:
            break;
    }
    return QVariant::fromValue(cell);
}

QVariant RunsModel::sortValue(const RunSummary& run, int column) const {
    switch (column) {
        case Name:
            return run.name.toLower();
        case State:
            return static_cast<int>(run.phase);
        case Train:
        case Curve:
            return run.loss.value_or(INFINITY);
        case Validation:
            return run.validationLoss.value_or(INFINITY);
        case Rate:
            return run.tokensPerSecond.value_or(-1);
        case Step:
            return static_cast<qlonglong>(run.step);
        case Hosts:
            return run.hosts.join(QLatin1Char(','));
        case Ranks:
            return run.ranks;
        default:
            // Runs that cannot be read have no time, but their id begins with one.
            return run.id;
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const bool number = section >= Train && section <= Step;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((number || section == Ranks ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Name:
            return tr("Name");
        case State:
            return tr("State");
        case Curve:
            return tr("Train loss");
        case Train:
            return tr("Train");
        case Validation:
            return tr("Val");
        case Rate:
            return tr("Tokens/s");
        case Step:
            return tr("Step");
        case Hosts:
            return tr("Hosts");
        case Ranks:
            return tr("Ranks");
        case Started:
            return tr("Started");
        default:
            return {};
    }
}

RunsProxy::RunsProxy(RunsModel* model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(model);
    setDynamicSortFilter(true);
    sort(RunsModel::Started, Qt::DescendingOrder);
}

QString RunsProxy::setFilterText(const QString& text) {
    QString sentence = RunFilter::parse(text, filter_);
    if (sentence.isEmpty())
        invalidateFilter();
    return sentence;
}

void RunsProxy::setSegment(RunSegment segment) {
    segment_ = segment;
    invalidateFilter();
}

const RunSummary& RunsProxy::at(const QModelIndex& index) const {
    return model_->at(mapToSource(index).row());
}

bool RunsProxy::filterAcceptsRow(int row, const QModelIndex&) const {
    const RunSummary& run = model_->at(row);
    return inSegment(run, segment_) && filter_.matches(run, wall_seconds());
}

bool RunsProxy::lessThan(const QModelIndex& a, const QModelIndex& b) const {
    const RunSummary& left = model_->at(a.row());
    const RunSummary& right = model_->at(b.row());
    if (left.isLive() != right.isLive())
        return left.isLive() == (sortOrder() == Qt::AscendingOrder);
    const QVariant x = model_->data(a, RunsModel::SortRole);
    const QVariant y = model_->data(b, RunsModel::SortRole);
    const QPartialOrdering order = QVariant::compare(x, y);
    if (order == QPartialOrdering::Equivalent)
        return left.id < right.id;
    return order == QPartialOrdering::Less;
}

}  // namespace trainyard::desktop
