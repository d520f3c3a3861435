// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_actions.h"

#include <QAction>
#include <QLocale>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

#include "base/clock.h"
#include "desktop/dashboard/asks.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/shell/action_collection.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

RunActions::RunActions(RunRecord* run, RunHeader* header, InlineMessage* message, QWidget* page)
    : QObject(page), run_(run), header_(header), message_(message), page_(page) {
    connect(run_, &RunRecord::requestChanged, this, &RunActions::tell);
    connect(run_, &RunRecord::eventsChanged, this, &RunActions::findProfile);
    connect(header_, &RunHeader::killRequested, this, &RunActions::kill);
    connect(header_, &RunHeader::profileRequested, this, &RunActions::profile);
    connect(header_, &RunHeader::rateRequested, this, &RunActions::changeRate);
    addCommands();
}

/// The controls of the header know what can be requested now.
void RunActions::addCommands() {
    const auto add = [this](const char* id, const QPushButton* button, auto&& run) {
        QAction* action = ActionCollection::instance().add(id, page_, run);
        connect(header_, &RunHeader::refreshed, action,
                [this, action, button] { action->setEnabled(button->isEnabled() && run_->isLive()); });
    };
    add("request.checkpoint", header_->checkpointButton(), [this] { header_->checkpointButton()->click(); });
    add("request.profile", header_->profileButton(), [this] { header_->profileButton()->click(); });
    add("request.stop", header_->stopButton(), [this] { header_->stopButton()->showMenu(); });
    page_->addActions(header_->menuActions());  // the palette finds them
    // These are in its menu, too.
    ActionCollection& commands = ActionCollection::instance();
    commands.adopt("request.pause", header_->pauseAction(), page_);
    commands.adopt("request.evaluate", header_->evaluateAction(), page_);
    commands.adopt("request.rate", header_->rateAction(), page_);
    commands.adopt("request.edit_again", header_->editAction(), page_);
    commands.adopt("request.again", header_->againAction(), page_);
    commands.adopt("request.continue", header_->continueAction(), page_);
}

void RunActions::tell(const RequestNews& news) {
    header_->refresh(wall_seconds());
    const QString kind = qt(news.kind);
    if (news.stage == RequestNews::Stage::Silent) {
        message_->showMessage(InlineMessage::Kind::Warning, tr("Rank 0 has not answered “%1” for 10 s").arg(kind),
                              tr("Requests are handled between two steps. “Kill now” takes effect at once."));
    } else if (news.stage == RequestNews::Stage::Answered && news.outcome != "done") {
        message_->showMessage(InlineMessage::Kind::Warning, tr("“%1” failed").arg(kind), qtSentence(news.text));
    } else if (message_->isVisibleTo(page_) && message_->title() != offerTitle()) {
        message_->dismiss();
    }
}

QString RunActions::offerTitle() {
    return tr("The profile was recorded");
}

QString RunActions::killQuestion() const {
    return tr("Kill %1 at step %2?").arg(run_->name(), QLocale().toString(run_->step()));
}

QString RunActions::killWords() const {
    const qint64 step = run_->step(), saved = run_->lastCheckpoint();
    return saved > 0 ? tr("The last checkpoint is from step %1: %Ln steps will be lost.", nullptr,
                          static_cast<int>(step - saved))
                           .arg(QLocale().toString(saved))
                     : tr("There is no checkpoint yet: all %Ln steps will be lost.", nullptr, static_cast<int>(step));
}

void RunActions::kill() {
    QMessageBox* box = widgets::ask_before_loss(
        page_, {tr("Kill the run"), killQuestion(), killWords(), tr("Kill the run")}, [run = QPointer(run_)] {
            if (run)
                run->ask(run::KillRequest());
        });
    // The run continues while the question is open.
    connect(run_, &RunRecord::curvesChanged, box, [this, box] {
        box->setText(killQuestion());
        box->setInformativeText(killWords());
    });
}

void RunActions::note(std::int64_t step) {
    ask_note(page_, step, [run = QPointer(run_), step](const QString& text) {
        if (run)
            run->ask(run::NoteRequest{Message::verbatim(text.toStdString()), step});
    });
}

void RunActions::profile() {
    auto* dialog = new ProfileDialog(run_->step(), page_);
    connect(run_, &RunRecord::curvesChanged, dialog, [this, dialog] { dialog->setStep(run_->step()); });
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        awaited_.reset();
        if (dialog->opensTrace())
            awaited_ = run_->events().size();
        run_->ask(dialog->request());
    });
    widgets::opened(dialog);
}

/// Opens the first profile that was recorded since it was asked for, or offers it if the page is not visible.
void RunActions::findProfile() {
    const std::vector<run::Event>& events = run_->events();
    for (std::size_t i = awaited_.value_or(events.size()); i < events.size(); ++i) {
        if (events[i].kind != "profile" || events[i].path.empty())
            continue;
        awaited_.reset();
        if (page_->isVisible())
            return emit profileRecorded(i);
        message_->showMessage(InlineMessage::Kind::Note, offerTitle(), {});
        connect(message_->addAction(tr("Open the trace")), &QPushButton::clicked, this, [this, i] {
            message_->dismiss();
            emit profileRecorded(i);
        });
        return;
    }
}

void RunActions::changeRate() {
    const auto now = [run = QPointer(run_)] {
        if (!run)
            return RateNow{};
        const std::int64_t averaged = run->facts() ? run->facts()->swa_start : 0;
        return RateNow{run->peakRate(), run->rate(), averaged == 0 || run->step() < averaged};
    };
    ask_learning_rate(page_, now, [run = QPointer(run_)](double rate) {
        if (run)
            run->ask(run::RateRequest{rate});
    });
}

}  // namespace trainyard::desktop
