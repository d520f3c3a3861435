// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of the self-check between which no training happens: processes, collectives, splitting, random numbers.

#include <algorithm>
#include <fstream>
#include <set>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "distributed/parallel/split.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

namespace {

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    return a.numel() == 0 ? 0 : (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

/// Sums of rank-dependent numbers that are exact in every dtype (bf16 has 8 bits).
void check_sums(StageContext& context, bool spoil) {
    std::int64_t ranks = context.ranks(), sum = ranks * (ranks + 1) / 2;
    for (at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kLong}) {
        // A sum in bf16 is exact as long as its steps have 8 bits.
        if (type == at::kBFloat16 && sum > 256)
            continue;
        for (std::int64_t size : {1, 1000, 100'003}) {
            at::Tensor values = at::full({size}, context.rank() + 1 + (spoil ? 1 : 0), context.options(type));
            context.everyone.all_reduce(values, "check of sums").wait();
            at::Tensor expected = at::full({size}, sum, context.options(type));
            context.expect(largest_difference(values, expected) == 0,
                           Message("a sum over the ranks of {} {} numbers is {} instead of {}", size,
                                   c10::toString(type), values.flatten()[0].item<double>(), sum));
        }
    }
}

/// Lists, tensors and dictionaries of them are divided alike; with padding all shares are as long as the longest.
void check_nested_split(StageContext& context, std::int64_t length, const parallel::Range& expected, bool spoil) {
    Tree names = Tree::list();
    for (std::int64_t i = 0; i < length; ++i)
        names.append(i);
    const Tree whole = Tree::dict({{"rows", at::arange(length)}, {"names", names}});
    const std::int64_t longest = parallel::split_between(length, 0, context.ranks()).size();
    for (const bool pad : {false, true}) {
        const Tree mine = context.process->split_between_processes(whole, pad);
        const at::Tensor& rows = mine.at("rows").as_tensor();
        const Tree::List& items = mine.at("names").items();
        const std::int64_t size = pad && length > 0 ? longest : expected.size();
        bool same = rows.size(0) == size && static_cast<std::int64_t>(items.size()) == size && !spoil;
        for (std::int64_t i = 0; same && i < size; ++i) {
            const std::int64_t item = i < expected.size() ? expected.begin + i : length - 1;
            same = rows[i].item<std::int64_t>() == item && items[static_cast<std::size_t>(i)].as_integer() == item;
        }
        context.expect(same,
                       Message("the share of a dictionary of {} items is not that of its list and tensor", length));
    }
}

}  // namespace

Message check_processes(StageContext& context) {
    // Every rank writes when it is its turn, into a file of its machine; the barriers between decide the order.
    std::filesystem::path file = context.folder / "check-order";
    bool spoil = context.damaged();
    for (int turn = 0; turn < context.ranks(); ++turn) {
        if (turn == context.rank()) {
            std::ofstream out(file, std::ios::app);
            out << (spoil ? turn + 1 : turn) << "\n" << std::flush;
            context.expect(out.good(), Message("{} cannot be written", file.string()));
        }
        context.everyone.barrier("turn");
    }
    int first_here = context.rank() - context.place.local_rank;
    std::string expected;
    for (int turn = first_here; turn < first_here + context.place.local_world_size; ++turn)
        expected += fmt::format("{}\n", turn);
    context.expect(read_file(file) == expected, "the ranks did not write in their order");
    // The same number on two machines is not the same process.
    std::vector<double> machines = context.gather(first_here, "first ranks of machines");
    std::vector<double> ids = context.gather(static_cast<double>(::getpid()), "process ids");
    std::set<std::pair<double, double>> processes;
    for (std::size_t rank = 0; rank < ids.size(); ++rank)
        processes.emplace(machines[rank], ids[rank]);
    context.expect(processes.size() == ids.size(), "two ranks are the same process");
    std::vector<double> ranks = context.gather(context.rank(), "ranks");
    for (int rank = 0; rank < context.ranks(); ++rank)
        context.expect(ranks[static_cast<std::size_t>(rank)] == rank, Message("rank {} is called otherwise", rank));
    std::size_t count = std::set<double>(machines.begin(), machines.end()).size();
    return context.ranks() == 1 ? "1 process"
           : count == 1         ? Message("{} processes take turns", context.ranks())
                                : Message("{} processes on {} machines take turns", context.ranks(), count);
}

Message check_collectives(StageContext& context) {
    bool spoil = context.damaged();
    check_sums(context, spoil);
    for (int root = 0; root < context.ranks(); ++root) {
        at::Tensor values = at::full({257}, context.rank() + 0.5, context.options(at::kFloat));
        context.everyone.broadcast(values, root, "check of broadcast");
        context.expect(largest_difference(values, at::full_like(values, root + 0.5)) == 0,
                       Message("rank {} sent numbers to all, and others came", root));
    }
    at::Tensor mine = at::arange(100, context.options(at::kLong)) + 1000 * context.rank();
    at::Tensor all = at::empty({context.ranks(), 100}, context.options(at::kLong));
    context.everyone.all_gather(all, mine, "check of gathering");
    for (int rank = 0; rank < context.ranks(); ++rank)
        context.expect(largest_difference(all[rank], at::arange(100, context.options(at::kLong)) + 1000 * rank) == 0,
                       Message("what was gathered from rank {} is not what it has", rank));
    return "sums in fp32, fp64, bf16 and int64, broadcasts, gathering, barriers";
}

Message check_split(StageContext& context) {
    bool spoil = context.damaged();
    int checked = 0;
    for (std::int64_t length : {0, 1, 2, 7, 8, 63, 64, 1001}) {
        parallel::Range part = parallel::split_between(length, context.rank(), context.ranks());
        if (spoil && part.size() > 0)
            --part.end;
        std::vector<double> begins = context.gather(static_cast<double>(part.begin), "begin of a share");
        std::vector<double> ends = context.gather(static_cast<double>(part.end), "end of a share");
        double at = 0, most = 0, least = static_cast<double>(length);
        for (std::size_t rank = 0; rank < begins.size(); ++rank) {
            context.expect(begins[rank] == at, Message("the share of rank {} of {} items begins at {} instead of {}",
                                                       rank, length, begins[rank], at));
            at = ends[rank];
            most = std::max(most, ends[rank] - begins[rank]);
            least = std::min(least, ends[rank] - begins[rank]);
        }
        context.expect(at == static_cast<double>(length), Message("{} of {} items were given out", at, length));
        context.expect(most - least <= 1, Message("shares of {} items differ by more than one", length));
        check_nested_split(context, length, part, context.damaged());
        ++checked;
    }
    return Message("{} lengths, every item once, lists, tensors and dictionaries alike", checked);
}

Message check_random_numbers(StageContext& context) {
    // Rank 0's seed is everyone's; the state of the generator and the numbers drawn from it must be the same then.
    at::Tensor seed = at::full({1}, context.rank() == 0 ? 20'261 : 7, context.options(at::kLong));
    context.everyone.broadcast(seed, 0, "seed");
    auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(seed.item<std::int64_t>()));
    if (context.damaged())
        at::rand({1}, generator, at::TensorOptions().dtype(at::kFloat));
    at::Tensor state = generator.get_state().to(context.device);
    at::Tensor first = state.clone();
    context.everyone.broadcast(first, 0, "state of rank 0's generator");
    context.expect(largest_difference(state, first) == 0, "the state of its generator is not that of rank 0");
    at::Tensor drawn = at::rand({64}, generator, at::TensorOptions().dtype(at::kFloat)).to(context.device);
    at::Tensor expected = drawn.clone();
    context.everyone.broadcast(expected, 0, "numbers of rank 0");
    context.expect(largest_difference(drawn, expected) == 0, "it draws other numbers than rank 0");
    return "the same state and the same numbers on every rank";
}

}  // namespace trainyard::worker
