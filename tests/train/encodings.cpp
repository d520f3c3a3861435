// SPDX-License-Identifier: GPL-3.0-or-later
// Text in the encodings and with the line ends that people have, shared out over ranks: every number of ranks sees the
// same samples, and all of them refuse a file with the same sentence.

#include <array>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/data_loader.h"

namespace trainyard::train {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr std::int64_t kSampleLength = 8, kBatchOfRanks = 4, kStepsRead = 6;
constexpr std::int64_t kStepsOfAll = 18;  ///< of 4 samples of 8 bytes, more than the text has

struct TextFormat {
    config::DataFormat format;
    const char *file, *first_line;
    std::string (*line)(const std::string& text);
};

const TextFormat kTextFormats[] = {
    {config::DataFormat::bytes, "a.txt", "", [](const std::string& text) { return text; }},
    {config::DataFormat::text, "a.txt", "", [](const std::string& text) { return text; }},
    {config::DataFormat::jsonl, "a.jsonl", "", [](const std::string& text) { return "{\"text\": \"" + text + "\"}"; }},
    {config::DataFormat::csv, "a.csv", "text,n\n", [](const std::string& text) { return "\"" + text + "\",1"; }},
};

class Encodings : public testing::TestWithParam<int> {
  protected:
    const TextFormat& format() const { return kTextFormats[GetParam()]; }

    /// 40 lines of several lengths with letters beyond ASCII.
    std::string content() const {
        std::string text = format().first_line;
        for (int i = 0; i < 40; ++i)
            text += format().line("gr\xc3\xbc\xc3\x9f " + std::string(static_cast<std::size_t>(1 + i % 7), 'a') +
                                  std::to_string(i)) +
                    "\n";
        return text;
    }
    static std::string with_line_ends(const std::string& text, const std::string& end) {
        std::string changed;
        for (const char letter : text)
            changed += letter == '\n' ? end : std::string(1, letter);
        return changed;
    }
    static std::string utf16(const std::string& text) {
        std::string wide = "\xff\xfe";
        for (const char letter : text)
            wide += {letter, '\0'};
        return wide;
    }
    config::Recipe recipe(const std::string& text, bool dispatch) const {
        std::ofstream(folder_.path() / format().file, std::ios::binary) << text;
        config::Recipe made;
        made.data.format = format().format;
        made.data.paths = {(folder_.path() / format().file).string()};
        if (made.data.format == config::DataFormat::csv || made.data.format == config::DataFormat::jsonl)
            made.data.column = "text";
        made.data.pack = made.data.format == config::DataFormat::bytes;
        made.data.sequence_length = kSampleLength;
        made.data.validation_fraction = 0;
        made.data.dispatch_batches = dispatch;
        made.training.evaluate_batches = 0;
        made.training.seed = 5;
        return made;
    }
    static std::shared_ptr<parallel::Communicator> everyone(parallel::World& world) {
        std::vector<int> ranks(static_cast<std::size_t>(world.size()));
        std::iota(ranks.begin(), ranks.end(), 0);
        return world.group(ranks, "data");
    }
    /// The tokens of the first steps, in the order of the global batch.
    std::vector<std::vector<std::int64_t>> samples(const std::string& text, int ranks, bool dispatch) const {
        config::Recipe made = recipe(text, dispatch);
        made.training.batch_size = kBatchOfRanks / ranks;
        std::vector<std::vector<std::int64_t>> seen(static_cast<std::size_t>(kStepsRead * kBatchOfRanks));
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            const auto group = everyone(*world);
            DataLoader loader(made, *group, at::Device(at::kCPU));
            for (std::int64_t step = 0; step < kStepsRead; ++step) {
                const Batch batch = loader.training_batch(step * kBatchOfRanks, 0);
                for (std::int64_t row = 0; row < batch.tokens.size(0); ++row) {
                    const auto* first = batch.tokens[row].contiguous().const_data_ptr<std::int64_t>();
                    seen[static_cast<std::size_t>(step * kBatchOfRanks + batch.first_sample + row)] = {
                        first, first + kSampleLength};
                }
            }
        });
        return seen;
    }
    /// The messages of two ranks.
    std::array<std::string, 2> refusals(const std::string& text) const {
        const config::Recipe made = recipe(text, false);
        std::array<std::string, 2> said;
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            try {
                const auto group = everyone(*world);
                DataLoader loader(made, *group, at::Device(at::kCPU));
                // Bytes are checked block by block, when they are read.
                for (std::int64_t step = 0; step < kStepsOfAll; ++step)
                    (void)loader.training_batch(step * kBatchOfRanks, 0);
            } catch (const UserError& error) {
                said[static_cast<std::size_t>(world->rank())] = error.what();
            }
        });
        return said;
    }

    test::TemporaryFolder folder_;
};

TEST_P(Encodings, RanksSeeTheSamplesThatOneRankSees) {
    const std::string plain = content();
    const auto expected = samples(plain, 1, false);
    for (const std::vector<std::int64_t>& sample : expected)
        EXPECT_EQ(std::ssize(sample), kSampleLength);
    const std::string mark = "\xef\xbb\xbf";
    for (const auto& [name, text] :
         std::initializer_list<std::pair<const char*, std::string>>{{"plain", plain},
                                                                    {"mark", mark + plain},
                                                                    {"carriage returns", with_line_ends(plain, "\r")},
                                                                    {"both", with_line_ends(plain, "\r\n")},
                                                                    {"all", mark + with_line_ends(plain, "\r")}}) {
        SCOPED_TRACE(name);
        const auto alone = samples(text, 1, false);
        // Bytes are bytes, line ends included; elsewhere they only divide documents.
        if (format().format != config::DataFormat::bytes || text.find('\r') == std::string::npos) {
            EXPECT_EQ(alone, expected);
        }
        for (const int ranks : {2, 4})
            for (const bool dispatch : {false, true})
                EXPECT_EQ(samples(text, ranks, dispatch), alone) << ranks << (dispatch ? " dispatched" : "");
    }
}

TEST_P(Encodings, EveryRankRefusesWithTheSameSentence) {
    std::string latin = content();
    for (std::size_t at = latin.find("\xc3\xbc"); at != std::string::npos; at = latin.find("\xc3\xbc"))
        latin.replace(at, 2, "\xfc");
    for (const auto& [text, reason] :
         {std::pair(latin, "(0xfc) is not valid UTF-8"), std::pair(utf16(content()), "the text is UTF-16"),
          std::pair(content() + std::string(9, '\0'), "zero bytes begin at byte")}) {
        const std::array<std::string, 2> said = refusals(text);
        const auto refused = AllOf(HasSubstr((folder_.path() / format().file).string()), HasSubstr(reason));
        if (format().format == config::DataFormat::bytes) {
            EXPECT_THAT(said, Contains(refused));  // by the rank whose block it is
            continue;
        }
        EXPECT_THAT(said[0], refused);
        EXPECT_EQ(said[1], said[0]);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Encodings, testing::Range(0, static_cast<int>(std::size(kTextFormats))),
                         [](const auto& made) { return std::string(choice_name(kTextFormats[made.param].format)); });

}  // namespace
}  // namespace trainyard::train
