// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub/hub_field.h"

#include <utility>

#include <QKeyEvent>
#include <QLineEdit>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

HubField::HubField(HubItem item, QWidget* parent)
    : QWidget(parent),
      item_(item),
      name_(named(new QLineEdit, item == HubItem::DataSet     ? tr("Name of a data set on the hub")
                                 : item == HubItem::Tokenizer ? tr("Name of a tokenizer on the hub")
                                                              : tr("Name of a model on the hub"))),
      look_up_(with_look(new QPushButton(tr("Look up")), {.elides = true})),
      close_(with_look(new QPushButton(tr("Close")), {.elides = true})),
      line_(new HubLine(item)) {
    name_->setPlaceholderText(item == HubItem::DataSet ? tr("Name on the hub, such as nyu-mll/glue/mrpc")
                                                       : tr("Name on the hub, such as openai-community/gpt2"));
    name_->setClearButtonEnabled(true);
    name_->setMinimumWidth(160_px);
    look_up_->hide();
    // Enter in the line of a dialog presses none of them.
    for (QPushButton* button : {look_up_, close_, line_->button(), line_->cancelButton()})
        button->setAutoDefault(false);
    setLayout(
        make_column(QMargins(), 8, {make_row(QMargins(), 10, {{name_, 1}, look_up_, line_->button(), close_}), line_}));
    offerHubNames(name_, item, [this](const QString&) { begin(); });
    connect(name_, &QLineEdit::returnPressed, this, &HubField::begin);
    connect(name_, &QLineEdit::textChanged, this, [this](const QString& text) {
        line_->setName(text);
        arrange();
    });
    connect(look_up_, &QPushButton::clicked, this, &HubField::begin);
    connect(close_, &QPushButton::clicked, this, &HubField::close);
    connect(line_, &HubLine::changed, this, &HubField::arrange);
    connect(line_, &HubLine::found, this, [this](const QString& name, const QString& folder) {
        rememberHubName(item_, name);
        emit found(name, folder);
    });
    arrange();
}

void HubField::setLookUp(const QString& verb, LookUp look_up) {
    look_up_->setText(verb);
    look_up_work_ = std::move(look_up);
    look_up_->show();
}

void HubField::ask(const QString& hint) {
    line_->say(hint);
    show();
    name_->selectAll();
    name_->setFocus(Qt::OtherFocusReason);
}

void HubField::lookUp(const QString& name) {
    name_->setText(name);
    show();
    begin();
}

void HubField::prepare(const QString& name) {
    name_->setText(name);
    line_->prepare(name);
}

void HubField::begin() {
    const QString name = name_->text().trimmed();
    if (name.isEmpty())
        return;
    if (!look_up_work_ && line_->isOffered())
        return line_->button()->click();
    // A name that cannot be one is refused there.
    if (!look_up_work_ || !isHubName(item_, name))
        return line_->prepare(name);
    line_->run(tr("Looking up %1…").arg(name),
               [work = look_up_work_, item = item_, name](const auto& operation, const auto& tell) {
                   HubLine::Done done = work(recipeName(item, name), operation, tell);
                   return [done = std::move(done), item, name] {
                       rememberHubName(item, name);
                       done();
                   };
               });
}

void HubField::close() {
    line_->clear();
    hide();
    emit left();
}

void HubField::arrange() {
    const bool was_asking = !name_->isEnabled();
    name_->setEnabled(!isAsking());
    if (was_asking && name_->isEnabled() && isVisible())
        name_->setFocus(Qt::OtherFocusReason);
    look_up_->setEnabled(!isAsking() && !name_->text().trimmed().isEmpty());
}

void HubField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return isAsking() ? line_->cancel() : close();
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
