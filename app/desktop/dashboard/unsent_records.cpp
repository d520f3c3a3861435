// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/unsent_records.h"

#include <utility>

#include <QPushButton>
#include <QStringList>

#include "desktop/text/qt_text.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {
constexpr double kLongestSending = 3600;  ///< seconds; the button stops it before
}  // namespace

UnsentRecords::UnsentRecords(const RunRecord* run, InlineMessage* message, QObject* parent)
    : QObject(parent), run_(run), message_(message), button_(message->addAction(tr("Send now"))) {
    connect(button_, &QPushButton::clicked, this, &UnsentRecords::send);
}

void UnsentRecords::refresh() {
    if (run_->isLive()) {
        looked_ = false;
        return;
    }
    if (!run_->state() || std::exchange(looked_, true))
        return;
    looking_.submit([folder = run_->paths().root()] { return track::has_unsent_records(folder); },
                    [this](bool found) {
                        if (found && !sending_.isRunning())
                            message_->showMessage(InlineMessage::Kind::Warning,
                                                  tr("Records of this run were not sent to its trackers"),
                                                  tr("They are saved in the run's folder. They are sent with the "
                                                     "credentials that this computer has for the trackers."));
                    });
}

void UnsentRecords::send() {
    if (sending_.isRunning()) {
        sending_.cancel();
        button_->setText(tr("Send now"));
        message_->showMessage(InlineMessage::Kind::Warning, tr("Sending was stopped"),
                              tr("Records that were not sent are still in the run's folder."));
        return;
    }
    button_->setText(tr("Stop"));
    message_->showMessage(InlineMessage::Kind::Note, tr("Sending records to the trackers…"));
    const auto failed = [this](const QString& sentence) {
        button_->setText(tr("Send now"));
        message_->showMessage(InlineMessage::Kind::Warning, tr("Records could not be sent"), sentence);
    };
    sending_.submit(
        [folder = run_->paths().root()](const widgets::Operation& operation) {
            return track::send_unsent_records(folder, kLongestSending, operation.token());
        },
        [this](const std::vector<track::SentRecords>& results) { showResults(results); }, failed);
}

void UnsentRecords::showResults(const std::vector<track::SentRecords>& results) {
    QStringList lines;
    bool complete = true;
    for (const track::SentRecords& result : results) {
        complete = complete && result.left == 0;
        lines << tr("%1: %Ln records sent", nullptr, static_cast<int>(result.sent)).arg(qt(result.tracker));
        if (result.left > 0)
            lines.last() += QStringLiteral(", ") + tr("%Ln left", nullptr, static_cast<int>(result.left));
        for (const Message& problem : result.problems)
            lines << qtSentence(problem);
    }
    button_->setText(tr("Send now"));
    button_->setVisible(!complete);
    message_->showMessage(complete ? InlineMessage::Kind::Note : InlineMessage::Kind::Warning,
                          complete ? tr("All records were sent") : tr("Records could not be sent"),
                          lines.join(QLatin1Char('\n')));
}

}  // namespace trainyard::desktop
