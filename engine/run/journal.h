// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// events.jsonl: one line per happening, append-only. A torn last line does not exist yet.

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/paths.h"

namespace trainyard::run {

struct Event {
    double time = 0;         ///< wall seconds (ISO in the file)
    std::int64_t step = -1;  ///< -1: not tied to a step
    /// phase checkpoint best evaluation restart nan spike oom straggler request rate profile warning failure note; of
    /// `trainyard test` (worker/selfcheck.h) also check (a stage that passed), all_reduce, pair.
    std::string kind;
    int rank = -1;     ///< -1: the run as a whole
    Message text;      ///< one sentence
    std::string path;  ///< file or folder it is about, relative to the run; may be empty
    double value = 0;  ///< loss of an evaluation, bytes of a checkpoint, metric of the best; 0 when without meaning

    void fields(auto& field) const {
        field("time", time).time();
        field("step", step).null_if_default();
        field("kind", kind);
        field("rank", rank).null_if_default();
        field("text", text);
        field("path", path).omit_if_default();
        field("value", value).omit_if_default();
    }
};

std::string to_json(const Event& event);
/// Throws UserError naming `origin` when the text is not an event. Unknown keys are ignored.
Event parse_event(const std::string& json, const std::string& origin);
/// One write(2). A torn line that an earlier writer left is closed first, so that it cannot swallow this one.
void append_event(const RunPaths& run, const Event& event);

/// Reads what was appended since the last call; survives a missing file, torn lines and truncation. If that is more
/// than 64 MB or 200,000 lines, which no run writes, only the end is read.
class JournalReader {
  public:
    explicit JournalReader(fs::path file) : file_(std::move(file)) {}
    std::vector<Event> poll();

  private:
    fs::path file_;
    std::uint64_t position_ = 0;
};

}  // namespace trainyard::run
