// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Summaries other than scalars and text: images, histograms, and data of TensorBoard's HParams plugin, as PyTorch's
// SummaryWriter writes them. Fields: tensorboard/compat/proto/summary.proto,
// tensorboard/plugins/hparams/{api,plugin_data}.proto.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::events {

/// Hyper-parameters of a run, in the order in which they are written.
using HyperParameters = std::vector<std::pair<std::string, std::variant<bool, double, std::string>>>;

/// The records of one session of the HParams plugin: the experiment (names, types, metric tags), the session start with
/// the values, and, with `ended`, the session end. Booleans stay booleans; PyTorch's writer turns them into numbers.
std::vector<std::string> encode_hparams(double wall_time, const HyperParameters& parameters,
                                        const std::vector<std::string>& metric_tags, bool ended);

struct Histogram {
    double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
    std::vector<double> limits;  ///< right edges of the buckets; the first bucket is empty
    std::vector<double> counts;
};

/// Buckets that grow by 10 % from 1e-12 to 1e20 on both sides of 0 (the default of TensorFlow and PyTorch), without
/// empty buckets at both ends. Non-finite values are skipped. Without values the histogram is empty.
Histogram histogram_of(std::span<const float> values);

/// An encoded image (PNG). `channels`: 1 grey, 3 RGB.
std::string encode_image(std::int64_t step, double wall_time, std::string_view tag, std::int64_t height,
                         std::int64_t width, std::int64_t channels, std::string_view encoded);

std::string encode_histogram(std::int64_t step, double wall_time, std::string_view tag, const Histogram& histogram);

}  // namespace trainyard::events
