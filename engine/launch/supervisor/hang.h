#pragma once
// Who holds up a run that does not get on? From what each rank last said: those that wait in a collective wait for one that has not come
// to it. Names that rank and what it was doing, and keeps a record of all of them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::launch {

/// What is known of a rank at one moment.
struct RankStatus {
    int rank = 0;
    std::string host;
    double silent_s = 0;  ///< since its last word
    double still_s = 0;   ///< since its step, phase or collective last changed
    std::int64_t step = 0;
    std::string phase;
    std::string collective;  ///< the newest that it took part in: "all_reduce #31 grads"
    std::string waits_for;   ///< the one that it waits in; empty: in none
    Message condition;       ///< what its machine sees: "is stopped (SIGSTOP)"

    void fields(auto& field) const {
        field("rank", rank)("host", host)("silent_s", silent_s)("unchanged_s", still_s)("step", step)("phase", phase);
        field("last_collective", collective)("waits_for", waits_for)("condition", condition);
    }
};

/// The number of "all_reduce #31 grads"; -1: none.
std::int64_t collective_number(const std::string& collective);

/// The rank that the others wait for: one that its machine sees stopped or that fell silent, else one that is not in the collective
/// that others wait in, else the one that is furthest behind. Nothing when all are at the same place. `silence_s`: so long without a
/// word is silence.
std::optional<int> rank_behind(const std::vector<RankStatus>& ranks, double silence_s);

/// "ranks 0, 2 and 3 wait in all_reduce #31 grads; rank 1 on gpu-b is in forward at step 12 and is stopped (SIGSTOP)". Says so where ranks
/// call collectives in another order than the others: same number, another operation or name.
Message hang_sentence(const std::vector<RankStatus>& ranks, std::optional<int> behind);

/// A JSON document with a table of all ranks. `time`: wall seconds.
std::string flight_record(const std::vector<RankStatus>& ranks, std::optional<int> behind, const Message& sentence,
                          int generation, double time);

/// Ranks whose own time of a step (without waiting for others) is far above that of the others: at least 1 s more and 1.5 times the
/// others' median, in two steps in a row. Finer differences are the ranks' own business (train/loop/straggler.h).
class SlowRanks {
  public:
    /// A rank has done `step`, for which it needed `own_seconds` itself. The sentence to tell, once per rank and 100 steps.
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
