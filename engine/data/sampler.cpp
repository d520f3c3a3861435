// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/sampler.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randperm.h>

#include "base/error.h"
#include "data/rng_sync.h"

namespace trainyard::data {

namespace {

/// torch.utils.data.RandomSampler.__iter__: consecutive permutations, or with replacement numbers drawn 32 at a time.
Order draw_random(std::int64_t size, const RandomSampler::Options& options, const at::Generator& generator) {
    std::int64_t wanted = options.num_samples.value_or(size);
    if (size == 0)
        return Order::sequential(0);
    std::vector<at::Tensor> parts;
    if (options.replacement) {
        for (std::int64_t i = 0; i < wanted / 32; ++i)
            parts.push_back(at::randint(size, {32}, generator, at::kLong));
        parts.push_back(at::randint(size, {wanted % 32}, generator, at::kLong));
    } else {
        for (std::int64_t i = 0; i < wanted / size; ++i)
            parts.push_back(at::randperm(size, generator, at::kLong));
        // Drawn even if none of it is used, because the generator's state must advance.
        parts.push_back(at::randperm(size, generator, at::kLong).narrow(0, 0, wanted % size));
    }
    return Order::from(parts.size() == 2 && parts[1].numel() == 0 ? parts[0] : at::cat(parts));
}

void check_positive(std::int64_t num_samples) {
    if (num_samples <= 0)
        throw UserError("num_samples of a sampler is {}: make it 1 or more", num_samples);
}

}  // namespace

at::Generator Draw::begin(const at::Generator& own, const at::Generator& process, From from) {
    at::Generator generator = own;
    if (!own.defined() && resume_.defined()) {
        generator = std::exchange(resume_, {});
    } else if (!own.defined()) {
        generator = from == From::seed ? seeded_generator(draw_seed(process)) : process;
    }
    before_ = generator_state(generator);
    return generator;
}

Tree Draw::state(const at::Generator& own, bool pass_over) const {
    if (own.defined())
        return Tree::dict({{"generator", pass_over || !before_.defined() ? generator_state(own) : before_}});
    if (before_.defined() && !pass_over)
        return Tree::dict({{"generator", before_}, {"once", true}});
    return Tree::dict();
}

void Draw::load(const Tree& state, at::Generator& own) {
    const Tree* bytes = state.find("generator");
    at::Generator made;
    if (bytes != nullptr) {
        made = seeded_generator(0);
        set_generator_state(made, bytes->as_tensor());
    }
    resume_ = {};
    before_ = made.defined() ? bytes->as_tensor() : at::Tensor();
    if (own.defined()) {
        if (made.defined())
            set_generator_state(own, before_);
    } else if (state.find("once") != nullptr) {
        resume_ = made;
    } else {
        own = made;
    }
}

Tree SequentialSampler::state(bool) const {
    return Tree::dict();
}

RandomSampler::RandomSampler(std::int64_t size, Options options) : size_(size), options_(std::move(options)) {
    if (options_.num_samples)
        check_positive(*options_.num_samples);
}

Order RandomSampler::begin_epoch(const at::Generator& process) {
    return draw_random(size_, options_, draw_.begin(options_.generator, process, Draw::From::seed));
}

Tree RandomSampler::state(bool pass_over) const {
    return draw_.state(options_.generator, pass_over);
}

void RandomSampler::load_state_dict(const Tree& state) {
    draw_.load(state, options_.generator);
}

SeedableRandomSampler::SeedableRandomSampler(std::int64_t size, std::int64_t initial_seed,
                                             RandomSampler::Options options)
    : size_(size), initial_seed_(initial_seed), options_(std::move(options)) {
    if (options_.num_samples)
        check_positive(*options_.num_samples);
    if (!options_.generator.defined())
        options_.generator = seeded_generator(initial_seed_);
}

Order SeedableRandomSampler::begin_epoch(const at::Generator&) {
    options_.generator.set_current_seed(static_cast<std::uint64_t>(initial_seed_ + epoch_));
    Order order = draw_random(size_, options_, options_.generator);
    ++epoch_;
    started_ = true;
    return order;
}

Tree SeedableRandomSampler::state(bool pass_over) const {
    return Tree::dict({{"initial_seed", initial_seed_}, {"epoch", started_ && !pass_over ? epoch_ - 1 : epoch_}});
}

void SeedableRandomSampler::load_state_dict(const Tree& state) {
    std::int64_t seed = state.at("initial_seed").as_integer();
    epoch_ = state.at("epoch").as_integer();
    initial_seed_ = seed;
    started_ = false;
}

WeightedRandomSampler::WeightedRandomSampler(at::Tensor weights, std::int64_t num_samples, bool replacement,
                                             at::Generator generator)
    : weights_(weights.to(at::kDouble)),
      num_samples_(num_samples),
      replacement_(replacement),
      generator_(std::move(generator)) {
    check_positive(num_samples);
    if (weights_.dim() != 1 || weights_.numel() == 0)
        throw UserError("weights of a sampler must be a list of numbers, one per sample");
    const double* weight = weights_.const_data_ptr<double>();
    std::int64_t positive = 0;
    for (std::int64_t i = 0; i < weights_.numel(); ++i) {
        if (!(weight[i] >= 0) || weight[i] > 1e300)
            throw UserError("weight {} of a sampler is {:f}: weights are finite and not negative", i, weight[i]);
        positive += weight[i] > 0 ? 1 : 0;
    }
    if (positive == 0 || (!replacement && num_samples > positive))
        throw UserError(
            "a sampler without replacement cannot draw {} samples of {} with a positive "
            "weight",
            num_samples, positive);
}

Order WeightedRandomSampler::begin_epoch(const at::Generator& process) {
    at::Generator generator = draw_.begin(generator_, process, Draw::From::process);
    return Order::from(at::multinomial(weights_, num_samples_, replacement_, generator));
}

Tree WeightedRandomSampler::state(bool pass_over) const {
    return draw_.state(generator_, pass_over);
}

void WeightedRandomSampler::load_state_dict(const Tree& state) {
    draw_.load(state, generator_);
}

Order FunctionSampler::begin_epoch(const at::Generator&) {
    return Order::from(order_(epoch_));
}

Order ComputedSampler::begin_epoch(const at::Generator&) {
    return Order::computed(size_, bound_,
                           [at = at_, epoch = epoch_](std::int64_t position) { return at(epoch, position); });
}

Tree FunctionSampler::state(bool) const {
    return Tree::dict({{"epoch", epoch_}});
}

void FunctionSampler::load_state_dict(const Tree& state) {
    epoch_ = state.at("epoch").as_integer();
}

}  // namespace trainyard::data
