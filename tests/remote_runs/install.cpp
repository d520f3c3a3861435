// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of installing bundles on hosts over real SSH: resumed, repeated and interrupted installations, and full disks.

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "base/file.h"
#include "remote/bundle.h"
#include "remote/session.h"
#include "support/hosts.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

namespace fs = std::filesystem;

class InstallTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
        hosts_.emplace(test::TestHosts::Options{.count = 1, .bare = 1, .shares = {}});
    }
    fs::path file(const std::string& name, std::size_t size, unsigned seed) {
        std::minstd_rand random(seed);
        std::string content(size, '\0');
        for (char& letter : content)
            letter = static_cast<char>(random());
        std::ofstream(folder_.path() / name, std::ios::binary) << content;
        return folder_.path() / name;
    }
    /// `bin/trainyard` is a script that runs.
    Bundle bundle(unsigned seed, std::size_t size = 6u << 20) {
        fs::path program = folder_.path() / ("program" + std::to_string(seed));
        std::ofstream(program) << "#!/bin/sh\necho bundle " << seed << "\n";
        return bundle_of({{program, "bin/trainyard", 0, ""},
                          {file("big" + std::to_string(seed), size, seed), "lib/big.so", 0, ""},
                          {file("same", 100'000, 5), "lib/same.so", 0, ""}});
    }
    Session connect() {
        SshConfig config(hosts_->ssh_config(), "/nonexistent");
        return Session::connect(config.resolve(host()), config);
    }
    std::string host() const { return hosts_->all().front().name; }
    fs::path store() const { return hosts_->home_of(host()) / ".cache" / "trainyard"; }
    std::size_t entries(const fs::path& folder) const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
    }

    test::TemporaryFolder folder_;
    std::optional<test::TestHosts> hosts_;
};

TEST_F(InstallTest, CopiesOnceAndOnlyWhatIsMissing) {
    Session session = connect();
    Bundle first = bundle(1);
    InstalledBundle installed = install(session, first);
    EXPECT_EQ(installed.copied, first.size());
    EXPECT_EQ(session.exec({{installed.program}, {}, {}}).output, "bundle 1\n");
    EXPECT_EQ(install(session, first).copied, 0u);
    Bundle second = bundle(2);
    EXPECT_EQ(install(session, second).copied, second.size() - 100'000);
    EXPECT_EQ(entries(store() / "store" / "incoming"), 0u);
    // The newest bundle and the two before it are preserved.
    for (unsigned seed = 3; seed <= 5; ++seed)
        install(session, bundle(seed, 1000));
    EXPECT_EQ(entries(store() / "bundles"), 3u);
    EXPECT_FALSE(fs::exists(store() / "bundles" / first.hash));
    // A bundle with a missing file is installed again.
    Bundle fifth = bundle(5, 1000);
    fs::remove(store() / "bundles" / fifth.hash / "bin" / "trainyard");
    EXPECT_EQ(session.exec({{install(session, fifth).program}, {}, {}}).output, "bundle 5\n");
}

TEST_F(InstallTest, AFileThatWasDeletedIsPutBack) {
    Session session = connect();
    const Bundle one = bundle(1, 1000);
    const fs::path folder = store() / "bundles" / one.hash;
    install(session, one);
    fs::remove(folder / "lib" / "big.so");
    EXPECT_EQ(install(session, one).copied, 0u) << "it is still in the store";
    EXPECT_EQ(read_file(folder / "lib" / "big.so"), read_file(one.files[1].source));
    fs::remove(folder / "lib" / "big.so");
    fs::remove(store() / "store" / one.files[1].sha256);
    EXPECT_EQ(install(session, one).copied, one.files[1].size);
    EXPECT_EQ(read_file(folder / "lib" / "big.so"), read_file(one.files[1].source));
    EXPECT_EQ(entries(store() / "bundles"), 1u);
}

TEST_F(InstallTest, InterruptedCopyGoesOnAndDamagedPartsDoNotCount) {
    Bundle big = bundle(1, 24u << 20);
    {
        Session session = connect();
        try {
            install(session, big, [&](const CopyProgress& progress) { return progress.done < (8u << 20); });
            FAIL() << "was not cancelled";
        } catch (const ConnectionError& error) {
            EXPECT_EQ(error.cause(), Cause::cancelled) << error.what();
        }
    }
    EXPECT_FALSE(fs::exists(store() / "bundles" / big.hash));
    std::uintmax_t arrived = 0;
    for (const auto& entry : fs::directory_iterator(store() / "store" / "incoming"))
        arrived = std::max(arrived, entry.file_size());
    EXPECT_GE(arrived, 1u << 20);
    std::uint64_t least = ~0ull;
    Session session = connect();
    install(session, big, [&](const CopyProgress& progress) {
        if (progress.file == "lib/big.so" && progress.done > 0)
            least = std::min(least, progress.done);
        return true;
    });
    EXPECT_GE(least, 1u << 20);  // it did not begin at 0

    Bundle other = bundle(9, 3u << 20);
    std::string name;
    for (const BundleFile& one : other.files)
        if (one.path == "lib/big.so")
            name = one.sha256;
    std::string planted =
        hosts_->all().front().home + "/.cache/trainyard/store/incoming/" + name + "." + client_name() + ".part";
    hosts_->run(host(), {"sh", "-c", "head -c 1000000 /dev/zero > \"$0\"", planted});
    InstalledBundle installed = install(session, other);
    EXPECT_EQ(hosts_->run(host(), {"sha256sum", installed.folder + "/lib/big.so"}).substr(0, 64), name);
}

TEST_F(InstallTest, TwoAtTheSameTimeDoNotDisturbEachOther) {
    Bundle big = bundle(1, 12u << 20);
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            Session session = connect();
            InstalledBundle installed = install(session, big);
            if (session.exec({{installed.program}, {}, {}}).output == "bundle 1\n")
                ++good;
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(good, 3);
    EXPECT_EQ(entries(store() / "bundles"), 1u);
    EXPECT_EQ(entries(store() / "store" / "incoming"), 0u);
}

TEST_F(InstallTest, WhatDoesNotFitIsSaidBeforeAnythingIsCopied) {
    Session session = connect();
    auto sentence = [&](const Bundle& wrong) {
        try {
            install(session, wrong);
        } catch (const ConnectionError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Bundle wrong = bundle(1, 1000);
    wrong.machine = "riscv64";
    EXPECT_THAT(sentence(wrong), test::says("{} has an {} processor, this Trainyard is built for {}: build Trainyard "
                                            "there and name it as the host's engine",
                                            testing::_, testing::_, testing::StartsWith("riscv64")))
        << sentence(wrong);
    wrong.machine.clear();
    wrong.c_library = "2.99";
    EXPECT_THAT(sentence(wrong),
                test::says("{} has glibc {}, this Trainyard needs {} or newer: build Trainyard on a system as old as "
                           "that of {}, or build it there and name it as the host's engine",
                           testing::_, testing::_, "2.99", testing::_))
        << sentence(wrong);
    if (!hosts_->namespaces())
        return;  // mounting a file system needs root
    fs::create_directories(hosts_->home_of(host()) / ".cache");
    hosts_->run(host(),
                {"mount", "-t", "tmpfs", "-o", "size=70m,mode=0777", "tmpfs", hosts_->all().front().home + "/.cache"},
                true);
    Bundle big = bundle(2, 20u << 20);
    EXPECT_NE(sentence(big).find("the engine needs"), std::string::npos) << sentence(big);
    EXPECT_EQ(hosts_->run(host(), {"find", hosts_->all().front().home + "/.cache", "-type", "f"}), "");
}

}  // namespace

}  // namespace trainyard::remote
