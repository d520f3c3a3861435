// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "widgets/languages.h"

namespace trainyard::widgets {

namespace {
std::atomic<quint64> job_numbers = 0;
}  // namespace

/// Counts the unfinished tasks of a Job.
struct Job::UnderWay {
    std::mutex mutex;
    std::condition_variable less;
    int works = 0;
};

void Operation::tell(std::function<void()> words) const {
    address_.post([token = token(), words = std::move(words)] {
        if (!token.stop_requested())
            words();
    });
}

Job::Job(QObject* parent, Executor::Kind kind)
    : QObject(parent),
      kind_(kind),
      key_("job " + std::to_string(++job_numbers)),
      under_way_(std::make_shared<UnderWay>()) {}

Job::~Job() {
    cancel();
}

Operation Job::begin(const std::string& key, AnyWork work, AnyDone done, Failed failed) {
    Operation operation;
    operation.number_ = ++numbers_;
    operation.address_ = mailbox_.address();
    pending_.emplace(operation.number_, Pending{operation, std::move(done), std::move(failed)});
    {
        const std::lock_guard lock(under_way_->mutex);
        ++under_way_->works;
    }
    Executor::instance().run(
        [this, operation, work = std::move(work), under_way = under_way_]() mutable {
            // `this` is only used for notifications, which are delivered in its thread while it exists.
            const quint64 number = operation.number_;
            if (!operation) {
                try {
                    const std::shared_ptr<const void> result = work(operation);
                    operation.tell([this, number, result] {
                        end(number, [&](const Pending& pending) { pending.done(result.get()); });
                    });
                } catch (const std::exception& error) {
                    operation.tell([this, number, message = message_of(error)] {
                        end(number, [&](const Pending& pending) {
                            if (pending.failed)
                                pending.failed(local_sentence(message));
                        });
                    });
                }
            }
            work = nullptr;
            {
                const std::lock_guard lock(under_way->mutex);
                --under_way->works;
            }
            under_way->less.notify_all();
        },
        kind_, key);
    return operation;
}

/// Called functions may submit tasks, cancel all tasks or delete this object.
void Job::end(quint64 number, const std::function<void(const Pending&)>& answer) {
    if (const auto ended = pending_.extract(number))
        answer(ended.mapped());
}

void Job::cancel() {
    for (auto& [number, pending] : std::exchange(pending_, {}))
        pending.operation.stop_.request_stop();
}

void Job::cancel(const Operation& operation) {
    if (auto ended = pending_.extract(operation.number_))
        ended.mapped().operation.stop_.request_stop();
}

bool Job::wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(under_way_->mutex);
    return under_way_->less.wait_for(lock, limit, [this] { return under_way_->works == 0; });
}

}  // namespace trainyard::widgets
