// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_header.h"

#include <utility>

#include <QAction>
#include <QFile>
#include <QMenu>

#include "desktop/dashboard/stage_words.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/chip.h"
#include "widgets/drag_out.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kRoomy = live_px(1000);  // pixels; a narrower head keeps some buttons in its menu
}

RunHeader::RunHeader(RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      name_(make_elided(run->name(), Theme::instance().text(16, QFont::DemiBold))),
      chip_(new widgets::StateChip),
      facts_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      swatch_(new Swatch(run->colorNumber(), 10)),
      checkpoint_(with_look(new QPushButton(tr("Checkpoint now")), {.icon = "save"})),
      profile_(with_look(new QPushButton(tr("Profile…")), {.icon = "profile"})),
      hold_(with_look(new QPushButton(tr("Pause")), {.icon = "pause"})),
      stop_(with_look(new QPushButton(tr("Stop")), {.kind = "danger"})),
      again_(with_look(new QPushButton(tr("Run again")), {.icon = "play"})),
      more_(with_look(new QPushButton, {.icon = "more", .tip = tr("More")})),
      tags_(new widgets::TagLine) {
    setProperty("surface", QStringLiteral("header"));
    setFixedHeight(64_px);

    ActionCollection& commands = ActionCollection::instance();
    commands.describe(checkpoint_, "request.checkpoint", tr("Saves a checkpoint after the current step"));
    commands.describe(profile_, "request.profile", tr("Records where the next steps spend their time"));
    commands.describe(hold_, "request.pause", tr("Pauses after the current step; memory and GPUs stay in use"));
    commands.describe(stop_, "request.stop", tr("Choose how to stop"));
    connect(profile_, &QPushButton::clicked, this, &RunHeader::profileRequested);
    connect(hold_, &QPushButton::clicked, this, [this] { pause_->trigger(); });
    stop_->setIcon(Theme::instance().icon(QStringLiteral("stop"), Token::Error));
    more_->setFixedWidth(34_px);

    auto* stop_menu = new QMenu(stop_);
    const auto stop = [this](bool checkpoint) {
        return [this, checkpoint] { run_->ask(run::StopRequest{checkpoint}); };
    };
    stop_menu->setDefaultAction(stop_menu->addAction(tr("Stop after a checkpoint"), this, stop(true)));
    stop_menu->addAction(tr("Stop after this step, without a checkpoint"), this, stop(false));
    stop_menu->addAction(tr("Kill now…"), this, &RunHeader::killRequested);
    stop_->setMenu(stop_menu);
    connect(checkpoint_, &QPushButton::clicked, this, [this] { run_->ask(run::CheckpointRequest()); });
    again_menu_ = new QMenu(again_);
    resume_here_ = again_menu_->addAction(tr("Resume from the last checkpoint"), this, &RunHeader::resumeRequested);
    checkpoint_menu_ = again_menu_->addMenu(tr("Resume from another checkpoint"));
    connect(checkpoint_menu_, &QMenu::aboutToShow, this, &RunHeader::fillCheckpoints);
    again_menu_->addAction(tr("Resume elsewhere…"), this, &RunHeader::resumeElsewhereRequested);
    again_menu_->addAction(tr("Continue with more steps…"), this, &RunHeader::continueRequested);
    again_menu_->addSeparator();
    again_menu_->addAction(tr("Edit and run again…"), this, &RunHeader::editAgainRequested);
    again_menu_->addAction(tr("Run again from the start"), this, &RunHeader::runAgainRequested);
    connect(again_, &QPushButton::clicked, this, [this] {
        if (again_->menu() == nullptr)
            emit runAgainRequested();
    });

    auto* menu = new QMenu(more_);
    pause_ = menu->addAction(tr("Pause"), this, [this] {
        run_->isPaused() ? run_->ask(run::ResumeRequest()) : run_->ask(run::PauseRequest());
    });
    pause_->setToolTip(tr("Pauses after the current step; memory and GPUs stay in use"));
    evaluate_ = menu->addAction(tr("Evaluate now"), this, [this] { run_->ask(run::EvaluateRequest()); });
    rate_ = menu->addAction(tr("Change the learning rate…"), this, &RunHeader::rateRequested);
    menu->addSeparator();
    curves_ = menu->addAction(tr("All curves"), this, &RunHeader::curvesRequested);
    curves_->setToolTip(tr("Every curve, histogram and text of the run, or back to the overview"));
    QMenu* layouts = menu->addMenu(tr("Layout"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] {
        layouts->clear();
        emit layoutMenuShown(layouts);
    });
    note_ = menu->addAction(tr("Add a note…"), this, &RunHeader::noteRequested);
    menu->addAction(tr("Alarms of this run…"), this, &RunHeader::alarmsRequested);
    menu->addAction(tr("Try it…"), this, &RunHeader::tryRequested)
        ->setToolTip(tr("A prompt, and how its checkpoints continue it"));
    menu->addAction(tr("Architecture"), this, &RunHeader::architectureRequested)
        ->setToolTip(tr("The blocks of its model, with shapes and parameters"));
    menu->addAction(tr("Data…"), this, &RunHeader::dataRequested)
        ->setToolTip(tr("The first rows of its data, and their tokens as the model sees them"));
    menu->addAction(tr("Profiler traces"), this, &RunHeader::tracesRequested);
    const QAction* window = menu->addAction(tr("Open in a new window"), this, &RunHeader::windowRequested);
    menu->addAction(tr("Open folder"), this, &RunHeader::folderRequested);
    menu->addAction(tr("Copy path"), this, &RunHeader::copyPathRequested);
    edit_action_ = menu->addAction(tr("Edit and run again…"), this, &RunHeader::editAgainRequested);
    again_action_ = menu->addAction(tr("Run again"), this, &RunHeader::runAgainRequested);
    continue_ = menu->addAction(tr("Continue with more steps…"), this, &RunHeader::continueRequested);
    menu->addSeparator();
    name_->setCursor(Qt::OpenHandCursor);
    new widgets::DragOut(name_, [run](const QPoint&) {
        return widgets::make_file_data({QFile::decodeName(run->paths().root().c_str())});
    });
    rename_ = menu->addAction(tr("Rename…"), this, &RunHeader::renameRequested);
    menu->addAction(tr("Tags…"), this, &RunHeader::tagsRequested);
    menu->addAction(tr("Note on the run…"), this, &RunHeader::noteOnRunRequested);
    archive_ = menu->addAction(tr("Archive"), this, [this] { emit archiveRequested(!labels_.archived); });
    delete_ = menu->addAction(tr("Delete"), this, &RunHeader::deleteRequested);
    more_->setMenu(menu);
    menu_actions_ = menu->actions();
    menu_actions_.removeIf([&](const QAction* action) {
        return action->isSeparator() || action->menu() != nullptr || action == curves_ || action == note_ ||
               action == window;
    });
    setLayout(make_row(
        {20, 0, 20, 0}, 8,
        {swatch_,
         gap(2),
         {make_column(2, {stretch(), make_row(8, {{name_, 0}, chip_, tags_, stretch(1)}), facts_, stretch()}), 1},
         checkpoint_,
         profile_,
         hold_,
         stop_,
         again_,
         more_}));
}

void RunHeader::refresh(double now) {
    name_->setFullText(labels_.name.isEmpty() ? run_->name() : labels_.name);
    swatch_->setColor(run_->colorNumber());
    const widgets::Chip chip = stage_chip(*run_);
    chip_->setChip(chip);
    setAccessibleName(name_->fullText() + QStringLiteral(", ") + chip.text);
    facts_->setFullText(facts_line(*run_, now));
    const bool live = run_->isLive();
    const bool running = run_->stage() == RunStage::Running;
    const bool paused = run_->isPaused();
    const auto asked = [this](const auto& request) { return run_->pending().contains(request.kKind); };
    const auto offer = [](auto* control, bool visible, bool enabled, const QString& text = {}) {
        control->setVisible(visible);
        control->setEnabled(enabled);
        if (!text.isEmpty())
            control->setText(text);
    };
    offer(checkpoint_, takesRequests(), running && !asked(run::CheckpointRequest()),
          asked(run::CheckpointRequest()) ? tr("Checkpoint requested") : tr("Checkpoint now"));
    const bool stopping = run_->stage() == RunStage::Stopping || asked(run::StopRequest()) || asked(run::KillRequest());
    offer(stop_, live, true, stopping ? tr("Stopping") : tr("Stop"));
    refreshAgain(live);
    const bool own = takesRequests();
    const bool roomy = width() >= kRoomy;
    offer(profile_, own && roomy, running && !paused && !asked(run::ProfileRequest()),
          asked(run::ProfileRequest()) ? tr("Profiling") : tr("Profile…"));
    offer(hold_, own && roomy, running, paused ? tr("Continue") : tr("Pause"));
    if (std::exchange(shows_paused_, paused) != paused)
        hold_->setIcon(Theme::instance().icon(paused ? QStringLiteral("play") : QStringLiteral("pause"), Token::Text));
    offer(pause_, own, running, hold_->text());
    offer(evaluate_, own, running && !paused);
    offer(rate_, own, running);
    again_action_->setVisible(run_->facts().has_value());
    edit_action_->setVisible(run_->facts().has_value());
    note_->setVisible(live);
    const bool continues = run_->state() && !live && run_->facts() && !run_->facts()->is_program &&
                           !run_->state()->mirror && run_->lastCheckpoint() >= 0;
    continue_->setVisible(continues);
    delete_->setEnabled(!live);
    delete_->setToolTip(live ? tr("Stop the run first.") : QString());
    emit refreshed();
}

QPoint RunHeader::menuPlace() const {
    return more_->mapToGlobal(QPoint(0, more_->height() + 4));
}

void RunHeader::setLabels(const RunLabels& labels) {
    if (labels == labels_)
        return;
    labels_ = labels;
    tags_->setTags(labels.tags);
    archive_->setText(labels.archived ? tr("Unarchive") : tr("Archive"));
    name_->setFullText(labels.name.isEmpty() ? run_->name() : labels.name);
}

/// False for a run that has ended, and for another program, which can only be stopped.
bool RunHeader::takesRequests() const {
    return run_->isLive() && !(run_->facts() && run_->facts()->is_program);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    for (QPushButton* button : {profile_, hold_})
        button->setVisible(takesRequests() && width() >= kRoomy);
}

void RunHeader::fillCheckpoints() {
    checkpoint_menu_->clear();
    const SavedCheckpoint* best = run_->bestCheckpoint();
    for (const SavedCheckpoint& one : run_->checkpoints()) {
        QStringList words{tr("Step %1").arg(stepText(one.step))};
        if (&one == &run_->checkpoints().front())
            words << tr("newest");
        if (&one == best)
            words << tr("best");
        if (one.pinned)
            words << tr("pinned");
        if (!one.own)
            words << tr("of the previous run");
        const QString folder = qt(one.path);
        QAction* action = checkpoint_menu_->addAction(words.join(QStringLiteral("  ·  ")), this,
                                                      [this, folder] { emit resumeFromRequested(folder); });
        action->setToolTip(folder);
    }
}

void RunHeader::refreshAgain(bool live) {
    const bool can_run_again = run_->state() && !live && run_->facts();
    again_->setVisible(can_run_again);
    // Offer the menu only if the run can be resumed.
    const bool saved = can_run_again && run_->lastCheckpoint() >= 0 && run_->stage() != RunStage::Finished;
    again_->setMenu(saved ? again_menu_ : nullptr);
    again_->setText(saved ? tr("Resume") : tr("Run again"));
    checkpoint_menu_->menuAction()->setVisible(run_->checkpoints().size() > 1);
    const bool mirrored = run_->state() && run_->state()->mirror;
    resume_here_->setText(mirrored ? tr("Resume from step %1 (its checkpoint is on %2)")
                                         .arg(run_->lastCheckpoint())
                                         .arg(qt(run_->state()->mirror->host))
                                   : tr("Resume from step %1").arg(run_->lastCheckpoint()));
}

}  // namespace trainyard::desktop
