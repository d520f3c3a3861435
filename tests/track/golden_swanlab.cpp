// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/swanlab.json: the records of the file that SwanLab's client writes, and of ours; online, what arrives
// at the server.
//
// Intended differences: metadata and packages are not written; the name of the framework and `allow_val_change` are not
// among the hyper-parameters; a value that is not a number is a text; with a server there is no folder of a run, and
// without a key there is one, with a message; the key "" is `_`; minus infinity keeps its sign in the hyper-parameters.

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "track/fake_services.h"
#include "track/log_records.h"
#include "track/recorded_calls.h"

namespace trainyard::track::swanlab_cases {
namespace {

namespace fs = std::filesystem;
namespace pb = protobuf;
using test::part;
using Points = std::vector<std::pair<std::int64_t, double>>;

const Value& cases() {
    static const Value all = test::golden_tracker("swanlab");
    return part(all, "cases");
}

/// The client writes "Inf" for both infinities.
bool differs_in_sign(const std::string& ours, const Value& theirs) {
    return ours == "-Inf" && theirs.display() == "Inf";
}

struct WrittenRun {
    std::map<int, std::vector<std::string>> start;  ///< texts by field
    std::map<std::string, Points> scalars;
    std::map<std::string, std::vector<std::string>> images;  ///< names of files
    std::map<std::string, std::string> sections;             ///< of columns
    bool finished = false;
    fs::path config;
};

WrittenRun read_run(const fs::path& file) {
    WrittenRun run;
    std::int64_t newest = 0;
    for (const std::string& bytes :
         test::log_records(read_file(file, 1u << 30), std::string_view(":SWL\xd6\xe1\x02", 7))) {
        std::int64_t number = 0;
        for (pb::Fields fields(bytes); fields.next();) {
            std::string key;
            std::int64_t step = 0;
            if (fields.number() == 1)
                number = fields.integer();
            if (fields.number() == 10)
                for (pb::Fields one(fields.bytes()); one.next();)
                    run.start[one.number()].emplace_back(one.is(one.number(), pb::Wire::bytes)
                                                             ? std::string(one.bytes())
                                                             : std::to_string(one.integer()));
            if (fields.number() == 11)
                run.finished = true;
            if (fields.number() == 12) {
                std::string section;
                for (pb::Fields one(fields.bytes()); one.next();) {
                    if (one.number() == 3)
                        key = one.bytes();
                    if (one.number() == 5)
                        section = one.bytes();
                }
                EXPECT_FALSE(run.scalars.contains(key) || run.images.contains(key)) << "a column comes first";
                run.sections[key] = section;
            }
            if (fields.number() == 13 || fields.number() == 14) {
                EXPECT_GT(number, newest) << "points have increasing numbers";
                newest = number;
                for (pb::Fields one(fields.bytes()); one.next();) {
                    if (one.number() == 1)
                        key = one.bytes();
                    if (one.number() == 2)
                        step = one.integer();
                    if (one.number() == 5 && fields.number() == 13)
                        for (pb::Fields value(one.bytes()); value.next();)
                            run.scalars[key].emplace_back(step, value.as_double());
                    if (one.number() == 5 && fields.number() == 14)
                        for (pb::Fields item(one.bytes()); item.next();)
                            for (pb::Fields name(item.bytes()); name.next();)
                                if (name.number() == 1)
                                    run.images[key].emplace_back(name.bytes());
                }
            }
            if (fields.number() == 20)
                for (pb::Fields one(fields.bytes()); one.next();)
                    if (one.number() == 2)
                        run.config = std::string(one.bytes());
        }
    }
    return run;
}

class GoldenSwanLab : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenSwanLab, TheFileHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries())
        if (name != "SWANLAB_API_KEY")  // with a key: below
            variables.set(name, value.display());
    test::RecordedCalls calls("swanlab");
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    fs::path file;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path()))
        if (entry.path().extension() == ".swanlab")
            file = entry.path();
    if (part(part(input, "env"), "SWANLAB_MODE").display() == "disabled" ||
        part(input, "off_main").boolean() != nullptr) {
        EXPECT_TRUE(file.empty());
        return;
    }
    ASSERT_FALSE(file.empty());
    const WrittenRun ours = read_run(file);
    EXPECT_TRUE(ours.finished);
    std::map<std::string, Points> scalars;
    for (const Value& record : part(expected, "records").items()) {
        const std::string type = part(record, "type").display();
        if (type == "start") {
            const std::map<const char*, int> fields{{"project", 1},     {"workspace", 2}, {"name", 4},
                                                    {"description", 5}, {"tags", 6},      {"group", 7},
                                                    {"job_type", 8},    {"id", 10}};
            for (const auto& [name, field] : fields) {
                const Value* wanted = part(record, "start").find(name);
                if (wanted == nullptr || wanted->display() == "RANDOM-NAME" || wanted->display() == "RUN" ||
                    (field == 2 && part(expected, "requests").is_list()))  // the server named the workspace
                    continue;
                std::vector<std::string> texts;
                for (const Value& text : wanted->items())
                    texts.push_back(text.display());
                if (!wanted->is_list())
                    texts.push_back(wanted->display());
                EXPECT_EQ(ours.start.count(field) == 0 ? std::vector<std::string>() : ours.start.at(field), texts)
                    << name;
            }
        } else if (type == "scalar") {
            const Value& scalar = part(record, "scalar");
            const Value& number = part(part(scalar, "value"), "number");
            const std::string text = number.display();
            scalars[part(scalar, "key").display()].emplace_back(
                part(scalar, "step").is_null() ? 0 : std::stoll(part(scalar, "step").display()),
                text == "NaN"         ? std::nan("")
                : text == "Infinity"  ? HUGE_VAL
                : text == "-Infinity" ? -HUGE_VAL
                                      : number.as_double());
        } else if (type == "media") {
            std::vector<std::string> names;
            for (const Value& item : part(part(part(record, "media"), "value"), "items").items())
                names.push_back(part(item, "filename").display());
            const std::string key = part(part(record, "media"), "key").display();
            // PNG files of another encoder have other bytes, so that their names have other digests.
            const auto steps_of = [](std::vector<std::string> all) {
                for (std::string& name : all)
                    name = name.substr(0, name.find('-')) + name.substr(name.find('.'));
                return all;
            };
            ASSERT_TRUE(ours.images.contains(key)) << key;
            EXPECT_EQ(steps_of(ours.images.at(key)), steps_of(names)) << key;
            for (const std::string& name : ours.images.at(key))
                EXPECT_TRUE(fs::exists(file.parent_path() / "media" / "image" / name)) << name;
        } else if (type == "column") {
            const std::string key = part(part(record, "column"), "column_key").display();
            const Value& section = part(part(record, "column"), "section_name");
            if (ours.sections.contains(key)) {
                EXPECT_EQ(ours.sections.at(key), section.is_null() ? "" : section.display()) << key;
            }
        }
    }
    for (const auto& [key, points] : scalars) {
        ASSERT_TRUE(ours.scalars.contains(key)) << key;
        const Points& own = ours.scalars.at(key);
        ASSERT_EQ(own.size(), points.size()) << key;
        for (std::size_t i = 0; i < own.size(); ++i) {
            EXPECT_EQ(own[i].first, points[i].first) << key;
            EXPECT_TRUE(own[i].second == points[i].second ||
                        (std::isnan(own[i].second) && std::isnan(points[i].second)))
                << key << " " << own[i].second;
        }
    }
    if (const Value& config = part(expected, "config.yaml"); config.text() != nullptr && !scalars.empty()) {
        std::vector<Problem> problems;
        const Value wanted = parse_yaml(*config.text(), "wanted", problems, python_rules(problems));
        const Value own = parse_yaml(read_file(ours.config), "ours", problems, python_rules(problems));
        EXPECT_THAT(problems, testing::IsEmpty());
        for (const auto& [key, entry] : wanted.entries())
            if (key != "FRAMEWORK" && key != "allow_val_change" && key != "tensor" &&
                !differs_in_sign(part(part(own, key.c_str()), "value").display(), part(entry, "value"))) {
                EXPECT_EQ(part(part(own, key.c_str()), "value"), part(entry, "value")) << key;
            }
    }
}

class GoldenSwanLabOnline : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenSwanLabOnline, TheServerHasTheSame) {
    using nlohmann::json;
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::FakeServices server;
    test::Variables variables;
    variables.set("HOME", folder.path().string());
    for (const auto& [name, value] : part(input, "env").entries()) {
        std::string text = value.display();
        if (text.starts_with("URL"))
            text.replace(0, 3, server.service().address());
        variables.set(name, text);
    }
    const Value* failure = part(input, "server").find("fail");
    if (failure != nullptr)
        server.service().fail(1, static_cast<int>(failure->items().at(0).as_double()));
    test::RecordedCalls calls("swanlab");
    if (failure != nullptr)
        calls.before_end = [&](Trackers&) { server.service().fail(0); };
    calls.make(input);
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    EXPECT_TRUE(server.has_ended());
    const test::FakeServices::Points points = server.points();
    const bool resumes = part(input, "server").find("summaries") != nullptr;  // the client drops what the server has
    for (const Value& request : part(expected, "requests").items()) {
        const std::string path = part(request, "path").display();
        const Value& body = part(request, "body");
        if (failure != nullptr || part(request, "status").as_double() >= 300)
            continue;
        if (path == "/api/house/metrics" && part(body, "metrics").is_list()) {
            for (const Value& point : part(body, "metrics").items()) {
                const std::string key = part(point, "key").display();
                const std::int64_t step = *part(point, "index").integer();
                ASSERT_TRUE(points.contains(key)) << key;
                ASSERT_TRUE(points.at(key).contains(step)) << key << " " << step;
                const json& ours = points.at(key).at(step);
                const json wanted = json::parse(json_of(part(point, "data")).dump());
                EXPECT_EQ(wanted.is_array() ? json(ours.size()) : ours,
                          wanted.is_array() ? json(wanted.size()) : wanted)
                    << key;
            }
        } else if (path.ends_with("/experiment")) {
            for (const char* field : {"cuid", "description", "job", "cluster"})
                if (const Value* wanted = body.find(field); wanted != nullptr && wanted->display() != "RUN") {
                    EXPECT_EQ(server.run().value(field, ""), wanted->display()) << field;
                }
        } else if (path.ends_with("/profile")) {
            for (const auto& [key, entry] : part(body, "config").entries())
                if (key != "FRAMEWORK" && key != "allow_val_change" && key != "tensor") {
                    const json ours = server.run().at("config").at(key).at("value");
                    if (!ours.is_string() || !differs_in_sign(ours.get<std::string>(), part(entry, "value"))) {
                        EXPECT_EQ(ours, json::parse(json_of(part(entry, "value")).dump())) << key;
                    }
                }
        }
    }
    for (const Value& event : part(input, "events").items())  // nothing was lost
        if (part(event, "call").display() == "log")
            for (const auto& [key, value] : part(event, "values").entries())
                if (value.is_number() && !key.empty() && !resumes) {
                    EXPECT_TRUE(points.contains(key)) << key;
                }
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find("dummy0000"), std::string::npos) << file.path();
        }
}

std::vector<std::size_t> online_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i) {
        const Value& input = part(cases().items().at(i), "input");
        if (part(input, "events").is_list() && !part(input, "events").items().empty() &&
            part(input, "env").find("SWANLAB_API_KEY") != nullptr)
            numbers.push_back(i);
    }
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenSwanLabOnline, testing::ValuesIn(online_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

std::vector<std::size_t> event_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (part(part(cases().items().at(i), "input"), "events").is_list())
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenSwanLab, testing::ValuesIn(event_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

}  // namespace
}  // namespace trainyard::track::swanlab_cases
