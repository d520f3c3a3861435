// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What ranks write, beside their logs: which streams of which ranks (--tee, --redirects, --local_ranks_filter) are shown, with the rank's name
// before each line, and which have copies in a log folder (--log_dir). The words and their meaning are torchrun's.

#include <climits>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_descriptor.h"
#include "run/spec.h"

namespace trainyard::launch {

/// run::OutputSpec, understood. `redirects` and `tee`: `0` nothing, `1` stdout, `2` stderr, `3` both, or for single local ranks `0:1,2:3`.
class StreamRules {
  public:
    /// Throws UserError naming the flag that is wrong.
    explicit StreamRules(const run::OutputSpec& spec);

    bool is_teed(int local_rank, bool standard_error) const;
    bool is_redirected(int local_rank, bool standard_error) const;
    bool is_chosen(int local_rank) const { return local_ranks_.empty() || local_ranks_.contains(local_rank); }
    bool tees_anything() const;

  private:
    run::OutputSpec spec_;
    std::set<int> local_ranks_;  ///< whose streams are shown; empty: all
};

/// Forwards the streams that are shown to the user: teed ones line by line with the rank's name (`[default0]:`), others
/// as they are, redirected ones not.
class RankOutput {
  public:
    using Sink = std::function<void(std::string_view bytes, bool standard_error)>;
    struct Options {
        std::string role = "default";  ///< [default0]:
        bool teed_only = false;        ///< recipes: the others are in the logs alone
        Sink sink = {};                ///< empty: the terminal
    };
    explicit RankOutput(const run::OutputSpec& spec) : RankOutput(spec, Options{}) {}
    RankOutput(const run::OutputSpec& spec, Options options);

    void write(int rank, int local_rank, std::string_view bytes, bool standard_error);
    /// Shows pending text that does not end in a newline yet.
    void finish();

  private:
    StreamRules rules_;
    Options options_;
    std::map<std::pair<int, bool>, std::string> pending_;
};

/// <log_dir>/<local rank>/stdout.log and stderr.log of the teed and the redirected streams of one machine's ranks.
class RankFiles {
  public:
    /// Ranks from `ranks_here` on are those of other machines, which write their files themselves. Throws UserError when the folder cannot be
    /// written.
    explicit RankFiles(const run::OutputSpec& spec, int ranks_here = INT_MAX);

    /// Never throws: output that cannot be written here is still in the run's own logs.
    void write(int rank, int local_rank, std::string_view bytes, bool standard_error);

  private:
    StreamRules rules_;
    std::filesystem::path folder_;  ///< empty: none
    int ranks_here_;
    std::map<std::pair<int, bool>, FileDescriptor> files_;
};

}  // namespace trainyard::launch
