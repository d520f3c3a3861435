// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/safetensors.h"

#include <cstring>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/umask.h"

namespace trainyard::weights {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

template <class T>
TensorToWrite tensor(std::string name, std::string dtype, std::vector<std::int64_t> shape,
                     const std::vector<T>& values) {
    return {std::move(name), std::move(dtype), std::move(shape), std::as_bytes(std::span(values))};
}

std::string file_of(const std::string& header, const std::string& data) {
    std::uint64_t length = header.size();
    std::string whole(8, '\0');
    std::memcpy(whole.data(), &length, 8);
    return whole + header + data;
}

std::string refusal(const fs::path& path) {
    try {
        SafetensorsFile file(path);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(Safetensors, WritesWhatItReads) {
    const test::Umask umask(022);
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "model.safetensors";
    std::vector<float> weights{1, 2, 3, 4, 5, 6};
    std::vector<std::uint8_t> bytes{7, 8, 9};
    std::vector<std::int64_t> scalar{-5};
    std::vector<float> none;
    std::uint64_t size =
        write_safetensors(path,
                          {tensor("b.bytes", "U8", {3}, bytes), tensor("a \"weight\" é", "F32", {2, 3}, weights),
                           tensor("step", "I64", {}, scalar), tensor("empty", "F32", {0, 4}, none)},
                          {{"format", "pt"}})
            .bytes;
    EXPECT_EQ(size, fs::file_size(path));
    EXPECT_EQ(test::mode_of(path), 0644);
    SafetensorsFile file(path);
    EXPECT_EQ(file.metadata().at("format"), "pt");
    ASSERT_EQ(file.tensors().size(), 4u);
    EXPECT_EQ(file.tensors().front().name, "step");  // descending element size
    EXPECT_EQ(file.tensors().back().name, "b.bytes");
    const TensorInfo* found = file.find("a \"weight\" é");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->shape, (std::vector<std::int64_t>{2, 3}));
    auto data = file.bytes(*found);
    ASSERT_EQ(data.size(), 24u);
    EXPECT_EQ(std::memcmp(data.data(), weights.data(), 24), 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data.data()) % 8, 0u);
    EXPECT_EQ(file.find("nothing"), nullptr);
    EXPECT_TRUE(file.find("step")->shape.empty());
    SafetensorsFile moved = std::move(file);
    EXPECT_EQ(moved.tensors().size(), 4u);
}

TEST(Safetensors, RefusesToWriteNonsense) {
    test::TemporaryFolder folder;
    std::vector<float> two{1, 2};
    fs::path path = folder.path() / "x";
    EXPECT_THROW(write_safetensors(path, {tensor("a", "F32", {3}, two)}), std::invalid_argument);
    EXPECT_THROW(write_safetensors(path, {tensor("a", "F99", {2}, two)}), std::invalid_argument);
    EXPECT_THROW(write_safetensors(path, {tensor("a", "F32", {2}, two), tensor("a", "F32", {2}, two)}),
                 std::invalid_argument);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Safetensors, TakesEscapesAndUnknownKeys) {
    test::TemporaryFolder folder;
    const fs::path path = folder.path() / "a.safetensors";
    const std::string header =
        R"({"__metadata__":{"by\u0065":"\"x\""},"a\/\u00e9":{"dtype":"F32","more":[{"x":[1,2.5,null,true]},"y"],)"
        R"("shape":[],"data_offsets":[0,4]}})";
    write_file_atomically(path, file_of(header, "1234"));
    const SafetensorsFile file(path);
    EXPECT_EQ(file.metadata().at("bye"), "\"x\"");
    ASSERT_NE(file.find("a/é"), nullptr);
    EXPECT_EQ(file.data_offset(), 8 + header.size());
    EXPECT_EQ(read_safetensors_header(path).tensors.front().name, "a/é");
}

TEST(Safetensors, NamesFileTensorAndWhatIsWrong) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "bad.safetensors";
    auto said = [&](const std::string& header, const std::string& data) {
        write_file_atomically(path, file_of(header, data));
        std::string text = refusal(path);
        EXPECT_THAT(text, HasSubstr(path.string()));
        return text;
    };
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "12345678"),
                says("tensor '{}' {}", "a",
                     says("has {} bytes where its shape and dtype need {}", 8, StartsWith("4")).at_start()));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{}})", "1234"),
                says("the name '{}' is there twice", "a"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})", "1234"),
                says("has the key '{}' twice", "shape"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", "1234"),
                says("has something in its {} that is not a number", _));
    EXPECT_THAT(said(R"({"a":{"dtype":{},"shape":[1],"data_offsets":[0,4]}})", "1234"),
                says("has a dtype of the wrong type"));
    EXPECT_THAT(said(R"({"a":5})", ""), says("'{}' is not a table", "a"));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234"),
                says("has {} in its {}", says_only("a negative number"), StartsWith("shape")));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "1234"),
                says("has {} in its {}", says_only("not a whole number"), StartsWith("shape")));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":[[tru]]}})", "1234"),
                says("byte {} of the header: {}", _, _));
    EXPECT_THAT(said(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} {})", "1234"),
                says("there is something after the table of tensors"));
    EXPECT_THAT(said("{\"a\xff\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "1234"),
                HasSubstr("UTF-8"));
    EXPECT_THAT(said(R"([])", ""), says("the header is a list, not a table of tensors"));
    EXPECT_THAT(said(R"({"__metadata__":{"a":1}})", ""),
                says("the metadata has a value for '{}' that is not text", "a"));
    EXPECT_THAT(said("", ""), says("its header is empty"));
    // Unknown keys are ignored.
    write_file_atomically(
        path,
        file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"x":{"y":[1,{"z":2}]},"w":"v"}})", "1234"));
    EXPECT_EQ(refusal(path), "");
    EXPECT_THAT(refusal(folder.path()), says("{} is not a file: name a safetensors file", _));
    EXPECT_THAT(refusal(folder.path() / "none"), HasSubstr("No such file"));
}

/// A clone without Git LFS (oobabooga's text-generation-webui issue 2411).
TEST(Safetensors, PointersOfGitLfsAreNamed) {
    test::TemporaryFolder folder;
    const fs::path path = folder.path() / "model.safetensors";
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:22\nsize 29928734\n";
    for (const std::size_t size : {pointer.size(), std::size_t(8)}) {
        write_file_atomically(path, pointer.substr(0, size));
        EXPECT_THAT(refusal(path),
                    says("{} is only a pointer of Git LFS: fetch the file itself with `git lfs pull`", path.string()));
    }
}

TEST(Safetensors, EveryCutAndEveryChangedHeaderByteIsSurvived) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "x.safetensors";
    std::vector<float> values{1, 2, 3, 4};
    write_safetensors(path, {tensor("a", "F32", {2, 2}, values), tensor("b", "F32", {4}, values)}, {{"k", "v"}});
    std::string whole = read_file(path);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write_file_atomically(path, whole.substr(0, size), false);
        EXPECT_NE(refusal(path), "") << size;
    }
    for (std::size_t at = 0; at < whole.size() - 32; ++at) {
        std::string changed = whole;
        for (int bit : {1, 32, 128}) {
            changed[at] = static_cast<char>(whole[at] ^ bit);
            write_file_atomically(path, changed, false);
            EXPECT_NO_FATAL_FAILURE(refusal(path));
        }
    }
}

}  // namespace
}  // namespace trainyard::weights
