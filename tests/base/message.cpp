// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/message_json.h"

using namespace trainyard;

namespace {

struct Report {
    std::string name;
    Message error;
    std::vector<Message> notes;

    void fields(auto& field) const {
        field("error", error).null_if_default().label();
        field("name", name);
        field("notes", notes);
    }
};

Report report_from(const std::string& text) {
    return fields::from_text<Report>(text, "report.json");
}

TEST(Message, HasLiteralAndValues) {
    const Message reason = system_message(ENOENT);
    const Message message("cannot read {}: {}", std::string("a.bin"), reason);
    EXPECT_EQ(message, "cannot read a.bin: No such file or directory");
    EXPECT_EQ(message.form(), "cannot read {}: {}");
    ASSERT_EQ(message.values().size(), 2u);
    EXPECT_EQ(message.values()[0].form(), "");
    EXPECT_EQ(message.values()[1].form(), "No such file or directory");
}

TEST(Message, FormatsValuesAsTheLiteralSays) {
    EXPECT_EQ(Message("{:.1f} GB of {:02x}, {{{}}}", 1.25, 10, "x"), "1.2 GB of 0a, {x}");
    EXPECT_EQ(Message("{1} before {0}", "a", "b"), "b before a");
    EXPECT_EQ(Message("without values {lr: 1}").text(), "without values {lr: 1}");
    EXPECT_EQ(Message("from {} to {}", 0, 9).values()[1], "9");
}

TEST(Message, JoinsMessagesAndLeavesOutEmptyOnes) {
    EXPECT_EQ(Message::joined({"one", {}, "two"}), "one; two");
    EXPECT_EQ(Message::joined({{}, "one"}).form(), "one");
    EXPECT_TRUE(Message::joined({}).empty());
}

TEST(Message, IsWhatAnErrorCarries) {
    try {
        throw UserError("port {} is in use", 80);
    } catch (const std::exception& error) {
        EXPECT_STREQ(error.what(), "port 80 is in use");
        EXPECT_EQ(message_of(error).form(), "port {} is in use");
    }
    EXPECT_EQ(message_of(std::runtime_error("foreign {}")).form(), "");
    try {
        std::filesystem::create_directories("/proc/self/none/folder");
        ADD_FAILURE() << "made a folder in /proc";
    } catch (const std::exception& error) {
        EXPECT_THAT(message_of(error).text(), testing::StartsWith("/proc/self/none"));
        EXPECT_EQ(message_of(error).form(), "{}: {}");
    }
    const Problem problem{"run.yaml", 3, 5, "training.steps", Message("must be {}", 1)};
    EXPECT_EQ(problem.text(), "run.yaml:3:5: training.steps: must be 1");
}

TEST(Message, KeepsItsPartsInFiles) {
    const Report report{
        "x", Message("lost {}: {}", "rank 1", Message("killed by {}", "SIGKILL")), {"one", Message::verbatim("two")}};
    const std::string text = fields::to_text(report);
    EXPECT_EQ(
        text,
        R"({"error":"lost rank 1: killed by SIGKILL",)"
        R"("error_message":{"form":"lost {}: {}","values":["rank 1",{"form":"killed by {}","values":["SIGKILL"]}]},)"
        R"("name":"x","notes":["one","two"],"notes_message":[{"form":"one"},null]})");
    const Report read = report_from(text);
    EXPECT_EQ(read.error.form(), "lost {}: {}");
    EXPECT_EQ(read.error.values()[1].form(), "killed by {}");
    EXPECT_EQ(read.notes[0].form(), "one");
    EXPECT_EQ(read.notes[1].form(), "");
    EXPECT_EQ(fields::to_text(Report{}), R"({"error":null,"name":"","notes":[]})");
}

/// A message from another machine must not show one text in English and another one in a translation.
TEST(Message, PartsThatDoNotGiveTheTextAreIgnored) {
    EXPECT_EQ(report_from(R"({"error":"all is well","error_message":{"form":"disk full"},"name":"","notes":[]})")
                  .error.form(),
              "");
    for (const char* parts : {R"(7)", R"({"form":7})", R"({"form":"{}","values":7})", R"({"form":"{}","values":[7]})",
                              R"({"values":["a"]})"})
        EXPECT_EQ(report_from(std::string(R"({"error":"a","name":"","notes":["a"],"notes_message":[)") + parts +
                              R"(],"error_message":)" + parts + "}")
                      .error.form(),
                  "")
            << parts;
    std::string deep = R"("a")";
    for (int i = 0; i < 20; ++i)
        deep = R"({"form":"{}","values":[)" + deep + "]}";
    EXPECT_EQ(report_from(R"({"error":"a","name":"","notes":[],"error_message":)" + deep + "}").error.form(), "");
    EXPECT_EQ(report_from(R"({"error":"{}{} {9}","name":"","notes":[],"error_message":{"form":"{}{} {9}"}})").error,
              "{}{} {9}");
    EXPECT_EQ(Message::from_parts("{} {3} {} {", {Message("x")}), "x   {");
}

TEST(Message, KeepsLiteralAndValuesOnItsWayToAnotherProcess) {
    const Message reason("killed by {}", "SIGKILL");
    const Message read = message_from_json(message_to_json(Message("lost {}: {}", "rank 1", reason)));
    EXPECT_EQ(read, "lost rank 1: killed by SIGKILL");
    EXPECT_EQ(read.form(), "lost {}: {}");
    EXPECT_EQ(read.values()[1].form(), "killed by {}");
    EXPECT_EQ(message_to_json({}), "");
    EXPECT_TRUE(message_from_json("").empty());
    for (const char* text : {"no JSON", "7", "{}", R"({"message":7})"}) {
        EXPECT_EQ(message_from_json(text), text);
        EXPECT_EQ(message_from_json(text).form(), "");
    }
}

}  // namespace
