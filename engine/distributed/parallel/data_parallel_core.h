// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Implementation of data_parallel.h and join.h: the state of one module on one rank.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/gradient_arrivals.h"
#include "distributed/parallel/reducer.h"

namespace trainyard::parallel {

/// State that the ranks exchange when one of them begins a step inside join_uneven_inputs().
struct JoinTurn {
    std::vector<bool> active;  ///< [rank] still has batches
    bool reduces = false;      ///< their backward will reduce
    bool buffers = false;      ///< their forward broadcasts buffers
    int active_count() const;
    /// The highest rank that is active; -1: none.
    int last_active() const;
};

/// Notified before every forward in grad mode.
class ForwardWatcher {
  public:
    virtual ~ForwardWatcher() = default;
    virtual void before_forward(DataParallel::Core& core) = 0;
};

class DataParallel::Core {
  public:
    Core(NamedTensors parameters, NamedTensors buffers, Communicator& communicator, DataParallelOptions options);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    void before_forward();
    void arrived(std::size_t slot);
    void backward_ended();
    void finish_backward();
    bool reduces() const { return !holds_ && (forced_ || (no_sync_depth_ == 0 && !forward_was_local_)); }
    void hold_gradients(bool holds) { holds_ = holds; }
    void force_next() { forced_ = true; }
    void enter_no_sync() { ++no_sync_depth_; }
    void leave_no_sync() { --no_sync_depth_; }

    // Functions for join_uneven_inputs().
    void watch_forward(ForwardWatcher* watcher) { watcher_ = watcher; }
    /// The ranks continue together, as if every one had trained in the last step.
    void leave_turns();
    JoinTurn exchange_turn(bool active);
    void set_divisor(double divisor) { divisor_ = divisor; }
    void set_buffer_root(int rank) { buffer_root_ = rank; }
    void shadow_forward(const JoinTurn& turn);
    void shadow_backward(const JoinTurn& turn);
    void broadcast_everything(int root);

    Communicator& communicator() const { return communicator_; }
    const NamedTensors& parameters() const { return parameters_; }
    const NamedTensors& buffers() const { return buffers_; }
    Reducer& reducer() { return *reducer_; }

  private:
    /// A parameter that needs a gradient.
    struct Slot {
        std::string name;
        at::Tensor parameter;
        at::Tensor
            place;  ///< in the bucket, laid out as the parameter; no view for autograd, so that optimizers may detach it
        std::size_t bucket = 0;
        int arrivals = 0;  ///< in the current backward
        int expected = 1;  ///< arrivals of a backward that are awaited; 0: static_graph found the parameter unused here
        bool touched = false;  ///< by any backward since the last reduction
        bool unused = false;   ///< static_graph: no rank uses it
    };

    void make_slots();
    std::vector<Bucket> make_buckets();
    void add_hooks();
    void begin_backward();
    void call_at_end_of_backward();
    void check_abandoned();
    /// Copies the parameter's gradient, or zeros, into its range of the bucket.
    void fill(Slot& slot);
    /// Gives the parameter its average.
    void hand_out(Slot& slot);
    /// Collective. How many ranks touched each slot, int32 on the CPU.
    at::Tensor count_ranks();
    void reduce_step();
    void complain_about(const std::vector<bool>& missing) const;
    void broadcast_buffers();
    /// The first reducing backward of static_graph on this rank.
    bool learning() const { return options_.static_graph && !graph_known_; }
    /// Whether this step's reduction asks how many ranks used each parameter: the same on all ranks.
    bool counting() const {
        return options_.static_graph ? !counted_ : options_.find_unused_parameters || options_.check_reduction;
    }

    NamedTensors parameters_, buffers_;
    Communicator& communicator_;
    DataParallelOptions options_;
    std::vector<Slot> slots_;   ///< in the order sent: last parameter first
    std::vector<int> awaited_;  ///< [bucket] slots whose gradients have not come
    std::unique_ptr<Reducer> reducer_;
    GradientArrivals arrivals_;
    std::mutex mutex_;  ///< CUDA's backward has a thread for each device

    bool in_backward_ = false;
    bool reduced_ = false;                ///< since the last forward
    bool graph_known_ = false;            ///< static_graph: this rank's own arrivals
    bool counted_ = false;                ///< static_graph: which parameters no rank uses
    std::weak_ptr<void> backward_alive_;  ///< expires with the graph task that will call backward_ended()
    int no_sync_depth_ = 0;
    bool forward_was_local_ = false;
    bool forced_ = false;
    bool holds_ = false;
    bool buffers_stale_ = true;
    int buffer_root_ = 0;
    double divisor_ = 1;
    ForwardWatcher* watcher_ = nullptr;
};

}  // namespace trainyard::parallel
