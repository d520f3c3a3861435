// SPDX-License-Identifier: GPL-3.0-or-later
// Golden topic weights_as_found: weights beside other state, in old formats, of every type, as views. What is read is
// what torch has; what stays behind is named.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/weight_source.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

fs::path input_of(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().stem() == "in")
            return entry.path();
    return {};
}

std::vector<std::byte> bytes_of(const WeightSource& source, std::size_t tensor) {
    std::vector<std::byte> bytes;
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

TEST(WeightsAsFound, AreThoseOfTheModelAndNameWhatStaysBehind) {
    int cases = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("weights_as_found"))) {
        SCOPED_TRACE(entry.path().filename());
        ++cases;
        const SafetensorsFile expected(entry.path() / "expected.safetensors");
        std::unique_ptr<WeightSource> source;
        ASSERT_NO_THROW(source = open_weights(input_of(entry.path())));
        EXPECT_EQ(source->tensors().size(), expected.tensors().size());
        for (std::size_t i = 0; i < source->tensors().size(); ++i) {
            const SourceTensor& tensor = source->tensors()[i];
            const TensorInfo* wanted = expected.find(tensor.name);
            ASSERT_NE(wanted, nullptr) << tensor.name;
            EXPECT_EQ(tensor.dtype, wanted->dtype) << tensor.name;
            EXPECT_EQ(tensor.shape, wanted->shape) << tensor.name;
            EXPECT_TRUE(std::ranges::equal(bytes_of(*source, i), expected.bytes(*wanted))) << tensor.name;
        }
        const auto behind = nlohmann::json::parse(std::ifstream(entry.path() / "behind.json"));
        std::string notes;
        for (const Message& note : source->notes())
            notes += note.text() + "\n";
        for (const auto& key : behind)
            EXPECT_THAT(notes, HasSubstr(key.get<std::string>()));
        if (behind.empty() && entry.path().filename() != "pt_wrapped") {
            EXPECT_THAT(notes, IsEmpty());
        }
    }
    EXPECT_GE(cases, 20);
}

class Indexes : public testing::Test {
  protected:
    void write(const std::string& name, const std::map<std::string, float>& tensors) {
        std::vector<TensorToWrite> all;
        for (const auto& [tensor, value] : tensors)
            all.push_back({tensor, "F32", {1}, std::as_bytes(std::span(&value, 1))});
        write_safetensors(folder_.path() / name, all);
    }
    void write_index(const std::map<std::string, std::string>& places) {
        const nlohmann::json index{{"weight_map", places}};
        std::ofstream(folder_.path() / "model.safetensors.index.json") << index;
    }
    std::string refusal() {
        try {
            open_weights(folder_.path());
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }
    float value_of(const WeightSource& source, const std::string& name) {
        float value = 0;
        for (std::size_t i = 0; i < source.tensors().size(); ++i)
            if (source.tensors()[i].name == name)
                std::memcpy(&value, bytes_of(source, i).data(), sizeof value);
        return value;
    }
    test::TemporaryFolder folder_;
};

TEST_F(Indexes, ThatDoNotFitAreReadAsTransformersDoes) {
    write("1.safetensors", {{"a", 1.0f}, {"c", 3.0f}, {"d", 4.0f}});
    write("2.safetensors", {{"b", 2.0f}, {"d", 5.0f}});
    write_index({{"a", "2.safetensors"}, {"b", "2.safetensors"}, {"c", "1.safetensors"}, {"d", "2.safetensors"}});
    const auto source = open_weights(folder_.path());
    EXPECT_EQ(source->tensors().size(), 4u);
    EXPECT_EQ(value_of(*source, "a"), 1) << "in another file than the index says";
    EXPECT_EQ(value_of(*source, "d"), 5) << "in both: the index decides";
    EXPECT_THAT(source->notes(),
                testing::ElementsAre(says("{}: the index does not fit, {} tensors are in another file than it says and "
                                          "{} are not in it, such as '{}'; they are read from where they are",
                                          _, EndsWith("1"), _, _)));
    write_index({{"b", "2.safetensors"}, {"a", "1.safetensors"}, {"d", "1.safetensors"}});
    EXPECT_THAT(open_weights(folder_.path())->notes(),
                testing::ElementsAre(says("{}: the index does not fit, {} tensors are in another file than it says and "
                                          "{} are not in it, such as '{}'; they are read from where they are",
                                          _, _, _, "c")));
    write_index({{"b", "2.safetensors"}, {"a", "1.safetensors"}});
    EXPECT_THAT(refusal(), says("{} and {} both have a tensor '{}'", _, _, "d"));
    write_index({{"b", "2.safetensors"}, {"a", "3.safetensors"}});
    EXPECT_THAT(refusal(), HasSubstr("3.safetensors"));
    write_index({{"e", "2.safetensors"}, {"d", "2.safetensors"}, {"a", "1.safetensors"}});
    EXPECT_THAT(refusal(), says("{} has no tensor '{}', though the index says so", _, "e"));
    for (const char* outside : {"../1.safetensors", "/etc/passwd", "x/1.safetensors", "..", ""}) {
        write_index({{"a", outside}});
        EXPECT_THAT(refusal(), says("the file '{}' of '{}' leaves the folder", _, _)) << outside;
    }
    write_index({});
    EXPECT_THAT(refusal(), says("{} names no tensors", _));
    std::ofstream(folder_.path() / "model.safetensors.index.json")
        << R"({"weight_map": {"a": "1.safetensors"}, "x": nul})";
    EXPECT_THAT(refusal(), says("it is not JSON, or cut"));
}

/// {"tensor": "file"} as Accelerate's documents have it, under any name, or given itself.
TEST_F(Indexes, FlatOnesAndThoseOfOtherNamesAreRead) {
    write("first.safetensors", {{"a", 1.0f}});
    write("second.safetensors", {{"b", 2.0f}});
    const std::string flat = R"({"a": "first.safetensors", "b": "second.safetensors"})";
    for (const char* name : {"index.json", "checkpoint.index.json", "model.safetensors.index.json"}) {
        SCOPED_TRACE(name);
        std::ofstream(folder_.path() / name) << flat;
        for (const std::filesystem::path& given : {folder_.path(), folder_.path() / name}) {
            const auto source = open_weights(given);
            ASSERT_EQ(source->tensors().size(), 2u);
            EXPECT_EQ(value_of(*source, "a"), 1);
            EXPECT_EQ(value_of(*source, "b"), 2);
        }
        std::filesystem::remove(folder_.path() / name);
    }
    std::ofstream(folder_.path() / "x.fp16.index.json") << flat;
    std::ofstream(folder_.path() / "x.index.json") << flat;
    EXPECT_THAT(refusal(), says("{} has several weight indexes: give the path of one of them, {}", _,
                                "x.fp16.index.json or x.index.json"));
    std::filesystem::remove(folder_.path() / "x.fp16.index.json");
    for (const char* bad : {R"({"metadata": {}, "a": "first.safetensors"})", "{}", R"({"a": 3})"}) {
        std::ofstream(folder_.path() / "x.index.json") << bad;
        EXPECT_THAT(refusal(), says("it has no table 'weight_map'")) << bad;
    }
    std::ofstream(folder_.path() / "x.index.json") << R"({"a": "../first.safetensors"})";
    EXPECT_THAT(refusal(), says("the file '{}' of '{}' leaves the folder", _, _));
}

TEST_F(Indexes, TheFormatOfTheFirstCounts) {
    write("1.safetensors", {{"a", 1.0f}});
    write_index({{"a", "1.safetensors"}});
    std::ofstream(folder_.path() / "pytorch_model.bin.index.json") << R"({"weight_map": {"b": "1.bin"}})";
    EXPECT_EQ(open_weights(folder_.path())->tensors().at(0).name, "a") << "an index of both formats: safetensors";
    write("model.safetensors", {{"b", 2.0f}});
    EXPECT_EQ(open_weights(folder_.path())->tensors().at(0).name, "b") << "one file before shards";
}

TEST_F(Indexes, AFileOfAnotherNameIsReadWhereItIsTheOnlyOne) {
    write("consolidated.safetensors", {{"a", 1.0f}});
    write("optimizer.safetensors", {{"optimizer.state.a.exp_avg", 1.0f}});
    EXPECT_THAT(open_weights(folder_.path())->notes(), testing::ElementsAre(HasSubstr("consolidated.safetensors")));
    write("other.safetensors", {{"a", 1.0f}});
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("consolidated.safetensors"), HasSubstr("other.safetensors")));
}

TEST_F(Indexes, WhatIsNoFileOfTorchIsRefusedWithItsName) {
    for (const auto& [name, bytes] :
         {std::pair("tar.pt", std::string("storages\0tar", 12)), {"empty.pt", ""}, {"text.ckpt", "hello"}}) {
        std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
        EXPECT_THAT(refusal(), HasSubstr(name));
        fs::remove(folder_.path() / name);
    }
}

}  // namespace
}  // namespace trainyard::weights
