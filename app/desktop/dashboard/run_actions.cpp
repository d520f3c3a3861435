// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_actions.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPointer>
#include <QPushButton>

#include "base/clock.h"
#include "desktop/dashboard/asks.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

RunActions::RunActions(RunRecord* run, RunHeader* header, InlineMessage* message, QWidget* page)
    : QObject(page), run_(run), header_(header), message_(message), page_(page) {
    connect(run_, &RunRecord::requestChanged, this, &RunActions::tell);
    connect(header_, &RunHeader::killRequested, this, &RunActions::kill);
    connect(header_, &RunHeader::profileRequested, this, &RunActions::profile);
    connect(header_, &RunHeader::rateRequested, this, &RunActions::changeRate);
}

void RunActions::tell(const RequestNews& news) {
    header_->refresh(wall_seconds());
    const QString kind = qt(news.kind);
    if (news.stage == RequestNews::Stage::Silent) {
        message_->showMessage(InlineMessage::Kind::Warning, tr("Rank 0 has not answered “%1” for 10 s").arg(kind),
                              tr("Requests are handled between two steps. “Kill now” takes effect at once."));
    } else if (news.stage == RequestNews::Stage::Answered && news.outcome != "done") {
        message_->showMessage(InlineMessage::Kind::Warning, tr("“%1” was not done").arg(kind), qtSentence(news.text));
    } else if (message_->isVisibleTo(page_)) {
        message_->dismiss();
    }
}

void RunActions::kill() {
    const qint64 step = run_->step();
    const qint64 saved = run_->lastCheckpoint();
    const QString lost =
        saved > 0 ? tr("The last checkpoint is from step %1: %Ln steps will be lost.", nullptr,
                       static_cast<int>(step - saved))
                        .arg(QLocale().toString(saved))
                  : tr("There is no checkpoint yet: all %Ln steps will be lost.", nullptr, static_cast<int>(step));
    widgets::ask_before_loss(page_,
                             {tr("Kill the run"), tr("Kill %1 at step %2?").arg(run_->name(), QLocale().toString(step)),
                              lost, tr("Kill the run")},
                             [run = QPointer(run_)] {
                                 if (run)
                                     run->ask("kill");
                             });
}

void RunActions::note(std::int64_t step) {
    if (const auto text = ask_note(page_, step))
        run_->ask("note", {{"text", text->toStdString()}, {"step", std::to_string(step)}});
}

void RunActions::profile() {
    ProfileDialog dialog(run_->step(), page_);
    if (dialog.exec() == QDialog::Accepted)
        run_->ask("profile", dialog.request());
}

void RunActions::changeRate() {
    const std::int64_t averaged = run_->facts() ? run_->facts()->swa_start : 0;
    if (const auto rate =
            ask_learning_rate(page_, {run_->peakRate(), run_->rate(), averaged == 0 || run_->step() < averaged}))
        run_->ask("set", {{"lr", QString::number(*rate, 'g', 12).toStdString()}});
}

bool RunActions::key(const QKeyEvent& event) {
    if (event.modifiers() != Qt::NoModifier || !run_->isLive())
        return false;
    switch (event.key()) {
        case Qt::Key_K:
            header_->checkpointButton()->click();
            break;
        case Qt::Key_P:
            if (header_->profileButton()->isVisible())
                header_->profileButton()->click();
            break;
        case Qt::Key_X:
            header_->stopButton()->showMenu();
            break;
        case Qt::Key_H:
            header_->pauseAction()->trigger();  // nothing while it is disabled
            break;
        default:
            return false;
    }
    return true;
}

}  // namespace trainyard::desktop
