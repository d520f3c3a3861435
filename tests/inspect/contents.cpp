// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of reading the contents of a checkpoint: sections, names and values of tensors, and problems.

#include "observe/inspect/contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/gguf_file.h"
#include "inspect/saved.h"
#include "observe/inspect/reader.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ContentsOfFolder : public testing::Test {
  protected:
    void make_old() {
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    test::TemporaryFolder folder_;
    fs::path root_ = folder_.path() / "checkpoint_3";
};

TEST_F(ContentsOfFolder, HasSectionsValuesAndTheStep) {
    test::write_checkpoint(root_, 3, {{"model.layers.10.up", {1, 2}}, {"model.layers.2.up", {3}}}, 1.5);
    test::write_floats(root_ / "optimizer-1-of-2.safetensors", {{"a#0", {1}}});
    test::write_floats(root_ / "average.safetensors", {{"a", {1}}});
    const Contents contents = read_contents(root_);
    ASSERT_EQ(contents.tensors.size(), 4u);
    EXPECT_EQ(contents.tensors[0].name, "model.layers.2.up") << "numbers are ordered as numbers";
    EXPECT_EQ(contents.tensors[1].name, "model.layers.10.up");
    EXPECT_EQ(contents.tensors[2].section, Section::average);
    EXPECT_EQ(contents.tensors[3].section, Section::optimizer);
    EXPECT_EQ(contents.value("step"), "3");
    EXPECT_EQ(contents.value("metric"), "1.5");
    EXPECT_EQ(contents.value("position.epoch"), "0.25");
    EXPECT_EQ(contents.state, CheckpointState::whole) << contents.problems.front();
    const Reader reader(contents);
    const auto bytes = reader.elements(contents.tensors[1], 1, 5);
    ASSERT_EQ(bytes.size(), 4u);
    float value = 0;
    std::memcpy(&value, bytes.data(), 4);
    EXPECT_EQ(value, 2);
}

TEST_F(ContentsOfFolder, NamesTheFileThatIsBroken) {
    test::write_checkpoint(root_, 3, {{"a", {1, 2, 3}}});
    fs::resize_file(root_ / "model.safetensors", 70);
    const Contents contents = read_contents(root_);
    EXPECT_EQ(contents.state, CheckpointState::broken);
    EXPECT_THAT(contents.problems,
                Contains(AllOf(HasSubstr("model.safetensors"),
                               says("{} has {} bytes instead of {}", _, EndsWith("70"), StartsWith("76")))));
    EXPECT_EQ(contents.value("step"), "3") << "readable values must be available";
}

TEST_F(ContentsOfFolder, AnIndexMissesItsShards) {
    test::write_floats(root_ / "model-00001-of-00002.safetensors", {{"a", {1}}});
    write_file_atomically(
        root_ / "model.safetensors.index.json",
        R"({"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}})");
    make_old();
    const Contents contents = read_contents(root_);
    EXPECT_EQ(contents.state, CheckpointState::broken);
    EXPECT_THAT(contents.problems, Contains(says("{} is missing: {} looks there for tensors, copy it again",
                                                 EndsWith("model-00002-of-00002.safetensors"), _)));
    EXPECT_EQ(contents.tensors.size(), 1u);
    fs::last_write_time(root_ / "model.safetensors.index.json", fs::file_time_type::clock::now());
    EXPECT_EQ(read_contents(root_).state, CheckpointState::being_written) << "it was modified just now";
}

/// Issue 474 of huggingface/accelerate: OPT-66B has indexes of PyTorch and of Flax.
TEST_F(ContentsOfFolder, IndexesOfOtherFrameworksAreNotFollowed) {
    test::write_floats(root_ / "model.safetensors", {{"a", {1}}});
    for (const char* name : {"flax_model.msgpack.index.json", "tf_model.h5.index.json"})
        write_file_atomically(root_ / name, R"({"weight_map": {"a": "other-00001-of-00001"}})");
    make_old();
    const Contents contents = read_contents(root_);
    EXPECT_EQ(contents.state, CheckpointState::whole) << testing::PrintToString(contents.problems);
    EXPECT_EQ(contents.tensors.size(), 1u);
}

TEST_F(ContentsOfFolder, ShardsWithoutAnIndexTellWhatIsMissing) {
    test::write_floats(root_ / "model-00001-of-00003.safetensors", {{"a", {1}}});
    test::write_floats(root_ / "model-00003-of-00003.safetensors", {{"c", {1}}});
    EXPECT_THAT(read_contents(root_).problems, Contains(HasSubstr("model-00002-of-00003")));
    test::write_floats(root_ / "model-00002-of-00003.safetensors", {{"b", {1}}});
    EXPECT_EQ(read_contents(root_).tensors.size(), 3u);
    EXPECT_EQ(read_contents(root_).problems.size(), 0u);
}

TEST_F(ContentsOfFolder, AnAdapterIsNamed) {
    test::write_floats(root_ / "adapter_model.safetensors", {{"base_model.model.q.lora_A.weight", {1}}});
    write_file_atomically(root_ / "adapter_config.json",
                          R"({"r": 8, "lora_alpha": 16, "base_model_name_or_path": "llama"})");
    const Contents contents = read_contents(root_);
    EXPECT_THAT(contents.format.text(), says("PEFT adapter, {}", _));
    EXPECT_EQ(contents.value("adapter_config.lora_alpha"), "16");
}

TEST_F(ContentsOfFolder, NothingIsAnErrorWithWhatWasExpected) {
    EXPECT_THROW(read_contents(folder_.path() / "nowhere"), UserError);
    EXPECT_THROW(read_contents(folder_.path()), UserError);
}

TEST(NaturalOrder, CountsDigits) {
    EXPECT_TRUE(natural_less("layers.2.a", "layers.10.a"));
    EXPECT_FALSE(natural_less("layers.10.a", "layers.2.a"));
    EXPECT_TRUE(natural_less("a", "a.b"));
    EXPECT_TRUE(natural_less("x02", "x2") != natural_less("x2", "x02")) << "an order of all names";
    EXPECT_FALSE(natural_less("a", "a"));
}

/// A GGUF header with one tensor of F32, and its defects.
std::string gguf(std::uint64_t tensors, std::uint64_t values, std::uint64_t rows, std::uint64_t offset,
                 std::uint32_t type = 0) {
    std::string text = "GGUF";
    const auto add = [&](auto value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(std::uint32_t{3});
    add(tensors);
    add(values);
    add(std::uint64_t{1});
    text += "w";
    add(std::uint32_t{2});
    add(std::uint64_t{32});
    add(rows);
    add(type);
    add(offset);
    text.resize((text.size() + 31) / 32 * 32);
    return text + std::string(256, '\0');
}

std::string refusal_of_gguf(const std::string& text) {
    try {
        weights::read_gguf_header(std::as_bytes(std::span(text)), text.size(), "x.gguf");
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

TEST(GgufHeader, RefusesWhatDoesNotFit) {
    EXPECT_EQ(refusal_of_gguf(gguf(1, 0, 2, 0)), "");
    EXPECT_EQ(refusal_of_gguf(gguf(1, 0, 2, 0, 8)), "") << "Q8_0: 32 elements in a block";
    EXPECT_THAT(refusal_of_gguf(gguf(1, 0, 3, 0)), HasSubstr("extends past"));
    EXPECT_THAT(refusal_of_gguf(gguf(1, 0, 2, 7)),
                says("tensor '{}' does not begin at a multiple of {}", _, StartsWith("32")));
    EXPECT_THAT(refusal_of_gguf(gguf(1, 0, 2, 1ull << 63)), HasSubstr("extends past"));
    EXPECT_THAT(refusal_of_gguf(gguf(1ull << 60, 0, 2, 0)), HasSubstr("x.gguf"));
    EXPECT_THAT(refusal_of_gguf(gguf(1, 1ull << 60, 2, 0)), HasSubstr("x.gguf"));
    EXPECT_THAT(refusal_of_gguf(gguf(1, 0, 1ull << 62, 0)), says("tensor '{}' has a shape that is too large", _));
    EXPECT_THAT(refusal_of_gguf(gguf(1, 0, 2, 0, 12)),
                says("tensor '{}' has rows of {} elements, no multiple of the {} of a block of {}", _, _,
                     StartsWith("256"), _));
    EXPECT_THAT(refusal_of_gguf("GGUF"), HasSubstr("truncated"));
}

}  // namespace
}  // namespace trainyard::inspect
