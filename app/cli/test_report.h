#pragma once
// What `trainyard test` says: the stages that passed, what was measured between the ranks as a table, and a sentence for each link that
// is far slower than the others. The figures come as events of rank 0 (worker/selfcheck.h).

#include <string>
#include <vector>

#include "run/journal.h"
#include "run/state.h"

namespace trainyard::cli {

struct SelfCheckPassed {
    std::string name, done;
    double seconds = 0;
};

/// Of one message, or one all-reduce of all ranks, with so many bytes.
struct SizeFigure {
    double bytes = 0, seconds = 0;
};

struct LinkFigures {
    int first = -1, second = -1;    ///< ranks; -1: all of them together
    std::string from, to;           ///< their hosts; empty: not known
    double latency_s = 0;           ///< of the middle round
    double least_latency_s = 0;     ///< of the fastest round, to compare links with
    double bytes_per_s = 0;         ///< of the fastest round of all sizes that are large enough
    std::vector<SizeFigure> sizes;  ///< rising

    bool between_hosts() const { return from != to; }
    /// Of the size; 0: not measured, the link was too slow for it in the time it got.
    double rate_at(double bytes) const;
};

class SelfCheckReport {
  public:
    /// Takes an event of the run; true when it was a stage that passed (passed().back()).
    bool take(const run::Event& event);
    /// Which rank is where.
    void name_hosts(const std::vector<run::RankState>& ranks);

    const std::vector<SelfCheckPassed>& passed() const { return passed_; }
    const std::vector<LinkFigures>& pairs() const { return pairs_; }
    /// Links between hosts whose bandwidth is under a quarter of the best one's, or whose least latency is over a
    /// millisecond and ten times that of the nearest; with what there is to do. A host all of whose links are slow is
    /// named once.
    std::vector<std::string> remarks() const;

    /// The table of what was measured and the remarks; empty where nothing was.
    std::string text() const;
    /// Members of a JSON object: checks, all_reduce, pairs, remarks. `state`: how the run ended.
    std::string json(const run::RunState& state, int ranks, double seconds) const;

  private:
    std::vector<SelfCheckPassed> passed_;
    std::vector<LinkFigures> pairs_;
    LinkFigures together_;
};

/// `ok  parity  1.2 s  what was done`
std::string line_of(const SelfCheckPassed& check);

}  // namespace trainyard::cli
