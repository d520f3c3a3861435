// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/asks.h"

#include <utility>

#include <QDialog>
#include <QLineEdit>
#include <QTimer>

#include "desktop/shell/ui.h"
#include "desktop/text/translate.h"
#include "widgets/dialogs.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

namespace {

constexpr double kMostRate = 100;
constexpr int kFollowMs = 300;  // what `more` says changes while the dialog is open

/// One field, what it is for, and what is wrong with it. `check` returns the problem, or nothing.
/// `more` says below the field what comes of the typed text. `then` gets the accepted text.
using Words = std::function<QString(const QString& typed)>;
void ask(QWidget* parent, const QString& title, const QString& words, const Words& more, const QString& value,
         const QString& verb, const Words& check, const std::function<void(const QString& text)>& then) {
    auto* dialog = new QDialog(parent);
    dialog->setWindowTitle(title);
    dialog->setMinimumWidth(380_px);
    auto* field = named(new QLineEdit(value), words);
    field->selectAll();
    auto* hint = wrapped(make_note(more(value)));
    auto* follow = new QTimer(dialog);
    act_every(*follow, kFollowMs, dialog, [=] { hint->setText(more(field->text())); });
    follow->start();
    dialog->setLayout(make_column(8, {make_title(words), field, hint}));
    widgets::add_dialog_buttons(dialog, verb, [=] {
        const QString problem = check(field->text());
        if (problem.isEmpty())
            return dialog->accept();
        follow->stop();
        hint->setText(problem);
        hint->setForegroundRole(tone_role(Tone::Error));
        field->setFocus();
    });
    QObject::connect(field, &QLineEdit::textEdited, dialog, [=] {
        hint->setText(more(field->text()));
        hint->setForegroundRole(tone_role(Tone::Secondary));
        follow->start();
    });
    QObject::connect(dialog, &QDialog::accepted, parent, [field, then] { then(field->text().trimmed()); });
    widgets::opened(dialog);
}

}  // namespace

std::optional<double> learning_rate(const QString& text, QString& problem) {
    const std::optional<double> rate = widgets::typed_number(text);
    if (rate && *rate > 0 && *rate <= kMostRate)
        return rate;
    problem = tr("A learning rate is a number greater than 0 and at most 100, such as 3e-4.");
    return std::nullopt;
}

QString rate_preview(const RateNow& rate, const QString& typed) {
    const auto number = [](double value) { return widgets::value_number(value); };
    const QString what = tr("The schedule keeps its shape. The change is recorded as an event.");
    QString problem;
    const auto peak = learning_rate(typed, problem);
    if (!peak || rate.now <= 0)
        return what;
    if (!rate.scales)
        return tr("Now %1, which training.swa_lr decides: the peak counts again when the average has ended.")
            .arg(number(rate.now));
    if (rate.peak <= 0)
        return tr("Now %1.").arg(number(rate.now)) + QLatin1Char(' ') + what;
    return tr("Now %1 → %2.").arg(number(rate.now), number(rate.now * *peak / rate.peak)) + QLatin1Char(' ') + what;
}

void ask_learning_rate(QWidget* parent, const std::function<RateNow()>& now, std::function<void(double)> then) {
    const double peak = now().peak;
    const QString before = peak > 0 ? QString::number(peak, 'g', 6) : QString();
    ask(
        parent, tr("Change the learning rate"), tr("Peak learning rate from the next step on"),
        [now](const QString& typed) { return rate_preview(now(), typed); }, before, tr("Change"),
        [](const QString& typed) {
            QString problem;
            learning_rate(typed, problem);
            return problem;
        },
        [before, then = std::move(then)](const QString& text) {
            QString problem;
            if (const auto rate = learning_rate(text, problem); rate && text != before)
                then(*rate);
        });
}

void ask_note(QWidget* parent, std::int64_t step, std::function<void(const QString&)> then) {
    ask(
        parent, tr("Note"), tr("Note at step %1").arg(stepText(step)),
        [](const QString&) { return tr("The note is shown among the run's events and on its curves."); }, {}, tr("Add"),
        [](const QString& typed) { return typed.trimmed().isEmpty() ? tr("Enter a note.") : QString(); },
        std::move(then));
}

}  // namespace trainyard::desktop
