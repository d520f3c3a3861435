// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of the self-check of what training programs use: work in turns, loaders, samplers, triggers, process states.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <sstream>
#include <thread>

#include <ATen/ATen.h>

#include <fmt/format.h>
#include <trainyard/accelerator.h>

#include "accelerator/describe.h"
#include "base/file.h"
#include "data/prepare_data_loader.h"
#include "worker/log.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

namespace {

/// Who came to the work of a scope, in their order on this machine. Collective.
template <typename MakeScope>
std::vector<std::string> turns(StageContext& context, const std::string& name, bool first, bool spoil,
                               const MakeScope& make_scope) {
    const std::filesystem::path file = context.folder / name;
    const auto write = [&] {
        std::ofstream out(file, std::ios::app);
        out << context.rank() << "\n" << std::flush;
        context.expect(out.good(), Message("{} cannot be written", file.string()));
    };
    if (spoil && !first)  // as if it did not wait for the first
        write();
    context.everyone.barrier("before the first");
    {
        const parallel::FirstScope scope = make_scope();
        if (first)  // others that do not wait would be faster
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (!spoil)
            write();
    }
    context.everyone.barrier("after the others");
    if (spoil && first)  // as if it did not go first
        write();
    context.everyone.barrier("all have written");
    std::istringstream wrote(read_file(file));
    return {std::istream_iterator<std::string>(wrote), {}};
}

void check_turns(StageContext& context, const std::string& scope, std::vector<std::string> wrote, int first) {
    const int first_here = context.rank() - context.place.local_rank;
    const bool here = first >= first_here && first < first_here + context.place.local_world_size;
    context.expect(!here || (!wrote.empty() && wrote.front() == std::to_string(first)),
                   Message("{}: rank {} was not the first", scope, first));
    std::vector<std::string> all;
    for (int rank = first_here; rank < first_here + context.place.local_world_size; ++rank)
        all.push_back(std::to_string(rank));
    std::ranges::sort(wrote);
    std::ranges::sort(all);
    context.expect(wrote == all, Message("{}: not every rank took its turn once", scope));
}

/// How often each sample of `size` was seen in one pass over all ranks, and by this rank in their order.
struct Pass {
    std::vector<std::int64_t> mine;
    at::Tensor seen;
};

constexpr std::int64_t kBatch = 2;

std::shared_ptr<data::Dataset> numbers(std::int64_t size) {
    return std::make_shared<data::TensorDataset>(Tree::dict({{"number", at::arange(size)}}));
}

std::unique_ptr<data::Loader> loader_of(StageContext& context, data::LoaderSpec spec, data::PrepareOptions options) {
    options.shard = {context.rank(), context.ranks()};
    options.communicator = &context.everyone;
    options.device = context.device;
    return data::prepare_data_loader(std::move(spec), options);
}

Pass pass_over(StageContext& context, data::Loader& loader, std::int64_t size) {
    Pass pass;
    for (Tree& batch : loader) {
        const at::Tensor rows = batch.at("number").as_tensor().cpu();
        for (std::int64_t row = 0; row < rows.numel(); ++row)
            pass.mine.push_back(rows[row].item<std::int64_t>());
    }
    at::Tensor seen = at::zeros({size}, at::TensorOptions(at::kLong));
    for (const std::int64_t sample : pass.mine) {
        context.expect(sample >= 0 && sample < size, "a sample does not belong to the data set");
        if (sample >= 0 && sample < size)
            seen[sample] += 1;
    }
    pass.seen = seen.to(context.device);
    context.everyone.all_reduce(pass.seen, "samples of a loader").wait();
    return pass;
}

/// Of the batches of an order, this rank's: every `ranks`-th.
std::vector<std::int64_t> share_of(const std::vector<std::int64_t>& order, const StageContext& context) {
    std::vector<std::int64_t> mine;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(order.size()); ++i)
        if (i / kBatch % context.ranks() == context.rank())
            mine.push_back(order[static_cast<std::size_t>(i)]);
    return mine;
}

}  // namespace

Message check_order(StageContext& context) {
    parallel::ProcessState& process = *context.process;
    check_turns(context, "main_process_first",
                turns(context, "check-main-first", process.is_main_process(), context.damaged(),
                      [&] { return process.main_process_first(); }),
                0);
    const int first_here = context.rank() - context.place.local_rank;
    check_turns(context, "local_main_process_first",
                turns(context, "check-local-first", process.is_local_main_process(), context.damaged(),
                      [&] { return process.local_main_process_first(); }),
                first_here);
    const auto count = [&](bool ran, const char* what, double expected) {
        const std::vector<double> all = context.gather(ran != context.damaged() ? 1 : 0, what);
        const double sum = std::accumulate(all.begin(), all.end(), 0.0);
        context.expect(sum == expected, Message("{} ran on {} ranks instead of {}", what, sum, expected));
    };
    const auto nothing = [] {};
    const std::vector<double> firsts = context.gather(context.place.local_rank == 0 ? 1 : 0, "machines");
    const double machines = std::accumulate(firsts.begin(), firsts.end(), 0.0);
    count(process.on_main_process(nothing), "on_main_process", 1);
    count(process.on_local_main_process(nothing), "on_local_main_process", machines);
    count(process.on_last_process(nothing), "on_last_process", 1);
    count(process.on_process(context.ranks() - 1, nothing), "on_process", 1);
    count(process.on_local_process(0, nothing), "on_local_process", machines);
    return "main_process_first, local_main_process_first, work of one rank, of the last and of each machine";
}

Message check_loaders(StageContext& context) {
    int checked = 0;
    for (const std::int64_t size : {8 * kBatch * context.ranks(), 8 * kBatch * context.ranks() + 3})
        for (const bool dispatch : {false, true})
            for (const bool split : {false, true})
                for (const bool shuffle : {false, true}) {
                    const std::string kind =
                        fmt::format("{}, split_batches {}, {}", dispatch ? "dispatched" : "sharded", split,
                                    shuffle ? "shuffled" : "in order");
                    data::LoaderSpec spec{.dataset = numbers(size),
                                          .batch_size = split ? kBatch * context.ranks() : kBatch,
                                          .shuffle = shuffle};
                    data::PrepareOptions options;
                    options.split_batches = split;
                    options.dispatch_batches = dispatch;
                    auto loader = loader_of(context, std::move(spec), options);
                    Pass pass = pass_over(context, *loader, size);
                    if (context.damaged())
                        pass.mine.pop_back();
                    const bool even = size % (kBatch * context.ranks()) == 0;
                    context.expect(even ? pass.seen.eq(1).all().item<bool>() : pass.seen.ge(1).all().item<bool>(),
                                   Message("{}: some of {} samples were not seen once", kind, size));
                    const std::vector<double> each =
                        context.gather(static_cast<double>(pass.mine.size()), "samples of each rank");
                    context.expect(std::ranges::all_of(each, [&](double n) { return n == each.front(); }),
                                   Message("{}: the ranks saw {} and {} samples", kind, *std::ranges::min_element(each),
                                           *std::ranges::max_element(each)));
                    ++checked;
                }
    return Message(
        "{} combinations of sharding, dispatching, splitting and shuffling, every sample seen, as many on each rank",
        checked);
}

Message check_samplers(StageContext& context) {
    const std::int64_t size = 8 * kBatch * context.ranks();
    const auto compare = [&](const char* kind, std::vector<std::int64_t> seen, const std::vector<std::int64_t>& order) {
        if (context.damaged())
            std::swap(seen.front(), seen.back());
        context.expect(seen == share_of(order, context),
                       Message("{}: its samples are not in the order of the sampler", kind));
    };
    std::vector<std::int64_t> backwards(static_cast<std::size_t>(size));
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    const auto own =
        loader_of(context,
                  {.dataset = numbers(size),
                   .batch_size = kBatch,
                   .sampler = std::make_shared<data::FunctionSampler>(size, [&](std::int64_t) { return backwards; })},
                  {});
    compare("own sampler", pass_over(context, *own, size).mine, backwards);

    auto batches = std::make_shared<data::BatchSampler>();
    batches->batches = [&](std::int64_t) {
        std::vector<std::vector<std::int64_t>> all;
        for (std::size_t i = 0; i < backwards.size(); i += kBatch)
            all.push_back({backwards[i], backwards[i + 1]});
        return all;
    };
    batches->batch_size = kBatch;
    const auto own_batches = loader_of(context, {.dataset = numbers(size), .batch_sampler = batches}, {});
    compare("own batch sampler", pass_over(context, *own_batches, size).mine, backwards);

    constexpr std::int64_t kSeed = 42;
    const auto seeded = [&] {
        data::PrepareOptions options;
        options.use_seedable_sampler = true;
        options.data_seed = kSeed;
        return loader_of(context, {.dataset = numbers(size), .batch_size = kBatch, .shuffle = true}, options);
    };
    const auto once = seeded(), again = seeded();
    data::SeedableRandomSampler expected(size, kSeed);
    std::vector<std::int64_t> before;
    for (int epoch = 0; epoch < 2; ++epoch) {
        const std::vector<std::int64_t> order = expected.begin_epoch({}).to_vector();
        context.expect(order != before, "seedable sampler: the second epoch has the order of the first");
        compare("seedable sampler", pass_over(context, *once, size).mine, order);
        compare("seedable sampler again", pass_over(context, *again, size).mine, order);
        before = order;
    }
    return "own samplers and batch samplers, seedable ones in the same order on every rank and in a new one each epoch";
}

Message check_trigger(StageContext& context) {
    Accelerator accelerator({.cpu = context.device.is_cpu()}, context.process);
    for (int raiser = 0; raiser < context.ranks(); ++raiser) {
        if (context.rank() == raiser && !context.damaged())
            accelerator.set_trigger();
        context.expect(accelerator.check_trigger(), Message("the flag that rank {} raised was not seen", raiser));
        context.expect(!accelerator.check_trigger(), Message("the flag that rank {} raised was seen twice", raiser));
    }
    return "a flag of any rank is seen by all, once";
}

Message check_state(StageContext& context) {
    // A program may end one state and continue with another of the same ranks.
    {
        parallel::ProcessState first(context.process->world(), context.place, context.device);
        first.wait_for_everyone("first state");
    }
    parallel::ProcessState second(context.process->world(), context.place, context.device);
    second.wait_for_everyone("second state");
    context.expect(second.rank() == context.rank() && second.world_size() == context.ranks(),
                   Message("a second state of the program is rank {} of {} instead of {}", second.rank(),
                           second.world_size(), context.rank()));
    const std::string text = accelerator::describe_state(second, Precision::no);
    log_info(text);  // of each rank, as accelerate test prints it
    context.expect(
        text.find(fmt::format("\nNum processes: {}\nProcess index: {}\nLocal process index: {}\n", context.ranks(),
                              context.rank(), context.place.local_rank)) != std::string::npos,
        Message("the state as text is that of another rank: {}", text));
    at::Tensor one = at::full({1}, context.damaged() ? 2 : 1, context.options(at::kLong));
    second.everyone().all_reduce(one, "sum of a second state").wait();
    context.expect(one.item<std::int64_t>() == context.ranks(),
                   "a second state of the program does not reach all ranks");
    return Message("rank {} of {}, also after a first state of the program ended", context.rank(), context.ranks());
}

}  // namespace trainyard::worker
