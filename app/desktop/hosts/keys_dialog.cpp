// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/keys_dialog.h"

#include <QHeaderView>
#include <QTreeWidget>

#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

KeysDialog::KeysDialog(HostList* hosts, QWidget* parent)
    : QDialog(parent),
      hosts_(hosts),
      agent_(make_note({})),
      ring_(make_note({})),
      list_(named(new QTreeWidget, tr("Keys"))),
      help_(make_mono_label({}, 12)) {
    setWindowTitle(tr("SSH keys and agent"));
    resize(720_px, 420_px);
    auto* layout = make_column(8, {make_title(windowTitle(), 16)});
    setLayout(layout);
    for (QLabel* label : {agent_, ring_}) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    list_->setHeaderLabels({tr("Key"), tr("Fingerprint"), tr("From"), tr("Opened")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->header()->setFont(Theme::instance().text(12, QFont::Medium));
    list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(true);
    layout->addWidget(list_, 1);
    help_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(help_);
    auto* again = new QPushButton(tr("Refresh"));
    again->setAutoDefault(false);
    auto* close = with_look(new QPushButton(tr("Close")), {.kind = "primary"});
    close->setDefault(true);
    layout->addLayout(make_row({again, stretch(), close}));
    connect(again, &QPushButton::clicked, this, &KeysDialog::load);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    load();
}

void KeysDialog::load() {
    agent_->setText(tr("Asking the agent…"));
    job_.submit([source = hosts_->source()] { return source->keys(); },
                [this](const KeyListing& keys) { showKeys(keys); },
                [this](const QString& words) { agent_->setText(words); });
}

void KeysDialog::showKeys(const KeyListing& keys) {
    const bool agent = !keys.agent.empty() && keys.problem.empty();
    agent_->setText(agent ? tr("The agent answers at %1.").arg(qt(keys.agent))
                          : tr("No agent: %1. Key files work without one; an agent asks for each passphrase once.")
                                .arg(qtClause(keys.problem)));
    ring_->setText(keys.key_ring.empty()
                       ? tr("Passwords and passphrases are saved in the system's key ring only if you select it.")
                       : tr("Passwords cannot be saved: %1.").arg(qtClause(keys.key_ring)));
    list_->clear();
    for (const UsableKey& key : keys.keys) {
        QStringList opened;
        for (const std::string& host : key.opened)
            opened << qt(host);
        auto* item = new QTreeWidgetItem({qt(key.type), qt(key.fingerprint),
                                          (key.in_agent ? tr("agent: %1") : QStringLiteral("%1")).arg(qt(key.comment)),
                                          opened.isEmpty() ? QStringLiteral("–") : widgets::list_text(opened)});
        for (int column : {1, 2})
            item->setFont(column, Theme::instance().mono(11));
        for (int column = 0; column < 4; ++column)
            item->setToolTip(column, item->text(column));
        list_->addTopLevelItem(item);
    }
    help_->setText(agent && !keys.keys.empty() ? QString()
                   : agent                     ? QStringLiteral("ssh-add ~/.ssh/id_ed25519")
                                               : QStringLiteral("eval \"$(ssh-agent)\"; ssh-add; trainyard-desktop"));
    help_->setVisible(!help_->text().isEmpty());
    if (keys.keys.empty())
        help_->setText(QStringLiteral("ssh-keygen -t ed25519; ssh-copy-id HOST"));
    help_->setVisible(!help_->text().isEmpty());
}

}  // namespace trainyard::desktop
