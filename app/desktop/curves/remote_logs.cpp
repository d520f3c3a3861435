#include "desktop/curves/remote_logs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <QCryptographicHash>
#include <QDir>
#include <QStringList>

#include "base/clock.h"
#include "base/file.h"
#include "remote/log_mirror.h"
#include "remote/secret_bag.h"
#include "remote/session.h"

namespace trainyard::desktop {

namespace {
constexpr double kLongestPause = 60;   // s between two tries
constexpr double kShortestLook = 0.5;  // s between two looks at the host: a new step is seen within a second
constexpr double kLongestLook = 30;
constexpr int kKeepDays = 30;

constexpr double kUntilSomebodyComes = 1e8;

/// Asks a person once: what worked is the answer again.
class OnceAsker : public remote::Asker {
  public:
    explicit OnceAsker(remote::Asker* asker) : asker_(asker) {}
    std::optional<remote::SecretAnswer> ask(const remote::SecretQuestion& question) override {
        const remote::Secret* known = question.attempt == 1 ? bag_.find(question) : nullptr;
        if (known != nullptr)
            return remote::SecretAnswer{known->copy(), false};
        auto answer = asker_ == nullptr ? std::nullopt : asker_->ask(question);
        if (answer)
            bag_.keep(question, answer->secret);
        return answer;
    }
    void say(const std::string& host, const std::string& line) override {
        if (asker_ != nullptr)
            asker_->say(host, line);
    }

  private:
    remote::Asker* asker_;
    remote::SecretBag bag_;
};

/// Trying again by itself would not help, or would ask a person again and again.
bool waitsForSomebody(remote::Cause cause) {
    switch (cause) {
        case remote::Cause::bad_settings:
        case remote::Cause::host_key_unknown:
        case remote::Cause::host_key_changed:
        case remote::Cause::host_key_revoked:
        case remote::Cause::authentication:
        case remote::Cause::too_many_attempts:
            return true;
        default:
            return false;
    }
}

QString cacheRoot() {
    const QString base = qEnvironmentVariable("XDG_CACHE_HOME");
    return (base.isEmpty() ? QDir::homePath() + QStringLiteral("/.cache") : base) + QStringLiteral("/trainyard/remote");
}
}  // namespace

RemoteLogs::RemoteLogs(RemotePlace place, remote::Asker* asker, QObject* parent)
    : QObject(parent),
      place_(std::move(place)),
      root_(cacheRoot()),
      cancel_(std::make_shared<remote::Cancel>()),
      asker_(asker) {
    const QByteArray hash =
        QCryptographicHash::hash(place_.text().toUtf8(), QCryptographicHash::Sha256).toHex().left(20);
    folder_ = root_ + QLatin1Char('/') + QString::fromLatin1(hash);
    // The tree that reads it begins at once.
    QDir().mkpath(folder_);
}

RemoteLogs::~RemoteLogs() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    cancel_->set();
    woken_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void RemoteLogs::start() {
    if (!thread_.joinable())
        thread_ = std::thread([this] { loop(); });
}

void RemoteLogs::retry() {
    {
        const std::lock_guard lock(mutex_);
        now_ = true;
    }
    woken_.notify_all();
}

void RemoteLogs::trust() {
    {
        const std::lock_guard lock(mutex_);
        to_trust_ = new_key_;
    }
    retry();
}

void RemoteLogs::acceptOnce() {
    if (new_key_) {
        const std::lock_guard lock(mutex_);
        accepted_once_.push_back(new_key_->offered.fingerprint());
    }
    retry();
}

void RemoteLogs::tellSilent(const std::exception& error, double pause) {
    tell(
        State::Silent,
        tr("%1\nWhat was copied so far is shown. Asked again in %2 s.").arg(QString::fromUtf8(error.what())).arg(pause),
        0);
}

bool RemoteLogs::wait(double seconds) {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return stopping_ || now_; });
    now_ = false;
    return !stopping_;
}

void RemoteLogs::tell(State state, const QString& words, double share, std::optional<remote::HostKeyReport> key) {
    QMetaObject::invokeMethod(
        this,
        [this, state, words, share, key = std::move(key)] {
            if (state == state_ && words == words_ && share == share_)
                return;
            new_key_ = key;
            state_ = state;
            words_ = words;
            share_ = share;
            emit changed();
        },
        Qt::QueuedConnection);
}

void RemoteLogs::loop() {
    const std::filesystem::path local(folder_.toStdString());
    remote::prune_log_copies(root_.toStdString(), local, kKeepDays);
    remote::LogMirror mirror(place_.path.toStdString(), local);
    OnceAsker asker(asker_);
    double pause = 1;
    while (!stopping_) {
        try {
            tell(State::Connecting, {}, 0);
            remote::ConnectOptions options;
            options.cancel = cancel_;
            options.asker = &asker;
            std::optional<remote::HostKeyReport> trusted;
            {
                const std::lock_guard lock(mutex_);
                trusted = std::exchange(to_trust_, std::nullopt);
                options.accepted_once = accepted_once_;
            }
            if (trusted)
                remote::trust(*trusted);
            remote::Session session = remote::Session::connect(place_.host.toStdString(), options);
            remote::Sftp sftp = session.sftp();
            const auto go_on = [this] { return !stopping_.load(); };
            while (!stopping_) {
                const double began = monotonic_seconds();
                const remote::LogMirrorPass pass = mirror.pass(sftp, go_on);
                pause = 1;
                QStringList missing;
                for (const std::string& sentence : pass.missing)
                    missing << QString::fromStdString(sentence);
                if (!pass.complete() && pass.copied > 0) {
                    tell(State::Copying, {}, static_cast<double>(pass.here) / static_cast<double>(pass.there));
                    continue;
                }
                tell(missing.isEmpty() ? State::Following : State::Partial, missing.join(QLatin1Char('\n')), 1);
                // A folder that takes long to look at is looked at less often.
                const double took = monotonic_seconds() - began;
                if (!wait(std::clamp(5 * took, kShortestLook, kLongestLook)))
                    return;
            }
        } catch (const remote::ConnectionError& error) {
            if (stopping_)
                return;
            const bool blocked = waitsForSomebody(error.cause());
            const auto* refused = dynamic_cast<const remote::HostKeyRefused*>(&error);
            if (blocked)
                tell(State::Blocked, QString::fromUtf8(error.what()), 0,
                     error.cause() == remote::Cause::host_key_unknown && refused != nullptr
                         ? std::optional(refused->report())
                         : std::nullopt);
            else
                tellSilent(error, pause);
            if (!wait(blocked ? kUntilSomebodyComes : pause))
                return;
            pause = blocked ? 1 : std::min(pause * 2, kLongestPause);
        } catch (const std::exception& error) {
            if (stopping_)
                return;
            tellSilent(error, pause);
            if (!wait(pause))
                return;
            pause = std::min(pause * 2, kLongestPause);
        }
    }
}

QString RemoteLogs::stateWords() const {
    switch (state_) {
        case State::Connecting:
            return tr("connecting");
        case State::Copying:
            return tr("copying %1 %").arg(static_cast<int>(share_ * 100));
        case State::Following:
        case State::Partial:
            return tr("following");
        case State::Silent:
            return tr("silent");
        case State::Blocked:
            return tr("needs an answer from you");
    }
    return {};
}

}  // namespace trainyard::desktop
