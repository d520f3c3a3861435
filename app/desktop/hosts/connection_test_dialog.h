// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who reaches whom: a table of hosts by hosts, asked when it is opened. A run on several hosts needs every pair.

#include <QDialog>

#include "desktop/hosts/host_list.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ConnectionTable;

class ConnectionTestDialog : public QDialog {
    Q_OBJECT
  public:
    /// `names`: of hosts() whose pairs are tried.
    ConnectionTestDialog(HostList* hosts, const QStringList& names, QWidget* parent = nullptr);

  private:
    void ask();
    void show(const std::vector<launch::ConnectionTest>& reaches);
    void fail(const QString& words);
    QStringList titles() const;

    HostList* hosts_;
    widgets::Job job_{nullptr, widgets::Executor::Kind::Waits};
    const QStringList names_;
    QLabel* summary_;
    ConnectionTable* tests_;
    QTableView* table_;
    QLabel* problems_;
    QPushButton* again_;
    QPushButton* copy_;
};

}  // namespace trainyard::desktop
