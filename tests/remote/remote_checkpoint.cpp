// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of checkpoints on a host: their description, their tensors, and the small amount of data that is downloaded.

#include "remote/remote_checkpoint.h"

#include <gmock/gmock.h>

#include "formats/weights/elements.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/statistics.h"
#include "remote/connected.h"
#include "support/golden.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

using test::says;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class RemoteCheckpoints : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }

    /// Downloads go to a TMPDIR of this test, so that other tests do not see them.
    void SetUp() override {
        fs::create_directories(folder_.path() / "tmp");
        ::setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
    }
    void TearDown() override { ::unsetenv("TMPDIR"); }

    /// Copies a folder or file to the host and returns its path there.
    static std::string send(const fs::path& local, const std::string& name) {
        Session session = test::connect(hosts(), "host1");
        const std::string there = session.shell().home + "/" + name;
        Sftp sftp = session.sftp();
        if (fs::is_regular_file(local)) {
            sftp.upload(local, there);
            return there;
        }
        sftp.make_folders(there);
        for (const auto& entry : fs::recursive_directory_iterator(local)) {
            const std::string to = there + "/" + entry.path().lexically_relative(local).string();
            entry.is_directory() ? sftp.make_folders(to) : sftp.upload(entry.path(), to);
        }
        return there;
    }
    static std::unique_ptr<RemoteCheckpoint> open(const std::string& there) {
        return std::make_unique<RemoteCheckpoint>(test::connect(hosts(), "host1"), there);
    }
    std::size_t own_folders() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_.path() / "tmp"), fs::directory_iterator()));
    }

    /// Writes a file with its folders.
    void write(const std::string& name, const std::vector<weights::TensorToWrite>& tensors) {
        fs::create_directories((folder_.path() / name).parent_path());
        weights::write_safetensors(folder_.path() / name, tensors);
    }

    test::TemporaryFolder folder_;

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

void expect_same(const inspect::Contents& here, const inspect::Contents& there) {
    EXPECT_EQ(there.format, here.format);
    EXPECT_EQ(there.problems.size(), here.problems.size()) << (there.problems.empty() ? "" : there.problems.front());
    ASSERT_EQ(there.tensors.size(), here.tensors.size());
    for (std::size_t i = 0; i < here.tensors.size(); ++i) {
        EXPECT_EQ(there.tensors[i].name, here.tensors[i].name);
        EXPECT_EQ(there.tensors[i].dtype, here.tensors[i].dtype);
        EXPECT_EQ(there.tensors[i].shape, here.tensors[i].shape);
        EXPECT_EQ(there.tensors[i].ranges, here.tensors[i].ranges);
    }
    ASSERT_EQ(there.values.size(), here.values.size());
    for (std::size_t i = 0; i < here.values.size(); ++i)
        EXPECT_EQ(there.values[i].value, here.values[i].value) << here.values[i].key;
}

/// Every format, as the reader of this machine has it, and every element of it.
TEST_F(RemoteCheckpoints, AreReadAsThoseOfThisMachine) {
    int number = 0;
    for (const char* topic : {"checkpoints", "checkpoint_formats"})
        for (const auto& entry : fs::directory_iterator(test::golden(topic))) {
            if (!entry.is_directory() || entry.path().filename() == "hostile")
                continue;
            fs::path input = entry.path();
            for (const auto& inner : fs::directory_iterator(entry.path()))
                if (inner.path().stem() == "input")
                    input = inner.path();
            SCOPED_TRACE(input.string());
            std::string name = "all" + std::to_string(++number) + input.extension().string();
            inspect::Contents here;
            try {
                here = inspect::read_contents(input);
            } catch (const UserError&) {
                continue;  // a folder of folders
            }
            const auto opened = open(send(input, name));
            EXPECT_EQ(own_folders(), 1u);
            expect_same(here, opened->contents());
            const inspect::Reader near(here), far(opened->contents(), opened->need());
            for (std::size_t i = 0; i < here.tensors.size(); ++i) {
                if (!weights::is_numeric(here.tensors[i].dtype))
                    continue;
                const std::uint64_t count = inspect::element_count(here.tensors[i]);
                EXPECT_EQ(far.elements(opened->contents().tensors[i], 0, count),
                          near.elements(here.tensors[i], 0, count))
                    << here.tensors[i].name;
            }
        }
    EXPECT_GT(number, 5);
    EXPECT_EQ(own_folders(), 0u) << "downloads must be removed";
}

TEST_F(RemoteCheckpoints, OnlyHeadersAndAskedForRangesTravel) {
    const std::vector<float> values(4'000'000, 1.5f);
    for (int shard = 1; shard <= 3; ++shard)
        write("model/model-0000" + std::to_string(shard) + "-of-00003.safetensors",
              {{"layers." + std::to_string(shard) + ".weight", "F32", {1000, 4000}, std::as_bytes(std::span(values))}});
    const auto opened = open(send(folder_.path() / "model", "large"));
    EXPECT_THAT(opened->contents().problems, IsEmpty());
    ASSERT_EQ(opened->contents().tensors.size(), 3u);
    EXPECT_LT(opened->received(), 400'000u) << "of 48 MB";
    const inspect::Reader reader(opened->contents(), opened->need());
    const auto bytes = reader.elements(opened->contents().tensors[1], 3'999'990, 10);
    EXPECT_EQ(bytes, std::vector<std::byte>(std::as_bytes(std::span(values)).begin(),
                                            std::as_bytes(std::span(values)).begin() + 40));
    EXPECT_LT(opened->received(), 700'000u);
    // The same range again costs nothing.
    const std::uint64_t before = opened->received();
    reader.elements(opened->contents().tensors[1], 3'999'990, 10);
    EXPECT_EQ(opened->received(), before);
    Progress progress;
    const inspect::Statistics all = inspect::statistics_of(reader, opened->contents().tensors[0], progress);
    EXPECT_EQ(all.elements, 4'000'000u);
    EXPECT_EQ(all.max, 1.5);
}

TEST_F(RemoteCheckpoints, SentencesNameTheHost) {
    const auto said = [](const std::string& there) -> std::string {
        try {
            open(there);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(said("/nothing/here"),
                test::says("{}:{} does not exist: name the folder of a checkpoint, or a file of weights",
                           testing::EndsWith("host1"), "/nothing/here"));
    const std::vector<float> values(100'000, 1.5f);
    const std::vector<weights::TensorToWrite> tensors{{"a", "F32", {100'000}, std::as_bytes(std::span(values))}};
    write("model/model.safetensors", tensors);
    fs::resize_file(folder_.path() / "model" / "model.safetensors", 300'000);
    write("model/optimizer.safetensors", tensors);
    const std::string there = send(folder_.path() / "model", "cut");
    {
        const auto opened = open(there);
        EXPECT_EQ(opened->name(), "host1:" + there);
        EXPECT_NE(opened->contents().state, inspect::CheckpointState::whole);
        ASSERT_EQ(opened->contents().problems.size(), 1u);
        EXPECT_THAT(opened->contents().problems.front(), HasSubstr("host1:" + there + "/model.safetensors"));
        EXPECT_THAT(
            opened->contents().problems.front(),
            test::says("ends at byte {} of the data, but there are only {}: the file is cut", 400'000, testing::_));
        EXPECT_EQ(opened->contents().tensors.size(), 1u) << "the other file is read";
    }
    Session session = test::connect(hosts(), "host1");
    session.exec({{"/bin/mkdir", there + "/none"}, {}, ""});
    EXPECT_THAT(said(there + "/none"), says("{} holds no checkpoint: expected weights (.safetensors, .bin, .gguf), "
                                            ".metadata, or the files of save_state",
                                            EndsWith("host1:" + there + "/none")));
    EXPECT_EQ(own_folders(), 0u);
}

/// For a run, the newest checkpoint is opened; for a file, only the file.
TEST_F(RemoteCheckpoints, OfARunAndOfAFile) {
    const std::vector<float> values{1, 2, 3};
    for (int step : {9, 10})
        write("run/checkpoints/checkpoint_" + std::to_string(step) + "/model.safetensors",
              {{"a" + std::to_string(step), "F32", {3}, std::as_bytes(std::span(values))}});
    const std::string there = send(folder_.path() / "run", "run");
    EXPECT_EQ(open(there)->contents().tensors.front().name, "a10");
    EXPECT_EQ(open(there + "/checkpoints/checkpoint_9")->contents().tensors.front().name, "a9");
    const auto file = open(there + "/checkpoints/checkpoint_9/model.safetensors");
    EXPECT_EQ(file->contents().tensors.front().name, "a9");
    EXPECT_EQ(inspect::Reader(file->contents(), file->need()).elements(file->contents().tensors.front(), 1, 1).size(),
              4u);
}

}  // namespace

}  // namespace trainyard::remote
