// SPDX-License-Identifier: GPL-3.0-or-later
// Payloads of writers that the golden files do not cover: TensorFlow 2 and Keras write histograms, images and scalars
// as tensors, in several encodings, and name the plugin only once.

#include "formats/events/event_record.h"

#include <cstring>
#include <random>

#include <gmock/gmock.h>

#include "base/protobuf.h"
#include "formats/events/tag_table.h"

namespace trainyard::events {
namespace {

using protobuf::append_bytes;
using protobuf::append_double;
using protobuf::append_float;
using protobuf::append_integer;
using testing::ElementsAre;
using testing::SizeIs;

constexpr std::int64_t kFloat = 1, kDouble = 2, kText = 7, kInt64 = 9;

std::string tensor_of(std::int64_t type, const std::vector<std::int64_t>& dimensions) {
    std::string shape, tensor;
    for (const std::int64_t size : dimensions) {
        std::string dimension;
        append_integer(dimension, 1, size);
        append_bytes(shape, 2, dimension);
    }
    append_integer(tensor, 1, type);
    append_bytes(tensor, 2, shape);
    return tensor;
}

std::string metadata_of(std::string_view plugin, std::string_view description = "") {
    std::string data, metadata;
    append_bytes(data, 1, plugin);
    append_bytes(metadata, 1, data);
    if (!description.empty())
        append_bytes(metadata, 3, description);
    return metadata;
}

/// An event with one value.
std::string event_of(std::string_view tag, const std::string& tensor, const std::string& metadata) {
    std::string value, summary, event;
    append_bytes(value, 1, tag);
    append_bytes(value, 8, tensor);
    if (!metadata.empty())
        append_bytes(value, 9, metadata);
    append_bytes(summary, 1, value);
    append_double(event, 1, 10.5);
    append_integer(event, 2, 7);
    append_bytes(event, 5, summary);
    return event;
}

std::string packed(const std::vector<double>& numbers) {
    std::string bytes;
    for (const double number : numbers)
        protobuf::append_little_endian(bytes, protobuf::Fields::reinterpret<std::uint64_t>(number), 8);
    return bytes;
}

TEST(EventRecord, HistogramsAsTensorsInEverySpelling) {
    const std::vector<double> rows{0, 1, 3, 1, 2, 0, 2, 4, 5};
    std::string in_content = tensor_of(kDouble, {3, 3}), as_packed = in_content, one_by_one = in_content,
                as_floats = tensor_of(kFloat, {3, 3});
    append_bytes(in_content, 4, packed(rows));
    append_bytes(as_packed, 6, packed(rows));
    for (const double number : rows) {
        append_double(one_by_one, 6, number);
        append_float(as_floats, 5, static_cast<float>(number));
    }
    for (const std::string& tensor : {in_content, as_packed, one_by_one, as_floats}) {
        const std::string payload = event_of("weights", tensor, metadata_of("histograms", "what it is"));
        EventRecord record;
        ASSERT_TRUE(decode_event(payload, record));
        EXPECT_EQ(record.step, 7);
        ASSERT_THAT(record.media, SizeIs(1));
        EXPECT_EQ(record.media[0].tag, "weights");
        const auto& histogram = std::get<Histogram>(record.media[0].value);
        EXPECT_EQ(histogram.num, 8);
        const Buckets buckets = buckets_of(histogram);
        EXPECT_THAT(buckets.limits, ElementsAre(0, 1, 2, 4));
        EXPECT_THAT(buckets.counts, ElementsAre(3, 0, 5));
        ASSERT_THAT(record.notes, SizeIs(1));
        EXPECT_EQ(record.notes[0].description, "what it is");
    }
    // No values, although the shape promises some.
    EventRecord record;
    const std::string empty = event_of("weights", tensor_of(kDouble, {0, 3}), metadata_of("histograms"));
    ASSERT_TRUE(decode_event(empty, record));
    ASSERT_THAT(record.media, SizeIs(1));
    EXPECT_TRUE(buckets_of(std::get<Histogram>(record.media[0].value)).counts.empty());
    const std::string promises =
        event_of("weights", tensor_of(kDouble, {std::int64_t{1} << 40, 3}), metadata_of("histograms"));
    ASSERT_TRUE(decode_event(promises, record));
    EXPECT_TRUE(record.media.empty());
    EXPECT_EQ(record.skipped, 1u);
}

TEST(EventRecord, BucketsWithoutEndsEndWithTheValues) {
    Histogram histogram;
    histogram.min = -2;
    histogram.max = 9;
    histogram.limits = {-1, 0, 1, 1.7976931348623157e308};
    histogram.counts = {1, 0, 2, 3};
    const Buckets buckets = buckets_of(histogram);
    EXPECT_THAT(buckets.limits, ElementsAre(-2, -1, 0, 1, 9));
    EXPECT_THAT(buckets.counts, ElementsAre(1, 0, 2, 3));
}

TEST(EventRecord, PicturesAsTensorsSeveralAtOnce) {
    std::string tensor = tensor_of(kText, {4});
    for (const char* text : {"7", "5", "first", "second"})
        append_bytes(tensor, 8, text);
    const std::string payload = event_of("picture", tensor, metadata_of("images"));
    EventRecord record;
    ASSERT_TRUE(decode_event(payload, record));
    ASSERT_THAT(record.media, SizeIs(2));
    for (int sample = 0; sample < 2; ++sample) {
        const MediaValue& media = record.media[static_cast<std::size_t>(sample)];
        EXPECT_EQ(media.sample, sample);
        const auto& image = std::get<EncodedImage>(media.value);
        EXPECT_EQ(image.width, 7);
        EXPECT_EQ(image.height, 5);
        EXPECT_EQ(image.bytes, sample == 0 ? "first" : "second");
        EXPECT_GE(image.bytes.data(), payload.data()) << "where it lies";
    }
}

TEST(EventRecord, APluginIsNamedOnlyOnce) {
    std::string number = tensor_of(kInt64, {}), words = tensor_of(kText, {2});
    append_integer(number, 10, 42);
    append_bytes(words, 8, "one");
    append_bytes(words, 8, "two");
    PluginMemory memory;
    EventRecord record;
    const std::string first = event_of("words", words, metadata_of("text"));
    const std::string again = event_of("words", words, "");
    for (const std::string* payload : {&first, &again}) {
        ASSERT_TRUE(decode_event(*payload, record, &memory));
        ASSERT_THAT(record.media, SizeIs(1));
        EXPECT_EQ(std::get<std::string>(record.media[0].value), "one\ntwo");
    }
    const std::string of_scalars = event_of("n", number, metadata_of("scalars"));
    ASSERT_TRUE(decode_event(of_scalars, record, &memory));
    ASSERT_THAT(record.scalars, SizeIs(1));
    EXPECT_EQ(record.scalars[0].second, 42);
}

TEST(EventRecord, SoundsGraphsAndTensorsOfOthersAreCounted) {
    std::string value, summary, event;
    append_bytes(value, 1, "sound");
    append_bytes(value, 6, "audio");
    append_bytes(summary, 1, value);
    append_bytes(event, 5, summary);
    append_bytes(event, 4, "a graph");
    EventRecord record;
    ASSERT_TRUE(decode_event(event, record));
    EXPECT_EQ(record.skipped, 2u);
    const std::string mesh = event_of("mesh", tensor_of(kFloat, {10, 3}), metadata_of("mesh"));
    ASSERT_TRUE(decode_event(mesh, record));
    EXPECT_EQ(record.skipped, 1u);
    EXPECT_TRUE(record.scalars.empty());
}

// Records of the usual form are decoded by a fast path. An unknown field after them disables it.
TEST(EventRecord, TheUsualFormAndEveryOtherAreDecodedAlike) {
    std::mt19937 random(3);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    int decoded = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::pair<std::string, double>> scalars;
        for (std::size_t i = 0; i < below(4); ++i)
            scalars.emplace_back(std::string(below(200), static_cast<char>('a' + i)), 0.5 * static_cast<double>(i));
        const auto step = static_cast<std::int64_t>(random()) << below(33);
        std::string payload = encode_scalars(round % 7 == 0 ? -step : step, 1.75e9 + round, scalars);
        if (round % 4 == 0)
            payload[below(payload.size())] = static_cast<char>(random());
        else if (round % 4 == 1)
            payload.resize(below(payload.size() + 1));
        EventRecord usual, other;
        if (!decode_event(payload, usual))
            continue;
        ++decoded;
        std::string unusual = payload;
        append_integer(unusual, 1000, 1);
        ASSERT_TRUE(decode_event(unusual, other));
        EXPECT_EQ(usual.step, other.step);
        EXPECT_EQ(std::memcmp(&usual.wall_time, &other.wall_time, sizeof(double)), 0);
        EXPECT_EQ(usual.skipped, other.skipped);
        ASSERT_EQ(usual.scalars.size(), other.scalars.size());
        for (std::size_t i = 0; i < usual.scalars.size(); ++i) {
            EXPECT_EQ(usual.scalars[i].first, other.scalars[i].first);
            EXPECT_EQ(std::memcmp(&usual.scalars[i].second, &other.scalars[i].second, sizeof(double)), 0);
        }
    }
    EXPECT_GT(decoded, 10'000);
}

TEST(TagTable, NumbersInTheOrderOfTheirComing) {
    TagTable table;
    for (int step = 0; step < 3; ++step)
        for (int tag = 0; tag < 100; ++tag)
            ASSERT_EQ(table.number("tag" + std::to_string(tag)), tag);
    EXPECT_EQ(table.number("tag50"), 50);
    EXPECT_EQ(table.number("another"), 100);
    EXPECT_EQ(table.number("tag0"), 0);
    EXPECT_EQ(table.name(100), "another");
    EXPECT_EQ(table.size(), 101);
}

}  // namespace
}  // namespace trainyard::events
