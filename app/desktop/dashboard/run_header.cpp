#include "desktop/dashboard/run_header.h"

#include <QAction>
#include <QMenu>

#include "desktop/dashboard/stage_words.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/dashboard/tags.h"
#include "desktop/ui.h"
#include "widgets/chip.h"

namespace trainyard::desktop {

namespace {
constexpr int kRoomy = 1000;  // pixels; a narrower head keeps some buttons in its menu
}

RunHeader::RunHeader(const RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      name_(make_elided(run->name(), Theme::instance().text(16, QFont::DemiBold))),
      chip_(new widgets::StateChip),
      facts_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      swatch_(new Swatch(run->colorNumber(), 10)),
      checkpoint_(dressed(new QPushButton(tr("Checkpoint now")),
                          {.icon = "save", .tip = tr("Saves a checkpoint after the current step (K)")})),
      profile_(dressed(new QPushButton(tr("Profile…")),
                       {.icon = "profile", .tip = tr("Records where the next steps spend their time (P)")})),
      hold_(dressed(new QPushButton(tr("Pause")),
                    {.icon = "pause", .tip = tr("Pauses after the current step; memory and GPUs stay in use (H)")})),
      stop_(dressed(new QPushButton(tr("Stop")), {.kind = "danger", .tip = tr("Choose how to stop (X)")})),
      again_(dressed(new QPushButton(tr("Run again")), {.icon = "play"})),
      more_(dressed(new QPushButton, {.icon = "more", .tip = tr("More")})) {
    setProperty("surface", QStringLiteral("header"));
    setFixedHeight(64);

    connect(profile_, &QPushButton::clicked, this, &RunHeader::profileRequested);
    connect(hold_, &QPushButton::clicked, this, [this] { pause_->trigger(); });
    Theme::instance().bindIcon(stop_, QStringLiteral("stop"), Token::Error);
    more_->setFixedWidth(34);
    // Without this the indicator takes the icon's room.
    more_->setStyleSheet(
        QStringLiteral("QPushButton { padding: 0; } QPushButton::menu-indicator { image: none; width: 0; }"));

    auto* stop_menu = new QMenu(stop_);
    QAction* after = stop_menu->addAction(tr("Stop after a checkpoint"));
    stop_menu->addAction(tr("Stop after this step, without a checkpoint"), this, &RunHeader::stopNowRequested);
    QAction* kill = stop_menu->addAction(tr("Kill now…"));
    stop_menu->setDefaultAction(after);
    stop_->setMenu(stop_menu);
    connect(after, &QAction::triggered, this, &RunHeader::stopRequested);
    connect(kill, &QAction::triggered, this, &RunHeader::killRequested);
    connect(checkpoint_, &QPushButton::clicked, this, &RunHeader::checkpointRequested);
    again_menu_ = new QMenu(again_);
    resume_here_ = again_menu_->addAction(tr("Resume from the last checkpoint"), this, &RunHeader::resumeRequested);
    checkpoint_menu_ = again_menu_->addMenu(tr("Resume from another checkpoint"));
    connect(checkpoint_menu_, &QMenu::aboutToShow, this, &RunHeader::fillCheckpoints);
    again_menu_->addAction(tr("Resume elsewhere…"), this, &RunHeader::resumeElsewhereRequested);
    again_menu_->addSeparator();
    again_menu_->addAction(tr("Run again from the start"), this, &RunHeader::runAgainRequested);
    connect(again_, &QPushButton::clicked, this, [this] {
        if (again_->menu() == nullptr)
            emit runAgainRequested();
    });

    auto* menu = new QMenu(more_);
    pause_ = menu->addAction(tr("Pause"));
    pause_->setToolTip(tr("Pauses after the current step; memory and GPUs stay in use (H)"));
    connect(pause_, &QAction::triggered, this, [this] { emit pauseRequested(!run_->isPaused()); });
    evaluate_ = menu->addAction(tr("Evaluate now"), this, &RunHeader::evaluateRequested);
    rate_ = menu->addAction(tr("Change the learning rate…"), this, &RunHeader::rateRequested);
    menu->addSeparator();
    curves_ = menu->addAction(tr("All curves"), this, &RunHeader::curvesRequested);
    curves_->setToolTip(tr("Every curve, histogram and text of the run, or back to the overview (T)"));
    QMenu* layouts = menu->addMenu(tr("Layout"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] {
        layouts->clear();
        emit layoutMenuShown(layouts);
    });
    note_ = menu->addAction(tr("Add a note…"), this, &RunHeader::noteRequested);
    menu->addAction(tr("Alarms of this run…"), this, &RunHeader::alarmsRequested);
    menu->addAction(tr("Try it…"), this, &RunHeader::tryRequested)
        ->setToolTip(tr("A prompt, and how its checkpoints continue it"));
    menu->addAction(tr("Profiler traces"), this, &RunHeader::tracesRequested);
    menu->addAction(tr("Open in a new window"), this, &RunHeader::windowRequested);
    menu->addAction(tr("Open folder"), this, &RunHeader::folderRequested);
    menu->addAction(tr("Copy path"), this, &RunHeader::copyPathRequested);
    again_action_ = menu->addAction(tr("Run again"), this, &RunHeader::runAgainRequested);
    more_->setMenu(menu);
    setLayout(
        make_row({20, 0, 20, 0}, 8,
                 {swatch_,
                  gap(2),
                  {make_column(2, {stretch(), make_row(8, {{name_, 0}, chip_, stretch(1)}), facts_, stretch()}), 1},
                  checkpoint_,
                  profile_,
                  hold_,
                  stop_,
                  again_,
                  more_}));
}

QString RunHeader::facts() const {
    return facts_->fullText();
}

void RunHeader::refresh(double now) {
    name_->setFullText(run_->name());
    swatch_->setColor(run_->colorNumber());
    const widgets::Chip chip = stage_chip(*run_);
    chip_->setChip(chip);
    setAccessibleName(run_->name() + QStringLiteral(", ") + chip.text);
    facts_->setFullText(facts_line(*run_, now));
    const bool live = run_->isLive();
    const bool stopping = run_->stage() == RunStage::Stopping;
    checkpoint_->setVisible(live && !(run_->facts() && run_->facts()->is_program));
    checkpoint_->setEnabled(run_->stage() == RunStage::Running && !run_->pending().contains("checkpoint"));
    checkpoint_->setText(run_->pending().contains("checkpoint") ? tr("Checkpoint requested") : tr("Checkpoint now"));
    stop_->setVisible(live);
    stop_->setText(stopping || run_->pending().contains("stop") || run_->pending().contains("kill") ? tr("Stopping")
                                                                                                    : tr("Stop"));
    refreshAgain(live);
    const bool own = !run_->state() || !run_->facts() || !run_->facts()->is_program;
    const bool running = run_->stage() == RunStage::Running;
    const bool roomy = width() >= kRoomy;
    const bool profiling = run_->pending().contains("profile");
    profile_->setVisible(live && own && roomy);
    profile_->setEnabled(running && !run_->isPaused() && !profiling);
    profile_->setText(profiling ? tr("Profiling") : tr("Profile…"));
    hold_->setVisible(live && own && roomy);
    hold_->setEnabled(running);
    if (const bool paused = run_->isPaused(); hold_->property("paused").toBool() != paused) {
        hold_->setProperty("paused", paused);
        Theme::instance().bindIcon(hold_, paused ? QStringLiteral("play") : QStringLiteral("pause"), Token::Text);
    }
    hold_->setText(run_->isPaused() ? tr("Continue") : tr("Pause"));
    pause_->setVisible(live && own);
    pause_->setEnabled(running);
    pause_->setText(run_->isPaused() ? tr("Continue") : tr("Pause"));
    evaluate_->setVisible(live && own);
    evaluate_->setEnabled(running && !run_->isPaused());
    rate_->setVisible(live && own);
    rate_->setEnabled(running);
    again_action_->setVisible(run_->facts().has_value());
    note_->setVisible(live);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    const bool own = !run_->state() || !run_->facts() || !run_->facts()->is_program;
    for (QPushButton* button : {profile_, hold_})
        button->setVisible(run_->isLive() && own && width() >= kRoomy);
}

void RunHeader::fillCheckpoints() {
    checkpoint_menu_->clear();
    const SavedCheckpoint* best = run_->bestCheckpoint();
    for (const SavedCheckpoint& one : run_->checkpoints()) {
        QStringList words{tr("Step %1").arg(QLocale().toString(static_cast<qlonglong>(one.step)))};
        if (&one == &run_->checkpoints().front())
            words << tr("newest");
        if (&one == best)
            words << tr("best");
        if (one.pinned)
            words << tr("pinned");
        if (!one.own)
            words << tr("of the run before");
        const QString folder = qt(one.path);
        QAction* action = checkpoint_menu_->addAction(words.join(QStringLiteral("  ·  ")), this,
                                                      [this, folder] { emit resumeFromRequested(folder); });
        action->setToolTip(folder);
    }
}

void RunHeader::refreshAgain(bool live) {
    const bool can_run_again = run_->state() && !live && run_->facts();
    again_->setVisible(can_run_again);
    // A choice only where there is one.
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
