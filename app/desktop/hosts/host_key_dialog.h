// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Asks the user about the key of a host that is unknown, or known by a key of another type only. The user compares it
// with the owner's information before anything else is sent to the host.

#include <QDialog>

#include "remote/host_key.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HostKeyDialog : public QDialog {
    Q_OBJECT
  public:
    enum class Choice { Cancel, Once, Trust };

    /// `host`: as the user calls it.
    HostKeyDialog(const QString& host, const remote::HostKeyReport& report, QWidget* parent = nullptr);
    Choice choice() const { return choice_; }
    /// The report that was shown and that the user decided about.
    const remote::HostKeyReport& report() const { return report_; }
    QString fingerprint() const { return fingerprint_; }

  private:
    Choice choice_ = Choice::Cancel;
    remote::HostKeyReport report_;
    QString fingerprint_;
    QPushButton* trust_;
    QPushButton* once_;
    QPushButton* cancel_;
};

}  // namespace trainyard::desktop
