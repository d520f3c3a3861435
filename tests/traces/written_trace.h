// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts of traces for tests: events are added with times in nanoseconds and written as Kineto writes them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "observe/traces/trace_reader.h"

namespace trainyard::traces {

/// Microseconds with three decimals.
inline std::string written_micros(std::int64_t ns) {
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", (ns < 0 ? -ns : ns) / 1000, (ns < 0 ? -ns : ns) % 1000);
}

class WrittenTrace {
  public:
    explicit WrittenTrace(std::string top = {}) : top_(std::move(top)) {}

    WrittenTrace& event(const std::string& text) {
        events_.push_back(text);
        return *this;
    }
    WrittenTrace& slice(const std::string& category, const std::string& name, std::int64_t begin, std::int64_t duration,
                        int thread = 1, const std::string& arguments = "{}") {
        return event(fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{}}})",
                                 category, name, thread, written_micros(begin), written_micros(duration), arguments));
    }
    WrittenTrace& step(std::int64_t number, std::int64_t begin, std::int64_t duration) {
        return slice("user_annotation", fmt::format("ProfilerStep#{}", number), begin, duration);
    }
    std::string text() const {
        std::string all = "{" + top_ + (top_.empty() ? "" : ",") + "\"traceEvents\":[";
        for (std::size_t i = 0; i < events_.size(); ++i)
            all += (i > 0 ? ",\n" : "\n") + events_[i];
        return all + "\n]}\n";
    }
    std::shared_ptr<const Trace> read(const std::filesystem::path& file) const {
        write_file_atomically(file, text(), false);
        return read_trace(file);
    }

  private:
    std::string top_;
    std::vector<std::string> events_;
};

}  // namespace trainyard::traces
