// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/hub_download.h"

#include <QHash>
#include <QLabel>
#include <QPushButton>

#include "desktop/ui.h"
#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {

namespace {

const QHash<QString, HubItem>& hub_items() {
    static const QHash<QString, HubItem> items{{QStringLiteral("model.weights"), HubItem::Model},
                                               {QStringLiteral("lora.adapter"), HubItem::Model},
                                               {QStringLiteral("data.tokenizer"), HubItem::Tokenizer},
                                               {QStringLiteral("data.path"), HubItem::DataSet}};
    return items;
}

}  // namespace

bool HubDownload::isFor(const QString& key) {
    return hub_items().contains(key);
}

HubDownload::HubDownload(RunDraft* draft, const QString& key, const QString& label, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      key_(key),
      start_(named(new QPushButton(tr("Download")), tr("Download: %1").arg(label))),
      cancel_(named(new QPushButton(tr("Cancel")), tr("Cancel the download: %1").arg(label))),
      state_(selectable(wrapped(make_note({})))),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    setLayout(make_row(QMargins(), 10, {{state_, 1}, {cancel_, 0, Qt::AlignTop}}));
    start_->hide();
    connect(start_, &QPushButton::clicked, this, &HubDownload::begin);
    connect(cancel_, &QPushButton::clicked, this, &HubDownload::cancel);
}

QString HubDownload::words() const {
    return state_->text();
}

void HubDownload::refresh() {
    const QString name = draft_->report().notHere.value(key_);
    start_->setVisible(!name.isEmpty() && !isRunning());
    if (!isRunning() && name != name_) {
        name_.clear();
        failed_ = false;
        emit needed(false);
    }
}

void HubDownload::begin() {
    name_ = draft_->report().notHere.value(key_);
    if (name_.isEmpty())
        return;
    job_.submit(
        [item = hub_items().value(key_), name = name_, this](const widgets::Operation& operation) {
            downloadByName(item, name, operation.token(),
                           [&](const QString& words) { operation.tell([this, words] { say(words, false); }); });
        },
        [this] {
            name_.clear();
            emit needed(false);
            draft_->checkNow();
        },
        [this](const QString& sentence) { say(sentence, true); });
    say(tr("Asking the hub for %1…").arg(name_), false);
}

void HubDownload::cancel() {
    job_.cancel();
    say(tr("The download was cancelled. The next one continues it."), false);
}

void HubDownload::say(const QString& words, bool problem) {
    failed_ = problem;
    state_->setText(words);
    set_tone(state_, problem ? Tone::Error : Tone::Secondary);
    cancel_->setVisible(isRunning());
    start_->setVisible(!isRunning());
    emit needed(true);
}

}  // namespace trainyard::desktop
