// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_record.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/number.h"
#include "base/protobuf.h"
#include "formats/events/event_tensor.h"

namespace trainyard::events {

using protobuf::Fields;
using protobuf::Wire;

namespace {

struct Metadata {
    std::string_view plugin, content, description;
};

bool decode_metadata(std::string_view message, Metadata& found) {
    Fields metadata(message);
    while (metadata.next()) {
        if (metadata.is(3, Wire::bytes))
            found.description = metadata.bytes();
        if (!metadata.is(1, Wire::bytes))
            continue;
        Fields data(metadata.bytes());
        while (data.next()) {
            if (data.is(1, Wire::bytes))
                found.plugin = data.bytes();
            else if (data.is(2, Wire::bytes))
                found.content = data.bytes();
        }
        if (!data.valid())
            return false;
    }
    return metadata.valid();
}

/// A repeated double, packed or not.
bool take_doubles(const Fields& field, std::vector<double>& numbers) {
    if (field.is(field.number(), Wire::fixed64)) {
        numbers.push_back(field.as_double());
        return true;
    }
    std::string_view packed = field.bytes();
    if (!field.is(field.number(), Wire::bytes) || packed.size() % 8 != 0)
        return false;
    const std::size_t before = numbers.size();
    numbers.resize(before + packed.size() / 8);
    std::memcpy(numbers.data() + before, packed.data(), packed.size());
    return true;
}

bool decode_histogram(std::string_view message, Histogram& histogram) {
    Fields field(message);
    while (field.next()) {
        double* const numbers[] = {nullptr,        &histogram.min, &histogram.max,
                                   &histogram.num, &histogram.sum, &histogram.sum_squares};
        if (field.number() <= 5 && field.is(field.number(), Wire::fixed64))
            *numbers[field.number()] = field.as_double();
        else if (field.number() == 6 && !take_doubles(field, histogram.limits))
            return false;
        else if (field.number() == 7 && !take_doubles(field, histogram.counts))
            return false;
    }
    return field.valid() && histogram.limits.size() == histogram.counts.size();
}

/// Rows of: left edge, right edge, count.
bool histogram_of_tensor(const Tensor& tensor, Histogram& histogram) {
    const std::vector<double> numbers = numbers_of(tensor);
    if (tensor.last_dimension != 3 || numbers.size() % 3 != 0 || numbers.size() != tensor.elements)
        return false;
    if (numbers.empty())
        return true;
    histogram.min = numbers[0];
    histogram.max = numbers[numbers.size() - 2];
    // Histogram keeps right edges only; an empty bucket on the left stores the left edge of the first one.
    histogram.limits.push_back(numbers[0]);
    histogram.counts.push_back(0);
    for (std::size_t row = 0; row < numbers.size(); row += 3) {
        histogram.limits.push_back(numbers[row + 1]);
        histogram.counts.push_back(numbers[row + 2]);
        histogram.num += numbers[row + 2];
    }
    return true;
}

int small_integer(std::int64_t value) {
    return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

bool decode_image(std::string_view message, EncodedImage& image) {
    Fields field(message);
    while (field.next()) {
        if (field.is(1, Wire::varint))
            image.height = small_integer(field.integer());
        else if (field.is(2, Wire::varint))
            image.width = small_integer(field.integer());
        else if (field.is(4, Wire::bytes))
            image.bytes = field.bytes();
    }
    return field.valid();
}

template <class Value>
MediaValue& add_media(EventRecord& record, std::string_view tag, Value value) {
    MediaValue& media = record.media.emplace_back();
    media.tag = tag;
    media.value.emplace<Value>(std::move(value));
    return media;
}

/// Strings: width, height, then one encoded image each.
void images_of_tensor(std::string_view tag, const Tensor& tensor, EventRecord& record) {
    const auto number = [](std::string_view text) { return std::max(0, take_number<int>(text).value_or(0)); };
    for (std::size_t i = 2; i < tensor.strings.size(); ++i)
        add_media(record, tag, EncodedImage{tensor.strings[i], number(tensor.strings[0]), number(tensor.strings[1])})
            .sample = static_cast<int>(i) - 2;
    if (tensor.strings.size() < 3)
        ++record.skipped;
}

/// A google.protobuf.Value: number, string or boolean.
bool decode_parameter(std::string_view message, EventRecord& record) {
    Fields entry(message);
    std::string_view name, given;
    while (entry.next()) {
        if (entry.is(1, Wire::bytes))
            name = entry.bytes();
        else if (entry.is(2, Wire::bytes))
            given = entry.bytes();
    }
    Fields value(given);
    HyperParameters::value_type parameter{std::string(name), std::string()};
    while (value.next()) {
        if (value.is(2, Wire::fixed64))
            parameter.second = value.as_double();
        else if (value.is(3, Wire::bytes))
            parameter.second = std::string(value.bytes());
        else if (value.is(4, Wire::varint))
            parameter.second = value.integer() != 0;
    }
    record.parameters.push_back(std::move(parameter));
    return entry.valid() && value.valid();
}

/// Session data is in the plugin's content, not in a value.
bool decode_hparams(std::string_view content, EventRecord& record) {
    Fields data(content);
    while (data.next()) {
        if (data.is(3, Wire::bytes)) {
            Fields start(data.bytes());
            while (start.next())
                if (start.is(1, Wire::bytes) && !decode_parameter(start.bytes(), record))
                    return false;
            if (!start.valid())
                return false;
        } else if (data.is(2, Wire::bytes)) {
            Fields experiment(data.bytes());
            while (experiment.next()) {
                if (!experiment.is(5, Wire::bytes))
                    continue;
                for (Fields info(experiment.bytes()); info.next();)
                    if (info.is(1, Wire::bytes))
                        for (Fields name(info.bytes()); name.next();)
                            if (name.is(2, Wire::bytes))
                                record.metrics.emplace_back(name.bytes());
            }
            if (!experiment.valid())
                return false;
        }
    }
    return data.valid();
}

void take_tensor(std::string_view tag, const Tensor& tensor, std::string_view plugin, EventRecord& record) {
    if (tensor.number && tensor.elements == 1 &&
        (plugin == "scalars" || (tensor.is_float() && plugin != "histograms"))) {
        record.scalars.emplace_back(tag, *tensor.number);
    } else if (tensor.is_text() && plugin == "text") {
        std::string text;
        for (std::string_view part : tensor.strings)
            text.append(text.empty() ? "" : "\n").append(part);
        add_media(record, tag, std::move(text));
    } else if (tensor.is_text() && plugin == "images") {
        images_of_tensor(tag, tensor, record);
    } else if (Histogram histogram; plugin == "histograms" && histogram_of_tensor(tensor, histogram)) {
        add_media(record, tag, std::move(histogram));
    } else if (plugin != "hparams") {
        ++record.skipped;
    }
}

/// The fields of a value other than a scalar, as views of the message.
struct Others {
    std::string_view image, histogram, tensor, metadata;
    bool has_image = false, has_histogram = false, has_tensor = false;
};

/// Out of line, because nearly all values of a log are scalars.
[[gnu::noinline]] bool decode_others(std::string_view tag, const Others& others, bool is_scalar, EventRecord& record,
                                     PluginMemory* memory) {
    Metadata metadata;
    if (!decode_metadata(others.metadata, metadata))
        return false;
    if (!metadata.description.empty())
        record.notes.push_back({tag, metadata.plugin, metadata.description});
    if (is_scalar)
        return true;
    if (others.has_image) {
        EncodedImage image;
        if (!decode_image(others.image, image))
            return false;
        add_media(record, tag, image);
    } else if (others.has_histogram) {
        Histogram histogram;
        if (!decode_histogram(others.histogram, histogram))
            return false;
        add_media(record, tag, std::move(histogram));
    } else if (metadata.plugin == "hparams") {
        return decode_hparams(metadata.content, record);
    } else if (others.has_tensor) {
        Tensor tensor;
        if (!decode_tensor(others.tensor, tensor))
            return false;
        take_tensor(tag, tensor, memory ? memory->recall(tag, metadata.plugin) : metadata.plugin, record);
    } else {
        ++record.skipped;
    }
    return true;
}

bool decode_value(std::string_view message, EventRecord& record, PluginMemory* memory) {
    std::string_view tag;
    double simple = 0;
    bool is_scalar = false;
    Others others;
    Fields value(message);
    while (value.next()) {
        if (value.is(1, Wire::bytes)) {
            tag = value.bytes();
        } else if (value.is(2, Wire::fixed32)) {
            simple = value.as_float();
            is_scalar = true;
        } else if (value.is(4, Wire::bytes)) {
            others.image = value.bytes();
            others.has_image = true;
        } else if (value.is(5, Wire::bytes)) {
            others.histogram = value.bytes();
            others.has_histogram = true;
        } else if (value.is(8, Wire::bytes)) {
            others.tensor = value.bytes();
            others.has_tensor = true;
        } else if (value.is(9, Wire::bytes)) {
            others.metadata = value.bytes();
        }
    }
    if (!value.valid())
        return false;
    if (is_scalar)
        record.scalars.emplace_back(tag, simple);
    return (is_scalar && others.metadata.empty()) || decode_others(tag, others, is_scalar, record, memory);
}

/// Reads a varint at `at` and advances `at`; false if it is incomplete before `end`.
bool take_varint(const char*& at, const char* end, std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 63 && at != end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*at++);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/// A fast path: nearly all records of a log consist of time, step and scalars (tag, number), in the order of their
/// field numbers. False: the record has another form, and `record` was modified.
bool decode_plain(std::string_view payload, EventRecord& record) {
    constexpr char kWallTime = 1 << 3 | 1, kStep = 2 << 3, kSummary = 5 << 3 | 2;  // number << 3 | wire
    constexpr char kValue = 1 << 3 | 2, kTag = 1 << 3 | 2, kSimple = 2 << 3 | 5;
    constexpr std::uint64_t kNumber = 1 + sizeof(float);
    const char* at = payload.data();
    const char* const end = at + payload.size();
    if (payload.size() < 1 + sizeof(double) + 1 || *at != kWallTime)
        return false;
    std::memcpy(&record.wall_time, at + 1, sizeof(double));
    at += 1 + sizeof(double);
    std::uint64_t step = 0, size = 0;
    if (*at == kStep && !take_varint(++at, end, step))
        return false;
    record.step = static_cast<std::int64_t>(step);
    if (at == end || *at != kSummary || !take_varint(++at, end, size) || size != static_cast<std::uint64_t>(end - at))
        return false;
    while (at != end) {
        std::uint64_t length = 0;
        if (*at != kValue || !take_varint(++at, end, size) || size > static_cast<std::uint64_t>(end - at) || size == 0)
            return false;
        const char* const value_end = at + size;
        if (*at != kTag || !take_varint(++at, value_end, length) ||
            length + kNumber != static_cast<std::uint64_t>(value_end - at) || at[length] != kSimple)
            return false;
        float number = 0;
        std::memcpy(&number, at + length + 1, sizeof number);
        record.scalars.emplace_back(std::string_view(at, length), static_cast<double>(number));
        at = value_end;
    }
    return true;
}

std::string event(std::int64_t step, double wall_time) {
    std::string message;
    protobuf::append_double(message, 1, wall_time);
    if (step != 0)
        protobuf::append_integer(message, 2, step);
    return message;
}

}  // namespace

std::string_view PluginMemory::recall(std::string_view tag, std::string_view plugin) {
    if (plugin == "scalars")
        return plugin;  // a tensor of one number is treated as a scalar anyway, unless it is an integer
    if (plugin.empty()) {
        const auto known = plugins_.find(std::string(tag));
        return known == plugins_.end() ? plugin : std::string_view(known->second);
    }
    return plugins_.insert_or_assign(std::string(tag), std::string(plugin)).first->second;
}

bool decode_event(std::string_view payload, EventRecord& record, PluginMemory* memory) {
    record.file_version = {};
    record.restart = false;
    record.scalars.clear();
    record.media.clear();
    record.notes.clear();
    record.parameters.clear();
    record.metrics.clear();
    record.skipped = 0;
    if (decode_plain(payload, record))
        return true;
    record.step = 0;
    record.wall_time = 0;
    record.scalars.clear();
    Fields field(payload);
    while (field.next()) {
        if (field.is(1, Wire::fixed64)) {
            record.wall_time = field.as_double();
        } else if (field.is(2, Wire::varint)) {
            record.step = field.integer();
        } else if (field.is(3, Wire::bytes)) {
            record.file_version = field.bytes();
        } else if (field.is(4, Wire::bytes) || field.is(8, Wire::bytes) || field.is(9, Wire::bytes)) {
            ++record.skipped;  // graphs
        } else if (field.is(5, Wire::bytes)) {
            Fields summary(field.bytes());
            while (summary.next())
                if (summary.is(1, Wire::bytes) && !decode_value(summary.bytes(), record, memory))
                    return false;
            if (!summary.valid())
                return false;
        } else if (field.is(7, Wire::bytes)) {
            Fields session(field.bytes());
            while (session.next())
                if (session.is(1, Wire::varint))
                    record.restart = session.integer() == 1;
            if (!session.valid())
                return false;
        }
    }
    return field.valid();
}

Buckets buckets_of(const Histogram& histogram) {
    Buckets buckets;
    const std::size_t count = std::min(histogram.limits.size(), histogram.counts.size());
    std::size_t first = 0, last = count;
    while (first < last && !(histogram.counts[first] > 0))
        ++first;
    while (last > first && !(histogram.counts[last - 1] > 0))
        --last;
    if (first == last)
        return buckets;
    // Some writers give an infinite left edge to the first bucket and an infinite right edge to the last: then the
    // minimum and the maximum are used.
    buckets.limits.push_back(first > 0 ? histogram.limits[first - 1]
                                       : std::min(histogram.min, histogram.limits[first]));
    for (std::size_t i = first; i < last; ++i) {
        double limit = histogram.limits[i];
        if (!(limit < std::numeric_limits<double>::max()))
            limit = histogram.max;
        buckets.limits.push_back(std::max(limit, buckets.limits.back()));
        buckets.counts.push_back(histogram.counts[i]);
    }
    return buckets;
}

std::string encode_version(double wall_time) {
    std::string message = event(0, wall_time);
    protobuf::append_bytes(message, 3, "brain.Event:2");
    return message;
}

std::string encode_scalars(std::int64_t step, double wall_time,
                           const std::vector<std::pair<std::string, double>>& scalars) {
    std::string summary, value;
    for (const auto& [tag, number] : scalars) {
        value.clear();
        protobuf::append_bytes(value, 1, tag);
        protobuf::append_float(value, 2, static_cast<float>(number));
        protobuf::append_bytes(summary, 1, value);
    }
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 5, summary);
    return message;
}

std::string encode_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text) {
    std::string plugin, metadata, dimension, shape, tensor, value, summary;
    protobuf::append_bytes(plugin, 1, "text");
    protobuf::append_bytes(metadata, 1, plugin);
    protobuf::append_integer(dimension, 1, 1);
    protobuf::append_bytes(shape, 2, dimension);
    protobuf::append_integer(tensor, 1, kTextTensor);
    protobuf::append_bytes(tensor, 2, shape);
    protobuf::append_bytes(tensor, 8, text);
    protobuf::append_bytes(value, 1, std::string(tag) + "/text_summary");
    protobuf::append_bytes(value, 8, tensor);
    protobuf::append_bytes(value, 9, metadata);
    protobuf::append_bytes(summary, 1, value);
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 5, summary);
    return message;
}

std::string encode_restart(std::int64_t step, double wall_time) {
    std::string session;
    protobuf::append_integer(session, 1, 1);
    std::string message = event(step, wall_time);
    protobuf::append_bytes(message, 7, session);
    return message;
}

}  // namespace trainyard::events
