// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Explains why a host cannot be used, or only in part: what is wrong, the command to try, and the solutions. A host key
// that differs from the accepted one is shown next to it in red; the user cannot continue regardless.

#include <QFrame>

#include "desktop/hosts/host_words.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HostProblemPanel : public QFrame {
    Q_OBJECT
  public:
    explicit HostProblemPanel(QWidget* parent = nullptr);
    /// Hidden when nothing is wrong.
    void setRow(const HostRow& row);
    QString title() const { return accessibleName(); }
    /// Returns the text that "Copy" puts on the clipboard: all details that the host's administrator needs.
    QString report() const;

  signals:
    void keyRequested();       ///< show the question about a new key
    void settingsRequested();  ///< edit the host
    void transcriptRequested();
    void probeRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showKeys(const remote::HostKeyReport& report);
    bool error_ = true;
    HostState state_ = HostState::Unknown;
    QString known_hosts_file_;
    widgets::IconLabel* picture_;
    QLabel* title_;
    QLabel* text_;
    QFrame* keys_;
    QGridLayout* key_lines_;
    QLabel* after_;
    QFrame* command_;
    QLabel* command_text_;
    QLabel* more_;
    QPushButton* copy_;
    QPushButton* known_hosts_;
    QPushButton* transcript_;
    QPushButton* primary_;
};

}  // namespace trainyard::desktop
