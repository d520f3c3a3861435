#include "parallel/group_sync.h"

#include <stdexcept>

namespace trainyard::parallel {

GroupSync::GroupSync(FlatArena& arena, const std::vector<Unit*>& units, Communicator& communicator,
                     GroupSyncOptions options)
    : arena_(arena), communicator_(communicator), options_(options) {
    for (std::size_t i = 0; i < units.size(); ++i) {
        index_[units[i]] = i;
        units[i]->add_hook(this);
    }
}

void GroupSync::begin_last_micro_batch() {
    reducing_ = true;
    next_ = arena_.groups().size();
    std::int64_t end = arena_.gradients().numel();
    open_ = {end, end};
}

void GroupSync::after_backward(Unit& unit) {
    if (!reducing_)
        return;
    std::size_t index = index_.at(&unit);
    if (index + 1 != next_)
        throw std::logic_error("backward left unit " + unit.name() + " out of order");
    arena_.groups()[index].settle_gradients();
    open_.begin = arena_.groups()[index].range().begin;
    next_ = index;
    if (open_.size() * 4 >= options_.bucket_bytes)
        send_open_bucket();
}

void GroupSync::send_open_bucket() {
    if (open_.size() == 0)
        return;
    std::size_t index = next_ < arena_.groups().size() ? next_ : 0;
    sent_.push_back(communicator_.all_reduce(arena_.slice(arena_.gradients(), open_),
                                             "gradients " + arena_.groups()[index].name()));
    open_.end = open_.begin;
}

void GroupSync::finish() {
    while (next_ > 0) {
        arena_.groups()[--next_].settle_gradients();
        open_.begin = arena_.groups()[next_].range().begin;
    }
    send_open_bucket();
    for (Pending& pending : sent_)
        pending.wait();
    sent_.clear();
    reducing_ = false;
}

}  // namespace trainyard::parallel
