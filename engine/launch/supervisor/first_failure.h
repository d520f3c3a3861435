// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which rank failed first? When one rank dies its peers follow within milliseconds, and their complaints may arrive before the
// news of the death. So each failing rank is a suspect with a weight, and the heaviest that came within a second is named,
// among equals the earliest.

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/state.h"

namespace trainyard::launch {

/// How much a failure explains, most first.
enum class Weight {
    cause,       ///< a signal death, or a failure that the rank itself named
    unclear,     ///< abort, or a non-zero exit without a word: a cause or a peer's consequence
    consequence  ///< the rank says that it only lost a peer
};

class FirstFailure {
  public:
    explicit FirstFailure(double window_s) : window_s_(window_s) {}

    /// A rank failed. A second report of the same rank completes the first (message, then exit).
    void suspect(const run::Failure& failure, Weight weight, double monotonic);
    bool any() const { return !suspects_.empty(); }
    /// Who it was, as soon as nothing that may still come can change it: a cause at once, else when the window closed or
    /// `all_ended`.
    const run::Failure* verdict(double monotonic, bool all_ended) const;

  private:
    struct Suspect {
        run::Failure failure;
        Weight weight;
        double arrived;
    };
    double window_s_;
    std::vector<Suspect> suspects_;
};

/// The one sentence for desktop and terminal: "rank 1 on host was killed by signal 9 (SIGKILL) at step 123 (backward)".
/// `reason` is what the rank said, or why it was killed; may be empty.
Message failure_sentence(const run::Failure& failure, const Message& reason);

/// The same for a program, of whose steps nothing is known.
Message program_failure_sentence(const run::Failure& failure, const Message& reason);

/// A rank that we ended was killed for another reason: "by the kernel's out-of-memory killer: ...".
Message killed_rank_sentence(const run::RankState& rank, const Message& reason);

/// `signal 9 (SIGKILL)`
Message signal_text(int number);

}  // namespace trainyard::launch
