// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/step_simulation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "config/recipe/zero_plus_plus.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "distributed/pipeline/simulator.h"
#include "estimate/step_operations.h"

namespace trainyard::estimate {

namespace {

using parallel::Dimension;
using parallel::MeshShape;

constexpr std::int64_t kMostSimulatedActions = 200'000;
constexpr double kMicrosecond = 1e-6;
/// Of a message between processes of a host on processors, between GPUs of a host, and over a network. Assumed.
constexpr double kProcessLatency = 60 * kMicrosecond, kDeviceLatency = 5 * kMicrosecond,
                 kNetworkLatency = 25 * kMicrosecond;
/// Times that a value of an activation is read or written by operations on single elements, forward and backward.
constexpr double kPassesForward = 3, kPassesBackward = 5;
/// Copies of queries, keys and values, and of the results, around the two exchanges of heads: into the order of the
/// ranks, one after the other, back into that of the positions, and together for the attention. Backward fills what a
/// copy leaves out with zeros, and adds up.
constexpr double kCopiesOfHeads = 4, kCopiesOfResults = 2, kCopiesBackward = 2;
/// Size of an element of a gradient on a processor.
constexpr double kGradientBytes = 4;
/// Copies of the rows of experts around their two exchanges: by expert, by rank, and back.
constexpr double kCopiesOfRows = 2;

/// Bytes that a rank reads and writes in a collective of n ranks through shared memory
/// (distributed/parallel/shared_memory.cpp), relative to the tensor: a copy into the memory, of a reduction this rank's
/// slice of all parts, and a copy out. Unlike in a ring, hardly less for fewer ranks.
double copied_share(const std::string& operation, double n) {
    if (operation == "all_reduce")
        return 2 + (1 + 1 / n) + 2;
    if (operation == "reduce_scatter")
        return 2 + (1 + 1 / n) + 2 / n;
    if (operation == "all_gather")
        return 2 / n + 2;
    return 2 + 2;  // all_to_all
}

/// The work of a stage of the pipeline for one micro-batch, on each of its ranks.
struct StageWork {
    double forward = 0, backward = 0;  ///< operations of products
    double weights = 0;                ///< elements of matrices that are multiplied
    double gradients = 0;              ///< of these, those that are trained
    double elements = 0;               ///< bytes of activations, each counted once
    double copied = 0;                 ///< bytes that are read and written to lay out exchanges, in forward
    double layers = 0;
    double reached = 0;     ///< of these, layers that backward computes
    double key_values = 0;  ///< elements per token of a rank's heads, of all layers
    double attention = 0;   ///< elements per token of a rank's heads, of all layers
    double expert_tokens = 0;
    double expert_layers = 0;  ///< of the layers, those with experts
    double parameters = 0;     ///< of a rank
    double trained = 0;        ///< of these
};

/// The ranks that exchange with each other, and how many ranks of one host send to another host at a time.
struct Ring {
    std::string name;
    std::vector<Dimension> dimensions;
    int ranks = 1;
    bool blocks = false;  ///< consecutive ranks of these dimensions; false: all of them
    int stride = 1;       ///< every so many of them
    double crossing = 0;
};

class StepSimulator {
  public:
    StepSimulator(const ModelParts& model, const TrainingSetup& setup, const Hardware& hardware,
                  const SimulationRates& rates)
        : model_(model), setup_(setup), hardware_(hardware), rates_(rates) {
        step_.mesh = mesh_of(setup);
        step_.experts = static_cast<int>(setup.layout.ep);
        step_.ranks_per_host = static_cast<int>(std::clamp<std::int64_t>(hardware.devices_per_host, 1, step_.ranks()));
        product_bytes_ = setup.precision == ProductFormat::no ? 4 : 2;
        weight_bytes_ = setup.half_weights && setup.precision != ProductFormat::no ? 2 : 4;
        tokens_ = static_cast<double>(setup.batch) * static_cast<double>(setup.sequence) /
                  static_cast<double>(setup.layout.cp * setup.layout.sp);
    }

    SimulatedStep run() {
        make_schedule();
        stage_blocks_ = split_model(model_, schedule_.stages, setup_.sequence);
        for (std::size_t stage = 0; stage < stage_blocks_.size(); ++stage)
            work_.push_back(work_of(stage));
        make_rings();
        run_schedule();
        count_links();
        const MemoryEstimate memory = estimate_memory(model_, setup_, hardware_.device);
        for (std::size_t i = 0; i < step_.stages.size(); ++i)
            step_.stages[i].memory = memory.stages[i].total();
        step_.tokens = static_cast<double>(setup_.batch * setup_.accumulation * setup_.layout.data_ranks()) *
                       static_cast<double>(setup_.sequence);
        return std::move(step_);
    }

  private:
    /// Every operation of a rank's row in a step: seconds and bytes.
    struct Operation {
        double count = 0, bytes = 0, sent = 0, seconds = 0, messages = 0;
        Operation& operator+=(const Operation& other) {
            count += other.count;
            bytes = std::max(bytes, other.bytes);
            sent += other.sent;
            seconds += other.seconds;
            messages += other.messages;
            return *this;
        }
    };
    using Operations = std::map<std::pair<std::string, std::string>, Operation>;  ///< by ring and operation

    void make_schedule() {
        const int micro_batches = static_cast<int>(std::clamp<std::int64_t>(setup_.accumulation, 1, 1 << 20));
        if (setup_.layout.pp == 1) {
            simulated_ = static_cast<int>(std::min<std::int64_t>(micro_batches, kMostSimulatedActions / 2));
            schedule_ = pipeline::plain_schedule(simulated_);
        } else {
            pipeline::PipelineSize size = pipeline::resolve_size(
                setup_.pipeline_schedule,
                {static_cast<int>(setup_.layout.pp), static_cast<int>(setup_.stages_per_rank), micro_batches});
            const int stages = size.ranks * size.stages_per_rank;
            size.micro_batches =
                static_cast<int>(std::clamp<std::int64_t>(kMostSimulatedActions / stages, 1, micro_batches));
            if (size.micro_batches < micro_batches)
                size.micro_batches = std::max(1, size.micro_batches / size.ranks) * size.ranks;
            simulated_ = size.micro_batches;
            schedule_ = pipeline::make_schedule(setup_.pipeline_schedule, size.ranks, simulated_, size.stages_per_rank);
        }
    }

    StageWork work_of(std::size_t stage) const {
        StageWork work;
        const auto tp = static_cast<double>(setup_.layout.tp), ep = static_cast<double>(setup_.layout.ep),
                   sp = static_cast<double>(setup_.layout.sp);
        double shared = 0, whole = 0, values = 0;
        const pipeline::StageBlocks backward = blocks_of_backward(setup_, stage_blocks_[stage]);
        for (std::size_t kind = 0; kind < model_.blocks.size(); ++kind) {
            const BlockShape& block = model_.blocks[kind];
            const double count = blocks_on(model_, kind, stage_blocks_[stage]) * static_cast<double>(block.runs);
            shared += count * (block.norm_inputs + block.closed);
            whole += count * block.product_inputs;
            values += count * (block.attention_on_rank(tp) + (block.opened + block.activated) / tp);
            // Inputs and outputs of the rows that other ranks send, and what is between them.
            whole += count * (expert_load() - 1) * 2 * block.expert_tokens;
            values += count * (expert_load() - 1) * block.expert_inner / tp;
            work.layers += count;
            work.reached += blocks_on(model_, kind, backward) * static_cast<double>(block.runs);
            work.key_values += count * block.keys_on_rank(tp);
            work.attention += count * block.attention_width / tp;
            work.expert_tokens += count * block.expert_tokens;
            work.expert_layers += block.expert_tokens > 0 ? count : 0;
            const double split = block.split_on_rank(tp), experts = block.expert_parameters / tp / ep;
            work.weights += count * (split + experts);
            work.gradients += blocks_on(model_, kind, trained_blocks(setup_, stage_blocks_[stage])) *
                              static_cast<double>(block.runs) * setup_.trained_weights().products * (split + experts);
        }
        const bool last = stage + 1 == stage_blocks_.size();
        work.parameters = parameters_on_rank(model_, setup_.layout, {&stage_blocks_[stage], 1}).total();
        work.trained = trained_on_rank(model_, setup_, {&stage_blocks_[stage], 1}).total();
        const double head = last ? (model_.head_products > 0 ? model_.head_products : model_.tied_parameters) / tp : 0;
        work.weights += head;
        work.gradients += setup_.trained_weights().head * head;
        const TokenOperations operations = token_operations(model_, setup_, stage_blocks_[stage], tp, expert_load());
        work.forward = tokens_ * operations.forward;
        work.backward = tokens_ * operations.backward();
        const double logits = last && model_.vocabulary > 0 ? model_.vocabulary / tp : 0;
        const double probabilities = setup_.attention == Attention::eager ? 2 * work.layers * model_.heads / tp / sp *
                                                                                static_cast<double>(setup_.sequence)
                                                                          : 0;
        if (stage == 0)
            shared += model_.width;
        if (setup_.tp_sequence_parallel)
            shared /= tp;
        work.elements = product_bytes_ * tokens_ * (shared + whole + values + logits + probabilities);
        if (sp > 1)
            work.copied += 2 * product_bytes_ * tokens_ *
                           (kCopiesOfHeads * (work.attention + work.key_values) + kCopiesOfResults * work.attention);
        if (ep > 1)
            work.copied += 2 * product_bytes_ * tokens_ * kCopiesOfRows * work.expert_tokens * expert_load();
        return work;
    }

    /// How much longer the fullest rank of a group needs than one with an even share of the rows. If processors serve
    /// only some ranks at a time, it is alone with them when the others, whose rows are taken as even, are done.
    double expert_load() const {
        const auto ep = static_cast<double>(setup_.layout.ep), all = static_cast<double>(step_.ranks_per_host);
        // A load that was measured is one of ranks that divide the experts.
        const double load = ep > 1 && rates_.expert_load > 0 ? rates_.expert_load : estimate::expert_load(setup_);
        if (load <= 1 || rates_.processors <= 0 || rates_.processors >= all)
            return load;
        const double others = (ep - load) / (ep - 1), fullest = std::max(1.0, all / ep);
        return others + (load - others) * std::max(fullest, rates_.processors) / all;
    }

    // Groups.

    void make_rings() {
        const Layout& layout = setup_.layout;
        const auto add = [&](std::vector<Dimension> dimensions) {
            Ring ring;
            for (Dimension dimension : dimensions)
                if (const int size = step_.mesh[static_cast<std::size_t>(dimension)]; size > 1) {
                    ring.dimensions.push_back(dimension);
                    ring.name += (ring.name.empty() ? "" : " × ") + std::string(parallel::to_string(dimension));
                    ring.ranks *= size;
                }
            if (ring.ranks > 1)
                rings_[ring.name] = ring;
            return ring.name;
        };
        tensor_ = add({Dimension::tp});
        context_ = add({Dimension::cp});
        heads_ = add({Dimension::sp});
        pipeline_ = add({Dimension::pp});
        shards_ = layout.dp_shard > 1 ? add({Dimension::dp_shard, Dimension::cp, Dimension::sp})
                                      : add({Dimension::dp_replicate, Dimension::cp, Dimension::sp});
        copies_ = layout.dp_shard > 1 ? add({Dimension::dp_replicate}) : std::string();
        data_ = add({Dimension::dp_replicate, Dimension::dp_shard, Dimension::cp, Dimension::sp});
        if (layout.ep > 1) {
            const auto ep = static_cast<int>(layout.ep);
            rings_["ep"] = {"ep", parallel::kDataDimensions, ep, true};
            experts_ = "ep";
            if (const int copies = rings_.at(data_).ranks / ep; copies > 1) {
                expert_copies_ = data_ + " / ep";
                rings_[expert_copies_] = {expert_copies_, parallel::kDataDimensions, copies, false, ep};
            }
        }
        if (setup_.zero_stage == 3 && setup_.zero_hpz_partition_size > 1 && !shards_.empty()) {
            secondary_ = shards_ + " (hpz)";
            Ring ring = rings_.at(shards_);
            ring.name = secondary_;
            ring.ranks = static_cast<int>(setup_.zero_hpz_partition_size);
            ring.blocks = true;
            rings_[secondary_] = std::move(ring);
        }
        for (auto& [name, ring] : rings_) {
            std::map<int, double> leaving;
            for (int rank = 0; rank < step_.ranks(); ++rank)
                if (const int next = next_of(ring, rank); step_.host_of(next) != step_.host_of(rank))
                    leaving[step_.host_of(rank)] += 1;
            for (const auto& [host, ranks] : leaving)
                ring.crossing = std::max(ring.crossing, ranks);
        }
    }

    int next_of(const Ring& ring, int rank) const {
        if (!ring.blocks && ring.stride == 1)
            return parallel::next_in_ring(step_.mesh, rank, ring.dimensions);
        const int place = parallel::place_in_ring(step_.mesh, rank, ring.dimensions), size = ring.ranks;
        const int to =
            ring.stride > 1 ? (place + ring.stride) % (size * ring.stride) : place / size * size + (place + 1) % size;
        return parallel::rank_in_ring(step_.mesh, rank, ring.dimensions, to);
    }

    /// Bytes per second between ranks of a host, for a tensor of `bytes`.
    double link_rate(double bytes) const {
        const std::vector<LinkRate>& all = rates_.links;
        const auto larger = std::ranges::lower_bound(all, bytes, {}, &LinkRate::bytes);
        if (all.empty())
            return rates_.link;
        if (larger == all.begin() || larger == all.end())
            return larger == all.begin() ? all.front().rate : all.back().rate;
        const LinkRate& smaller = *std::prev(larger);
        const double share = std::log(bytes / smaller.bytes) / std::log(larger->bytes / smaller.bytes);
        return smaller.rate + share * (larger->rate - smaller.rate);
    }

    /// Seconds in which a rank sends `bytes` as `messages` messages to its neighbours; `tensor`: bytes of the whole.
    double seconds_of(const Ring& ring, double tensor, double bytes, double messages, bool of_pipeline = false) const {
        const bool crosses = ring.crossing > 0, message = of_pipeline && !crosses && rates_.message_rate > 0;
        const double rate = crosses   ? rates_.network / ring.crossing
                            : message ? rates_.message_rate
                                      : link_rate(tensor);
        const double latency = crosses ? rates_.network_latency : message ? rates_.message_latency : rates_.latency;
        return (rate > 0 ? bytes / rate : 0) + messages * latency;
    }

    /// On processors, the ranks of a host exchange through memory that they share; messages of pipelines are sockets'.
    bool shares_memory(const Ring& ring, const std::string& operation) const {
        return hardware_.device.cpu && ring.crossing == 0 && operation != "send";
    }

    /// Seconds of a collective through shared memory on a tensor of `bytes`. The rate of links is that of an all-reduce
    /// of all ranks of the host, which do this at the same time in their groups. On more ranks than processors each
    /// meeting of a group takes as long as one of all: every rank needs its turn.
    double shared_seconds(const Ring& ring, const std::string& operation, double bytes, double meetings) const {
        const double all = step_.ranks_per_host, n = ring.ranks, rate = link_rate(bytes);
        const double of_all = rate > 0 ? 2 * (all - 1) / all * bytes / rate : 0;
        const bool takes_turns = rates_.processors > 0 && rates_.processors < all;
        const double meeting = rates_.meeting > 0 ? rates_.meeting : (takes_turns ? all - 1 : n - 1) * rates_.latency;
        return of_all * copied_share(operation, n) / copied_share("all_reduce", all) + meetings * meeting;
    }

    /// Adds `count` operations on tensors of `bytes`, or takes some away. Returns their seconds.
    double exchange(Operations& all, const std::string& name, const std::string& operation, double count,
                    double bytes) const {
        if (name.empty() || count == 0 || bytes <= 0)
            return 0;
        const Ring& ring = rings_.at(name);
        const double n = ring.ranks;
        const double passes = operation == "all_reduce" ? 2 : 1;
        const double sent = operation == "send" ? bytes : passes * bytes * (n - 1) / n,
                     messages = operation == "send" ? 1 : passes * (n - 1);
        // Parts of other sizes: their numbers meet first.
        const double meetings = passes + (name == experts_ && operation == "all_to_all" ? 1 : 0);
        const double seconds =
            count * (shares_memory(ring, operation) ? shared_seconds(ring, operation, bytes, meetings)
                                                    : seconds_of(ring, bytes, sent, messages, operation == "send"));
        all[{name, operation}] += {count, bytes, count * sent, seconds, count * messages};
        return seconds;
    }

    // Time.

    /// The seconds of the exchanges of a stage in the forward, or the backward, of a micro-batch.
    double exchange_of_micro_batch(Operations& all, std::size_t stage, bool backward) const {
        const StageWork& work = work_[stage];
        const double residual = tokens_ * model_.width * product_bytes_;
        const auto cp = static_cast<double>(setup_.layout.cp);
        const bool first = stage == 0, last = stage + 1 == stage_blocks_.size();
        const bool again = backward && setup_.checkpointing == Recomputation::full;
        const double layers = backward ? work.reached : work.layers;
        const double sums = 2 * layers * (again ? 2 : 1) + (backward ? last : first);
        double seconds = 0;
        if (setup_.tp_sequence_parallel) {
            seconds += exchange(all, tensor_, "all_gather", 2 * layers * (again ? 2 : 1) + (backward ? first : last),
                                residual);
            seconds += exchange(all, tensor_, "reduce_scatter", sums, residual);
        } else {
            seconds += exchange(all, tensor_, "all_reduce", sums, residual);
        }
        if (layers > 0) {
            // Forward gathers keys and values; backward gathers them again and sums their gradients.
            const double whole = cp * tokens_ * work.key_values / work.layers * product_bytes_;
            seconds += exchange(all, context_, "all_gather", layers * (again ? 2 : 1), whole);
            if (backward)
                seconds += exchange(all, context_, "reduce_scatter", layers, whole);
            const double rows = tokens_ * (2 * work.attention + work.key_values) / work.layers * product_bytes_;
            seconds += exchange(all, heads_, "all_to_all", 4 * layers * (again ? 2 : 1), rows / 4);
            const double of_experts = 2 * work.expert_layers * (again ? 2 : 1) * layers / work.layers;
            if (of_experts > 0)
                seconds += exchange(all, experts_, "all_to_all", of_experts,
                                    expert_load() * tokens_ * work.expert_tokens / work.expert_layers * product_bytes_);
            // Before them the numbers of rows, in forward.
            if (!backward || again)
                seconds += exchange(all, experts_, "all_gather", of_experts / (again ? 4 : 2), 8 * model_.experts);
        }
        if (setup_.zero_stage >= 3)
            seconds += exchange(all, secondary_.empty() ? shards_ : secondary_, "all_gather", rooms_of(work),
                                sent_weight() * (1 - setup_.ignored_share) * work.parameters / rooms_of(work));
        if (backward && setup_.zero_stage >= 2)
            seconds += exchange(all, shards_, setup_.zero_quantized_gradients ? "all_to_all" : "reduce_scatter",
                                rooms_of(work), sent_gradient() * work.trained / rooms_of(work));
        return seconds;
    }

    static double rooms_of(const StageWork& work) { return std::max(1.0, work.layers); }
    /// Bytes of an element as it is sent.
    double sent_weight() const { return sent_weight_bytes(setup_, product_bytes_, share_outside_blocks(model_)); }
    double sent_gradient() const { return setup_.zero_quantized_gradients ? config::kInt4CodeBytes : weight_bytes_; }

    /// Gathers of a step that are not those of every micro-batch: of a second copy, whose first gather is over all
    /// ranks, and of modules that stay whole between two updates.
    double gathers_of_step(Operations& all, const std::vector<std::size_t>& stages) const {
        double seconds = 0;
        for (const std::size_t stage : stages) {
            const StageWork& work = work_[stage];
            const double bytes = sent_weight() * (1 - setup_.ignored_share) * work.parameters / rooms_of(work);
            if (!secondary_.empty()) {
                seconds += exchange(all, shards_, "all_gather", rooms_of(work), bytes);
                seconds += exchange(all, secondary_, "all_gather", -rooms_of(work), bytes);
            }
            if (setup_.zero_stage >= 3)
                seconds += exchange(all, shards_, "all_gather", setup_.ignored_share > 0 ? 1 : 0,
                                    sent_weight() * setup_.ignored_share * work.parameters);
        }
        return seconds;
    }

    double compute_of(std::size_t stage, bool backward) const {
        const StageWork& work = work_[stage];
        const bool again = setup_.checkpointing == Recomputation::full;
        const double reached = !backward || work.layers == 0 ? 1 : work.reached / work.layers;
        const double pointwise = !backward ? kPassesForward : kPassesBackward + (again ? kPassesForward : 0);
        const double copies = !backward ? 1 : kCopiesBackward + (again ? 1 : 0);
        double bytes = reached * (pointwise * work.elements + copies * work.copied);
        if (hardware_.device.cpu) {  // each micro-batch packs the weights of its products, and adds to the gradients
            bytes += reached * (backward && again ? 2 : 1) * product_bytes_ * work.weights;
            bytes += backward ? 2 * kGradientBytes * work.gradients : 0;
        }
        return (rates_.product > 0 ? (backward ? work.backward : work.forward) / rates_.product : 0) +
               (rates_.memory > 0 ? bytes / rates_.memory : 0);
    }

    /// Seconds after the last backward: gradients to the other ranks, the optimizer, values to the other ranks.
    struct Tail {
        double exchange = 0, update = 0;
    };
    Tail tail_of(Operations& all, const std::vector<std::size_t>& stages) const {
        double last_backward = 0;
        std::vector<pipeline::StageBlocks> blocks;
        for (const std::size_t stage : stages) {
            blocks.push_back(stage_blocks_[stage]);
            last_backward += compute_of(stage, true);
        }
        const TrainedParameters trained = trained_on_rank(model_, setup_, blocks);
        const double trained_parameters = trained.total(), of_experts = experts_.empty() ? 0 : trained.experts;
        const double bytes = weight_bytes_ * trained_parameters;
        const bool shares = setup_.zero_stage > 0 && !shards_.empty();
        const double n = shares ? rings_.at(shards_).ranks : 1;
        Tail tail;
        double reduced = 0;
        if (sends_signs(setup_))
            for (const char* operation : {"all_to_all", "all_gather"})
                tail.exchange += exchange(all, data_, operation, 1, kSignBytes * trained_parameters);
        else if (!shares)
            reduced = exchange(all, data_, "all_reduce", 1, bytes - weight_bytes_ * of_experts) +
                      exchange(all, expert_copies_, "all_reduce", 1, weight_bytes_ * of_experts);
        else if (setup_.zero_stage == 1)
            reduced = exchange(all, shards_, "reduce_scatter", 1, bytes);
        if (shares)
            reduced += exchange(all, copies_, "all_reduce", 1, bytes / n);
        // Devices send the gradients of one layer while they compute those of the next; processors do both themselves.
        tail.exchange += hardware_.device.cpu ? reduced : std::max(0.0, reduced - last_backward);
        if (shares && setup_.zero_stage < 3)
            tail.exchange += exchange(all, shards_, "all_gather", 1, bytes);
        tail.exchange += gathers_of_step(all, stages);
        tail.update = rates_.memory > 0 ? trained_parameters / n * update_bytes(setup_) / rates_.memory : 0;
        return tail;
    }

    /// Of the pipeline's ranks that compute, how fast each is, if processors serve only some ranks at a time.
    double speed(const std::vector<bool>& computing, std::size_t own) const {
        const double all = step_.ranks_per_host;
        if (rates_.processors <= 0 || rates_.processors >= all)
            return 1;
        const int each = step_.ranks() / static_cast<int>(computing.size());
        double slowest = all;
        for (int host = step_.host_of(static_cast<int>(own) * each);
             host <= step_.host_of((static_cast<int>(own) + 1) * each - 1); ++host) {
            double active = 0;
            for (std::size_t i = 0; i < computing.size(); ++i) {
                const int begin = std::max(static_cast<int>(i) * each, host * step_.ranks_per_host),
                          end = std::min((static_cast<int>(i) + 1) * each, (host + 1) * step_.ranks_per_host);
                active += computing[i] ? std::max(0, end - begin) : 0;
            }
            slowest = std::min(slowest, all / std::max(active, rates_.processors));
        }
        return slowest;
    }

    void run_schedule() {
        using enum pipeline::ActionKind;
        std::vector<double> forwards, backwards, forward_exchange, backward_exchange;
        std::vector<Operations> of_forward(work_.size()), of_backward(work_.size());
        for (std::size_t stage = 0; stage < work_.size(); ++stage) {
            forward_exchange.push_back(exchange_of_micro_batch(of_forward[stage], stage, false));
            backward_exchange.push_back(exchange_of_micro_batch(of_backward[stage], stage, true));
            forwards.push_back(compute_of(stage, false));
            backwards.push_back(compute_of(stage, true));
        }
        const double message = tokens_ * model_.width * product_bytes_;
        const double message_seconds =
            pipeline_.empty() ? 0 : seconds_of(rings_.at(pipeline_), message, message, 1, true);
        // A device sends while it computes. Through sockets, the processors of both ranks copy the message.
        const double of_each_end = hardware_.device.cpu ? message_seconds / 2 : 0;
        const auto seconds = [&](const pipeline::Action& action) {
            const auto stage = static_cast<std::size_t>(std::max(0, action.stage));
            switch (action.kind) {
                case forward:
                    return forwards[stage] + forward_exchange[stage];
                case backward:
                    return backwards[stage] + backward_exchange[stage];
                case backward_input:
                    return backwards[stage] / 2 + backward_exchange[stage];
                case backward_weight:
                    return backwards[stage] / 2;
                case send_forward:
                case send_backward:
                case receive_forward:
                case receive_backward:
                    return of_each_end;
                default:
                    return 0.0;
            }
        };
        const pipeline::Simulation table = pipeline::simulate(
            schedule_, seconds, message_seconds - of_each_end,
            [this](const std::vector<bool>& computing, std::size_t rank) { return speed(computing, rank); });
        // Micro-batches that were left out take the time of the busiest rank.
        const double more = static_cast<double>(setup_.accumulation) / simulated_ - 1;
        double longest_busy = 0, all_busy = 0;
        Operations most;
        for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
            Operations own;
            SimulatedStage row;
            double compute = 0, exchanged = 0, sends = 0;
            std::vector<std::size_t> stages;
            for (std::size_t stage = 0; stage < work_.size(); ++stage)
                if (schedule_.rank_of_stage[stage] == static_cast<int>(rank))
                    stages.push_back(stage);
            const auto micro_batches = static_cast<double>(setup_.accumulation);
            for (std::size_t stage : stages) {
                compute += micro_batches * (forwards[stage] + backwards[stage]);
                exchanged += micro_batches * (forward_exchange[stage] + backward_exchange[stage]);
                for (const Operations* each : {&of_forward[stage], &of_backward[stage]})
                    for (const auto& [key, operation] : *each)
                        own[key] += {operation.count * micro_batches, operation.bytes, operation.sent * micro_batches,
                                     operation.seconds * micro_batches, operation.messages * micro_batches};
            }
            for (const pipeline::Action& action : schedule_.ranks[rank])
                for (const pipeline::Action& part : pipeline::parts_of(action))
                    sends += part.kind == send_forward || part.kind == send_backward;
            exchange(own, pipeline_, "send", sends * (1 + more), message);
            const Tail tail = tail_of(own, stages);
            for (const std::size_t stage : stages)
                row.blocks.push_back(stage_blocks_[stage]);
            row.kept_micro_batches = table.ranks[rank].peak_activations;
            row.busy = table.ranks[rank].busy * (1 + more) + tail.exchange + tail.update;
            const double end = table.seconds + more * table.ranks[rank].busy + tail.exchange + tail.update;
            step_.seconds = std::max(step_.seconds, end);
            all_busy += row.busy;
            if (row.busy > longest_busy) {
                longest_busy = row.busy;
                step_.compute = compute;
                step_.exchange = exchanged + tail.exchange;
                step_.update = tail.update;
            }
            for (const auto& [key, operation] : own) {
                Operation& highest = most[key];
                if (operation.sent > highest.sent)
                    highest = operation;
                step_.messages += operation.messages * step_.ranks() / static_cast<double>(table.ranks.size());
            }
            step_.stages.push_back(row);
            operations_.push_back(std::move(own));
        }
        for (SimulatedStage& row : step_.stages)
            row.idle = std::max(0.0, step_.seconds - row.busy);
        step_.idle = step_.seconds > 0
                         ? std::max(0.0, 1 - all_busy / (step_.seconds * static_cast<double>(step_.stages.size())))
                         : 0;
        for (const auto& [key, operation] : most) {
            const Ring& ring = rings_.at(key.first);
            step_.exchanges.push_back({ring.name, key.second, ring.ranks, operation.count, operation.bytes,
                                       operation.sent, operation.seconds, ring.crossing > 0});
        }
    }

    // Links.

    void count_links() {
        std::map<std::pair<int, int>, double> links;
        const auto send = [&](int from, int to, double bytes) {
            links[{step_.host_of(from), step_.host_of(to)}] += bytes;
        };
        for (int rank = 0; rank < step_.ranks(); ++rank) {
            const int stage = parallel::coordinates_of(step_.mesh, rank).front();
            for (const auto& [key, operation] : operations_[static_cast<std::size_t>(stage)]) {
                const Ring& ring = rings_.at(key.first);
                if (key.second == "send") {  // half of the messages go forward, half back
                    const int previous = parallel::rank_in_ring(step_.mesh, rank, ring.dimensions,
                                                                (stage + ring.ranks - 1) % ring.ranks);
                    const bool first = stage == 0, last = stage + 1 == ring.ranks;
                    const double forward = last ? 0 : first ? 1 : 0.5;
                    send(rank, next_of(ring, rank), operation.sent * forward);
                    send(rank, previous, operation.sent * (1 - forward));
                } else {
                    send(rank, next_of(ring, rank), operation.sent);
                }
            }
        }
        for (const auto& [hosts, bytes] : links)
            if (bytes > 0)
                step_.links.push_back({hosts.first, hosts.second, bytes});
    }

    const ModelParts& model_;
    const TrainingSetup& setup_;
    const Hardware& hardware_;
    const SimulationRates& rates_;
    SimulatedStep step_;
    pipeline::Schedule schedule_;
    int simulated_ = 1;  ///< micro-batches in schedule_
    std::vector<pipeline::StageBlocks> stage_blocks_;
    std::vector<StageWork> work_;
    std::map<std::string, Ring> rings_;
    std::string tensor_, context_, heads_, pipeline_, shards_, copies_, data_, experts_, expert_copies_, secondary_;
    std::vector<Operations> operations_;  ///< of a rank, by coordinate pp
    double product_bytes_ = 4, weight_bytes_ = 4, tokens_ = 0;
};

std::vector<std::int64_t> sizes_dividing(std::int64_t number) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 1; i <= number; ++i)
        if (number % i == 0)
            all.push_back(i);
    return all;
}

}  // namespace

double SimulatedStep::sent_inside() const {
    double bytes = 0;
    for (const LinkTraffic& link : links)
        bytes += link.from == link.to ? link.bytes : 0;
    return bytes;
}

double SimulatedStep::sent_between() const {
    double bytes = 0;
    for (const LinkTraffic& link : links)
        bytes += link.from == link.to ? 0 : link.bytes;
    return bytes;
}

double SimulatedStep::fullest_link() const {
    double bytes = 0;
    for (const LinkTraffic& link : links)
        bytes = std::max(bytes, link.from == link.to ? 0 : link.bytes);
    return bytes;
}

SimulationRates usual_rates(const TrainingSetup& setup, const Hardware& hardware) {
    const Device& device = hardware.device;
    SimulationRates rates;
    const double peak = setup.precision == ProductFormat::no                         ? device.flops32
                        : setup.precision == ProductFormat::fp8 && device.flops8 > 0 ? device.flops8
                                                                                     : device.flops16;
    rates.product = peak * device.utilisation;
    rates.link = device.link > 0 ? device.link : hardware.network;
    rates.network = hardware.network;
    rates.network_latency = kNetworkLatency;
    if (device.cpu) {
        const auto ranks = static_cast<double>(std::max<std::int64_t>(1, hardware.devices_per_host));
        rates.processors = std::max(1u, std::thread::hardware_concurrency());
        rates.product *= std::min(1.0, rates.processors / ranks);  // the peak of a rank that has a processor
        rates.memory = device.bandwidth / ranks * std::min(ranks, 2.0);
        rates.latency = kProcessLatency;
    } else {
        rates.memory = device.bandwidth;
        rates.latency = kDeviceLatency;
    }
    return rates;
}

parallel::MeshShape mesh_of(const TrainingSetup& setup) {
    const Layout& layout = setup.layout;
    MeshShape shape{};
    std::int64_t ranks = 1;
    std::size_t place = 0;
    for (std::int64_t size : {layout.pp, layout.dp_replicate, layout.dp_shard, layout.cp, layout.sp, layout.tp}) {
        if (size < 1 || size > kMostSimulatedRanks || (ranks *= size) > kMostSimulatedRanks)
            throw UserError("a mesh of more than {} ranks is not simulated", kMostSimulatedRanks);
        shape[place++] = static_cast<int>(size);
    }
    return shape;
}

SimulatedStep simulate_step(const ModelParts& model, const TrainingSetup& setup, const Hardware& hardware,
                            const SimulationRates& rates) {
    if (std::vector<Problem> problems = check_setup(model, setup); !problems.empty())
        throw InvalidInput(std::move(problems));
    return StepSimulator(model, setup, hardware, rates).run();
}

std::vector<TrainingSetup> suggest_layouts(const ModelParts& model, const TrainingSetup& setup,
                                           const Hardware& hardware, std::int64_t ranks,
                                           const std::function<bool(const TrainingSetup&)>& accepts) {
    struct Found {
        TrainingSetup setup;
        double seconds;
        bool fits;
    };
    std::vector<Found> all;
    const std::int64_t samples = setup.batch * setup.accumulation * setup.layout.data_ranks();
    const std::int64_t inside = std::max<std::int64_t>(1, std::min(hardware.devices_per_host, ranks));
    const double limit = usable_memory(hardware.device);
    const SimulationRates rates = usual_rates(setup, hardware);
    for (const std::int64_t pp : sizes_dividing(ranks))
        for (const std::int64_t tp : sizes_dividing(ranks / pp)) {
            if (inside % tp != 0)
                continue;
            for (const std::int64_t cp : sizes_dividing(ranks / pp / tp)) {
                TrainingSetup changed = setup;
                const std::int64_t data = ranks / pp / tp / cp;
                if (samples % data != 0 || (cp > 1 && setup.layout.cp == 1))
                    continue;
                changed.layout = {.tp = tp, .cp = cp, .pp = pp};
                (setup.zero_stage > 0 ? changed.layout.dp_shard : changed.layout.dp_replicate) = data;
                const std::int64_t of_rank = samples / data;
                // A pipeline needs several micro-batches; elsewhere the micro-batch stays as it is.
                std::int64_t micro = std::max<std::int64_t>(1, of_rank / std::max<std::int64_t>(1, setup.batch));
                if (pp > 1)
                    micro = std::max(micro, std::min(of_rank, 4 * pp));
                while (of_rank % micro != 0)
                    ++micro;
                changed.accumulation = micro;
                changed.batch = of_rank / micro;
                if (!check_setup(model, changed).empty() || !accepts(changed))
                    continue;
                const double memory = estimate_memory(model, changed, hardware.device).total();
                all.push_back(
                    {changed, simulate_step(model, changed, hardware, rates).seconds, limit <= 0 || memory <= limit});
            }
        }
    std::ranges::stable_sort(all, [](const Found& a, const Found& b) {
        return std::pair(!a.fits, a.seconds) < std::pair(!b.fits, b.seconds);
    });
    std::vector<TrainingSetup> result;
    for (Found& found : all)
        if (found.fits)
            result.push_back(std::move(found.setup));
    return result;
}

}  // namespace trainyard::estimate
