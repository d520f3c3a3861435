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

TEST_F(EstimateMemory, PrintsAcceleratesTable) {
    int compared = 0;
    json golden = json::parse(std::ifstream(test::golden("estimate.json")));
    for (const json& entry : golden["cases"]) {
        const json& input = entry["input"];
        const json& expected = entry["expected"];
        // Only models whose weights nobody shares: Accelerate counts shared ones twice.
        if (input["config"].value("model_type", "") != "gpt2" || input["auto_class"] != "AutoModel")
            continue;
        SCOPED_TRACE(entry["id"].get<std::string>());
        auto name = input["model_name"].get<std::string>();
        write(fs::path(name) / "config.json", input["config"]);
        std::string table;
        for (const json& line : expected["table"])
            table += line.get<std::string>() + "\n";
        Said said = estimate({name});
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_EQ(said.out, table);
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
    auto title = static_cast<std::ptrdiff_t>(std::string("Memory Usage for loading ``").size() + name.size());
    int lines = 0;
    for (std::size_t begin = 0; begin < table.size(); begin = table.find('\n', begin) + 1, ++lines) {
        std::string line = table.substr(begin, table.find('\n', begin) - begin);
        auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
        EXPECT_EQ(columns, title + 2) << line;
    }
    EXPECT_EQ(lines, 10) << "frame, title, head and four rows";
}

TEST_F(EstimateMemory, WhatItCannotDoIsOneSentence) {
    write("bert/config.json", {{"model_type", "bert"}});
    write("bad/config.json", {{"model_type", "gpt2"}, {"n_layer", "many"}, {"n_embd", 10}, {"n_head", 3}});
    write("huge/config.json", {{"model_type", "gpt2"}, {"n_embd", 1000000000}, {"n_head", 1}, {"n_layer", 1000000000}});
    write("head/config.json", {{"model_type", "gpt2"}, {"auto_map", {{"AutoModelForTokenClassification", "x"}}}});
    fs::create_directories(folder_.path() / "empty");
    EXPECT_THAT(estimate({"bert"}).err, HasSubstr("'bert', and this version knows gpt2 only"));
    EXPECT_THAT(estimate({"bad"}).err, testing::AllOf(HasSubstr("n_layer"), HasSubstr("must be a multiple")));
    EXPECT_THAT(estimate({"huge"}).err, HasSubstr("check its numbers"));
    EXPECT_THAT(estimate({"head"}).err, HasSubstr("AutoModelForTokenClassification"));
    EXPECT_THAT(estimate({"empty"}).err, HasSubstr("no config.json"));
    EXPECT_THAT(estimate({"gpt2"}).err, HasSubstr("not fetched"));
    EXPECT_THAT(estimate({"bert", "--library_name", "timm"}).err, HasSubstr("timm"));
    for (const char* model : {"bert", "bad", "huge", "head", "empty", "gpt2"}) {
        Said said = estimate({model});
        EXPECT_EQ(said.code, 2) << model;
        EXPECT_EQ(said.out, "") << model;
    }
}

}  // namespace
}  // namespace trainyard
