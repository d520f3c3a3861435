// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What torch's LRScheduler is to its schedules: the count of steps, the base rates, the setting of the groups' rates. Inside this library.

#include <string>
#include <vector>

#include "optim/schedule.h"
#include "optim/schedule_arguments.h"
#include "optim/schedule_state.h"

namespace trainyard::optim {

/// A schedule that others (SequentialLR, ChainedScheduler) can drive.
class JoinableSchedule : public Schedule {
  public:
    virtual const std::string& name() const = 0;
    /// Sets the rates of step 0, from whatever rates the groups have.
    virtual void begin() = 0;
    /// Takes begin() back, but for the rates.
    virtual void undo() = 0;
    /// Goes to step 0 in the middle of a sequence: rates come from the base rates if closed_form() has a formula.
    virtual void begin_anew() = 0;
    /// Reads or writes the state.
    virtual void visit(StateFields& fields) = 0;

    Tree state_dict() const final;
    void load_state_dict(const Tree& state) final;

  protected:
    virtual Optimizer& optimizer() const = 0;
    void set_rates(const std::vector<double>& rates);
};

class GroupSchedule : public JoinableSchedule {
  public:
    GroupSchedule(std::string name, Optimizer& optimizer, std::vector<double> base_lrs);

    void step(std::optional<double> metric = {}) override;
    std::vector<double> last_lr() const override { return last_lr_; }
    std::int64_t last_epoch() const override { return last_epoch_; }
    std::optional<std::int64_t> step_count() const override { return step_count_; }
    const std::string& name() const override { return name_; }
    void begin() override;
    void undo() override { --last_epoch_; }
    void begin_anew() override;
    void visit(StateFields& fields) override;

  protected:
    /// Rates at last_epoch_, from the present ones (torch: get_lr).
    virtual std::vector<double> rates() = 0;
    /// Rates at last_epoch_ from the base rates alone (torch: _get_closed_form_lr). The default is rates().
    virtual std::vector<double> closed_form() { return rates(); }
    /// Momenta at last_epoch_; empty: they are left alone.
    virtual std::vector<double> momenta() { return {}; }
    virtual void visit_own(StateFields& fields) = 0;
    void turn(const std::vector<double>& rates);

    Optimizer& optimizer() const override { return optimizer_; }
    std::vector<double> present() const;
    /// The present rates, each times `factor`.
    std::vector<double> scaled(double factor) const;
    /// The base rates, each times `factor`.
    std::vector<double> scaled_base(double factor) const;

    std::string name_;
    Optimizer& optimizer_;
    std::vector<double> base_lrs_;
    std::vector<double> last_lr_;
    std::int64_t last_epoch_ = -1;
    std::int64_t step_count_ = 0;
    bool beginning_ = false;  ///< inside begin()
};

/// Entry of the factory's table. `name` is that of the table, for schedules that share a maker.
struct ScheduleKind {
    const char* name;
    std::unique_ptr<JoinableSchedule> (*make)(const std::string& name, Arguments& arguments, Optimizer& optimizer,
                                              std::vector<double> base_lrs);
};

std::vector<ScheduleKind> lambda_kinds();
std::vector<ScheduleKind> chainable_kinds();
std::vector<ScheduleKind> cyclic_kinds();
std::vector<ScheduleKind> deepspeed_kinds();
std::vector<ScheduleKind> metric_kinds();
std::vector<ScheduleKind> joining_kinds();

/// make_schedule() for joining; the rates of step 0 are set.
std::unique_ptr<JoinableSchedule> make_joinable(const std::string& name, const Tree& arguments, Optimizer& optimizer,
                                                const std::vector<double>& base_lrs);
std::vector<double> base_rates(Optimizer& optimizer, const std::vector<double>& base_lrs);

}  // namespace trainyard::optim
