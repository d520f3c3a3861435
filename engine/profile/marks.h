// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the engine knows of a step and the profiler of LibTorch does not: steps, phases, micro-batches, units, collectives, checkpoints. They become
// rows of their own in the trace (trace_file.h). While nobody records, a mark costs one relaxed load.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace trainyard::profile {

/// Rows of the engine in a trace, from top to bottom.
enum class Row : unsigned char { steps, micro_batches, units, collectives, work };
inline constexpr std::size_t kRows = 5;
const char* to_string(Row row);

struct Mark {
    Row row = Row::work;
    const char* category = "";
    std::string name;
    double begin = 0, end = 0;  ///< monotonic seconds
    std::string arguments{};    ///< members of a JSON object, e.g. `"bytes": 12`; empty: none
};

namespace detail {
inline std::atomic<bool> marking{false};
}
/// Returns true while a profiler records.
inline bool marking() {
    return detail::marking.load(std::memory_order_relaxed);
}

/// Any thread. Dropped where nobody records.
void add_mark(Mark mark);
/// One recording at a time in a process (profiler.h sees to it). What was not taken is forgotten.
void begin_marks();
/// Ends the recording. In the order in which they ended.
std::vector<Mark> take_marks();

/// Marks the time until it dies.
class Scope {
  public:
    /// `describe` gives the Mark, without times, and is called only while a profiler records.
    template <class Describe>
    explicit Scope(const Describe& describe) {
        if (marking()) {
            open_.emplace(describe());
            open_->begin = monotonic_seconds();
        }
    }
    ~Scope() {
        if (open_) {
            open_->end = monotonic_seconds();
            add_mark(std::move(*open_));
        }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    std::optional<Mark> open_;
};

inline Mark phase_mark(const char* name, double begin = 0, double end = 0) {
    return {Row::steps, "phase", name, begin, end};
}
/// Evaluation, checkpoints and whatever else training stands still for between two steps.
inline Mark work_mark(const char* category, const char* name) {
    return {Row::work, category, name};
}
/// Of one training step, named as torch.profiler names it.
Mark step_mark(std::int64_t step, double begin, double end);

/// `text` in quotes, as JSON.
std::string json_text(const std::string& text);

}  // namespace trainyard::profile
