// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_summary.h"

#include <algorithm>
#include <cmath>

#include "base/protobuf.h"

namespace trainyard::events {

namespace {

// Enumerators of tensorboard/plugins/hparams/api.proto.
enum HparamType : std::int64_t { kStringValue = 1, kBoolValue = 2, kNumberValue = 3 };
constexpr std::int64_t kStatusSuccess = 1;

std::string summary_event(std::int64_t step, double wall_time, std::string_view value) {
    std::string summary, message;
    protobuf::append_bytes(summary, 1, value);
    protobuf::append_double(message, 1, wall_time);
    if (step != 0)
        protobuf::append_integer(message, 2, step);
    protobuf::append_bytes(message, 5, summary);
    return message;
}

/// A value without data; the information is in the plugin's content.
std::string plugin_event(double wall_time, std::string_view tag, int field, std::string_view content) {
    std::string data, plugin, metadata, value;
    protobuf::append_bytes(data, field, content);
    protobuf::append_bytes(plugin, 1, "hparams");
    protobuf::append_bytes(plugin, 2, data);
    protobuf::append_bytes(metadata, 1, plugin);
    protobuf::append_bytes(value, 1, tag);
    protobuf::append_bytes(value, 9, metadata);
    return summary_event(0, wall_time, value);
}

const std::vector<double>& bucket_edges() {
    static const std::vector<double> edges = [] {
        std::vector<double> rising;
        for (double edge = 1e-12; edge < 1e20; edge *= 1.1)
            rising.push_back(edge);
        std::vector<double> all;
        for (auto edge = rising.rbegin(); edge != rising.rend(); ++edge)
            all.push_back(-*edge);
        all.push_back(0);
        all.insert(all.end(), rising.begin(), rising.end());
        return all;
    }();
    return edges;
}

}  // namespace

std::vector<std::string> encode_hparams(double wall_time, const HyperParameters& parameters,
                                        const std::vector<std::string>& metric_tags, bool ended) {
    std::string experiment, start, end;
    for (const auto& [name, given] : parameters) {
        std::string info, value, entry;
        std::int64_t type = kNumberValue;
        if (const auto* word = std::get_if<std::string>(&given)) {
            type = kStringValue;
            protobuf::append_bytes(value, 3, *word);
        } else if (const bool* truth = std::get_if<bool>(&given)) {
            type = kBoolValue;
            protobuf::append_integer(value, 4, *truth ? 1 : 0);
        } else {
            protobuf::append_double(value, 2, std::get<double>(given));
        }
        protobuf::append_bytes(info, 1, name);
        protobuf::append_integer(info, 4, type);
        protobuf::append_bytes(experiment, 4, info);
        protobuf::append_bytes(entry, 1, name);
        protobuf::append_bytes(entry, 2, value);
        protobuf::append_bytes(start, 1, entry);
    }
    for (const std::string& tag : metric_tags) {
        std::string name, info;
        protobuf::append_bytes(name, 2, tag);
        protobuf::append_bytes(info, 1, name);
        protobuf::append_bytes(experiment, 5, info);
    }
    protobuf::append_integer(end, 1, kStatusSuccess);
    std::vector<std::string> records{plugin_event(wall_time, "_hparams_/experiment", 2, experiment),
                                     plugin_event(wall_time, "_hparams_/session_start_info", 3, start)};
    if (ended)
        records.push_back(plugin_event(wall_time, "_hparams_/session_end_info", 4, end));
    return records;
}

Histogram histogram_of(std::span<const float> values) {
    const std::vector<double>& edges = bucket_edges();
    std::vector<double> counts(edges.size() - 1);
    Histogram made;
    for (float value : values) {
        if (!std::isfinite(value))
            continue;
        const double number = value;
        made.min = made.num == 0 ? number : std::min(made.min, number);
        made.max = made.num == 0 ? number : std::max(made.max, number);
        made.num += 1;
        made.sum += number;
        made.sum_squares += number * number;
        // Buckets are open on the right, except for the last one; values outside of all buckets are counted in the
        // outermost ones.
        auto after = std::upper_bound(edges.begin(), edges.end(), number);
        const auto bucket =
            std::clamp<std::ptrdiff_t>(after - edges.begin() - 1, 0, static_cast<std::ptrdiff_t>(counts.size()) - 1);
        counts[static_cast<std::size_t>(bucket)] += 1;
    }
    if (made.num == 0)
        return made;
    const auto occupied = [](double count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), occupied);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), occupied).base();
    // Histogram keeps right edges only; an empty bucket on the left stores the left edge of the first one.
    made.counts.push_back(0);
    made.counts.insert(made.counts.end(), first, last);
    const auto begin = edges.begin() + (first - counts.begin());
    made.limits.assign(begin, begin + static_cast<std::ptrdiff_t>(made.counts.size()));
    return made;
}

std::string encode_image(std::int64_t step, double wall_time, std::string_view tag, std::int64_t height,
                         std::int64_t width, std::int64_t channels, std::string_view encoded) {
    std::string image, value;
    protobuf::append_integer(image, 1, height);
    protobuf::append_integer(image, 2, width);
    protobuf::append_integer(image, 3, channels);
    protobuf::append_bytes(image, 4, encoded);
    protobuf::append_bytes(value, 1, tag);
    protobuf::append_bytes(value, 4, image);
    return summary_event(step, wall_time, value);
}

std::string encode_histogram(std::int64_t step, double wall_time, std::string_view tag, const Histogram& histogram) {
    auto packed = [](const std::vector<double>& numbers) {
        std::string bytes;
        for (double number : numbers)
            protobuf::append_little_endian(bytes, protobuf::Fields::reinterpret<std::uint64_t>(number), 8);
        return bytes;
    };
    std::string data, value;
    protobuf::append_double(data, 1, histogram.min);
    protobuf::append_double(data, 2, histogram.max);
    protobuf::append_double(data, 3, histogram.num);
    protobuf::append_double(data, 4, histogram.sum);
    protobuf::append_double(data, 5, histogram.sum_squares);
    protobuf::append_bytes(data, 6, packed(histogram.limits));
    protobuf::append_bytes(data, 7, packed(histogram.counts));
    protobuf::append_bytes(value, 1, tag);
    protobuf::append_bytes(value, 5, data);
    return summary_event(step, wall_time, value);
}

}  // namespace trainyard::events
