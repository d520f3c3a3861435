// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/group_sync.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/tensor_part.h"

namespace trainyard::parallel {

namespace {

/// Rooms that exist at one time besides those that backward writes to: while one travels the next is filled.
constexpr std::size_t kRoomsUnderWay = 2;

/// Whether all tensor-parallel ranks have the same gradient, without adding it up.
bool is_equal_everywhere(const Parameter& parameter) {
    const TensorPart* part = parameter.part();
    return part == nullptr || (!part->is_divided() && !part->sums_gradients());
}

std::vector<Bucket> buckets_of(const FlatArena& arena, const GroupSyncOptions& options) {
    std::vector<Bucket> buckets;
    std::vector<OwnedSlice> owned = arena.owned();
    for (std::size_t i = 0; i < arena.buckets().size(); ++i) {
        const ArenaBucket& place = arena.buckets()[i];
        Bucket bucket;
        bucket.name = fmt::format("gradients {}", place.name);
        bucket.ranks = place.of_experts ? options.expert_ranks : nullptr;
        if (arena.gradient_buffers() == nullptr) {
            bucket.slice = arena.slice(arena.gradients(), place.range);
            for (std::size_t g = place.end_group; g-- > place.first_group;) {
                const std::vector<Parameter*>& parameters = arena.groups()[g].parameters();
                for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
                    if (!(*parameter)->trains())
                        continue;
                    bucket.gradients.emplace_back((*parameter)->name(), (*parameter)->gradient());
                    if (options.tensor_parallel && is_equal_everywhere(**parameter))
                        bucket.exact.insert((*parameter)->name());
                }
            }
        }
        if (arena.sharding().any()) {
            const OwnedSlice& own = owned[owned.size() - 1 - i];  // these rise
            bucket.owned = arena.gradients().narrow(0, own.gradient, own.range.size());
        }
        buckets.push_back(std::move(bucket));
    }
    return buckets;
}

std::shared_ptr<CommHook> hook_of(const FlatArena& arena, const GroupSyncOptions& options) {
    if (options.hook && arena.sharding().gradients)
        throw std::invalid_argument(
            std::string("a communication hook needs whole gradients, which no rank keeps under ") +
            arena.sharding().name);
    return options.hook || !arena.sharding().any()
               ? options.hook
               : reduce_scatter_hook(options.copies, arena.sharding().plus.quantized_gradients);
}

/// Elements of the gradients that this rank owns.
Range owned_gradients(const FlatArena& arena, std::size_t bucket) {
    const OwnedSlice& own = arena.owned()[arena.owned().size() - 1 - bucket];  // these rise
    return {own.gradient, own.gradient + own.range.size()};
}

ReducerOptions reducer_options(FlatArena& arena) {
    ReducerOptions options;
    if (GradientBuffers* buffers = arena.gradient_buffers()) {
        options.most_under_way = kRoomsUnderWay;
        options.finished = [buffers, &arena](std::size_t bucket) {
            buffers->release(bucket);
            if (OffloadedArena* file = arena.offloaded())
                file->close_gradients(owned_gradients(arena, bucket));
        };
    }
    return options;
}

}  // namespace

GroupSync::GroupSync(FlatArena& arena, const std::vector<Unit*>& units, Communicator& shards, GroupSyncOptions options)
    : arena_(arena),
      shards_(shards),
      options_(options),
      reducer_(buckets_of(arena, options), options.hook && options.data != nullptr ? *options.data : shards,
               hook_of(arena, options), reducer_options(arena)) {
    if (arena.offloaded() != nullptr)  // a room is read meanwhile: as many exist as without a disk
        options.rooms.most_ahead = 1;
    if (arena.value_rooms() != nullptr)  // the outermost hook: rooms are open in all others
        rooms_ = std::make_unique<UnitRooms>(*arena.value_rooms(), units, shards, options.rooms);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i] == nullptr)
            continue;
        index_[units[i]] = i;
        units[i]->add_hook(this);
    }
}

void GroupSync::begin_step() {
    reducing_ = has_sums_ = false;
    if (rooms_)
        rooms_->begin_step();
    if (GradientBuffers* buffers = arena_.gradient_buffers())
        for (std::size_t i = 0; i < arena_.buckets().size(); ++i)
            buffers->release(i);
    if (OffloadedArena* file = arena_.offloaded())
        file->forget_gradients();
}

void GroupSync::begin_micro_batch(bool last) {
    reducing_ = last || arena_.sharding().gradients;
    if (!reducing_)
        return;
    next_ = arena_.groups().size();
    next_bucket_ = 0;
    complete_.assign(next_, false);
    unused_.clear();
    reducer_.begin(1);
}

void GroupSync::complete_down_to(std::size_t group) {
    while (next_ > group) {
        FlatGroup& ready = arena_.groups()[--next_];
        for (const Parameter* parameter : ready.parameters())
            if (parameter->trains() && parameter->numel() > 0 && !parameter->has_gradient() && !ready.is_of_experts())
                unused_.push_back(parameter->name());
        ready.settle_gradients();
        if (next_bucket_ == arena_.buckets().size() || arena_.buckets()[next_bucket_].first_group != next_)
            continue;
        Bucket& bucket = reducer_.bucket(next_bucket_);
        if (arena_.gradient_buffers() != nullptr) {
            bucket.slice = arena_.gradient_buffers()->allocate(next_bucket_);
            bucket.accumulate = has_sums_;
        }
        if (OffloadedArena* file = arena_.offloaded())
            bucket.owned = file->open_gradients(owned_gradients(arena_, next_bucket_), has_sums_);
        reducer_.ready(next_bucket_++);
        if (arena_.gradient_buffers() != nullptr)
            bucket.slice = at::Tensor();  // the reduction has it; nothing else keeps the buffer
        if (arena_.offloaded() != nullptr)
            bucket.owned = at::Tensor();
    }
}

void GroupSync::after_backward(Unit& unit, const Tensors&, int) {
    if (!reducing_)
        return;
    std::size_t index = index_.at(&unit);
    if (index >= next_)  // a backward of one of several stages begins below next_
        throw std::logic_error("backward left unit " + unit.name() + " out of order");
    complete_down_to(index);
}

void GroupSync::complete(std::size_t group) {
    if (!reducing_)
        return;
    if (complete_[group])
        throw UserError(
            "the parameters of {} got a gradient twice in one backward, and the first is "
            "on its way: set zero_stage to 0",
            arena_.groups()[group].name());
    complete_[group] = true;
    std::size_t down_to = next_;
    while (down_to > 0 && (complete_[down_to - 1] || arena_.groups()[down_to - 1].range().size() == 0))
        --down_to;
    complete_down_to(down_to);
}

void GroupSync::end_micro_batch() {
    if (arena_.sharding().gradients)
        finish();
}

void GroupSync::finish() {
    if (!reducing_)
        return;
    complete_down_to(0);
    reducer_.finish();
    if (OffloadedArena* file = arena_.offloaded())
        file->finish_gradients();
    judge_unused();
    reducing_ = false;
    has_sums_ = true;
}

void GroupSync::judge_unused() const {
    if (options_.check_reduction) {
        Description mine;
        for (const std::string& name : unused_)
            mine.emplace_back(name, "no gradient");
        for (Communicator* ranks : {&shards_, options_.copies})
            if (ranks != nullptr)
                agree(*ranks, mine, "the gradients of a step",
                      "use the same parameters on every rank, or set parallel.check_reduction to no");
    }
    if (options_.find_unused_parameters || unused_.empty())
        return;
    constexpr std::size_t kShown = 10;
    std::string listed;
    for (std::size_t i = 0; i < std::min(kShown, unused_.size()); ++i)
        listed += (i == 0 ? "" : ", ") + unused_[i];
    const Message names = unused_.size() > kShown ? Message("{} and {} more", listed, unused_.size() - kShown)
                                                  : Message::verbatim(std::move(listed));
    throw UserError(
        "these parameters got no gradient in this step: {}; use them in the loss, freeze "
        "them, or set find_unused_parameters",
        names);
}

void GroupSync::publish_values() {
    if (rooms_)
        rooms_->close_all();
    if (!arena_.sharding().any() || rooms_)
        return;
    at::NoGradGuard no_grad;
    std::vector<Pending> under_way;
    for (const ArenaBucket& bucket : arena_.buckets())
        under_way.push_back(shards(bucket.of_experts)
                                .all_gather_async(arena_.slice(arena_.values(), bucket.range),
                                                  arena_.slice(arena_.values(), bucket.owned),
                                                  Message("values {}", bucket.name)));
    for (Pending& pending : under_way)
        pending.wait();
}

at::Tensor GroupSync::gather_state_on_first(const at::Tensor& state, const std::string& name, bool experts) {
    // Every so many ranks have the same experts.
    const int sets = shards_.size() / shards(true).size(), rank = shards_.rank();
    const bool gathers = rank == 0 || (experts && rank < sets);
    if (!arena_.sharding().any())
        return gathers ? state : at::Tensor();
    at::NoGradGuard no_grad;
    if (rank != 0)
        shards_.send(state, 0, name).wait();
    if (experts && rank % sets != 0 && rank >= sets)
        shards_.send(state, rank % sets, name).wait();
    if (!gathers)
        return {};
    at::Tensor whole = at::empty({arena_.trainable_elements()}, state.options());
    at::Tensor theirs = at::empty(state.sizes(), state.options());
    for (int from = rank; from < shards_.size(); from += rank == 0 ? 1 : sets) {
        if (from != rank)
            shards_.receive(theirs, from, name).wait();
        for (std::size_t i = 0; i < arena_.owned().size(); ++i) {
            const OwnedSlice& own = arena_.owned()[i];
            const bool of_experts = arena_.buckets()[arena_.buckets().size() - 1 - i].of_experts;
            const int step = of_experts ? sets : 1;
            if (of_experts ? from % sets != rank : rank != 0)
                continue;
            // The first rank owns the first share of a bucket, so that the others' follow it.
            const std::int64_t begin = own.range.begin + (from / step - rank / step) * own.range.size();
            whole.narrow(0, begin, own.range.size())
                .copy_((from == rank ? state : theirs).narrow(0, own.state, own.range.size()));
        }
    }
    return whole;
}

}  // namespace trainyard::parallel
