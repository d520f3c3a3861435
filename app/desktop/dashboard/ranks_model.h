// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks of a run as rows: device, state, step, phase, memory; on several hosts below a line for each host. A rank that is behind or gone
// stands out, and so does a host that is silent. Answers widgets::CellRole.

#include <string>
#include <vector>

#include "run/state.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class RanksModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column { Rank, Place, State, Step, Phase, Memory, ColumnCount };
    using CellTable::CellTable;
    /// `machines` as in the run's state, `now` in wall seconds: for how long one has been silent.
    void setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                  const std::vector<run::MachineState>& machines = {}, double now = 0);
    /// Nothing: the line of a host.
    const run::RankState* rank(int row) const;
    /// Whether a rank has coordinates in a mesh; without them the column Place is empty.
    bool hasPlaces() const;
    bool isHost(int row) const { return rank(row) == nullptr; }

  protected:
    int rows() const override { return static_cast<int>(lines_.size()); }
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column == Step || column == Memory; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    struct Line {
        int rank = -1;  ///< index of ranks_; -1: a host
        std::string host;
        bool operator==(const Line&) const = default;
    };
    QString hostWords(const std::string& host, bool& bad) const;
    QString wordsOf(const run::RankState& rank, int column) const;
    widgets::Token ink(const run::RankState& rank, int column) const;
    std::vector<run::RankState> ranks_;
    std::vector<run::MachineState> machines_;
    std::vector<Line> lines_;
    double now_ = 0;
    int first_failed_ = -1;
};

}  // namespace trainyard::desktop
