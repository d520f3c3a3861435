// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/checkpoint_actions.h"

#include <QPushButton>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "desktop/checkpoints/checkpoint_list_model.h"
#include "desktop/text/qt_text.h"
#include "run/trash.h"
#include "widgets/inline_message.h"
#include "widgets/job.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

CheckpointActions::CheckpointActions(const QString& runsRoot, InlineMessage* message, QObject* parent)
    : QObject(parent), runs_root_(runsRoot), message_(message), job_(new widgets::Job(this)) {}

CheckpointActions::~CheckpointActions() {
    cancel();
}

bool CheckpointActions::isRunning() const {
    return job_->isRunning();
}

void CheckpointActions::cancel() {
    if (feed_ != nullptr)
        feed_->cancelled = true;
}

void CheckpointActions::complain(const QString& title, const QString& sentence) {
    message_->showMessage(InlineMessage::Kind::Error, title, sentence);
}

std::shared_ptr<PassFeed> CheckpointActions::begin(const QString& words) {
    feed_ = std::make_shared<PassFeed>();
    words_ = words;
    since_ = monotonic_seconds();
    emit begun();
    return feed_;
}

/// Returns whether it was cancelled.
bool CheckpointActions::end() {
    const bool cancelled = feed_ != nullptr && feed_->cancelled;
    feed_.reset();
    emit ended();
    return cancelled;
}

std::function<void(const QString&)> CheckpointActions::failed(const QString& title) {
    return [this, title](const QString& sentence) {
        if (!end())
            complain(title, sentence);
    };
}

void CheckpointActions::verify(const inspect::CheckpointEntry& item) {
    if (isRunning())
        return;
    job_->inOrder(
        runs_root_.toStdString(),
        [feed = begin(tr("Verifying %1").arg(stepWords(item))), path = item.folder.string()] {
            Progress progress(feed->report());
            return inspect::verify(path, true, progress);
        },
        [this, name = stepWords(item)](const inspect::Verdict& verdict) {
            end();
            emit verified(verdict);
            if (!verdict.problems.empty())
                return complain(tr("%1 is damaged").arg(name), qtSentence(verdict.problems.front()));
            if (!verdict.not_finite.empty())
                return message_->showMessage(InlineMessage::Kind::Warning,
                                             tr("%1 has numbers that are not finite").arg(name),
                                             tr("%1 has %2 NaN and %3 infinite elements.")
                                                 .arg(qt(verdict.not_finite.front().tensor))
                                                 .arg(verdict.not_finite.front().nan)
                                                 .arg(verdict.not_finite.front().infinite));
            message_->showMessage(InlineMessage::Kind::Note, tr("%1 is complete").arg(name),
                                  verdict.unchecked() > 0
                                      ? tr("Headers and lengths are right; for some files no checksum is known.")
                                      : tr("Every byte was read and matches the saved data."));
        },
        failed(tr("The checkpoint cannot be verified")));
}

void CheckpointActions::write(const inspect::Conversion& conversion) {
    if (isRunning())
        return;
    const QString target = qt(conversion.output.string());
    job_->inOrder(
        runs_root_.toStdString(),
        [feed = begin(tr("Writing %1").arg(target)), conversion] {
            // Report a full disk before anything is written.
            if (const inspect::Expected expected = inspect::expect(conversion);
                expected.free > 0 && expected.bytes > expected.free)
                throw UserError("{} do not fit: {} are free in {}", text::file_size(expected.bytes),
                                text::file_size(expected.free), conversion.output.parent_path().string());
            Progress progress(feed->report());
            return inspect::convert(conversion, progress);
        },
        [this, target](const inspect::Converted& converted) {
            end();
            QStringList lines{tr("%1 with %Ln tensors in %2", nullptr, static_cast<int>(converted.written.tensors))
                                  .arg(qtNumber(text::file_size(converted.written.bytes)), target)};
            for (const Message& note : converted.notes)
                lines += qtSentence(note);
            message_->showMessage(InlineMessage::Kind::Note, tr("Written and read back"),
                                  lines.join(QLatin1Char('\n')));
        },
        failed(tr("The file was not written")));
}

void CheckpointActions::removeByPlan(const inspect::CheckpointList& checkpoint_list, const inspect::PrunePlan& plan) {
    if (plan.count > 0)
        ask(tr("Remove %Ln checkpoints?", nullptr, static_cast<int>(plan.count)),
            tr("%1 are moved to the trash folder next to them, from which they can be restored.")
                .arg(qtNumber(text::file_size(plan.bytes))),
            checkpoint_list, plan);
}

void CheckpointActions::removeOne(const inspect::CheckpointList& checkpoint_list, int item) {
    if (item == checkpoint_list.newest())
        return complain(tr("The checkpoint was not removed"), tr("The newest complete checkpoint is never removed."));
    const inspect::CheckpointEntry& one = checkpoint_list.items[static_cast<std::size_t>(item)];
    inspect::PrunePlan plan;
    plan.rows.push_back({static_cast<std::size_t>(item), true, {}});
    plan.bytes = one.bytes;
    plan.count = 1;
    ask(tr("Remove %1?").arg(stepWords(one)),
        tr("%1 are moved to the trash folder next to it.").arg(qtNumber(text::file_size(one.bytes))), checkpoint_list,
        plan);
}

void CheckpointActions::ask(const QString& title, const QString& text, const inspect::CheckpointList& checkpoint_list,
                            const inspect::PrunePlan& plan) {
    message_->showMessage(InlineMessage::Kind::Warning, title, text);
    QPushButton* sure = message_->addAction(tr("Remove"));
    connect(sure, &QPushButton::clicked, this, [this, checkpoint_list, plan] { remove(checkpoint_list, plan); });
    sure->setFocus(Qt::OtherFocusReason);
}

void CheckpointActions::remove(const inspect::CheckpointList& checkpoint_list, const inspect::PrunePlan& plan) {
    struct Removed {
        std::vector<inspect::fs::path> moved;
        std::vector<Message> problems;
    };
    job_->inOrder(
        runs_root_.toStdString(),
        [checkpoint_list, plan, root = runs_root_.toStdString()] {
            Removed removed;
            removed.moved =
                inspect::apply_prune(checkpoint_list, plan, inspect::checkpoints_in_use(root), removed.problems);
            return removed;
        },
        [this](const Removed& removed) {
            emit shelfChanged();
            if (!removed.problems.empty())
                complain(tr("Some checkpoints were not removed"), qtSentence(removed.problems.front()));
            else
                message_->showMessage(InlineMessage::Kind::Note,
                                      tr("%Ln checkpoints removed", nullptr, static_cast<int>(removed.moved.size())));
            if (removed.moved.empty())
                return;
            connect(message_->addAction(tr("Undo")), &QPushButton::clicked, this, [this, moved = removed.moved] {
                job_->inOrder(
                    runs_root_.toStdString(),
                    [moved] {
                        for (const inspect::fs::path& one : moved)
                            run::restore_from_trash(one);
                    },
                    [this] {
                        message_->dismiss();
                        emit shelfChanged();
                    },
                    [this](const QString& sentence) { complain(tr("The checkpoint cannot be restored"), sentence); });
            });
        },
        [this](const QString& sentence) { complain(tr("The checkpoint cannot be removed"), sentence); });
}

void CheckpointActions::pin(const inspect::CheckpointEntry& item) {
    job_->inOrder(
        runs_root_.toStdString(), [path = item.folder, pinned = item.pinned] { inspect::set_pinned(path, !pinned); },
        [this] { emit shelfChanged(); },
        [this](const QString& sentence) { complain(tr("The checkpoint cannot be pinned"), sentence); });
}

}  // namespace trainyard::desktop
