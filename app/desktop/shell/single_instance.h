// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One window for each user and profile: a second start hands over what it should open and leaves. Over a socket in
// $XDG_RUNTIME_DIR (0600 in a folder of 0700), named after the folders of state and runs, so that other profiles are
// other windows. Without that variable every start has its own window.

#include <memory>

#include <QObject>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::desktop {

class SingleInstance : public QObject {
    Q_OBJECT
  public:
    static constexpr int kPatience = 700;            // ms for another start to answer
    static constexpr qint64 kLongestWords = 16'384;  // bytes that are taken from one

    explicit SingleInstance(QObject* parent = nullptr);
    ~SingleInstance() override;

    /// Hands `words` (empty: only come to the front), the requested theme (`dark`; empty: none) and the command to run
    /// (empty: none) to a window that exists, with the activation token of this start on Wayland. Returns false if no
    /// window answers.
    static bool handOver(const QString& words, const QString& theme = {}, const QString& command = {});
    /// From now on other starts come to this one. False when it cannot be: each start has its own window then.
    bool listen();
    /// Empty: no place for it.
    static QString socketFile();

  signals:
    void opened(const QString& words, const QString& theme, const QString& command);

  private:
    void take();
    std::unique_ptr<QLocalServer> server_;
};

}  // namespace trainyard::desktop
