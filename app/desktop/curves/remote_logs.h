// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Logs of another machine: keeps a copy of them below the cache folder (base/files/user_folders.h) on another thread
// (remote/log_mirror.h), for a LogTree to read. A host that does not answer is asked again after 1, 2, 4 ... 60 s; one
// that waits for a person (a new host key, a password nobody gave) is not, until retry(), trust() or acceptOnce().
// Secrets that worked once serve again when the connection was lost, in locked memory, for as long as this object
// lives. GUI thread.

#include <memory>
#include <optional>

#include <QObject>

#include "desktop/shell/open_target.h"
#include "remote/host_key.h"
#include "widgets/job.h"

namespace trainyard::remote {
class Asker;
}  // namespace trainyard::remote

namespace trainyard::desktop {

class RemoteLogs : public QObject {
    Q_OBJECT
  public:
    enum class State { Connecting, Copying, Following, Partial, Silent, Blocked };

    /// `asker`: for passwords and passphrases, from the thread; null: nobody is asked. Answers nothing any more when
    /// this one goes, which hangs up and waits for nobody.
    explicit RemoteLogs(RemotePlace place, std::shared_ptr<remote::Asker> asker = nullptr, QObject* parent = nullptr);

    void start();
    /// Connects now instead of later.
    void retry();
    /// The key nobody has vouched for yet, while it is what everything waits for.
    const std::optional<remote::HostKeyReport>& newKey() const { return new_key_; }
    void trust(const remote::HostKeyReport& shown);       ///< remembers that key
    void acceptOnce(const remote::HostKeyReport& shown);  ///< takes it as long as this object lives
    const QString& host() const { return place_.host; }
    /// The local copy; stays the same for the same place.
    const QString& folder() const { return folder_; }
    State state() const { return state_; }
    /// One or several sentences: why it is silent, what is not copied.
    const QString& words() const { return words_; }
    QString stateWords() const;

  signals:
    void changed();

  private:
    class Follower;
    struct Requested;
    void take(State state, const QString& words, double share, const std::optional<remote::HostKeyReport>& key);

    RemotePlace place_;
    QString folder_;
    QString root_;
    State state_ = State::Connecting;
    QString words_;
    double share_ = 0;
    std::shared_ptr<Requested> requested_;
    std::shared_ptr<remote::Asker> asker_;
    std::optional<remote::HostKeyReport> new_key_;
    widgets::Job job_{nullptr, widgets::Executor::Kind::Waits};
};

}  // namespace trainyard::desktop
