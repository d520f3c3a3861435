// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/schedule.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "optim/schedule_group.h"

namespace trainyard::optim {

Tree JoinableSchedule::state_dict() const {
    StateFields fields;
    // Writing does not change what it visits.
    const_cast<JoinableSchedule*>(this)->visit(fields);
    return fields.take();
}

void JoinableSchedule::load_state_dict(const Tree& state) {
    StateFields fields(name(), state);
    visit(fields);
    fields.commit();
    set_rates(last_lr());
}

void JoinableSchedule::set_rates(const std::vector<double>& rates) {
    for (std::size_t group = 0; group < rates.size() && group < optimizer().group_count(); ++group)
        optimizer().set_lr(group, rates[group]);
}

GroupSchedule::GroupSchedule(std::string name, Optimizer& optimizer, std::vector<double> base_lrs)
    : name_(std::move(name)), optimizer_(optimizer), base_lrs_(std::move(base_lrs)) {}

std::vector<double> GroupSchedule::present() const {
    std::vector<double> rates;
    for (std::size_t group = 0; group < optimizer_.group_count(); ++group)
        rates.push_back(optimizer_.lr(group));
    return rates;
}

std::vector<double> GroupSchedule::scaled(double factor) const {
    std::vector<double> rates = present();
    for (double& rate : rates)
        rate *= factor;
    return rates;
}

std::vector<double> GroupSchedule::scaled_base(double factor) const {
    std::vector<double> rates = base_lrs_;
    for (double& rate : rates)
        rate *= factor;
    return rates;
}

void GroupSchedule::turn(const std::vector<double>& rates) {
    const std::vector<double> turned = momenta();
    auto check = [&](const std::vector<double>& numbers) {
        for (double number : numbers)
            if (!std::isfinite(number))
                throw UserError(
                    "{}: at step {} the schedule has no finite value; check its arguments (a phase "
                    "of no length, a division by zero)",
                    name_, last_epoch_);
    };
    check(rates);
    check(turned);
    set_rates(rates);
    for (std::size_t group = 0; group < turned.size(); ++group)
        optimizer_.set_momentum(group, turned[group]);
    last_lr_ = rates;
}

void GroupSchedule::step(std::optional<double>) {
    ++step_count_;
    ++last_epoch_;
    turn(rates());
}

void GroupSchedule::begin() {
    step_count_ = 0;
    beginning_ = true;
    step();
    beginning_ = false;
}

void GroupSchedule::begin_anew() {
    last_epoch_ = 0;
    turn(closed_form());
}

void GroupSchedule::visit(StateFields& fields) {
    visit_own(fields);
    fields.field("base_lrs", base_lrs_);
    fields.field("last_epoch", last_epoch_);
    fields.field("_step_count", step_count_);
    fields.written_only("_is_initial", false);
    fields.written_only("_get_lr_called_within_step", false);
    fields.field("_last_lr", last_lr_);
    if (fields.reading())
        for (const char* key : {"base_lrs", "_last_lr"})
            if (const Tree* list = fields.has(key) ? fields.value(key) : nullptr)
                if ((list->is_list() || list->is_tuple()) && list->items().size() != optimizer_.group_count())
                    fields.problem(key, Message("has {} rates, the optimizer has {} parameter groups",
                                                list->items().size(), optimizer_.group_count()));
}

std::vector<double> base_rates(Optimizer& optimizer, const std::vector<double>& base_lrs) {
    if (!base_lrs.empty()) {
        if (base_lrs.size() != optimizer.group_count())
            throw UserError("{} base rates were given, the optimizer has {} parameter groups", base_lrs.size(),
                            optimizer.group_count());
        return base_lrs;
    }
    std::vector<double> rates;
    for (std::size_t group = 0; group < optimizer.group_count(); ++group)
        rates.push_back(optimizer.lr(group));
    return rates;
}

namespace {

const std::vector<ScheduleKind>& kinds() {
    static const std::vector<ScheduleKind> table = [] {
        std::vector<ScheduleKind> all;
        for (const auto& part :
             {lambda_kinds(), chainable_kinds(), cyclic_kinds(), metric_kinds(), joining_kinds(), deepspeed_kinds()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

}  // namespace

std::vector<std::string> schedule_names() {
    std::vector<std::string> names;
    for (const ScheduleKind& kind : kinds())
        names.emplace_back(kind.name);
    return names;
}

std::unique_ptr<JoinableSchedule> make_joinable(const std::string& name, const Tree& arguments, Optimizer& optimizer,
                                                const std::vector<double>& base_lrs) {
    for (const ScheduleKind& kind : kinds())
        if (name == kind.name) {
            Arguments reader(name, arguments, optimizer.group_count());
            std::unique_ptr<JoinableSchedule> made =
                kind.make(name, reader, optimizer, base_rates(optimizer, base_lrs));
            made->begin();
            return made;
        }
    throw InvalidInput({Problem{
        {}, 0, 0, "schedule", Message("unknown schedule '{}'{}", name, text::did_you_mean(name, schedule_names()))}});
}

std::unique_ptr<Schedule> make_schedule(const std::string& name, const Tree& arguments, Optimizer& optimizer,
                                        const std::vector<double>& base_lrs) {
    return make_joinable(name, arguments, optimizer, base_lrs);
}

}  // namespace trainyard::optim
