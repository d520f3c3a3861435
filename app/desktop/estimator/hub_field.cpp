// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/hub_field.h"

#include <QKeyEvent>
#include <QLineEdit>

#include "desktop/hub_fetch.h"
#include "desktop/ui.h"
#include "widgets/elided_button.h"

namespace trainyard::desktop {

HubField::HubField(QWidget* parent)
    : QWidget(parent),
      name_(named(new QLineEdit, tr("Name of a model on the hub"))),
      look_up_(new widgets::ElidedButton(tr("Look up"))),
      cancel_(new widgets::ElidedButton(tr("Cancel"))),
      download_(new widgets::ElidedButton(tr("Download"))),
      state_(selectable(wrapped(make_note({})))),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    name_->setPlaceholderText(tr("Name on the hub, such as openai-community/gpt2"));
    name_->setClearButtonEnabled(true);
    name_->setMinimumWidth(160);
    name_->setMaximumWidth(320);
    setLayout(make_row(QMargins(), 10, {{name_, 3}, look_up_, download_, cancel_, {state_, 2}}));
    connect(name_, &QLineEdit::returnPressed, this, [this] { begin(false); });
    connect(name_, &QLineEdit::textChanged, this, &HubField::arrange);
    connect(look_up_, &QPushButton::clicked, this, [this] { begin(false); });
    connect(download_, &QPushButton::clicked, this, [this] { begin(true); });
    connect(cancel_, &QPushButton::clicked, this, &HubField::cancel);
    arrange();
    hide();
}

void HubField::ask() {
    show(tr("Look up reads config.json or the headers of the weights, Download fetches all files into the cache."),
         false);
    QWidget::show();
    name_->selectAll();
    name_->setFocus(Qt::OtherFocusReason);
}

void HubField::lookUp(const QString& name) {
    name_->setText(name);
    QWidget::show();
    begin(false);
}

void HubField::begin(bool download) {
    const QString name = name_->text().trimmed();
    if (name.isEmpty())
        return;
    if (!isOnHub(name)) {
        show(tr("%1 is not a valid model name: a name on a hub has one or two parts, such as org/name").arg(name),
             true);
        return;
    }
    show(tr("Looking up %1…").arg(name), false);
    job_.submit(
        [this, name, download](const widgets::Operation& operation) {
            const auto tell = [&](const QString& words) { operation.tell([this, words] { show(words, false); }); };
            if (download)
                return readModel(downloadByName(HubItem::Model, name, operation.token(), tell));
            return readModel(name, operation.token(), [&](const QString& file, const QString& hub) {
                tell(tr("Asking %1 for %2…").arg(hub, file));
            });
        },
        [this, name](const ReadModel& model) {
            arrange();
            hide();
            emit found(name, model);
        },
        [this](const QString& sentence) { show(sentence, true); });
    arrange();
}

void HubField::cancel() {
    if (!isAsking()) {
        hide();
        emit left();
        return;
    }
    job_.cancel();
    show(tr("Cancelled"), false);
}

void HubField::show(const QString& words, bool problem) {
    state_->setText(words);
    set_tone(state_, problem ? Tone::Error : Tone::Secondary);
    arrange();
}

void HubField::arrange() {
    name_->setEnabled(!isAsking());
    for (QPushButton* button : {look_up_, download_})
        button->setEnabled(!isAsking() && !name_->text().trimmed().isEmpty());
    cancel_->setText(isAsking() ? tr("Cancel") : tr("Close"));
}

void HubField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return cancel();
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
