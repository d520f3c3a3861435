// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/ranks_model.h"

#include <algorithm>

#include "base/text.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"

namespace trainyard::desktop {

using widgets::Token;

namespace {

constexpr double kSilent = 5;   // seconds; hosts speak every second
constexpr int kResumable = 75;  // exit code of a rank that saved and stopped on request

QString state_word(const run::RankState& rank) {
    if (rank.signal)
        return RanksModel::tr("signal %1").arg(*rank.signal);
    if (rank.exit_code == kResumable)
        return RanksModel::tr("stopped");
    if (rank.exit_code && *rank.exit_code != 0)
        return RanksModel::tr("exit %1").arg(*rank.exit_code);
    return rank_state_word(rank.state);
}

/// "Most at any time:", and a line for each part.
QString memory_words(const run::RankMemory& memory) {
    QStringList lines{RanksModel::tr("Most at any time:")};
    const auto add = [&](const QString& line, std::uint64_t bytes) {
        if (bytes > 0)
            lines << line.arg(qtNumber(text::memory_size(bytes)));
    };
    add(RanksModel::tr("Weights: %1"), memory.weights);
    add(RanksModel::tr("Weights of the units that compute: %1"), memory.rooms);
    add(RanksModel::tr("Gradients: %1"), memory.gradients);
    add(RanksModel::tr("Optimizer state: %1"), memory.optimizer_state);
    add(RanksModel::tr("Cache of state on a disk: %1"), memory.disk_cache);
    add(RanksModel::tr("Activations: %1"), memory.step);
    return lines.join(QLatin1Char('\n'));
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
    cellsChanged();
}

const run::RankState* RanksModel::rank(int row) const {
    const int at = lines_[static_cast<std::size_t>(row)].rank;
    return at < 0 ? nullptr : &ranks_[static_cast<std::size_t>(at)];
}

bool RanksModel::hasPlaces() const {
    return std::ranges::any_of(ranks_, [](const run::RankState& rank) { return !rank.place.empty(); });
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

QString RanksModel::wordsOf(const run::RankState& rank, int column) const {
    switch (column) {
        case Rank:
            return QString::number(rank.rank);
        case Place:
            return qt(rank.place);
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
    return column == Phase || column == Place ? Token::TextSecondary : Token::Text;
}

widgets::Cell RanksModel::cell(int row, int column) const {
    widgets::Cell cell;
    if (isHost(row)) {
        bool bad = false;
        const QString words = hostWords(lines_[static_cast<std::size_t>(row)].host, bad);
        cell.text = column == 0 ? words : QString();
        cell.strong = true;
        cell.ink = bad ? Token::Error : Token::Text;
        return cell;
    }
    cell.text = wordsOf(*rank(row), column);
    cell.mono = column != State;
    cell.ink = ink(*rank(row), column);
    return cell;
}

QString RanksModel::tip(int row, int column) const {
    if (isHost(row)) {
        bool bad = false;
        return hostWords(lines_[static_cast<std::size_t>(row)].host, bad);
    }
    const run::RankState& rank = *this->rank(row);
    if (column == Memory && rank.memory)
        return memory_words(*rank.memory);
    const QString words = tr("Rank %1 on %2, %3, process %4")
                              .arg(qt(run::rank_name(rank.rank, rank.place)), qt(rank.host), qt(rank.device))
                              .arg(rank.process.pid);
    return rank.last_collective.empty()
               ? words
               : words + QLatin1Char('\n') + tr("last collective: %1").arg(qt(rank.last_collective));
}

QString RanksModel::title(int column) const {
    // In the order of Column.
    static constexpr const char* titles[]{QT_TR_NOOP("Rank"), QT_TR_NOOP("Place"), QT_TR_NOOP("State"),
                                          QT_TR_NOOP("Step"), QT_TR_NOOP("Phase"), QT_TR_NOOP("Memory")};
    return tr(titles[column]);
}

}  // namespace trainyard::desktop
