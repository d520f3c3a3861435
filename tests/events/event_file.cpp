// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_file.h"

#include <cmath>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/crc32c.h"
#include "formats/events/scalar_folder.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::events {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::SizeIs;
using testing::StartsWith;

TEST(Crc32c, KnownVectors) {
    // RFC 3720, B.4.
    EXPECT_EQ(files::crc32c(std::string(32, '\0')), 0x8a9136aau);
    EXPECT_EQ(files::crc32c(std::string(32, '\xff')), 0x62a8ab43u);
    EXPECT_EQ(files::crc32c("123456789"), 0xe3069283u);
    EXPECT_EQ(files::crc32c(""), 0u);
}

TEST(Crc32c, TheTableAgreesAtEveryLengthAndGoesOn) {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(files::crc32c(text), files::crc32c_by_table(text)) << i;
        text += static_cast<char>(i * 37 + 11);
    }
    EXPECT_EQ(files::crc32c(text.substr(100), files::crc32c(text.substr(0, 100))), files::crc32c(text));
}

TEST(EventFile, WritesWhatItReads) {
    test::TemporaryFolder folder;
    EventFileWriter writer(folder.path(), ".suffix");
    EXPECT_THAT(writer.path().filename().string(),
                testing::MatchesRegex("events\\.out\\.tfevents\\.[0-9]+\\..*\\.suffix"));
    struct stat info {};
    ASSERT_EQ(::stat(writer.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);

    writer.add_scalars(0, 100.5, {{"loss", 5.5}, {"lr", 1e-3}});
    writer.add_text(0, 100.5, "notes", "hello");
    writer.add_scalars(-3, 101, {{"loss", std::nan("")}});
    writer.add_scalars(std::int64_t{1} << 40, 102, {{"a tag / é", -0.25}});
    EventFileReader reader(writer.path());
    EXPECT_THAT(reader.poll(), SizeIs(0));  // only the version before the flush
    writer.flush();
    std::vector<Scalar> scalars = reader.poll();
    ASSERT_THAT(scalars, SizeIs(4));
    EXPECT_EQ(scalars[0].tag, "loss");
    EXPECT_DOUBLE_EQ(scalars[0].value, 5.5);
    EXPECT_DOUBLE_EQ(scalars[0].wall_time, 100.5);
    EXPECT_FLOAT_EQ(static_cast<float>(scalars[1].value), 1e-3f);
    EXPECT_EQ(scalars[2].step, -3);
    EXPECT_TRUE(std::isnan(scalars[2].value));
    EXPECT_EQ(scalars[3].step, std::int64_t{1} << 40);
    EXPECT_EQ(scalars[3].tag, "a tag / é");
    EXPECT_EQ(reader.records(), 5u);
    EXPECT_EQ(reader.problem(), "");
}

TEST(EventFile, TwoWritersOfOneSecondHaveTwoFiles) {
    test::TemporaryFolder folder;
    EventFileWriter one(folder.path()), two(folder.path());
    EXPECT_NE(one.path(), two.path());
}

TEST(EventFile, AMissingFolderIsNamed) {
    EXPECT_THROW(EventFileWriter("/no/such/folder"), UserError);
}

TEST(EventFile, EveryTornTailIsWaitedFor) {
    test::TemporaryFolder folder;
    EventFileWriter writer(folder.path());
    for (int step = 0; step < 3; ++step)
        writer.add_scalars(step, step, {{"loss", step}});
    writer.flush();
    std::string whole = read_file(writer.path());
    fs::path growing = folder.path() / "growing";
    EventFileReader reader(growing);
    EXPECT_THAT(reader.poll(), SizeIs(0));  // does not exist yet
    std::vector<Scalar> all;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        // Overwritten in place, as a growing file is.
        int file = ::open(growing.c_str(), O_WRONLY | O_CREAT, 0600);
        ASSERT_EQ(::pwrite(file, whole.data(), size, 0), static_cast<ssize_t>(size));
        ::close(file);
        for (Scalar& scalar : reader.poll())
            all.push_back(std::move(scalar));
        ASSERT_EQ(reader.problem(), "") << size;
    }
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_EQ(all[2].step, 2);
    EXPECT_EQ(reader.position(), whole.size());
    EXPECT_EQ(reader.beginnings(), 1);
}

TEST(EventFile, AChangedByteStopsReadingWithASentence) {
    test::TemporaryFolder folder;
    EventFileWriter writer(folder.path());
    writer.add_scalars(1, 1, {{"loss", 1}});
    writer.flush();
    std::string whole = read_file(writer.path());
    std::size_t first = 24;  // inside the version record
    for (std::size_t at : {std::size_t{0}, std::size_t{9}, first, whole.size() - 1}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        fs::path path = folder.path() / ("damaged" + std::to_string(at));
        write_file_atomically(path, damaged);
        EventFileReader reader(path);
        reader.poll();
        EXPECT_THAT(reader.problem(), says("{} is damaged at byte {} ({}): what follows cannot be read",
                                           EndsWith(path.string()), StartsWith(std::to_string(reader.position())), _));
        EXPECT_THAT(reader.poll(), SizeIs(0));
    }
}

TEST(EventFile, AReplacedOrShortenedFileIsReadAgain) {
    test::TemporaryFolder folder, other;
    EventFileWriter writer(folder.path());
    writer.add_scalars(1, 1, {{"loss", 1}});
    writer.flush();
    EventFileReader reader(writer.path());
    EXPECT_THAT(reader.poll(), SizeIs(1));
    EventFileWriter second(other.path());
    second.add_scalars(7, 1, {{"loss", 1}});
    second.add_scalars(8, 1, {{"loss", 1}});
    second.flush();
    write_file_atomically(writer.path(), read_file(second.path()));
    std::vector<Scalar> scalars = reader.poll();
    ASSERT_THAT(scalars, SizeIs(2));
    EXPECT_EQ(scalars[0].step, 7);
    EXPECT_EQ(reader.beginnings(), 2);
    ASSERT_EQ(::truncate(writer.path().c_str(), 0), 0);
    EXPECT_THAT(reader.poll(), SizeIs(0));
    EXPECT_EQ(reader.position(), 0u);
}

TEST(EventFile, WhatIsNoFileIsNamed) {
    test::TemporaryFolder folder;
    EventFileReader reader(folder.path());
    EXPECT_THAT(reader.poll(), SizeIs(0));
    EXPECT_THAT(reader.problem(), says("{} is not a file", _));
}

TEST(EventFile, ASmallLimitStillDeliversWholeRecords) {
    test::TemporaryFolder folder;
    EventFileWriter writer(folder.path());
    for (int step = 0; step < 20; ++step)
        writer.add_scalars(step, step, {{std::string(500, 'x'), step}});
    writer.flush();
    EventFileReader reader(writer.path());
    std::size_t read = 0;
    for (int poll = 0; poll < 30; ++poll)
        read += reader.poll(10).size();
    EXPECT_EQ(read, 20u);
}

TEST(EventFile, AFullDiskIsToldAndNothingIsLost) {
    // /dev/full accepts no bytes; the writer keeps the record for the next attempt.
    test::TemporaryFolder folder;
    EventFileWriter writer(folder.path());
    int full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    int original = -1;
    for (int fd = 3; fd < 64 && original < 0; ++fd) {
        std::error_code error;
        if (fs::read_symlink("/proc/self/fd/" + std::to_string(fd), error) == writer.path())
            original = fd;
    }
    ASSERT_GE(original, 0);
    int kept = ::dup(original);
    ::dup2(full, original);
    writer.add_scalars(1, 1, {{"loss", 1}});
    EXPECT_THROW(writer.flush(), UserError);
    ::dup2(kept, original);
    ::close(kept);
    ::close(full);
    writer.flush();
    EventFileReader reader(writer.path());
    EXPECT_THAT(reader.poll(), SizeIs(1));
}

TEST(ScalarFolder, JoinsFilesDropsOvertakenStepsAndFollows) {
    test::TemporaryFolder folder;
    ScalarFolder curves(folder.path());
    EXPECT_FALSE(curves.poll());
    EventFileWriter first(folder.path(), ".a");
    for (int step = 1; step <= 10; ++step)
        first.add_scalars(step, step, {{"loss", step}});
    first.flush();
    EXPECT_TRUE(curves.poll());
    EXPECT_THAT(curves.curves().at("loss"), SizeIs(10));
    EventFileWriter second(folder.path(), ".b");
    second.add_restart(6, 20);
    second.add_scalars(6, 20, {{"loss", 60}});
    second.flush();
    EXPECT_TRUE(curves.poll());
    ASSERT_THAT(curves.curves().at("loss"), SizeIs(6));
    EXPECT_EQ(curves.curves().at("loss").back().value, 60);
    EXPECT_FALSE(curves.poll());
    EventFileWriter system(folder.path(), "", "system-00000.");
    system.add_scalars(1, 1, {{"cpu", 1}});
    system.flush();
    EXPECT_FALSE(curves.poll());
}

TEST(ScalarFolder, StartsAgainWhenAFileIsReplaced) {
    test::TemporaryFolder folder, other;
    EventFileWriter writer(folder.path()), replacement(other.path());
    writer.add_scalars(1, 1, {{"loss", 1}, {"gone", 1}});
    writer.flush();
    replacement.add_scalars(2, 1, {{"loss", 2}});
    replacement.flush();
    ScalarFolder curves(folder.path());
    curves.poll();
    write_file_atomically(writer.path(), read_file(replacement.path()));
    EXPECT_TRUE(curves.poll());
    EXPECT_EQ(curves.curves().size(), 1u);
    EXPECT_EQ(curves.curves().at("loss").at(0).step, 2);
}

}  // namespace
}  // namespace trainyard::events
