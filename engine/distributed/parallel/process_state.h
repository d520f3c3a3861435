// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Process control: the position of this process among the ranks, and running code on some of the ranks, or on one
// before the others. The semantics are those of accelerate.PartialState; context managers are RAII scopes, decorators
// are functions that take the code to run.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/launch_environment.h"
#include "distributed/parallel/split.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// While an instance exists on the first process, the others wait in its constructor; they continue when it is
/// destroyed there. If an exception destroys it on the first process, the others throw PeerLost instead of waiting
/// forever. Every rank must construct one.
class [[nodiscard]] FirstScope {
  public:
    FirstScope(Communicator& communicator, bool first, std::string name);
    FirstScope(const FirstScope&) = delete;
    FirstScope& operator=(const FirstScope&) = delete;
    ~FirstScope();

  private:
    Communicator& communicator_;
    std::string name_;
    bool first_;
    int exceptions_;
};

class ProcessState {
  public:
    /// One process alone on the CPU.
    ProcessState();
    /// Uses existing connections, for tests and for callers that have a World.
    ProcessState(std::shared_ptr<World> world, const ProcessPlace& place, at::Device device = at::Device(at::kCPU));
    /// From the launcher's environment; connects the ranks. On the CPU with several ranks on the machine and without OMP_NUM_THREADS,
    /// torch's threads become physical cores / ranks of the machine (at least 1).
    static ProcessState from_environment();
    static ProcessState connect(const LaunchEnvironment& environment);

    int rank() const { return place_.rank; }
    int world_size() const { return place_.world_size; }
    int local_rank() const { return place_.local_rank; }
    int local_world_size() const { return place_.local_world_size; }
    at::Device device() const { return device_; }
    bool is_main_process() const { return place_.rank == 0; }
    bool is_local_main_process() const { return place_.local_rank == 0; }
    bool is_last_process() const { return place_.rank == place_.world_size - 1; }
    bool use_distributed() const { return place_.world_size > 1; }
    bool debug() const;  ///< debug mode: every collective is compared first

    /// For a Mesh over the same ranks.
    const std::shared_ptr<World>& world() const { return world_; }
    Communicator& everyone() { return *everyone_; }
    /// The ranks of this machine. Collective among them when asked for the first time.
    Communicator& local();

    void wait_for_everyone(const std::string& name = "wait_for_everyone");
    FirstScope main_process_first() { return {everyone(), is_main_process(), "main_process_first"}; }
    FirstScope local_main_process_first() { return {local(), is_local_main_process(), "local_main_process_first"}; }

    /// Runs `work` where the condition holds. What it returned, nothing elsewhere (bool for void: has it run?).
    template <std::invocable F>
    auto on_main_process(F&& work) const {
        return run_if(is_main_process(), std::forward<F>(work));
    }
    template <std::invocable F>
    auto on_local_main_process(F&& work) const {
        return run_if(is_local_main_process(), std::forward<F>(work));
    }
    template <std::invocable F>
    auto on_last_process(F&& work) const {
        return run_if(is_last_process(), std::forward<F>(work));
    }
    /// One process alone runs it whatever the number, as in Accelerate.
    template <std::invocable F>
    auto on_process(int rank, F&& work) const {
        return run_if(!use_distributed() || place_.rank == rank, std::forward<F>(work));
    }
    template <std::invocable F>
    auto on_local_process(int local_rank, F&& work) const {
        return run_if(!use_distributed() || place_.local_rank == local_rank, std::forward<F>(work));
    }
    /// A line on standard output, by the first process of each machine only.
    void print(const std::string& line) const;

    /// This rank's share of a list, tuple, tensor (rows) or dictionary of such (each value; all as long as the first, UserError
    /// otherwise); anything else whole. With `pad` every share is as long as the longest, by copies of the last item of all; there is
    /// nothing to copy where the whole is empty. No communication.
    Tree split_between_processes(const Tree& whole, bool pad = false) const;
    /// The same share of anything with an order; without padding.
    Range share_of(std::int64_t length) const { return split_between(length, place_.rank, place_.world_size); }
    template <typename T>
    std::vector<T> split_between_processes(std::span<const T> whole, bool pad = false) const {
        Range mine = share_of(static_cast<std::int64_t>(whole.size()));
        std::vector<T> part(whole.begin() + mine.begin, whole.begin() + mine.end);
        std::int64_t longest = split_between(static_cast<std::int64_t>(whole.size()), 0, place_.world_size).size();
        while (pad && static_cast<std::int64_t>(part.size()) < longest)
            part.push_back(whole.back());
        return part;
    }

  private:
    template <typename F>
    static auto run_if(bool condition, F&& work) {
        using Result = std::invoke_result_t<F>;
        if constexpr (std::is_void_v<Result>) {
            if (condition)
                std::forward<F>(work)();
            return condition;
        } else {
            return condition ? std::optional<std::decay_t<Result>>(std::forward<F>(work)()) : std::nullopt;
        }
    }

    std::shared_ptr<World> world_;
    ProcessPlace place_;
    at::Device device_;
    std::shared_ptr<Communicator> everyone_;
    std::shared_ptr<Communicator> local_;
};

}  // namespace trainyard::parallel
