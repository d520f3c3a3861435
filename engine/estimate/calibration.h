#pragma once
// What runs on a device really used beside what was estimated for them, in a JSON file of the cache folder. From three runs on, the middle factor counts in what is
// said to fit on that device, and is shown beside the estimate. In runs below 512 MiB the program's own memory decides the difference: on a processor they tell
// how large that is there, which counts from the first of them on.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "estimate/devices.h"
#include "estimate/estimate_file.h"

namespace trainyard::estimate {

struct Calibration {
    double factor = 1;           ///< measured / estimated memory, the middle one
    double least = 1, most = 1;  ///< of all runs
    std::size_t runs = 0;        ///< of at least 512 MiB; 0: none has ended on this device
    double program = 0;          ///< bytes, Device::program; the middle one
    std::size_t program_runs = 0;
    std::string last_run;  ///< folder of the newest of them; empty: nobody said it
    double last_time = 0;  ///< wall-clock seconds of its end; 0: not known
};

/// <cache>/calibration.json; empty without a cache folder.
std::filesystem::path calibration_file();
/// The processor's name, or that of a GPU (as known_devices() has it) by its number on this machine ("cuda:1"), as EstimateFile::device has it.
std::string calibration_key(const std::string& device);

/// Stores the factor, or the program's memory, of a run that has ended; of each device the last 50 runs are kept. A failure to store it is ignored: the next run is stored, too.
/// `folder`: the run's, which is shown as where it was learnt.
void add_to_calibration(const EstimateFile& run, const std::string& key,
                        const std::filesystem::path& file = calibration_file(), const std::string& folder = {});
/// Of a device; a damaged or missing file has none.
Calibration calibration_of(const std::string& key, const std::filesystem::path& file = calibration_file());
/// Of all devices that runs have ended on, by their keys.
std::map<std::string, Calibration> calibrations(const std::filesystem::path& file = calibration_file());
/// What was learnt of a device no longer counts; the next runs learn it anew. Throws UserError when the file cannot be written.
void forget_calibration(const std::string& key, const std::filesystem::path& file = calibration_file());

/// Of a processor or GPU, where enough runs have ended on it.
void calibrate(Device& device, const std::filesystem::path& file = calibration_file());

}  // namespace trainyard::estimate
