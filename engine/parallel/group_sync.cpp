#include "parallel/group_sync.h"

#include <stdexcept>

namespace trainyard::parallel {

namespace {

/// Neighbouring groups from the last to the first, joined until they are large enough for a message.
std::vector<Bucket> buckets_of(const FlatArena& arena, const GroupSyncOptions& options) {
    std::vector<Bucket> buckets;
    const std::vector<FlatGroup>& groups = arena.groups();
    std::int64_t end = arena.gradients().numel();
    NamedTensors gradients;
    for (std::size_t i = groups.size(); i-- > 0;) {
        const FlatGroup& group = groups[i];
        for (auto parameter = group.parameters().rbegin(); parameter != group.parameters().rend(); ++parameter)
            gradients.emplace_back((*parameter)->name(), (*parameter)->gradient());
        Range range{group.range().begin, end};
        bool first = buckets.empty() && options.first_bucket_bytes > 0;
        std::int64_t enough = first ? options.first_bucket_bytes : options.bucket_bytes;
        if (i > 0 && range.size() * arena.gradients().element_size() < enough)
            continue;
        end = range.begin;
        if (range.size() == 0)
            continue;
        Bucket bucket;
        bucket.name = "gradients " + group.name();
        bucket.slice = arena.slice(arena.gradients(), range);
        bucket.gradients = std::move(gradients);
        gradients.clear();
        buckets.push_back(std::move(bucket));
    }
    return buckets;
}

}  // namespace

GroupSync::GroupSync(FlatArena& arena, const std::vector<Unit*>& units, Communicator& communicator,
                     GroupSyncOptions options)
    : arena_(arena), reducer_(buckets_of(arena, options), communicator, options.hook) {
    for (std::size_t i = 0; i < units.size(); ++i) {
        index_[units[i]] = i;
        units[i]->add_hook(this);
    }
    // A group belongs to the bucket in whose range its first element lies.
    for (const FlatGroup& group : arena.groups()) {
        std::size_t bucket = 0;
        while (bucket + 1 < reducer_.buckets().size() &&
               reducer_.buckets()[bucket].slice.storage_offset() > group.range().begin)
            ++bucket;
        bucket_of_.push_back(bucket);
    }
}

void GroupSync::begin_last_micro_batch() {
    reducing_ = true;
    next_ = arena_.groups().size();
    reducer_.begin(1);
}

void GroupSync::complete_down_to(std::size_t group) {
    while (next_ > group) {
        arena_.groups()[--next_].settle_gradients();
        bool whole = next_ == 0 || bucket_of_[next_ - 1] != bucket_of_[next_];
        if (whole && !reducer_.buckets().empty())
            reducer_.ready(bucket_of_[next_]);
    }
}

void GroupSync::after_backward(Unit& unit) {
    if (!reducing_)
        return;
    std::size_t index = index_.at(&unit);
    if (index + 1 != next_)
        throw std::logic_error("backward left unit " + unit.name() + " out of order");
    complete_down_to(index);
}

void GroupSync::finish() {
    if (!reducing_)
        return;
    complete_down_to(0);
    reducer_.finish();
    reducing_ = false;
}

}  // namespace trainyard::parallel
