// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/join.h"

#include <utility>

#include "base/error.h"
#include "distributed/parallel/data_parallel_core.h"

namespace trainyard::parallel {

/// Tells the other ranks of every step; the first module's forward begins it.
class JoinScope::Turns final : public ForwardWatcher {
  public:
    Turns(std::vector<DataParallel*> modules, const JoinOptions& options)
        : modules_(std::move(modules)), options_(options), ranks_(modules_.front()->communicator().size()) {
        for (DataParallel* module : modules_)
            module->core().watch_forward(this);
    }

    ~Turns() override {
        for (DataParallel* module : modules_)
            module->core().leave_turns();
    }

    void before_forward(DataParallel::Core& core) override {
        if (&core != &modules_.front()->core())
            return;
        take_turn(true);
        if (newest_.active_count() < ranks_ && options_.throw_on_early_termination)
            ended();
    }

    /// This rank has no more batches.
    void shadow() {
        for (;;) {
            JoinTurn before = newest_;
            take_turn(false);
            if (newest_.active_count() == 0) {
                newest_ = before;
                break;
            }
            if (options_.throw_on_early_termination)
                ended();
            for (DataParallel* module : modules_)
                module->core().shadow_forward(newest_);
            for (DataParallel* module : modules_)
                module->core().shadow_backward(newest_);
        }
        // Ranks that left early missed updates.
        int root = newest_.last_active();
        if (root >= 0 && newest_.active_count() < ranks_)
            for (DataParallel* module : modules_)
                module->core().broadcast_everything(root);
    }

  private:
    void take_turn(bool active) {
        newest_ = modules_.front()->core().exchange_turn(active);
        int count = newest_.active_count();
        if (count == 0)
            return;
        for (DataParallel* module : modules_) {
            module->core().set_divisor(options_.divide_by_initial_world_size ? ranks_ : count);
            module->core().set_buffer_root(newest_.active.front() ? 0 : newest_.last_active());
        }
    }

    [[noreturn]] void ended() const {
        std::string ranks;
        for (std::size_t rank = 0; rank < newest_.active.size(); ++rank)
            if (!newest_.active[rank])
                ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
        throw InputsExhausted(Message("rank {} has no more batches, and throw_on_early_termination is set", ranks));
    }

    std::vector<DataParallel*> modules_;
    JoinOptions options_;
    int ranks_;
    JoinTurn newest_;  ///< with at least one active rank
};

JoinScope::JoinScope(std::vector<DataParallel*> modules, JoinOptions options) {
    if (modules.empty())
        throw UserError("join_uneven_inputs: give the modules whose gradients the ranks average");
    for (DataParallel* module : modules)
        if (&module->communicator() != &modules.front()->communicator())
            throw UserError("join_uneven_inputs: all modules must share one communicator");
    if (options.enable && modules.front()->communicator().size() > 1)
        turns_ = std::make_unique<Turns>(std::move(modules), options);
}

JoinScope::~JoinScope() = default;

void JoinScope::finish() {
    if (turns_)
        turns_->shadow();
    turns_.reset();
}

void join_uneven_inputs(const std::vector<DataParallel*>& modules, const JoinOptions& options,
                        const std::function<void()>& body) {
    JoinScope scope(modules, options);
    body();
    scope.finish();
}

}  // namespace trainyard::parallel
