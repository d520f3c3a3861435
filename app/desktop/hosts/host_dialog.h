// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adds a host or edits its settings. ~/.ssh/config is only read: connection settings of a host in that file are not
// asked for here. Mistakes are reported below their field, 300 ms after the last key.

#include <QDialog>
#include <QHash>
#include <QMap>
#include <QTimer>

#include "desktop/hosts/host_source.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HostDialog : public QDialog {
    Q_OBJECT
  public:
    /// `known` without a name: a new host. `taken`: names that are in use.
    HostDialog(HostSource* source, const remote::KnownHost& known, const QStringList& taken, QWidget* parent = nullptr);
    remote::StoredHost host() const;
    widgets::FieldRow* row(const QString& key) const { return rows_.value(key); }
    QLineEdit* field(const QString& key) const;
    QPushButton* saveButton() const { return save_; }
    /// Returns nullopt if a field is invalid; that field then has the focus.
    bool check();

  private:
    using Text = std::string remote::StoredHost::*;
    QLineEdit* addField(QVBoxLayout* to, const QString& key, const QString& label, const QString& value,
                        const QString& hint, bool mono = true, int width = 0);
    /// Adds a field for a text member of the host.
    QLineEdit* addText(QVBoxLayout* to, const QString& key, const QString& label, Text text, const QString& hint,
                       bool mono = true);
    void save();
    void showLines();

    HostSource* source_;
    remote::StoredHost before_;
    bool is_new_;
    bool in_config_;
    QStringList taken_;
    QMap<QString, widgets::FieldRow*> rows_;
    QHash<QLineEdit*, Text> texts_;
    QPlainTextEdit* environment_;
    QCheckBox* use_;
    QLabel* lines_;
    QPushButton* copy_lines_;
    QPushButton* save_ = nullptr;
    QTimer typing_;
    bool touched_ = false;
};

}  // namespace trainyard::desktop
