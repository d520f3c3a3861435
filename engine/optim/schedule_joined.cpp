// SPDX-License-Identifier: GPL-3.0-or-later
// SequentialLR and ChainedScheduler of torch.optim.lr_scheduler (2.11).

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

namespace {

using Made = std::unique_ptr<JoinableSchedule>;

class JoinedSchedule : public JoinableSchedule {
  public:
    JoinedSchedule(const char* name, Optimizer& optimizer, std::vector<Made> schedules, std::vector<double> base_lrs)
        : name_(name),
          optimizer_(optimizer),
          schedules_(std::move(schedules)),
          base_lrs_(std::move(base_lrs)),
          last_lr_(base_rates(optimizer, {})) {}

    std::vector<double> last_lr() const override { return last_lr_; }
    const std::string& name() const override { return name_; }
    void undo() override {
        for (const Made& schedule : schedules_)
            schedule->undo();
    }

  protected:
    Optimizer& optimizer() const override { return optimizer_; }
    void remember_rates() { last_lr_ = base_rates(optimizer_, {}); }

    void visit_schedules(StateFields& fields) {
        if (!fields.reading()) {
            Tree states = Tree::list();
            for (const Made& schedule : schedules_)
                states.append(schedule->state_dict());
            fields.written_only("_schedulers", states);
            return;
        }
        const Tree* states = fields.value("_schedulers");
        if (states == nullptr)
            return;
        if (!states->is_list() || states->items().size() != schedules_.size()) {
            fields.problem("_schedulers", Message("must be a list of {} states", schedules_.size()));
            return;
        }
        for (std::size_t i = 0; i < schedules_.size(); ++i) {
            // Reads into a copy first, so that mismatches are reported before anything has changed.
            auto reader = std::make_shared<StateFields>(schedules_[i]->name(), states->items()[i]);
            schedules_[i]->visit(*reader);
            fields.on_commit([reader] { reader->commit(); });
            if (reader->has_problems())
                fields.problem("_schedulers", Message("[{}] does not fit {}", i, schedules_[i]->name()));
        }
    }

    std::string name_;
    Optimizer& optimizer_;
    std::vector<Made> schedules_;
    std::vector<double> base_lrs_;
    std::vector<double> last_lr_;
};

class SequentialLR final : public JoinedSchedule {
  public:
    SequentialLR(Optimizer& optimizer, std::vector<Made> schedules, std::vector<double> base_lrs,
                 std::vector<std::int64_t> milestones)
        : JoinedSchedule("SequentialLR", optimizer, std::move(schedules), std::move(base_lrs)),
          milestones_(std::move(milestones)) {}

    std::int64_t last_epoch() const override { return last_epoch_; }
    void begin() override {
        last_epoch_ = 0;
        set_rates(base_lrs_);
        if (!begun_)
            for (const Made& schedule : schedules_)
                schedule->undo();
        begun_ = true;
        schedules_.front()->begin();
        last_lr_ = schedules_.front()->last_lr();
    }
    void begin_anew() override {
        last_epoch_ = 0;
        schedules_.front()->begin_anew();
        last_lr_ = schedules_.front()->last_lr();
    }
    void step(std::optional<double>) override {
        ++last_epoch_;
        const auto passed = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_) - milestones_.begin();
        const auto now = static_cast<std::size_t>(passed);
        if (now > 0 && milestones_[now - 1] == last_epoch_)
            schedules_[now]->begin_anew();
        else
            schedules_[now]->step();
        last_lr_ = schedules_[now]->last_lr();
    }
    void visit(StateFields& fields) override {
        fields.field("_milestones", milestones_);
        fields.field("last_epoch", last_epoch_);
        fields.field("_last_lr", last_lr_);
        visit_schedules(fields);
    }

  private:
    std::vector<std::int64_t> milestones_;
    std::int64_t last_epoch_ = 0;
    bool begun_ = false;
};

class ChainedScheduler final : public JoinedSchedule {
  public:
    ChainedScheduler(Optimizer& optimizer, std::vector<Made> schedules, std::vector<double> base_lrs)
        : JoinedSchedule("ChainedScheduler", optimizer, std::move(schedules), std::move(base_lrs)) {}

    std::int64_t last_epoch() const override { return schedules_.front()->last_epoch(); }
    // The schedules have begun when they were made, one on the other's rates.
    void begin() override { remember_rates(); }
    void begin_anew() override {
        set_rates(base_lrs_);
        for (const Made& schedule : schedules_) {
            schedule->undo();
            schedule->begin();
        }
        remember_rates();
    }
    void step(std::optional<double>) override {
        for (const Made& schedule : schedules_)
            schedule->step();
        remember_rates();
    }
    void visit(StateFields& fields) override {
        fields.field("_last_lr", last_lr_);
        visit_schedules(fields);
    }
};

/// One problem per thing that torch refuses.
void check_milestones(Arguments& arguments, std::size_t schedules, const std::vector<std::int64_t>& milestones) {
    arguments.require(milestones.size() + 1 == schedules, "milestones",
                      Message("are {}, must be one fewer than the {} schedules", milestones.size(), schedules));
    arguments.require(std::is_sorted(milestones.begin(), milestones.end()), "milestones", "must rise");
}

/// Makes the schedules of a list of {name, arguments}; their problems become those of the list.
std::vector<Made> make_all(Arguments& arguments, Optimizer& optimizer, const std::vector<double>& base_lrs) {
    std::vector<Made> made;
    const Tree* list = arguments.raw("schedulers");
    if (list == nullptr || !(list->is_list() || list->is_tuple()) || list->items().empty()) {
        arguments.require(false, "schedulers", "must be a list of at least one {name, arguments}");
        return made;
    }
    for (std::size_t i = 0; i < list->items().size(); ++i) {
        const std::string place = fmt::format("schedulers[{}]", i);
        const Tree& item = list->items()[i];
        const Tree* name = item.find("name");
        if (name == nullptr || !name->is_text()) {
            arguments.require(false, place, "must have a name");
            continue;
        }
        try {
            const Tree* own = item.find("arguments");
            made.push_back(make_joinable(name->as_text(), own == nullptr ? Tree() : *own, optimizer, base_lrs));
            arguments.require(!made.back()->needs_metric(), place,
                              "follows a metric, which a joined schedule is not given");
        } catch (const InvalidInput& error) {
            arguments.add_problems(error.problems(), place);
        }
    }
    return made;
}

/// Rates are put back when the arguments turn out to be wrong: nothing has begun then.
class RatesAside {
  public:
    explicit RatesAside(Optimizer& optimizer) : optimizer_(optimizer), rates_(base_rates(optimizer, {})) {}
    ~RatesAside() {
        if (!kept_)
            for (std::size_t group = 0; group < rates_.size(); ++group)
                optimizer_.set_lr(group, rates_[group]);
    }
    void keep() { kept_ = true; }

  private:
    Optimizer& optimizer_;
    std::vector<double> rates_;
    bool kept_ = false;
};

Made make_sequential(const std::string&, Arguments& arguments, Optimizer& optimizer, std::vector<double> base_lrs) {
    RatesAside rates(optimizer);
    std::vector<Made> schedules = make_all(arguments, optimizer, base_lrs);
    std::vector<std::int64_t> milestones = arguments.integers("milestones");
    check_milestones(arguments, schedules.size(), milestones);
    arguments.finish();
    rates.keep();
    return std::make_unique<SequentialLR>(optimizer, std::move(schedules), std::move(base_lrs), std::move(milestones));
}

Made make_chained(const std::string&, Arguments& arguments, Optimizer& optimizer, std::vector<double> base_lrs) {
    RatesAside rates(optimizer);
    std::vector<Made> schedules = make_all(arguments, optimizer, base_lrs);
    arguments.finish();
    rates.keep();
    return std::make_unique<ChainedScheduler>(optimizer, std::move(schedules), std::move(base_lrs));
}

std::vector<Made> make_all(const char* joined, const std::vector<ScheduleMaker>& makers, Optimizer& optimizer,
                           const std::vector<double>& base_lrs) {
    if (makers.empty())
        throw UserError("{} needs at least one schedule", joined);
    std::vector<Made> made;
    for (const ScheduleMaker& maker : makers) {
        std::unique_ptr<Schedule> schedule = maker(optimizer, base_lrs);
        auto* joinable = dynamic_cast<JoinableSchedule*>(schedule.get());
        if (joinable == nullptr || joinable->needs_metric())
            throw UserError(
                "{}: schedule {} cannot be joined with others: it follows a metric, or was not made by "
                "optim/schedule.h",
                joined, made.size());
        schedule.release();
        made.emplace_back(joinable);
    }
    return made;
}

}  // namespace

std::vector<ScheduleKind> joining_kinds() {
    return {{"SequentialLR", make_sequential}, {"ChainedScheduler", make_chained}};
}

std::unique_ptr<Schedule> sequential_schedule(const std::vector<ScheduleMaker>& makers,
                                              std::vector<std::int64_t> milestones, Optimizer& optimizer,
                                              const std::vector<double>& base_lrs) {
    std::vector<double> base = base_rates(optimizer, base_lrs);
    std::vector<Made> schedules = make_all("SequentialLR", makers, optimizer, base);
    const Tree none;
    Arguments problems("SequentialLR", none, optimizer.group_count());
    check_milestones(problems, schedules.size(), milestones);
    problems.finish();
    auto made = std::make_unique<SequentialLR>(optimizer, std::move(schedules), std::move(base), std::move(milestones));
    made->begin();
    return made;
}

std::unique_ptr<Schedule> chained_schedule(const std::vector<ScheduleMaker>& makers, Optimizer& optimizer,
                                           const std::vector<double>& base_lrs) {
    std::vector<double> base = base_rates(optimizer, base_lrs);
    std::vector<Made> schedules = make_all("ChainedScheduler", makers, optimizer, base);
    auto made = std::make_unique<ChainedScheduler>(optimizer, std::move(schedules), std::move(base));
    made->begin();
    return made;
}

}  // namespace trainyard::optim
