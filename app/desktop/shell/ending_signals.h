// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Signals that ask the program to end: SIGTERM of a logout or of `kill`, SIGINT of Ctrl+C, SIGHUP of a terminal that
// closes. They are reported in the event loop, so that the window saves what it shows. A second one ends the program at
// once. What was ignored at the start, as under nohup, stays ignored.

#include <array>

#include <QObject>

class QSocketNotifier;

namespace trainyard::desktop {

/// One in a program.
class EndingSignals : public QObject {
    Q_OBJECT
  public:
    explicit EndingSignals(QObject* parent = nullptr);
    ~EndingSignals() override;

  signals:
    void received();

  private:
    std::array<int, 2> pipe_{-1, -1};
    QSocketNotifier* notifier_ = nullptr;
};

}  // namespace trainyard::desktop
