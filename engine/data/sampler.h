// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Samplers define the order of an epoch. Random ones draw the same numbers as the samplers of torch.utils.data and
// Accelerate with the same seed (torch 2.11: randperm and randint of a CPU generator, mt19937), so a run that was
// started in Python continues in the same order.
//
// The state has what begin_epoch() needs to repeat an order: the epoch, and the seed that was drawn or the generator's
// state before the draw.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Generator.h>

#include "data/order.h"
#include "distributed/tensors/tree.h"

namespace trainyard::data {

class Sampler : public Stateful {
  public:
    /// The order of the next pass. After load_state_dict(), the first call returns the order of the pass in (or before)
    /// which the state was taken. `process` is the generator that seeds are drawn from if the sampler has none.
    virtual Order begin_epoch(const at::Generator& process) = 0;
    /// Number of indices of an epoch.
    virtual std::int64_t size() const = 0;
    virtual void set_epoch(std::int64_t /*epoch*/) {}
    /// The sampler's generator, which all ranks must set to the same state (undefined: not created yet); nullptr if the
    /// sampler uses none.
    virtual at::Generator* generator() { return nullptr; }
    /// Taken within a pass: begin_epoch() returns this pass's order again. `pass_over`: taken at the end of a pass;
    /// begin_epoch() returns the next order.
    virtual Tree state(bool pass_over) const = 0;
    Tree state_dict() const override { return state(false); }
};

/// The generator state that a pass was drawn from, so that it can be drawn again: {"generator": state before the draw},
/// with "once" if the sampler has no generator and only this pass can be repeated.
class Draw {
  public:
    /// What to draw from if the sampler has no generator: a seed drawn from the process's generator, or that generator
    /// itself.
    enum class From { seed, process };
    /// Returns the generator to draw the next pass from. `own` may be undefined.
    at::Generator begin(const at::Generator& own, const at::Generator& process, From from);
    Tree state(const at::Generator& own, bool pass_over) const;
    /// Sets `own` to the state, creating it if it is undefined. Throws UserError.
    void load(const Tree& state, at::Generator& own);

  private:
    at::Tensor before_;
    at::Generator resume_;
};

class SequentialSampler : public Sampler {
  public:
    explicit SequentialSampler(std::int64_t size) : size_(size) {}
    Order begin_epoch(const at::Generator&) override { return Order::sequential(size_); }
    std::int64_t size() const override { return size_; }
    Tree state(bool) const override;
    void load_state_dict(const Tree&) override {}

  private:
    std::int64_t size_;
};

struct RandomSamplerOptions {
    bool replacement = false;
    std::optional<std::int64_t> num_samples;  ///< default: all
    at::Generator generator;
};

/// torch.utils.data.RandomSampler. Without a generator, every pass draws a seed from the process's generator.
class RandomSampler : public Sampler {
  public:
    using Options = RandomSamplerOptions;
    /// Throws UserError if num_samples is not positive. An empty data set has empty epochs (torch refuses it).
    explicit RandomSampler(std::int64_t size, Options options = {});
    Order begin_epoch(const at::Generator& process) override;
    std::int64_t size() const override { return options_.num_samples.value_or(size_); }
    at::Generator* generator() override { return &options_.generator; }
    std::int64_t source_size() const { return size_; }
    const Options& options() const { return options_; }
    Tree state(bool pass_over) const override;
    void load_state_dict(const Tree& state) override;

  private:
    std::int64_t size_;
    Options options_;
    Draw draw_;
};

/// accelerate's SeedableRandomSampler: epoch e is drawn from a generator with seed `initial_seed + e`.
class SeedableRandomSampler : public Sampler {
  public:
    /// `initial_seed`: data_seed, or the seed of the process's generator.
    SeedableRandomSampler(std::int64_t size, std::int64_t initial_seed, RandomSampler::Options options = {});
    Order begin_epoch(const at::Generator& process) override;
    std::int64_t size() const override { return options_.num_samples.value_or(size_); }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    /// Index of the next pass.
    std::int64_t epoch() const { return epoch_; }
    Tree state(bool pass_over) const override;
    void load_state_dict(const Tree& state) override;

  private:
    std::int64_t size_;
    std::int64_t initial_seed_;
    RandomSampler::Options options_;
    std::int64_t epoch_ = 0;
    bool started_ = false;  ///< epoch_ is the index of the pass after the current one
};

/// torch.utils.data.WeightedRandomSampler: at::multinomial of the weights.
class WeightedRandomSampler : public Sampler {
  public:
    /// Throws UserError if the weights are not numbers >= 0 with a positive sum, or if num_samples is not positive or,
    /// without replacement, exceeds the number of positive weights.
    WeightedRandomSampler(at::Tensor weights, std::int64_t num_samples, bool replacement = true,
                          at::Generator generator = {});
    Order begin_epoch(const at::Generator& process) override;
    std::int64_t size() const override { return num_samples_; }
    at::Generator* generator() override { return &generator_; }
    Tree state(bool pass_over) const override;
    void load_state_dict(const Tree& state) override;

  private:
    at::Tensor weights_;
    std::int64_t num_samples_;
    bool replacement_;
    at::Generator generator_;
    Draw draw_;
};

/// A user-defined sampler: a function of the epoch, the same on every rank.
class FunctionSampler : public Sampler {
  public:
    FunctionSampler(std::int64_t size, std::function<std::vector<std::int64_t>(std::int64_t epoch)> order)
        : size_(size), order_(std::move(order)) {}
    Order begin_epoch(const at::Generator&) override;
    std::int64_t size() const override { return size_; }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    Tree state(bool) const override;
    void load_state_dict(const Tree& state) override;

  private:
    std::int64_t size_;
    std::function<std::vector<std::int64_t>(std::int64_t)> order_;
    std::int64_t epoch_ = 0;
};

/// An order that is computed from the position, for data sets whose indices would take too much memory; the same on
/// every rank.
class ComputedSampler : public Sampler {
  public:
    /// `at` returns the sample, below `bound`, at `position` of `epoch`; several threads call it concurrently.
    using At = std::function<std::int64_t(std::int64_t epoch, std::int64_t position)>;
    ComputedSampler(std::int64_t size, std::int64_t bound, At at) : size_(size), bound_(bound), at_(std::move(at)) {}
    Order begin_epoch(const at::Generator&) override;
    std::int64_t size() const override { return size_; }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    /// Empty, because the loader saves the epoch.
    Tree state(bool) const override { return Tree::dict(); }
    void load_state_dict(const Tree&) override {}

  private:
    std::int64_t size_, bound_;
    At at_;
    std::int64_t epoch_ = 0;
};

/// A user-defined batch sampler: all batches of an epoch, the same on every rank. With `batch_size`, every batch except
/// the last must have that size (checked). Without it, batches are dynamic: each rank gets complete ones.
struct BatchSampler {
    std::function<std::vector<std::vector<std::int64_t>>(std::int64_t epoch)> batches;
    std::optional<std::int64_t> batch_size;
    bool drop_last = false;
};

}  // namespace trainyard::data
