// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A question before this machine executes what another user or host wrote, or contacts a host for it. Shows all of it;
// Cancel is the default.

#include <functional>

#include <QDialog>

#include "widgets/forward.h"

namespace trainyard::desktop {

struct Consent {
    QString title;
    QString sentence;  ///< what is asked, or why it is refused
    QString words;
    QString execution;  ///< in full, a line for each part; empty: none is shown
    QString verb;       ///< of the button that accepts
};

class ConsentDialog : public QDialog {
    Q_OBJECT
  public:
    explicit ConsentDialog(const Consent& consent, QWidget* parent);
    QPushButton* verb() const { return verb_; }

  private:
    QPushButton* verb_;
    QPlainTextEdit* execution_;
};

/// Opens the question. `then` is called when it is accepted, as long as `parent` lives.
ConsentDialog* ask_for_consent(QWidget* parent, const Consent& consent, std::function<void()> then);

}  // namespace trainyard::desktop
