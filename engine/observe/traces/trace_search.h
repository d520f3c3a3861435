// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The search language of traces: words separated by spaces that all have to fit.
//
//   all-gather          part of the name, whatever its case (- and _ are the same)
//   "aten::mm"          the same with spaces allowed
//   /gemm.*bf16/        regular expression over the name
//   dur>5ms             duration: > < >= <= = with ns, us, ms or s
//   cat:kernel          category, or family: family:matmul
//   track:stream        part of the track's name
//   rank:3  step:120    of the rank, within the step
//   arg:bytes>4096      an argument: > < >= <= = of numbers, ~ part of its text, and arg:shape alone: it has such an argument
//   !word               not
//
// An argument's name fits when it is a part of the event's key, whatever its case: shape fits "Input Dims", too.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "observe/traces/rank_set.h"

namespace trainyard::traces {

struct SearchHit {
    std::uint32_t rank = 0;  ///< index of the set
    std::uint32_t slice = 0;
};

class SearchQuery {
  public:
    /// Throws UserError with one sentence: "`dur>5` has no unit: write dur>5ms".
    explicit SearchQuery(const std::string& text);
    ~SearchQuery();
    SearchQuery(SearchQuery&&) noexcept;
    SearchQuery& operator=(SearchQuery&&) noexcept;

    bool empty() const;
    /// Slices that fit, by time on the common clock. `go_on` is asked from time to time; false ends the search.
    std::vector<SearchHit> find(const RankSet& set, const std::function<bool()>& go_on = {}) const;

  private:
    struct Term;
    std::vector<Term> terms_;
};

}  // namespace trainyard::traces
