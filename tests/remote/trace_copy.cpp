// SPDX-License-Identifier: GPL-3.0-or-later
// Traces on a host: which files are brought, in which order, with progress, and that it can be ended.

#include "remote/trace_copy.h"

#include <fstream>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "remote/connected.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class RemoteTraces : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }

    void SetUp() override {
        session_.emplace(test::connect(*hosts_, "host1"));
        home_ = session_->shell().home;
    }
    /// A file on the host.
    void put(const std::string& name, const std::string& content) {
        Sftp sftp = session_->sftp();
        sftp.make_folders(home_ + "/" + fs::path(name).parent_path().string());
        sftp.write_file(home_ + "/" + name, content);
    }
    std::vector<std::string> names(const std::vector<fs::path>& files) const {
        std::vector<std::string> all;
        for (const fs::path& file : files) {
            EXPECT_EQ(file.parent_path(), folder_.path()) << "nothing lies elsewhere";
            all.push_back(file.filename());
        }
        return all;
    }
    static std::string trace(std::size_t spaces) { return "{\"traceEvents\": [" + std::string(spaces, ' ') + "]}"; }

    static inline test::TestHosts* hosts_ = nullptr;
    std::optional<Session> session_;
    std::string home_;
    test::TemporaryFolder folder_;
};

TEST_F(RemoteTraces, TheNewestProfileOfARunIsBroughtByRank) {
    put("run/traces/step-000001-rank-0.trace.json", trace(5));
    hosts_->run("host1", {"touch", "-d", "2001-01-01", home_ + "/run/traces/step-000001-rank-0.trace.json"});
    for (const int rank : {10, 2, 0})
        put("run/traces/step-000007-rank-" + std::to_string(rank) + ".trace.json",
            trace(static_cast<std::size_t>(rank)));
    put("run/traces/notes.txt", "none");
    std::vector<TraceCopyProgress> told;
    const auto files = copy_traces(*session_, "run", folder_.path(), [&](const TraceCopyProgress& progress) {
        told.push_back(progress);
        return true;
    });
    EXPECT_THAT(names(files), ElementsAre("step-000007-rank-0.trace.json", "step-000007-rank-2.trace.json",
                                          "step-000007-rank-10.trace.json"));
    EXPECT_EQ(read_file(files[2]), trace(10));
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().done, told.back().total);
    EXPECT_EQ(told.back().total, 3 * trace(0).size() + 12);
    EXPECT_EQ(told.back().file, 3);
    EXPECT_EQ(told.back().files, 3);
}

TEST_F(RemoteTraces, AFileComesWithTheOtherRanksOfItsProfile) {
    put("mine/a-rank-0.trace.json", trace(0));
    put("mine/a-rank-1.trace.json", trace(1));
    put("mine/b-rank-1.trace.json", trace(2));
    EXPECT_THAT(names(copy_traces(*session_, "mine/a-rank-1.trace.json", folder_.path())),
                ElementsAre("a-rank-0.trace.json", "a-rank-1.trace.json"));
}

TEST_F(RemoteTraces, LinksAreFollowedToWhereTheyLead) {
    put("elsewhere/id-step-000003-rank-0.trace.json", trace(4));
    put("linked/traces/note.txt", "");
    hosts_->run("host1", {"ln", "-s", home_ + "/elsewhere/id-step-000003-rank-0.trace.json",
                          home_ + "/linked/traces/step-000003-rank-0.trace.json"});
    hosts_->run("host1", {"ln", "-s", "/nowhere", home_ + "/linked/traces/step-000004-rank-0.trace.json"});
    const auto files = copy_traces(*session_, "linked", folder_.path());
    EXPECT_THAT(names(files), ElementsAre("step-000003-rank-0.trace.json"));
    EXPECT_EQ(read_file(files[0]), trace(4));
}

TEST_F(RemoteTraces, WhatIsNotThereIsSaidAndACopyCanBeEnded) {
    put("empty/note.txt", "");
    EXPECT_THROW(copy_traces(*session_, "empty", folder_.path()), UserError);
    EXPECT_THROW(copy_traces(*session_, "nowhere", folder_.path()), UserError);
    put("big/x-rank-0.trace.json", trace(8 << 20));
    const auto failure = test::failure_of(
        [&] { copy_traces(*session_, "big", folder_.path(), [](const TraceCopyProgress&) { return false; }); });
    EXPECT_EQ(failure.cause, Cause::cancelled);
    EXPECT_FALSE(fs::exists(folder_.path() / "x-rank-0.trace.json"));
}

}  // namespace
}  // namespace trainyard::remote
