// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/scenario.h"

#include <algorithm>

#include "estimate/calibration.h"

namespace trainyard::desktop {

namespace {

estimate::TrainingSetup usualSetup() {
    estimate::TrainingSetup setup;
    setup.sequence = 2048;
    return setup;
}

Scenario::Answers findAnswers(const estimate::Search& search, const estimate::TrainingSetup& setup,
                              const widgets::Cancelled& cancelled) {
    Scenario::Answers answers;
    answers.batch = search.largest_batch(setup);
    answers.sequence = search.longest_sequence(setup);
    if (cancelled)
        return answers;
    answers.savings = search.savings(setup);
    answers.why_not = search.why_not(setup);
    if (cancelled)
        return answers;
    answers.fewest = search.fewest_devices(setup);
    if (const auto best = search.best_layouts(setup, setup.layout.ranks(), 1); !best.empty())
        answers.best = best.front();
    if (cancelled)
        return answers;
    estimate::TrainingSetup tried = setup;
    for (bool full : {false, true})
        for (int batch = 1; batch <= Scenario::kBatches; ++batch) {
            tried.batch = batch;
            tried.checkpointing = full ? estimate::Recomputation::full : setup.checkpointing;
            (full ? answers.by_batch_full : answers.by_batch)
                .push_back(estimate::estimate_memory(search.model(), tried, search.hardware().device).total());
        }
    return answers;
}

}  // namespace

Scenario::Scenario(QObject* parent) : QObject(parent), search_({}, {}), setup_(usualSetup()) {}

estimate::TrainingSetup Scenario::onAll(estimate::TrainingSetup setup, std::int64_t ranks) {
    estimate::Layout& layout = setup.layout;
    const std::int64_t data =
        std::max<std::int64_t>(1, ranks / std::max<std::int64_t>(1, layout.tp * layout.cp * layout.sp * layout.pp));
    layout.dp_shard = setup.zero_stage > 0 ? data : 1;
    layout.dp_replicate = setup.zero_stage > 0 ? 1 : data;
    return setup;
}

double Scenario::excessOfRange() const {
    return isValid() ? std::max(0.0, memory_.total() * (1 + kError) - search_.limit()) : 0;
}

void Scenario::setModel(const QString& name, estimate::ModelParts model, const QString& source) {
    model_name_ = name;
    model_source_ = source;
    recipe_.reset();
    for (const estimate::SetupField& field : estimate::derived_fields())  // of the recipe that was open
        estimate::set_field(setup_, field.name, estimate::field_text(usualSetup(), field));
    if (model.positions > 0)
        setup_.sequence = std::min(setup_.sequence, static_cast<std::int64_t>(model.positions));
    search_ = estimate::Search(std::move(model), search_.hardware());
    compute();
}

void Scenario::setRecipe(const QString& name, const config::Recipe& recipe, const QString& source) {
    model_name_ = name;
    model_source_ = source;
    recipe_ = recipe;
    estimate::RecipePlan plan = estimate::plan_of(recipe, search_.hardware().ranks());
    setup_ = planned_ = plan.setup;
    search_ = estimate::Search(std::move(plan.model), search_.hardware());
    compute();
}

void Scenario::setHardware(const QString& name, const estimate::Hardware& hardware) {
    hardware_name_ = name;
    search_ = estimate::Search(search_.model(), hardware);
    if (recipe_ && setup_ == planned_) {
        setup_ = planned_ = estimate::plan_of(*recipe_, hardware.ranks()).setup;
    } else {
        setup_ = onAll(setup_, hardware.ranks());
        if (hardware.device.cpu && !recipe_)
            setup_.precision = estimate::ProductFormat::no;
    }
    compute();
}

void Scenario::setHostMemory(double bytes) {
    estimate::Hardware hardware = search_.hardware();
    if (hardware.host_memory == bytes)
        return;
    hardware.host_memory = bytes;
    search_ = estimate::Search(search_.model(), hardware);
    compute();
}

void Scenario::recalibrate(const std::filesystem::path& file) {
    estimate::Hardware hardware = search_.hardware();
    estimate::Device& device = hardware.device;
    device.calibration = 1;
    device.calibration_runs = device.program_runs = 0;
    device.program = device.cpu ? estimate::kCpuProgram : 0;
    estimate::calibrate(device, file);
    const estimate::Device& before = search_.hardware().device;
    if (device.calibration == before.calibration && device.calibration_runs == before.calibration_runs &&
        device.program == before.program && device.program_runs == before.program_runs)
        return;
    search_ = estimate::Search(search_.model(), hardware);
    compute();
}

void Scenario::setAll(const QString& hardwareName, const estimate::Hardware& hardware,
                      const estimate::TrainingSetup& setup) {
    hardware_name_ = hardwareName;
    search_ = estimate::Search(search_.model(), hardware);
    setSetup(setup);
    compute();
}

void Scenario::setSetup(const estimate::TrainingSetup& setup) {
    if (setup == setup_)
        return;
    history_.add({[this, before = setup_] { show(before); }, [this, setup] { show(setup); }});
    show(setup);
}

void Scenario::show(const estimate::TrainingSetup& setup) {
    setup_ = setup;
    compute();
}

void Scenario::change(const std::string& field, const std::string& value) {
    estimate::TrainingSetup setup = setup_;
    estimate::set_field(setup, field, value);
    const bool layout = field == "zero_stage" || field == "tp" || field == "pp" || field == "cp" || field == "sp";
    setSetup(layout ? onAll(setup, search_.hardware().ranks()) : setup);
}

void Scenario::reset() {
    const std::int64_t ranks = search_.hardware().ranks();
    if (recipe_)
        setSetup(planned_ = estimate::plan_of(*recipe_, ranks).setup);
    else
        setSetup(onAll(usualSetup(), ranks));
}

void Scenario::compute() {
    memory_ = {};
    why_.clear();
    answers_.reset();
    job_.cancel();
    if (search_.model().blocks.empty()) {
        emit changed();
        return;
    }
    problems_ = estimate::check_setup(search_.model(), setup_);
    if (setup_.layout.ranks() != search_.hardware().ranks())
        problems_.push_back({"", 0, 0, "dp_shard",
                             Message::verbatim(tr("the sizes multiply to %1 ranks, there are %2 devices")
                                                   .arg(setup_.layout.ranks())
                                                   .arg(search_.hardware().ranks())
                                                   .toStdString())});
    if (problems_.empty())
        memory_ = estimate::estimate_memory(search_.model(), setup_, search_.hardware().device, &why_);
    emit changed();
    if (!problems_.empty())
        return;
    job_.submit([search = search_,
                 setup = setup_](const widgets::Cancelled& cancelled) { return findAnswers(search, setup, cancelled); },
                [this](const Answers& answers) {
                    answers_ = answers;
                    emit answersChanged();
                });
}

}  // namespace trainyard::desktop
