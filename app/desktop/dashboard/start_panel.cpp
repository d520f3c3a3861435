// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/start_panel.h"

#include <QGridLayout>

#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr int kStages = 4;
}

StartPanel::StartPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent), run_(run), sentence_(wrapped(make_title({}, 14))) {
    setProperty("surface", QStringLiteral("panel"));
    setMinimumHeight(170_px);
    setAccessibleName(tr("Start of the run"));
    sentence_->setAlignment(Qt::AlignCenter);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(6);
    for (int i = 0; i < kStages; ++i) {
        pictures_ << new IconLabel(16);
        words_ << make_note({});
        grid->addWidget(pictures_.last(), i, 0);
        grid->addWidget(words_.last(), i, 1);
    }
    setLayout(make_column({stretch(), sentence_, gap(10), make_row({stretch(), grid, stretch()}), stretch()}));
}

QString StartPanel::sentenceOf(const QString& current, double now) const {
    switch (run_->stage()) {
        case RunStage::Loading:
            return tr("Reading the run folder");
        case RunStage::Missing:
            return tr("The folder %1 no longer exists").arg(qt(run_->paths().root().string()));
        case RunStage::Queued:
            return tr("In the queue: %1").arg(qtClause(run_->state()->message));
        case RunStage::Abandoned:
            return tr("This run lost its place in the queue. Queue it again from the list of runs.");
        case RunStage::Preparing:
        case RunStage::Starting:
        case RunStage::Running: {
            const auto& state = run_->state();
            const QString since = whole_seconds(now - (state->started > 0 ? state->started : state->created));
            if (!run_->isProgram())
                return current.isEmpty() ? tr("Waiting for the first step, %1").arg(since)
                                         : tr("Waiting for the first step: %1, %2").arg(current, since);
            return run_->hasOutput()
                       ? tr("Running for %1. Curves are shown here once the program writes TensorBoard files, "
                            "JSON lines or CSV, or prints figures such as “step 20/100: loss 3.21”.")
                             .arg(since)
                       : tr("Waiting for the first output, %1").arg(since);
        }
        case RunStage::Finished:
            return run_->isProgram() ? tr("The program finished. It wrote no curves; what it printed is in the log.")
                                     : tr("The run finished without a step");
        case RunStage::Stopped:
        case RunStage::Failed:
            if (run_->isProgram())
                return run_->stage() == RunStage::Failed ? tr("The program failed. It had written no curves.")
                                                         : tr("The program was stopped. It had written no curves.");
            [[fallthrough]];
        default:
            return tr("The run ended before its first step");
    }
}

void StartPanel::refresh(double now) {
    const auto& state = run_->state();
    const bool over = state && !run_->isLive();
    if (over)
        now = state->ended.value_or(state->heartbeat);
    const QVector<StartStage> stages = start_stages(*run_);
    QString current;
    for (int i = 0; i < kStages; ++i) {
        const StartStage& stage = stages[i];
        QString words = stage.text(now);
        words.front() = words.front().toUpper();
        words_[i]->setText(words);
        words_[i]->setForegroundRole(tone_role(stage.current ? Tone::Text
                                               : stage.done  ? Tone::Secondary
                                                             : Tone::Muted));
        const bool ended = stage.current && over;
        const bool failed = ended && run_->stage() == RunStage::Failed;
        pictures_[i]->setIcon(stage.done      ? QStringLiteral("check")
                              : failed        ? QStringLiteral("error")
                              : ended         ? QStringLiteral("stop")
                              : stage.current ? QStringLiteral("right")
                                              : QStringLiteral("clock"),
                              stage.done      ? Token::Ok
                              : failed        ? Token::Error
                              : ended         ? Token::TextSecondary
                              : stage.current ? Token::Accent
                                              : Token::TextMuted);
        if (stage.current && i + 1 < kStages)  // the last one is the first step itself
            current = stage.words;
    }
    sentence_->setText(sentenceOf(current, now));
    const bool shows_stages = run_->stage() > RunStage::Abandoned;
    for (int i = 0; i < kStages; ++i) {
        pictures_[i]->setVisible(shows_stages);
        words_[i]->setVisible(shows_stages);
    }
}

}  // namespace trainyard::desktop
