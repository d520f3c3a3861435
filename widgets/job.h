// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs work in another thread (widgets/executor.h) and delivers the result in the thread of the Job, and only while the
// Job exists. A widget owns its Job, so results never reach a deleted widget. The destructor does not wait for the
// work, so the work must own what it uses and must not access its creator.

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>

#include <QObject>
#include <QString>

#include "widgets/executor.h"
#include "widgets/mailbox.h"

namespace trainyard::widgets {

/// Checked by the work from time to time: true if its result is no longer needed.
class Cancelled {
  public:
    explicit operator bool() const { return stop_.stop_requested(); }
    /// For std::stop_callback, to interrupt work that cannot poll this object.
    std::stop_token token() const { return stop_.get_token(); }

  protected:
    std::stop_source stop_;
};

/// One piece of work submitted to a Job, as seen by the work and by its submitter.
class Operation : public Cancelled {
  public:
    /// Called by the work: runs `words` in the thread of the Job, before the result is delivered. Dropped if the work
    /// has been cancelled.
    void tell(std::function<void()> words) const;

  private:
    friend class Job;
    quint64 number_ = 0;
    Mailbox::Address address_;
};

class Job : public QObject {
  public:
    using Failed = std::function<void(const QString& sentence)>;
    explicit Job(QObject* parent = nullptr, Executor::Kind kind = Executor::Kind::Computes);
    ~Job() override;  ///< cancels all work

    /// Cancels all earlier work and runs `work`.
    ///
    /// `work(const Operation&) -> T`, or `work() -> T` if it does not check for cancellation, runs on another thread,
    /// then `done(T)` runs in this one. An exception of the work is reported to `failed(sentence)`. Work that is
    /// cancelled before it starts does not run. T may be void.
    template <class Work, class Done>
    Operation submit(Work work, Done done, Failed failed = {}) {
        cancel();
        return inOrder({}, std::move(work), std::move(done), std::move(failed));
    }
    /// Starts work without cancelling what is running.
    template <class Work, class Done>
    Operation beside(Work work, Done done, Failed failed = {}) {
        return inOrder({}, std::move(work), std::move(done), std::move(failed));
    }
    /// Runs `work` after all work with the same key, of any Job, has finished. The key is, for example, the path that
    /// is written.
    template <class Work, class Done>
    // NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved, which the check does not see in a template.
    Operation inOrder(const std::string& key, Work work, Done done, Failed failed = {}) {
        auto run = [work = std::move(work)](const Operation& operation) mutable {
            if constexpr (std::is_invocable_v<Work&, const Operation&>)
                return work(operation);
            else
                return work();
        };
        using Result = std::invoke_result_t<decltype(run)&, const Operation&>;
        return begin(
            key,
            [run = std::move(run)](const Operation& operation) mutable -> std::shared_ptr<const void> {
                if constexpr (std::is_void_v<Result>) {
                    run(operation);
                    return {};
                } else {
                    return std::make_shared<const Result>(run(operation));
                }
            },
            [done = std::move(done)](const void* result) mutable {
                if constexpr (std::is_void_v<Result>)
                    done();
                else
                    done(*static_cast<const Result*>(result));
            },
            std::move(failed));
    }

    /// Discards pending results and errors, and requests the work to stop.
    void cancel();
    void cancel(const Operation& operation);
    /// A unique key of this Job, for inOrder().
    const std::string& key() const { return key_; }
    bool isRunning() const { return !pending_.empty(); }
    bool isRunning(const Operation& operation) const { return pending_.contains(operation.number_); }
    /// Waits at most `limit` until all submitted work has ended, cancelled or not. Results are delivered later, as
    /// usual. Returns whether all has ended.
    bool wait(std::chrono::milliseconds limit = Executor::kLeave);

  private:
    using AnyWork = std::function<std::shared_ptr<const void>(const Operation&)>;
    using AnyDone = std::function<void(const void* result)>;
    struct Pending {
        Operation operation;
        AnyDone done;
        Failed failed;
    };
    struct UnderWay;

    Operation begin(const std::string& key, AnyWork work, AnyDone done, Failed failed);
    void end(quint64 number, const std::function<void(const Pending&)>& answer);

    const Executor::Kind kind_;
    const std::string key_;
    quint64 numbers_ = 0;
    std::map<quint64, Pending> pending_;  ///< destroyed in this thread, with everything that the callbacks own
    std::shared_ptr<UnderWay> under_way_;
    Mailbox mailbox_;
};

}  // namespace trainyard::widgets
