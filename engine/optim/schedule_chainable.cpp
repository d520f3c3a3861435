// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of torch.optim.lr_scheduler (2.11) that compute the next rates from the present ones. The formulas are
// written as in torch, so that sums and products round alike; the closed forms are for the start in the middle of a
// SequentialLR.

#include <cmath>
#include <map>
#include <numbers>

#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

class StepLR final : public GroupSchedule {
  public:
    StepLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double step_size, double gamma)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), step_size_(step_size), gamma_(gamma) {}

  protected:
    std::vector<double> rates() override {
        const auto epoch = static_cast<double>(last_epoch_);
        return scaled(last_epoch_ == 0 || std::fmod(epoch, step_size_) != 0 ? 1.0 : gamma_);
    }
    std::vector<double> closed_form() override {
        return scaled_base(std::pow(gamma_, std::floor(static_cast<double>(last_epoch_) / step_size_)));
    }
    void visit_own(StateFields& fields) override {
        fields.number("step_size", step_size_);
        fields.field("gamma", gamma_);
    }

  private:
    double step_size_, gamma_;
};

class MultiStepLR final : public GroupSchedule {
  public:
    MultiStepLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs,
                const std::vector<std::int64_t>& milestones, double gamma)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), gamma_(gamma) {
        for (std::int64_t milestone : milestones)
            ++milestones_[milestone];
    }

  protected:
    std::vector<double> rates() override {
        auto found = milestones_.find(last_epoch_);
        return found == milestones_.end() ? present() : scaled(std::pow(gamma_, static_cast<double>(found->second)));
    }
    std::vector<double> closed_form() override {
        std::int64_t passed = 0;
        for (const auto& [milestone, count] : milestones_)
            passed += milestone <= last_epoch_ ? count : 0;
        return scaled_base(std::pow(gamma_, static_cast<double>(passed)));
    }
    void visit_own(StateFields& fields) override {
        fields.field("milestones", milestones_);
        fields.field("gamma", gamma_);
    }

  private:
    std::map<std::int64_t, std::int64_t> milestones_;
    double gamma_;
};

class ConstantLR final : public GroupSchedule {
  public:
    ConstantLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double factor,
               double total_iters)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), factor_(factor), total_iters_(total_iters) {}

  protected:
    std::vector<double> rates() override {
        if (last_epoch_ == 0)
            return scaled(factor_);
        if (static_cast<double>(last_epoch_) != total_iters_)
            return present();
        return factor_ == 0 ? base_lrs_ : scaled(1.0 / factor_);
    }
    std::vector<double> closed_form() override {
        return scaled_base(factor_ + (static_cast<double>(last_epoch_) >= total_iters_ ? 1 - factor_ : 0));
    }
    void visit_own(StateFields& fields) override {
        fields.field("factor", factor_);
        fields.number("total_iters", total_iters_);
    }

  private:
    double factor_, total_iters_;
};

class LinearLR final : public GroupSchedule {
  public:
    LinearLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double start, double end,
             double total_iters)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), start_(start), end_(end), total_iters_(total_iters) {}

  protected:
    std::vector<double> rates() override {
        const auto epoch = static_cast<double>(last_epoch_);
        if (last_epoch_ == 0)
            return scaled(start_);
        if (beginning_ || epoch > total_iters_)
            return present();
        return scaled(1.0 + (end_ - start_) / (total_iters_ * start_ + (epoch - 1) * (end_ - start_)));
    }
    std::vector<double> closed_form() override {
        const double done = std::min(total_iters_, static_cast<double>(last_epoch_));
        return scaled_base(start_ + (total_iters_ == 0 ? 0 : (end_ - start_) * done / total_iters_));
    }
    void visit_own(StateFields& fields) override {
        fields.field("start_factor", start_);
        fields.field("end_factor", end_);
        fields.number("total_iters", total_iters_);
    }

  private:
    double start_, end_, total_iters_;
};

class ExponentialLR final : public GroupSchedule {
  public:
    ExponentialLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double gamma)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), gamma_(gamma) {}

  protected:
    std::vector<double> rates() override { return beginning_ ? present() : scaled(gamma_); }
    std::vector<double> closed_form() override {
        return scaled_base(std::pow(gamma_, static_cast<double>(last_epoch_)));
    }
    void visit_own(StateFields& fields) override { fields.field("gamma", gamma_); }

  private:
    double gamma_;
};

class PolynomialLR final : public GroupSchedule {
  public:
    PolynomialLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double total_iters,
                 double power)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), total_iters_(total_iters), power_(power) {}

  protected:
    std::vector<double> rates() override {
        const auto epoch = static_cast<double>(last_epoch_);
        if (beginning_ || epoch > total_iters_)
            return present();
        return scaled(std::pow((1.0 - epoch / total_iters_) / (1.0 - (epoch - 1) / total_iters_), power_));
    }
    std::vector<double> closed_form() override {
        const double done = std::min(total_iters_, static_cast<double>(last_epoch_));
        return scaled_base(std::pow(1.0 - (total_iters_ == 0 ? 0 : done / total_iters_), power_));
    }
    void visit_own(StateFields& fields) override {
        fields.number("total_iters", total_iters_);
        fields.field("power", power_);
    }

  private:
    double total_iters_, power_;
};

/// Loshchilov, Hutter, "SGDR", ICLR 2017, without the restarts; after T_max the rate rises again.
class CosineAnnealingLR final : public GroupSchedule {
  public:
    CosineAnnealingLR(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs, double t_max,
                      double eta_min)
        : GroupSchedule(name, optimizer, std::move(base_lrs)), t_max_(t_max), eta_min_(eta_min) {}

  protected:
    std::vector<double> rates() override {
        std::vector<double> rates = present();
        if (beginning_)
            return rates;
        const auto epoch = static_cast<double>(last_epoch_);
        if (step_count_ == 1 && last_epoch_ > 0)
            return closed_form();
        // Half a period after the minimum the quotient below would be 0 / 0.
        const bool from_minimum = std::fmod(epoch - 1 - t_max_, 2 * t_max_) == 0;
        for (std::size_t group = 0; group < rates.size(); ++group)
            rates[group] =
                from_minimum
                    ? rates[group] + (base_lrs_[group] - eta_min_) * (1 - std::cos(std::numbers::pi / t_max_)) / 2
                    : (1 + std::cos(std::numbers::pi * epoch / t_max_)) /
                              (1 + std::cos(std::numbers::pi * (epoch - 1) / t_max_)) * (rates[group] - eta_min_) +
                          eta_min_;
        return rates;
    }
    std::vector<double> closed_form() override {
        std::vector<double> rates = base_lrs_;
        for (double& rate : rates)
            rate = eta_min_ +
                   (rate - eta_min_) * (1 + std::cos(std::numbers::pi * static_cast<double>(last_epoch_) / t_max_)) / 2;
        return rates;
    }
    void visit_own(StateFields& fields) override {
        fields.number("T_max", t_max_);
        fields.field("eta_min", eta_min_);
    }

  private:
    double t_max_, eta_min_;
};

/// SGDR with its restarts: periods of T_0, T_0 T_mult, T_0 T_mult^2, ... steps.
class CosineAnnealingWarmRestarts final : public GroupSchedule {
  public:
    CosineAnnealingWarmRestarts(const std::string& name, Optimizer& optimizer, std::vector<double> base_lrs,
                                std::int64_t t_0, std::int64_t t_mult, double eta_min)
        : GroupSchedule(name, optimizer, std::move(base_lrs)),
          t_0_(t_0),
          t_i_(t_0),
          t_mult_(t_mult),
          eta_min_(eta_min) {}

    // torch does not count the steps of this one.
    void step(std::optional<double>) override {
        if (last_epoch_ < 0) {
            t_cur_ = 0;
            t_i_ = t_0_;
        } else if (++t_cur_ >= t_i_) {
            t_cur_ %= t_i_;
            t_i_ *= t_mult_;
        }
        ++last_epoch_;
        turn(rates());
    }
    void begin_anew() override {
        t_cur_ = 0;
        t_i_ = t_0_;
        GroupSchedule::begin_anew();
    }

  protected:
    std::vector<double> rates() override {
        std::vector<double> rates = base_lrs_;
        for (double& rate : rates)
            rate = eta_min_ +
                   (rate - eta_min_) *
                       (1 + std::cos(std::numbers::pi * static_cast<double>(t_cur_) / static_cast<double>(t_i_))) / 2;
        return rates;
    }
    void visit_own(StateFields& fields) override {
        fields.field("T_0", t_0_);
        fields.field("T_i", t_i_);
        fields.field("T_mult", t_mult_);
        fields.field("eta_min", eta_min_);
        fields.field("T_cur", t_cur_);
    }

  private:
    std::int64_t t_0_, t_i_, t_mult_;
    double eta_min_;
    std::int64_t t_cur_ = -1;
};

using Made = std::unique_ptr<JoinableSchedule>;
using Rates = std::vector<double>;

Made make_step_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double size = arguments.real("step_size"), gamma = arguments.real("gamma", 0.1);
    arguments.require(arguments.raw("step_size") == nullptr || size > 0, "step_size", "must be more than 0");
    arguments.finish();
    return std::make_unique<StepLR>(name, optimizer, std::move(base), size, gamma);
}

Made make_multi_step_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const std::vector<std::int64_t> milestones = arguments.integers("milestones");
    const double gamma = arguments.real("gamma", 0.1);
    arguments.finish();
    return std::make_unique<MultiStepLR>(name, optimizer, std::move(base), milestones, gamma);
}

Made make_constant_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double factor = arguments.real("factor", 1.0 / 3), total = arguments.real("total_iters", 5);
    arguments.require(factor >= 0 && factor <= 1, "factor", "must be between 0 and 1");
    arguments.finish();
    return std::make_unique<ConstantLR>(name, optimizer, std::move(base), factor, total);
}

Made make_linear_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double start = arguments.real("start_factor", 1.0 / 3), end = arguments.real("end_factor", 1.0);
    const double total = arguments.real("total_iters", 5);
    arguments.require(start > 0 && start <= 1, "start_factor", "must be more than 0 and at most 1");
    arguments.require(end >= 0 && end <= 1, "end_factor", "must be between 0 and 1");
    arguments.finish();
    return std::make_unique<LinearLR>(name, optimizer, std::move(base), start, end, total);
}

Made make_exponential_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double gamma = arguments.real("gamma");
    arguments.finish();
    return std::make_unique<ExponentialLR>(name, optimizer, std::move(base), gamma);
}

Made make_polynomial_lr(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double total = arguments.real("total_iters", 5), power = arguments.real("power", 1);
    arguments.finish();
    return std::make_unique<PolynomialLR>(name, optimizer, std::move(base), total, power);
}

Made make_cosine_annealing(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const double t_max = arguments.real("T_max"), eta_min = arguments.real("eta_min", 0);
    arguments.require(arguments.raw("T_max") == nullptr || t_max != 0, "T_max", "must not be 0");
    arguments.finish();
    return std::make_unique<CosineAnnealingLR>(name, optimizer, std::move(base), t_max, eta_min);
}

Made make_warm_restarts(const std::string& name, Arguments& arguments, Optimizer& optimizer, Rates base) {
    const std::int64_t t_0 = arguments.integer("T_0"), t_mult = arguments.integer("T_mult", 1);
    const double eta_min = arguments.real("eta_min", 0);
    arguments.require(arguments.raw("T_0") == nullptr || t_0 > 0, "T_0", "must be at least 1");
    arguments.require(t_mult >= 1, "T_mult", "must be at least 1");
    arguments.finish();
    return std::make_unique<CosineAnnealingWarmRestarts>(name, optimizer, std::move(base), t_0, t_mult, eta_min);
}

}  // namespace

std::vector<ScheduleKind> chainable_kinds() {
    return {{"StepLR", make_step_lr},
            {"MultiStepLR", make_multi_step_lr},
            {"ConstantLR", make_constant_lr},
            {"LinearLR", make_linear_lr},
            {"ExponentialLR", make_exponential_lr},
            {"PolynomialLR", make_polynomial_lr},
            {"CosineAnnealingLR", make_cosine_annealing},
            {"CosineAnnealingWarmRestarts", make_warm_restarts}};
}

}  // namespace trainyard::optim
