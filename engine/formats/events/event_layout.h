// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layout of event files in a run's metrics/ folder. TensorBoard shows each folder with event files as one run and joins
// its files into one curve per tag, so every writer with tags of its own has its own folder:
//
//   events.out.tfevents.*              training curves, histograms and hyper-parameters, by rank 0; links to what a program writes
//   rank-00003/events.out.tfevents.*   metrics of each rank
//   host-gpu-a/events.out.tfevents.*   metrics of the machine, written by the process that starts its ranks
//
// Runs of versions up to 0.1.0 have system-00003.events.out.tfevents.* and machine-gpu-a.events.out.tfevents.* next to
// the first ones; these are read, too.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::events {

struct EventSource {
    int rank = -1;     ///< the rank that the metrics belong to; -1: none
    std::string host;  ///< the host that the metrics belong to; empty: none
    bool is_training() const { return rank < 0 && host.empty(); }
    bool operator==(const EventSource&) const = default;
};

std::filesystem::path rank_event_folder(const std::filesystem::path& metrics, int rank);
/// A host's name may contain any character; those that a folder's name cannot contain become `_`.
std::filesystem::path host_event_folder(const std::filesystem::path& metrics, const std::string& host);

/// Classifies a file by its name relative to metrics/, in this layout or the earlier one; std::nullopt if it is not an
/// event file of a run.
std::optional<EventSource> event_source(std::string_view name);

}  // namespace trainyard::events
