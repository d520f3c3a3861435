// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that are a factor on the base rates: those of transformers.optimization (5.23), and functions of the caller.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/error.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

class LambdaLR final : public GroupSchedule {
  public:
    LambdaLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs,
             std::vector<RateFactor> factors, bool multiplicative)
        : GroupSchedule(name, optimizer, std::move(base_lrs)),
          factors_(std::move(factors)),
          multiplicative_(multiplicative) {
        if (factors_.size() == 1)
            factors_.resize(optimizer.group_count(), factors_.front());
        if (factors_.size() != optimizer.group_count())
            throw UserError("{}: {} functions were given, the optimizer has {} parameter groups", name, factors_.size(),
                            optimizer.group_count());
    }

  protected:
    std::vector<double> rates() override {
        std::vector<double> rates = multiplicative_ ? present() : base_lrs_;
        if (!multiplicative_ || !beginning_)
            for (std::size_t group = 0; group < rates.size(); ++group)
                rates[group] *= factors_[group](last_epoch_);
        return rates;
    }
    void visit_own(StateFields& fields) override {
        // Functions are not saved; torch keeps a None for each.
        fields.written_only("lr_lambdas", Tree::list(Tree::List(factors_.size())));
    }

  private:
    std::vector<RateFactor> factors_;
    bool multiplicative_;
};

/// Warm-up and training steps, as transformers.get_scheduler takes them for every schedule.
struct Steps {
    std::optional<double> warmup, training;
    explicit Steps(Arguments& arguments)
        : warmup(arguments.maybe_real("num_warmup_steps")), training(arguments.maybe_real("num_training_steps")) {}
    double need_warmup(Arguments& arguments) const { return need(arguments, warmup, "num_warmup_steps"); }
    double need_training(Arguments& arguments) const { return need(arguments, training, "num_training_steps"); }

  private:
    static double need(Arguments& arguments, const std::optional<double>& steps, const char* key) {
        arguments.require(steps || arguments.raw(key) != nullptr, key,
                          "is missing: this schedule cannot do without it");
        return steps.value_or(0);
    }
};

/// Rising from 0 to 1 during the warm-up.
double ramp(double step, double warmup) {
    return step / std::max(1.0, warmup);
}

/// Share of the steps after the warm-up.
double progress_after(double step, double warmup, double training) {
    return (step - warmup) / std::max(1.0, training - warmup);
}

using Made = std::unique_ptr<JoinableSchedule>;
using Rates = std::vector<double>;

Made lambda(const std::string& name, Optimizer& optimizer, Rates base, std::function<double(double)> factor) {
    return std::make_unique<LambdaLR>(name, optimizer, std::move(base),
                                      std::vector<RateFactor>{[factor = std::move(factor)](std::int64_t step) {
                                          return factor(static_cast<double>(step));
                                      }},
                                      false);
}

Made make_constant(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    arguments.take_unused_steps();
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [](double) { return 1.0; });
}

Made make_constant_with_warmup(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double warmup = Steps(arguments).need_warmup(arguments);
    arguments.finish();
    return lambda(name, optimizer, std::move(base),
                  [=](double step) { return step < warmup ? ramp(step, warmup) : 1.0; });
}

Made make_linear(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return ramp(step, warmup);
        return std::max(0.0, (training - step) / std::max(1.0, training - warmup));
    });
}

Made cosine(const std::string& name, Optimizer& optimizer, Rates base, double warmup, double training, double cycles,
            double floor) {
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return ramp(step, warmup);
        const double progress = progress_after(step, warmup, training);
        const double factor = 0.5 * (1.0 + std::cos(std::numbers::pi * cycles * 2.0 * progress));
        return std::max(0.0, factor * (1 - floor) + floor);
    });
}

Made make_cosine(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    const double cycles = arguments.real("num_cycles", 0.5);
    arguments.finish();
    return cosine(name, optimizer, std::move(base), warmup, training, cycles, 0);
}

Made make_cosine_with_restarts(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    const double cycles = arguments.real("num_cycles", 1);
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return ramp(step, warmup);
        const double progress = progress_after(step, warmup, training);
        if (progress >= 1.0)
            return 0.0;
        return std::max(0.0, 0.5 * (1.0 + std::cos(std::numbers::pi * std::fmod(cycles * progress, 1.0))));
    });
}

Made make_polynomial(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    const double end = arguments.real("lr_end", 1e-7), power = arguments.real("power", 1.0);
    const double initial = base.front();
    arguments.require(initial > end, "lr_end", Message("is {}, must be lower than the initial rate {}", end, initial));
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return ramp(step, warmup);
        // Without a decay phase (torch's users get a ZeroDivisionError in the last step) the end is the end.
        if (step > training || training == warmup)
            return end / initial;
        const double remaining = 1 - (step - warmup) / (training - warmup);
        return ((initial - end) * std::pow(remaining, power) + end) / initial;
    });
}

Made make_inverse_sqrt(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double warmup = Steps(arguments).need_warmup(arguments);
    const double timescale = arguments.real("timescale", warmup != 0 ? warmup : 10000);
    arguments.require(timescale > 0, "timescale", "must be more than 0");
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return ramp(step, warmup);
        return 1.0 / std::sqrt((step + (timescale - warmup)) / timescale);
    });
}

/// The lowest rate as a share of the initial one, from min_lr or min_lr_rate.
double least_share(Arguments& arguments, double initial) {
    const std::optional<double> rate = arguments.maybe_real("min_lr"), share = arguments.maybe_real("min_lr_rate");
    arguments.require(!(rate && share), "min_lr", "and min_lr_rate exclude each other: give one");
    arguments.require(rate || share || arguments.raw("min_lr") || arguments.raw("min_lr_rate"), "min_lr",
                      "or min_lr_rate is missing: this schedule cannot do without one");
    arguments.require(!rate || initial != 0, "min_lr", "has no meaning for an initial rate of 0");
    return rate ? *rate / initial : share.value_or(0);
}

Made make_cosine_with_min_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    const double cycles = arguments.real("num_cycles", 0.5), floor = least_share(arguments, base.front());
    arguments.finish();
    return cosine(name, optimizer, std::move(base), warmup, training, cycles, floor);
}

Made make_cosine_warmup_with_min_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), training = steps.need_training(arguments);
    const double cycles = arguments.real("num_cycles", 0.5), floor = least_share(arguments, base.front());
    const std::optional<double> start = arguments.maybe_real("warmup_lr_rate");
    arguments.finish();
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup)
            return start ? *start + (1.0 - *start) * step / std::max(1.0, warmup - 1)
                         : (step + 1.0) / std::max(1.0, warmup);
        const double progress = (step - warmup + 1.0) / std::max(1.0, training - warmup);
        const double factor = 0.5 * (1.0 + std::cos(std::numbers::pi * cycles * 2.0 * progress));
        return std::max(0.0, factor * (1 - floor) + floor);
    });
}

Made make_warmup_stable_decay(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const Steps steps(arguments);
    const double warmup = steps.need_warmup(arguments), decay = arguments.real("num_decay_steps");
    const std::optional<double> given_stable = arguments.maybe_real("num_stable_steps");
    arguments.require(steps.training || given_stable, "num_stable_steps",
                      "or num_training_steps is missing: this schedule cannot do without one");
    const std::string rise = arguments.word("warmup_type", "linear", {"linear", "cosine", "1-sqrt"});
    const std::string fall = arguments.word("decay_type", "cosine", {"linear", "cosine", "1-sqrt"});
    const double floor = arguments.real("min_lr_ratio", 0), cycles = arguments.real("num_cycles", 0.5);
    arguments.finish();
    const double stable = given_stable ? *given_stable : *steps.training - warmup - decay;
    auto lifted = [floor](double factor) { return std::max(0.0, factor * (1.0 - floor) + floor); };
    return lambda(name, optimizer, std::move(base), [=](double step) {
        if (step < warmup) {
            const double progress = ramp(step, warmup);
            return lifted(rise == "linear"   ? progress
                          : rise == "cosine" ? 0.5 * (1.0 - std::cos(std::numbers::pi * progress))
                                             : 1.0 - std::sqrt(1.0 - progress));
        }
        if (step < warmup + stable)
            return 1.0;
        if (step < warmup + stable + decay) {
            const double progress = (step - warmup - stable) / std::max(1.0, decay);
            return lifted(fall == "linear"   ? 1.0 - progress
                          : fall == "cosine" ? 0.5 * (1.0 + std::cos(std::numbers::pi * cycles * 2.0 * progress))
                                             : 1.0 - std::sqrt(progress));
        }
        return floor;
    });
}

}  // namespace

std::vector<ScheduleKind> lambda_kinds() {
    return {{"linear", make_linear},
            {"cosine", make_cosine},
            {"cosine_with_restarts", make_cosine_with_restarts},
            {"polynomial", make_polynomial},
            {"constant", make_constant},
            {"constant_with_warmup", make_constant_with_warmup},
            {"inverse_sqrt", make_inverse_sqrt},
            {"cosine_with_min_lr", make_cosine_with_min_lr},
            {"cosine_warmup_with_min_lr", make_cosine_warmup_with_min_lr},
            {"warmup_stable_decay", make_warmup_stable_decay}};
}

std::unique_ptr<Schedule> lambda_schedule(std::vector<RateFactor> factors, Optimizer& optimizer,
                                          const std::vector<double>& base_lrs) {
    auto made =
        std::make_unique<LambdaLR>("LambdaLR", optimizer, base_rates(optimizer, base_lrs), std::move(factors), false);
    made->begin();
    return made;
}

std::unique_ptr<Schedule> multiplicative_schedule(std::vector<RateFactor> factors, Optimizer& optimizer,
                                                  const std::vector<double>& base_lrs) {
    auto made = std::make_unique<LambdaLR>("MultiplicativeLR", optimizer, base_rates(optimizer, base_lrs),
                                           std::move(factors), true);
    made->begin();
    return made;
}

}  // namespace trainyard::optim
