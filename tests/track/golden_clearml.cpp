// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/clearml.json: what ClearML's client writes offline and sends, and what our tracker does.
//
// Intended differences: a configuration with a value that is not JSON is stored without it; line breaks in it are
// written as \n; values of a dictionary have its name before theirs (`group/a`); texts and lists are lines of the
// console; pictures are PNG files and may be several; comment, script and what describes the machine are not sent;
// keys that the client cannot read without quotes have them; without credentials or a server what is logged waits, with
// a message. Requests are POSTs of the version 2.13.

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "track/fake_services.h"

namespace trainyard::track::clearml_cases {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::part;
/// Metric and variant -> iterations and values.
using Curves = std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::int64_t, double>>>;

const Value& cases() {
    static const Value all = test::golden_tracker("clearml");
    return part(all, "cases");
}

void add_event(Curves& curves, const json& event) {
    if (event.at("type") == "training_stats_scalar")
        curves[{event.at("metric"), event.at("variant")}].emplace_back(event.at("iter"), event.at("value"));
}

json as_json(const Value& value) {
    return json::parse(trainyard::json_of(value).dump());
}

/// The recorded list, or what is left of a long one.
void add_events(Curves& curves, std::vector<json>& others, const Value& events) {
    const auto add = [&](const Value& event) {
        const json read = as_json(event);
        add_event(curves, read);
        if (read.at("type") != "training_stats_scalar")
            others.push_back(read);
    };
    for (const Value& event : events.items())
        if (event.is_list())
            add_events(curves, others, event);
        else if (event.find("$list") != nullptr)
            add_events(curves, others, event);
        else
            add(event);
    for (const char* shown : {"first", "last"})
        for (const Value& event : part(events, shown).items())
            add(event);
}

struct Received {
    Curves curves;
    std::vector<json> others;
    json task;

    void take(const json& event) {
        add_event(curves, event);
        if (event.at("type") != "training_stats_scalar" && event.at("type") != "log")
            others.push_back(event);
    }
};

/// The columns of the table that was logged.
json logged_columns(const Value& input) {
    json columns = json::array();
    for (const Value& event : part(input, "events").items())
        if (part(event, "call").display() == "log_table")
            for (std::size_t column = 0; column < part(event, "columns").items().size(); ++column) {
                json cells = json::array();
                for (const Value& row : part(event, "data").items())
                    cells.push_back(json::parse(trainyard::json_of(row.items().at(column)).dump()));
                columns.push_back(std::move(cells));
            }
    return columns;
}

void expect_same(const Received& ours, const Curves& theirs, const std::vector<json>& others, const Value& input) {
    for (const auto& [name, points] : theirs) {
        const auto found = ours.curves.find(name);
        ASSERT_NE(found, ours.curves.end()) << name.first << " " << name.second;
        for (const auto& point : points)
            EXPECT_THAT(found->second, testing::Contains(point)) << name.first << " " << name.second;
    }
    for (const json& wanted : others) {
        const auto found = std::ranges::find_if(
            ours.others, [&](const json& event) { return event.at("metric") == wanted.at("metric"); });
        ASSERT_NE(found, ours.others.end()) << wanted.dump();
        for (const char* field : {"type", "variant", "iter"})
            EXPECT_EQ(found->at(field), wanted.at(field)) << field;
        if (wanted.contains("plot_str")) {
            const json plot = json::parse(found->at("plot_str").get<std::string>());
            EXPECT_EQ(plot.at("data").at(0).at("type"), "table");
            EXPECT_EQ(plot.at("data").at(0).at("cells").at("values"), logged_columns(input));
        }
        if (wanted.contains("key")) {
            EXPECT_TRUE(found->at("key").get<std::string>().ends_with(".png"));
        }
    }
}

/// The client escapes the other characters of the whole configuration if a key has punctuation, and reads the escapes
/// of texts as they are; ours has the characters.
std::string with_characters(const std::string& text) {
    static const std::regex escape("\\\\u[0-9a-f]{4}");
    std::string decoded;
    auto rest = text.cbegin();
    for (std::sregex_iterator found(text.begin(), text.end(), escape), end; found != end; ++found) {
        decoded.append(rest, (*found)[0].first);
        decoded += json::parse("\"" + found->str() + "\"").get<std::string>();
        rest = (*found)[0].second;
    }
    return decoded.append(rest, text.cend());
}

/// The text of the configuration: all of it where the recording has it, else its beginning.
void expect_configuration(const json& ours, const Value& theirs) {
    const Value& wanted = part(part(theirs, "General"), "value");
    const std::string text = ours.at("General").at("value");
    EXPECT_EQ(ours.at("General").at("type"), "dictionary");
    if (const Value* begins = wanted.find("begins")) {
        const std::string beginning = with_characters(begins->display());
        EXPECT_TRUE(text.starts_with(beginning)) << text;
        const bool has_line_breaks = text.find("\\n") != std::string::npos;
        if (!has_line_breaks && beginning == begins->display()) {
            EXPECT_EQ(text.size(), static_cast<std::size_t>(part(wanted, "$long").as_double()));
        }
    } else {
        EXPECT_EQ(text, wanted.display());
    }
}

class GoldenClearml : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenClearml, TheTaskIsTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::FakeServices server;
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    variables.set("CLEARML_CACHE_DIR", (folder.path() / "cache").string());
    bool is_online = false;
    for (const auto& [name, value] : part(input, "env").entries()) {
        std::string text = value.display();
        is_online = is_online || text.starts_with("URL");
        if (text.starts_with("URL"))
            text.replace(0, 3, server.service().address());
        variables.set(name, text);
    }
    const Value* failure = part(input, "server").find("fail");
    if (failure != nullptr)
        server.service().fail(1, static_cast<int>(failure->items().at(0).as_double()));
    test::RecordedCalls calls("clearml");
    if (failure != nullptr)
        calls.before_end = [&](Trackers&) { server.service().fail(0); };
    calls.make(input);
    if (part(input, "env").entries().empty()) {  // no credentials
        EXPECT_THAT(calls.problems.at(0).text(), testing::HasSubstr("set CLEARML_API_ACCESS_KEY"));
        return;
    }
    Received ours;
    if (is_online) {
        EXPECT_TRUE(server.has_ended());
        ours.task = server.run();
        for (const json& event : server.events())
            ours.take(event);
    } else {
        std::error_code missing;
        for (const fs::directory_entry& task : fs::directory_iterator(folder.path() / "cache" / "offline", missing)) {
            ours.task = json::parse(read_file(task.path() / "task.json"));
            std::ifstream lines(task.path() / "metrics.jsonl");
            for (std::string line; std::getline(lines, line);)
                for (const json& event : json::parse(line))
                    ours.take(event);
        }
    }
    if (part(input, "off_main").boolean() != nullptr) {
        EXPECT_TRUE(ours.task.is_null());
        return;
    }
    // Pictures as a list, which their documentation has and their client refuses, are refused there only.
    const std::string id = part(recorded, "id").display();
    if (id.ends_with("images")) {
        EXPECT_EQ(ours.others.size(), 3u);
    }
    Curves theirs;
    std::vector<json> others;
    if (!is_online) {
        add_events(theirs, others, part(expected, "metrics.jsonl"));
        if (const Value* task = expected.find("task.json")) {
            for (const char* field : {"name", "project_name", "type"})
                if (const Value* wanted = task->find(field)) {
                    EXPECT_EQ(ours.task.at(field), as_json(*wanted)) << field;
                }
            if (const Value* tags = task->find("tags")) {  // a set there, without an order
                EXPECT_THAT(ours.task.at("tags"), testing::UnorderedElementsAreArray(as_json(*tags)));
            }
            if (const Value* configuration = task->find("configuration"))
                expect_configuration(ours.task.at("configuration"), *configuration);
        }
    }
    std::vector<std::string> called;
    for (const auto& request : server.service().requests())
        if (request.path.find("/upload") == std::string::npos)
            called.push_back(request.path.substr(request.path.rfind('/') + 1));
    for (const Value& request : part(expected, "requests").items()) {
        const std::string path = part(request, "path").display(), call = path.substr(path.rfind('/') + 1);
        const Value& body = part(request, "body");
        if (call == "events.add_batch")
            add_events(theirs, others, body);
        const bool describes = body.find("script") != nullptr || body.find("runtime") != nullptr;
        if (call.find('.') != std::string::npos && !describes) {
            EXPECT_THAT(called, testing::Contains(call));
        }
        if (call == "tasks.create") {
            for (const char* field : {"name", "type", "project", "system_tags"})
                EXPECT_EQ(ours.task.at(field), as_json(part(body, field))) << field;
        }
        if (const Value* configuration = body.find("configuration"))
            expect_configuration(ours.task.at("configuration"), *configuration);
    }
    expect_same(ours, theirs, others, input);
    for (const auto& [login, count] : server.logins())
        EXPECT_THAT(login, testing::AnyOf("Bearer token0", "Basic ZHVtbXlhY2Nlc3M6ZHVtbXlzZWNyZXQ="));
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find("dummysecret"), std::string::npos) << file.path();
        }
}

std::vector<std::size_t> event_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (part(part(cases().items().at(i), "input"), "events").is_list())
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenClearml, testing::ValuesIn(event_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

class ClearmlTracker : public testing::Test {
  protected:
    ClearmlTracker() {
        variables_.set("HOME", folder_.path().string());
        server_.set_variables(variables_);
    }
    std::unique_ptr<Trackers> start() {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path() / "run";
        return Trackers::start({"clearml"}, options);
    }
    test::TemporaryFolder folder_;
    test::FakeServices server_;
    test::Variables variables_;
};

TEST_F(ClearmlTracker, ReadsTheFileOfClearmlInit) {
    for (const char* name :
         {"CLEARML_API_HOST", "CLEARML_FILES_HOST", "CLEARML_API_ACCESS_KEY", "CLEARML_API_SECRET_KEY"})
        ::unsetenv(name);
    variables_.set("SECRET_OF_FILE", "file-secret");
    std::ofstream(folder_.path() / "clearml.conf") << R"(# ClearML SDK configuration file
api {
    # Notice: 'host' is the api server
    web_server: "https://app.example.com/"
    api_server: )" << server_.service().address() << R"(
    files_server = ")" << server_.service().address()
                                                   << R"(/upload"
    credentials {"access_key" = "file access", secret_key: ${SECRET_OF_FILE}
    }
}
sdk { storage { cache { default_base_dir: "~/.clearml/cache" } direct_access: [ { url: "file://*" } ] } }
)";
    auto trackers = start();
    trackers->log({{"loss", 1.5}}, 3);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
    EXPECT_EQ(server_.points()["loss"][3], 1.5);
    EXPECT_THAT(server_.logins(), testing::Contains(testing::Pair("Basic ZmlsZSBhY2Nlc3M6ZmlsZS1zZWNyZXQ=", 1)));
}

/// The client's reader refuses a configuration with other letters without quotes.
TEST_F(ClearmlTracker, KeysOfOtherScriptsHaveQuotes) {
    TrackersOptions options;
    options.project = "yard";
    options.logging_dir = folder_.path() / "run";
    options.configuration = {{"größe", 1}, {"日本", Values{{"α", 2}}}, {"2×3", 4}, {"a b", 5}};
    auto trackers = Trackers::start({"clearml"}, options);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
    EXPECT_EQ(server_.run().at("configuration").at("General").at("value").get<std::string>(),
              "größe = 1\n\"日本\" {\n  \"α\" = 2\n}\n\"2×3\" = 4\n\"a b\" = 5");
}

TEST_F(ClearmlTracker, ATokenThatHasExpiredIsReplaced) {
    auto trackers = start();
    trackers->log({{"loss", 1.5}}, 0);
    trackers->flush();
    for (int i = 0; i < 2000 && server_.points().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    server_.expire_token();
    trackers->log({{"loss", 1.25}}, 1);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
    EXPECT_EQ(server_.points()["loss"].size(), 2u);
    EXPECT_TRUE(server_.has_ended());
}

}  // namespace
}  // namespace trainyard::track::clearml_cases
