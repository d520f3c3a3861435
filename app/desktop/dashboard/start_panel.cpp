// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/start_panel.h"

#include <QGridLayout>

#include "desktop/dashboard/stage_words.h"
#include "desktop/ui.h"

namespace trainyard::desktop {

namespace {
constexpr int kStages = 4;
}

StartPanel::StartPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent), run_(run), sentence_(wrapped(make_title({}, 14))) {
    setProperty("surface", QStringLiteral("panel"));
    setMinimumHeight(170);
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
            return tr("The folder %1 is not there any more").arg(qt(run_->paths().root().string()));
        case RunStage::Queued:
            return tr("In the queue: %1").arg(qtSentence(run_->state()->message));
        case RunStage::Abandoned:
            return tr("This run lost its place in the queue. Queue it again from the list of runs.");
        case RunStage::Preparing:
        case RunStage::Starting:
        case RunStage::Running: {
            const auto& state = run_->state();
            const double since = state->started > 0 ? state->started : state->created;
            return tr("Waiting for the first step: %1, %2").arg(current, whole_seconds(now - since));
        }
        case RunStage::Finished:
            return run_->facts() && run_->facts()->is_program ? tr("The program finished. It reported no steps.")
                                                              : tr("The run finished without a step");
        default:
            return tr("The run ended before its first step");
    }
}

void StartPanel::refresh(double now) {
    const QVector<StartStage> stages = start_stages(*run_);
    QString current;
    for (int i = 0; i < kStages; ++i) {
        const StartStage& stage = stages[i];
        words_[i]->setText(stage.told(now));
        set_tone(words_[i], stage.current ? Tone::Text : stage.done ? Tone::Secondary : Tone::Muted);
        pictures_[i]->setIcon(stage.done      ? QStringLiteral("check")
                              : stage.current ? QStringLiteral("right")
                                              : QStringLiteral("clock"),
                              stage.done      ? Token::Ok
                              : stage.current ? Token::Accent
                                              : Token::TextMuted);
        if (stage.current)
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
