#include "estimate/known_peaks.h"

#include <cmath>
#include <exception>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "files/cache_folder.h"

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
        const nlohmann::json all = parse_json(read_file(file, kMostBytes));
        for (const auto& [key, entry] : all.items()) {
            const KnownPeak peak{entry.at("flops_per_s").get<double>(),
                                 parse_iso_time(entry.at("measured").get<std::string>())};
            if (std::isfinite(peak.flops_per_s) && peak.flops_per_s > 0)
                known.emplace(key, peak);
        }
    } catch (const std::exception&) {
        known.clear();
    }
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
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [name, one] : known)
        all[name] = {{"flops_per_s", one.flops_per_s}, {"measured", iso_time(one.time)}};
    try {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, all.dump(1) + "\n", false);
    } catch (const std::exception&) {  // only a cache
    }
    return peak;
}

}  // namespace trainyard::estimate
