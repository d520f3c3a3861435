// SPDX-License-Identifier: GPL-3.0-or-later
// Training a byte-level BPE gives the file that the tokenizers library writes for the same text.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "formats/tokenizers/bpe_trainer.h"
#include "formats/tokenizers/tokenizer.h"
#include "support/golden.h"

namespace trainyard::tokenizers {
namespace {

using nlohmann::json;

TEST(BpeTraining, GivesTheRecordedFile) {
    const std::filesystem::path folder = test::golden("bpe_training");
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_directory())
            continue;
        ++cases;
        const json settings = json::parse(read_file(entry.path() / "settings.json"));
        BpeTrainerOptions options;
        options.vocabulary_size = settings.at("vocab_size").get<std::size_t>();
        options.min_frequency = settings.value("min_frequency", std::uint64_t{0});
        options.special_tokens = settings.at("special_tokens").get<std::vector<std::string>>();
        options.add_prefix_space = settings.value("add_prefix_space", false);
        options.pattern = settings.value("pattern", "");
        BpeTrainer trainer(options);
        for (const json& text : settings.at("texts"))
            trainer.add(text.get<std::string>());
        const json trained = json::parse(trainer.train());
        const json expected = json::parse(read_file(entry.path() / "tokenizer.json"));
        EXPECT_EQ(trained, expected) << entry.path();
        EXPECT_EQ(trained.at("model").at("merges").size(), expected.at("model").at("merges").size());
    }
    EXPECT_GT(cases, 0);
}

TEST(BpeTraining, EveryTextComesBack) {
    BpeTrainerOptions options;
    options.vocabulary_size = 300;
    BpeTrainer trainer(options);
    trainer.add("the train, the train, the rain in \xff Spain\n");
    const Tokenizer tokenizer = Tokenizer::from_json(trainer.train());
    for (const std::string text : {"", " ", "the rain", "列車 🚂\n\t \r\n", "<|endoftext|>"})
        EXPECT_EQ(tokenizer.decode(tokenizer.encode_ids(text), false), text);
    EXPECT_LT(tokenizer.encode_ids("the train").size(), 9u);
}

TEST(BpeTraining, CanBeStoppedAndNeedsRoomForTheBytes) {
    BpeTrainerOptions options;
    options.vocabulary_size = 400;
    BpeTrainer trainer(options);
    trainer.add("abcabcabc abcabc abcd");
    std::size_t merges = 0;
    const json file = json::parse(trainer.train([&](std::size_t done, std::size_t) { return (merges = done) < 2; }));
    EXPECT_EQ(merges, 2u);
    EXPECT_EQ(file.at("model").at("merges").size(), 2u);
    options.vocabulary_size = 100;
    EXPECT_THROW(BpeTrainer{options}, UserError);
}

}  // namespace
}  // namespace trainyard::tokenizers
