// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/more_steps_dialog.h"

#include <algorithm>
#include <limits>

#include <QSpinBox>

#include "base/error.h"
#include "desktop/launch/run_starter.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
const int& kDialogWidth = live_px(460);
constexpr int kNoteDelay = 200;  // ms after the last key

int bounded_steps(std::int64_t steps) {
    return static_cast<int>(std::min<std::int64_t>(steps, std::numeric_limits<int>::max()));
}
}  // namespace

MoreStepsDialog::MoreStepsDialog(const launch::Continuation& from, const QString& name, QWidget* parent)
    : QDialog(parent), from_(from), steps_(new QSpinBox), note_(wrapped(make_note({}))) {
    setWindowTitle(tr("Continue with more steps"));
    setMinimumWidth(kDialogWidth);
    steps_->setRange(bounded_steps(from.step + 1), std::numeric_limits<int>::max());
    steps_->setGroupSeparatorShown(true);
    // As many again; a run that was stopped first has its own end to reach.
    steps_->setValue(bounded_steps(from.step < from.steps ? from.steps : from.step + from.steps));
    auto* steps = new widgets::FieldRow(tr("Steps in all"), QStringLiteral("training.steps"), steps_);
    auto* layout = make_column(12, {make_title(name, 16),
                                    wrapped(make_note(tr("A new run continues from the checkpoint of step %1 of %2.")
                                                          .arg(stepText(from.step), stepText(from.steps)))),
                                    steps});
    if (from.decay_end > 0) {
        schedule_ = new widgets::SegmentedControl({tr("Ends at the new last step"), tr("Stays as it was")});
        layout->addWidget(
            new widgets::FieldRow(tr("Learning rate schedule"), QStringLiteral("schedule.decay_steps"), schedule_));
        connect(schedule_, &widgets::SegmentedControl::currentChanged, this, &MoreStepsDialog::changed);
    }
    layout->addWidget(note_);
    setLayout(layout);
    start_ = widgets::add_dialog_buttons(this, tr("Start"), [this] {
        try {
            QStringList words;
            for (const std::string& setting : settings())
                words << qt(setting);
            emit startRequested(words);
            accept();
        } catch (const UserError&) {
            changed();  // says what is wrong
        }
    });
    act_after(typed_, kNoteDelay, this, [this] {
        look_.submit(
            [before = from_.recipe, assignments = settings()] {
                config::Recipe recipe = before;
                config::apply_overrides(recipe, assignments);
                return launch::resumed_schedule_note(recipe);
            },
            [this](const Message& note) {
                note_->setForegroundRole(tone_role(note.empty() ? Tone::Secondary : Tone::Warn));
                note_->setText(note.empty() ? tr("The result is that of an uninterrupted run with as many steps.")
                                            : qtSentence(note));
            },
            [this](const QString& sentence) {
                note_->setForegroundRole(tone_role(Tone::Error));
                note_->setText(sentence);
            });
    });
    connect(steps_, &QSpinBox::valueChanged, this, &MoreStepsDialog::changed);
    changed();
}

std::vector<std::string> MoreStepsDialog::settings() const {
    return launch::continuation_settings(from_, steps_->value(), schedule_ != nullptr && schedule_->current() == 1);
}

void MoreStepsDialog::changed() {
    try {
        settings();
        typed_.start();
    } catch (const UserError& error) {
        typed_.stop();
        look_.cancel();
        note_->setForegroundRole(tone_role(Tone::Error));
        note_->setText(qtSentence(error.message()));
    }
}

void ask_more_steps(AppContext* app, const QString& folder, const QString& name) {
    auto* look = new widgets::Job(app->window());
    look->submit([run = run::RunPaths(folder.toStdString())] { return launch::continuation_of(run); },
                 [app, look, folder, name](const launch::Continuation& from) {
                     look->deleteLater();
                     auto* dialog =
                         new MoreStepsDialog(from, name.isEmpty() ? qt(from.recipe.name) : name, app->window());
                     QObject::connect(dialog, &MoreStepsDialog::startRequested, app,
                                      [app, folder, name](const QStringList& settings) {
                                          app->starter()->continueRun(folder, settings, name);
                                      });
                     widgets::opened(dialog);
                 },
                 [app, look](const QString& sentence) {
                     look->deleteLater();
                     emit app->starter()->failed(sentence);
                 });
}

}  // namespace trainyard::desktop
