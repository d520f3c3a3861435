// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of conversions and prunes that meet a full disk, or are killed or cancelled at any time: existing files must be
// unchanged, and no temporary files may be left.

#include <csignal>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "inspect/saved.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/prune.h"
#include "run/trash.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

constexpr int kDiskFull = 42, kOtherError = 43, kCancelled = 44;

/// Runs `work` in a child process with a failpoint; returns its wait status. Failpoints are read at the first hit: this
/// process must not hit one before its children do.
template <class Work>
int in_child(const std::string& failpoint, Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("TRAINYARD_FAILPOINT", failpoint.c_str(), 1);
        try {
            work();
        } catch (const Cancelled&) {
            ::_exit(kCancelled);
        } catch (const UserError& error) {
            ::_exit(std::strstr(error.what(), "disk is full") != nullptr ||
                            std::strstr(error.what(), "No space left") != nullptr
                        ? kDiskFull
                        : kOtherError);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> all;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        all[entry->path().lexically_relative(folder).string()] =
            entry->is_regular_file() ? read_file(entry->path()) : "folder";
    return all;
}

class WritesThatEnd : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(in_child("",
                           [&] {
                               test::Floats tensors{{"a", std::vector<float>(300, 1.5f)},
                                                    {"b", std::vector<float>(200, -2.0f)},
                                                    {"c", {1}}};
                               for (const char* name : {"first", "second"}) {
                                   test::write_floats(folder_.path() / "in" / name / "model.safetensors", tensors);
                                   write_file_atomically(folder_.path() / "in" / name / "config.json",
                                                         R"({"model_type": "gpt2"})");
                               }
                           }),
                  0);
        before_ = files_of(folder_.path() / "in");
        ASSERT_EQ(before_.size(), 6u);
    }
    /// Convert, merge into shards, for ranks, for transformers, average.
    std::vector<Conversion> conversions(const fs::path& output) const {
        const fs::path first = folder_.path() / "in" / "first", second = folder_.path() / "in" / "second";
        return {{.sources = {first}, .output = output},
                {.sources = {first}, .output = output, .dtype = "BF16"},
                {.sources = {first}, .output = output, .max_shard_bytes = 1300},
                {.sources = {first}, .output = output, .ranks = 3},
                {.sources = {first}, .output = output, .hugging_face = true},
                {.sources = {first, second}, .output = output, .ema_decay = 0.9}};
    }
    void expect_untouched(const std::string& what) { EXPECT_EQ(files_of(folder_.path() / "in"), before_) << what; }
    /// Returns the names of all files in the folder except the inputs.
    std::vector<std::string> others() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            if (entry.path().filename() != "in")
                names.push_back(entry.path().filename().string());
        return names;
    }

    test::TemporaryFolder folder_;
    std::map<std::string, std::string> before_;
};

TEST_F(WritesThatEnd, OnAFullDiskLeaveNothing) {
    const fs::path output = folder_.path() / "out";
    int failed = 0;
    for (const Conversion& conversion : conversions(output))
        for (int hit = 1; hit <= 12; ++hit) {
            Progress progress;
            const int status =
                in_child("file.write:enospc@" + std::to_string(hit), [&] { convert(conversion, progress); });
            ASSERT_TRUE(WIFEXITED(status)) << hit;
            if (WEXITSTATUS(status) == 0) {  // it does not write so often
                EXPECT_GT(hit, 1);
                fs::remove_all(output);
                break;
            }
            ++failed;
            EXPECT_EQ(WEXITSTATUS(status), kDiskFull) << hit;
            EXPECT_EQ(others(), std::vector<std::string>{}) << hit;
            expect_untouched("enospc@" + std::to_string(hit));
        }
    EXPECT_GE(failed, 12);
}

TEST_F(WritesThatEnd, KilledLeaveNothingThatTheNextOneDoesNotRemove) {
    const fs::path output = folder_.path() / "out";
    int killed = 0;
    for (const Conversion& conversion : conversions(output))
        for (const char* place : {"file.piece:kill@1", "file.piece:kill@3", "file.flush:kill@1", "file.flush:kill@2",
                                  "file.rename:kill@1", "merge.publish:kill@1"}) {
            Progress progress;
            const int status = in_child(place, [&] { convert(conversion, progress); });
            if (!WIFSIGNALED(status)) {
                fs::remove_all(output);
                continue;
            }
            ++killed;
            EXPECT_EQ(WTERMSIG(status), SIGKILL);
            EXPECT_FALSE(fs::exists(output)) << place << ": half a folder";
            expect_untouched(place);
            Progress again;
            EXPECT_EQ(in_child("", [&] { convert(conversion, again); }), 0) << place;
            EXPECT_EQ(others(), std::vector<std::string>{"out"}) << place;
            fs::remove_all(output);
        }
    EXPECT_GE(killed, 20);
}

TEST_F(WritesThatEnd, CancelledAtAnyTimeLeaveNothing) {
    const fs::path output = folder_.path() / "out";
    int cancelled = 0;
    for (const Conversion& conversion : conversions(output))
        for (int call = 1; call <= 40; ++call) {
            const int status = in_child("", [&] {
                int calls = 0;
                Progress progress([&](std::uint64_t, std::uint64_t) { return ++calls < call; });
                convert(conversion, progress);
            });
            ASSERT_TRUE(WIFEXITED(status));
            if (WEXITSTATUS(status) == 0) {
                EXPECT_GT(call, 2);
                fs::remove_all(output);
                break;
            }
            ++cancelled;
            EXPECT_EQ(WEXITSTATUS(status), kCancelled) << call;
            EXPECT_EQ(others(), std::vector<std::string>{}) << call;
            expect_untouched("cancelled at " + std::to_string(call));
        }
    EXPECT_GE(cancelled, 20);
}

/// Into a folder that has weights already: they stay until the new ones are whole.
TEST_F(WritesThatEnd, ReplaceEarlierWeightsAtOnce) {
    const fs::path output = folder_.path() / "out";
    const Conversion conversion = conversions(output).front();
    Progress progress;
    ASSERT_EQ(in_child("", [&] { test::write_floats(output / "model.safetensors", {{"old", {1, 2}}}); }), 0);
    const auto earlier = files_of(output);
    for (const char* place : {"file.piece:kill@1", "file.flush:kill@1", "merge.publish:kill@1"}) {
        const int status = in_child(place, [&] { convert(conversion, progress); });
        ASSERT_TRUE(WIFSIGNALED(status)) << place;
        EXPECT_EQ(read_file(output / "model.safetensors"), earlier.at("model.safetensors")) << place;
    }
    EXPECT_EQ(in_child("", [&] { convert(conversion, progress); }), 0);
    EXPECT_EQ(files_of(output).size(), 1u);
    EXPECT_NE(files_of(output), earlier);
}

TEST_F(WritesThatEnd, APruneThatIsKilledHasMovedWholeCheckpoints) {
    const fs::path runs = folder_.path() / "runs";
    ASSERT_EQ(
        in_child("",
                 [&] {
                     for (int step : {1, 2, 3, 4})
                         test::write_checkpoint(runs / ("checkpoint_" + std::to_string(step)), step, {{"a", {1}}});
                 }),
        0);
    const auto all = files_of(runs);
    const auto prune = [&] {
        const CheckpointList checkpoint_list = read_checkpoint_list(runs);
        checkpoint::Retention policy;
        policy.keep_last = 1;
        std::vector<Message> problems;
        apply_prune(checkpoint_list, plan_prune(checkpoint_list, policy, {}), {}, problems);
    };
    ASSERT_TRUE(WIFSIGNALED(in_child("prune.move:kill@2", prune)));
    const CheckpointList left = read_checkpoint_list(runs);
    EXPECT_EQ(left.items.size(), 3u);
    for (const CheckpointEntry& item : left.items)
        EXPECT_EQ(item.state, CheckpointState::whole) << item.name;
    for (const auto& entry : fs::directory_iterator(runs / ".trash"))
        run::restore_from_trash(entry.path());
    EXPECT_EQ(read_checkpoint_list(runs).items.size(), 4u);
    fs::remove_all(runs / ".trash");
    EXPECT_EQ(files_of(runs), all);
}

}  // namespace
}  // namespace trainyard::inspect
