// SPDX-License-Identifier: GPL-3.0-or-later
// A flipped byte is found, wherever it is.

#include "observe/inspect/verify.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "inspect/saved.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using testing::Contains;
using testing::HasSubstr;

void flip(const fs::path& file, std::size_t at) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(stream.get() ^ 0x10);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte);
}

Verdict verdict_of(const fs::path& folder, bool look_for_nan = true) {
    Progress progress;
    return verify(folder, look_for_nan, progress);
}

class VerifyCheckpoint : public testing::Test {
  protected:
    test::TemporaryFolder folder_;
    fs::path root_ = folder_.path() / "checkpoint_3";
};

TEST_F(VerifyCheckpoint, FindsAFlippedByteAnywhere) {
    test::write_checkpoint(root_, 3, {{"a", {1, 2, 3}}, {"b", {4}}});
    EXPECT_TRUE(verdict_of(root_).good());
    for (const char* name : {"model.safetensors", "position.json"}) {
        const std::size_t size = fs::file_size(root_ / name);
        for (std::size_t at = 0; at < size; ++at) {
            flip(root_ / name, at);
            const Verdict verdict = verdict_of(root_);
            EXPECT_FALSE(verdict.good()) << name << " byte " << at;
            EXPECT_THAT(verdict.problems, Contains(HasSubstr(name))) << at;
            flip(root_ / name, at);
        }
    }
    EXPECT_TRUE(verdict_of(root_).good());
}

TEST_F(VerifyCheckpoint, FindsAFlippedElementOfTorchsFiles) {
    const fs::path source = test::own_golden("checkpoints/hostile/good_zip.bin");
    fs::create_directories(root_);
    fs::copy_file(source, root_ / "pytorch_model.bin");
    fs::permissions(root_ / "pytorch_model.bin", fs::perms::owner_write, fs::perm_options::add);
    const Verdict good = verdict_of(root_);
    EXPECT_TRUE(good.good());
    EXPECT_EQ(good.files.at(0).how, CheckedFile::How::checksums);
    const Contents contents = read_contents(root_);
    for (const Tensor& tensor : contents.tensors)
        for (const ByteRange& range : tensor.ranges)
            for (std::uint64_t at = range.offset; at < range.offset + range.bytes; ++at) {
                flip(root_ / "pytorch_model.bin", at);
                EXPECT_THAT(verdict_of(root_, false).problems, Contains(HasSubstr("pytorch_model.bin")));
                flip(root_ / "pytorch_model.bin", at);
            }
}

TEST_F(VerifyCheckpoint, CountsNaN) {
    test::write_checkpoint(root_, 3, {{"a", {1, NAN, INFINITY, NAN}}, {"b", {1}}});
    const Verdict verdict = verdict_of(root_);
    EXPECT_TRUE(verdict.problems.empty());
    ASSERT_EQ(verdict.not_finite.size(), 1u);
    EXPECT_EQ(verdict.not_finite[0].tensor, "a");
    EXPECT_EQ(verdict.not_finite[0].nan, 2u);
    EXPECT_EQ(verdict.not_finite[0].infinite, 1u);
    EXPECT_FALSE(verdict.good());
    EXPECT_TRUE(verdict_of(root_, false).good());
}

TEST_F(VerifyCheckpoint, SaysWhatNobodyCanCheck) {
    test::write_floats(root_ / "model.safetensors", {{"a", {1}}});
    EXPECT_EQ(verdict_of(root_).unchecked(), 1u);
    Progress cancelled([](std::uint64_t, std::uint64_t) { return false; });
    EXPECT_THROW(verify(root_, true, cancelled), Cancelled);
}

}  // namespace
}  // namespace trainyard::inspect
