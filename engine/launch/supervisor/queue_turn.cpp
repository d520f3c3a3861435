// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/queue_turn.h"

#include "base/error.h"
#include "base/filesystem.h"

namespace trainyard::launch {

void QueueTurn::leave() {
    watch_.reset();
    std::error_code ignored;
    fs::remove(paths_.queue(), ignored);
}

std::optional<run::QueueWatch::Look> QueueTurn::look(double now, const std::function<void()>& start) {
    if (now < due())
        return std::nullopt;
    looked_ = now;
    run::QueueWatch::Look seen;
    try {
        seen = watch_->look(start_asked_, start);
    } catch (const UserError& error) {
        // The folder of the runs cannot be read or written now: the run stays where it is.
        seen = {.place = last_.place, .waits_for = error.message()};
    }
    if (!seen.started && (seen.waits_for.empty() || (seen.waits_for == last_.waits_for && seen.place == last_.place)))
        return std::nullopt;
    return last_ = seen;
}

QueueTurn::Answer QueueTurn::take(const run::RequestBody& request) {
    if (!waits())
        return {"refused", "the run is not in the queue: it has started"};
    if (std::holds_alternative<run::StartRequest>(request)) {
        start_asked_ = true;
        looked_ = 0;
        return {"done", "starts now, before its turn"};
    }
    const auto* move = std::get_if<run::MoveRequest>(&request);
    if (move == nullptr)
        return {"refused", Message("a run in the queue takes stop, kill, note, move and start, not {}",
                                   std::visit([](const auto& other) { return other.kKind; }, request))};
    try {
        const int place = run::move_in_queue(paths_, static_cast<int>(move->place));
        looked_ = 0;
        return {"done", Message("is number {} in the queue now", place)};
    } catch (const UserError& error) {
        return {"failed", error.message()};
    }
}

}  // namespace trainyard::launch
