// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Report of `trainyard test`: the stages that passed, a table of the measurements between ranks, and a message for each
// link that is far slower than the others. The figures come as events of rank 0 (worker/selfcheck.h).

#include <string>
#include <vector>

#include "run/journal.h"
#include "run/state.h"

namespace trainyard::cli {

struct SelfCheckPassed {
    std::string name, done;
    double seconds = 0;
};

/// Measurements of one message, or of one all-reduce of all ranks, of this size.
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
    /// Bandwidth at this size; 0 if it was not measured because the link was too slow for the time limit.
    double rate_at(double bytes) const;
};

class SelfCheckReport {
  public:
    /// Takes an event of the run. Returns true if it reports a stage that passed (passed().back()).
    bool take(const run::Event& event);
    /// Sets the host of each rank.
    void name_hosts(const std::vector<run::RankState>& ranks);

    const std::vector<SelfCheckPassed>& passed() const { return passed_; }
    const std::vector<LinkFigures>& pairs() const { return pairs_; }
    /// Returns a message with advice for each link between hosts whose bandwidth is below a quarter of the best link's,
    /// or whose lowest latency exceeds one millisecond and ten times that of the fastest link. A host whose links are
    /// all slow is named once.
    std::vector<std::string> remarks() const;

    /// Returns the table of measurements and the remarks; empty without measurements.
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
