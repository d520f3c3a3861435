// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys that can open hosts: those of the agent and the key files, which host each opened, and how to have an agent.

#include <QDialog>

#include "desktop/hosts/host_list.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class KeysDialog : public QDialog {
    Q_OBJECT
  public:
    explicit KeysDialog(HostList* hosts, QWidget* parent = nullptr);

  private:
    void showKeys(const KeyListing& keys);
    void load();
    HostList* hosts_;
    widgets::Job job_{nullptr, widgets::Executor::Kind::Waits};
    QLabel* agent_;
    QLabel* ring_;
    QTreeWidget* list_;
    QLabel* help_;
};

}  // namespace trainyard::desktop
