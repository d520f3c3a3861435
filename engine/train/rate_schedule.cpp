// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/rate_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/number.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/schedule_kinds.h"
#include "config/values/value_formats.h"

namespace trainyard::train {

namespace {

Tree tree_of(const Value& value) {
    if (value.is_list()) {
        Tree list = Tree::list();
        for (const Value& item : value.items())
            list.append(tree_of(item));
        return list;
    }
    if (value.is_map()) {
        Tree dict = Tree::dict();
        for (const auto& [key, entry] : value.entries())
            dict.set(key, tree_of(entry));
        return dict;
    }
    if (value.is_null())
        return {};
    const std::string text = value.spelling();
    if (!value.plain)
        return text;
    for (const char* word : {"true", "yes", "on", "True"})
        if (text == word)
            return true;
    for (const char* word : {"false", "no", "off", "False"})
        if (text == word)
            return false;
    if (const auto whole = parse_number<std::int64_t>(text))
        return *whole;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (const auto real = parse_number<double>(text, -kInfinity, kInfinity))
        return *real;
    return text;
}

/// One group without parameters: the schedule turns its numbers, the trainer reads them.
class Rates final : public optim::Optimizer {
  public:
    Rates(double lr, double momentum) : lr_(lr), momentum_(momentum) {}
    std::size_t group_count() const override { return 1; }
    double lr(std::size_t) const override { return lr_; }
    void set_lr(std::size_t, double lr) override { lr_ = lr; }
    double momentum(std::size_t) const override { return momentum_; }
    void set_momentum(std::size_t, double momentum) override { momentum_ = momentum; }
    std::vector<at::Tensor> parameters() const override { return {}; }
    void step() override {}
    void zero_grad(bool) override {}
    Tree state_dict() const override { return Tree::dict({{"lr", lr_}, {"momentum", momentum_}}); }
    void load_state_dict(const Tree& state) override {
        double lr = state.at("lr").as_real();
        momentum_ = state.at("momentum").as_real();
        lr_ = lr;
    }

  private:
    double lr_, momentum_;
};

bool is_ours(const config::ScheduleRecipe& schedule) {
    return schedule.arguments.empty() &&
           (schedule.name == "cosine" || schedule.name == "linear" || schedule.name == "constant");
}

/// transformers' names begin with a small letter, and take the recipe's numbers where the arguments do not say
/// otherwise.
bool is_of_transformers(const std::string& name) {
    return name[0] >= 'a' && name[0] <= 'z';
}

}  // namespace

double learning_rate_factor(const config::ScheduleRecipe& schedule, std::int64_t training_steps, std::int64_t step) {
    if (step < schedule.warmup_steps)
        return static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(1, schedule.warmup_steps));
    if (schedule.name == "constant")
        return 1.0;
    std::int64_t end = schedule.decay_steps > 0 ? schedule.decay_steps : training_steps;
    double progress = static_cast<double>(step - schedule.warmup_steps) /
                      static_cast<double>(std::max<std::int64_t>(1, end - schedule.warmup_steps));
    progress = std::min(progress, 1.0);
    double share = schedule.name == "linear" ? 1.0 - progress : 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    return schedule.min_lr_ratio + (1.0 - schedule.min_lr_ratio) * share;
}

Tree tree_of_yaml(const std::string& yaml, const std::string& key) {
    if (yaml.empty())
        return Tree::dict();
    std::vector<Problem> problems;
    Value value = parse_yaml(yaml, key, problems);
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return tree_of(value);
}

std::unique_ptr<optim::Schedule> make_schedule(const config::Recipe& recipe, optim::Optimizer& optimizer) {
    const config::ScheduleRecipe& schedule = recipe.schedule;
    if (is_ours(schedule))
        return optim::lambda_schedule({[schedule, steps = recipe.training.steps](std::int64_t step) {
                                          return learning_rate_factor(schedule, steps, step);
                                      }},
                                      optimizer);
    Tree arguments = tree_of_yaml(schedule.arguments, "schedule.arguments");
    const auto kind = std::ranges::find(config::schedule_kinds(), schedule.name, &config::ScheduleKind::name);
    const bool of_deepspeed = kind != config::schedule_kinds().end() && kind->is_of_deepspeed();
    if (of_deepspeed || (is_of_transformers(schedule.name) && schedule.name != "reduce_lr_on_plateau")) {
        // Accelerate gives DeepSpeed at least one step of warm-up, which DeepSpeed needs.
        if (arguments.find(kind->warmup_argument()) == nullptr)
            arguments.set(kind->warmup_argument(), std::max<std::int64_t>(of_deepspeed, schedule.warmup_steps));
        if ((!of_deepspeed || kind->has_end) && arguments.find(kind->end_argument()) == nullptr)
            arguments.set(kind->end_argument(),
                          schedule.decay_steps > 0 ? schedule.decay_steps : recipe.training.steps);
    }
    return optim::make_schedule(schedule.name, arguments, optimizer);
}

struct RateSchedule::Named {
    Rates rates;
    std::unique_ptr<optim::Schedule> schedule;
};

RateSchedule::RateSchedule(const config::Recipe& recipe)
    : recipe_(recipe),
      highest_(recipe.optimizer.lr),
      momentum_(config::make_optimizer_plan(recipe.optimizer).groups.back().settings.momentum()) {
    const config::ScheduleRecipe& schedule = recipe.schedule;
    if (is_ours(schedule))
        return;
    named_ = std::make_unique<Named>(Named{Rates(recipe.optimizer.lr, momentum_), nullptr});
    named_->schedule = make_schedule(recipe, named_->rates);
}

RateSchedule::~RateSchedule() = default;

double RateSchedule::scheduled() const {
    if (named_)
        return named_->rates.lr(0) * (highest_ / recipe_.optimizer.lr);
    const std::int64_t place = is_averaging() ? recipe_.training.swa_start : updates_;
    return highest_ * learning_rate_factor(recipe_.schedule, recipe_.training.steps, place);
}

bool RateSchedule::is_averaging() const {
    return recipe_.training.swa_lr > 0 && updates_ >= recipe_.training.swa_start;
}

double RateSchedule::lr() const {
    const double from = scheduled();
    if (!is_averaging())
        return from;
    const config::TrainingRecipe& training = recipe_.training;
    const auto done = static_cast<double>(updates_ - training.swa_start);
    const double t =
        training.swa_anneal_steps == 0 ? 1.0 : std::min(1.0, done / static_cast<double>(training.swa_anneal_steps));
    const double share = training.swa_anneal_strategy == config::AnnealStrategy::cos ? (1 - std::cos(M_PI * t)) / 2 : t;
    return training.swa_lr * share + from * (1 - share);
}

double RateSchedule::momentum() const {
    return named_ ? named_->rates.momentum(0) : momentum_;
}

void RateSchedule::advance() {
    const bool stays = is_averaging();  // at the rate that it had when the average began
    updates_ += 1;
    if (!named_ || stays || named_->schedule->needs_metric())
        return;
    auto last = named_->schedule->total_steps();
    if (!last || named_->schedule->last_epoch() + 1 < *last)  // after its end a schedule keeps the last rate
        named_->schedule->step();
}

void RateSchedule::observe(double validation_loss) {
    if (named_ && named_->schedule->needs_metric() && !is_averaging())
        named_->schedule->step(validation_loss);
}

void RateSchedule::set_highest(double lr) {
    highest_ = lr;
}

double RateSchedule::highest() const {
    return highest_;
}

Tree RateSchedule::state_dict() const {
    Tree state = Tree::dict({{"updates", updates_}, {"highest", highest_}});
    if (named_)
        state.set("schedule", named_->schedule->state_dict());
    if (named_)
        state.set("rates", named_->rates.state_dict());
    return state;
}

void RateSchedule::load_state_dict(const Tree& state) {
    std::int64_t updates = state.at("updates").as_integer();
    double highest = state.at("highest").as_real();
    if (named_) {
        const Tree* schedule = state.find("schedule");
        if (schedule == nullptr)
            throw UserError("the checkpoint was made with another schedule: give the same schedule.name and arguments");
        named_->schedule->load_state_dict(*schedule);
        named_->rates.load_state_dict(state.at("rates"));
        // A run with more steps than the one before has the rates of its own end from its first step on.
        const auto kind =
            std::ranges::find(config::schedule_kinds(), recipe_.schedule.name, &config::ScheduleKind::name);
        if (kind != config::schedule_kinds().end() && kind->has_end) {
            RateSchedule uninterrupted(recipe_);
            while (uninterrupted.updates_ < updates)
                uninterrupted.advance();
            named_->rates.load_state_dict(uninterrupted.named_->rates.state_dict());
        }
    }
    updates_ = updates;
    highest_ = highest;
}

}  // namespace trainyard::train
