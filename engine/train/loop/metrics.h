#pragma once
// Metrics over all ranks without duplicates: each rank adds its own samples to sums (float64), which are added over the ranks once, at
// the end. Rows that a loader repeated to even out the last batch are left out (own_rows), so that the value is that of the data set,
// whatever the number of ranks.
//
//     Accuracy accuracy; Mean loss;
//     for (Tree& batch : *loader) {
//         std::int64_t rows = own_rows(*loader, rank, size of the batch);
//         accuracy.update(logits.narrow(0, 0, rows), labels.narrow(0, 0, rows)); ...
//     }
//     reduce({&accuracy, &loss}, communicator);       // collective, one message
//     for (auto& [name, value] : accuracy.values()) ...

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/loader.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::train {

/// Rows of this rank's newest batch of `rows` rows that are no repetitions: ranks' batches lie one behind the other in the global
/// batch, repetitions are at its end (Loader::remainder).
std::int64_t own_rows(const data::Loader& loader, int rank, std::int64_t rows);

using NamedValues = std::vector<std::pair<std::string, double>>;

class Metric {
  public:
    virtual ~Metric() = default;
    /// Sums of this rank; after reduce() those of all ranks.
    std::span<const double> sums() const { return sums_; }
    std::span<double> sums() { return sums_; }
    /// NaN where nothing was counted.
    virtual NamedValues values() const = 0;
    void reset();

  protected:
    Metric(std::string name, std::size_t size) : name_(std::move(name)), sums_(size, 0.0) {}
    std::string name_;
    std::vector<double> sums_;
};

/// Adds the sums of all ranks, in one message. All ranks give the same metrics in the same order. Afterwards reset() before the next
/// update(). `communicator` may be null: one rank.
void reduce(std::span<Metric* const> metrics, parallel::Communicator* communicator,
            const std::string& name = "metrics");
void reduce(std::initializer_list<Metric*> metrics, parallel::Communicator* communicator,
            const std::string& name = "metrics");

/// Mean, weighted by whatever each value stands for (samples, tokens).
class Mean final : public Metric {
  public:
    explicit Mean(std::string name = "mean") : Metric(std::move(name), 2) {}
    void update(double value, double weight = 1);
    /// Every element, each with its weight; no weights: 1. Same shapes.
    void update(const at::Tensor& values, const at::Tensor& weights = {});
    double value() const;
    NamedValues values() const override { return {{name_, value()}}; }
};

/// exp of the mean negative log likelihood of a token.
class Perplexity final : public Metric {
  public:
    explicit Perplexity(std::string name = "perplexity") : Metric(std::move(name), 2) {}
    /// `mean_loss` over `tokens` tokens.
    void update(double mean_loss, double tokens);
    double value() const;
    NamedValues values() const override { return {{name_, value()}}; }
};

/// Share of targets among the `k` highest scores of their row.
class Accuracy final : public Metric {
  public:
    explicit Accuracy(std::int64_t k = 1, std::int64_t ignore_index = -100, std::string name = {});
    /// `scores` [..., classes] (or predicted classes of the shape of `targets`, when k is 1), `targets` [...] integers.
    void update(const at::Tensor& scores, const at::Tensor& targets);
    double value() const;
    NamedValues values() const override { return {{name_, value()}}; }

  private:
    std::int64_t k_, ignore_index_;
};

/// Counts [target, predicted]; accuracy, precision, recall and F1 of it.
class ConfusionMatrix final : public Metric {
  public:
    /// `average`: "macro" (mean over the classes that occur as target or prediction), "micro", "weighted" (by targets), or "binary"
    /// (class 1 of two).
    explicit ConfusionMatrix(std::int64_t classes, std::string average = "macro", std::int64_t ignore_index = -100);
    /// As Accuracy. Throws UserError for a class outside [0, classes).
    void update(const at::Tensor& scores, const at::Tensor& targets);
    double count(std::int64_t target, std::int64_t predicted) const;
    double precision(std::int64_t label) const;  ///< 0 when it was never predicted
    double recall(std::int64_t label) const;     ///< 0 when it never was a target
    double f1(std::int64_t label) const;
    /// accuracy, precision, recall, f1
    NamedValues values() const override;

  private:
    std::int64_t classes_;
    std::string average_;
    std::int64_t ignore_index_;
};

/// Mean squared and mean absolute error over all elements: mse, rmse, mae.
class RegressionError final : public Metric {
  public:
    explicit RegressionError(std::string name = {}) : Metric(std::move(name), 3) {}
    void update(const at::Tensor& predictions, const at::Tensor& targets);
    NamedValues values() const override;
};

}  // namespace trainyard::train
