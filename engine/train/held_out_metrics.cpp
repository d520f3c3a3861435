// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/held_out_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ATen/ops/tensor.h>

#include "models/plugins/plugins.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"
#include "train/loop/gather_numbers.h"

namespace trainyard::train {

namespace {

std::vector<double> added_up(std::vector<double> sums, parallel::Communicator& ranks, const std::string& name) {
    const std::vector<std::vector<double>> all = gather_numbers(std::move(sums), ranks, name);
    std::vector<double> total(all.front().size(), 0.0);
    for (const std::vector<double>& own : all)
        for (std::size_t i = 0; i < own.size(); ++i)
            total[i] += own[i];
    return total;
}

class FoundLabels final : public HeldOutMetric {
  public:
    void reset() override { right_ = judged_ = 0; }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor counted = plugins::counted_labels(labels);
        right_ += outputs.argmax(-1).eq(labels).logical_and(counted).sum().item<double>();
        judged_ += counted.sum().item<double>();
    }
    double value(parallel::Communicator& ranks) override {
        const std::vector<double> total = added_up({right_, judged_}, ranks, "accuracy");
        return total[0] / std::max(1.0, total[1]);
    }

  private:
    double right_ = 0, judged_ = 0;
};

class RankCorrelation final : public HeldOutMetric {
  public:
    void reset() override { outputs_.clear(), labels_.clear(); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor counted = plugins::counted_labels(labels).to(at::kCPU);
        append(outputs_, outputs.to(at::kCPU).masked_select(counted));
        append(labels_, labels.to(at::kCPU).masked_select(counted));
    }
    double value(parallel::Communicator& ranks) override {
        const auto own = static_cast<std::int64_t>(labels_.size());
        std::int64_t most = 0;
        const auto counts = gather_numbers(std::vector<std::int64_t>{own}, ranks, "number of scores");
        for (const auto& count : counts)
            most = std::max(most, count[0]);
        std::vector<double> mine = outputs_;
        mine.resize(static_cast<std::size_t>(most));
        mine.insert(mine.end(), labels_.begin(), labels_.end());
        mine.resize(static_cast<std::size_t>(2 * most));
        const auto rows = gather_numbers(std::move(mine), ranks, "scores");
        std::vector<double> outputs, labels;
        for (std::size_t rank = 0; rank < rows.size(); ++rank)
            for (std::int64_t i = 0; i < counts[rank][0]; ++i) {
                outputs.push_back(rows[rank][static_cast<std::size_t>(i)]);
                labels.push_back(rows[rank][static_cast<std::size_t>(most + i)]);
            }
        return spearman(outputs, labels);
    }

  private:
    static void append(std::vector<double>& to, const at::Tensor& values) {
        const at::Tensor numbers = values.to(at::kDouble).contiguous();
        to.insert(to.end(), numbers.const_data_ptr<double>(), numbers.const_data_ptr<double>() + numbers.numel());
    }
    std::vector<double> outputs_, labels_;
};

class PluginMetric final : public HeldOutMetric {
  public:
    explicit PluginMetric(const std::string& name) : name_(name), metric_(plugins::make_metric(name)) {}
    void reset() override { std::ranges::fill(metric_->sums, 0.0); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor counted = plugins::counted_labels(labels).view({labels.size(0), -1}).any(1);
        const at::Tensor rows = counted.nonzero().view({-1});
        if (rows.numel() > 0)
            plugins::call_part(plugins::Part::metric, name_,
                               [&] { metric_->update(outputs.index_select(0, rows), labels.index_select(0, rows)); });
    }
    double value(parallel::Communicator& ranks) override {
        metric_->sums = added_up(metric_->sums, ranks, name_);
        return plugins::call_part(plugins::Part::metric, name_, [&] { return metric_->value(); });
    }

  private:
    std::string name_;
    std::unique_ptr<plugin::Metric> metric_;
};

/// From 1 on; equal values have the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            ranks[order[i]] = (static_cast<double>(begin + end) + 1) / 2;
    }
    return ranks;
}

}  // namespace

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> x = ranks_of(a), y = ranks_of(b);
    const double mean = (static_cast<double>(x.size()) + 1) / 2;
    double products = 0, squares_x = 0, squares_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        products += (x[i] - mean) * (y[i] - mean);
        squares_x += (x[i] - mean) * (x[i] - mean);
        squares_y += (y[i] - mean) * (y[i] - mean);
    }
    return products / std::sqrt(squares_x * squares_y);
}

HeldOutMetrics::HeldOutMetrics(const config::Recipe& recipe) {
    const std::string& task = recipe.model.task;
    const bool classifies = task == families::kSequenceClassification || task == families::kTokenClassification ||
                            task == families::kImageClassification;
    // The outputs of a loss of one's own need not be logits.
    if (classifies && families::loss_of(recipe.model) == families::kSingleLabel)
        rows_.emplace_back("accuracy", std::make_unique<FoundLabels>());
    if (task == families::kSentenceEmbedding && recipe.model.loss == families::kCosineLoss)
        rows_.emplace_back("spearman", std::make_unique<RankCorrelation>());
    plugins::load(recipe.plugins);
    for (const std::string& name : recipe.training.metrics)
        rows_.emplace_back(name, std::make_unique<PluginMetric>(name));
}

void HeldOutMetrics::reset() {
    for (const auto& row : rows_)
        row.second->reset();
}

void HeldOutMetrics::update(const at::Tensor& outputs, const at::Tensor& labels) {
    for (const auto& row : rows_)
        row.second->update(outputs, labels);
}

HeldOutValues HeldOutMetrics::values(parallel::Communicator& ranks) {
    HeldOutValues made;
    for (const auto& [name, metric] : rows_)
        made.emplace_back(name, metric->value(ranks));
    return made;
}

}  // namespace trainyard::train
