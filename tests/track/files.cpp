// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the files that the file trackers write: TensorBoard event files, JSON lines and CSV.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/protobuf.h"
#include "formats/events/event_record.h"
#include "formats/events/event_summary.h"
#include "formats/events/scalar_folder.h"
#include "formats/tables/image.h"
#include "observe/track/trackers.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::track {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string content_of(const fs::path& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

std::unique_ptr<Trackers> start(const std::string& tracker, const fs::path& folder, Values configuration = {},
                                Value arguments = {}) {
    TrackersOptions options;
    options.project = "run";
    options.logging_dir = folder;
    options.configuration = std::move(configuration);
    if (!arguments.is_null())
        options.arguments[tracker] = std::move(arguments);
    return Trackers::start({tracker}, options);
}

void log_at(Trackers& trackers, std::int64_t step, double wall_time, Values values) {
    trackers.log(Record{std::move(values), step, wall_time});
}

/// Payloads of the records of an event file.
std::vector<std::string> records_of(const fs::path& path) {
    const std::string bytes = content_of(path);
    std::vector<std::string> payloads;
    for (std::size_t at = 0; at + 16 <= bytes.size();) {
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data() + at, 8);
        payloads.push_back(bytes.substr(at + 12, length));
        at += 16 + length;
    }
    return payloads;
}

fs::path only_file(const fs::path& folder, const std::string& prefix) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(prefix))
            found.push_back(entry.path());
    EXPECT_EQ(found.size(), 1u) << folder;
    return found.at(0);
}

TEST(TensorBoard, CurvesTextsAndGroups) {
    test::TemporaryFolder folder;
    auto trackers = start("tensorboard", folder.path(), {}, Values{{"filename_suffix", ".mine"}});
    log_at(*trackers, 1, 10.5,
           {{"loss", 2.0}, {"epoch", 1}, {"note", "hello"}, {"both/ways", Values{{"a", 1.0}, {"b/c", 2}}}});
    log_at(*trackers, 2, 11.5, {{"loss", 1.0}, {"list", Value::List{1}}});
    trackers->restart(2);
    log_at(*trackers, 2, 12.5, {{"loss", 0.5}});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), ElementsAre(HasSubstr("not 'list'")));

    events::ScalarFolder curves(folder.path() / "run");
    curves.poll();
    EXPECT_THAT(curves.problems(), IsEmpty());
    const auto& loss = curves.curves().at("loss");
    ASSERT_EQ(loss.size(), 2u);  // points after the restart step are discarded
    EXPECT_EQ(loss[0].wall_time, 10.5);
    EXPECT_EQ(loss[1].value, 0.5);
    EXPECT_EQ(curves.curves().at("epoch").at(0).value, 1);
    events::ScalarFolder group(folder.path() / "run" / "both_ways_b_c");
    group.poll();
    EXPECT_EQ(group.curves().at("both/ways").at(0).value, 2);

    const fs::path file = only_file(folder.path() / "run", "events.out");
    EXPECT_EQ(file.extension(), ".mine");
    std::size_t texts = 0;
    for (const std::string& payload : records_of(file)) {
        events::EventRecord record;
        ASSERT_TRUE(events::decode_event(payload, record));
        texts += static_cast<std::size_t>(std::count_if(
            record.media.begin(), record.media.end(),
            [](const events::MediaValue& value) { return std::holds_alternative<std::string>(value.value); }));
    }
    EXPECT_EQ(texts, 1u);
}

/// The bytes of field `number` of a protobuf message.
std::string field_of(std::string_view message, int number) {
    protobuf::Fields fields(message);
    while (fields.next())
        if (fields.number() == number)
            return std::string(fields.bytes());
    return {};
}

TEST(TensorBoard, PicturesAreLaidOutEightInARow) {
    test::TemporaryFolder folder;
    auto trackers = start("tensorboard", folder.path());
    Pictures grey{"grey", 9, 2, 3, 1, {}}, red{"red", 1, 2, 2, 3, {}};
    for (std::uint8_t picture = 0; picture < 9; ++picture)
        grey.pixels.insert(grey.pixels.end(), 6, static_cast<std::uint8_t>(picture * 10 + 1));
    for (int pixel = 0; pixel < 4; ++pixel)
        red.pixels.insert(red.pixels.end(), {255, 0, 7});
    trackers->log_images({{grey, red}, 5, 10.5});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());

    std::map<std::string, formats::Image> sheets;
    for (const std::string& payload : records_of(only_file(folder.path() / "run", "events.out"))) {
        const std::string value = field_of(field_of(payload, 5), 1), encoded = field_of(field_of(value, 4), 4);
        if (!encoded.empty())
            sheets[field_of(value, 1)] = formats::decode_image(std::as_bytes(std::span(encoded)), "sheet");
    }
    ASSERT_EQ(sheets.size(), 2u);
    const formats::Image& sheet = sheets.at("grey");
    ASSERT_EQ(sheet.height, 4);
    ASSERT_EQ(sheet.width, 24);
    auto at = [&](std::int64_t y, std::int64_t x) {
        return int{sheet.pixels.at(static_cast<std::size_t>((y * 24 + x) * 3 + 1))};
    };
    EXPECT_EQ(at(0, 0), 1);
    EXPECT_EQ(at(1, 23), 71);
    EXPECT_EQ(at(2, 0), 81) << "the ninth begins a row";
    EXPECT_EQ(at(2, 3), 0) << "nothing is beside it";
    EXPECT_EQ(sheets.at("red").width, 2);
    EXPECT_EQ(sheets.at("red").pixels, red.pixels);
}

TEST(TrackerFiles, PicturesAreRefusedWhereNobodyKeepsThem) {
    test::TemporaryFolder folder;
    Pictures dot{"dot", 1, 1, 1, 1, {7}};
    for (const char* name : {"jsonl", "csv", "dvclive"}) {
        auto trackers = start(name, folder.path());
        try {
            trackers->log_images({{dot}});
            FAIL() << name << " took it";
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), says("no tracker of this run keeps pictures ({}): add tensorboard", name));
        }
        EXPECT_THROW(trackers->get(name).log_images({{dot}}, {}), UserError);
    }
    auto trackers = start("tensorboard", folder.path());
    dot.pixels.clear();
    EXPECT_THROW(trackers->log_images({{dot}}), UserError);
}

TEST(TensorBoard, ConfigurationAsHyperParameters) {
    test::TemporaryFolder folder;
    auto trackers = start("tensorboard", folder.path(),
                          {{"zeta", 1},
                           {"lr", 1e-5},
                           {"name", "yes"},
                           {"nothing", Value()},
                           {"flag", true},
                           {"model", Values{{"layers", 2}}}});
    trackers->finish();
    const fs::path run = folder.path() / "run";
    fs::path trial;
    for (const auto& entry : fs::directory_iterator(run))
        if (entry.is_directory())
            trial = entry.path();
    // The same text as yaml.dump: sorted keys, YAML 1.1.
    EXPECT_EQ(content_of(trial / "hparams.yml"),
              "flag: true\nlr: 1.0e-05\nmodel:\n  layers: 2\nname: 'yes'\nnothing: null\nzeta: 1\n");
    const auto records = records_of(only_file(trial, "events.out"));
    ASSERT_EQ(records.size(), 4u);
    EXPECT_THAT(records[1], HasSubstr("_hparams_/experiment"));
    EXPECT_THAT(records[2], HasSubstr("model/layers"));
    EXPECT_THAT(records[3], HasSubstr("_hparams_/session_end_info"));
}

TEST(EventSummary, HyperParametersAreThoseOfSummaryWriter) {
    // tests/golden/generate/tb_events.py: add_hparams({lr, batch_size, optimizer, amsgrad}, {hparam/accuracy,
    // hparam/loss}).
    const fs::path golden =
        only_file(fs::path(TRAINYARD_TESTS_DIR) / "golden/tb_events/runs/hparams/trial", "events.out");
    const auto wanted = records_of(golden);
    const auto ours = events::encode_hparams(
        1700006080.0, {{"lr", 3e-4}, {"batch_size", 16.0}, {"optimizer", std::string("adamw")}, {"amsgrad", 0.0}},
        {"hparam/accuracy", "hparam/loss"}, true);
    ASSERT_EQ(ours.size(), 3u);
    EXPECT_EQ(ours[0], wanted.at(1));
    EXPECT_EQ(ours[2], wanted.at(3));
    // The entries of a map come in any order.
    std::string sorted = ours[1], other = wanted.at(2);
    std::ranges::sort(sorted);
    std::ranges::sort(other);
    EXPECT_EQ(sorted, other);
}

TEST(EventSummary, HistogramsAreThoseOfSummaryWriter) {
    // Numbers of torch.utils.tensorboard.summary.make_histogram with the writer's default bins.
    const std::vector<float> values = {-1.5f, 0.0f, 0.003f, 2.0f, 2.0625f, 2.0625f, -0.0f, std::nanf("")};
    const events::Histogram made = events::histogram_of(values);
    EXPECT_EQ(made.min, -1.5);
    EXPECT_EQ(made.max, 2.0625);
    EXPECT_EQ(made.num, 7);
    EXPECT_NEAR(made.sum, 4.628000000026077, 1e-12);
    EXPECT_NEAR(made.sum_squares, 14.757821500000157, 1e-12);
    ASSERT_EQ(made.counts.size(), 596u);
    ASSERT_EQ(made.limits.size(), 596u);
    EXPECT_DOUBLE_EQ(made.limits.front(), -1.624957930213695);
    EXPECT_DOUBLE_EQ(made.limits.back(), 2.1628190051144287);
    EXPECT_EQ(made.counts[0], 0);
    EXPECT_EQ(made.counts[1], 1);
    EXPECT_DOUBLE_EQ(made.limits[1], -1.47723448201245);
    EXPECT_EQ(made.counts[297], 2);
    EXPECT_DOUBLE_EQ(made.limits[297], 1e-12);
    EXPECT_EQ(made.counts[526], 1);
    EXPECT_EQ(made.counts[595], 3);
    EXPECT_EQ(events::histogram_of({}).counts.size(), 0u);

    events::EventRecord record;
    const std::string payload = events::encode_histogram(3, 1.5, "weights", made);
    ASSERT_TRUE(events::decode_event(payload, record));
    EXPECT_EQ(record.step, 3);
    ASSERT_EQ(record.media.size(), 1u);
    EXPECT_EQ(record.media[0].tag, "weights");
    EXPECT_EQ(std::get<events::Histogram>(record.media[0].value).counts, made.counts);
}

TEST(JsonLines, OneObjectALine) {
    test::TemporaryFolder folder;
    auto trackers = start("jsonl", folder.path(), {{"lr", 0.001}});
    log_at(*trackers, 1, 10.5,
           {{"loss", 2.0}, {"text", "a \"b\"\n"}, {"bad", std::nan("")}, {"nest", Values{{"n", 1}}}});
    trackers->restart(7);
    trackers->log(Record{{{"loss", 1e-5}}, std::nullopt, 11});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    std::istringstream lines(content_of(folder.path() / "run.jsonl"));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);)
        all.push_back(line);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0], R"({"configuration": {"lr": 0.001}})");
    EXPECT_EQ(
        all[1],
        R"({"step": 1, "wall_time": 10.5, "values": {"loss": 2.0, "text": "a \"b\"\n", "bad": "nan", "nest": {"n": 1}}})");
    EXPECT_THAT(all[2], HasSubstr(R"({"restart": 7, "wall_time": )"));
    EXPECT_EQ(all[3], R"({"wall_time": 11.0, "values": {"loss": 1e-05}})");
}

TEST(Csv, ColumnsThatComeLater) {
    test::TemporaryFolder folder;
    auto trackers = start("csv", folder.path(), {{"lr", 0.001}});
    log_at(*trackers, 1, 10, {{"loss", 2.0}});
    log_at(*trackers, 2, 11, {{"loss", 1.5}, {"note", "a, \"b\"\nc"}});
    log_at(*trackers, 3, 12, {{"eval", Values{{"loss", 0.5}}}});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(content_of(folder.path() / "run.csv"),
              "step,wall_time,loss,note,eval/loss\n"
              "1,10.000000,2.0,,\n"
              "2,11.000000,1.5,\"a, \"\"b\"\" c\",\n"
              "3,12.000000,,,0.5\n");
    EXPECT_EQ(content_of(folder.path() / "run.configuration.json"), "{\n    \"lr\": 0.001\n}\n");
}

TEST(Csv, GoesOnInAFileThatIsThere) {
    test::TemporaryFolder folder;
    const fs::path file = folder.path() / "run.csv";
    std::ofstream(file) << "step,wall_time,\"a, b\"\n1,10.0,2.0\n2,11.0,1.0\n3,12.0,torn";
    auto trackers = start("csv", folder.path());
    trackers->restart(2);  // the incomplete last row must be dropped
    log_at(*trackers, 2, 20, {{"a, b", 7}, {"new", true}});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(content_of(file), "step,wall_time,\"a, b\",new\n1,10.0,2.0,\n2,20.000000,7,True\n");

    std::ofstream(file) << "name,age\nx,1\n";
    EXPECT_THROW(start("csv", folder.path()), UserError);
    EXPECT_EQ(content_of(file), "name,age\nx,1\n");
}

TEST(TrackerFiles, AFolderThatCannotBeWrittenIsToldAtTheStart) {
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "file") << "x";
    for (const char* name : {"tensorboard", "jsonl", "csv"})
        EXPECT_THROW(start(name, folder.path() / "file"), UserError) << name;
}

}  // namespace
}  // namespace trainyard::track
