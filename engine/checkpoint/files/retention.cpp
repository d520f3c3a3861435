// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/retention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/staging.h"
#include "config/recipe/recipe.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

namespace {

/// Positions of those for which the rule holds, the most wanted first.
using Order = std::vector<std::size_t>;

Order newest_first(std::span<const Candidate> candidates, bool good) {
    Order order;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].good == good)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return candidates[a].number > candidates[b].number; });
    return order;
}

Order best_first(std::span<const Candidate> candidates, Retention::Better better) {
    Order order;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].good && candidates[i].metric && !std::isnan(*candidates[i].metric))
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        double x = *candidates[a].metric, y = *candidates[b].metric;
        if (x != y)
            return better == Retention::Better::lower ? x < y : x > y;
        return candidates[a].number < candidates[b].number;
    });
    return order;
}

void cut(Order& order, std::int64_t count) {
    if (order.size() > static_cast<std::size_t>(count))
        order.resize(static_cast<std::size_t>(count));
}

}  // namespace

Retention retention_of(const config::CheckpointRecipe& recipe) {
    Retention retention;
    if (recipe.keep_last == 0)
        return retention;
    retention.keep_last = recipe.keep_last;
    retention.keep_best = recipe.keep_best;
    retention.better = recipe.best_mode == config::BestMode::max ? Retention::Better::higher : Retention::Better::lower;
    retention.keep_every = recipe.keep_every;
    return retention;
}

std::vector<bool> kept(std::span<const Candidate> candidates, const Retention& retention) {
    std::vector<bool> stays(candidates.size(), retention.keeps_all());
    if (retention.keeps_all() || candidates.empty())
        return stays;
    Order newest = newest_first(candidates, true), bad = newest_first(candidates, false);
    Order best = best_first(candidates, retention.better);
    Order last = newest, multiples;
    bool only_a_limit = retention.keep_last == 0 && retention.keep_best == 0 && retention.keep_every == 0;
    if (!only_a_limit)
        cut(last, retention.keep_last);
    cut(best, retention.keep_best);
    if (retention.keep_every > 0)
        std::copy_if(newest.begin(), newest.end(), std::back_inserter(multiples),
                     [&](std::size_t i) { return candidates[i].number % retention.keep_every == 0; });

    std::int64_t left = retention.total_limit > 0 ? retention.total_limit : std::numeric_limits<std::int64_t>::max();
    auto keep = [&](std::size_t i) {
        if (stays[i] || candidates[i].pinned || left == 0)
            return;
        stays[i] = true;
        --left;
    };
    if (!newest.empty())
        keep(newest.front());
    for (const Order& order : {best, last, multiples})
        for (std::size_t i : order)
            keep(i);
    if (!bad.empty() && (newest.empty() || candidates[bad.front()].number > candidates[newest.front()].number))
        stays[bad.front()] = true;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        stays[i] = stays[i] || candidates[i].pinned;
    return stays;
}

std::vector<fs::path> prune(const fs::path& checkpoints, const Retention& retention, std::int64_t newest) {
    std::vector<fs::path> removed = sweep_leftovers(checkpoints);
    std::vector<fs::path> folders;
    std::vector<Candidate> candidates;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints, error)) {
        std::int64_t number = checkpoint_number(entry.path());
        if (number < 0 || number > newest || !entry.is_directory(error) || entry.is_symlink(error) ||
            !has_manifest(entry.path()))
            continue;
        Candidate candidate{number, {}, fs::exists(entry.path() / "keep", error), true};
        try {
            const Manifest manifest = read_manifest(entry.path());
            candidate.metric = manifest.metric;
            candidate.good = manifest.not_good.empty();
        } catch (const UserError&) {
            continue;  // damaged: neither counted nor removed
        }
        folders.push_back(entry.path());
        candidates.push_back(candidate);
    }
    std::vector<bool> stays = kept(candidates, retention);
    for (std::size_t i = 0; i < folders.size(); ++i)
        if (!stays[i] && remove_checkpoint(folders[i]))
            removed.push_back(folders[i]);
    return removed;
}

}  // namespace trainyard::checkpoint
