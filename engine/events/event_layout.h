#pragma once
// Where the event files of a run lie in its metrics/ folder. TensorBoard takes every folder with event files as one run and joins its files
// into one curve for each tag, so whoever has tags of its own has a folder of its own:
//
//   events.out.tfevents.*              training curves, histograms and hyper-parameters, by rank 0; links to what a program writes
//   rank-00003/events.out.tfevents.*   each rank's own figures
//   host-gpu-a/events.out.tfevents.*   the machine's, by whoever starts its ranks
//
// Runs of versions up to 0.1.0 have system-00003.events.out.tfevents.* and machine-gpu-a.events.out.tfevents.* beside the first; they are
// read as well.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::events {

struct EventSource {
    int rank = -1;     ///< whose figures these are; -1: not a rank's
    std::string host;  ///< whose figures these are; empty: not a host's
    bool is_training() const { return rank < 0 && host.empty(); }
    bool operator==(const EventSource&) const = default;
};

std::filesystem::path rank_event_folder(const std::filesystem::path& metrics, int rank);
/// A host's name may hold anything; what a folder's name cannot is replaced by `_`.
std::filesystem::path host_event_folder(const std::filesystem::path& metrics, const std::string& host);

/// What a file is, by its name relative to metrics/, of this layout or the earlier one; nothing where it is no event file of a run.
std::optional<EventSource> event_source(std::string_view name);

}  // namespace trainyard::events
