// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/nvml.h"
#include "estimate/known_peaks.h"

namespace trainyard::estimate {

namespace {

constexpr std::uint64_t kMostCalibrationBytes = 4u << 20;
constexpr std::size_t kKeptRuns = 50;
constexpr std::size_t kLeastRuns = 3;
constexpr std::uint64_t kLeastBytes = 512u << 20;
constexpr double kMostFactor = 100;  ///< beyond this factor the measurement belongs to a different run
constexpr double kLeastProgram = 16u << 20, kMostProgram = 2.0 * (1u << 30);  ///< likewise

/// The last runs on a device.
struct Stored {
    std::vector<double> factors, program;
    std::string last_run;
    double last_time = 0;
    bool empty() const { return factors.empty() && program.empty(); }

    void fields(auto& field) const {
        field("factors", factors)("program", program);
        field("last_run", last_run).omit_if_default();
        field("last_time", last_time).time().omit_if_default();
    }
};

void keep_between(double least, double most, std::vector<double>& numbers) {
    std::erase_if(numbers, [&](double value) { return !(value > least && value < most); });
}

std::map<std::string, Stored> stored_runs(const fs::path& file) {
    std::map<std::string, Stored> stored;
    std::error_code error;
    if (file.empty() || !fs::is_regular_file(file, error))
        return stored;
    try {
        stored =
            fields::from_json<std::map<std::string, Stored>>(read_json(read_file(file, kMostCalibrationBytes)), file);
    } catch (const UserError&) {
        stored.clear();
    }
    for (auto& [key, runs] : stored) {
        keep_between(1 / kMostFactor, kMostFactor, runs.factors);
        keep_between(kLeastProgram, kMostProgram, runs.program);
    }
    return stored;
}

void keep_last(std::vector<double>& numbers, double number) {
    numbers.push_back(number);
    if (numbers.size() > kKeptRuns)
        numbers.erase(numbers.begin(), numbers.end() - static_cast<std::ptrdiff_t>(kKeptRuns));
}

double middle_of(const std::vector<double>& sorted) {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

void write_runs(std::map<std::string, Stored> stored, const fs::path& file) {
    std::erase_if(stored, [](const auto& entry) { return entry.second.empty(); });
    write_file_atomically(file, fields::to_text(stored, 1) + "\n", false);
}

Calibration figures_of(Stored runs) {
    auto& [factors, program, last_run, last_time] = runs;
    Calibration known;
    known.last_run = last_run;
    known.last_time = last_time;
    if (!factors.empty()) {
        std::ranges::sort(factors);
        known.factor = middle_of(factors);
        known.least = factors.front();
        known.most = factors.back();
        known.runs = factors.size();
    }
    if (!program.empty()) {
        std::ranges::sort(program);
        known.program = middle_of(program);
        known.program_runs = program.size();
    }
    return known;
}

}  // namespace

fs::path calibration_file() {
    const fs::path folder = files::cache_folder();
    return folder.empty() ? folder : folder / "calibration.json";
}

std::string calibration_key(const std::string& device) {
    if (device.empty() || device == "cpu")
        return processor_name();
    if (device.starts_with("cuda")) {
        const std::size_t colon = device.find(':');
        const std::size_t number = colon == std::string::npos ? 0 : std::stoul("0" + device.substr(colon + 1));
        if (const std::vector<GpuReading> gpus = Nvml().read(); number < gpus.size()) {
            const Device* known = find_device(gpus[number].name);
            return known != nullptr ? known->name : gpus[number].name;
        }
    }
    return device;
}

void add_to_calibration(const EstimateFile& run, const std::string& key, const fs::path& file,
                        const std::string& folder) {
    const std::optional<double> error = run.error();
    if (file.empty() || !error || !std::isfinite(*error))
        return;
    std::map<std::string, Stored> stored = stored_runs(file);
    Stored& own = stored[key];
    if (run.predicted_total >= kLeastBytes) {
        keep_last(own.factors, 1 + *error);
    } else {
        const double rest = static_cast<double>(run.predicted_total) - static_cast<double>(run.predicted_program);
        const double program = static_cast<double>(run.measured->peak_resident) - rest;
        if (run.device != "cpu" || run.predicted_program == 0 || program <= kLeastProgram || program >= kMostProgram)
            return;
        keep_last(own.program, program);
    }
    own.last_run = folder;
    own.last_time = wall_seconds();
    try {
        fs::create_directories(file.parent_path());
        write_runs(stored, file);
    } catch (const std::exception&) {  // only a cache
    }
}

Calibration calibration_of(const std::string& key, const fs::path& file) {
    return figures_of(stored_runs(file)[key]);
}

std::map<std::string, Calibration> calibrations(const fs::path& file) {
    std::map<std::string, Calibration> all;
    for (auto& [key, runs] : stored_runs(file))
        if (!runs.empty())
            all.emplace(key, figures_of(runs));
    return all;
}

void forget_calibration(const std::string& key, const fs::path& file) {
    std::map<std::string, Stored> stored = stored_runs(file);
    if (stored.erase(key) > 0)
        write_runs(stored, file);
}

void calibrate(Device& device, const fs::path& file) {
    const Calibration known = calibration_of(device.name, file);
    if (device.cpu && known.program_runs > 0) {
        device.program = known.program;
        device.program_runs = known.program_runs;
    }
    if (known.runs < kLeastRuns)
        return;
    device.calibration = known.factor;
    device.calibration_runs = known.runs;
}

}  // namespace trainyard::estimate
