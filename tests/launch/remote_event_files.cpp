// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of mirroring the event files of another machine: they are followed there and assembled here, and untrusted
// input of the other end is checked.

#include "launch/supervisor/remote_event_files.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "launch/supervisor/agent_wire.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

constexpr const char* kFile = "events.out.tfevents.1795287765.gpu-b.4711.0";

class FarEventFiles : public testing::Test {
  protected:
    fs::path there() const { return folder_.path() / "there"; }
    fs::path here() const { return folder_.path() / "here"; }
    void SetUp() override {
        fs::create_directories(there());
        fs::create_directories(here());
    }
    void append(const std::string& name, const std::string& text) {
        std::ofstream(there() / name, std::ios::app | std::ios::binary) << text;
    }
    /// Transfers all new data.
    void send(EventFileSender& sender, EventFileReceiver& receiver) {
        sender.look();
        while (auto part = sender.next()) {
            receiver.take("gpu-b", parse_event_part(event_part_payload(*part)));
            sender.sent(*part);
        }
    }
    std::string arrived(const std::string& name = kFile) const { return read_file(here() / (name + ".gpu-b")); }
    test::TemporaryFolder folder_;
};

TEST_F(FarEventFiles, GrowAsTheyDoThere) {
    EventFileSender sender(there());
    EventFileReceiver receiver(here());
    append(kFile, std::string(100'000, 'a'));
    append("notes.txt", "none of ours");
    send(sender, receiver);
    EXPECT_EQ(arrived().size(), 100'000u);
    append(kFile, "more");
    EXPECT_EQ(sender.unsent(), 0u) << "look() was not called yet";
    send(sender, receiver);
    EXPECT_EQ(arrived(), std::string(100'000, 'a') + "more");
    EXPECT_EQ(std::distance(fs::directory_iterator(here()), {}), 1);
    EXPECT_EQ(fs::status(here() / (std::string(kFile) + ".gpu-b")).permissions(), fs::perms(0600));
}

TEST_F(FarEventFiles, OfRanksAndHostsComeIntoTheFoldersOfTheseNames) {
    EventFileSender sender(there());
    EventFileReceiver receiver(here());
    for (const char* folder : {"rank-00002", "host-gpu-b", "mine", ".rank"})
        fs::create_directories(there() / folder);
    append(std::string("rank-00002/") + kFile, "of rank 2");
    append(std::string("host-gpu-b/") + kFile, "of the host");
    append(std::string("mine/") + kFile, "no part of a run");
    append(std::string(".rank/") + kFile, "hidden");
    send(sender, receiver);
    EXPECT_EQ(arrived(std::string("rank-00002/") + kFile), "of rank 2");
    EXPECT_EQ(arrived(std::string("host-gpu-b/") + kFile), "of the host");
    EXPECT_EQ(std::distance(fs::directory_iterator(here()), {}), 2);
}

TEST_F(FarEventFiles, OnANewConnectionNothingComesTwiceAndNothingIsLost) {
    EventFileSender sender(there());
    append(kFile, "first, ");
    {
        EventFileReceiver receiver(here());
        send(sender, receiver);
        append(kFile, "second, ");
        sender.look();
        auto lost = sender.next();  // the connection accepts it, but it never arrives
        ASSERT_TRUE(lost);
        sender.sent(*lost);
        append(kFile, "third");
        sender.start_over();
        send(sender, receiver);
        EXPECT_EQ(arrived(), "first, second, third");
    }
    EventFileReceiver another(here());  // the head node was restarted
    sender.start_over();
    send(sender, another);
    EXPECT_EQ(arrived(), "first, second, third");
}

TEST_F(FarEventFiles, WhatNoEventFileIsIsRefused) {
    auto part = [](const std::string& name) { return event_part_payload({name, 0, "x"}); };
    for (const std::string& name :
         {std::string(), std::string("../events.out.tfevents.1"), std::string("a/events.out.tfevents.1"),
          std::string("rank-00001/../events.out.tfevents.1"), std::string("rank-00001/.events.out.tfevents.1"),
          std::string("rank-1/2/events.out.tfevents.1"), std::string("host-/events.out.tfevents.1"),
          std::string(".events.out.tfevents.1"), std::string("state.json"), std::string("tfevents\0x", 10),
          "tfevents" + std::string(200, 'x')})
        EXPECT_THROW(parse_event_part(part(name)), WireError) << name;
    std::string whole = part(kFile);
    for (std::size_t length = 0; length + 1 < whole.size(); ++length)
        EXPECT_THROW(parse_event_part(std::string_view(whole).substr(0, length)), WireError) << length;
}

TEST_F(FarEventFiles, TheOtherEndCannotFillTheDiskOrWriteElsewhere) {
    EventFileReceiver receiver(here(), {.files = 2, .bytes = 10});
    EXPECT_EQ(receiver.take("../gpu b", {kFile, 0, "1234"}), std::string(kFile) + "..._gpu_b");
    EXPECT_EQ(receiver.take("gpu-b", {kFile, 5, "a gap"}), "");
    EXPECT_EQ(receiver.take("gpu-b", {"b.tfevents", 0, "12345678901"}), "");
    EXPECT_EQ(receiver.take("gpu-b", {"c.tfevents", 0, "x"}), "") << "the third file";
    EXPECT_FALSE(fs::exists(here() / "c.tfevents.gpu-b"));
    EXPECT_FALSE(fs::exists(here() / "b.tfevents.gpu-b"));
    // A symbolic link at the path of an event file is not followed.
    fs::create_symlink(folder_.path() / "elsewhere", here() / "d.tfevents.gpu-c");
    EXPECT_THROW(receiver.take("gpu-c", {"d.tfevents", 0, "x"}), UserError);
    EXPECT_EQ(receiver.take("gpu-c", {"d.tfevents", 0, "x"}), "") << "the error must be reported only once";
    EXPECT_FALSE(fs::exists(folder_.path() / "elsewhere"));
}

TEST_F(FarEventFiles, FilesThatGoOrShrinkAreLeftAlone) {
    EventFileSender sender(there());
    EventFileReceiver receiver(here());
    append(kFile, "0123456789");
    append("b.tfevents", "here today");
    sender.look();
    fs::remove(there() / "b.tfevents");
    fs::resize_file(there() / kFile, 4);
    while (auto part = sender.next()) {
        receiver.take("gpu-b", *part);
        sender.sent(*part);
    }
    EXPECT_EQ(arrived(), "0123");
    EXPECT_FALSE(fs::exists(here() / "b.tfevents.gpu-b"));
}

}  // namespace
}  // namespace trainyard::launch
