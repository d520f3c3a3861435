// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds the rank that blocks a hanging run, from the last report of each rank: ranks that wait in a collective wait for
// one that has not entered it. Names that rank and its activity, and keeps a record of all ranks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::launch {

/// Snapshot of the state of a rank.
struct RankStatus {
    int rank = 0;
    std::string place;  ///< as in run::RankState
    std::string host;
    double silent_s = 0;  ///< since its last message
    double still_s = 0;   ///< since its step, phase or collective last changed
    std::int64_t step = 0;
    std::string phase;
    std::string collective;  ///< the newest that it took part in: "all_reduce #31 grads"
    std::string waits_for;   ///< the one that it waits in; empty: in none
    Message condition;       ///< what its machine sees: "is stopped (SIGSTOP)"

    void fields(auto& field) const {
        field("rank", rank)("place", place)
            .omit_if_default()("host", host)("silent_s", silent_s)("unchanged_s", still_s)("step", step)("phase",
                                                                                                         phase);
        field("last_collective", collective)("waits_for", waits_for)("condition", condition);
    }
};

/// Returns the number of "all_reduce #31 grads"; -1: none.
std::int64_t collective_number(const std::string& collective);

/// Returns the rank that the others wait for: one that its machine reports as stopped or that sends no messages, else
/// one that is not in the collective that others wait in, else the one with the least progress. Empty if all are at the
/// same place. `silence_s`: seconds without a message after which a rank counts as silent.
std::optional<int> rank_behind(const std::vector<RankStatus>& ranks, double silence_s);

/// "ranks 0, 2 and 3 wait in all_reduce #31 grads; rank 1 on gpu-b is in forward at step 12 and is stopped (SIGSTOP)". Says so where ranks
/// call collectives in another order than the others: same number, another operation or name.
Message hang_sentence(const std::vector<RankStatus>& ranks, std::optional<int> behind);

/// A JSON document with a table of all ranks. `time`: wall seconds.
std::string flight_record(const std::vector<RankStatus>& ranks, std::optional<int> behind, const Message& sentence,
                          int generation, double time);

/// Ranks whose own time of a step (without waiting for others) is far above that of the others: at least 1 s more and 1.5 times the
/// others' median, in two steps in a row. Smaller differences are reported by the ranks themselves
/// (train/loop/straggler.h).
class SlowRanks {
  public:
    /// Records that a rank has done `step` in `own_seconds` of its own. Returns the message to show, at most once per
    /// rank and 100 steps.
    std::optional<Message> step(int rank, std::int64_t step, double own_seconds, int ranks);

  private:
    struct Seen {
        std::int64_t step = -1;
        double seconds = 0;
        int slow = 0;
        std::int64_t told = -1;
    };
    std::vector<Seen> seen_;
};

}  // namespace trainyard::launch
