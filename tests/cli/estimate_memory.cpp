// `trainyard estimate-memory`: the table line by line, from a folder called as the golden case calls its model.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Program;
using test::Said;
using testing::HasSubstr;

class EstimateMemory : public testing::Test {
  protected:
    Said estimate(std::vector<std::string> words) {
        words.insert(words.begin(), {TRAINYARD_BIN_DIR "/trainyard", "estimate-memory"});
        std::string folder = folder_.path().string();
        return Program(words,
                       [folder] {
                           if (::chdir(folder.c_str()) != 0)
                               ::_exit(126);
                       })
            .wait();
    }
    void write(const fs::path& file, const json& content) {
        fs::create_directories((folder_.path() / file).parent_path());
        std::ofstream(folder_.path() / file) << content;
    }
    test::TemporaryFolder folder_;
};

std::string without_padding(std::string table) {
    std::erase(table, ' ');
    for (std::size_t at; (at = table.find("─")) != std::string::npos;)
        table.erase(at, std::string("─").size());
    return table;
}

TEST_F(EstimateMemory, PrintsAcceleratesTable) {
    int compared = 0;
    json golden = json::parse(std::ifstream(test::golden("estimate.json")));
    for (const json& entry : golden["cases"]) {
        const json& input = entry["input"];
        const json& expected = entry["expected"];
        // Only models whose weights nobody shares: Accelerate counts shared ones once for each user.
        if (expected.contains("error") || expected["with_sharing"]["total_bytes"] != expected["total_bytes"])
            continue;
        SCOPED_TRACE(entry["id"].get<std::string>());
        auto name = input["model_name"].get<std::string>();
        json config = input["config"];
        if (input["auto_class"] != "AutoModel")
            config["auto_map"][input["auto_class"].get<std::string>()] = "of the repository";
        write(fs::path(name) / "config.json", config);
        std::string table;
        for (const json& line : expected["table"])
            table += line.get<std::string>() + "\n";
        Said said = estimate({name});
        EXPECT_EQ(said.code, 0) << said.err;
        // Accelerate widens the last column by too little where the title is longer than the frame; ours is straight.
        auto width = [](const json& line) {
            const std::string text = line;
            return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
        };
        const bool crooked = width(expected["table"][0]) != width(expected["table"][1]);
        EXPECT_EQ(crooked ? without_padding(said.out) : said.out, crooked ? without_padding(table) : table);
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

TEST_F(EstimateMemory, RowsInTheOrderGiven) {
    write("m/config.json", {{"model_type", "gpt2"}});
    Said said = estimate({"m", "--dtypes", "int4", "float32", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    auto rows = nlohmann::ordered_json::parse(said.out)["rows"];
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows.begin().key(), "int4");
    EXPECT_FALSE(rows["int4"].contains("training"));
    EXPECT_TRUE(rows["float32"].contains("training"));
}

TEST_F(EstimateMemory, ALongNameWidensTheLastColumn) {
    std::string name(60, 'x');
    write(name + "/config.json", {{"model_type", "gpt2"}});
    std::string table = estimate({name}).out;
    // Accelerate's rule: cells of 49 columns and a frame of 54, of which the title's 87 are twice the difference more.
    const std::ptrdiff_t wide = 54 + 2 * (87 - 54);
    int lines = 0;
    for (std::size_t begin = 0; begin < table.size(); begin = table.find('\n', begin) + 1, ++lines) {
        std::string line = table.substr(begin, table.find('\n', begin) - begin);
        auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
        EXPECT_EQ(columns, wide) << line;
    }
    EXPECT_EQ(lines, 10) << "frame, title, head and four rows";
}

TEST_F(EstimateMemory, WhatItCannotDoIsOneSentence) {
    write("bert/config.json", {{"model_type", "bertt"}});
    write("bad/config.json", {{"model_type", "gpt2"}, {"n_layer", "many"}});
    write("heads/config.json", {{"model_type", "gpt2"}, {"n_embd", 10}, {"n_head", 3}});
    write("huge/config.json", {{"model_type", "gpt2"}, {"n_embd", 1000000000}, {"n_head", 1}, {"n_layer", 1000000000}});
    write("head/config.json", {{"model_type", "gpt2"}, {"auto_map", {{"AutoModelForMultipleChoice", "x"}}}});
    fs::create_directories(folder_.path() / "empty");
    EXPECT_THAT(estimate({"bert"}).err, HasSubstr("'bertt' is not known to this version: did you mean 'bert'?"));
    EXPECT_THAT(estimate({"bad"}).err, HasSubstr("n_layer: \"many\" is not an integer"));
    EXPECT_THAT(estimate({"heads"}).err, HasSubstr("10 must be a multiple of n_head"));
    EXPECT_THAT(estimate({"huge"}).err, HasSubstr("check its numbers"));
    EXPECT_THAT(estimate({"head"}).err, HasSubstr("AutoModelForMultipleChoice"));
    EXPECT_THAT(estimate({"empty"}).err, HasSubstr("no config.json"));
    EXPECT_THAT(estimate({"gpt2"}).err, HasSubstr("not fetched"));
    EXPECT_THAT(estimate({"bert", "--library_name", "timm"}).err, HasSubstr("timm"));
    for (const char* model : {"bert", "bad", "heads", "huge", "head", "empty", "gpt2"}) {
        Said said = estimate({model});
        EXPECT_EQ(said.code, 2) << model;
        EXPECT_EQ(said.out, "") << model;
    }
}

}  // namespace
}  // namespace trainyard
