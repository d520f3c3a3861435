#include "desktop/dashboard/ranks_model.h"

#include <algorithm>

#include "base/text.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/qt_text.h"
#include "desktop/words.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

using widgets::Token;

namespace {

constexpr double kSilent = 5;   // seconds; hosts speak every second
constexpr int kResumable = 75;  // a rank that saved and stopped because somebody asked

QString state_word(const run::RankState& rank) {
    if (rank.signal)
        return RanksModel::tr("signal %1").arg(*rank.signal);
    if (rank.exit_code == kResumable)
        return RanksModel::tr("stopped");
    if (rank.exit_code && *rank.exit_code != 0)
        return RanksModel::tr("exit %1").arg(*rank.exit_code);
    return rank_state_word(rank.state);
}

bool isNumber(int column) {
    return column == RanksModel::Step || column == RanksModel::Memory;
}

bool is_bad(const run::RankState& rank) {
    return rank.signal || rank.state == "failed" || rank.state == "killed";
}

}  // namespace

void RanksModel::setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                          const std::vector<run::MachineState>& machines, double now) {
    first_failed_ = first_failed;
    machines_ = machines;
    now_ = now;
    const std::vector<std::string> hosts = hosts_of(ranks);
    std::vector<Line> lines;
    for (const std::string& host : hosts) {
        if (hosts.size() > 1)
            lines.push_back({-1, host});
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (ranks[i].host == host)
                lines.push_back({static_cast<int>(i), host});
    }
    if (lines != lines_) {
        beginResetModel();
        ranks_ = ranks;
        lines_ = lines;
        endResetModel();
        return;
    }
    ranks_ = ranks;
    if (!lines_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const run::RankState* RanksModel::rank(int row) const {
    const int at = lines_[static_cast<std::size_t>(row)].rank;
    return at < 0 ? nullptr : &ranks_[static_cast<std::size_t>(at)];
}

QString RanksModel::hostWords(const std::string& host, bool& bad) const {
    int all = 0, running = 0;
    for (const run::RankState& rank : ranks_)
        if (rank.host == host) {
            ++all;
            running += rank.state == "running";
        }
    const QString words = tr("%1  ·  %2 of %3 running").arg(qt(host)).arg(running).arg(all);
    const auto machine = std::ranges::find(machines_, host, &run::MachineState::host);
    if (machine == machines_.end())
        return words;
    const double silence = machine->last_contact > 0 ? now_ - machine->last_contact : 0;
    const bool silent = machine->state == "running" && silence > kSilent;
    bad = silent || machine->state == "lost";
    return silent                        ? tr("%1  ·  silent for %2 s").arg(qt(host)).arg(qRound(silence))
           : machine->state == "lost"    ? tr("%1  ·  lost").arg(qt(host))
           : machine->state == "waiting" ? tr("%1  ·  awaited").arg(qt(host))
                                         : words;
}

int RanksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int RanksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString RanksModel::words(const run::RankState& rank, int column) const {
    switch (column) {
        case Rank:
            return QString::number(rank.rank);
        case State:
            return state_word(rank);
        case Step:
            return stepText(rank.step);
        case Phase:
            return rank.exit_code || rank.signal || rank.phase.empty() ? QStringLiteral("–") : phase_word(rank.phase);
        default:
            return rank.resident_bytes == 0
                       ? QStringLiteral("–")
                       : qtNumber(text::memory_size(rank.resident_bytes)).replace(u' ', QChar(0xA0));
    }
}

Token RanksModel::ink(const run::RankState& rank, int column) const {
    if ((column == State && is_bad(rank)) || (column == Rank && rank.rank == first_failed_))
        return Token::Error;
    if (column == State && rank.state == "running")
        return Token::Ok;
    return column == Phase ? Token::TextSecondary : Token::Text;
}

QVariant RanksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != widgets::CellRole && role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    widgets::Cell cell;
    QString tip;
    if (isHost(index.row())) {
        bool bad = false;
        tip = hostWords(lines_[static_cast<std::size_t>(index.row())].host, bad);
        cell.text = index.column() == 0 ? tip : QString();
        cell.strong = true;
        cell.ink = bad ? Token::Error : Token::Text;
    } else {
        const run::RankState& rank = *this->rank(index.row());
        cell.text = words(rank, index.column());
        cell.mono = index.column() != State;
        cell.ink = ink(rank, index.column());
        cell.alignment = isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft;
        tip = tr("Rank %1 on %2, %3, process %4")
                  .arg(rank.rank)
                  .arg(qt(rank.host), qt(rank.device))
                  .arg(rank.process.pid);
        if (!rank.last_collective.empty())
            tip += QLatin1Char('\n') + tr("last collective: %1").arg(qt(rank.last_collective));
    }
    return role == widgets::CellRole ? QVariant::fromValue(cell)
           : role == Qt::DisplayRole ? QVariant(cell.text)
                                     : QVariant(tip);
}

QVariant RanksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[ColumnCount] = {tr("Rank"), tr("State"), tr("Step"), tr("Phase"), tr("Memory")};
    return titles[section];
}

}  // namespace trainyard::desktop
