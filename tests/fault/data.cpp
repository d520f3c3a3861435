// SPDX-License-Identifier: GPL-3.0-or-later
// Data that does not go round: records that cannot be read in the middle of a file, fewer samples than ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "run/journal.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::RealRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

/// A run whose recipe reads `file` as `format`; `more` goes under `data`.
void write_data_recipe(const RealRun& run, const std::string& format, const std::string& file,
                       const std::string& more) {
    std::ofstream(run.recipe(), std::ios::trunc)
        << "name: data\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16}\n"
           "data: {format: " +
               format + ", path: " + file + ", sequence_length: 16, pack: false, validation_fraction: 0" + more +
               "}\ntraining: {steps: 20, batch_size: 2}\n";
}

std::string data_warnings(const RealRun& run) {
    std::string texts;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        if (event.kind == "warning")
            texts += event.text.text() + "\n";
    return texts;
}

constexpr int kBeyondChecks = 25'001;  // checks before the start look at fewer rows

/// The documents in two lines from `damaged` on are damaged.
std::string write_documents(const RealRun& run, const std::string& format, int damaged) {
    const bool csv = format == "csv";
    std::ofstream file(run.root() / ("documents." + format));
    if (csv)
        file << "id,text\n";
    for (int line = csv ? 2 : 1; line <= damaged + 1000; ++line)
        if (line == damaged || line == damaged + 1)
            file << (csv ? "7,too,many,fields\n" : "{\"id\": 7, \"text\": \"never cl\n");
        else
            file << (csv ? std::to_string(line) + ",document " + std::to_string(line) + "\n"
                         : "{\"id\": " + std::to_string(line) + ", \"text\": \"document " + std::to_string(line) +
                               "\"}\n");
    return "documents." + format;
}

class CorruptRecords : public testing::TestWithParam<const char*> {};

TEST_P(CorruptRecords, EndTheRunWithTheFileAndTheLine) {
    RealRun run;
    write_data_recipe(run, GetParam(), write_documents(run, GetParam(), kBeyondChecks), "");
    ASSERT_EQ(run.start({"--num_processes", "2", "--max_restarts", "3"}).code, 0);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, AllOf(HasSubstr(std::string("documents.") + GetParam() + ":25001: "),
                                     HasSubstr("data.on_corrupt: skip")));
    EXPECT_EQ(state.restarts, 0) << "the data is as bad the next time";
}

TEST_P(CorruptRecords, AmongTheFirstAreFoundBeforeTheStart) {
    RealRun run;
    write_data_recipe(run, GetParam(), write_documents(run, GetParam(), 2001), "");
    const auto said = run.start({"--num_processes", "2"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr(std::string("documents.") + GetParam() + ":2001: "));
}

TEST_P(CorruptRecords, AreLeftOutAndCountedWhereTheRecipeSaysSo) {
    RealRun run;
    write_data_recipe(run, GetParam(), write_documents(run, GetParam(), 2001), ", on_corrupt: skip");
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_THAT(data_warnings(run),
                AllOf(says("{} records of the data cannot be read and are left out (data.on_corrupt: skip): {}",
                           EndsWith("2"), _),
                      HasSubstr(std::string("documents.") + GetParam() + ":2001: "),
                      HasSubstr(std::string("documents.") + GetParam() + ":2002: ")));
}

INSTANTIATE_TEST_SUITE_P(Formats, CorruptRecords, testing::Values("jsonl", "csv"),
                         [](const auto& given) { return std::string(given.param); });

TEST(FewSamples, FewerThanRanksAreRepeatedAndSaid) {
    RealRun run;
    std::ofstream(run.root() / "few.jsonl") << "{\"text\": \"one\"}\n{\"text\": \"two\"}\n{\"text\": \"three\"}\n";
    write_data_recipe(run, "jsonl", "few.jsonl", "");
    ASSERT_EQ(run.start({"--num_processes", "4"}).code, 0);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.progress.step, 20);
    EXPECT_THAT(data_warnings(run),
                says("the data has {} to train on, and a step takes {} ({}): samples are repeated within "
                     "a step; add data, or lower training.batch_size",
                     "3 samples", 8, "4 ranks"));
}

}  // namespace
}  // namespace trainyard
