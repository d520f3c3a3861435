// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/held_out_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include <ATen/ops/arange.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "config/recipe/entity_tags.h"
#include "config/recipe/metric_names.h"
#include "models/nn/kernels/class_loss.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/plugins/plugins.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"
#include "run/class_report.h"
#include "train/loop/gather_numbers.h"
#include "train/sample_set.h"

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

/// A metric with one curve.
class OneFigure : public HeldOutMetric {
  public:
    explicit OneFigure(std::string name) : name_(std::move(name)) {}
    HeldOutValues values(parallel::Communicator& ranks) final { return {{name_, value(ranks)}}; }

  protected:
    virtual double value(parallel::Communicator& ranks) = 0;
    std::string name_;
};

class FoundLabels final : public OneFigure {
  public:
    using OneFigure::OneFigure;
    void reset() override { right_ = judged_ = 0; }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        // Rows with a single possible output do not count: in recordings, frames whose codes are all the same.
        const at::Tensor counted = plugins::counted_labels(labels).logical_and(outputs.isfinite().sum(-1).gt(1));
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

/// Mean cross-entropy of the masked frames of recordings.
class ContrastiveLoss final : public OneFigure {
  public:
    using OneFigure::OneFigure;
    void reset() override { sum_ = counted_ = 0; }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        sum_ += models::class_loss(families::kSingleLabel, outputs, labels).item<double>();
        counted_ += labels.ne(models::kIgnoredLabel).sum().item<double>();
    }
    double value(parallel::Communicator& ranks) override {
        const std::vector<double> total = added_up({sum_, counted_}, ranks, name_);
        return total[0] / std::max(1.0, total[1]);
    }

  private:
    double sum_ = 0, counted_ = 0;
};

/// True and false positives and false negatives of each class.
class ClassCounts final : public OneFigure {
  public:
    ClassCounts(const config::ClassMetric& metric, std::int64_t classes, bool several)
        : OneFigure(metric.name), metric_(metric), classes_(static_cast<std::size_t>(classes)), several_(several) {
        reset();
    }
    void reset() override { counts_.assign(3 * classes_, 0.0); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const auto classes = static_cast<std::int64_t>(classes_);
        at::Tensor found, wanted, counted;  // [targets, classes], bool
        if (several_) {
            wanted = labels.view({-1, classes}).gt(0);
            counted = labels.view({-1, classes}).ge(0);
            found = outputs.reshape({-1, classes}).gt(0);
        } else {
            const at::Tensor flat = labels.reshape({-1});
            const at::Tensor numbers = at::arange(classes, flat.options());
            counted = flat.ne(models::kIgnoredLabel).unsqueeze(1);
            wanted = flat.unsqueeze(1).eq(numbers);
            found = outputs.reshape({-1, classes}).argmax(-1).unsqueeze(1).eq(numbers);
        }
        const at::Tensor sums = at::stack({found.logical_and(wanted), found.logical_and(wanted.logical_not()),
                                           found.logical_not().logical_and(wanted)})
                                    .logical_and(counted)
                                    .sum({1}, false, at::kDouble)
                                    .to(at::kCPU)
                                    .contiguous();
        for (std::size_t i = 0; i < counts_.size(); ++i)
            counts_[i] += sums.const_data_ptr<double>()[i];
    }
    double value(parallel::Communicator& ranks) override {
        using enum config::ClassMetric::Average;
        const std::vector<double> total = added_up(counts_, ranks, metric_.name);
        const auto of = [&](std::size_t kind, std::size_t number) { return total[kind * classes_ + number]; };
        if (metric_.average == usual && classes_ == 2 && !several_)
            return figure(of(0, 1), of(1, 1), of(2, 1));
        double right = 0, wrong = 0, missed = 0, sum = 0, weights = 0;
        for (std::size_t i = 0; i < classes_; ++i) {
            right += of(0, i), wrong += of(1, i), missed += of(2, i);
            // Of one label a sample, classes that are neither found nor wanted do not count.
            const double is_there = several_ || of(0, i) + of(1, i) + of(2, i) > 0 ? 1 : 0;
            const double weight = metric_.average == weighted ? of(0, i) + of(2, i) : is_there;
            sum += weight * figure(of(0, i), of(1, i), of(2, i));
            weights += weight;
        }
        return metric_.average == micro ? figure(right, wrong, missed) : weights > 0 ? sum / weights : 0;
    }

  private:
    double figure(double right, double wrong, double missed) const {
        using enum config::ClassMetric::Figure;
        const double all = metric_.figure == f1          ? 2 * right + wrong + missed
                           : metric_.figure == precision ? right + wrong
                                                         : right + missed;
        return all > 0 ? (metric_.figure == f1 ? 2 : 1) * right / all : 0;
    }

    config::ClassMetric metric_;
    std::size_t classes_;
    bool several_;  ///< labels of a sample
    std::vector<double> counts_;
};

/// The likeliest answer in each part of a text, as transformers' example run_qa.py looks for it.
class Answers final : public OneFigure {
  public:
    Answers(std::string name, const config::DataRecipe& data, double AnswerFigures::*figure, const SampleSet* samples)
        : OneFigure(std::move(name)),
          best_(data.n_best_size),
          longest_(data.max_answer_length),
          figure_(figure),
          samples_(samples) {}
    void reset() override { rows_.clear(); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor scores = outputs.to(at::kCPU, at::kDouble).transpose(1, 2).contiguous();
        const at::Tensor parts = labels.to(at::kCPU).contiguous();
        const std::int64_t length = scores.size(2), columns = parts.size(1);
        for (std::int64_t row = 0; row < scores.size(0); ++row) {
            const auto* part = parts.const_data_ptr<std::int64_t>() + row * columns;
            if (part[0] == models::kIgnoredLabel)
                continue;
            const double *begins = scores.const_data_ptr<double>() + 2 * row * length, *ends = begins + length;
            add(part[2], begins, ends, part[3], part[4]);
        }
    }
    double value(parallel::Communicator& ranks) override {
        std::size_t most = 0;
        const auto counts = gather_numbers(std::vector<std::int64_t>{std::ssize(rows_)}, ranks, "number of answers");
        for (const auto& count : counts)
            most = std::max(most, static_cast<std::size_t>(count[0]));
        std::vector<double> mine = rows_;
        mine.resize(most);
        const auto all = gather_numbers(std::move(mine), ranks, "answers");
        std::vector<FoundAnswer> answers;
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            for (std::size_t at = 0; std::cmp_less(at, counts[rank][0]); at += kNumbers) {
                const double* row = all[rank].data() + at;
                answers.push_back({static_cast<std::int64_t>(row[0]), row[1], static_cast<std::int64_t>(row[2]),
                                   static_cast<std::int64_t>(row[3]), row[4]});
            }
        // Ranks that do not read the data take the figure of one that does.
        const double own = samples_ != nullptr ? samples_->judge(answers).*figure_ : -1;
        double figure = own;
        for (const auto& each : gather_numbers(std::vector<double>{own}, ranks, "figure of answers"))
            figure = std::max(figure, each[0]);
        return figure;
    }

  private:
    static constexpr std::size_t kNumbers = 5;  ///< of FoundAnswer

    /// The tokens of a part's text from `first` to before `end` with the highest scores.
    std::vector<std::int64_t> likeliest(const double* scores, std::int64_t first, std::int64_t end) const {
        std::vector<std::int64_t> tokens(static_cast<std::size_t>(std::max<std::int64_t>(0, end - first)));
        std::iota(tokens.begin(), tokens.end(), first);
        const auto count = std::min<std::int64_t>(best_, std::ssize(tokens));
        std::ranges::partial_sort(tokens, tokens.begin() + count, std::greater(),
                                  [&](std::int64_t token) { return scores[token]; });
        tokens.resize(static_cast<std::size_t>(count));
        return tokens;
    }
    void add(std::int64_t part, const double* begins, const double* ends, std::int64_t first, std::int64_t end) {
        FoundAnswer found{part, -std::numeric_limits<double>::infinity(), 0, 0, begins[0] + ends[0]};
        const std::vector<std::int64_t> last = likeliest(ends, first, end);
        for (const std::int64_t begin : likeliest(begins, first, end))
            for (const std::int64_t token : last)
                if (token >= begin && token - begin < longest_ && begins[begin] + ends[token] > found.score) {
                    found.score = begins[begin] + ends[token];
                    found.begin = begin;
                    found.end = token;
                }
        rows_.insert(rows_.end(), {static_cast<double>(found.part), found.score, static_cast<double>(found.begin),
                                   static_cast<double>(found.end), found.no_answer});
    }

    std::int64_t best_, longest_;
    double AnswerFigures::*figure_;
    const SampleSet* samples_;
    std::vector<double> rows_;  ///< kNumbers of each part
};

class RankCorrelation final : public OneFigure {
  public:
    using OneFigure::OneFigure;
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

/// Entities that the classes of words mark, as seqeval counts them.
class EntityFigures final : public HeldOutMetric {
  public:
    explicit EntityFigures(const config::Recipe& recipe)
        : tags_(families::label_names(recipe.model), recipe.training.entity_scheme) {
        if (const Message problem = config::why_no_tags(recipe.model, recipe.training.entity_scheme); !problem.empty())
            throw UserError("training.metrics: {}", problem);
        reset();
    }
    void reset() override { counts_.assign(kKinds * tags_.types().size(), 0.0); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor found = outputs.argmax(-1).to(at::kCPU).contiguous(), given = labels.to(at::kCPU).contiguous();
        const std::int64_t length = given.size(1);
        for (std::int64_t row = 0; row < given.size(0); ++row) {
            const auto* classes = found.const_data_ptr<std::int64_t>() + row * length;
            const auto* wanted = given.const_data_ptr<std::int64_t>() + row * length;
            std::vector<std::int64_t> own, right;
            for (std::int64_t i = 0; i < length; ++i)
                if (wanted[i] != models::kIgnoredLabel) {
                    own.push_back(classes[i]);
                    right.push_back(wanted[i]);
                }
            add(tags_.entities(own), tags_.entities(right));
        }
    }
    HeldOutValues values(parallel::Communicator& ranks) override {
        const std::vector<double> total = added_up(counts_, ranks, config::kSeqeval);
        double right = 0, found = 0, wanted = 0;
        HeldOutValues made;
        for (std::size_t type = 0; type < tags_.types().size(); ++type) {
            const double* of_type = total.data() + kKinds * type;
            if (of_type[1] + of_type[2] == 0)  // as in seqeval, a type that does not occur has no figures
                continue;
            right += of_type[0], found += of_type[1], wanted += of_type[2];
            add_figures(made, tags_.types()[type], of_type[0], of_type[1], of_type[2]);
        }
        add_figures(made, "overall", right, found, wanted);
        return made;
    }

  private:
    static constexpr std::size_t kKinds = 3;  ///< of a type: found rightly, found, wanted

    void add(const std::vector<config::Entity>& found, const std::vector<config::Entity>& wanted) {
        for (const config::Entity& each : found) {
            counts_[kKinds * each.type + 1] += 1;
            if (std::ranges::find(wanted, each) != wanted.end())
                counts_[kKinds * each.type] += 1;
        }
        for (const config::Entity& each : wanted)
            counts_[kKinds * each.type + 2] += 1;
    }
    static void add_figures(HeldOutValues& made, const std::string& type, double right, double found, double wanted) {
        const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
        const double precision = share(right, found), recall = share(right, wanted);
        made.emplace_back(type + "_precision", precision);
        made.emplace_back(type + "_recall", recall);
        made.emplace_back(type + "_f1", share(2 * precision * recall, precision + recall));
    }

    config::TagReader tags_;
    std::vector<double> counts_;  ///< kKinds of each type
};

/// Classes of pixels over the whole held-out part, as the metric mean_iou of evaluate.
class PixelFigures final : public HeldOutMetric {
  public:
    explicit PixelFigures(std::int64_t classes) : classes_(classes) { reset(); }
    void reset() override { counts_.assign(static_cast<std::size_t>(3 * classes_), 0.0); }
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        const at::Tensor counted = labels.ne(models::kIgnoredLabel);
        const at::Tensor wanted = labels.masked_select(counted), found = outputs.argmax(-1).masked_select(counted);
        std::int64_t kind = 0;
        for (const at::Tensor& classes : {wanted.masked_select(found.eq(wanted)), found, wanted}) {
            const at::Tensor sums = at::bincount(classes.to(at::kCPU), {}, classes_).contiguous();
            for (std::int64_t i = 0; i < classes_; ++i)
                counts_[static_cast<std::size_t>(kind * classes_ + i)] +=
                    static_cast<double>(sums.const_data_ptr<std::int64_t>()[i]);
            ++kind;
        }
    }
    HeldOutValues values(parallel::Communicator& ranks) override {
        const std::vector<double> total = added_up(counts_, ranks, config::kMeanIou);
        const auto of = [&](std::int64_t kind, std::int64_t number) {
            return total[static_cast<std::size_t>(kind * classes_ + number)];
        };
        double right = 0, pixels = 0, shares = 0, there = 0, accuracies = 0, wanted = 0;
        for (std::int64_t i = 0; i < classes_; ++i) {
            right += of(0, i), pixels += of(2, i);
            if (const double united = of(1, i) + of(2, i) - of(0, i); united > 0)
                shares += of(0, i) / united, there += 1;
            if (of(2, i) > 0)
                accuracies += of(0, i) / of(2, i), wanted += 1;
        }
        return {{"accuracy", right / std::max(1.0, pixels)},
                {config::kMeanIou, shares / std::max(1.0, there)},
                {config::kMeanAccuracy, accuracies / std::max(1.0, wanted)}};
    }

  private:
    std::int64_t classes_;
    std::vector<double> counts_;  ///< pixels of each class: found rightly, found, wanted
};

class PluginMetric final : public OneFigure {
  public:
    explicit PluginMetric(const std::string& name) : OneFigure(name), metric_(plugins::make_metric(name)) {}
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

namespace {

std::optional<ClassOutcome::Kind> outcome_kind(const config::ModelRecipe& model) {
    if (model.task == families::kSemanticSegmentation)
        return ClassOutcome::Kind::pixels;
    if (model.task != families::kSequenceClassification && model.task != families::kTokenClassification &&
        model.task != families::kImageClassification)
        return std::nullopt;
    if (const std::string loss = families::loss_of(model); loss == families::kMultiLabel)
        return ClassOutcome::Kind::several;
    else if (loss != families::kSingleLabel)
        return std::nullopt;
    return ClassOutcome::Kind::single;
}

}  // namespace

HeldOutMetrics::HeldOutMetrics(const config::Recipe& recipe, const SampleSet* samples) {
    if (recipe.model.task == families::kSemanticSegmentation)
        rows_.push_back(std::make_unique<PixelFigures>(recipe.model.num_labels));
    else
        for (const std::string& name : config::task_metrics(recipe.model))
            if (name == "accuracy")
                rows_.push_back(std::make_unique<FoundLabels>(name));
            else if (name == config::kContrastiveLoss)
                rows_.push_back(std::make_unique<ContrastiveLoss>(name));
            else if (name == config::kCodevectorPerplexity)
                continue;  // follows from the loss: train/evaluation.cpp
            else if (name == "spearman")
                rows_.push_back(std::make_unique<RankCorrelation>(name));
            else
                rows_.push_back(std::make_unique<Answers>(
                    name, recipe.data, name == "f1" ? &AnswerFigures::f1 : &AnswerFigures::exact_match, samples));
    if (const auto kind = outcome_kind(recipe.model);
        kind && std::cmp_less_equal(recipe.model.num_labels, run::kMostClasses)) {
        outcome_.emplace();
        outcome_->classes = recipe.model.num_labels;
        outcome_->kind = *kind;
        outcome_->reset();
    }
    plugins::load(recipe.plugins);
    const bool several = families::loss_of(recipe.model) == families::kMultiLabel;
    for (const std::string& name : recipe.training.metrics) {
        if (name == config::kPerplexity)
            continue;
        if (const auto found = std::ranges::find(config::class_metrics(), name, &config::ClassMetric::name);
            found != config::class_metrics().end())
            rows_.push_back(std::make_unique<ClassCounts>(*found, recipe.model.num_labels, several));
        else if (name == config::kSeqeval)
            rows_.push_back(std::make_unique<EntityFigures>(recipe));
        else
            rows_.push_back(std::make_unique<PluginMetric>(name));
    }
}

void HeldOutMetrics::reset() {
    for (const auto& row : rows_)
        row->reset();
    if (outcome_)
        outcome_->reset();
}

void HeldOutMetrics::update(const at::Tensor& outputs, const at::Tensor& labels, std::int64_t first_sample) {
    for (const auto& row : rows_)
        row->update(outputs, labels);
    if (outcome_)
        count_classes(*outcome_, outputs, labels, first_sample);
}

HeldOutValues HeldOutMetrics::values(parallel::Communicator& ranks) {
    HeldOutValues made;
    for (const auto& row : rows_)
        std::ranges::move(row->values(ranks), std::back_inserter(made));
    return made;
}

std::optional<ClassOutcome> HeldOutMetrics::classes(parallel::Communicator& ranks, bool counts) {
    if (!outcome_)
        return std::nullopt;
    constexpr std::size_t kNumbers = 5;  // of a sample; a label of -1: there is none
    std::vector<double> sums(outcome_->counts.begin(), outcome_->counts.end());
    std::vector<double> mine;
    for (const ClassOutcome::Sample& sample : outcome_->worst)
        mine.insert(mine.end(),
                    {static_cast<double>(sample.number), static_cast<double>(sample.position),
                     static_cast<double>(sample.label), static_cast<double>(sample.found), sample.probability});
    if (!counts) {
        std::ranges::fill(sums, 0.0);
        mine.clear();
    }
    mine.resize(run::kWorstSamples * kNumbers, -1);
    const at::Tensor total = to_device(std::span<double>(sums), ranks).clone();
    ranks.all_reduce(total, "confusion matrix").wait();
    const at::Tensor host = total.to(at::kCPU);
    ClassOutcome all;
    all.classes = outcome_->classes;
    all.kind = outcome_->kind;
    for (std::int64_t i = 0; i < host.numel(); ++i)
        all.counts.push_back(std::llround(host.const_data_ptr<double>()[i]));
    for (const std::vector<double>& row : gather_numbers(std::move(mine), ranks, "worst samples"))
        for (std::size_t at = 0; at < row.size(); at += kNumbers)
            if (row[at + 2] >= 0)
                all.worst.push_back({static_cast<std::int64_t>(row[at]), static_cast<std::int64_t>(row[at + 1]),
                                     static_cast<std::int64_t>(row[at + 2]), static_cast<std::int64_t>(row[at + 3]),
                                     row[at + 4]});
    keep_worst(all.worst);
    return all;
}

}  // namespace trainyard::train
