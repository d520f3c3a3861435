// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of deepspeed.runtime.lr_schedules (0.19) under their names and arguments. DeepSpeed counts completed steps
// from -1, so step n of this library is its iteration n - 1: the warm-ups use the lowest rate in the first two steps.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

/// Rates of the groups and momentum, by DeepSpeed's iteration.
using RatesAt = std::function<std::vector<double>(double iteration)>;
using MomentumAt = std::function<double(double iteration)>;

class DeepspeedSchedule final : public GroupSchedule {
  public:
    DeepspeedSchedule(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, RatesAt rates,
                      MomentumAt momentum = nullptr)
        : GroupSchedule(name, optimizer, std::move(base_lrs)),
          rates_(std::move(rates)),
          momentum_(std::move(momentum)) {}

  protected:
    std::vector<double> rates() override { return rates_(iteration()); }
    std::vector<double> momenta() override {
        return momentum_ ? std::vector<double>(base_lrs_.size(), momentum_(iteration())) : std::vector<double>();
    }
    void visit_own(StateFields& fields) override { fields.written_only("last_batch_iteration", last_epoch_ - 1); }

  private:
    double iteration() const { return static_cast<double>(last_epoch_ - 1); }
    RatesAt rates_;
    MomentumAt momentum_;
};

using MadeByDeepspeed = std::unique_ptr<JoinableSchedule>;

/// The rise of the warm-up from 0 to 1; `steps` is at least 2.
struct Rise {
    double steps = 2;
    bool is_linear = false;

    explicit Rise(Arguments& arguments) {
        const std::int64_t given = arguments.integer("warmup_num_steps", 1000);
        arguments.require(given >= 1, "warmup_num_steps", "must be at least 1");
        steps = static_cast<double>(std::max<std::int64_t>(2, given));
        is_linear = arguments.word("warmup_type", "log", {"log", "linear"}) == "linear";
    }
    bool is_over(double iteration) const { return iteration >= steps; }
    double share(double iteration) const {
        if (iteration < 0)
            return 0;
        return is_linear ? iteration / steps : std::log(iteration + 1) / std::log(steps);
    }
};

/// WarmupLR and, with an end, WarmupDecayLR.
MadeByDeepspeed make_warmup(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                            std::vector<double> base) {
    const std::vector<double> lowest = arguments.per_group("warmup_min_lr", 0.0);
    const std::vector<double> highest =
        arguments.raw("warmup_max_lr") == nullptr ? base : arguments.per_group("warmup_max_lr", std::nullopt);
    const Rise rise(arguments);
    const bool decays = name == "WarmupDecayLR";
    const auto total = decays ? static_cast<double>(arguments.integer("total_num_steps")) : 0.0;
    arguments.finish();
    return std::make_unique<DeepspeedSchedule>(name, optimizer, std::move(base), [=](double iteration) {
        double factor = rise.share(iteration);
        if (rise.is_over(iteration))
            factor = decays ? std::max(0.0, (total - iteration) / std::max(1.0, total - rise.steps)) : 1.0;
        std::vector<double> rates = lowest;
        for (std::size_t group = 0; group < rates.size(); ++group)
            rates[group] += (highest[group] - lowest[group]) * factor;
        return rates;
    });
}

MadeByDeepspeed make_warmup_cosine(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                   std::vector<double> base) {
    const auto total = static_cast<double>(arguments.integer("total_num_steps"));
    const double start = arguments.real("warmup_min_ratio", 0), end = arguments.real("cos_min_ratio", 0.0001);
    const Rise rise(arguments);
    arguments.finish();
    const std::vector<double> rates = base;
    return std::make_unique<DeepspeedSchedule>(name, optimizer, std::move(base), [=](double iteration) {
        double factor = iteration < 0 ? 0 : start + (1 - start) * rise.share(iteration);
        if (rise.is_over(iteration)) {
            const double progress = std::min(1.0, (iteration - rise.steps + 1) / std::max(1.0, total - rise.steps));
            factor = std::max(0.0, end + (1 - end) * (1 + std::cos(std::numbers::pi * progress)) / 2);
        }
        std::vector<double> scaled = rates;
        for (double& rate : scaled)
            rate *= factor;
        return scaled;
    });
}

/// Up and down once. Smith, "A disciplined approach to neural network hyper-parameters", 2018.
struct Cycle {
    double first = 2000, second = 2000;
    double first_stairs = 0, second_stairs = 0;
    double decay_step_size = 0;

    explicit Cycle(Arguments& arguments) {
        first = arguments.real("cycle_first_step_size", 2000);
        second = arguments.maybe_real("cycle_second_step_size").value_or(first);
        first_stairs = arguments.real("cycle_first_stair_count", 0);
        second_stairs = arguments.maybe_real("cycle_second_stair_count").value_or(first_stairs);
        decay_step_size = arguments.real("decay_step_size", 0);
        arguments.require(first > 0, "cycle_first_step_size", "must be more than 0");
        arguments.require(second >= 0, "cycle_second_step_size", "must not be negative");
    }
    double length() const { return first + second; }
    bool is_over(double iteration) const { return iteration >= length(); }
    /// Height in the cycle, from 0 to 1 and back.
    double height(double iteration) const {
        const double place = std::fmod(iteration + 1, length());
        const bool rises = place <= first;
        const double share = rises ? place / first : (length() - place) / second;
        const double stairs = rises ? first_stairs : second_stairs;
        return stairs > 0 ? std::floor(share * stairs) / stairs : share;
    }
    /// The factor of the decay after the cycle, for `rate`.
    double decay(double iteration, double rate) const {
        return decay_step_size == 0 ? 1 : 1 + rate * (iteration - length() + 1) / decay_step_size;
    }
};

MadeByDeepspeed make_deepspeed_cycle(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                     std::vector<double> base) {
    const double lowest = arguments.real("cycle_min_lr"), highest = arguments.real("cycle_max_lr");
    const double lr_decay = arguments.real("decay_lr_rate", 0);
    const Cycle cycle(arguments);
    const double least = arguments.real("cycle_min_mom", 0.8), most = arguments.real("cycle_max_mom", 0.9);
    const double momentum_decay = arguments.real("decay_mom_rate", 0);
    const bool asked = arguments.flag("cycle_momentum", true);
    arguments.finish();
    // DeepSpeed turns the first of betas alone, not the momentum of SGD.
    const Tree state = optimizer.state_dict();
    const Tree* groups = state.find("param_groups");
    const bool has_betas =
        groups == nullptr || groups->items().empty() || groups->items().front().find("betas") != nullptr;
    MomentumAt momentum;
    if (asked && has_betas && optimizer.group_count() > 0 && !std::isnan(optimizer.momentum(0)))
        momentum = [=](double iteration) {
            if (iteration < 0)
                return least;
            return cycle.is_over(iteration) ? most * cycle.decay(iteration, momentum_decay)
                                            : most - (most - least) * cycle.height(iteration);
        };
    const std::size_t count = base.size();
    return std::make_unique<DeepspeedSchedule>(
        name, optimizer, std::move(base),
        [=](double iteration) {
            const double rate = iteration < 0              ? lowest
                                : cycle.is_over(iteration) ? lowest / cycle.decay(iteration, lr_decay)
                                                           : lowest + (highest - lowest) * cycle.height(iteration);
            return std::vector<double>(count, rate);
        },
        std::move(momentum));
}

MadeByDeepspeed make_range_test(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                std::vector<double> base) {
    const std::vector<double> lowest = arguments.per_group("lr_range_test_min_lr", 0.001);
    const auto size = static_cast<double>(arguments.integer("lr_range_test_step_size", 2000));
    const double rate = arguments.real("lr_range_test_step_rate", 1);
    const bool stairs = arguments.flag("lr_range_test_staircase", false);
    arguments.require(size >= 1, "lr_range_test_step_size", "must be at least 1");
    arguments.finish();
    return std::make_unique<DeepspeedSchedule>(name, optimizer, std::move(base), [=](double iteration) {
        const double interval = (iteration + 1) / size;
        std::vector<double> rates = lowest;
        for (double& each : rates)
            each *= 1 + rate * (stairs ? std::floor(interval) : interval);
        return rates;
    });
}

}  // namespace

std::vector<ScheduleKind> deepspeed_kinds() {
    return {{"WarmupLR", make_warmup},
            {"WarmupDecayLR", make_warmup},
            {"WarmupCosineLR", make_warmup_cosine},
            {"OneCycle", make_deepspeed_cycle},
            {"LRRangeTest", make_range_test}};
}

}  // namespace trainyard::optim
