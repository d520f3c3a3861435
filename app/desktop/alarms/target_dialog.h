// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One target of alarms: a command, a webhook or mail.

#include <QDialog>

#include "alarms/targets.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class TargetDialog : public QDialog {
    Q_OBJECT
  public:
    /// `taken`: names of the other targets.
    TargetDialog(const alarms::Target& target, const QStringList& taken, QWidget* parent);

    QLineEdit* name() const { return name_; }
    QLineEdit* command() const { return command_; }
    QLineEdit* address() const { return address_; }
    QLineEdit* secret() const { return secret_; }
    QLabel* problem() const { return problem_; }
    widgets::SegmentedControl* kind() const { return kind_; }
    QComboBox* format() const { return format_; }
    QPushButton* saveButton() const { return save_; }

  signals:
    /// `secret`: empty: the stored one stays.
    void saved(const trainyard::alarms::Target& target, const QString& secret);

  private:
    void showKind();
    void save();
    alarms::Target target() const;

    alarms::Target given_;
    QStringList taken_;
    QLineEdit* name_;
    widgets::SegmentedControl* kind_;
    QWidget *command_page_, *webhook_page_, *mail_page_;
    QLineEdit* command_;
    QComboBox* format_;
    QLineEdit* address_;
    QPlainTextEdit *headers_, *body_;
    widgets::FieldRow* body_row_;
    QLineEdit *server_, *user_, *from_, *to_;
    QComboBox* security_;
    QLineEdit* secret_;
    widgets::FieldRow* secret_row_;
    QSpinBox* per_hour_;
    QLabel* problem_;
    QPushButton* save_;
};

}  // namespace trainyard::desktop
