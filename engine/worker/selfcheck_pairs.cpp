// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of the self-check that measure: all ranks together, then two at a time while the others wait. Which link is slow?

#include <algorithm>
#include <functional>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "distributed/parallel/shared_memory.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

namespace {

constexpr std::int64_t kSmallest = 1 << 10, kLargest = 64 << 20, kLargestOfMany = 16 << 20;  ///< bytes
constexpr int kMostLocal = 4;  ///< with more ranks on a machine, kLargestOfMany: all of them hold the tensor at once
/// A bandwidth is that of at least so many bytes: less may pass within the burst of a traffic shaper or the queue of a
/// switch, however narrow the link is.
constexpr std::int64_t kLeastForBandwidth = 256 << 10;
constexpr int kMostRounds = 40;
constexpr double kSecondsTogether = 1.5, kSecondsOfPairs = 3;  ///< all pairs, one after the other
constexpr double kLeastOfPair = 0.15, kMostOfPair = 1;
constexpr int kMostPairedRanks = 8;  ///< of one machine

/// Other programs only add to the time of a round: the least time shows what a link can do, the middle one what a run
/// gets on this machine.
struct Times {
    double middle = 0, least = 0;  ///< seconds of a round
};
struct Timed {
    std::int64_t bytes = 0;
    Times seconds;
};
struct Figures {
    Times latency;
    std::vector<Timed> sizes;

    double bandwidth(double factor) const {
        double best = 0;
        for (const Timed& one : sizes)
            if (one.seconds.least > 0 && one.bytes >= kLeastForBandwidth)
                best = std::max(best, factor * static_cast<double>(one.bytes) / one.seconds.least);
        return best;
    }
};

/// What is measured: one round with so many bytes, its seconds; and how those who take part agree on a number of the one who decides.
struct Measured {
    std::function<double(const at::Tensor&)> round;
    std::function<int(int)> agree;
};

/// Of as many rounds as fit into `seconds`; the first one opens connections and touches memory.
Times time_of(const Measured& measured, const at::Tensor& tensor, double seconds) {
    double warm = measured.round(tensor);
    int rounds = measured.agree(std::clamp(static_cast<int>(seconds / std::max(warm, 1e-6)), 1, kMostRounds));
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
        times.push_back(measured.round(tensor));
    std::ranges::sort(times);
    return {times[times.size() / 2], times.front()};
}

/// Latency, then rising sizes until the time is over, at least up to kLeastForBandwidth.
Figures sweep(const StageContext& context, const Measured& measured, double budget, std::int64_t largest) {
    auto filled = [&](std::int64_t elements) { return at::full({elements}, 1, context.options(at::kFloat)); };
    Figures figures;
    double begun = monotonic_seconds();
    figures.latency = time_of(measured, filled(1), budget / 10);
    for (std::int64_t bytes = kSmallest; bytes <= largest; bytes *= 4) {
        const Times seconds = time_of(measured, filled(bytes / 4), budget / 20);
        figures.sizes.push_back({bytes, seconds});
        // The next one costs at least two rounds of four times the bytes.
        const bool fits = bytes < kLeastForBandwidth || monotonic_seconds() - begun + 2 * 4 * seconds.middle < budget;
        if (measured.agree(fits ? 1 : 0) == 0)
            break;
    }
    return figures;
}

run::Event event_of(const char* kind, const Figures& figures, double factor) {
    nlohmann::json json{{"latency_s", figures.latency.middle},
                        {"least_latency_s", figures.latency.least},
                        {"sizes", nlohmann::json::array()}};
    for (const Timed& one : figures.sizes)
        json["sizes"].push_back({{"bytes", one.bytes}, {"seconds", one.seconds.middle}});
    run::Event event;
    event.kind = kind;
    event.text = Message::verbatim(json_text(json));
    event.value = figures.bandwidth(factor);
    return event;
}

std::string rate(double bytes_per_s) {
    return text::file_size(static_cast<std::uint64_t>(bytes_per_s)) + "/s";
}

/// There and back between this rank and `other`; `first` has the clock that counts.
Figures time_of_pair(StageContext& context, int other, bool first, double budget, std::int64_t largest, bool spoil) {
    double expected = std::min(context.rank(), other) + 1.0;
    auto exchange = [&](const at::Tensor& ball) {
        ball.fill_(first ? expected : 0);
        if (spoil)
            ball.fill_(expected + 1);
        double begin = monotonic_seconds();
        if (first) {
            context.everyone.send(ball, other, "measured ball").wait();
            context.everyone.receive(ball, other, "measured ball").wait();
        } else {
            context.everyone.receive(ball, other, "measured ball").wait();
            if (spoil)
                ball.fill_(expected + 1);
            context.everyone.send(ball, other, "measured ball").wait();
        }
        double last = ball[ball.numel() - 1].item<double>();  // and a device has done it
        double seconds = (monotonic_seconds() - begin) / 2;
        context.expect(last == expected,
                       Message("what it exchanges with rank {} is {} instead of {}", other, last, expected));
        return seconds;
    };
    auto agree = [&](int number) {
        at::Tensor one = at::full({1}, number, context.options(at::kInt));
        if (first)
            context.everyone.send(one, other, "plan of a pair").wait();
        else
            context.everyone.receive(one, other, "plan of a pair").wait();
        return one.item<int>();
    };
    return sweep(context, {exchange, agree}, budget, largest);
}

/// One rank of each machine with one of each other, and the first two ranks of each machine; on one machine all of the first ones.
std::vector<std::pair<int, int>> pairs_of(StageContext& context) {
    std::vector<double> local = context.gather(context.place.local_rank, "local ranks");
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < context.ranks(); ++a)
        for (int b = a + 1; b < context.ranks(); ++b) {
            double of_a = local[static_cast<std::size_t>(a)], of_b = local[static_cast<std::size_t>(b)];
            bool between = of_a == 0 && of_b == 0, beside = b == a + 1 && of_a == 0 && of_b == 1;
            if (context.on_several_machines() ? between || beside : b < kMostPairedRanks)
                pairs.emplace_back(a, b);
        }
    return pairs;
}

std::int64_t largest_on(const StageContext& context) {
    std::vector<double> local = context.gather(context.place.local_world_size, "ranks of machines");
    return *std::ranges::max_element(local) > kMostLocal ? kLargestOfMany : kLargest;
}

}  // namespace

Message check_speed(StageContext& context) {
    std::int64_t largest = largest_on(context);
    at::Tensor sum = at::full({1}, context.damaged() ? 2 : 1, context.options(at::kFloat));
    context.everyone.all_reduce(sum, "check of sums").wait();
    context.expect(sum.item<double>() == context.ranks(), "a sum is wrong");
    if (context.ranks() == 1)
        return "1 rank, nothing to communicate";
    auto reduce = [&](const at::Tensor& values) {
        values.fill_(1);
        double begin = monotonic_seconds();
        context.everyone.all_reduce(values, "measured sum").wait();
        double last = values[values.numel() - 1].item<double>();
        double seconds = monotonic_seconds() - begin;
        context.expect(last == context.ranks(), "a sum is wrong after many of them");
        return seconds;
    };
    auto agree = [&](int number) {
        at::Tensor one = at::full({1}, number, context.options(at::kInt));
        context.everyone.broadcast(one, 0, "plan of measured sums");
        return one.item<int>();
    };
    // Ranks that share memory touch all of it first: its pages are mapped once in a run.
    if (parallel::shares_memory(context.everyone))
        reduce(at::full({kLargestOfMany / 4}, 1, context.options(at::kFloat)));
    Figures figures = sweep(context, {reduce, agree}, kSecondsTogether, largest);
    // Share of the data that each rank sends and receives in a ring, so that the result compares with the link's
    // bandwidth.
    double factor = 2.0 * (context.ranks() - 1) / context.ranks();
    context.measured.push_back(event_of("all_reduce", figures, factor));
    return Message("all-reduce: latency {:.0f} us, bandwidth {} per rank", figures.latency.middle * 1e6,
                   rate(figures.bandwidth(factor)));
}

Message check_pairs(StageContext& context) {
    std::int64_t largest = largest_on(context);
    std::vector<std::pair<int, int>> pairs = pairs_of(context);
    if (pairs.empty())
        return "1 rank, no pair";
    double budget = std::clamp(kSecondsOfPairs / static_cast<double>(pairs.size()), kLeastOfPair, kMostOfPair);
    bool spoil = context.damaged();
    std::vector<std::pair<double, double>> seen;  // latency and bandwidth, as rank 0 sees them
    for (auto [a, b] : pairs) {
        Figures figures;
        if (context.rank() == a || context.rank() == b)
            figures = time_of_pair(context, context.rank() == a ? b : a, context.rank() == a, budget, largest, spoil);
        // The first of the two tells everybody.
        auto from = [&, at = static_cast<std::size_t>(a)](double value, const char* name) {
            return context.gather(value, name)[at];
        };
        Figures told;
        const auto times_from = [&](const Times& times, const char* name) {
            return Times{from(times.middle, name), from(times.least, name)};
        };
        told.latency = times_from(figures.latency, "latency of a pair");
        auto sizes = static_cast<std::size_t>(from(static_cast<double>(figures.sizes.size()), "sizes of a pair"));
        figures.sizes.resize(sizes);
        for (std::size_t i = 0; i < sizes; ++i)
            told.sizes.push_back({kSmallest << (2 * i), times_from(figures.sizes[i].seconds, "time of a pair")});
        run::Event event = event_of("pair", told, 1);
        event.rank = a;
        event.step = b;
        seen.emplace_back(told.latency.middle, event.value);
        context.measured.push_back(std::move(event));
    }
    double longest = std::ranges::max(seen, {}, &std::pair<double, double>::first).first;
    auto [slow, fast] = std::ranges::minmax_element(seen, {}, &std::pair<double, double>::second);
    const std::string least = rate(slow->second), most = rate(fast->second);
    return pairs.size() == 1 ? Message("{} pair: latency at most {:.0f} us, bandwidth {} to {}", pairs.size(),
                                       longest * 1e6, least, most)
                             : Message("{} pairs: latency at most {:.0f} us, bandwidth {} to {}", pairs.size(),
                                       longest * 1e6, least, most);
}

}  // namespace trainyard::worker
