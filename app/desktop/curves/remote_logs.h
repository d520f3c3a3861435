#pragma once
// Logs of another machine: keeps a copy of them below $XDG_CACHE_HOME/trainyard/remote in a thread of its own (remote/log_mirror.h), for
// a LogTree to read. A host that does not answer is asked again after 1, 2, 4 ... 60 s; one that waits for a person (a new host key, a
// password nobody gave) is not, until retry(), trust() or acceptOnce(). Secrets that worked once serve again when the connection was lost,
// in locked memory, for as long as this object lives. GUI thread.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <QObject>

#include "desktop/open_target.h"
#include "remote/host_key.h"

namespace trainyard::remote {
class Asker;
class Cancel;
}  // namespace trainyard::remote

namespace trainyard::desktop {

class RemoteLogs : public QObject {
    Q_OBJECT
  public:
    enum class State { Connecting, Copying, Following, Partial, Silent, Blocked };

    /// `asker`: for passwords and passphrases, from the thread; null: nobody is asked. Lives longer, and answers nothing any more when this
    /// one goes.
    explicit RemoteLogs(RemotePlace place, remote::Asker* asker = nullptr, QObject* parent = nullptr);
    ~RemoteLogs() override;  ///< hangs up; waits for the thread, which notices at once

    void start();
    /// Connects now instead of later.
    void retry();
    /// The key nobody has vouched for yet, while it is what everything waits for.
    const std::optional<remote::HostKeyReport>& newKey() const { return new_key_; }
    void trust();       ///< remembers that key
    void acceptOnce();  ///< takes it as long as this object lives
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
    void loop();
    void tell(State state, const QString& words, double share, std::optional<remote::HostKeyReport> key = {});
    void tellSilent(const std::exception& error, double pause);
    bool wait(double seconds);  ///< false: it is over

    RemotePlace place_;
    QString folder_;
    QString root_;
    State state_ = State::Connecting;
    QString words_;
    double share_ = 0;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable woken_;
    std::atomic<bool> stopping_{false};
    bool now_ = false;
    std::optional<remote::HostKeyReport> to_trust_;  ///< written by the thread
    std::vector<std::string> accepted_once_;
    std::shared_ptr<remote::Cancel> cancel_;
    remote::Asker* asker_;
    std::optional<remote::HostKeyReport> new_key_;
};

}  // namespace trainyard::desktop
