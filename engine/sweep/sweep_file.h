// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// sweep.yaml: a recipe or a program, its keys with the values to try, and what is to be best. README.md has an
// example.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/error.h"

namespace trainyard::sweep {

inline constexpr std::int64_t kMostTrials = 100'000;

enum class Method : unsigned char { grid, random, tpe };
constexpr auto choice_names(Method) {
    return std::array{"grid", "random", "tpe"};
}

enum class Direction : unsigned char { minimize, maximize };
constexpr auto choice_names(Direction) {
    return std::array{"minimize", "maximize"};
}

enum class Scale : unsigned char { linear, log };
constexpr auto choice_names(Scale) {
    return std::array{"linear", "log"};
}

enum class EarlyRule : unsigned char { none, median };
constexpr auto choice_names(EarlyRule) {
    return std::array{"none", "median"};
}

/// A key of the recipe and what it may be: one of `values`, or a number of a range.
struct Parameter {
    std::string key = {};                  ///< as of --set: optimizer.lr
    std::vector<std::string> values = {};  ///< YAML of one line each; none: a range
    double min = 0, max = 0;
    double step = 0;  ///< between two values of the range; 0: any value between
    Scale scale = Scale::linear;
    bool whole = false;      ///< a range of whole numbers
    std::int64_t count = 0;  ///< of a grid: values of the range, if it has no step

    bool is_range() const { return values.empty(); }
    /// Values of a range with steps, or of a grid; 0: any number between.
    std::int64_t choices() const;
    /// The text for --set of a number of the range, cut to the range and rounded to its steps.
    std::string text_of(double number) const;
    /// The value with this index, from 0, of a grid.
    std::string choice(std::int64_t index) const;
};

/// Ends trials that are worse than the median of earlier ones at the same step.
struct EarlyStopping {
    EarlyRule method = EarlyRule::none;
    std::int64_t startup_trials = 5;  ///< that are compared with none
    std::int64_t warmup_steps = 0;    ///< of each trial, in which it is not ended
};

struct SweepFile {
    std::string name;                                ///< default: of the recipe or program
    std::filesystem::path recipe;                    ///< absolute; empty: trials run a program
    std::vector<std::string> program;                ///< its words; {key} stands for the value of a parameter
    std::map<std::string, std::string> environment;  ///< variables of the program, with {key} likewise
    std::filesystem::path directory;                 ///< in which the program starts; absolute
    Method method = Method::tpe;
    std::string metric = "eval/loss";  ///< a curve of the runs; the best value of it counts
    Direction direction = Direction::minimize;
    std::int64_t trials = 0;  ///< grid: all of it
    std::int64_t at_once = 1;
    std::int64_t devices = 0;          ///< accelerators of each trial, shared with no other; 0: those of the launch
    std::int64_t startup_trials = 10;  ///< tpe: random ones before the first estimate
    std::uint64_t seed = 0;
    std::vector<std::string> hosts;   ///< each trial is on one of them: `gpu-a`, `gpu-b:2`; none: this machine
    std::vector<std::string> launch;  ///< further flags of each launch
    EarlyStopping early_stopping;
    std::vector<Parameter> parameters;
};

/// Values of the parameters, in their order, as texts for --set.
using Point = std::vector<std::string>;

/// Reads and checks a sweep and its recipe, relative paths from the file's folder. Every value of a list and both
/// ends of every range are tried in the recipe. Throws InvalidInput with every problem.
SweepFile load_sweep(const std::filesystem::path& file);
SweepFile parse_sweep(const std::string& yaml, const std::filesystem::path& file);
/// Reads the file in the folder of a sweep that has begun: its values were tried in the recipe before.
SweepFile parse_begun_sweep(const std::string& yaml, const std::filesystem::path& file);

/// key=value of each parameter.
std::vector<std::string> assignments(const SweepFile& sweep, const Point& point);
/// A word of the program, or the value of a variable, with the values of a point.
std::string filled_in(const SweepFile& sweep, const Point& point, const std::string& word);
/// Accelerators that trials of this machine take, in the order of --gpu_ids of `launch`: "0", "1"; of
/// `machine_devices`.
std::vector<std::string> device_pool(const SweepFile& sweep, int machine_devices);

}  // namespace trainyard::sweep
