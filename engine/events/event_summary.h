#pragma once
// Summaries of event files besides scalars and text: pictures, histograms, and the pages of TensorBoard's HParams plugin. As SummaryWriter of
// PyTorch writes them. Fields: tensorboard/compat/proto/summary.proto, tensorboard/plugins/hparams/{api,plugin_data}.proto.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::events {

/// Hyper-parameters of a run, in their order.
using HyperParameters = std::vector<std::pair<std::string, std::variant<bool, double, std::string>>>;

/// The three records of one run of the plugin: the experiment (names, kinds, tags of the metrics), the start with the values, and, once it has
/// `ended`, that it did.
/// Truth values are kept as such; PyTorch's writer makes numbers of them.
std::vector<std::string> encode_hparams(double wall_time, const HyperParameters& parameters,
                                        const std::vector<std::string>& metric_tags, bool ended);

struct Histogram {
    double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
    std::vector<double> limits;  ///< right ends of the buckets; the first bucket is empty
    std::vector<double> counts;
};

/// Buckets that grow by 10 % from 1e-12 to 1e20 on both sides of 0 (TensorFlow's and PyTorch's default), without the empty ones outside.
/// Values that are not finite are left out. No values: everything is empty.
Histogram histogram_of(std::span<const float> values);

/// An encoded picture (PNG). `channels`: 1 grey, 3 RGB.
std::string encode_image(std::int64_t step, double wall_time, std::string_view tag, std::int64_t height,
                         std::int64_t width, std::int64_t channels, std::string_view encoded);

std::string encode_histogram(std::int64_t step, double wall_time, std::string_view tag, const Histogram& histogram);

}  // namespace trainyard::events
