// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/wandb.json: the records of the file that W&B's client writes, and of ours; online, what arrives at
// the
// server.
//
// Intended differences: host, packages, logs and metadata are not written; a lower step is kept as a row of its own
// instead of being dropped; a table has no artifact beside its file; without a key the run is written to a folder;
// other
// characters of a project's name are `_`; an object of an unknown class does not exist here.

#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/protobuf.h"
#include "support/fake_service.h"
#include "track/log_records.h"
#include "track/recorded_calls.h"

namespace trainyard::track::wandb_cases {
namespace {

namespace fs = std::filesystem;
namespace pb = protobuf;
using nlohmann::json;
using test::part;

/// Key path -> JSON text.
using Items = std::map<std::vector<std::string>, std::string>;

struct Record {
    std::string type;
    std::map<int, std::string> texts;
    std::vector<std::string> tags;
    Items items;
    std::int64_t step = -1;
};

void read_items(std::string_view message, Items& items) {
    for (pb::Fields fields(message); fields.next();) {
        if (!fields.is(1, pb::Wire::bytes))
            continue;
        std::vector<std::string> path;
        std::string value;
        for (pb::Fields item(fields.bytes()); item.next();)
            if (item.number() == 16)
                value = item.bytes();
            else if (item.number() == 1 || item.number() == 2)
                path.emplace_back(item.bytes());
        if (path.empty())
            path.emplace_back();
        items[path] = value;
    }
}

std::vector<Record> read_records(const fs::path& file) {
    std::vector<Record> records;
    for (const std::string& bytes : test::log_records(read_file(file, 1u << 30), std::string_view(":W&B\xe1\xbe\0", 7)))
        for (pb::Fields fields(bytes); fields.next();) {
            Record record;
            if (fields.is(2, pb::Wire::bytes)) {
                record.type = "history";
                read_items(fields.bytes(), record.items);
                for (pb::Fields step(fields.bytes()); step.next();)
                    if (step.is(2, pb::Wire::bytes))
                        for (pb::Fields number(step.bytes()); number.next();)
                            record.step = number.integer();
            } else if (fields.is(3, pb::Wire::bytes) || fields.is(5, pb::Wire::bytes)) {
                record.type = fields.number() == 3 ? "summary" : "config";
                read_items(fields.bytes(), record.items);
            } else if (fields.is(17, pb::Wire::bytes)) {
                record.type = "run";
                for (pb::Fields run(fields.bytes()); run.next();)
                    if (run.number() == 4)
                        read_items(run.bytes(), record.items);
                    else if (run.number() == 10)
                        record.tags.emplace_back(run.bytes());
                    else if (run.is(run.number(), pb::Wire::bytes))
                        record.texts[run.number()] = run.bytes();
                    else
                        record.texts[run.number()] = std::to_string(run.integer());
            } else if (fields.is(18, pb::Wire::bytes)) {
                record.type = "exit";
            } else {
                continue;
            }
            records.push_back(record);
        }
    return records;
}

/// PNG files of another encoder have other bytes, so that their names have other digests.
std::string without_digests(const std::string& text) {
    return std::regex_replace(text, std::regex("_[0-9a-f]{20}\\.png"), "_#.png");
}

/// Names of pictures below a folder.
std::set<std::string> pictures_below(const fs::path& folder) {
    std::set<std::string> names;
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "media" / "images", missing))
        names.insert("media/images/" + without_digests(entry.path().filename().string()));
    return names;
}

/// Compares JSON texts by their values; 3, 3.0 and 0.00001, 1e-05 are equal.
bool same_json(const std::string& left, const std::string& right) {
    if (left == right)
        return true;
    const json one = read_json(left), other = read_json(right);
    return !one.is_discarded() && !other.is_discarded() && one == other;
}

Items items_of(const Value& list) {
    Items items;
    for (const Value& item : list.items()) {
        std::vector<std::string> path;
        for (const Value& name : item.items().at(0).items())
            path.push_back(name.display());
        const Value& value = item.items().at(1);
        items[path] = value.find("$long") != nullptr ? "$long" : value.display();
    }
    return items;
}

/// Ours has each of theirs; `except`: keys of calls that have another form here.
void expect_items(const Items& ours, const Items& theirs, const std::string& what) {
    for (const auto& [path, value] : theirs) {
        const std::string name = path.back();
        if (path[0] == "eval_table" &&
            (name == "_latest_artifact_path" || name == "artifact_path" || name == "log_mode"))
            continue;
        const auto found = ours.find(path);
        if (found == ours.end()) {
            ADD_FAILURE() << what << ": " << testing::PrintToString(path) << " is missing";
            continue;
        }
        if (value != "$long") {
            EXPECT_TRUE(same_json(without_digests(found->second), without_digests(value)))
                << what << ": " << testing::PrintToString(path) << ": " << found->second << ", not " << value;
        }
    }
}

const Value& cases() {
    static const Value all = test::golden_tracker("wandb");
    return part(all, "cases");
}

fs::path find_run(const fs::path& folder) {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder))
        if (file.path().extension() == ".wandb")
            return file.path();
    return {};
}

bool is_online(const Value& input) {
    return part(input, "env").find("WANDB_API_KEY") != nullptr && part(input, "events").is_list();
}

class GoldenWandb : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenWandb, TheFileHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, value.display());
    test::RecordedCalls calls("wandb");
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    const fs::path file = find_run(folder.path());
    if (part(part(input, "env"), "WANDB_MODE").display() == "disabled" ||
        part(input, "off_main").boolean() != nullptr) {
        EXPECT_TRUE(file.empty());
        return;
    }
    ASSERT_FALSE(file.empty());
    EXPECT_TRUE(fs::is_symlink(file.parent_path().parent_path() / "latest-run"));
    const std::vector<Record> ours = read_records(file);
    std::map<std::int64_t, Items> history;
    Items summary, config;
    for (const Record& record : ours) {
        if (record.type == "history")
            history[record.step].insert(record.items.begin(), record.items.end());
        for (const auto& [path, value] : record.items)
            if (record.type == "summary")
                summary[path] = value;
            else if (record.type == "config" || record.type == "run")
                config[path] = value;
    }
    EXPECT_EQ(ours.front().type, "run");
    EXPECT_EQ(ours.back().type, "exit");
    // A value of an unknown class ends the reference's row, and texts of 340 characters are shortened in the records.
    for (const Value& record : part(expected, "records").items()) {
        const std::string type = part(record, "type").display();
        if (type == "run") {
            const std::map<const char*, int> fields{{"project", 3},  {"entity", 2},       {"run_group", 6},
                                                    {"job_type", 7}, {"display_name", 8}, {"notes", 9}};
            for (const auto& [name, field] : fields)
                if (const Value* text = record.find(name)) {
                    EXPECT_EQ(ours.front().texts.count(field) == 0 ? "none" : ours.front().texts.at(field),
                              text->display())
                        << name;
                }
            if (const Value& id = part(record, "run_id"); id.display() != "RUN") {
                EXPECT_EQ(ours.front().texts.at(1), id.display());
            }
            if (const Value* tags = record.find("tags")) {
                std::vector<std::string> wanted;
                for (const Value& tag : tags->items())
                    wanted.push_back(tag.display());
                EXPECT_EQ(ours.front().tags, wanted);
            }
            EXPECT_EQ(ours.front().texts.count(24) != 0, record.find("resume") != nullptr);
            EXPECT_EQ(ours.front().texts.count(13), 0u) << "the name of the host";
        } else if (type == "history" && part(record, "items").is_list()) {
            const std::int64_t step = *part(record, "step").integer();
            ASSERT_TRUE(history.contains(step)) << step;
            expect_items(history[step], items_of(part(record, "items")), "step " + std::to_string(step));
            for (const Value& name : part(record, "always").items())
                EXPECT_TRUE(history[step].contains({name.display()})) << name.display();
        }
    }
    Items theirs = items_of(part(expected, "final_config"));
    expect_items(config, theirs, "configuration");
    if (part(expected, "final_summary").is_list()) {
        theirs = items_of(part(expected, "final_summary"));
        expect_items(summary, theirs, "summary");
        EXPECT_EQ(theirs.empty(), summary.empty());
    }
    // Media are the same files.
    for (const Value& name : part(expected, "files").items())
        if (const std::string path = name.display(); path.find("/media/images/") != std::string::npos) {
            EXPECT_THAT(pictures_below(file.parent_path() / "files"),
                        testing::Contains(without_digests(path.substr(path.find("media/")))));
        }
}

std::vector<std::size_t> folder_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (const Value& input = part(cases().items().at(i), "input");
            part(input, "events").is_list() && !is_online(input))
            numbers.push_back(i);
    return numbers;
}

std::string wandb_case(const testing::TestParamInfo<std::size_t>& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenWandb, testing::ValuesIn(folder_cases()), wandb_case);

/// W&B reads them, and the modes of its older releases.
TEST(WandbVariables, OfARunThatContinuesAndOfOlderModes) {
    for (const char* mode : {"run", "dryrun"}) {
        test::TemporaryFolder folder;
        test::Variables variables;
        variables.set("HOME", folder.path().string());  // has no key: the run is a folder in any case
        variables.set("WANDB_API_KEY", "");
        variables.set("WANDB_MODE", mode);
        variables.set("WANDB_RUN_ID", "abc123");
        variables.set("WANDB_RESUME", "allow");
        TrackersOptions options;
        options.logging_dir = folder.path() / "logs";
        auto trackers = Trackers::start({"wandb"}, options);
        trackers->log({{"loss", 1.0}}, 1);
        trackers->finish();
        const fs::path file = find_run(folder.path());
        ASSERT_FALSE(file.empty()) << mode;
        const Record run = read_records(file).front();
        EXPECT_EQ(run.texts.at(1), "abc123");
        EXPECT_EQ(run.texts.count(24), 1u) << "it continues";
    }
}

/// A server that has one user, `someone`.
class FakeWandb {
  public:
    std::map<std::int64_t, json> history;  ///< by line
    json summary, config;
    std::map<std::string, std::string> uploads;
    bool complete = false;
    std::string run, project, bad_request;

    FakeWandb() = default;
    test::FakeService& service() { return service_; }

  private:
    test::FakeService::Answer answer(const test::FakeService::Request& request) {
        if (request.path.starts_with("/upload/")) {
            uploads[request.path.substr(8)] = request.body;
            return {};
        }
        const auto login = request.headers.find("authorization");
        if (login == request.headers.end() || !login->second.starts_with("Basic "))
            return {401};
        const json body = json::parse(request.body);
        if (request.path == "/graphql") {
            const json& variables = body.at("variables");
            if (body.at("operationName") == "UpsertBucket") {
                run = variables.at("name");
                project = variables.at("project");
                config = json::parse(variables.at("config").get<std::string>());
                return {200, json{{"data",
                                   {{"upsertBucket",
                                     {{"bucket",
                                       {{"name", run},
                                        {"historyLineCount", 0},
                                        {"project", {{"name", project}, {"entity", {{"name", "someone"}}}}}}}}}}}}
                                 .dump()};
            }
            json files = json::array();
            for (const json& name : variables.at("files"))
                files.push_back(
                    {{"name", name}, {"uploadUrl", service_.address() + "/upload/" + name.get<std::string>()}});
            return {200,
                    json{{"data", {{"createRunFiles", {{"files", files}, {"uploadHeaders", json::array()}}}}}}.dump()};
        }
        if (request.path != "/files/someone/" + project + "/" + run + "/file_stream")
            return {404, "<html>"};
        const json files = body.value("files", json::object());
        if (files.contains("wandb-history.jsonl")) {
            std::int64_t line = files["wandb-history.jsonl"].at("offset");
            for (const json& text : files["wandb-history.jsonl"].at("content"))
                history[line++] = read_json(readable(text.get<std::string>()));
            summary = read_json(readable(files["wandb-summary.json"].at("content").at(0).get<std::string>()));
        }
        complete = complete || body.value("complete", false);
        return {};
    }
    /// NaN and infinities as texts.
    static std::string readable(std::string text) {
        for (const std::string name : {"-Infinity", "Infinity", "NaN"})
            for (std::size_t at = 0; (at = text.find(":" + name, at)) != std::string::npos; at += name.size())
                text.replace(at + 1, name.size(), '"' + name + '"');
        return text;
    }

    test::FakeService service_{[this](const test::FakeService::Request& request) { return answer(request); }};
};

class GoldenWandbOnline : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenWandbOnline, TheServerHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    FakeWandb server;
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, name == "WANDB_BASE_URL" ? server.service().address() : value.display());
    const Value* failure = part(input, "server").find("fail");
    const bool fails = failure != nullptr || part(input, "server").is_null();
    if (fails)
        server.service().fail(1, failure == nullptr || failure->items().at(0).is_null()
                                     ? 503
                                     : static_cast<int>(failure->items().at(0).as_double()));
    test::RecordedCalls calls("wandb");
    if (fails)
        calls.before_end = [&](Trackers&) { server.service().fail(0); };
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    EXPECT_TRUE(server.complete);
    EXPECT_EQ(server.project, part(part(input, "events").items().at(0), "project").display());
    std::map<std::int64_t, json> by_step;
    for (const auto& [line, row] : server.history)
        if (const std::int64_t step = row.at("_step"); !by_step.contains(step))
            by_step[step] = row;
    for (const Value& record : part(expected, "records").items()) {
        if (part(record, "type").display() != "history" || !part(record, "items").is_list() || fails)
            continue;
        const std::int64_t step = *part(record, "step").integer();
        ASSERT_TRUE(by_step.contains(step)) << step;
        for (const auto& [path, value] : items_of(part(record, "items"))) {
            const json* found = &by_step[step];
            for (const std::string& name : path)
                found = found != nullptr && found->is_object() && found->contains(name) ? &(*found)[name] : nullptr;
            ASSERT_NE(found, nullptr) << testing::PrintToString(path);
            if (value != "NaN" && value != "Infinity" && value != "-Infinity" && value != "$long") {
                EXPECT_EQ(read_json(without_digests(found->dump())), read_json(without_digests(value)))
                    << testing::PrintToString(path);
            } else if (value != "$long") {
                EXPECT_EQ(*found, value);
            }
        }
    }
    std::set<std::string> uploaded;
    for (const auto& [name, content] : server.uploads)
        uploaded.insert(without_digests(name));
    for (const Value& name : part(expected, "files").items())
        if (const std::string path = name.display(); path.find("/media/images/") != std::string::npos) {
            EXPECT_THAT(uploaded, testing::Contains(without_digests(path.substr(path.find("media/")))));
        }
    if (fails) {  // nothing was lost
        std::set<std::string> names, logged;
        for (const auto& [line, row] : server.history)
            for (const auto& [name, value] : row.items())
                names.insert(name);
        for (const Value& event : part(input, "events").items())
            for (const auto& [name, value] : part(event, "values").entries())
                EXPECT_TRUE(names.contains(name)) << name;
    }
    // The key is nowhere on the disk.
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find("dummy0000"), std::string::npos) << file.path();
        }
}

std::vector<std::size_t> online_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (is_online(part(cases().items().at(i), "input")))
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenWandbOnline, testing::ValuesIn(online_cases()), wandb_case);

}  // namespace
}  // namespace trainyard::track::wandb_cases
