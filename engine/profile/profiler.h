// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Profiler: what torch.profiler.profile is in Python, over the same Kineto: which operators ran on which thread, with shapes, memory and FLOPs where
// they are asked for, kernels of a CUDA device, written as Chrome JSON with the engine's own rows (marks.h). It records the thread that starts it and
// the threads that autograd works on for it.
//
//     Profiler profiler({.schedule = Schedule{.wait = 1, .warmup = 1, .active = 3}}, place);
//     profiler.start();
//     for (...) { train(); profiler.step(); }
//     profiler.stop();
//     profiler.export_chrome_trace("profile_0.json");
//
// One at a time in a process; all calls from one thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/step_schedule.h"

namespace trainyard::profile {

class Profiler;

/// Accelerate's ProfileKwargs. `with_stack` and `with_modules` are left out: they record Python frames, which a native
/// program does not have; the rows of units name the part of the model.
struct ProfileOptions {
    std::vector<std::string> activities = {};            ///< cpu | cuda; empty: all that are available
    std::optional<Schedule> schedule_option = {};        ///< empty: everything between start() and stop()
    std::function<void(Profiler&)> on_trace_ready = {};  ///< called when the last active step of a cycle is over
    bool record_shapes = false;                          ///< shapes and dtypes of inputs
    bool profile_memory = false;                         ///< every allocation
    bool with_flops = false;  ///< of matrix products and convolutions, by formula; needs shapes and records them
    /// A cycle that has recorded so many operators ends with its step, and what is recorded stays (is_full()): they are held in memory until they are
    /// written, at some hundred bytes each.
    std::uint64_t most_operators = 5'000'000;
    std::filesystem::path output_trace_dir =
        {};  ///< Accelerator::profile: where profile_<rank>.json goes; empty: nowhere
};

/// Describes where a trace was recorded, for its metadata.
struct ProfilePlace {
    int rank = 0, world_size = 1;
    std::string backend = {};  ///< gloo, nccl; empty: not named
    bool has_cuda = false;     ///< the run computes on a CUDA device
};

/// One line of Python's `key_averages()`: all calls of an operator, with the same shapes of inputs where it is grouped
/// by them. Nanoseconds and bytes; bytes are what was allocated less what was freed, with profile_memory.
struct KeyAverage {
    std::string key;
    std::string input_shapes = {};  ///< "[[8, 16], [32, 16]]"; empty: not grouped by them
    std::int64_t count = 0, total = 0, self = 0;
    std::int64_t device_total = 0;                           ///< of its kernels; 0 on the CPU
    std::int64_t memory = 0, self_memory = 0;                ///< of the processor
    std::int64_t device_memory = 0, self_device_memory = 0;  ///< of devices
    std::uint64_t flops = 0;
};

/// The content of table_of().
struct TableOptions {
    /// A name of torch's table: self_cpu_time_total, cpu_time_total, cpu_time (mean), device_time_total,
    /// cpu_memory_usage,
    /// self_cpu_memory_usage, device_memory_usage, self_device_memory_usage, count, flops; cuda instead of device.
    std::string sort_by = "self_cpu_time_total";
    std::size_t row_limit = 100;
};
/// The averages in the order of `sort_by`, the largest first; equal ones stay in their order. Throws UserError for an
/// unknown name.
std::vector<KeyAverage> sorted_by(std::vector<KeyAverage> averages, const std::string& sort_by);
/// As text, with columns for what was recorded, and the totals. Throws UserError for an unknown order.
std::string table_of(const std::vector<KeyAverage>& averages, const TableOptions& options = {});

class Profiler {
  public:
    /// Throws UserError: activities that are unknown or not there, a schedule out of range.
    explicit Profiler(ProfileOptions options, ProfilePlace place = {});
    /// Ends what is being recorded, and calls nobody.
    ~Profiler();
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    /// The first step begins. Throws UserError where another profiler of this process records.
    void start();
    /// The step is over, the next one begins.
    void step();
    void stop();
    /// From 0.
    std::int64_t step_num() const { return step_; }
    Action action() const { return action_; }
    bool is_recording() const;
    /// The newest cycle ended before its last active step, at most_operators.
    bool is_full() const { return full_; }
    /// False: the caller marks the steps (Row::steps), with its own step numbers.
    void set_marks_steps(bool marks) { marks_steps_ = marks; }

    /// Steps of the newest recorded cycle, by step_num(); empty: none has been recorded.
    const std::vector<std::int64_t>& recorded_steps() const { return recorded_; }
    bool has_trace() const { return result_ != nullptr; }
    struct Written {
        std::filesystem::path file;
        std::size_t events = 0, bytes = 0;  ///< events: of LibTorch and of the engine
    };
    /// The newest cycle. Makes the folder. Throws UserError: nothing was recorded, the file cannot be written.
    Written export_chrome_trace(const std::filesystem::path& file);
    /// Returns the averages of the newest cycle by name, the longest own time first; empty if nothing was recorded.
    /// `group_by_input_shape`: calls with other shapes apart, with record_shapes.
    std::vector<KeyAverage> key_averages(bool group_by_input_shape = false) const;

  private:
    struct Result;
    void enter(Action next, bool ends);
    void prepare();
    void begin();
    void end(bool keep);
    void begin_step_mark();

    struct StepMark;
    ProfileOptions options_;
    ProfilePlace place_;
    std::int64_t step_ = 0;
    Action action_ = Action::none;
    bool started_ = false, prepared_ = false, running_ = false, marks_steps_ = true, full_ = false;
    std::vector<std::int64_t> recorded_, recording_;
    struct Counting;
    std::unique_ptr<Counting> counting_;  ///< while it records
    std::unique_ptr<Result> result_;
    std::unique_ptr<StepMark> step_mark_;
};

}  // namespace trainyard::profile
