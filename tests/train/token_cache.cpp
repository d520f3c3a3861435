// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the token cache: tokens are prepared once, shared between processes and reused, prepared again if they are
// stale or damaged, and held in memory if they cannot be stored.

#include "base/files/token_cache.h"

#include <fstream>
#include <functional>
#include <random>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "support/megatron_writer.h"
#include "support/private_memory.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/corpus.h"
#include "train/token_store.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using files::clear_token_cache;
using files::kSmallestCached;
using files::prepared_tokens;
using files::PreparedTokens;
using files::TokenFileError;
using files::TokenFileWriter;
using files::TokenSource;
using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kEnough = kSmallestCached + (1u << 20);  // bytes of a file that is worth keeping

class TokenCache : public testing::Test {
  protected:
    void SetUp() override { ::setenv("TRAINYARD_CACHE", cache().c_str(), 1); }
    void TearDown() override { ::unsetenv("TRAINYARD_CACHE"); }

    fs::path cache() const { return folder_.path() / "cache"; }

    /// Writes lines of text that depend on the seed only, and returns their tokens.
    std::string write_text(const std::string& file, std::uint64_t bytes, unsigned seed = 1) {
        std::mt19937 random(seed);
        std::string text;
        while (text.size() < bytes) {
            for (unsigned length = 20 + random() % 100; length > 0; --length)
                text += static_cast<char>('a' + random() % 26);
            text += '\n';
        }
        std::ofstream(folder_.path() / file, std::ios::trunc) << text;
        return text;
    }
    config::DataRecipe text_data(const std::string& file) const {
        config::DataRecipe data;
        data.format = config::DataFormat::text;
        data.paths = {(folder_.path() / file).string()};
        data.sequence_length = 16;
        data.validation_fraction = 0;
        return data;
    }
    static std::string text_of(const TokenStore& store) {
        std::vector<std::int64_t> tokens(static_cast<std::size_t>(store.tokens()));
        store.copy(0, tokens);
        return {tokens.begin(), tokens.end()};
    }
    std::vector<fs::path> kept() const {
        std::vector<fs::path> found;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(cache() / "tokens", none))
            if (entry.path().extension() != ".lock")
                found.push_back(entry.path());
        return found;
    }
    /// Sets the modification time of a file some hours back, so that it is not trusted without a check.
    static void make_old(const fs::path& file, double hours = 2) {
        const timespec then{.tv_sec = ::time(nullptr) - static_cast<time_t>(hours * 3600), .tv_nsec = 0};
        const timespec times[] = {then, then};
        ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
    }

    test::TemporaryFolder folder_;
};

TEST_F(TokenCache, TheSecondStartPreparesNothing) {
    const std::string text = write_text("a.txt", kEnough);
    const TokenStore first(text_data("a.txt"));
    EXPECT_TRUE(first.was_prepared());
    EXPECT_EQ(text_of(first), text);
    ASSERT_THAT(kept(), SizeIs(1));
    const TokenStore second(text_data("a.txt"));
    EXPECT_FALSE(second.was_prepared());
    EXPECT_EQ(text_of(second), text);
    EXPECT_EQ(second.documents(), first.documents());
    EXPECT_EQ(second.largest(), 'z');
    for (std::int64_t document = 0; document < first.documents(); ++document)
        ASSERT_EQ(second.end_of(document), first.end_of(document));
    EXPECT_THAT(second.remarks(), IsEmpty());
    make_old(kept()[0]);
    EXPECT_FALSE(TokenStore(text_data("a.txt")).was_prepared()) << "compared with its checksum";
}

TEST_F(TokenCache, WhatIsReadOtherwiseIsAnotherSet) {
    write_text("a.txt", kEnough);
    EXPECT_TRUE(TokenStore(text_data("a.txt")).was_prepared());
    config::DataRecipe other = text_data("a.txt");
    other.on_corrupt = config::OnCorrupt::skip;
    EXPECT_TRUE(TokenStore(other).was_prepared());
    EXPECT_THAT(kept(), SizeIs(2));
    other.sequence_length = 32;
    other.pack = false;
    EXPECT_FALSE(TokenStore(other).was_prepared()) << "samples are cut from the same tokens";
}

TEST_F(TokenCache, AChangedFileIsPreparedAnewAndTheOldTokensGo) {
    write_text("a.txt", kEnough);
    const TokenStore old(text_data("a.txt"));
    const std::string before = text_of(old);
    const fs::path stale = kept().at(0);
    const std::string text = write_text("a.txt", kEnough, 2);
    const TokenStore changed(text_data("a.txt"));
    EXPECT_TRUE(changed.was_prepared());
    EXPECT_EQ(text_of(changed), text);
    EXPECT_THAT(kept(), SizeIs(1));
    EXPECT_FALSE(fs::exists(stale));
    EXPECT_EQ(text_of(old), before) << "who has it mapped keeps it";
}

TEST_F(TokenCache, ADamagedFileIsPreparedAgain) {
    const std::string text = write_text("a.txt", kEnough);
    TokenStore{text_data("a.txt")};
    const fs::path file = kept().at(0);
    const auto size = static_cast<off_t>(fs::file_size(file));
    const std::vector<std::pair<const char*, std::function<void()>>> damages{
        {"one token is another", [&] { std::fstream(file, std::ios::in | std::ios::out).seekp(size / 2).put('!'); }},
        {"the header says more", [&] { std::fstream(file, std::ios::in | std::ios::out).seekp(17).put('\x7f'); }},
        {"cut off", [&] { fs::resize_file(file, static_cast<std::uintmax_t>(size) / 2); }},
        {"empty", [&] { fs::resize_file(file, 0); }},
        {"longer", [&] { fs::resize_file(file, static_cast<std::uintmax_t>(size) + 1); }}};
    for (const auto& [what, damage] : damages) {
        damage();
        make_old(file);
        const TokenStore store(text_data("a.txt"));
        EXPECT_TRUE(store.was_prepared()) << what;
        EXPECT_EQ(text_of(store), text) << what;
        EXPECT_EQ(static_cast<off_t>(fs::file_size(file)), size) << what;
    }
}

TEST_F(TokenCache, OneOfFourProcessesPrepares) {
    const std::string text = write_text("a.txt", kEnough);
    std::vector<pid_t> children;
    for (int rank = 0; rank < 4; ++rank)
        if (children.push_back(::fork()); children.back() == 0) {
            const TokenStore store(text_data("a.txt"));
            ::_exit(text_of(store) != text ? 2 : store.was_prepared() ? 1 : 0);
        }
    int prepared = 0;
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        ASSERT_LE(WEXITSTATUS(status), 1);
        prepared += WEXITSTATUS(status);
    }
    EXPECT_EQ(prepared, 1);
}

TEST_F(TokenCache, WithoutAFolderTheTokensAreInMemoryAndThatIsSaid) {
    const std::string text = write_text("a.txt", kEnough);
    ::setenv("TRAINYARD_CACHE", "/proc/none", 1);
    const TokenStore store(text_data("a.txt"));
    EXPECT_EQ(text_of(store), text);
    ASSERT_THAT(store.remarks(), SizeIs(1));
    EXPECT_THAT(store.remarks()[0], HasSubstr("cannot be kept in /proc/none/tokens"));
    EXPECT_THAT(store.remarks()[0], HasSubstr("TRAINYARD_CACHE"));
}

TEST_F(TokenCache, OnAFullDiskTheTokensAreInMemoryAndNothingIsLeftBehind) {
    write_text("a.txt", kEnough);
    int calls = 0;
    TokenSource source{{folder_.path() / "a.txt"}, "test", [&](int fd) {
                           TokenFileWriter writer(fd, 1);
                           writer.add("abc");
                           writer.end_document();
                           writer.finish("");
                           if (++calls == 1)
                               throw TokenFileError("No space left on device");
                       }};
    const PreparedTokens made = prepared_tokens(source);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(made.tokens->tokens(), 3);
    EXPECT_THAT(made.remark, HasSubstr("No space left on device"));
    EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(TokenCache, SmallSetsAreNotKept) {
    const std::string text = write_text("a.txt", 1000);
    const TokenStore store(text_data("a.txt"));
    EXPECT_EQ(text_of(store), text);
    EXPECT_THAT(store.remarks(), IsEmpty());
    EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(TokenCache, RecordsThatWereLeftOutAreNamedAtEveryStart) {
    std::ofstream lines(folder_.path() / "a.jsonl");
    const std::string document(1000, 'x');
    for (int line = 0; line * document.size() < kEnough; ++line)
        lines << (line % 1000 == 7 ? "{\"text\": broken\n" : "{\"text\": \"" + document + "\"}\n");
    lines.close();
    config::DataRecipe data = text_data("a.jsonl");
    data.format = config::DataFormat::jsonl;
    EXPECT_THROW(TokenStore{data}, UserError) << "data.on_corrupt: stop";
    EXPECT_THAT(kept(), IsEmpty());
    data.on_corrupt = config::OnCorrupt::skip;
    const TokenStore first(data), second(data);
    EXPECT_TRUE(first.was_prepared());
    EXPECT_FALSE(second.was_prepared());
    ASSERT_THAT(first.remarks(), SizeIs(1));
    EXPECT_THAT(
        first.remarks()[0],
        says("{} records of the data cannot be read and are left out (data.on_corrupt: skip): {}", EndsWith("6"), _));
    EXPECT_EQ(second.remarks(), first.remarks());
    EXPECT_EQ(second.documents(), first.documents());
}

TEST_F(TokenCache, MegatronSetsAreReadWhereTheyLie) {
    std::mt19937 random(3);
    std::vector<std::int64_t> all;
    config::DataRecipe data;
    data.format = config::DataFormat::megatron;
    for (const char* name : {"one", "two"}) {
        test::MegatronWriter set(folder_.path() / name, formats::ElementType::u16);
        for (int sequence = 0; sequence < 20'000; ++sequence) {
            std::vector<std::int64_t> tokens(sequence % 7 == 0 ? 0 : random() % 200);
            for (std::int64_t& token : tokens)
                token = static_cast<std::int64_t>(random() % 50'000);
            set.add_sequence(tokens);
            all.insert(all.end(), tokens.begin(), tokens.end());
        }
        set.end_document();
        set.finish();
        data.paths.push_back((folder_.path() / name).string());
    }
    const TokenStore first(data), second(data);
    EXPECT_TRUE(first.was_prepared());
    EXPECT_FALSE(second.was_prepared());
    for (const TokenStore* store : {&first, &second}) {
        ASSERT_EQ(store->tokens(), std::ssize(all));
        EXPECT_EQ(store->documents(), 40'000);
        EXPECT_EQ(store->largest(), *std::ranges::max_element(all));
        for (int look = 0; look < 2000; ++look) {
            std::vector<std::int64_t> part(1 + random() % 900);
            const auto from = random() % (all.size() - part.size());
            store->copy(static_cast<std::int64_t>(from), part);
            ASSERT_TRUE(std::ranges::equal(part, std::span(all).subspan(from, part.size()))) << from;
        }
    }
    ASSERT_THAT(kept(), SizeIs(1));
    EXPECT_LT(fs::file_size(kept()[0]), 400'000u) << "ends of documents, no tokens";
}

TEST_F(TokenCache, FilesThatNobodyUsedForAMonthAndFilesOfTheDeadGo) {
    write_text("a.txt", kEnough);
    write_text("b.txt", kEnough);
    TokenStore{text_data("a.txt")};
    const fs::path unused = kept().at(0), dead = cache() / "tokens" / "x.tokens.part1", alive = dead.string() + "2";
    make_old(unused, 24 * 31);
    std::ofstream(dead) << "half";
    make_old(dead, 25);
    std::ofstream(alive) << "half";
    TokenStore{text_data("b.txt")};
    EXPECT_FALSE(fs::exists(unused));
    EXPECT_FALSE(fs::exists(dead));
    EXPECT_TRUE(fs::exists(alive));
    EXPECT_EQ(files::token_cache_content().files, 1u);
    const files::CacheContent removal = clear_token_cache();
    EXPECT_EQ(removal.files, 1u);
    EXPECT_GT(removal.bytes, kEnough);
    EXPECT_TRUE(TokenStore(text_data("b.txt")).was_prepared());
}

/// Runs `work` in a child process and returns the growth of its private memory in bytes, measured before the result of
/// `work` is released.
template <class Work>
std::uint64_t cost_of(Work work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::uint64_t before = test::private_bytes();
        const auto held = work();
        const std::uint64_t after = test::private_bytes(), cost = after > before ? after - before : 0;
        ::_exit(::write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
    }
    std::uint64_t cost = UINT64_MAX;
    ::close(ends[1]);
    EXPECT_EQ(::read(ends[0], &cost, sizeof cost), static_cast<ssize_t>(sizeof cost));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return cost;
}

TEST_F(TokenCache, ARankHoldsLittleOfALargeSet) {
    constexpr std::uint64_t kBytes = 128u << 20, kAllowed = 40u << 20;
    write_text("a.txt", kBytes);
    config::DataRecipe text = text_data("a.txt"), bytes = text;
    bytes.format = config::DataFormat::bytes;
    TokenStore{text};
    for (const config::DataRecipe& data : {text, bytes})
        EXPECT_LT(cost_of([&] {
                      auto corpus = open_corpus(data, 256);
                      std::vector<std::int64_t> tokens(static_cast<std::size_t>(data.sequence_length));
                      std::mt19937_64 random(5);
                      const auto samples = static_cast<std::uint64_t>(corpus->training_samples());
                      for (int sample = 0; sample < 20'000; ++sample)
                          corpus->copy(false, static_cast<std::int64_t>(random() % samples), tokens, {});
                      return corpus;
                  }),
                  kAllowed)
            << choice_name(data.format);
    EXPECT_GT(cost_of([&] { return read_file(folder_.path() / "a.txt", 2 * kBytes); }), kBytes / 2)
        << "memory that is held must be measured";
}

}  // namespace
}  // namespace trainyard::train
