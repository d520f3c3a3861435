#pragma once
// The key of a host that is not known, or known by a key of another type only: to be compared with what its owner says, before anything
// else is sent to it.

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
    /// What was shown, and therefore what was decided about.
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
