// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/batch_panel.h"

#include <algorithm>
#include <climits>

#include <QLineEdit>

#include "base/text.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/pixels.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
const QString kBatch = QStringLiteral("training.batch_size");
const QString kAccumulation = QStringLiteral("training.gradient_accumulation_steps");
const QString kRate = QStringLiteral("optimizer.lr");

QString number(double value) {
    return QString::number(value, 'g', 4);
}

QString grouped(std::int64_t value) {
    return qtNumber(text::grouped(value));
}
}  // namespace

BatchPanel::BatchPanel(RunDraft* draft, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      facts_(named(wrapped(make_mono_label({}, 12)), tr("Effective batch"))),
      tuned_(named(new QLineEdit, tr("Ranks these numbers were tuned on"))),
      rule_(new widgets::SegmentedControl({tr("Keep"), tr("Linear"), tr("Square root")})),
      choices_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Effective batch"));
    QLabel* words = make_note(tr("Tuned on"));
    tuned_->setFixedWidth(56_px);
    tuned_->setFont(Theme::instance().mono(12));
    tuned_->setText(QStringLiteral("1"));
    words->setBuddy(tuned_);
    rule_->setToolTip(tr("How the learning rate follows changes of the effective batch"));
    rule_->button(0)->setAccessibleName(tr("Keep the learning rate"));
    choices_->setSpacing(4);
    setLayout(make_column(
        {14, 10, 14, 12}, 8,
        {make_title(tr("Effective batch")), facts_, make_row(8, {words, tuned_, make_note(tr("ranks")), stretch()}),
         make_row({make_note(tr("Learning rate")), rule_, stretch()}), choices_}));
    connect(tuned_, &QLineEdit::textChanged, this, &BatchPanel::showChoices);
    connect(rule_, &widgets::SegmentedControl::currentChanged, this, &BatchPanel::showChoices);
}

bool BatchPanel::splits() const {
    return draft_->recipeValue(QStringLiteral("data.split_batches")) == QLatin1String("true");
}

settings::BatchSetup BatchPanel::setup(int ranks) const {
    settings::BatchSetup setup;
    setup.batch_per_rank = draft_->recipeValue(kBatch).toLongLong() / (splits() ? qMax(1, ranks) : 1);
    setup.accumulation = draft_->recipeValue(kAccumulation).toLongLong();
    setup.learning_rate = draft_->recipeValue(kRate).toDouble();
    setup.ranks = ranks;
    return setup;
}

bool BatchPanel::isUsable(const settings::BatchSetup& setup) const {
    const QVector<DraftProblem>& problems = draft_->report().problems;
    return setup.batch_per_rank >= 1 && setup.batch_per_rank <= INT_MAX && setup.accumulation >= 1 &&
           setup.accumulation <= INT_MAX && std::ranges::none_of(problems, [](const DraftProblem& one) {
               return one.key == kBatch || one.key == kAccumulation;
           });
}

QString BatchPanel::timeWords(double tokens) const {
    const auto speed = draft_->speed();
    facts_->setToolTip(speed ? speed->how : QString());
    if (!speed)
        return tr("The step time is known after a first run of this model.");
    const double step = tokens / speed->tokens_per_second;
    const auto steps = draft_->recipeValue(QStringLiteral("training.steps")).toLongLong();
    const QString all = widgets::duration_words(step * static_cast<double>(steps));
    return speed->run.isEmpty() ? tr("about %1 a step and %2 in all, estimated from this machine's peak")
                                      .arg(widgets::duration_words(step), all)
                                : tr("%1 a step, %2 in all, at the speed of the run %3")
                                      .arg(widgets::duration_words(step), all, speed->run);
}

void BatchPanel::refresh() {
    const settings::BatchSetup now = setup(draft_->ranks());
    const std::int64_t length = draft_->recipeValue(QStringLiteral("data.sequence_length")).toLongLong();
    if (!isUsable(now)) {
        facts_->setText(tr("batch and accumulation are not valid numbers yet"));
    } else {
        const std::int64_t effective = settings::facts(now).effective_batch;
        facts_->setText(tr("%1 × %2 × %3 = %4 sequences a step, %5 tokens")
                            .arg(grouped(now.batch_per_rank), tr("%Ln ranks", nullptr, static_cast<int>(now.ranks)),
                                 grouped(now.accumulation), grouped(effective), grouped(effective * length)) +
                        QLatin1Char('\n') + timeWords(static_cast<double>(effective * length)));
    }
    showChoices();
}

void BatchPanel::showChoices() {
    delete shown_;
    shown_ = nullptr;
    bool good = false;
    const int ranks = draft_->ranks();
    const settings::BatchSetup from = setup(tuned_->text().trimmed().toInt(&good));
    const bool bad = !good || from.ranks < 1;
    set_invalid(tuned_, bad);
    if (bad || !isUsable(from) || from.ranks == ranks)
        return;
    auto* lines = make_column({0, 0, 0, 0}, 4, {});
    shown_ = make_holder(lines);
    for (const settings::BatchChoice& choice :
         settings::choices_on(from, ranks, static_cast<settings::LearningRateRule>(rule_->current()))) {
        auto* what = wrapped(
            make_note(tr("batch %1, accumulation %2, lr %3: %4")
                          .arg(grouped(choice.setup.batch_per_rank), grouped(choice.setup.accumulation),
                               widgets::local_number(number(choice.setup.learning_rate)), qtClause(choice.why))));
        auto* use = with_look(new QPushButton(tr("Apply")), {.kind = "link", .name = tr("Apply %1").arg(what->text())});
        lines->addLayout(make_row({{what, 1}, use}));
        const settings::BatchSetup chosen = choice.setup;
        connect(use, &QPushButton::clicked, this, [this, chosen] { apply(chosen); });
    }
    choices_->addWidget(shown_);
}

void BatchPanel::apply(const settings::BatchSetup& chosen) {
    const QString ranks = QString::number(draft_->ranks());
    // Queued, because the change deletes and recreates the button that was pressed.
    QMetaObject::invokeMethod(
        this,
        [this, chosen, ranks] {
            draft_->beginStep();
            draft_->setRecipeValue(kBatch, QString::number(chosen.batch_per_rank * (splits() ? chosen.ranks : 1)));
            draft_->setRecipeValue(kAccumulation, QString::number(chosen.accumulation));
            draft_->setRecipeValue(kRate, number(chosen.learning_rate));
            draft_->endStep();
            tuned_->setText(ranks);
        },
        Qt::QueuedConnection);
}

}  // namespace trainyard::desktop
