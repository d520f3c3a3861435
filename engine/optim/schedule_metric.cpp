// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that follow a metric: torch's ReduceLROnPlateau (2.11) and transformers' GreedyLR (5.23; arXiv:2512.14527).

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Decides whether a metric is better than the best so far.
struct Judge {
    std::string mode, threshold_mode;
    double threshold = 0;

    Judge(Arguments& arguments, double threshold_default, const char* mode_default)
        : mode(arguments.word("mode", "min", {"min", "max"})),
          threshold_mode(arguments.word("threshold_mode", mode_default, {"rel", "abs"})),
          threshold(arguments.real("threshold", threshold_default)) {}

    double worst() const { return mode == "min" ? kInfinity : -kInfinity; }
    bool better(double metric, double best) const {
        if (mode == "min")
            return metric < (threshold_mode == "rel" ? best * (1.0 - threshold) : best - threshold);
        return metric > (threshold_mode == "rel" ? best * (threshold + 1.0) : best + threshold);
    }
};

class MetricSchedule : public JoinableSchedule {
  public:
    MetricSchedule(std::string name, Optimizer& optimizer, Judge judge)
        : name_(std::move(name)), optimizer_(optimizer), judge_(std::move(judge)), best_(judge_.worst()) {
        remember_rates();
    }

    bool needs_metric() const override { return true; }
    std::vector<double> last_lr() const override { return last_lr_; }
    std::int64_t last_epoch() const override { return last_epoch_; }
    const std::string& name() const override { return name_; }
    // No rate before the first metric; and the factory lets no sequence have one of these.
    void begin() override {}
    void undo() override {}
    void begin_anew() override {}

    void step(std::optional<double> metric) override {
        if (!metric)
            throw UserError(
                "{} follows a metric: give one to each step, e.g. the loss of the "
                "evaluation",
                name_);
        ++last_epoch_;
        follow(*metric);
        remember_rates();
    }

  protected:
    virtual void follow(double metric) = 0;
    Optimizer& optimizer() const override { return optimizer_; }
    void remember_rates() { last_lr_ = base_rates(optimizer_, {}); }

    std::string name_;
    Optimizer& optimizer_;
    Judge judge_;
    double best_;
    std::vector<double> last_lr_;
    std::int64_t last_epoch_ = 0, bad_epochs_ = 0, cooldown_counter_ = 0;
};

class ReduceLROnPlateau final : public MetricSchedule {
  public:
    struct Shape {
        double factor = 0.1, patience = 10, cooldown = 0, eps = 1e-8;
        std::optional<double> default_min_lr;
        std::vector<double> min_lrs;
    };
    ReduceLROnPlateau(const std::string& name, Optimizer& optimizer, Judge judge, Shape shape)
        : MetricSchedule(name, optimizer, std::move(judge)), shape_(std::move(shape)) {}

    void visit(StateFields& fields) override {
        fields.field("factor", shape_.factor);
        fields.field("default_min_lr", shape_.default_min_lr);
        fields.field("min_lrs", shape_.min_lrs);
        fields.number("patience", shape_.patience);
        fields.number("cooldown", shape_.cooldown);
        fields.field("eps", shape_.eps);
        fields.field("last_epoch", last_epoch_);
        fields.field("_last_lr", last_lr_);
        fields.written_only("mode_worse", judge_.worst());
        fields.field("mode", judge_.mode);
        fields.field("threshold", judge_.threshold);
        fields.field("threshold_mode", judge_.threshold_mode);
        fields.field("best", best_);
        fields.field("cooldown_counter", cooldown_counter_);
        fields.field("num_bad_epochs", bad_epochs_);
    }

  protected:
    void follow(double metric) override {
        if (judge_.better(metric, best_)) {
            best_ = metric;
            bad_epochs_ = 0;
        } else {
            ++bad_epochs_;
        }
        if (cooldown_counter_ > 0) {
            --cooldown_counter_;
            bad_epochs_ = 0;
        }
        if (static_cast<double>(bad_epochs_) > shape_.patience) {
            for (std::size_t group = 0; group < optimizer_.group_count(); ++group) {
                const double old_rate = optimizer_.lr(group);
                const double rate = std::max(old_rate * shape_.factor, shape_.min_lrs.at(group));
                if (old_rate - rate > shape_.eps)
                    optimizer_.set_lr(group, rate);
            }
            cooldown_counter_ = static_cast<std::int64_t>(shape_.cooldown);
            bad_epochs_ = 0;
        }
    }

  private:
    Shape shape_;
};

class GreedyLR final : public MetricSchedule {
  public:
    struct Shape {
        double factor = 0.95, patience = 10, eps = 1e-8;
        std::int64_t cooldown = 0, warmup = 0, window_size = 50, reset_start = 500;
        bool verbose = false, smooth = false;
        std::vector<double> min_lrs, max_lrs;
    };
    GreedyLR(const std::string& name, Optimizer& optimizer, Judge judge, Shape shape)
        : MetricSchedule(name, optimizer, std::move(judge)),
          shape_(std::move(shape)),
          init_lrs_(last_lr_),
          reset_start_(shape_.reset_start) {}

    void visit(StateFields& fields) override {
        fields.field("factor", shape_.factor);
        fields.field("min_lrs", shape_.min_lrs);
        fields.field("max_lrs", shape_.max_lrs);
        fields.number("patience", shape_.patience);
        fields.field("verbose", shape_.verbose);
        fields.field("cooldown", shape_.cooldown);
        fields.field("warmup", shape_.warmup);
        fields.field("cooldown_counter", cooldown_counter_);
        fields.field("warmup_counter", warmup_counter_);
        fields.field("mode", judge_.mode);
        fields.field("threshold", judge_.threshold);
        fields.field("threshold_mode", judge_.threshold_mode);
        fields.field("best", best_);
        fields.field("num_bad_epochs", bad_epochs_);
        fields.field("num_good_epochs", good_epochs_);
        fields.field("eps", shape_.eps);
        fields.field("last_epoch", last_epoch_);
        fields.field("smooth", shape_.smooth);
        fields.field("window_size", shape_.window_size);
        fields.field("reset_start", reset_start_);
        fields.field("reset_start_original", shape_.reset_start);
        fields.field("_last_lr", last_lr_);
        fields.field("_init_lrs", init_lrs_);
        visit_average(fields);
    }

  protected:
    void follow(double metric) override {
        if (shape_.smooth)
            metric = averaged(metric);
        if (cooldown_counter_ > 0 || warmup_counter_ > 0) {
            --(cooldown_counter_ > 0 ? cooldown_counter_ : warmup_counter_);
            bad_epochs_ = good_epochs_ = 0;
            return;
        }
        const bool better = judge_.better(metric, best_);
        if (better)
            best_ = metric;
        good_epochs_ = better ? good_epochs_ + 1 : 0;
        bad_epochs_ = better ? 0 : bad_epochs_ + 1;
        if (static_cast<double>(good_epochs_) > shape_.patience) {
            raise();
            warmup_counter_ = shape_.warmup;
            good_epochs_ = 0;
        } else if (static_cast<double>(bad_epochs_) > shape_.patience) {
            lower();
            cooldown_counter_ = shape_.cooldown;  // after a reset too
            bad_epochs_ = 0;
        }
    }

  private:
    double averaged(double metric) {
        window_.push_back(metric);
        sum_ += metric;
        if (static_cast<std::int64_t>(window_.size()) > shape_.window_size) {
            sum_ -= window_.front();
            window_.erase(window_.begin());
        }
        return sum_ / static_cast<double>(window_.size());
    }
    void raise() {
        for (std::size_t group = 0; group < optimizer_.group_count(); ++group) {
            const double old_rate = optimizer_.lr(group);
            const double rate = std::min(old_rate / shape_.factor, shape_.max_lrs.at(group));
            if (rate - old_rate > shape_.eps)
                optimizer_.set_lr(group, rate);
        }
        reset_start_ = shape_.reset_start;
    }
    /// Lowers the rates; after `reset_start` calls at the lowest rates, resets them to the initial ones.
    void lower() {
        bool all_lowest = true;
        for (std::size_t group = 0; group < optimizer_.group_count(); ++group) {
            const double old_rate = optimizer_.lr(group), lowest = shape_.min_lrs.at(group);
            const double rate = std::max(old_rate * shape_.factor, lowest);
            if (old_rate - rate > shape_.eps)
                optimizer_.set_lr(group, rate);
            all_lowest = all_lowest && optimizer_.lr(group) <= lowest;
        }
        if (!all_lowest || --reset_start_ > 0)
            return;
        set_rates(init_lrs_);
        best_ = judge_.worst();
        good_epochs_ = warmup_counter_ = 0;
        reset_start_ = shape_.reset_start;
        window_.clear();
        sum_ = 0;
    }
    void visit_average(StateFields& fields) {
        if (!shape_.smooth && !fields.reading())
            return;
        if (!fields.reading()) {
            StateFields inside;
            inside.field("window_size", shape_.window_size);
            inside.field("values", window_);
            inside.field("sum", sum_);
            fields.written_only("_streaming_avg", inside.take());
        } else if (fields.has("_streaming_avg")) {
            const Tree& state = *fields.value("_streaming_avg");
            fields.on_commit([this, state] {
                StateFields inside(name_, state);
                inside.field("window_size", shape_.window_size);
                inside.field("values", window_);
                inside.field("sum", sum_);
                inside.commit();
            });
        }
    }

    Shape shape_;
    std::vector<double> init_lrs_;
    std::int64_t reset_start_, good_epochs_ = 0, warmup_counter_ = 0;
    std::vector<double> window_;
    double sum_ = 0;
};

std::unique_ptr<JoinableSchedule> make_plateau(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                               std::vector<double>) {
    Judge judge(arguments, 1e-4, "rel");
    ReduceLROnPlateau::Shape shape;
    shape.factor = arguments.real("factor", 0.1);
    arguments.require(shape.factor < 1, "factor", "must be lower than 1");
    shape.patience = arguments.real("patience", 10);
    shape.cooldown = arguments.real("cooldown", 0);
    shape.eps = arguments.real("eps", 1e-8);
    shape.min_lrs = arguments.per_group("min_lr", 0);
    const Tree* least = arguments.raw("min_lr");
    if (least == nullptr || !(least->is_list() || least->is_tuple()))
        shape.default_min_lr = shape.min_lrs.front();
    if (name == "reduce_lr_on_plateau")
        arguments.take_unused_steps();
    arguments.finish();
    return std::make_unique<ReduceLROnPlateau>(name, optimizer, std::move(judge), std::move(shape));
}

std::unique_ptr<JoinableSchedule> make_greedy(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                              std::vector<double>) {
    Judge judge(arguments, 1e-6, "abs");
    GreedyLR::Shape shape;
    shape.factor = arguments.real("factor", 0.95);
    arguments.require(shape.factor < 1 && shape.factor != 0, "factor", "must be lower than 1 and not 0");
    shape.patience = arguments.real("patience", 10);
    shape.cooldown = arguments.integer("cooldown", 0);
    shape.warmup = arguments.integer("warmup", 0);
    shape.min_lrs = arguments.per_group("min_lr", 1e-3);
    shape.max_lrs = arguments.per_group("max_lr", 1.0);
    shape.eps = arguments.real("eps", 1e-8);
    shape.verbose = arguments.flag("verbose", false);
    shape.smooth = arguments.flag("smooth", false);
    shape.window_size = arguments.integer("window_size", 50);
    arguments.require(shape.window_size > 0, "window_size", "must be at least 1");
    shape.reset_start = arguments.integer("reset_start", 500);
    arguments.take_unused_steps();
    arguments.finish();
    return std::make_unique<GreedyLR>(name, optimizer, std::move(judge), std::move(shape));
}

}  // namespace

std::vector<ScheduleKind> metric_kinds() {
    return {{"reduce_lr_on_plateau", make_plateau}, {"ReduceLROnPlateau", make_plateau}, {"greedy", make_greedy}};
}

}  // namespace trainyard::optim
