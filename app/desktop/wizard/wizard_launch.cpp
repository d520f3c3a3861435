// SPDX-License-Identifier: GPL-3.0-or-later
// The launch of the wizard: asks about code of files from elsewhere, and writes the files.

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/start_look.h"
#include "desktop/shell/ui.h"
#include "desktop/sweeps/sweep_base.h"
#include "desktop/wizard/draft_launch.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

void WizardPage::askAboutCode(const QStringList& code, std::function<void()> then) {
    const QString file = opener_->code().fileOf(code.first());
    QStringList shown;
    for (const QString& part : code)
        shown << qt(text::printable(part.toStdString(), kMostOfCommand));
    shown << qt(text::printable(commandLine().toStdString(), kMostOfCommand));
    ask_for_consent(this,
                    {tr("Launch with code that a file names?"),
                     tr("%1 names programs or libraries. With your rights, this launch executes:").arg(file),
                     tr("You are asked once for each file, and again if it names something else."),
                     shown.join(QLatin1Char('\n')), tr("Launch")},
                    [file, code, then = std::move(then)] {
                        ForeignCode::confirm(file, code);
                        then();
                    });
}

QString WizardPage::primaryWords() const {
    return draft_.purpose() == Purpose::SettingsOnly ? tr("Save as…") : tr("Launch");
}

void WizardPage::setLaunching(bool launching) {
    launch_->setEnabled(!launching);
    launch_->setText(launching ? tr("Launching…") : primaryWords());
    if (!launching)
        showAll();
}

void WizardPage::primaryAction() {
    if (!launch_->isEnabled())
        return;
    if (!isChecked()) {
        launch_when_checked_ = true;
        draft_.checkNow();
        return;
    }
    problems_ = problemsOf(draft_);
    if (std::ranges::any_of(std::as_const(problems_), &FieldProblem::error))
        goToFirstProblem();
    else if (draft_.purpose() == Purpose::SettingsOnly)
        saveAs();
    else
        launch();
}

void WizardPage::launch() {
    message()->dismiss();
    if (const QStringList code = opener_->code().unconfirmed(draft_); !code.isEmpty()) {
        askAboutCode(code, [this] { launch(); });
        return;
    }
    setLaunching(true);
    if (namer_ && draft_.purpose() == Purpose::Engine) {
        const QString key = QStringLiteral("name");
        const QString wanted = draft_.recipeValue(key).trimmed();
        if (const QString unique = namer_(wanted, draft_.recipeValues()); unique != wanted)
            draft_.setRecipeValue(key, unique);
    }
    launching_.submit(
        launch_files_writer(draft_),
        [this](const LaunchFiles& files) {
            setLaunching(false);
            emit launchRequested(launch_request(draft_, files));
        },
        [this](const QString& words) {
            setLaunching(false);
            messages_->say(InlineMessage::Kind::Error, tr("The run was not started"), words);
        });
}

void WizardPage::openSweep() {
    if (draft_.purpose() == Purpose::SettingsOnly) {
        messages_->say(InlineMessage::Kind::Note, tr("A sweep needs a recipe or a script"),
                       tr("Choose on the first page what is trained."));
        return;
    }
    if (!isChecked()) {
        sweep_when_checked_ = true;
        draft_.checkNow();
        return;
    }
    problems_ = problemsOf(draft_);
    if (std::ranges::any_of(std::as_const(problems_), &FieldProblem::error)) {
        messages_->say(
            InlineMessage::Kind::Note, tr("A sweep starts from a draft without problems"),
            tr("Fix the field that is shown. If the data are on other machines, choose these on the page %1 first.")
                .arg(stepTitle(Step::Hardware)));
        goToFirstProblem();
        return;
    }
    message()->dismiss();
    if (const QStringList code = opener_->code().unconfirmed(draft_); !code.isEmpty()) {
        askAboutCode(code, [this] { openSweep(); });
        return;
    }
    emit sweepRequested(sweep_base(draft_, opener_->draftName().trimmed()));
}

}  // namespace trainyard::desktop
