// Supervisor: a run that waits in the queue of its machine. It has no ranks, no port of theirs and no GPU; when its turn has come it
// begins as any other.

#include <cstdio>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

void Supervisor::await_turn() {
    queue_.emplace(paths_, spec_);
    began_ = monotonic_seconds();
    pool_->open();  // agents of other machines come now and stay
    record("phase", Message("queued on {}", state_.supervisor_host));
    state_changed_ = true;
}

void Supervisor::look_at_queue() {
    const double now = monotonic_seconds();
    if (now < looked_at_queue_ + options_.queue_look_s)
        return;
    looked_at_queue_ = now;
    run::QueueWatch::Look look;
    try {
        look = queue_->look(start_asked_, [this] {
            run::RunState begun = state_;
            begun.status = run::Status::starting;
            begun.message = "its turn has come";
            run::write_state(paths_, begun, false);
            state_ = std::move(begun);
        });
    } catch (const UserError& error) {
        // The folder of the runs cannot be read or written now: its turn is not lost.
        look.waits_for = error.message();
        look.place = state_.queue_place;
    }
    if (look.started) {
        leave_queue();
        record("phase", "its turn has come");
        return begin();
    }
    if (look.waits_for.empty() || (look.waits_for == state_.message && look.place == state_.queue_place))
        return;
    state_.queue_place = look.place;
    set_status(run::Status::queued, look.waits_for);
}

void Supervisor::leave_queue() {
    queue_.reset();
    state_.queue_place = 0;
    std::error_code ignored;
    fs::remove(paths_.queue(), ignored);
}

void Supervisor::take_queue_request(const run::Request& request) {
    if (!is_queued())
        return answer(request, "refused", "the run is not in the queue: it has started");
    if (request.kind == "start") {
        start_asked_ = true;
        looked_at_queue_ = 0;
        return answer(request, "done", "starts now, before its turn");
    }
    if (request.kind != "move")
        return answer(request, "refused",
                      Message("a run in the queue takes stop, kill, note, move and start, not {}", request.kind));
    int place = 0;
    if (auto given = request.values.find("place"); given != request.values.end())
        place = parse_number<int>(given->second).value_or(0);
    if (place < 1)
        return answer(request, "refused", "move needs values.place, a whole number from 1 on");
    try {
        place = run::move_in_queue(paths_, place);
        looked_at_queue_ = 0;
        answer(request, "done", Message("is number {} in the queue now", place));
    } catch (const UserError& error) {
        answer(request, "failed", error.message());
    }
}

}  // namespace trainyard::launch
