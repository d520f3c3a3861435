// SPDX-License-Identifier: GPL-3.0-or-later
// CyclicLR (Smith, WACV 2017) and OneCycleLR (Smith, Topin, 2017) of torch.optim.lr_scheduler (2.11): rates that rise and fall, momenta
// against them.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/error.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

/// The momenta of a cycle, when it turns them.
struct Momenta {
    bool turns = false;
    bool use_beta1 = false;  ///< torch keeps it in the state; the optimizer knows where its momentum is
    std::vector<double> base, largest;

    Momenta(Arguments& arguments, Optimizer& optimizer, double base_default, double largest_default)
        : turns(arguments.flag("cycle_momentum", true)),
          base(arguments.per_group("base_momentum", base_default)),
          largest(arguments.per_group("max_momentum", largest_default)) {
        const bool has_momentum = optimizer.group_count() > 0 && !std::isnan(optimizer.momentum(0));
        arguments.require(!turns || has_momentum, "cycle_momentum",
                          "needs an optimizer with momentum or betas: set it to false");
        if (turns && has_momentum) {
            const Tree state = optimizer.state_dict();
            const Tree* groups = state.find("param_groups");
            use_beta1 =
                groups != nullptr && !groups->items().empty() && groups->items().front().find("betas") != nullptr;
        }
    }
};

class CyclicLR final : public GroupSchedule {
  public:
    struct Shape {
        std::vector<double> largest;
        double up = 0, down = 0;
        std::string mode;
        double gamma = 1;
    };
    CyclicLR(const std::string& name, Optimizer& optimizer, std::vector<double> lowest, Shape shape, Momenta momenta)
        : GroupSchedule(name, optimizer, std::move(lowest)),
          max_lrs_(std::move(shape.largest)),
          total_size_(shape.up + shape.down),
          step_ratio_(shape.up / total_size_),
          mode_(std::move(shape.mode)),
          gamma_(shape.gamma),
          momenta_(std::move(momenta)) {}

  protected:
    std::vector<double> rates() override { return cycled(base_lrs_, max_lrs_); }
    std::vector<double> momenta() override {
        if (!momenta_.turns)
            return {};
        std::vector<double> momenta = momenta_.largest;
        const std::vector<double> heights = cycled(std::vector<double>(momenta.size()), difference());
        for (std::size_t group = 0; group < momenta.size(); ++group)
            momenta[group] -= heights[group];
        return momenta;
    }
    void visit_own(StateFields& fields) override {
        fields.field("max_lrs", max_lrs_);
        fields.field("total_size", total_size_);
        fields.field("step_ratio", step_ratio_);
        fields.field("mode", mode_);
        fields.field("gamma", gamma_);
        fields.written_only("scale_mode", mode_ == "exp_range" ? "iterations" : "cycle");
        fields.field("cycle_momentum", momenta_.turns);
        if (momenta_.turns) {
            fields.written_only("use_beta1", momenta_.use_beta1);
            fields.field("base_momentums", momenta_.base);
            fields.field("max_momentums", momenta_.largest);
        }
        fields.written_only("_scale_fn_custom", Tree());
    }

  private:
    std::vector<double> difference() const {
        std::vector<double> difference = momenta_.largest;
        for (std::size_t group = 0; group < difference.size(); ++group)
            difference[group] -= momenta_.base[group];
        return difference;
    }
    double scale(double cycle) const {
        if (mode_ == "triangular2")
            return 1 / std::pow(2.0, cycle - 1);
        return mode_ == "exp_range" ? std::pow(gamma_, static_cast<double>(last_epoch_)) : 1.0;
    }
    std::vector<double> cycled(std::vector<double> low, const std::vector<double>& high) const {
        const double turns = static_cast<double>(last_epoch_) / total_size_;
        const double cycle = std::floor(1 + turns);
        const double x = 1.0 + turns - cycle;
        const double height = x <= step_ratio_ ? x / step_ratio_ : (x - 1) / (step_ratio_ - 1);
        for (std::size_t group = 0; group < low.size(); ++group)
            low[group] += (high[group] - low[group]) * height * scale(cycle);
        return low;
    }

    std::vector<double> max_lrs_;
    double total_size_, step_ratio_;
    std::string mode_;
    double gamma_;
    Momenta momenta_;
};

class OneCycleLR final : public GroupSchedule {
  public:
    struct Shape {
        std::int64_t total_steps = 0;
        double pct_start = 0.3;
        bool three_phase = false;
        std::string anneal = "cos";
        std::vector<double> initial, largest, lowest;
    };
    OneCycleLR(const std::string& name, Optimizer& optimizer, Shape shape, Momenta momenta)
        : GroupSchedule(name, optimizer, shape.initial),
          total_steps_(shape.total_steps),
          anneal_(std::move(shape.anneal)),
          initial_(std::move(shape.initial)),
          largest_(std::move(shape.largest)),
          lowest_(std::move(shape.lowest)),
          momenta_(std::move(momenta)) {
        const auto total = static_cast<double>(total_steps_);
        phases_.push_back({shape.pct_start * total - 1, &initial_, &largest_, &momenta_.largest, &momenta_.base});
        if (shape.three_phase)
            phases_.push_back(
                {2 * shape.pct_start * total - 2, &largest_, &initial_, &momenta_.base, &momenta_.largest});
        phases_.push_back({total - 1, shape.three_phase ? &initial_ : &largest_, &lowest_,
                           shape.three_phase ? &momenta_.largest : &momenta_.base, &momenta_.largest});
    }

    std::optional<std::int64_t> total_steps() const override { return total_steps_; }

  protected:
    std::vector<double> rates() override {
        if (last_epoch_ > total_steps_)
            throw UserError("{}: step {} is past the {} steps of the cycle; give it more total_steps", name_,
                            last_epoch_, total_steps_);
        return annealed(&Phase::start_lr, &Phase::end_lr);
    }
    std::vector<double> momenta() override {
        return momenta_.turns ? annealed(&Phase::start_momentum, &Phase::end_momentum) : std::vector<double>();
    }
    void visit_own(StateFields& fields) override {
        fields.field("total_steps", total_steps_);
        visit_phases(fields);
        fields.field("_anneal_func_type", anneal_);
        fields.field("cycle_momentum", momenta_.turns);
        if (momenta_.turns)
            fields.written_only("use_beta1", momenta_.use_beta1);
    }

  private:
    using Numbers = std::vector<double>;
    struct Phase {
        double end_step;
        const Numbers *start_lr, *end_lr, *start_momentum, *end_momentum;
    };

    Numbers annealed(const Numbers* Phase::*start, const Numbers* Phase::*end) const {
        const auto step = static_cast<double>(last_epoch_);
        double begun = 0;
        std::size_t now = 0;
        while (step > phases_[now].end_step && now + 1 < phases_.size())
            begun = phases_[now++].end_step;
        const double share = (step - begun) / (phases_[now].end_step - begun);
        const Numbers &from = *(phases_[now].*start), &to = *(phases_[now].*end);
        Numbers numbers(from.size());
        for (std::size_t group = 0; group < numbers.size(); ++group)
            numbers[group] = anneal_ == "cos" ? to[group] + (from[group] - to[group]) / 2.0 *
                                                                (std::cos(std::numbers::pi * share) + 1)
                                              : (to[group] - from[group]) * share + from[group];
        return numbers;
    }

    /// torch keeps the phases in the state, the rates in the optimizer's groups. Ours come from the arguments of the schedule, which must be
    /// those of the run; of the state only the phases' lengths count.
    void visit_phases(StateFields& fields) {
        auto rate_name = [this](const Numbers* numbers) {
            return numbers == &initial_ ? "initial_lr" : numbers == &largest_ ? "max_lr" : "min_lr";
        };
        auto momentum_name = [this](const Numbers* numbers) {
            return numbers == &momenta_.largest ? "max_momentum" : "base_momentum";
        };
        if (!fields.reading()) {
            Tree list = Tree::list();
            for (const Phase& phase : phases_)
                list.append(Tree::dict({{"end_step", phase.end_step},
                                        {"start_lr", rate_name(phase.start_lr)},
                                        {"end_lr", rate_name(phase.end_lr)},
                                        {"start_momentum", momentum_name(phase.start_momentum)},
                                        {"end_momentum", momentum_name(phase.end_momentum)}}));
            fields.written_only("_schedule_phases", list);
            return;
        }
        const Tree* list = fields.value("_schedule_phases");
        if (list == nullptr)
            return;
        Numbers ends;
        if (list->is_list())
            for (const Tree& phase : list->items())
                if (const Tree* end = phase.find("end_step"); end != nullptr && (end->is_real() || end->is_integer()))
                    ends.push_back(end->as_real());
        if (ends.size() != phases_.size()) {
            fields.problem("_schedule_phases",
                           Message("are {} phases, this schedule has {}", ends.size(), phases_.size()));
            return;
        }
        fields.on_commit([this, ends] {
            for (std::size_t i = 0; i < ends.size(); ++i)
                phases_[i].end_step = ends[i];
        });
    }

    std::int64_t total_steps_;
    std::string anneal_;
    Numbers initial_, largest_, lowest_;
    Momenta momenta_;
    std::vector<Phase> phases_;
};

std::unique_ptr<JoinableSchedule> make_cyclic(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                              std::vector<double>) {
    std::vector<double> lowest = arguments.per_group("base_lr", std::nullopt);
    CyclicLR::Shape shape;
    shape.largest = arguments.per_group("max_lr", std::nullopt);
    shape.up = arguments.real("step_size_up", 2000);
    shape.down = arguments.maybe_real("step_size_down").value_or(shape.up);
    arguments.require(shape.up > 0, "step_size_up", "must be more than 0");
    arguments.require(shape.down >= 0, "step_size_down", "must not be negative");
    shape.mode = arguments.word("mode", "triangular", {"triangular", "triangular2", "exp_range"});
    shape.gamma = arguments.real("gamma", 1.0);
    arguments.word("scale_mode", "cycle", {"cycle", "iterations"});  // the mode decides
    Momenta momenta(arguments, optimizer, 0.8, 0.9);
    arguments.finish();
    return std::make_unique<CyclicLR>(name, optimizer, std::move(lowest), std::move(shape), std::move(momenta));
}

std::unique_ptr<JoinableSchedule> make_one_cycle(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                                 std::vector<double>) {
    OneCycleLR::Shape shape;
    shape.largest = arguments.per_group("max_lr", std::nullopt);
    const auto total = arguments.maybe_integer("total_steps"), epochs = arguments.maybe_integer("epochs"),
               steps = arguments.maybe_integer("steps_per_epoch");
    if (arguments.raw("total_steps") == nullptr) {
        arguments.require(arguments.raw("epochs") != nullptr && arguments.raw("steps_per_epoch") != nullptr,
                          "total_steps", "is missing: give it, or epochs and steps_per_epoch");
        arguments.require(!epochs || *epochs > 0, "epochs", "must be at least 1");
        arguments.require(!steps || *steps > 0, "steps_per_epoch", "must be at least 1");
    }
    arguments.require(!total || *total > 0, "total_steps", "must be at least 1");
    shape.total_steps = total.value_or(epochs.value_or(0) * steps.value_or(0));
    shape.pct_start = arguments.real("pct_start", 0.3);
    const Tree* share = arguments.raw("pct_start");
    arguments.require(share == nullptr || (share->is_real() && shape.pct_start >= 0 && shape.pct_start <= 1),
                      "pct_start", "must be a share between 0.0 and 1.0, written with a point");
    shape.three_phase = arguments.flag("three_phase", false);
    shape.anneal = arguments.word("anneal_strategy", "cos", {"cos", "linear"});
    const double div = arguments.real("div_factor", 25.0), final_div = arguments.real("final_div_factor", 1e4);
    arguments.require(div != 0, "div_factor", "must not be 0");
    arguments.require(final_div != 0, "final_div_factor", "must not be 0");
    Momenta momenta(arguments, optimizer, 0.85, 0.95);
    arguments.finish();
    for (double rate : shape.largest) {
        shape.initial.push_back(rate / div);
        shape.lowest.push_back(rate / div / final_div);
    }
    return std::make_unique<OneCycleLR>(name, optimizer, std::move(shape), std::move(momenta));
}

}  // namespace

std::vector<ScheduleKind> cyclic_kinds() {
    return {{"CyclicLR", make_cyclic}, {"OneCycleLR", make_one_cycle}};
}

}  // namespace trainyard::optim
