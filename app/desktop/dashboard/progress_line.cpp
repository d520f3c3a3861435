// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/progress_line.h"

#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plot/number_text.h"
#include "widgets/plot/progress_strip.h"

namespace trainyard::desktop {

ProgressLine::ProgressLine(const RunRecord* run, QWidget* parent)
    : QWidget(parent),
      run_(run),
      step_(make_mono_label({}, 13)),
      of_(make_mono_label({}, 13, Tone::Muted)),
      strip_(new widgets::ProgressStrip(tr("Progress"))),
      share_(make_mono_label({}, 12)),
      ends_(make_elided({}, Theme::instance().mono(12), Tone::Secondary)) {
    setFixedHeight(20_px);
    setLayout(make_row(
        {0, 0, 0, 0}, 6,
        {make_mono_label(tr("step"), 12, Tone::Secondary), step_, of_, gap(6), {strip_, 1}, gap(6), share_, ends_}));
}

void ProgressLine::refresh(double now) {
    // A program may never report a step.
    setVisible(!run_->isProgram() || run_->step() > 0 || run_->steps() > 0);
    step_->setText(stepText(run_->step()));
    of_->setText(run_->steps() > 0 ? QStringLiteral("/ ") + stepText(run_->steps()) : QString());
    strip_->setShare(run_->share());
    strip_->setColor(run_->stage() == RunStage::Failed || run_->stage() == RunStage::Lost ? Token::ErrorFill
                                                                                          : Token::AccentFill);
    QVector<double> ticks;
    if (run_->steps() > 0)
        for (const std::size_t position : run_->eventsOf("checkpoint"))
            if (const std::int64_t step = run_->events()[position].step; step > 0 && step < run_->steps())
                ticks << static_cast<double>(step) / static_cast<double>(run_->steps());
    strip_->setTicks(ticks);
    if (run_->steps() > 0)
        share_->setText(widgets::percent_text(run_->share(), 1));
    QString ends;
    const auto left = run_->timeLeft();
    if (run_->stage() == RunStage::Running && run_->isPaused()) {
        ends = left ? tr("· paused, %1 left when it continues").arg(widgets::duration_words(*left)) : tr("· paused");
    } else if (run_->stage() == RunStage::Running) {
        if (left)
            ends = tr("· %1 left · ends %2").arg(widgets::duration_words(*left), clock_text(now + *left, now));
        else if (run_->step() > 0 && !run_->isProgram())
            ends = tr("· time left is known after 20 steps");
    }
    ends_->setFullText(ends);
    ends_->setVisible(!ends.isEmpty());
}

QString ProgressLine::words() const {
    return share_->text() + QLatin1Char(' ') + ends_->fullText();
}

}  // namespace trainyard::desktop
