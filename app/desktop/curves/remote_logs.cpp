// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/remote_logs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <utility>

#include <QCryptographicHash>
#include <QDir>
#include <QStringList>

#include "base/clock.h"
#include "base/files/user_folders.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/text/qt_text.h"
#include "remote/log_mirror.h"
#include "remote/secret_bag.h"
#include "remote/session.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {
constexpr double kLongestPause = 60;   // s between two tries
constexpr double kShortestLook = 0.5;  // s between two looks at the host: a new step is seen within a second
constexpr double kLongestLook = 30;
constexpr int kKeepDays = 30;

constexpr double kUntilSomebodyComes = 1e8;

/// Asks the user once; an answer that worked is reused.
class OnceAsker : public remote::Asker {
  public:
    explicit OnceAsker(std::shared_ptr<remote::Asker> asker) : asker_(std::move(asker)) {}
    std::optional<remote::SecretAnswer> ask(const remote::SecretQuestion& question) override {
        const remote::Secret* known = question.attempt == 1 ? bag_.find(question) : nullptr;
        if (known != nullptr)
            return remote::SecretAnswer{known->copy(), false};
        auto answer = asker_ == nullptr ? std::nullopt : asker_->ask(question);
        if (answer)
            bag_.keep(question, answer->secret);
        return answer;
    }
    void say(const std::string& host, const Message& line) override {
        if (asker_ != nullptr)
            asker_->say(host, line);
    }

  private:
    std::shared_ptr<remote::Asker> asker_;
    remote::SecretBag bag_;
};

/// Whether the connection waits for the user: an automatic retry would not help, or would ask the user again and again.
bool waitsForSomebody(remote::Cause cause) {
    using remote::Cause;
    static constexpr Cause kTheirs[] = {Cause::bad_settings,     Cause::host_key_unknown, Cause::host_key_changed,
                                        Cause::host_key_revoked, Cause::authentication,   Cause::too_many_attempts};
    return std::ranges::find(kTheirs, cause) != std::end(kTheirs);
}
}  // namespace

/// Requests from the window to the thread.
struct RemoteLogs::Requested {
    std::mutex mutex;
    std::condition_variable_any woken;
    bool now = false;
    std::optional<remote::HostKeyReport> to_trust;
    remote::AcceptedKeys accepted_once;

    template <class Change>
    void change(const Change& wish) {
        {
            const std::lock_guard lock(mutex);
            wish();
            now = true;
        }
        woken.notify_all();
    }
};

/// Runs on the thread. Uses the RemoteLogs only to report to it.
class RemoteLogs::Follower {
  public:
    Follower(RemoteLogs* logs, const widgets::Operation& operation, std::shared_ptr<remote::Asker> asker,
             std::shared_ptr<Requested> requested)
        : logs_(logs), operation_(operation), asker_(std::move(asker)), requested_(std::move(requested)) {}

    void follow(const RemotePlace& place, const std::filesystem::path& root, const std::filesystem::path& local);

  private:
    void tell(State state, const QString& words, double share, std::optional<remote::HostKeyReport> key = {}) {
        operation_.tell(
            [logs = logs_, state, words, share, key = std::move(key)] { logs->take(state, words, share, key); });
    }

    /// Waits until `seconds` have passed or a request arrives. Returns false if the operation was cancelled.
    bool wait(double seconds) {
        std::unique_lock lock(requested_->mutex);
        requested_->woken.wait_for(lock, operation_.token(), std::chrono::duration<double>(seconds),
                                   [this] { return requested_->now; });
        requested_->now = false;
        return !operation_;
    }

    RemoteLogs* logs_;
    const widgets::Operation& operation_;
    std::shared_ptr<remote::Asker> asker_;
    std::shared_ptr<Requested> requested_;
};

RemoteLogs::RemoteLogs(RemotePlace place, std::shared_ptr<remote::Asker> asker, QObject* parent)
    : QObject(parent),
      place_(std::move(place)),
      root_(qt((files::cache_folder() / "remote").string())),
      requested_(std::make_shared<Requested>()),
      asker_(std::move(asker)) {
    const QByteArray hash =
        QCryptographicHash::hash(place_.text().toUtf8(), QCryptographicHash::Sha256).toHex().left(20);
    folder_ = root_ + QLatin1Char('/') + QString::fromLatin1(hash);
    // Create the folder now, because its reader starts immediately.
    QDir().mkpath(folder_);
}

void RemoteLogs::start() {
    if (job_.isRunning())
        return;
    job_.submit(
        [this, place = place_, root = root_.toStdString(), local = folder_.toStdString(), asker = asker_,
         requested = requested_](const widgets::Operation& operation) {
            Follower(this, operation, asker, requested).follow(place, root, local);
        },
        [] {});
}

void RemoteLogs::retry() {
    requested_->change([] {});
}

void RemoteLogs::trust(const remote::HostKeyReport& shown) {
    requested_->change([&] { requested_->to_trust = shown; });
}

void RemoteLogs::acceptOnce(const remote::HostKeyReport& shown) {
    requested_->change([&] { requested_->accepted_once.push_back(remote::accepted_for_now(shown)); });
}

void RemoteLogs::take(State state, const QString& words, double share,
                      const std::optional<remote::HostKeyReport>& key) {
    if (state == state_ && words == words_ && share == share_)
        return;
    new_key_ = key;
    state_ = state;
    words_ = words;
    share_ = share;
    emit changed();
}

void RemoteLogs::Follower::follow(const RemotePlace& place, const std::filesystem::path& root,
                                  const std::filesystem::path& local) {
    const HangUp hang_up(operation_);
    remote::prune_log_copies(root, local, kKeepDays);
    remote::LogMirror mirror(place.path.toStdString(), local);
    OnceAsker asker(asker_);
    double pause = 1;
    while (!operation_) {
        try {
            tell(State::Connecting, {}, 0);
            remote::ConnectOptions options;
            options.cancel = hang_up.cancel();
            options.asker = &asker;
            std::optional<remote::HostKeyReport> trusted;
            {
                const std::lock_guard lock(requested_->mutex);
                trusted = std::exchange(requested_->to_trust, std::nullopt);
                options.accepted_once = requested_->accepted_once;
            }
            if (trusted)
                remote::trust(*trusted);
            remote::Session session = remote::Session::connect(place.host.toStdString(), options);
            remote::Sftp sftp = session.sftp();
            const auto go_on = [this] { return !operation_; };
            while (!operation_) {
                const double began = monotonic_seconds();
                const remote::LogMirrorPass pass = mirror.pass(sftp, go_on);
                pause = 1;
                QStringList missing;
                for (const Message& sentence : pass.missing)
                    missing << qtClause(sentence);
                if (!pass.complete() && pass.copied > 0) {
                    tell(State::Copying, {}, static_cast<double>(pass.here) / static_cast<double>(pass.there));
                    continue;
                }
                tell(missing.isEmpty() ? State::Following : State::Partial, missing.join(QLatin1Char('\n')), 1);
                // A folder that takes long to scan is scanned less often.
                const double took = monotonic_seconds() - began;
                if (!wait(std::clamp(5 * took, kShortestLook, kLongestLook)))
                    return;
            }
        } catch (const std::exception& error) {
            if (operation_)
                return;
            const auto* connection = dynamic_cast<const remote::ConnectionError*>(&error);
            const bool blocked = connection != nullptr && waitsForSomebody(connection->cause());
            const auto* refused = dynamic_cast<const remote::HostKeyRefused*>(&error);
            if (blocked)
                tell(State::Blocked, qtSentence(message_of(error)), 0,
                     connection->cause() == remote::Cause::host_key_unknown && refused != nullptr
                         ? std::optional(refused->report())
                         : std::nullopt);
            else
                tell(State::Silent,
                     RemoteLogs::tr("%1\nThe files copied so far are shown. Next attempt in %2 s.")
                         .arg(qtClause(message_of(error)))
                         .arg(pause),
                     0);
            if (!wait(blocked ? kUntilSomebodyComes : pause))
                return;
            pause = blocked ? 1 : std::min(pause * 2, kLongestPause);
        }
    }
}

QString RemoteLogs::stateWords() const {
    const QString following = tr("following");
    const QString words[] = {tr("connecting"), tr("copying %1 %").arg(widgets::decimal_text(std::floor(share_ * 100))),
                             following,        following,
                             tr("silent"),     tr("needs an answer from you")};
    return words[static_cast<std::size_t>(state_)];
}

}  // namespace trainyard::desktop
