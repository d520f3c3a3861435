#include "train/loop/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "train/loop/gather_numbers.h"

namespace trainyard::train {

namespace {

double ratio(double above, double below) {
    return below == 0 ? std::numeric_limits<double>::quiet_NaN() : above / below;
}

/// The same, where nothing counted means nothing right.
double share(double above, double below) {
    return below == 0 ? 0 : above / below;
}

/// On the host, contiguous, of one kind: what the sums are taken from.
at::Tensor reals(const at::Tensor& tensor) {
    return tensor.detach().to(at::kCPU, at::kDouble).contiguous();
}
at::Tensor integers(const at::Tensor& tensor) {
    return tensor.detach().to(at::kCPU, at::kLong).contiguous();
}
template <class T>
std::span<const T> elements(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<T>(), static_cast<std::size_t>(tensor.numel())};
}

void same_shape(const char* metric, const at::Tensor& first, const at::Tensor& second) {
    if (first.sizes() != second.sizes())
        throw UserError("{}: the tensors have {} and {} elements, or other shapes: they must be alike", metric,
                        first.numel(), second.numel());
}

/// True when `scores` has one dimension more than `targets`: scores of each class.
bool has_classes(const char* metric, const at::Tensor& scores, const at::Tensor& targets) {
    if (scores.dim() == targets.dim() + 1 && scores.sizes().slice(0, targets.sizes().size()) == targets.sizes())
        return true;
    if (scores.sizes() != targets.sizes())
        throw UserError(
            "{}: scores must have the shape of the targets and a last dimension of classes, or be "
            "classes of the shape of the targets",
            metric);
    return false;
}

/// The class each row predicts: the highest score, the first of equal ones.
std::vector<std::int64_t> predicted(const at::Tensor& scores, bool classes) {
    if (!classes) {
        const at::Tensor whole = integers(scores);
        const auto all = elements<std::int64_t>(whole);
        return {all.begin(), all.end()};
    }
    const at::Tensor all = reals(scores);
    const auto numbers = elements<double>(all);
    const auto width = static_cast<std::size_t>(scores.size(-1));
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; width > 0 && row < numbers.size(); row += width) {
        const auto of = numbers.subspan(row, width);
        rows.push_back(std::max_element(of.begin(), of.end()) - of.begin());
    }
    return rows;
}

}  // namespace

std::int64_t own_rows(const data::Loader& loader, int rank, std::int64_t rows) {
    const std::int64_t remainder = loader.remainder();
    if (!loader.at_end() || remainder <= 0)
        return rows;
    return std::clamp<std::int64_t>(remainder - rank * rows, 0, rows);
}

void Metric::reset() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
}

void reduce(std::span<Metric* const> metrics, parallel::Communicator* communicator, const std::string& name) {
    if (communicator == nullptr || communicator->size() == 1)
        return;
    std::vector<double> all;
    for (const Metric* metric : metrics)
        all.insert(all.end(), metric->sums().begin(), metric->sums().end());
    const at::Tensor message = to_device(std::span<double>(all), *communicator);
    communicator->all_reduce(message, name).wait();
    const at::Tensor host = message.to(at::kCPU);
    const double* from = host.const_data_ptr<double>();
    for (Metric* metric : metrics) {
        std::copy_n(from, metric->sums().size(), metric->sums().begin());
        from += metric->sums().size();
    }
}

void reduce(std::initializer_list<Metric*> metrics, parallel::Communicator* communicator, const std::string& name) {
    const std::vector<Metric*> all(metrics);
    reduce(std::span<Metric* const>(all), communicator, name);
}

void Mean::update(double value, double weight) {
    sums_[0] += weight == 0 ? 0 : value * weight;
    sums_[1] += weight;
}

void Mean::update(const at::Tensor& values, const at::Tensor& weights) {
    const at::Tensor numbers = reals(values);
    const at::Tensor shares = weights.defined() ? reals(weights) : at::Tensor();
    if (weights.defined())
        same_shape("Mean", values, weights);
    const auto of = elements<double>(numbers);
    for (std::size_t i = 0; i < of.size(); ++i)
        update(of[i], weights.defined() ? elements<double>(shares)[i] : 1);
}

double Mean::value() const {
    return ratio(sums_[0], sums_[1]);
}

void Perplexity::update(double mean_loss, double tokens) {
    sums_[0] += tokens == 0 ? 0 : mean_loss * tokens;
    sums_[1] += tokens;
}

double Perplexity::value() const {
    return std::exp(ratio(sums_[0], sums_[1]));
}

Accuracy::Accuracy(std::int64_t k, std::int64_t ignore_index, std::string name)
    : Metric(!name.empty() ? std::move(name)
             : k == 1      ? "accuracy"
                           : fmt::format("top_{}_accuracy", k),
             2),
      k_(k),
      ignore_index_(ignore_index) {
    if (k < 1)
        throw UserError("Accuracy: k must be at least 1");
}

void Accuracy::update(const at::Tensor& scores, const at::Tensor& targets) {
    const at::Tensor wanted = integers(targets);
    const auto labels = elements<std::int64_t>(wanted);
    const bool classes = has_classes("Accuracy", scores, targets);
    if (!classes && k_ > 1)
        throw UserError("Accuracy: the best k need the scores of each class");
    if (!classes || k_ == 1) {
        const std::vector<std::int64_t> rows = predicted(scores, classes);
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (labels[i] != ignore_index_) {
                sums_[0] += rows.at(i) == labels[i] ? 1 : 0;
                sums_[1] += 1;
            }
        return;
    }
    const at::Tensor all = reals(scores);
    const auto width = static_cast<std::size_t>(scores.size(-1));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == ignore_index_)
            continue;
        sums_[1] += 1;
        if (labels[i] < 0 || labels[i] >= static_cast<std::int64_t>(width))
            continue;
        // Of equal scores the first counts as higher, as argmax has it.
        const auto row = elements<double>(all).subspan(i * width, width);
        const auto label = static_cast<std::size_t>(labels[i]);
        std::int64_t higher = 0;
        for (std::size_t other = 0; other < width; ++other)
            higher += row[other] > row[label] || (row[other] == row[label] && other < label) ? 1 : 0;
        sums_[0] += higher < k_ && !std::isnan(row[label]) ? 1 : 0;
    }
}

double Accuracy::value() const {
    return ratio(sums_[0], sums_[1]);
}

ConfusionMatrix::ConfusionMatrix(std::int64_t classes, std::string average, std::int64_t ignore_index)
    : Metric("confusion",
             static_cast<std::size_t>(std::max<std::int64_t>(classes, 0) * std::max<std::int64_t>(classes, 0))),
      classes_(classes),
      average_(std::move(average)),
      ignore_index_(ignore_index) {
    if (classes < 2)
        throw UserError("ConfusionMatrix: there must be at least two classes");
    if (average_ != "macro" && average_ != "micro" && average_ != "weighted" && average_ != "binary")
        throw UserError("ConfusionMatrix: average is '{}', must be macro, micro, weighted or binary", average_);
    if (average_ == "binary" && classes != 2)
        throw UserError("ConfusionMatrix: the average 'binary' is for two classes, not {}", classes);
}

void ConfusionMatrix::update(const at::Tensor& scores, const at::Tensor& targets) {
    const at::Tensor wanted = integers(targets);
    const auto labels = elements<std::int64_t>(wanted);
    const std::vector<std::int64_t> rows = predicted(scores, has_classes("ConfusionMatrix", scores, targets));
    auto check = [&](std::int64_t label) {
        if (label < 0 || label >= classes_)
            throw UserError("ConfusionMatrix: class {} is outside of 0 to {}", label, classes_ - 1);
    };
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != ignore_index_) {
            check(labels[i]);
            check(rows.at(i));
        }
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != ignore_index_)
            sums_[static_cast<std::size_t>(labels[i] * classes_ + rows[i])] += 1;
}

double ConfusionMatrix::count(std::int64_t target, std::int64_t predicted_class) const {
    return sums_.at(static_cast<std::size_t>(target * classes_ + predicted_class));
}

double ConfusionMatrix::precision(std::int64_t label) const {
    double all = 0;
    for (std::int64_t target = 0; target < classes_; ++target)
        all += count(target, label);
    return share(count(label, label), all);
}

double ConfusionMatrix::recall(std::int64_t label) const {
    double all = 0;
    for (std::int64_t prediction = 0; prediction < classes_; ++prediction)
        all += count(label, prediction);
    return share(count(label, label), all);
}

double ConfusionMatrix::f1(std::int64_t label) const {
    const double found = precision(label), complete = recall(label);
    return share(2 * found * complete, found + complete);
}

NamedValues ConfusionMatrix::values() const {
    double total = 0, right = 0;
    std::vector<double> targets(static_cast<std::size_t>(classes_)), seen(static_cast<std::size_t>(classes_));
    for (std::int64_t target = 0; target < classes_; ++target)
        for (std::int64_t prediction = 0; prediction < classes_; ++prediction) {
            const double n = count(target, prediction);
            total += n;
            right += target == prediction ? n : 0;
            targets[static_cast<std::size_t>(target)] += n;
            seen[static_cast<std::size_t>(target)] += n;
            seen[static_cast<std::size_t>(prediction)] += n;
        }
    const double accuracy = ratio(right, total);
    double weights = 0, precision_sum = 0, recall_sum = 0, f1_sum = 0;
    for (std::int64_t label = 0; label < classes_; ++label) {
        const auto at = static_cast<std::size_t>(label);
        const double weight = average_ == "weighted" ? targets[at]
                              : average_ == "binary" ? (label == 1 ? 1 : 0)
                                                     : (seen[at] > 0 ? 1 : 0);
        weights += weight;
        precision_sum += weight * precision(label);
        recall_sum += weight * recall(label);
        f1_sum += weight * f1(label);
    }
    if (average_ == "micro" || total == 0)  // each sample has one class: all three are the accuracy
        return {{"accuracy", accuracy}, {"precision", accuracy}, {"recall", accuracy}, {"f1", accuracy}};
    return {{"accuracy", accuracy},
            {"precision", ratio(precision_sum, weights)},
            {"recall", ratio(recall_sum, weights)},
            {"f1", ratio(f1_sum, weights)}};
}

void RegressionError::update(const at::Tensor& predictions, const at::Tensor& targets) {
    same_shape("RegressionError", predictions, targets);
    const at::Tensor first = reals(predictions), second = reals(targets);
    const auto guesses = elements<double>(first), truths = elements<double>(second);
    for (std::size_t i = 0; i < guesses.size(); ++i) {
        const double error = guesses[i] - truths[i];
        sums_[0] += error * error;
        sums_[1] += std::abs(error);
        sums_[2] += 1;
    }
}

NamedValues RegressionError::values() const {
    const std::string prefix = name_.empty() ? "" : name_ + "/";
    const double mean_square = ratio(sums_[0], sums_[2]);
    return {{prefix + "mse", mean_square},
            {prefix + "rmse", std::sqrt(mean_square)},
            {prefix + "mae", ratio(sums_[1], sums_[2])}};
}

}  // namespace trainyard::train
