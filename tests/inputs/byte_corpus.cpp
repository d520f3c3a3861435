// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/byte_corpus.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::StartsWith;

config::DataRecipe recipe_of(std::vector<std::string> paths, std::int64_t length = 4, double held_out = 0) {
    config::DataRecipe recipe;
    recipe.paths = std::move(paths);
    recipe.sequence_length = length;
    recipe.validation_fraction = held_out;
    return recipe;
}

std::string block(const ByteCorpus& corpus, std::int64_t index, bool validation = false) {
    std::vector<std::int64_t> tokens(4, -1);
    validation ? corpus.copy_validation_block(index, tokens) : corpus.copy_training_block(index, tokens);
    return {tokens.begin(), tokens.end()};
}

std::string refusal(const config::DataRecipe& recipe) {
    try {
        ByteCorpus corpus(recipe);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(ByteCorpus, JoinsSortedFilesWithANewlineAndCutsBlocks) {
    test::TemporaryFolder folder;
    fs::create_directories(folder.path() / "sub");
    write_file_atomically(folder.path() / "b.txt", "ijk");
    write_file_atomically(folder.path() / "a.txt", "abcdefgh");
    write_file_atomically(folder.path() / "sub/c.txt", std::string("\xff\x00!", 3));
    write_file_atomically(folder.path() / "empty.txt", "");
    write_file_atomically(folder.path() / "x.md", "no");
    write_file_atomically(folder.path() / ".hidden.txt", "no");
    config::DataRecipe recipe = recipe_of({folder.path().string()});
    recipe.pattern = "*.txt";
    recipe.on_corrupt = config::OnCorrupt::keep;  // bytes that are not text
    EXPECT_THAT(corpus_files(recipe),
                testing::ElementsAre(folder.path() / "a.txt", folder.path() / "b.txt", folder.path() / "sub/c.txt"));
    ByteCorpus corpus(recipe);
    EXPECT_EQ(corpus.bytes(), 8u + 1 + 3 + 1 + 3);
    EXPECT_EQ(corpus.files(), 3u);
    ASSERT_EQ(corpus.training_blocks(), 4);
    EXPECT_EQ(block(corpus, 0), "abcd");
    EXPECT_EQ(block(corpus, 2), "\nijk");
    EXPECT_EQ(block(corpus, 3), std::string("\n\xff\x00!", 4));
    EXPECT_EQ(corpus.largest_byte(), 255);
    ByteCorpus moved = std::move(corpus);
    EXPECT_EQ(block(moved, 1), "efgh");
}

TEST(ByteCorpus, AgreesWithTheTextWhateverTheFilesAre) {
    // Files of 1 to 9 bytes, so that every block crosses file boundaries.
    test::TemporaryFolder folder;
    std::string text;
    std::vector<std::string> paths;
    for (int file = 1; file <= 9; ++file) {
        std::string content(static_cast<std::size_t>(file), static_cast<char>('a' + file));
        paths.push_back((folder.path() / std::to_string(file)).string());
        write_file_atomically(paths.back(), content, false);
        text += (text.empty() ? "" : "\n") + content;
    }
    ByteCorpus corpus(recipe_of(paths));
    ASSERT_EQ(corpus.bytes(), text.size());
    for (std::int64_t i = 0; i < corpus.training_blocks(); ++i)
        EXPECT_EQ(block(corpus, i), text.substr(static_cast<std::size_t>(4 * i), 4)) << i;
}

TEST(ByteCorpus, HoldsTheLastBlocksOut) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "t";
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += static_cast<char>('!' + i % 90);
    write_file_atomically(path, text);
    ByteCorpus corpus(recipe_of({path.string()}, 4, 0.1));
    EXPECT_EQ(corpus.training_blocks(), 22);
    EXPECT_EQ(corpus.validation_blocks(), 3);
    EXPECT_EQ(block(corpus, 0, true), text.substr(88, 4));
    EXPECT_EQ(block(corpus, 2, true), text.substr(96, 4));
    EXPECT_THROW(block(corpus, 22), std::out_of_range);
    EXPECT_THROW(block(corpus, 3, true), std::out_of_range);
    EXPECT_EQ(ByteCorpus(recipe_of({path.string()}, 100, 0.5)).training_blocks(), 1);
}

TEST(ByteCorpus, NamesEverythingThatIsWrongWithThePaths) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "empty", "");
    write_file_atomically(folder.path() / "short", "abc");
    std::string text = refusal(recipe_of({"/no/such/text", (folder.path() / "empty").string(), "/dev/null"}));
    EXPECT_THAT(text, says("{} does not exist", EndsWith("/no/such/text")));
    EXPECT_THAT(text, says("{} is empty", EndsWith("empty")));
    EXPECT_THAT(text, says("{} is neither a file nor a folder", EndsWith("/dev/null")));
    EXPECT_THAT(refusal(recipe_of({})), says("missing: name the text files or folders to train on"));
    EXPECT_THAT(
        refusal(recipe_of({(folder.path() / "short").string()})),
        says(
            "the text has {}, less than one sample of data.sequence_length ({}) bytes: add text or shorten the samples",
            _, _));
    config::DataRecipe none = recipe_of({folder.path().string()});
    none.pattern = "*.pod";
    EXPECT_THAT(refusal(none), says("{} contains no file that matches '{}' and is not empty", _, "*.pod"));
}

TEST(ByteCorpus, TextIsUtf8AndBlocksMayCutItsCharacters) {
    test::TemporaryFolder folder;
    const fs::path path = folder.path() / "a.txt";
    write_file_atomically(path,
                          "\xef\xbb\xbf"
                          "abc\xe2\x82\xac"
                          "defg\xf0\x9f\x9a\x82xyz");
    ByteCorpus corpus(recipe_of({path.string()}));
    ASSERT_EQ(corpus.training_blocks(), 4) << "without the byte order mark";
    EXPECT_EQ(block(corpus, 0), "abc\xe2");
    EXPECT_EQ(block(corpus, 1),
              "\x82\xac"
              "de");
    EXPECT_EQ(block(corpus, 2), "fg\xf0\x9f");
    EXPECT_EQ(block(corpus, 3), "\x9a\x82xy");
    std::string latin(10000, 'a');
    latin.insert(6000, "\n\ngr\xfc\xdf\n");
    write_file_atomically(path, latin);
    ByteCorpus wrong(recipe_of({path.string()}));
    EXPECT_EQ(block(wrong, 0), "aaaa") << "the rest is checked when it is read";
    try {
        block(wrong, 1501);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), test::says("byte {} (0x{:02x}) is not valid UTF-8", "6004", 0xfc).after("a.txt:3: "));
    }
    config::DataRecipe kept = recipe_of({path.string()});
    kept.on_corrupt = config::OnCorrupt::keep;
    EXPECT_EQ(block(ByteCorpus(kept), 1501), "\xfc\xdf\na");
    write_file_atomically(path, std::string("\xff\xfe"
                                            "a\0b\0",
                                            6));
    EXPECT_THAT(refusal(recipe_of({path.string()})),
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("a.txt: "));
}

TEST(ByteCorpus, NamesWhatCannotBeRead) {
    if (::geteuid() == 0)
        // Root can read everything, but nobody can read a path below a file.
        EXPECT_THAT(refusal(recipe_of({"/etc/passwd/x"})), says("cannot read {}: {}", StartsWith("/etc/passwd/x"), _));
    else {
        test::TemporaryFolder folder;
        fs::path path = folder.path() / "locked";
        write_file_atomically(path, "text text");
        ASSERT_EQ(::chmod(path.c_str(), 0), 0);
        EXPECT_THAT(refusal(recipe_of({path.string()})), says("cannot read {}: {}", StartsWith(path.string()), _));
    }
}

TEST(ByteCorpus, ALinkThatLeadsInACircleEnds) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "a", "abcdefgh");
    fs::create_directory_symlink(folder.path(), folder.path() / "loop");
    EXPECT_EQ(corpus_files(recipe_of({folder.path().string()})).size(), 1u);
}

TEST(Permutation, IsOneForEverySize) {
    for (std::uint64_t size = 1; size <= 2000; ++size) {
        Permutation permutation(size, size * 7, 3);
        std::vector<bool> seen(size);
        for (std::uint64_t i = 0; i < size; ++i) {
            std::uint64_t to = permutation(i);
            ASSERT_LT(to, size);
            ASSERT_FALSE(seen[to]) << size << " " << i;
            seen[to] = true;
        }
    }
    EXPECT_THROW(Permutation(0, 1, 1), std::invalid_argument);
    EXPECT_THROW(Permutation(5, 1, 1)(5), std::out_of_range);
    Permutation huge(~0ull, 1, 1);
    EXPECT_NE(huge(0), huge(~0ull - 1));
}

TEST(Permutation, DependsOnSeedAndEpochAndOnNothingElse) {
    auto first = [](std::uint64_t seed, std::uint64_t epoch) {
        Permutation permutation(1000, seed, epoch);
        std::vector<std::uint64_t> values;
        for (std::uint64_t i = 0; i < 8; ++i)
            values.push_back(permutation(i));
        return values;
    };
    EXPECT_EQ(first(1, 0), first(1, 0));
    EXPECT_NE(first(1, 0), first(1, 1));
    EXPECT_NE(first(1, 0), first(2, 0));
    // Must never change: a checkpoint saved today must find its position in later versions.
    EXPECT_EQ(first(1234, 0), (std::vector<std::uint64_t>{869, 402, 45, 324, 669, 483, 300, 740}));
}

TEST(Permutation, LooksRandom) {
    // Neighbours must be separated, and every tenth of the range must be hit equally often.
    constexpr std::uint64_t kSize = 10007;
    Permutation permutation(kSize, 5, 0);
    std::vector<int> tenths(10);
    int close = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ++tenths[permutation(i) * 10 / kSize];
        std::uint64_t a = permutation(i), b = permutation(i + 1);
        close += std::max(a, b) - std::min(a, b) < 10;
    }
    EXPECT_LT(close, 15);
    for (int count : tenths)
        EXPECT_NEAR(count, 100, 45);
}

}  // namespace
}  // namespace trainyard::inputs
