// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/hub_download.h"

#include <QHash>
#include <QPushButton>

#include "desktop/hub/hub_line.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {

namespace {

const QHash<QString, HubItem>& items_of_keys() {
    static const QHash<QString, HubItem> items{{QStringLiteral("model.weights"), HubItem::Model},
                                               {QStringLiteral("lora.adapter"), HubItem::Model},
                                               {QStringLiteral("data.tokenizer"), HubItem::Tokenizer},
                                               {QStringLiteral("data.path"), HubItem::DataSet}};
    return items;
}

}  // namespace

bool HubDownload::isFor(const QString& key) {
    return items_of_keys().contains(key);
}

HubItem HubDownload::itemOf(const QString& key) {
    return items_of_keys().value(key);
}

HubDownload::HubDownload(RunDraft* draft, const QString& key, const QString& label, QWidget* parent)
    : QWidget(parent), draft_(draft), key_(key), line_(new HubLine(itemOf(key), label)) {
    setLayout(make_row(QMargins(), 0, {{line_, 1}}));
    line_->button()->hide();
    connect(line_, &HubLine::changed, this, &HubDownload::arrange);
    connect(line_, &HubLine::found, this, [this](const QString& name) {
        rememberHubName(itemOf(key_), name);
        draft_->checkNow();
    });
}

QPushButton* HubDownload::button() const {
    return line_->button();
}

bool HubDownload::isRunning() const {
    return line_->isRunning();
}

bool HubDownload::isShown() const {
    return line_->isRunning() || line_->isOffered() || line_->hasFailed();
}

bool HubDownload::hasFailed() const {
    return line_->hasFailed();
}

QString HubDownload::words() const {
    return line_->words();
}

void HubDownload::refresh() {
    if (!isRunning())
        line_->setName(draft_->report().notHere.value(key_));
    arrange();
}

void HubDownload::arrange() {
    line_->button()->setVisible(!draft_->report().notHere.value(key_).isEmpty() && !isRunning());
    emit needed(!words().isEmpty());
}

}  // namespace trainyard::desktop
