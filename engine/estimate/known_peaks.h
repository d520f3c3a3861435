// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Measured peak performance of this machine's processors, in a JSON file of the cache folder. A busy machine measures
// less than its peak, so the highest figure is kept; then model FLOPs utilisation (MFU) has the same meaning in all
// runs.

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::estimate {

struct KnownPeak {
    double flops_per_s = 0;
    double time = 0;  ///< wall-clock seconds of the measurement

    void fields(auto& field) const {
        field("flops_per_s", flops_per_s).required();
        field("measured", time).time().required();
    }
};

/// <cache>/peaks.json; empty without a cache folder.
std::filesystem::path known_peaks_file();
/// The processor's name in Linux; "unknown" if it has none.
std::string processor_name();
/// The key of a figure: processor, threads, number format, ranks that compute concurrently.
std::string peak_key(int threads, const std::string& format, int ranks);

/// All figures by key. A damaged or unreadable file counts as empty, because the figures can be measured again.
std::map<std::string, KnownPeak> known_peaks(const std::filesystem::path& file = known_peaks_file());
/// Returns the higher of the known and the measured figure, and stores it. A failure to store it is ignored: the next
/// run measures again.
KnownPeak highest_peak(const std::string& key, double measured, const std::filesystem::path& file = known_peaks_file());

}  // namespace trainyard::estimate
