#pragma once
// What the processors of this machine can compute at most, as runs have measured it: a file of JSON in the cache folder. A machine that is busy
// measures less than it can do, so that the highest figure counts, and the share of the peak (MFU) means the same in every run.

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::estimate {

struct KnownPeak {
    double flops_per_s = 0;
    double time = 0;  ///< wall seconds of the measurement
};

/// <cache>/peaks.json; empty where there is no cache.
std::filesystem::path known_peaks_file();
/// Of this machine, as Linux names it; "unknown" where it does not.
std::string processor_name();
/// Processor, threads, number format, ranks that compute at the same time: what a figure holds for.
std::string peak_key(int threads, const std::string& format, int ranks);

/// All that is known, by key. A file that is damaged or cannot be read counts as empty: it is measured again.
std::map<std::string, KnownPeak> known_peaks(const std::filesystem::path& file = known_peaks_file());
/// The higher of what is known and what was measured now; that one is kept. Where it cannot be kept, nothing is said: the next run measures.
KnownPeak highest_peak(const std::string& key, double measured, const std::filesystem::path& file = known_peaks_file());

}  // namespace trainyard::estimate
