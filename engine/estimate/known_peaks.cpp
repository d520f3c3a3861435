// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/known_peaks.h"

#include <cmath>
#include <exception>
#include <fstream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/files/user_folders.h"

namespace trainyard::estimate {

namespace {

constexpr std::uint64_t kMostBytes = 1u << 20;

}  // namespace

fs::path known_peaks_file() {
    const fs::path folder = files::cache_folder();
    return folder.empty() ? folder : folder / "peaks.json";
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string peak_key(int threads, const std::string& format, int ranks) {
    return fmt::format("{}, {} thread{}, {}, {} rank{}", processor_name(), threads, threads == 1 ? "" : "s", format,
                       ranks, ranks == 1 ? "" : "s");
}

std::map<std::string, KnownPeak> known_peaks(const fs::path& file) {
    std::map<std::string, KnownPeak> known;
    std::error_code error;
    if (file.empty() || !fs::is_regular_file(file, error))
        return known;
    try {
        known = fields::from_json<std::map<std::string, KnownPeak>>(read_json(read_file(file, kMostBytes)), file);
    } catch (const UserError&) {
        known.clear();
    }
    std::erase_if(known, [](const auto& entry) {
        return !(std::isfinite(entry.second.flops_per_s) && entry.second.flops_per_s > 0);
    });
    return known;
}

KnownPeak highest_peak(const std::string& key, double measured, const fs::path& file) {
    std::map<std::string, KnownPeak> known = known_peaks(file);
    KnownPeak& peak = known[key];
    if (peak.flops_per_s >= measured)
        return peak;
    peak = {measured, wall_seconds()};
    if (file.empty())
        return peak;
    try {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, fields::to_text(known, 1) + "\n", false);
    } catch (const std::exception&) {  // only a cache
    }
    return peak;
}

}  // namespace trainyard::estimate
