#pragma once
// Work for another thread (widgets/executor.h) with an answer for this one. The answer is delivered in the thread of the Job, and only while
// the Job lives; a widget owns its Job, so no answer ever reaches a dead widget. Nobody waits for the work, the destructor neither: it holds
// what it uses, and nothing of the one who asked.

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

/// Asked by the work now and then: nobody waits for the answer any more.
class Cancelled {
  public:
    explicit operator bool() const { return stop_.stop_requested(); }
    /// For std::stop_callback: what has to be told, as it would not ask.
    std::stop_token token() const { return stop_.get_token(); }

  protected:
    std::stop_source stop_;
};

/// One work that was given to a Job, as the work and the one who gave it see it.
class Operation : public Cancelled {
  public:
    /// From the work: `words` in the thread of the Job, before the answer. Dropped when the work was cancelled by then.
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
    ~Job() override;  ///< cancels everything

    /// Newest wins: everything that was given before is cancelled.
    ///
    /// work(const Operation&) -> T, or work() -> T where it never asks, on another thread, then done(T) here; an exception of the work comes as
    /// failed(sentence). Work that was cancelled before it began is not done at all. T may be void.
    template <class Work, class Done>
    Operation submit(Work work, Done done, Failed failed = {}) {
        cancel();
        return inOrder({}, std::move(work), std::move(done), std::move(failed));
    }
    /// Beside what is under way.
    template <class Work, class Done>
    Operation beside(Work work, Done done, Failed failed = {}) {
        return inOrder({}, std::move(work), std::move(done), std::move(failed));
    }
    /// When all that was given with this key, by whichever Job, is over: the path of what is written, for example.
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

    /// Neither answers nor sentences come any more, and the work is told.
    void cancel();
    void cancel(const Operation& operation);
    /// A key of its own, for inOrder().
    const std::string& key() const { return key_; }
    bool isRunning() const { return !pending_.empty(); }
    bool isRunning(const Operation& operation) const { return pending_.contains(operation.number_); }
    /// Until all work that was given is over, cancelled or not; at most `limit`. Answers are delivered later, as ever. Whether all is over.
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
    std::map<quint64, Pending> pending_;  ///< stays here: what answers hold ends in the thread they came from
    std::shared_ptr<UnderWay> under_way_;
    Mailbox mailbox_;
};

}  // namespace trainyard::widgets
