// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stores measured and estimated memory of the runs on each device in a JSON file of the cache folder. From three runs
// on, the median factor is applied to estimates for that device, and is shown next to them. In runs below 512 MiB the
// difference is mostly the program's own memory: on a processor they measure that memory, which is used from the first
// such run on.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "estimate/devices.h"
#include "estimate/estimate_file.h"

namespace trainyard::estimate {

struct Calibration {
    double factor = 1;           ///< measured / estimated memory, the median
    double least = 1, most = 1;  ///< of all runs
    std::size_t runs = 0;        ///< of at least 512 MiB; 0: none has ended on this device
    double program = 0;          ///< bytes, Device::program; the median
    std::size_t program_runs = 0;
    std::string last_run;  ///< folder of the newest of them; empty: not known
    double last_time = 0;  ///< wall-clock seconds of its end; 0: not known
};

/// <cache>/calibration.json; empty without a cache folder.
std::filesystem::path calibration_file();
/// The processor's name, or that of a GPU (as known_devices() has it) by its number on this machine ("cuda:1"), as EstimateFile::device has it.
std::string calibration_key(const std::string& device);

/// Stores the factor, or the program's memory, of a run that has ended; of each device the last 50 runs are kept. A failure to store it is ignored: the next run is stored, too.
/// `folder`: the run's, shown as the source of the calibration.
void add_to_calibration(const EstimateFile& run, const std::string& key,
                        const std::filesystem::path& file = calibration_file(), const std::string& folder = {});
/// Returns the calibration of a device; a damaged or missing file counts as empty.
Calibration calibration_of(const std::string& key, const std::filesystem::path& file = calibration_file());
/// Returns the calibrations of all devices on which runs have ended, by device key.
std::map<std::string, Calibration> calibrations(const std::filesystem::path& file = calibration_file());
/// Resets the calibration of a device; the next runs measure it again. Throws UserError when the file cannot be
/// written.
void forget_calibration(const std::string& key, const std::filesystem::path& file = calibration_file());

/// Applies the calibration of a processor or GPU if enough runs have ended on it.
void calibrate(Device& device, const std::filesystem::path& file = calibration_file());

}  // namespace trainyard::estimate
