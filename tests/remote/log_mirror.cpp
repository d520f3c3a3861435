// SPDX-License-Identifier: GPL-3.0-or-later
// Logs that grow on a real host, and their copy here.

#include "remote/log_mirror.h"

#include <gmock/gmock.h>

#include "remote/connected.h"

namespace trainyard::remote {

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Logs : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    void SetUp() override {
        fs::remove_all(there());
        fs::create_directories(there());
        session_.emplace(test::connect(*hosts_, "host1"));
        sftp_.emplace(session_->sftp());
    }
    static fs::path there() { return hosts_->home_of("host1") / "logs"; }
    fs::path here() const { return folder_.path() / "copy"; }
    static void write(const fs::path& file, const std::string& text, bool append = false) {
        fs::create_directories(file.parent_path());
        std::ofstream(file, append ? std::ios::binary | std::ios::app : std::ios::binary) << text;
    }
    static std::string text_of(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// Passes until nothing more comes.
    LogMirrorPass all(LogMirror& mirror) {
        LogMirrorPass pass;
        do
            pass = mirror.pass(*sftp_, [] { return true; });
        while (!pass.complete() && pass.copied > 0);
        return pass;
    }

    test::TemporaryFolder folder_;
    std::optional<Session> session_;
    std::optional<Sftp> sftp_;

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(Logs, OnlyWhatIsNewIsFetched) {
    write(there() / "a/events.out.tfevents.1.x", std::string(100'000, 'a'));
    write(there() / "a/deeper/metrics.jsonl", "{\"step\": 1}\n");
    write(there() / "weights.safetensors", std::string(1'000'000, 'w'));
    LogMirror mirror("logs", here());
    LogMirrorPass pass = all(mirror);
    EXPECT_TRUE(pass.complete());
    EXPECT_EQ(pass.files, 2u);
    EXPECT_TRUE(pass.missing.empty());
    EXPECT_EQ(text_of(here() / "a/events.out.tfevents.1.x"), std::string(100'000, 'a'));
    EXPECT_FALSE(fs::exists(here() / "weights.safetensors"));
    EXPECT_EQ(all(mirror).copied, 0u);
    write(there() / "a/events.out.tfevents.1.x", "bcd", true);
    write(there() / "b/metrics.csv", "step,loss\n");
    pass = mirror.pass(*sftp_, [] { return true; });
    EXPECT_EQ(pass.copied, 3u + 10u);
    EXPECT_EQ(text_of(here() / "a/events.out.tfevents.1.x"), std::string(100'000, 'a') + "bcd");
    EXPECT_EQ(fs::status(here()).permissions(), fs::perms::owner_all);
}

TEST_F(Logs, AnotherSessionGoesOnWhereTheLastOneStopped) {
    const std::string content(20'000'000, 'x');
    write(there() / "big.csv", content);
    int asked = 0;
    {
        LogMirror mirror("logs", here());
        mirror.pass(*sftp_, [&asked] { return ++asked < 4; });
    }
    const std::uint64_t kept = fs::file_size(here() / "big.csv");
    EXPECT_GT(kept, 0u);
    EXPECT_LT(kept, content.size());
    LogMirror mirror("logs", here());
    std::uint64_t copied = 0;
    for (int i = 0; i < 20; ++i) {
        const LogMirrorPass pass = mirror.pass(*sftp_, [] { return true; });
        copied += pass.copied;
        if (pass.complete())
            break;
    }
    EXPECT_EQ(copied, content.size() - kept);
    EXPECT_TRUE(text_of(here() / "big.csv") == content);
}

TEST_F(Logs, WhatWasReplacedOrCutComesAnewAndWhatIsGoneStays) {
    write(there() / "cut.csv", "step,loss\n1,2\n3,4\n");
    write(there() / "other.csv", "step,loss\n1,2\n");
    write(there() / "gone.csv", "step,loss\n");
    LogMirror mirror("logs", here());
    all(mirror);
    write(there() / "cut.csv", "step,loss\n");
    write(there() / "other.csv", "step,accuracy\n1,2\n3,4\n");  // longer, but not the same beginning
    fs::remove(there() / "gone.csv");
    EXPECT_TRUE(all(mirror).complete());
    EXPECT_EQ(text_of(here() / "cut.csv"), "step,loss\n");
    EXPECT_EQ(text_of(here() / "other.csv"), "step,accuracy\n1,2\n3,4\n");
    EXPECT_EQ(text_of(here() / "gone.csv"), "step,loss\n");
}

TEST_F(Logs, ASingleFileAndLimitsAreSaid) {
    write(there() / "one.jsonl", "{\"step\": 1}\n");
    LogMirror single("logs/one.jsonl", here());
    EXPECT_TRUE(all(single).complete());
    EXPECT_EQ(text_of(here() / "one.jsonl"), "{\"step\": 1}\n");
    for (int i = 0; i < 5; ++i)
        write(there() / (std::to_string(i) + ".csv"), std::string(1000, 'x'));
    LogMirrorLimits limits;
    limits.logs = 4;
    limits.all.bytes = 2500;
    LogMirror mirror("logs", folder_.path() / "limited", limits);
    const LogMirrorPass pass = all(mirror);
    ASSERT_EQ(pass.missing.size(), 2u);
    EXPECT_THAT(pass.missing[0], HasSubstr("2 of 6 files"));
    std::uint64_t bytes = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_.path() / "limited"))
        bytes += file.file_size();
    EXPECT_LE(bytes, limits.all.bytes);
    EXPECT_TRUE(pass.complete()) << "what will not come is not waited for";
}

TEST_F(Logs, AFolderThatIsNotThereIsNamed) {
    LogMirror mirror("nowhere", here());
    const test::Failure failure = test::failure_of([&] { mirror.pass(*sftp_, [] { return true; }); });
    EXPECT_THAT(failure.sentence, HasSubstr("nowhere"));
    EXPECT_THAT(failure.sentence, HasSubstr("host1"));
}

TEST_F(Logs, OldCopiesGo) {
    for (const char* name : {"old", "new", "kept"})
        fs::create_directories(folder_.path() / name);
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 40);
    fs::last_write_time(folder_.path() / "old", long_ago);
    fs::last_write_time(folder_.path() / "kept", long_ago);
    prune_log_copies(folder_.path(), folder_.path() / "kept", 30);
    EXPECT_FALSE(fs::exists(folder_.path() / "old"));
    EXPECT_TRUE(fs::exists(folder_.path() / "new"));
    EXPECT_TRUE(fs::exists(folder_.path() / "kept"));
}

}  // namespace

}  // namespace trainyard::remote
