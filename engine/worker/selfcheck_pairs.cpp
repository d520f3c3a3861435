// Stage of the self-check in which two ranks at a time talk to each other, and the others wait: which link is slow, or not there?

#include <algorithm>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

namespace {

constexpr int kRounds = 40, kBandwidthRounds = 5;
constexpr std::int64_t kElements = 1 << 20;  ///< 4 MiB of fp32
constexpr int kMostRanks = 8;                ///< with more, one rank of each machine

/// There and back, the middle of several: seconds.
double time_of_ping(StageContext& context, int other, bool first, std::int64_t elements, int rounds, bool spoil) {
    double expected = std::min(context.rank(), other) + 1.0;
    at::Tensor ball = at::full({elements}, expected, context.options(at::kFloat));
    std::vector<double> times;
    for (int round = 0; round < rounds + 1; ++round) {
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
        if (round > 0)
            times.push_back(monotonic_seconds() - begin);
    }
    double last = ball[elements - 1].item<double>();
    context.expect(last == expected,
                   fmt::format("what it exchanges with rank {} is {} instead of {}", other, last, expected));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

std::string check_pairs(StageContext& context) {
    std::vector<double> local = context.gather(context.local_rank, "local ranks");
    std::vector<int> talking;
    for (int rank = 0; rank < context.ranks(); ++rank)
        if (context.ranks() <= kMostRanks || local[static_cast<std::size_t>(rank)] == 0)
            talking.push_back(rank);
    bool spoil = context.damaged();
    for (std::size_t i = 0; i < talking.size(); ++i)
        for (std::size_t j = i + 1; j < talking.size(); ++j) {
            int a = talking[i], b = talking[j];
            double latency = 0, whole = 0;
            if (context.rank() == a || context.rank() == b) {
                int other = context.rank() == a ? b : a;
                bool first = context.rank() == a;
                latency = time_of_ping(context, other, first, 1, kRounds, spoil) / 2;
                whole = time_of_ping(context, other, first, kElements, kBandwidthRounds, spoil) / 2;
            }
            // Rank 0 tells what the first of the two saw.
            latency = context.gather(latency, "latency of a pair")[static_cast<std::size_t>(a)];
            whole = context.gather(whole, "time of a pair")[static_cast<std::size_t>(a)];
            context.pairs.push_back({a, b, latency, 4.0 * static_cast<double>(kElements) / whole});
        }
    if (context.pairs.empty())
        return "1 rank, no pair";
    auto [slow, fast] =
        std::minmax_element(context.pairs.begin(), context.pairs.end(),
                            [](const PairFigures& x, const PairFigures& y) { return x.bytes_per_s < y.bytes_per_s; });
    double longest = 0;
    for (const PairFigures& pair : context.pairs)
        longest = std::max(longest, pair.latency_s);
    return fmt::format("{} {}: latency at most {:.0f} us, bandwidth {}/s to {}/s", context.pairs.size(),
                       context.pairs.size() == 1 ? "pair" : "pairs", longest * 1e6,
                       text::file_size(static_cast<std::uint64_t>(slow->bytes_per_s)),
                       text::file_size(static_cast<std::uint64_t>(fast->bytes_per_s)));
}

}  // namespace trainyard::worker
