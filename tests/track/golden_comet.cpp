// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/comet_ml.json: what Comet's client sends and writes to an archive, and what our tracker does.
//
// Intended differences: no values of the machine, and `curr_step` is not a parameter; values of a dictionary have its
// name before theirs (`group/a`); truth values are numbers; lists are "other" values; long names are whole; without a
// key or a server what is logged waits, with a message.

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/mapped_file.h"
#include "base/files/zip_directory.h"
#include "support/fake_service.h"
#include "track/recorded_calls.h"

namespace trainyard::track::comet_cases {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::part;
/// Name -> steps and values.
using Curves = std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>>;

const Value& cases() {
    static const Value all = test::golden_tracker("comet_ml");
    return part(all, "cases");
}

struct Received {
    Curves metrics;
    std::map<std::string, std::string> parameters, others;
    std::vector<json> runs;  ///< bodies of requests for a run
    bool ended = false;

    void take(const std::string& path, const json& body) {
        if (!body.value("values", json::array()).is_array())
            return;  // shortened in the recording
        if (path.ends_with("/add/run") || path.ends_with("/get/run"))
            runs.push_back(body);
        else if (path.ends_with("/status-report/update"))
            ended = !body.at("is_alive").get<bool>();
        else if (path.ends_with("/log-other"))
            others[body.at("key")] = body.at("value").dump();
        else if (path.ends_with("/experiment/metric"))
            for (const json& value : body.at("values"))
                metrics[value.at("metricName")].emplace_back(
                    value.at("step").is_null() ? -1 : value.at("step").get<std::int64_t>(),
                    text_of(value.at("metricValue")));
        else if (path.ends_with("/experiment/parameter"))
            for (const json& value : body.at("values"))
                if (value.at("parameterName") != "curr_step")
                    parameters[value.at("parameterName")] = text_of(value.at("parameterValue"));
    }
    /// A message of an archive.
    void take(const json& message) {
        const json& payload = message.at("payload");
        if (message.at("type") == "log_other")
            others[payload.at("key")] = payload.at("value").dump();
        if (const auto metric = payload.find("metric"); metric != payload.end())
            metrics[metric->at("metricName")].emplace_back(
                metric->at("step").is_null() ? -1 : metric->at("step").get<std::int64_t>(),
                text_of(metric->at("metricValue")));
        for (const char* kind : {"param", "params"})
            if (const auto parameter = payload.find(kind);
                parameter != payload.end() && parameter->at("paramName") != "curr_step")
                parameters[parameter->at("paramName")] = text_of(parameter->at("paramValue"));
    }
    static std::string text_of(const json& value) {
        return value.is_number() ? fmt::format("{}", value.get<double>()) : value.dump();
    }
};

/// The recorded tree as JSON.
json json_of_recorded(const Value& value) {
    return json::parse(trainyard::json_of(value).dump());
}

bool is_online(const Value& input) {
    return part(input, "env").find("COMET_API_KEY") != nullptr && part(input, "events").is_list();
}

/// Checks that we have sent everything that a client has sent.
void expect_same(const Received& ours, const Received& theirs, const Value& input) {
    std::set<std::string> of_dictionaries;
    for (const Value& event : part(input, "events").items())
        for (const auto& [name, value] : part(event, "values").entries())
            if (value.is_map())
                of_dictionaries.insert(name);
    for (const auto& [name, points] : theirs.metrics) {
        if (name.ends_with("[truncated]"))
            continue;
        if (ours.metrics.contains(name)) {
            const std::string& first = points.front().second;  // truth values are numbers in ours
            if (first != "\"True\"" && first != "\"False\"") {
                EXPECT_EQ(ours.metrics.at(name), points) << name;
            }
            continue;
        }
        // A value of a dictionary has its name before.
        EXPECT_TRUE(std::ranges::any_of(of_dictionaries, [&](const std::string& prefix) {
            return ours.metrics.contains(prefix + "/" + name);
        })) << name;
    }
    for (const auto& [name, value] : theirs.parameters)
        if (name != "tensor" && value.find("$long") == std::string::npos) {
            EXPECT_EQ(ours.parameters.count(name) == 0 ? "none" : ours.parameters.at(name), value) << name;
        }
    for (const auto& [name, value] : theirs.others)
        if (name != "hasNestedParams" && ours.others.contains(name)) {
            EXPECT_EQ(ours.others.at(name), value) << name;
        }
}

/// Checks that each number that was logged has a curve.
void expect_all_logged(const Received& ours, const Value& input) {
    std::set<std::string> names;
    for (const auto& [name, points] : ours.metrics)
        names.insert(name);
    for (const Value& event : part(input, "events").items())
        if (part(event, "call").display() == "log")
            for (const auto& [name, value] : part(event, "values").entries())
                if (value.is_number()) {
                    EXPECT_TRUE(names.contains(name)) << name;
                }
}

class GoldenComet : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenComet, TheServerHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    std::mutex mutex;
    Received ours, theirs;
    std::set<std::string> keys;
    test::FakeService server([&](const test::FakeService::Request& request) -> test::FakeService::Answer {
        const std::lock_guard lock(mutex);
        keys.insert(request.headers.count("authorization") == 0 ? "" : request.headers.at("authorization"));
        ours.take(request.path, json::parse(request.body));
        return {200, R"({"runId": "run0", "project_id": "project0", "msg": "ok"})"};
    });
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    std::string key;
    for (const auto& [name, value] : part(input, "env").entries()) {
        std::string text = value.display();
        if (name == "COMET_URL_OVERRIDE")
            text = server.address() + "/clientlib/";
        if (name == "COMET_API_KEY")
            key = text;
        variables.set(name, text);
    }
    const Value* failure = part(input, "server").find("fail");
    if (failure != nullptr)
        server.fail(1, failure->items().at(0).is_null() ? 503 : static_cast<int>(failure->items().at(0).as_double()));
    test::RecordedCalls calls("comet_ml");
    if (failure != nullptr)
        calls.before_end = [&](Trackers&) { server.fail(0); };
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    EXPECT_TRUE(ours.ended);
    EXPECT_THAT(keys, testing::ElementsAre(key));
    if (failure == nullptr) {
        for (const Value& request : part(expected, "requests").items())
            if (part(request, "body").is_map() && part(request, "status").as_double() == 200)
                theirs.take(part(request, "path").display(), json_of_recorded(part(request, "body")));
        ASSERT_EQ(ours.runs.size(), theirs.runs.size());
        for (const char* name : {"projectName", "teamName", "offline"})
            if (theirs.runs.at(0).contains(name)) {
                EXPECT_EQ(ours.runs.at(0).value(name, json()), theirs.runs.at(0).at(name)) << name;
            }
        if (const std::string wanted = theirs.runs.at(0).value("experimentKey", "ID"); !wanted.starts_with("ID")) {
            EXPECT_EQ(ours.runs.at(0).at("experimentKey"), wanted);
        }
        expect_same(ours, theirs, input);
    }
    expect_all_logged(ours, input);
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find(key), std::string::npos) << file.path();
        }
}

std::vector<std::size_t> online_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (is_online(part(cases().items().at(i), "input")))
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenComet, testing::ValuesIn(online_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

bool has_archive(const Value& recorded) {
    return part(part(recorded, "expected"), "messages").is_list();
}

class GoldenCometArchive : public testing::TestWithParam<std::size_t> {};

/// The archives below a folder.
std::vector<fs::path> archives_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder))
        if (file.path().extension() == ".zip")
            found.push_back(file.path());
    return found;
}

/// The text files of an archive by their names.
std::map<std::string, std::string> entries_of(const fs::path& archive) {
    const files::MappedFile mapped(archive, files::MappedFile::Pages::shared);
    std::map<std::string, std::string> entries;
    for (const files::ZipEntry& entry : files::read_zip_directory(mapped.bytes(), Message("not an archive"))) {
        EXPECT_FALSE(entry.deflated);
        entries[entry.name] =
            std::string(reinterpret_cast<const char*>(mapped.bytes().data()) + entry.begin, entry.bytes);
    }
    return entries;
}

Received received_in(const std::map<std::string, std::string>& entries) {
    Received received;
    std::istringstream lines(entries.at("messages.json"));
    for (std::string line; std::getline(lines, line);)
        received.take(json::parse(line));
    return received;
}

TEST_P(GoldenCometArchive, TheClientWritesTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, value.display());
    test::RecordedCalls calls("comet_ml");
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    EXPECT_THAT(calls.problems, testing::IsEmpty());
    const std::vector<fs::path> archives = archives_in(folder.path());
    ASSERT_EQ(archives.size(), 1u);
    const auto entries = entries_of(archives[0]);
    const json ours_about = json::parse(entries.at("experiment.json")),
               theirs_about = json_of_recorded(part(expected, "experiment.json"));
    for (const char* name : {"project_name", "workspace", "resume_strategy", "tags"})
        EXPECT_EQ(ours_about.at(name), theirs_about.at(name)) << name;
    EXPECT_TRUE(ours_about.at("start_time").is_number_integer());
    if (const std::string key = theirs_about.at("offline_id"); !key.starts_with("ID")) {
        EXPECT_EQ(ours_about.at("offline_id"), key);
    }
    EXPECT_EQ(archives[0].filename().string().find(ours_about.at("offline_id").get<std::string>() + "-"), 0u);
    if (const Value* given = part(input, "env").find("COMET_OFFLINE_DIRECTORY")) {
        EXPECT_EQ(archives[0].parent_path(), fs::current_path() / given->display());
    }
    const Received ours = received_in(entries);
    Received theirs;
    for (const Value& message : part(expected, "messages").items())
        theirs.take(json_of_recorded(message));
    expect_same(ours, theirs, input);
    expect_all_logged(ours, input);
}

std::vector<std::size_t> archive_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (has_archive(cases().items().at(i)))
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenCometArchive, testing::ValuesIn(archive_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

TEST(CometArchive, HasPicturesTablesAndArtifactsAndContinues) {
    test::TemporaryFolder folder;
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    variables.set("COMET_START_ONLINE", "false");
    write_file_atomically(folder.path() / "weights.bin", "weights", false);
    write_file_atomically(folder.path() / "empty", "", false);
    TrackersOptions options;
    options.logging_dir = folder.path() / "run";
    auto trackers = Trackers::start({"comet_ml"}, options);
    trackers->log({{"loss", 1}, {"note", "phase two"}}, 3);
    trackers->log_images({{Pictures{"samples", 2, 2, 3, 1, std::vector<std::uint8_t>(12, 200)}}, 4});
    trackers->log_table({"words", {"word", "score"}, {{"yes", 1.5}, {"größe", 2}}, 4});
    trackers->log_artifact({folder.path() / "weights.bin", "checkpoints/4"});
    trackers->log_artifact({folder.path() / "empty", ""});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
    std::vector<fs::path> archives = archives_in(folder.path());
    ASSERT_EQ(archives.size(), 1u);
    const fs::path first = archives[0];
    const auto entries = entries_of(first);
    std::map<std::string, std::string> files;  // name -> content
    std::istringstream lines(entries.at("messages.json"));
    for (std::string line; std::getline(lines, line);)
        if (const json message = json::parse(line); message.at("type") == "file_upload") {
            const json &payload = message.at("payload"), &about = payload.at("additional_params");
            const bool is_image = payload.at("upload_type") == "visualization";
            files[about.at(is_image ? "figName" : "fileName")] = entries.at(payload.at("file_path").get<std::string>());
            EXPECT_EQ(about.at("step").is_null(),
                      payload.at("upload_type") == "asset" && about.at("fileName") != "words.json");
        }
    EXPECT_EQ(files.size(), 5u);
    EXPECT_TRUE(files.at("samples_0").starts_with("\x89PNG"));
    EXPECT_THAT(files.at("words.json"), testing::HasSubstr("größe"));
    EXPECT_EQ(files.at("checkpoints/4/weights.bin"), "weights");
    EXPECT_EQ(files.at("empty"), "");
    EXPECT_EQ(received_in(entries).others.at("note"), "\"phase two\"");

    // A run that continues writes another archive for the same experiment.
    options.continues = true;
    trackers = Trackers::start({"comet_ml"}, options);
    trackers->log({{"loss", 2}}, 5);
    trackers->finish();
    archives = archives_in(folder.path());
    ASSERT_EQ(archives.size(), 2u);
    const auto second = entries_of(archives[0] == first ? archives[1] : archives[0]);
    const json about = json::parse(second.at("experiment.json"));
    EXPECT_EQ(about.at("offline_id"), json::parse(entries.at("experiment.json")).at("offline_id"));
    EXPECT_EQ(about.at("resume_strategy"), "get_or_create");
    EXPECT_EQ(received_in(second).metrics.at("loss"), (decltype(Received::metrics)::mapped_type{{5, "2"}}));
}

/// A run that continues after everything was sent adds to its experiment.
TEST(CometTracker, ARunThatContinuesKeepsItsExperiment) {
    test::TemporaryFolder folder;
    std::mutex mutex;
    std::set<std::string> keys;
    Received received;
    test::FakeService server([&](const test::FakeService::Request& request) -> test::FakeService::Answer {
        const std::lock_guard lock(mutex);
        const json body = json::parse(request.body);
        keys.insert(body.at("experimentKey").get<std::string>());
        received.take(request.path, body);
        return {200, R"({"runId": "run0", "project_id": "project0", "msg": "ok"})"};
    });
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    variables.set("COMET_URL_OVERRIDE", server.address() + "/clientlib/");
    variables.set("COMET_API_KEY", "comet-secret-key");
    TrackersOptions options;
    options.logging_dir = folder.path();
    for (const std::int64_t step : {0, 1}) {
        options.continues = step > 0;
        auto trackers = Trackers::start({"comet_ml"}, options);
        trackers->log({{"loss", step}}, step);
        trackers->finish();
        EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
    }
    EXPECT_EQ(received.runs.size(), 1u);
    EXPECT_EQ(keys.size(), 1u);
    EXPECT_EQ(received.metrics.at("loss").size(), 2u);
}

TEST(CometTracker, WithoutAKeyEverythingWaits) {
    test::TemporaryFolder folder;
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    TrackersOptions options;
    options.logging_dir = folder.path();
    auto trackers = Trackers::start({"comet_ml"}, options);
    trackers->log({{"loss", 1}}, 0);
    trackers->finish();
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_THAT(problems[0].text(), testing::HasSubstr("set COMET_API_KEY"));
    EXPECT_THAT(problems[1].text(), testing::HasSubstr("3 records were not sent and are saved in"));
}

}  // namespace
}  // namespace trainyard::track::comet_cases
