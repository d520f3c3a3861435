// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Events are parsed by a thread of their own, batch by batch, while the thread that reads finds the next ones and takes in the last ones.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "observe/traces/event_parser.h"

namespace trainyard::traces {

/// Texts of events and what they mean. What `events` refer to lives until the batch is cleared.
struct EventBatch {
    static constexpr std::size_t kEvents = 4096, kBytes = 4 << 20;

    struct Place {
        std::uint64_t offset = 0;  ///< in the trace's text
        std::size_t begin = 0, size = 0;
    };
    std::vector<char> text;
    std::size_t bytes = 0;  ///< of the text
    std::vector<Place> places;
    std::vector<Event> events;  ///< of places; longer ones are kept for their memory
    std::vector<EventParser::Outcome> outcomes;
    std::deque<std::string> unescaped;  ///< what stands otherwise in the text

    void clear();
    void add(std::string_view event, std::uint64_t offset);
    void parse(EventParser& parser);
    bool is_full() const { return places.size() >= kEvents || bytes >= kBytes; }
    bool is_empty() const { return places.empty(); }
};

class ParsingThread {
  public:
    ParsingThread();
    ~ParsingThread();
    ParsingThread(const ParsingThread&) = delete;
    ParsingThread& operator=(const ParsingThread&) = delete;

    /// Begins to parse a batch; one at a time. The caller does not touch it until finish().
    void begin(EventBatch& batch);
    /// Waits for the batch that was begun last; nothing where none was. Throws what parsing threw.
    void finish();

  private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    EventBatch* batch_ = nullptr;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace trainyard::traces
