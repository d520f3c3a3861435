// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/mlflow.json: what Accelerate's MLflow tracker sends to a server, and what our tracker leaves there.
//
// Intended differences: no user and script name is sent; dictionaries are flat names instead of being dropped; other
// characters of a name are `_` instead of a refusal of all values of the call; a quote in the name of an experiment
// works;
// tags may be numbers; a second run may be open. While a server fails, nothing is raised and nothing is lost.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "track/fake_mlflow.h"
#include "track/recorded_calls.h"

namespace trainyard::track::mlflow_cases {
namespace {

namespace fs = std::filesystem;
using test::FakeMlflow;
using test::part;

std::string shown(const Value& value) {
    return value.is_number() && value.boolean() == nullptr ? fmt::format("{}", value.as_double()) : value.display();
}

/// The texts of `{"$long": length, "begins", ...}` are compared by length and beginning.
void expect_same_text(const std::string& ours, const Value& theirs, const std::string& what) {
    if (const Value* size = theirs.find("$long")) {
        EXPECT_EQ(static_cast<double>(ours.size()), size->as_double()) << what;
        EXPECT_TRUE(ours.starts_with(part(theirs, "begins").display())) << what;
    } else {
        EXPECT_EQ(ours, theirs.display()) << what;
    }
}

/// Whether all values of this name in the calls are numbers that both sides take, under a name that both accept.
bool is_plain(const std::string& key, const Value& input) {
    for (const char c : key)
        if (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) == 0 &&
            std::string_view("_-. :/").find(c) == std::string_view::npos)
            return false;
    for (const Value& event : part(input, "events").items()) {
        if (part(event, "call").display() != "log" || part(event, "values").find(key) == nullptr)
            continue;
        for (const auto& [name, value] : part(event, "values").entries())
            if (name.empty() || name.size() > 250 || name.find_first_of("()") != std::string::npos)
                return false;  // the server refused all values of the call
        const Value& value = *part(event, "values").find(key);
        if (!value.is_number() && value.find("$number") == nullptr)
            return false;
    }
    return !key.empty() && key.size() <= 250;
}

struct Expected {
    std::string experiment, name, status, authorization;
    std::map<std::string, std::string> tags;
    std::map<std::string, Value> parameters;
    std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> metrics;
    std::map<std::string, Value> artifacts;
};

/// The runs that the recorded requests made.
std::vector<Expected> expected_runs(const Value& expected) {
    std::vector<Expected> runs;
    std::string experiment;
    for (const Value& request : part(expected, "requests").items()) {
        const std::string path = part(request, "path").display();
        const Value& body = part(request, "body");
        if (path.ends_with("experiments/search")) {
            const std::string filter = part(body, "filter").display();
            experiment = filter.substr(8, filter.size() - 9);
        } else if (path.ends_with("runs/create") && part(request, "status").as_double() == 200) {
            runs.emplace_back();
            runs.back().experiment = experiment;
            runs.back().name = part(body, "run_name").is_null() ? "" : part(body, "run_name").display();
            runs.back().authorization = part(request, "headers").find("authorization") == nullptr
                                            ? ""
                                            : part(request, "headers").find("authorization")->display();
            for (const Value& tag : part(body, "tags").items())
                if (const std::string key = tag.items().at(0).display();
                    !key.starts_with("mlflow.source") && key != "mlflow.user")
                    runs.back().tags[key] = tag.items().at(1).display();
        } else if (runs.empty()) {
            continue;  // the reference could not start one
        } else if (path.ends_with("runs/log-batch") && part(request, "status").as_double() == 200) {
            for (const Value& parameter : part(body, "params").items())
                runs.back().parameters[part(parameter, "key").display()] = part(parameter, "value");
            for (const Value& metric : part(body, "metrics").items())
                runs.back().metrics[part(metric, "key").display()].emplace_back(*part(metric, "step").integer(),
                                                                                shown(part(metric, "value")));
        } else if (path.ends_with("runs/update") && part(request, "status").as_double() == 200 && !runs.empty()) {
            runs.back().status = part(body, "status").display();
        } else if (path.find("/mlflow-artifacts/") != std::string::npos) {
            runs.back().artifacts[path.substr(path.find("/artifacts/", path.find("ID")) + 11)] = part(body, "text");
        }
    }
    return runs;
}

class GoldenMlflow : public testing::TestWithParam<std::size_t> {};

const Value& cases() {
    static const Value all = test::golden_tracker("mlflow");
    return part(all, "cases");
}

TEST_P(GoldenMlflow, TheServerHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    FakeMlflow server;
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path() / "work");
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, value.display() == "URL" ? server.address() : value.display());
    const std::vector<Expected> theirs = expected_runs(expected);
    if (!theirs.empty())
        server.authorization = theirs.front().authorization;
    const bool fails = part(input, "server").find("fail") != nullptr;
    if (fails) {
        const Value& status = part(part(input, "server"), "fail").items().at(0);
        server.service().fail(1, status.is_null() ? 503 : static_cast<int>(status.as_double()));
    }
    test::RecordedCalls calls("mlflow", {fmt::format("{:032x}", 1)});
    if (fails)  // the server works again before the end
        calls.before_end = [&](Trackers&) { server.service().fail(0); };
    calls.make(input);

    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    if (part(input, "off_main").boolean() != nullptr) {
        EXPECT_THAT(server.runs(), testing::IsEmpty());
        return;
    }
    if (part(input, "server").is_null())  // a local store, which local_files compares
        return;
    const std::vector<FakeMlflow::Run> ours = server.runs();
    ASSERT_FALSE(ours.empty());
    // A resumed run is one run on both sides; a run that reference could not start is one here.
    if (!fails) {
        ASSERT_GE(ours.size(), theirs.size());
    }
    std::map<std::string, std::size_t> logged;
    for (const Value& event : part(input, "events").items())
        if (part(event, "call").display() == "log")
            for (const auto& [key, value] : part(event, "values").entries())
                logged[key] += 1;
    for (std::size_t i = 0; i < theirs.size() && !fails; ++i) {
        const FakeMlflow::Run& run = ours[i];
        EXPECT_EQ(run.experiment, "e-" + theirs[i].experiment);
        EXPECT_EQ(run.name, theirs[i].name);
        EXPECT_EQ(run.status, "FINISHED");
        for (const auto& [key, value] : theirs[i].tags)
            EXPECT_EQ(run.tags.count(key) == 0 ? "none" : run.tags.at(key), value) << key;
        for (const auto& [key, value] : theirs[i].parameters)
            if (key != "tensor")
                expect_same_text(run.parameters.count(key) == 0 ? "none" : run.parameters.at(key), value, key);
        for (const auto& [key, points] : theirs[i].metrics) {
            if (!is_plain(key, input))
                continue;
            ASSERT_TRUE(run.metrics.contains(key)) << key;
            std::vector<std::pair<std::int64_t, std::string>> own;
            for (const auto& [step, value] : run.metrics.at(key))
                own.emplace_back(step,
                                 value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>()));
            EXPECT_EQ(own, points) << key;
        }
        for (const auto& [path, text] : theirs[i].artifacts)
            if (text.text() != nullptr) {
                EXPECT_EQ(run.artifacts.count(path) == 0 ? "none" : run.artifacts.at(path), text.display()) << path;
            }
    }
    // Nothing that is a number was lost, whatever the server did.
    std::map<std::string, std::size_t> received;
    for (const FakeMlflow::Run& run : ours)
        for (const auto& [key, points] : run.metrics)
            received[key] += points.size();
    for (const auto& [key, count] : logged)
        if (is_plain(key, input)) {
            EXPECT_EQ(received[key], count) << key;
        }
}

std::vector<std::size_t> all_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenMlflow, testing::ValuesIn(all_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

/// The file store, compared with every file that MLflow wrote itself.
class GoldenMlflowFolder : public testing::TestWithParam<std::size_t> {};

std::vector<std::size_t> folder_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (!part(part(cases().items().at(i), "expected"), "contents").is_null())
            numbers.push_back(i);
    return numbers;
}

/// Without values that differ from run to run, and those that we do not write.
std::string without_times(std::string text) {
    std::string lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        for (const char* key : {"creation_time", "end_time", "last_update_time", "start_time", "run_id", "run_name",
                                "user_id", "experiment_id", "artifact_location", "artifact_uri"})
            if (line.starts_with(key))
                line = key;
        lines += line + "\n";
    }
    return lines;
}

TEST_P(GoldenMlflowFolder, HasTheSameFiles) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::Variables variables;
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, value.display());
    test::RecordedCalls calls("mlflow");
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    EXPECT_THAT(calls.problems, testing::IsEmpty());

    fs::path experiment, run;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path() / "mlruns"))
        if (entry.path().filename() != "0")
            experiment = entry.path();
    for (const fs::directory_entry& entry : fs::directory_iterator(experiment))
        if (fs::exists(entry.path() / "metrics"))
            run = entry.path();
    ASSERT_FALSE(run.empty());
    for (const auto& [name, content] : part(expected, "contents").entries()) {
        fs::path ours = folder.path() / "mlruns" / name;
        if (name.starts_with("EXPERIMENT/ID0/"))
            ours = run / name.substr(15);
        else if (name.starts_with("EXPERIMENT/"))
            ours = experiment / name.substr(11);
        if (name.ends_with("mlflow.user") || name.ends_with("source.name") || name.ends_with("params/tensor"))
            continue;  // not sent; written as Python shows a tensor
        ASSERT_TRUE(fs::exists(ours)) << name;
        const std::string text = read_file(ours);
        if (name.ends_with("meta.yaml")) {
            EXPECT_EQ(without_times(text), without_times(content.display())) << name;
        } else if (name.find("/metrics/") != std::string::npos) {
            std::string lines;
            std::istringstream stream(text);
            for (std::string line; std::getline(stream, line);)
                lines += "TIME" + line.substr(line.find(' ')) + "\n";
            EXPECT_EQ(lines, content.display()) << name;
        } else if (content.display() != "RANDOM-NAME") {
            EXPECT_EQ(text, content.display()) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenMlflowFolder, testing::ValuesIn(folder_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

}  // namespace
}  // namespace trainyard::track::mlflow_cases
