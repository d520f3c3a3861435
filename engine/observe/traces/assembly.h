// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the events in the order of a file to a Trace: pairs begins with ends, sorts slices by track, gives each its row, and joins the
// ends of arrows.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "observe/traces/event_parser.h"
#include "observe/traces/trace.h"

namespace trainyard::traces {

class Assembly {
  public:
    /// One entry of the list of events; counts it.
    void add(EventParser::Outcome outcome, const Event& event, std::uint64_t offset);
    /// Adds a member of the top-level object other than the list of events.
    void add_top_level(std::string_view key, std::string_view value);
    void reserve(std::size_t slices) { trace_.slices.reserve(slices); }

    Reading& reading() { return trace_.reading; }
    std::uint64_t slices() const { return trace_.slices.size(); }
    /// Everything so far; the assembly is used up.
    Trace finish();
    /// A copy of everything so far.
    Trace preview() const;

  private:
    struct Mark {  ///< begin or end of a slice
        std::int64_t time = 0;
        std::uint64_t offset = 0;
        std::uint32_t track = 0, name = 0;
        std::uint16_t category = 0;
        bool begins = false;
        std::uint64_t id = 0;  ///< of asynchronous slices
    };
    struct FlowEnd {
        std::int64_t time = 0;
        std::uint64_t id = 0;  ///< flow_id()
        std::uint32_t track = 0;
        std::uint16_t category = 0;
        bool starts = false;
    };
    struct TrackName {
        std::string process, thread;
        enum class What { process_name, process_label, process_order, thread_name, thread_order } what{};
        std::string value;
    };

    void count(Entry entry) { ++trace_.reading.counts[static_cast<std::size_t>(entry)]; }
    std::uint32_t track(const Event& event);
    std::uint32_t track_of(std::string_view process, std::string_view thread, const Event* device);
    std::uint16_t category(std::string_view text);
    /// Numbers, which nearly all ids of arrows are, as they are: a table of them would need more memory than the arrows.
    std::uint64_t flow_id(std::string_view text);
    void add_slice(const Event& event, std::int64_t time, std::uint64_t offset, SliceKind kind);
    void add_counter(const Event& event, std::int64_t time);
    void add_metadata(const Event& event);
    void pair_marks(std::vector<Mark>& marks, bool asynchronous);
    void name_tracks();
    void sort_slices();
    void place_in_rows();
    void join_flows();
    void find_steps();

    Trace trace_;
    std::unordered_map<std::string, std::uint32_t> track_numbers_;
    std::string last_process_, last_thread_, key_;
    std::uint32_t last_track_ = 0;
    bool any_track_ = false;
    std::string last_category_;
    std::uint16_t last_category_number_ = 0;
    bool any_category_ = false;
    std::unordered_map<std::string, std::size_t> counter_numbers_;
    std::vector<Mark> marks_, asynchronous_;
    std::vector<FlowEnd> flow_ends_;
    Names ids_;  ///< of asynchronous slices, and of arrows whose id is not a number
    std::vector<TrackName> track_names_;
    std::unordered_map<std::uint32_t, std::string> titles_;  ///< of tracks of asynchronous slices
};

}  // namespace trainyard::traces
