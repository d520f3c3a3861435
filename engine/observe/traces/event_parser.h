// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One event of a trace: the keys that the picture needs. simdjson finds them; an event that it refuses (control characters, invalid
// UTF-8, NaN, single backslashes: profilers have written all of these) is repaired and read again.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::traces {

/// Texts are valid until the next call of the parser. Numbers are as written, without space around them.
struct Event {
    char phase = '\0';
    std::string_view name, category, process, thread, time, duration, id;
    bool has_name = false, has_category = false, repaired = false, quoted_number = false;
    // Values from `args`:
    std::uint64_t correlation = 0;
    std::optional<std::int64_t> device, stream;
    std::optional<std::int64_t> device_type, device_id, allocated, bytes;  ///< of a memory event
    std::vector<std::pair<std::string_view, std::string_view>> arguments;  ///< of counters and metadata: key, value
};

class EventParser {
  public:
    EventParser();
    ~EventParser();
    EventParser(const EventParser&) = delete;
    EventParser& operator=(const EventParser&) = delete;

    enum class Outcome { event, not_an_object, unreadable };
    /// TextWindow::kPadding bytes behind `text` must be readable.
    Outcome parse(std::string_view text, Event& event);

  private:
    struct Parsers;
    bool read(std::string_view text, Event& event);

    std::unique_ptr<Parsers> parsers_;
    std::string mended_;
};

/// Key and value (strings without quotes, anything else as JSON text) of an object. Empty where it cannot be read.
std::vector<std::pair<std::string, std::string>> members_of(std::string_view object);
/// Returns the text of one member; empty if the object does not have it.
std::string member_of(std::string_view object, std::string_view key);
/// What a repair makes of a text: JSON again, as far as characters are concerned.
std::string repaired_json(std::string_view text);

}  // namespace trainyard::traces
