// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of a range went: computing alone, computing while communicating, communication that nothing hid, waiting for data, idle.
// The five parts add up to the range.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "observe/traces/intervals.h"
#include "observe/traces/trace.h"

namespace trainyard::traces {

/// The kind of events that a share was computed from.
enum class ShareSource : std::uint8_t {
    device,      ///< kernels and copies: the device's own times
    phases,      ///< phases of the engine's step, collectives beside them
    operations,  ///< operators of the host: a trace of a program on the processor
};
const char* to_string(ShareSource source);

struct Share {
    ShareSource source = ShareSource::operations;
    std::int64_t total = 0;       ///< ns
    std::int64_t compute = 0;     ///< alone
    std::int64_t overlapped = 0;  ///< computing and communicating
    std::int64_t exposed = 0;     ///< communicating alone
    std::int64_t data = 0;        ///< waiting for data, doing nothing else
    std::int64_t idle = 0;

    std::int64_t communication() const { return overlapped + exposed; }
    /// Part of the communication that computing hid, 0 to 1; 0 without communication.
    double hidden() const;
    void add(const Share& other);
};

/// Finds out once what a trace has, then answers for any range.
class Shares {
  public:
    explicit Shares(const Trace& trace);
    Share share(const Span& range) const;
    /// ns of each phase of the engine within the range; empty where the trace has none.
    std::map<std::string, std::int64_t> phases(const Span& range) const;
    const Spans& computing() const { return compute_; }
    const Spans& communicating() const { return communication_; }

  private:
    ShareSource source_ = ShareSource::operations;
    Spans compute_, communication_, data_;
    std::map<std::string, Spans> phases_;
};

}  // namespace trainyard::traces
