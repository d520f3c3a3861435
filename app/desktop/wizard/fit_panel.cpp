// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/fit_panel.h"

#include <QGridLayout>
#include <QLocale>

#include "desktop/dashboard/swatch.h"
#include "desktop/estimator/memory_bar.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/draft_model.h"
#include "estimate/recipe_estimate.h"
#include "launch/plan/recipe_keys.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/family.h"
#include "widgets/chip.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kTwoColumns = live_px(320);  ///< below this width, the parts are arranged in one column
constexpr double kTight = 0.9;          ///< share of the memory above which too little remains for other programs
constexpr std::int64_t kMostBatch = 1 << 16;

MemoryGroups partsOf(const estimate::RankMemory& each, std::int64_t copies) {
    MemoryGroups groups = memoryGroups(each);
    for (double& bytes : groups)
        bytes *= static_cast<double>(copies);
    return groups;
}

}  // namespace

FitPanel::FitPanel(DraftModel* draft, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      chip_(new widgets::StateChip),
      figure_(make_mono_label({}, 24)),
      of_(wrapped(make_note({}))),
      bar_(new MemoryBar),
      legend_(new QWidget),
      batch_line_(new QWidget),
      batch_(make_mono_label({}, 12)),
      apply_(with_look(new QPushButton(tr("Apply")), {.kind = "link", .name = tr("Use the largest batch that fits")})),
      architecture_(with_look(new QPushButton(tr("Architecture")),
                              {.kind = "link", .tip = tr("The blocks of the model, with shapes and parameters")})),
      note_(wrapped(make_note({}, Tone::Muted))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* grid = new QGridLayout(legend_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    for (int i = 0; i < kMemoryGroups; ++i) {
        amounts_[i] = make_mono_label({}, 12);
        amounts_[i]->setAccessibleName(memoryGroupName(i));
        auto* name = make_elided(memoryGroupName(i), Theme::instance().text(12), Tone::Secondary);
        legend_cells_ << new Swatch([i] { return memoryGroupColor(i); }, 10) << name << amounts_[i];
    }
    arrangeLegend(2);
    apply_->setFont(Theme::instance().text(12, QFont::Medium));
    batch_line_->setLayout(make_row({0, 0, 0, 0}, 8, {{make_note(tr("Largest batch")), 1}, batch_, apply_}));
    setLayout(make_column({14, 10, 14, 12}, 7,
                          {make_row({make_title(tr("Does it fit?"), 14), stretch(), chip_}),
                           make_row(8, {figure_, {of_, 1, Qt::AlignBottom}}), bar_, legend_, batch_line_, note_,
                           make_row({architecture_, stretch()})}));
    connect(apply_, &QPushButton::clicked, this, [this] { emit batchWanted(largest_batch_); });
    connect(architecture_, &QPushButton::clicked, this, &FitPanel::architectureWanted);
    connect(draft_, &DraftModel::changed, this, &FitPanel::compute);
    setNoModel();
}

void FitPanel::arrangeLegend(int columns) {
    if (columns == legend_columns_)
        return;
    legend_columns_ = columns;
    auto* grid = static_cast<QGridLayout*>(legend_->layout());
    for (QWidget* cell : std::as_const(legend_cells_))
        grid->removeWidget(cell);
    const int rows = kMemoryGroups / columns;
    for (int i = 0; i < kMemoryGroups; ++i) {
        const int column = i / rows * 4;
        grid->addWidget(legend_cells_[3 * i], i % rows, column);
        grid->addWidget(legend_cells_[3 * i + 1], i % rows, column + 1);
        grid->addWidget(legend_cells_[3 * i + 2], i % rows, column + 2, Qt::AlignRight);
    }
    grid->setColumnStretch(2, 1);
    grid->setColumnMinimumWidth(3, columns == 2 ? 12 : 0);
    grid->setColumnStretch(6, columns == 2 ? 1 : 0);
}

void FitPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    arrangeLegend(width() < kTwoColumns ? 1 : 2);
}

void FitPanel::setModel(const std::optional<config::Recipe>& recipe) {
    if (recipe == recipe_ && !stale_ && recipe)
        return;
    stale_ = !recipe.has_value();
    if (recipe)
        recipe_ = recipe;
    architecture_->setVisible(recipe_.has_value());
    compute();
}

void FitPanel::setNoModel() {
    recipe_.reset();
    stale_ = false;
    architecture_->hide();
    compute();
}

void FitPanel::setMemory(std::uint64_t bytes) {
    memory_ = bytes;
    compute();
}

void FitPanel::showNone(const QString& why) {
    total_ = 0;
    largest_batch_ = 0;
    verdict_ = Verdict::unknown;
    chip_->setChip({tr("not judged"), QStringLiteral("info"), Token::TextSecondary});
    for (QWidget* each : std::initializer_list<QWidget*>{figure_, of_, bar_, legend_, batch_line_})
        each->hide();
    note_->setText(why);
    note_->show();
}

void FitPanel::compute() {
    file_job_.cancel();
    const settings::Settings& settings = draft_->settings();
    if (!recipe_) {
        showNone(stale_
                     ? tr("The memory is estimated when the recipe has no errors.")
                     : tr("Trainyard does not know the model of your own program, so it cannot estimate its memory."));
        return;
    }
    if (!families::family_of(recipe_->model).lists_tensors()) {
        showNone(tr("The layers of this model are only known once it is loaded, so its memory is not estimated."));
        return;
    }
    if (draft_->isSageMaker()) {
        showNone(tr("This starts on SageMaker: the memory of its machines is not known here."));
        return;
    }
    if (const auto limit = plan::recipe_limit(settings)) {
        showNone(tr("No memory is estimated: %1.").arg(qtClause(limit->sentence())));
        return;
    }
    const std::int64_t machines = qMax<std::int64_t>(1, settings.integer("num_machines", 1));
    const std::int64_t processes = qMax<std::int64_t>(1, settings.integer("num_processes", 1));
    const std::int64_t copies = qMax<std::int64_t>(1, (processes + machines - 1) / machines);
    const auto show = [this, processes, copies](const config::Recipe& recipe) {
        showFigures(recipe, processes, copies);
    };
    if (!settings.text("deepspeed_config.deepspeed_config_file").empty()) {
        file_job_.submit([recipe = *recipe_, settings] { return plan::with_settings(recipe, settings); }, show,
                         [this](const QString& why) { showNone(why); });
        return;
    }
    try {
        show(plan::with_settings(*recipe_, settings));
    } catch (const UserError& error) {
        showNone(qtSentence(message_of(error)));
    }
}

void FitPanel::showFigures(const config::Recipe& recipe, std::int64_t ranks, std::int64_t copies) {
    const estimate::RecipeEstimate estimated = estimate::estimate_recipe(recipe, ranks);
    estimate::Hardware hardware;
    hardware.devices_per_host = copies;
    hardware.device = estimated.device;
    hardware.device.memory = static_cast<double>(memory_) / static_cast<double>(copies);
    const estimate::TrainingSetup& setup = estimated.plan.setup;
    const estimate::Search search(estimated.plan.model, hardware);
    const estimate::RankMemory& each = estimated.memory.fullest();
    const settings::Settings& settings = draft_->settings();
    const settings::Machine& machine = draft_->draft().questionnaire().machine();
    const bool on_gpu =
        machine.device != "cpu" && !settings.boolean("use_cpu") && settings.text("distributed_type") != "MULTI_CPU";
    const bool elsewhere = settings.integer("num_machines", 1) > 1;
    total_ = static_cast<std::uint64_t>(each.total() * static_cast<double>(copies));
    const bool known = memory_ > 0 && !on_gpu;
    for (QWidget* part : std::initializer_list<QWidget*>{figure_, of_, bar_, legend_})
        part->show();
    figure_->setText(memoryText(static_cast<double>(total_)));
    const MemoryGroups parts = partsOf(each, copies);
    for (int i = 0; i < kMemoryGroups; ++i)
        amounts_[i]->setText(memoryText(parts[static_cast<std::size_t>(i)]));
    const std::uint64_t limit = known ? memory_ : 0;
    bar_->show(parts, limit, stale_);
    figure_->setForegroundRole(tone_role(stale_ ? Tone::Muted : Tone::Text));
    if (on_gpu)
        of_->setText(copies > 1 ? tr("on %1 devices").arg(copies) : tr("on one device"));
    else
        of_->setText(known ? tr("of %1 on this machine").arg(memoryText(static_cast<double>(memory_)))
                           : tr("on this machine"));

    QStringList notes;
    if (copies > 1)
        notes << tr("%1 ranks, %2 each.").arg(copies).arg(memoryText(each.total()));
    if (on_gpu)
        notes << tr("The memory of %1 is not known here.")
                     .arg(machine.device_names.empty() ? tr("the devices") : qt(machine.device_names.front()));
    if (elsewhere)
        notes << tr("Other machines are not checked.");
    if (stale_)
        notes << tr("From the last recipe without errors.");
    widgets::Chip chip{tr("not judged"), QStringLiteral("info"), Token::TextSecondary};
    verdict_ = Verdict::unknown;
    if (known) {
        if (total_ > memory_) {
            verdict_ = Verdict::over;
            chip = {tr("does not fit, %1 short").arg(memoryText(static_cast<double>(total_ - memory_))),
                    QStringLiteral("error"), Token::Error};
            figure_->setForegroundRole(tone_role(Tone::Error));
        } else {
            const bool tight = static_cast<double>(total_) > kTight * static_cast<double>(memory_);
            verdict_ = tight ? Verdict::tight : Verdict::fits;
            const QString spare = memoryText(static_cast<double>(memory_ - total_));
            chip = tight ? widgets::Chip{tr("tight, %1 spare").arg(spare), QStringLiteral("warn"), Token::Warn}
                         : widgets::Chip{tr("fits, %1 spare").arg(spare), QStringLiteral("check"), Token::Ok};
        }
    }
    chip_->setChip(chip);

    largest_batch_ = 0;
    if (known) {
        const std::int64_t sharers = recipe.data.split_batches ? recipe.data_ranks(ranks) : 1;
        if (const auto largest = search.largest_batch(setup, kMostBatch / sharers))
            largest_batch_ = largest->setup.batch * sharers;
    }
    const std::int64_t now = recipe.training.batch_size;
    batch_line_->setVisible(largest_batch_ > 0);
    batch_->setText(tr("%1, now %2")
                        .arg(largest_batch_ == kMostBatch ? QStringLiteral("> ") + QLocale().toString(kMostBatch)
                                                          : QLocale().toString(qlonglong{largest_batch_}),
                             QLocale().toString(qlonglong{now})));
    // The batch size is the user's choice as long as it fits, so a smaller one is only offered if it does not.
    apply_->setVisible(largest_batch_ < now);
    if (known && largest_batch_ == 0)
        notes << tr("Not even one sequence at a time fits: choose a smaller model or fewer ranks.");
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
}

}  // namespace trainyard::desktop
