// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/journal.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

Event event(const std::string& text, std::int64_t step = -1) {
    Event made;
    made.time = 1795250000.5;
    made.kind = "note";
    made.text = Message::verbatim(text);
    made.step = step;
    return made;
}

void append_raw(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::app | std::ios::binary) << bytes;
}

class Journal : public testing::Test {
  protected:
    test::TemporaryFolder folder_;
    RunPaths run_{folder_.path()};
};

TEST_F(Journal, EventsComeBackAsTheyWere) {
    Event full = event("line one\nline two \"quoted\"", 12);
    full.rank = 3;
    full.path = "checkpoints/checkpoint_12";
    full.value = 2.5;
    append_event(run_, full);
    append_event(run_, event("second"));
    JournalReader reader(run_.journal());
    std::vector<Event> events = reader.poll();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].text, full.text);
    EXPECT_EQ(events[0].step, 12);
    EXPECT_EQ(events[0].rank, 3);
    EXPECT_EQ(events[0].path, full.path);
    EXPECT_DOUBLE_EQ(events[0].value, 2.5);
    EXPECT_DOUBLE_EQ(events[0].time, full.time);
    EXPECT_EQ(events[1].step, -1);
    EXPECT_EQ(events[1].rank, -1);
    EXPECT_TRUE(reader.poll().empty()) << "read once";
}

TEST_F(Journal, ATornLastLineIsNotThereYet) {
    JournalReader reader(run_.journal());
    EXPECT_TRUE(reader.poll().empty()) << "no file yet";
    std::string line = to_json(event("slow writer"));
    append_event(run_, event("first"));
    append_raw(run_.journal(), line.substr(0, 20));
    EXPECT_EQ(reader.poll().size(), 1u);
    append_raw(run_.journal(), line.substr(20));
    EXPECT_TRUE(reader.poll().empty()) << "the newline is missing still";
    append_raw(run_.journal(), "\n");
    std::vector<Event> events = reader.poll();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].text, "slow writer");
}

TEST_F(Journal, ALineTornForGoodDoesNotSwallowTheNext) {
    append_event(run_, event("first"));
    append_raw(run_.journal(), R"({"time":"2026-11-21T)");  // the writer died here
    append_event(run_, event("after the restart"));
    std::vector<Event> events = JournalReader(run_.journal()).poll();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[1].text, "after the restart");
}

TEST_F(Journal, GarbageIsPassedOver) {
    append_raw(run_.journal(), "\n\n[1,2]\nnot json\n{\"step\":\"x\"}\n" + std::string(3 << 20, 'x') + "\n");
    append_event(run_, event("sound"));
    std::vector<Event> events = JournalReader(run_.journal()).poll();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].text, "sound");
}

TEST_F(Journal, OfMillionsOfLinesTheLastOnesAreRead) {
    std::string lines;
    for (int i = 0; i < 2'000'000; ++i)
        lines += "{}\n";
    append_raw(run_.journal(), lines);
    append_event(run_, event("last"));
    append_raw(run_.journal(), "{\"torn");
    JournalReader reader(run_.journal());
    const std::vector<Event> events = reader.poll();
    EXPECT_EQ(events.size(), 200'000u);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().text, "last");
    EXPECT_TRUE(reader.poll().empty());
}

TEST_F(Journal, AShorterFileIsReadFromItsBeginning) {
    append_event(run_, event("a long text that makes the first file longer than the second one"));
    JournalReader reader(run_.journal());
    EXPECT_EQ(reader.poll().size(), 1u);
    fs::remove(run_.journal());
    append_event(run_, event("new"));
    std::vector<Event> events = reader.poll();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].text, "new");
}

TEST_F(Journal, ManyEventsComeInOrder) {
    for (int i = 0; i < 5000; ++i)
        append_raw(run_.journal(), to_json(event("e", i)) + "\n");
    std::vector<Event> events = JournalReader(run_.journal()).poll();
    ASSERT_EQ(events.size(), 5000u);
    for (int i = 0; i < 5000; ++i)
        ASSERT_EQ(events[static_cast<std::size_t>(i)].step, i);
}

}  // namespace
}  // namespace trainyard::run
