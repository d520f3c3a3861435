#pragma once
// What ranks write, on the terminal of whoever waits for them: which streams of which ranks (--tee, --redirects,
// --local_ranks_filter), with the rank's name before each line, and copies in a log folder (--log_dir).

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/file.h"

namespace trainyard::launch {

struct RankOutputOptions {
    /// `0` nothing, `1` stdout, `2` stderr, `3` both, or for single local ranks `0:1,2:3`. Redirected streams go to files only, teed ones
    /// to files and terminal with the rank's name; the others to the terminal as they are.
    std::string redirects = "0";
    std::string tee = "0";
    std::set<int> local_ranks;      ///< whose streams are shown; empty: all
    std::filesystem::path log_dir;  ///< <log_dir>/<local rank>/stdout.log; empty: none
    std::string role = "default";   ///< [default0]:
};

class RankOutput {
  public:
    /// Throws UserError naming the flag that is wrong.
    explicit RankOutput(RankOutputOptions options);

    void write(int rank, int local_rank, std::string_view bytes, bool standard_error);
    /// Shows what has no end of line yet.
    void finish();

  private:
    struct Stream {
        bool shown = true;
        bool named = false;
        FileDescriptor file;
        std::string prefix;
        std::string pending;
    };
    Stream& stream(int rank, int local_rank, bool standard_error);

    RankOutputOptions options_;
    std::map<std::pair<int, bool>, Stream> streams_;
};

}  // namespace trainyard::launch
