// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/hang.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/text.h"
#include "run/state.h"

namespace trainyard::launch {

namespace {

constexpr double kSlowFactor = 1.5;
constexpr double kSlowSeconds = 1;
constexpr int kSlowSteps = 2;
constexpr std::int64_t kToldEvery = 100;

struct FlightRecord {
    double time = 0;
    int generation = 0;
    Message text;
    std::optional<int> behind;
    std::vector<RankStatus> ranks;

    void fields(auto& field) const {
        field("time", time).time();
        field("generation", generation)("text", text)("behind", behind)("ranks", ranks);
    }
};

std::string name_of(const RankStatus& status) {
    return run::rank_name(status.rank, status.place);
}

Message waiting_in(const std::vector<std::string>& ranks, const std::string& collective) {
    if (ranks.size() == 1)
        return Message("rank {} waits in {}", ranks.front(), collective);
    return Message("ranks {} and {} wait in {}", fmt::join(ranks.begin(), ranks.end() - 1, ", "), ranks.back(),
                   collective);
}

Message place_of(const RankStatus& status) {
    const Message text = status.phase.empty() ? Message("start-up at step {}", status.step)
                                              : Message("{} at step {}", status.phase, status.step);
    if (!status.waits_for.empty())
        return Message("{}, in {}", text, status.waits_for);
    return status.collective.empty() ? text : Message("{}, after {}", text, status.collective);
}

/// Do ranks wait for each other in collectives of the same number that are not the same?
bool differ(const std::vector<RankStatus>& ranks) {
    return std::any_of(ranks.begin(), ranks.end(), [&](const RankStatus& one) {
        return std::any_of(ranks.begin(), ranks.end(), [&](const RankStatus& other) {
            return !one.waits_for.empty() && !other.waits_for.empty() && one.waits_for != other.waits_for &&
                   collective_number(one.waits_for) == collective_number(other.waits_for);
        });
    });
}

}  // namespace

std::int64_t collective_number(const std::string& collective) {
    std::size_t hash = collective.find('#');
    return hash == std::string::npos ? -1 : std::atoll(collective.c_str() + hash + 1);
}

std::optional<int> rank_behind(const std::vector<RankStatus>& ranks, double silence_s) {
    if (ranks.empty())
        return std::nullopt;
    auto first_where = [&](auto holds) -> std::optional<int> {
        auto found = std::find_if(ranks.begin(), ranks.end(), holds);
        return found == ranks.end() ? std::nullopt : std::optional(found->rank);
    };
    auto stopped = [&](const RankStatus& p) { return !p.condition.empty() && p.silent_s >= silence_s; };
    if (auto rank = first_where(stopped))
        return rank;
    if (auto rank = first_where([&](const RankStatus& p) { return p.silent_s >= silence_s; }))
        return rank;
    bool any_waits = std::any_of(ranks.begin(), ranks.end(), [](const RankStatus& p) { return !p.waits_for.empty(); });
    if (any_waits)
        if (auto rank = first_where([](const RankStatus& p) { return p.waits_for.empty(); }))
            return rank;
    auto place = [](const RankStatus& p) { return std::pair(p.step, collective_number(p.collective)); };
    auto [least, most] = std::minmax_element(
        ranks.begin(), ranks.end(), [&](const RankStatus& a, const RankStatus& b) { return place(a) < place(b); });
    return place(*least) == place(*most) ? std::nullopt : std::optional(least->rank);
}

Message hang_sentence(const std::vector<RankStatus>& ranks, std::optional<int> behind) {
    std::map<std::string, std::vector<std::string>> waiting;  // by collective
    std::vector<Message> others;
    for (const RankStatus& status : ranks) {
        if (behind == status.rank)
            continue;
        if (!status.waits_for.empty())
            waiting[status.waits_for].push_back(name_of(status));
        else
            others.push_back(Message("rank {} is in {}", name_of(status), place_of(status)));
    }
    std::vector<Message> parts;
    for (const auto& [collective, who] : waiting)
        parts.push_back(waiting_in(who, collective));
    parts.insert(parts.end(), others.begin(), others.end());
    for (const RankStatus& status : ranks)
        if (behind == status.rank)
            parts.push_back(status.condition.empty()
                                ? Message("rank {} on {} is in {}", name_of(status), status.host, place_of(status))
                                : Message("rank {} on {} is in {} and {}", name_of(status), status.host,
                                          place_of(status), status.condition));
    const Message text = Message::joined(parts, "; ");
    if (differ(ranks))
        return Message("{}: these are different collectives, the ranks do not call them in the same order", text);
    return text;
}

std::string flight_record(const std::vector<RankStatus>& ranks, std::optional<int> behind, const Message& sentence,
                          int generation, double time) {
    return fields::to_text(FlightRecord{time, generation, sentence, behind, ranks}) + "\n";
}

std::optional<Message> SlowRanks::step(int rank, std::int64_t step, double own_seconds, int ranks) {
    seen_.resize(static_cast<std::size_t>(std::max(ranks, rank + 1)));
    Seen& mine = seen_[static_cast<std::size_t>(rank)];
    if (step <= mine.step)
        return std::nullopt;
    mine.step = step;
    mine.seconds = own_seconds;
    std::vector<double> others;
    for (std::size_t i = 0; i < seen_.size(); ++i)
        if (static_cast<int>(i) != rank && seen_[i].step >= 0)
            others.push_back(seen_[i].seconds);
    if (others.empty())
        return std::nullopt;
    auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
    std::nth_element(others.begin(), middle, others.end());
    bool slow = own_seconds >= kSlowFactor * *middle && own_seconds >= *middle + kSlowSeconds;
    mine.slow = slow ? mine.slow + 1 : 0;
    if (mine.slow < kSlowSteps || (mine.told >= 0 && step - mine.told < kToldEvery))
        return std::nullopt;
    mine.told = step;
    return Message("rank {} holds up the others: it takes {} for a step, the others {}", rank,
                   text::duration(own_seconds), text::duration(*middle));
}

}  // namespace trainyard::launch
