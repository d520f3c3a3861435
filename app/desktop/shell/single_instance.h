// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One window for each user, profile and display: a second start hands over what it should open and leaves. Over a
// socket (0600) in the runtime folder of the user (0700), whose name depends on the folders of state and runs and on
// the display, so that other profiles, and a start over SSH with another screen, are other windows.

#include <memory>

#include <QObject>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::desktop {

class SingleInstance : public QObject {
    Q_OBJECT
  public:
    static constexpr int kPatience = 5'000;          // ms for a window to answer, which may be busy
    static constexpr qint64 kLongestWords = 16'384;  // bytes that are taken from one

    enum class Role {
        First,       ///< other starts come to this one from now on
        Second,      ///< a window has taken the words
        Unanswered,  ///< a window exists and does not answer, or there is no place for a socket
    };
    /// The request of a second start to the window.
    struct Words {
        QString open;     ///< path or address; empty: only come to the front
        QString theme;    ///< `dark`; empty: as it is
        QString command;  ///< to run; empty: none
    };

    explicit SingleInstance(QObject* parent = nullptr);
    ~SingleInstance() override;

    /// Hands `words` to the window that exists, with the activation token of this start on Wayland, or becomes the one
    /// that other starts come to. Of several starts at once, one becomes it. The socket of a process that does not
    /// answer stays: that process takes later starts again.
    Role begin(const Words& words);
    /// Tells the user of Role::Unanswered.
    static QString unansweredText();
    /// Empty: no place for it.
    static QString socketFile();

  signals:
    void opened(const trainyard::desktop::SingleInstance::Words& words);

  private:
    bool listen(const QString& file);
    void take();
    std::unique_ptr<QLocalServer> server_;
};

}  // namespace trainyard::desktop
