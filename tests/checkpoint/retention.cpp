// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/retention.h"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/recipe/recipe.h"

namespace trainyard::checkpoint {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> numbers_kept(const std::vector<Candidate>& candidates, const Retention& retention) {
    std::vector<bool> stays = kept(candidates, retention);
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (stays[i])
            numbers.push_back(candidates[i].number);
    return numbers;
}

std::vector<Candidate> with_metrics(std::initializer_list<double> metrics) {
    std::vector<Candidate> all;
    for (double metric : metrics)
        all.push_back({static_cast<std::int64_t>(all.size()) * 10, metric, false});
    return all;
}

TEST(Retention, OfAMetricSequence) {
    auto all = with_metrics({3.0, 1.0, 2.0, 1.5, 4.0});
    EXPECT_THAT(numbers_kept(all, {}), ElementsAre(0, 10, 20, 30, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_last = 2}), ElementsAre(30, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_best = 2}), ElementsAre(10, 30, 40)) << "and the newest";
    EXPECT_THAT(numbers_kept(all, {.keep_best = 1, .better = Retention::Better::higher}), ElementsAre(40));
    EXPECT_THAT(numbers_kept(all, {.keep_every = 20}), ElementsAre(0, 20, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_last = 1, .keep_best = 1, .keep_every = 20}), ElementsAre(0, 10, 20, 40));
    EXPECT_THAT(numbers_kept(all, {.total_limit = 2}), ElementsAre(30, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_last = 3, .keep_best = 1, .total_limit = 2}), ElementsAre(10, 40));
    all[0].pinned = true;
    EXPECT_THAT(numbers_kept(all, {.total_limit = 2}), ElementsAre(0, 30, 40));
}

TEST(Retention, OfARecipe) {
    config::CheckpointRecipe recipe;
    recipe.keep_last = 2;
    recipe.keep_every = 30;
    const auto all = with_metrics({3.0, 1.0, 2.0, 1.5, 4.0, 5.0, 6.0});
    EXPECT_THAT(numbers_kept(all, retention_of(recipe)), ElementsAre(0, 30, 50, 60));
    recipe.keep_best = 1;
    EXPECT_THAT(numbers_kept(all, retention_of(recipe)), ElementsAre(0, 10, 30, 50, 60));
    recipe.best_mode = config::BestMode::max;
    EXPECT_THAT(numbers_kept(all, retention_of(recipe)), ElementsAre(0, 30, 50, 60));
    recipe.keep_last = 0;
    EXPECT_TRUE(retention_of(recipe).keeps_all()) << "0 keeps all";
}

TEST(Retention, NotANumberIsNeverBestAndOfEqualsTheEarlierIs) {
    auto all = with_metrics({std::nan(""), 1.0, 1.0, std::numeric_limits<double>::infinity(), std::nan("")});
    EXPECT_THAT(numbers_kept(all, {.keep_best = 1}), ElementsAre(10, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_best = 3}), ElementsAre(10, 20, 30, 40));
    all[1].metric.reset();
    EXPECT_THAT(numbers_kept(all, {.keep_best = 1}), ElementsAre(20, 40));
}

TEST(Retention, WhatIsNotGoodCountsInNoRule) {
    auto all = with_metrics({3.0, 1.0, 2.0, 0.5, 0.1});
    all[3].good = all[4].good = false;
    EXPECT_THAT(numbers_kept(all, {}), ElementsAre(0, 10, 20, 30, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_last = 2}), ElementsAre(10, 20, 40)) << "and the newest, for a look at it";
    EXPECT_THAT(numbers_kept(all, {.keep_best = 1}), ElementsAre(10, 20, 40));
    EXPECT_THAT(numbers_kept(all, {.keep_every = 30}), ElementsAre(0, 20, 40));
    EXPECT_THAT(numbers_kept(all, {.total_limit = 1}), ElementsAre(20, 40));
    all.push_back({50, 9.0, false});
    EXPECT_THAT(numbers_kept(all, {.keep_last = 2}), ElementsAre(20, 50)) << "a good one is newer";
    for (Candidate& candidate : all)
        candidate.good = false;
    EXPECT_THAT(numbers_kept(all, {.keep_last = 2}), ElementsAre(50));
}

TEST(Retention, HoldsItsPromisesForAnyCandidates) {
    std::mt19937_64 random(7);
    auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
    for (int round = 0; round < 3000; ++round) {
        std::vector<Candidate> all;
        std::int64_t number = 0;
        for (std::int64_t i = below(12); i > 0; --i) {
            Candidate candidate{number += 1 + below(3), {}, below(8) == 0};
            if (below(4) != 0)
                candidate.metric = below(10) == 0 ? std::nan("") : static_cast<double>(below(6));
            all.push_back(candidate);
        }
        std::shuffle(all.begin(), all.end(), random);
        Retention rule{below(4), below(4), below(2) == 0 ? Retention::Better::lower : Retention::Better::higher,
                       below(4), below(5)};
        std::vector<bool> stays = kept(all, rule);
        std::int64_t loose = 0, newer_kept_only = 0;
        std::size_t newest = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            newest = all[i].number > all[newest].number ? i : newest;
            loose += stays[i] && !all[i].pinned ? 1 : 0;
            ASSERT_TRUE(stays[i] || !all[i].pinned);
        }
        ASSERT_TRUE(all.empty() || stays[newest]);
        if (rule.total_limit > 0 && !rule.keeps_all()) {
            ASSERT_LE(loose, rule.total_limit);
        }
        for (std::size_t i = 0; i < all.size() && rule.total_limit == 0; ++i) {
            std::int64_t newer = 0, better = 0;
            for (const Candidate& other : all) {
                newer += other.number > all[i].number ? 1 : 0;
                bool comparable = other.metric && all[i].metric && !std::isnan(*other.metric);
                if (comparable && *other.metric != *all[i].metric)
                    better += (*other.metric < *all[i].metric) == (rule.better == Retention::Better::lower) ? 1 : 0;
                else if (comparable)
                    better += other.number < all[i].number ? 1 : 0;
            }
            bool measured = all[i].metric && !std::isnan(*all[i].metric);
            bool wanted = rule.keeps_all() || newer == 0 || all[i].pinned || newer < rule.keep_last ||
                          (measured && better < rule.keep_best) ||
                          (rule.keep_every > 0 && all[i].number % rule.keep_every == 0);
            ASSERT_EQ(stays[i], wanted) << "checkpoint " << all[i].number << " in round " << round;
        }
        // Pruning twice is pruning once.
        std::vector<Candidate> left;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (stays[i])
                left.push_back(all[i]);
        std::vector<bool> again = kept(left, rule);
        newer_kept_only = std::count(again.begin(), again.end(), true);
        ASSERT_EQ(newer_kept_only, std::ssize(left));
    }
}

}  // namespace
}  // namespace trainyard::checkpoint
