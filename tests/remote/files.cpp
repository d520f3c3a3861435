// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of transferring files to and from test hosts.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "remote/connected.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

using test::connect;
using test::failure_of;
using test::says;
using testing::_;
using testing::EndsWith;
using ::testing::HasSubstr;

class Files : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 1, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }
    void SetUp() override {
        session_.emplace(connect(hosts(), "host1"));
        home_ = session_->shell().home;
    }

    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_.path() / name, std::ios::binary) << text;
        return folder_.path() / name;
    }
    static std::string text_of(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// Returns bytes without a pattern, so that a misplaced block is detected.
    static std::string bytes(std::size_t size) {
        std::string text(size, '\0');
        std::uint64_t state = 88172645463325252ull;
        for (char& byte : text) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            byte = static_cast<char>(state);
        }
        return text;
    }

    test::TemporaryFolder folder_;
    std::optional<Session> session_;
    std::string home_;

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(Files, ManyRangesAreWholeOverSeveralChannelsAndOverOne) {
    const std::string first = bytes(9'000'011), second = bytes(5'000'000);
    std::ofstream(hosts().home_of("host1") / "first", std::ios::binary) << first;
    std::ofstream(hosts().home_of("host1") / "second", std::ios::binary) << second;
    for (const char* line : {"MaxSessions 10", "MaxSessions 1"}) {
        SCOPED_TRACE(line);
        hosts().set("host1", {line});
        Session session = connect(hosts(), "host1");
        Sftp sftp = session.sftp();
        // The last one reaches beyond the end; of the file that is not there both parts are asked for.
        const std::vector<RemoteRange> wanted{{home_ + "/first", 17, 8'999'994},
                                              {home_ + "/none", 0, 4'000'000},
                                              {home_ + "/none", 4'000'000, 4'000'000},
                                              {home_ + "/second", 1'000'000, 5'000'000}};
        std::vector<std::string> got;
        for (const RemoteRange& range : wanted)
            got.emplace_back(range.bytes, '\0');
        std::vector<std::size_t> taken(wanted.size());
        std::vector<std::string> refused;
        sftp.read_ranges(
            wanted,
            [&](std::size_t range, std::uint64_t offset, std::string_view part) {
                std::ranges::copy(part,
                                  got[range].begin() + static_cast<std::ptrdiff_t>(offset - wanted[range].offset));
                taken[range] += part.size();
            },
            [&](std::size_t, const Message& sentence) { refused.push_back(sentence); });
        EXPECT_THAT(taken, ::testing::ElementsAre(8'999'994, 0, 0, 4'000'000));
        EXPECT_TRUE(got[0] == first.substr(17));
        EXPECT_TRUE(got[3].substr(0, 4'000'000) == second.substr(1'000'000));
        EXPECT_THAT(refused, ::testing::ElementsAre(says("{}: {}: no such file or folder", _, EndsWith("/none"))));
        EXPECT_TRUE(sftp.find(home_ + "/first"));  // the connection is still usable
    }
    hosts().set("host1", {});
}

TEST_F(Files, BothWaysWithModeAndProgress) {
    std::string content = bytes(5'000'017);
    Sftp sftp = session_->sftp();
    TransferOptions options;
    options.mode = 0750;
    std::vector<TransferProgress> seen;
    options.on_progress = [&](const TransferProgress& progress) {
        seen.push_back(progress);
        return true;
    };
    sftp.upload(write("big", content), home_ + "/up", options);
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back().done, content.size());
    EXPECT_EQ(seen.back().total, content.size());
    EXPECT_FALSE(sftp.find(home_ + "/up.part"));
    std::optional<RemoteFile> there = sftp.find(home_ + "/up");
    ASSERT_TRUE(there);
    EXPECT_EQ(there->size, content.size());
    EXPECT_EQ(there->mode & 07777, 0750u);
    EXPECT_TRUE(text_of(hosts().home_of("host1") / "up") == content);
    seen.clear();
    sftp.download(home_ + "/up", folder_.path() / "down", options);
    EXPECT_TRUE(text_of(folder_.path() / "down") == content);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "down.part"));
    EXPECT_EQ(seen.back().done, content.size());
    for (std::size_t size : {0u, 1u, 32768u, 32769u}) {
        sftp.write_file(home_ + "/small", content.substr(0, size));
        EXPECT_TRUE(sftp.read_file(home_ + "/small") == content.substr(0, size)) << size;
    }
}

TEST_F(Files, WhatABrokenTransferLeftIsGoneOnWith) {
    std::string content = bytes(20'000'000);
    std::filesystem::path local = write("big", content);
    std::string remote = home_ + "/resumed";
    TransferOptions options;
    std::uint64_t first = 0;
    options.report_every = 0;  // 20 MB may take less time than the usual interval of reports
    options.on_progress = [&](const TransferProgress& progress) { return progress.done < 1'000'000; };
    {
        Sftp sftp = session_->sftp();
        EXPECT_EQ(failure_of([&] { sftp.upload(local, remote, options); }).cause, Cause::cancelled);
    }
    Sftp sftp = session_->sftp();
    EXPECT_FALSE(sftp.find(remote));
    std::optional<RemoteFile> part = sftp.find(remote + ".part");
    ASSERT_TRUE(part);
    EXPECT_GE(part->size, 900'000u);
    options.on_progress = [&](const TransferProgress& progress) {
        if (first == 0)
            first = progress.done;
        return true;
    };
    sftp.upload(local, remote, options);
    EXPECT_GE(first, part->size);
    EXPECT_TRUE(text_of(hosts().home_of("host1") / "resumed") == content);

    // A download continues a partial file, too.
    std::ofstream(folder_.path() / "down.part", std::ios::binary) << content.substr(0, 9'000'000);
    first = 0;
    sftp.download(remote, folder_.path() / "down", options);
    EXPECT_GE(first, 9'000'000u);
    EXPECT_TRUE(text_of(folder_.path() / "down") == content);
    // A partial file that is longer than the source is discarded.
    std::ofstream(folder_.path() / "down2.part", std::ios::binary) << content << content;
    sftp.download(remote, folder_.path() / "down2", {});
    EXPECT_EQ(text_of(folder_.path() / "down2").size(), content.size());
}

TEST_F(Files, FoldersAndTheirFiles) {
    Sftp sftp = session_->sftp();
    std::string base = home_ + "/a 'b'/$c/d/";
    sftp.make_folders(base);
    sftp.make_folders(base);
    EXPECT_EQ(sftp.find(home_ + "/a 'b'")->mode & 0777, 0700u);
    EXPECT_TRUE(sftp.find(base)->is_folder());
    for (int i = 0; i < 120; ++i)
        sftp.write_file(base + "file " + std::to_string(i), std::to_string(i));
    std::vector<RemoteFile> files = sftp.list(base);
    ASSERT_EQ(files.size(), 120u);
    EXPECT_EQ(files[0].name, "file 0");
    EXPECT_EQ(files[119].size, 2u);
    sftp.rename(base + "file 1", base + "file 2");  // replaces
    EXPECT_EQ(sftp.read_file(base + "file 2"), "1");
    sftp.remove(base + "file 2");
    EXPECT_EQ(sftp.list(base).size(), 118u);
    sftp.make_folders(home_ + "/empty");
    sftp.remove_folder(home_ + "/empty");
    EXPECT_FALSE(sftp.find(home_ + "/empty"));
    EXPECT_EQ(sftp.real_path(home_ + "/a 'b'/.."), home_);
    EXPECT_GT(sftp.free_bytes(home_).value_or(0), 0u);
}

TEST_F(Files, FailuresNameHostFileAndReason) {
    Sftp sftp = session_->sftp();
    auto failure = failure_of([&] { sftp.read_file(home_ + "/missing"); });
    EXPECT_EQ(failure.cause, Cause::remote_file);
    EXPECT_THAT(failure.sentence, HasSubstr("host1"));
    EXPECT_THAT(failure.sentence, says("{}: {}: no such file or folder", _, EndsWith(home_ + "/missing")));
    EXPECT_EQ(failure_of([&] { sftp.upload(write("x", "x"), home_ + "/no/folder/x"); }).cause, Cause::remote_file);
    EXPECT_EQ(failure_of([&] { sftp.list(home_ + "/missing"); }).cause, Cause::remote_file);
    sftp.write_file(home_ + "/large", std::string(2000, 'x'));
    EXPECT_THAT(failure_of([&] { sftp.read_file(home_ + "/large", 1000); }).sentence, HasSubstr("too large"));
    EXPECT_THROW(sftp.upload("/nonexistent/file", home_ + "/x"), UserError);
    EXPECT_THROW(sftp.download(home_ + "/large", "/nonexistent/x"), UserError);
    // The connection is as good as before.
    EXPECT_EQ(sftp.read_file(home_ + "/large").size(), 2000u);
    hosts().set("host1", {"Subsystem sftp /nonexistent/sftp-server"});
    Session other = connect(hosts(), "host1");
    failure = failure_of([&] { other.sftp(); });
    hosts().set("host1", {});
    EXPECT_EQ(failure.cause, Cause::remote_file);
}

TEST_F(Files, AFullDiskSaysWhatIsNeededAndFree) {
    Sftp sftp = session_->sftp();
    // A file larger than any disk must be refused before a byte is sent. It is sparse, so it needs no space here.
    std::filesystem::path huge = folder_.path() / "huge";
    int file = ::open(huge.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    off_t size = static_cast<off_t>(sftp.free_bytes(home_).value_or(0)) + (off_t{1} << 40);
    ASSERT_EQ(::ftruncate(file, size), 0);
    ::close(file);
    auto failure = failure_of([&] { sftp.upload(huge, home_ + "/huge"); });
    EXPECT_EQ(failure.cause, Cause::no_space);
    EXPECT_THAT(failure.sentence,
                says("{}: {}: no space left (needed {}, {} free): make room, or choose another folder for this host", _,
                     _, _, _));
    EXPECT_FALSE(sftp.find(home_ + "/huge.part"));
    if (!hosts().namespaces())
        return;  // mounting a small file system needs root
    hosts().run("host1", {"mkdir", "-p", home_ + "/disk"});
    hosts().run("host1", {"mount", "-t", "tmpfs", "-o", "size=1m,mode=1777", "tmpfs", home_ + "/disk"}, true);
    // The disk fills up while the transfer is under way.
    hosts().run("host1", {"sh", "-c", "head -c 900000 /dev/zero > " + home_ + "/disk/other"});
    failure = failure_of([&] { sftp.write_file(home_ + "/disk/file", bytes(400'000)); });
    EXPECT_EQ(failure.cause, Cause::no_space);
    EXPECT_FALSE(sftp.find(home_ + "/disk/file"));
}

TEST_F(Files, AConnectionThatBreaksInTheMiddleSaysSo) {
    std::filesystem::path local = write("big", bytes(30'000'000));
    TransferOptions options;
    bool stopped = false;
    options.on_progress = [&](const TransferProgress& progress) {
        if (!stopped && progress.done > 0) {
            stopped = true;
            hosts().stop_sshd("host1");
        }
        return true;
    };
    auto failure = failure_of([&] {
        Sftp sftp = session_->sftp();
        sftp.upload(local, home_ + "/broken", options);
    });
    hosts().start_sshd("host1");
    EXPECT_EQ(failure.cause, Cause::connection_lost);
    EXPECT_LT(failure.seconds, 10);
    Session again = connect(hosts(), "host1");
    Sftp sftp = again.sftp();
    EXPECT_FALSE(sftp.find(home_ + "/broken"));
    sftp.upload(local, home_ + "/broken");
    EXPECT_TRUE(text_of(hosts().home_of("host1") / "broken") == text_of(local));
}

}  // namespace

}  // namespace trainyard::remote
