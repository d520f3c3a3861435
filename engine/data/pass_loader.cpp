// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/pass_loader.h"

#include <utility>

#include "base/error.h"
#include "data/rng_sync.h"

namespace trainyard::data {

PassLoader::~PassLoader() {
    if (under_way_ && observer_ != nullptr)
        observer_->pass_ends(*this);
}

void PassLoader::begin() {
    if (under_way_)
        end_pass(false);
    if (!resumes_)
        draw_seed(setup_.seeds);
    under_way_ = true;
    at_end_ = false;
    gave_ = start_.samples > 0 || start_.skip > 0;
    remainder_ = -1;
    if (observer_ != nullptr)
        observer_->pass_begins(*this);
    try {
        remainder_ = start(start_);
    } catch (...) {
        end_pass(false);
        throw;
    }
    resumes_ = false;
    look_ahead();
}

void PassLoader::look_ahead() {
    try {
        ahead_ = fetch();
        if (ahead_)
            ahead_->batch = placed(std::move(ahead_->batch));
    } catch (...) {
        ahead_.reset();
        failure_ = std::current_exception();
    }
}

std::optional<Tree> PassLoader::next() {
    if (!under_way_)
        return std::nullopt;
    if (failure_) {
        std::exception_ptr failure = std::exchange(failure_, nullptr);
        end_pass(false);
        std::rethrow_exception(failure);
    }
    if (!ahead_) {
        end_pass(gave_);
        return std::nullopt;
    }
    HostBatch given = std::move(*ahead_);
    start_.samples = given.samples_after;
    start_.position = std::move(given.position);
    start_.skip = 0;
    gave_ = true;
    look_ahead();
    at_end_ = !ahead_ && !failure_;
    if (at_end_ && given.remainder >= 0)
        remainder_ = given.remainder;
    return std::move(given.batch);
}

void PassLoader::end_pass(bool complete) {
    under_way_ = false;
    reader_.reset();
    ahead_.reset();
    failure_ = nullptr;
    start_ = {start_.epoch + (complete ? 1 : 0), 0, {}, 0};
    if (observer_ != nullptr)
        observer_->pass_ends(*this);
}

void PassLoader::start_reading(const PassStart& start) {
    reader_.reset();
    setup_.source->begin(start, setup_.process);
    reader_ = std::make_unique<Prefetcher>(
        [source = setup_.source.get()] { return source->next(); }, setup_.num_workers,
        setup_.num_workers * setup_.prefetch_factor,
        setup_.pin_memory ? [](const at::Tensor& tensor) { return tensor.pin_memory(); } : Prefetcher::Pin());
}

Tree PassLoader::placed(Tree batch) const {
    if (!setup_.device)
        return batch;
    bool there = true;
    batch.for_each_tensor(
        [&](const std::string&, const at::Tensor& tensor) { there = there && tensor.device() == *setup_.device; });
    return there ? batch : batch.map_tensors([&](const at::Tensor& tensor) {
        return tensor.to(*setup_.device, setup_.non_blocking && !setup_.device->is_cpu());
    });
}

void PassLoader::skip_first_batches(std::int64_t batches) {
    if (under_way_)
        end_pass(false);
    if (batches < 0)
        throw UserError("cannot skip {} batches", batches);
    start_.skip += batches;
}

void PassLoader::set_epoch(std::int64_t epoch) {
    if (epoch == start_.epoch)
        return;
    start_.epoch = epoch;
    if (!under_way_) {
        // A position in another epoch has no meaning in this one.
        start_ = {epoch, 0, {}, start_.samples == 0 ? start_.skip : 0};
        resumes_ = false;
    }
}

Tree PassLoader::state_dict() const {
    bool over = under_way_ && at_end_;
    bool in_pass = !over && (under_way_ || resumes_);
    return Tree::dict({{"epoch", start_.epoch + (over ? 1 : 0)},
                       {"samples", over ? 0 : start_.samples},
                       {"skip", over ? 0 : start_.skip},
                       {"position", over ? Tree() : start_.position},
                       {"in_pass", in_pass},
                       {"parts", setup_.parts},
                       {"source", setup_.source->state(!in_pass)}});
}

void PassLoader::load_state_dict(const Tree& state) {
    PassStart start{state.at("epoch").as_integer(), state.at("samples").as_integer(), state.at("position"),
                    state.at("skip").as_integer()};
    bool in_pass = state.at("in_pass").as_bool();
    std::int64_t parts = state.at("parts").as_integer();
    if (start.epoch < 0 || start.samples < 0 || start.skip < 0)
        throw UserError("the state of a data loader names a place before the start of its data");
    if (parts != setup_.parts && start.samples > 0)
        throw UserError(
            "the state of a data loader was saved where {} ranks read separate parts of the data, here {} do: continue "
            "with the same number of ranks, or from the next epoch",
            parts, setup_.parts);
    setup_.source->load_state(state.at("source"));
    if (under_way_)
        end_pass(false);
    start_ = std::move(start);
    resumes_ = in_pass;
    at_end_ = false;
}

}  // namespace trainyard::data
