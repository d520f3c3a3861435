#pragma once
// Samplers: the order of an epoch. The random ones draw the same numbers as torch.utils.data's and Accelerate's samplers from the same
// seeds (torch 2.11: randperm and randint of a CPU generator, mt19937), so a run that begins in Python goes on here in the same order.
//
// State: what begin_epoch() needs to give the same order again: the epoch, the seed drawn or the generator's state before the draw.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Generator.h>

#include "data/order.h"
#include "tensors/tree.h"

namespace trainyard::data {

class Sampler : public Stateful {
  public:
    /// The order of the next pass. After load_state_dict the first call gives the order of the pass that the state was taken in (or
    /// before). `process` is the generator that draws seeds where the sampler has no generator of its own.
    virtual Order begin_epoch(const at::Generator& process) = 0;
    /// Indices of an epoch.
    virtual std::int64_t size() const = 0;
    virtual void set_epoch(std::int64_t /*epoch*/) {}
    /// Where the sampler keeps the generator that ranks must have in common (undefined: it has none yet); nullptr when it uses none.
    virtual at::Generator* generator() { return nullptr; }
    /// Taken within a pass: begin_epoch() gives this pass again. `pass_over`: the pass is at its end; begin_epoch() gives the next.
    virtual Tree state(bool pass_over) const = 0;
    Tree state_dict() const override { return state(false); }
};

/// What a pass was drawn from, kept so that it can be drawn again: {"generator": state before the draw}, with "once" where the
/// sampler has no generator and only this pass can be repeated.
class Draw {
  public:
    /// Where passes come from without a generator of the sampler's own: a seed drawn from the process' generator, or that itself.
    enum class From { seed, process };
    /// The generator to draw the next pass from. `own` may be undefined.
    at::Generator begin(const at::Generator& own, const at::Generator& process, From from);
    Tree state(const at::Generator& own, bool pass_over) const;
    /// `own` takes the state (and is made when undefined). Throws UserError.
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

/// torch.utils.data.RandomSampler. Without a generator every pass draws a seed from the process' generator.
class RandomSampler : public Sampler {
  public:
    using Options = RandomSamplerOptions;
    /// Throws UserError when num_samples is not positive. An empty set has empty epochs (torch refuses it).
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

/// accelerate's SeedableRandomSampler: epoch e is drawn from a generator seeded with initial seed + e.
class SeedableRandomSampler : public Sampler {
  public:
    /// `initial_seed`: data_seed, or the seed of the process' generator.
    SeedableRandomSampler(std::int64_t size, std::int64_t initial_seed, RandomSampler::Options options = {});
    Order begin_epoch(const at::Generator& process) override;
    std::int64_t size() const override { return options_.num_samples.value_or(size_); }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    /// Of the next pass.
    std::int64_t epoch() const { return epoch_; }
    Tree state(bool pass_over) const override;
    void load_state_dict(const Tree& state) override;

  private:
    std::int64_t size_;
    std::int64_t initial_seed_;
    RandomSampler::Options options_;
    std::int64_t epoch_ = 0;
    bool started_ = false;  ///< epoch_ counts the pass after the one under way
};

/// torch.utils.data.WeightedRandomSampler: at::multinomial of the weights.
class WeightedRandomSampler : public Sampler {
  public:
    /// Throws UserError when weights are no list of numbers >= 0 with a positive sum, or num_samples is not positive or, without
    /// replacement, exceeds the number of positive weights.
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

/// A sampler of the user's: a function of the epoch, the same on every rank.
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

/// An order that is computed from the place, for sets whose numbers would take too much memory: the same on every rank.
class ComputedSampler : public Sampler {
  public:
    /// `at` tells the sample, below `bound`, at `position` of `epoch`; threads call it side by side.
    using At = std::function<std::int64_t(std::int64_t epoch, std::int64_t position)>;
    ComputedSampler(std::int64_t size, std::int64_t bound, At at) : size_(size), bound_(bound), at_(std::move(at)) {}
    Order begin_epoch(const at::Generator&) override;
    std::int64_t size() const override { return size_; }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    /// Nothing: the loader's own epoch says all.
    Tree state(bool) const override { return Tree::dict(); }
    void load_state_dict(const Tree&) override {}

  private:
    std::int64_t size_, bound_;
    At at_;
    std::int64_t epoch_ = 0;
};

/// A batch sampler of the user's: all batches of an epoch, the same on every rank. With `batch_size` every batch but the last must
/// have it (checked); without, batches are dynamic: each rank gets whole ones.
struct BatchSampler {
    std::function<std::vector<std::vector<std::int64_t>>(std::int64_t epoch)> batches;
    std::optional<std::int64_t> batch_size;
    bool drop_last = false;
};

}  // namespace trainyard::data
