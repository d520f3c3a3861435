// SPDX-License-Identifier: GPL-3.0-or-later
// Folders as the real dvclive writes them (golden/dvclive, made with dvclive 3.49.1): file for file, byte for byte.

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "observe/track/trackers.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::track {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Value value_of(const Json& json) {
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string()) {
        const std::string word = json.get<std::string>();
        if (word == "nan" || word == "inf" || word == "-inf")  // JSON has no other way to say it
            return std::stod(word);
        return word;
    }
    if (json.is_array()) {
        Value::List list;
        for (const Json& item : json)
            list.push_back(value_of(item));
        return list;
    }
    if (!json.is_object())
        return {};
    Values values;
    for (const auto& [key, value] : json.items())
        values.emplace_back(key, value_of(value));
    return values;
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) {
            std::ostringstream content;
            content << std::ifstream(entry.path()).rdbuf();
            files[fs::relative(entry.path(), folder).string()] = content.str();
        }
    return files;
}

/// "%C3%A9" is the letter it encodes: golden files have ASCII names.
std::string decoded(const std::string& name) {
    std::string out;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] != '%') {
            out += name[at];
            continue;
        }
        out += static_cast<char>(std::stoi(name.substr(at + 1, 2), nullptr, 16));
        at += 2;
    }
    return out;
}

TEST(DvcLive, WritesTheFilesOfDvcLive) {
    int seen = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("dvclive"))) {
        SCOPED_TRACE(entry.path().filename());
        ++seen;
        std::ifstream file(entry.path() / "calls.json");
        const Json calls = Json::parse(file);
        test::TemporaryFolder folder;
        TrackersOptions options;
        options.arguments["dvclive"] = Values{{"dir", (folder.path() / "live").string()}};
        if (!calls["params"].is_null())
            options.configuration = *value_of(calls["params"]).map();
        auto trackers = Trackers::start({"dvclive"}, options);
        for (const Json& log : calls["log"])
            trackers->log(*value_of(log[1]).map(),
                          log[0].is_null() ? std::nullopt : std::optional(log[0].get<std::int64_t>()));
        trackers->finish();
        EXPECT_EQ(trackers->take_problems(), std::vector<Message>());
        const auto ours = files_of(folder.path() / "live"), wanted = files_of(entry.path() / "files");
        for (const auto& [encoded, content] : wanted) {
            const std::string name = decoded(encoded);
            EXPECT_EQ(ours.contains(name) ? ours.at(name) : "(no such file)", content) << name;
        }
        EXPECT_EQ(ours.size(), wanted.size());
    }
    EXPECT_GT(seen, 0);
}

TEST(DvcLive, GoesOnWhereItStoppedOrBeginsAnew) {
    test::TemporaryFolder folder;
    auto run = [&](bool resume, double loss) {
        TrackersOptions options;
        options.arguments["dvclive"] = Values{{"dir", folder.path().string()}, {"resume", resume}};
        auto trackers = Trackers::start({"dvclive"}, options);
        trackers->log({{"loss", loss}});
        trackers->log({{"loss", loss / 2}});
        trackers->finish();
        EXPECT_EQ(trackers->take_problems(), std::vector<Message>());
        return files_of(folder.path()).at("plots/metrics/loss.tsv");
    };
    EXPECT_EQ(run(false, 4.0), "step\tloss\n0\t4.0\n1\t2.0\n");
    EXPECT_EQ(run(true, 1.0), "step\tloss\n0\t4.0\n1\t2.0\n2\t1.0\n3\t0.5\n");
    EXPECT_EQ(run(false, 8.0), "step\tloss\n0\t8.0\n1\t4.0\n");
}

TEST(DvcLive, NamesDoNotLeaveTheFolder) {
    test::TemporaryFolder folder;
    TrackersOptions options;
    options.arguments["dvclive"] = Values{{"dir", (folder.path() / "live").string()}};
    auto trackers = Trackers::start({"dvclive"}, options);
    for (const char* name : {"../../outside", "/outside", "a/../../../../../outside", ""})
        trackers->log({{name, 1}});
    trackers->log({{"loss", Values{{"a", 1}}}, {"list", Value::List{1}}});  // one can be shown, the other cannot
    trackers->finish();
    EXPECT_FALSE(fs::exists(folder.path() / "outside.tsv"));
    EXPECT_TRUE(fs::exists(folder.path() / "live/plots/metrics/loss/a.tsv"));
    EXPECT_EQ(trackers->take_problems().size(), 2u);  // the first one, and how many in all
}

}  // namespace
}  // namespace trainyard::track
