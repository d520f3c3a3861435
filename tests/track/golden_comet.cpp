// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/comet_ml.json: what Comet's client sends, and what our tracker sends.
//
// Intended differences: no values of the machine, and `curr_step` is not a parameter; values of a dictionary have its
// name before theirs (`group/a`); truth values are numbers; lists are "other" values; there is no offline archive:
// without a key or a server what is logged waits, with a message.

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
        std::set<std::string> of_dictionaries;
        for (const Value& event : part(input, "events").items())
            for (const auto& [name, value] : part(event, "values").entries())
                if (value.is_map())
                    of_dictionaries.insert(name);
        for (const auto& [name, points] : theirs.metrics) {
            if (ours.metrics.contains(name)) {
                if (points.front().second.find("True") == std::string::npos) {
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
    std::set<std::string> names;
    for (const auto& [name, points] : ours.metrics)
        names.insert(name);
    for (const Value& event : part(input, "events").items())
        if (part(event, "call").display() == "log")
            for (const auto& [name, value] : part(event, "values").entries())
                if (value.is_number()) {
                    EXPECT_TRUE(names.contains(name)) << name;
                }
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
