// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/step_time.h"

#include <algorithm>
#include <cmath>

#include "config/recipe/zero_plus_plus.h"
#include "estimate/step_operations.h"

namespace trainyard::estimate {

namespace {

double ring(double bytes, double ranks) {
    return ranks > 1 ? bytes * (ranks - 1) / ranks : 0;
}

/// Slower of the links between neighbours of a group of `ranks`, each `stride` apart.
double link_of(const Hardware& hardware, double ranks, double stride) {
    const bool inside = ranks * stride <= static_cast<double>(hardware.devices_per_host);
    if (inside)
        return hardware.device.link > 0 ? hardware.device.link : hardware.network;
    // All devices of a host share its network.
    return hardware.network / std::max(1.0, std::min(stride, static_cast<double>(hardware.devices_per_host)));
}

double seconds_of(double bytes, double speed) {
    return bytes > 0 && speed > 0 ? bytes / speed : 0;
}

struct Work {
    double flops = 0;     ///< of a micro-batch on the slowest stage
    double backward = 0;  ///< of these, of backward
    double layers = 0;
    double reached = 0;  ///< share of the layers that backward computes
    double keys = 0, expert_tokens = 0, parameters = 0, trained_parameters = 0;
};

Work slowest_stage(const ModelParts& model, const TrainingSetup& setup) {
    const double tokens = static_cast<double>(setup.batch) * static_cast<double>(setup.sequence) /
                          static_cast<double>(setup.layout.cp * setup.layout.sp);
    const auto tp = static_cast<double>(setup.layout.tp);
    Work slowest;
    for (const std::vector<pipeline::StageBlocks>& stages : blocks_of_ranks(model, setup)) {
        Work work;
        double reached = 0;
        for (const pipeline::StageBlocks& stage : stages) {
            const pipeline::StageBlocks backward = blocks_of_backward(setup, stage);
            for (std::size_t kind = 0; kind < model.blocks.size(); ++kind) {
                const BlockShape& block = model.blocks[kind];
                const double count = blocks_on(model, kind, stage) * static_cast<double>(block.runs);
                work.layers += count;
                reached += blocks_on(model, kind, backward) * static_cast<double>(block.runs);
                work.keys += count * block.keys_on_rank(tp);
                work.expert_tokens += count * block.expert_tokens;
            }
            const TokenOperations operations = token_operations(model, setup, stage, tp);
            work.backward += tokens * operations.backward();
            work.flops += tokens * (operations.forward + operations.backward());
        }
        work.reached = work.layers > 0 ? reached / work.layers : 1;
        work.parameters = parameters_on_rank(model, setup.layout, stages).total();
        work.trained_parameters = trained_on_rank(model, setup, stages).total();
        if (work.flops > slowest.flops)
            slowest = work;
    }
    return slowest;
}

/// Idle time of a rank for each later rank, as a part of a micro-batch's time. Two stages on a rank halve it (Narayanan
/// et al., 2021); backwards for weights fill two thirds (Qi et al., 2024).
double idle_share(std::string_view schedule) {
    const bool is_single = schedule == "GPipe" || schedule == "1F1B" || schedule == "ZBH1";
    const bool fills =
        schedule != "GPipe" && schedule != "1F1B" && schedule != "Interleaved1F1B" && schedule != "LoopedBFS";
    return (is_single ? 1 : 0.5) * (fills ? 1.0 / 3 : 1);
}

}  // namespace

double flops_per_token(const ModelParts& model, const TrainingSetup& setup) {
    const pipeline::StageBlocks all{0, static_cast<int>(std::min<std::int64_t>(model.layers(), 1'000'000'000))};
    const TokenOperations operations = token_operations(model, setup, all);
    return operations.forward + operations.activation_gradients + operations.weight_gradients;
}

StepTime step_time(const ModelParts& model, const TrainingSetup& setup, const Hardware& hardware) {
    const Layout& layout = setup.layout;
    const Device& device = hardware.device;
    const bool mixed = setup.precision != ProductFormat::no;
    const double product = mixed ? 2 : 4, weight = setup.half_weights && mixed ? 2 : 4;
    const double peak = !mixed                                                       ? device.flops32
                        : setup.precision == ProductFormat::fp8 && device.flops8 > 0 ? device.flops8
                                                                                     : device.flops16;
    const auto micro = static_cast<double>(setup.accumulation), stages = static_cast<double>(layout.pp);
    const auto tp = static_cast<double>(layout.tp), cp = static_cast<double>(layout.cp),
               sp = static_cast<double>(layout.sp);
    const double tokens = static_cast<double>(setup.batch) * static_cast<double>(setup.sequence) / cp / sp;
    const Work work = slowest_stage(model, setup);
    const double micro_seconds = seconds_of(work.flops, peak * device.utilisation);

    StepTime time;
    time.compute = micro * micro_seconds;
    time.bubble = (stages - 1) * micro_seconds * idle_share(setup.pipeline_schedule);
    time.tokens = static_cast<double>(setup.batch) * static_cast<double>(setup.sequence) * micro *
                  static_cast<double>(layout.data_ranks());
    time.flops = flops_per_token(model, setup) * time.tokens;

    const double parameters = work.parameters, trained = work.trained_parameters;
    const double shards = static_cast<double>(layout.dp_shard) * cp * sp,
                 replicas = static_cast<double>(layout.dp_replicate);
    const double inner = tp;  // tensor parallel ranks are neighbours
    const double data_stride = tp * cp * sp;
    const bool sharded = setup.zero_stage > 0 && shards > 1;
    const double passes =
        setup.zero_stage >= 2 ? micro : 1;  // gradients that are sharded leave after every micro-batch
    StepTraffic& traffic = time.traffic;
    if (sharded) {
        const double gradient = setup.zero_quantized_gradients ? config::kInt4CodeBytes : weight,
                     sent = sent_weight_bytes(setup, product, share_outside_blocks(model));
        traffic.gradients = passes * ring(gradient * trained, shards) + ring(2 * weight * trained / shards, replicas);
        // Modules that stay whole are gathered after the update, the others for each forward and backward: with a
        // second copy, once over all ranks and then over those of the copy.
        const double whole = setup.ignored_share * parameters, gathers = 2 * micro;
        const auto copies = static_cast<double>(setup.zero_hpz_partition_size);
        const double first = copies > 1 ? 1 : gathers;
        traffic.weights = setup.zero_stage >= 3 ? first * ring(sent * (parameters - whole), shards) +
                                                      (gathers - first) * ring(sent * (parameters - whole), copies) +
                                                      ring(sent * whole, shards)
                                                : ring((setup.bf16_stochastic_round ? 2 : weight) * trained, shards);
    } else {
        traffic.gradients = ring(2 * (sends_signs(setup) ? kSignBytes : weight) * trained,
                                 replicas * static_cast<double>(layout.dp_shard) * cp * sp);
    }
    const double both = 1 + work.reached;  // forward, and backward as far as it goes
    traffic.tensor = tp > 1 ? micro * work.layers * 2 * both * ring(2 * tokens * model.width * product, tp) : 0;
    traffic.context = cp > 1 ? micro * (1 + 2 * work.reached) * (cp - 1) * tokens * work.keys * product : 0;
    traffic.sequence = sp > 1 ? micro * work.layers * both * ring(4 * tokens * model.width * product, sp) : 0;
    traffic.pipeline = layout.pp > 1 ? micro * 2 * tokens * model.width * product : 0;
    traffic.experts =
        layout.ep > 1 ? micro * 2 * both * ring(tokens * work.expert_tokens * product, static_cast<double>(layout.ep))
                      : 0;

    // Gradients of replicas travel during the last backward, gathered layers during all products; the rest waits.
    const double data_link = link_of(hardware, sharded ? shards : replicas, sharded ? inner : data_stride);
    const double backward = work.flops > 0 ? micro_seconds * work.backward / work.flops : 0;
    const double gradients = seconds_of(traffic.gradients, data_link),
                 hidden = sends_signs(setup) ? 0 : backward * passes,  // signs are those of an update
        weights = seconds_of(traffic.weights, data_link);
    time.exchange = setup.zero_stage >= 3 && sharded ? std::max(0.0, gradients + weights - time.compute)
                                                     : std::max(0.0, gradients - hidden) + weights;
    time.exchange += seconds_of(traffic.tensor, link_of(hardware, tp, 1)) +
                     seconds_of(traffic.sequence, link_of(hardware, sp, tp)) +
                     seconds_of(traffic.experts, link_of(hardware, static_cast<double>(layout.ep), tp)) +
                     std::max(0.0, seconds_of(traffic.context, link_of(hardware, cp, tp)) - time.compute / 2);
    const double state = optimizer_row(setup.optimizer).state_bytes + (setup.half_weights && mixed ? 4 : 0);
    const double updated = sharded ? trained / shards : trained;
    const auto speed = [&](Offload where) {
        return where == Offload::disk ? hardware.disk / static_cast<double>(hardware.devices_per_host)
                                      : hardware.host_link;
    };
    if (setup.offload_optimizer != Offload::none) {
        const double bytes = updated * (setup.offload_optimizer == Offload::disk ? 2 * state : 2 * weight);
        traffic.offload += bytes;
        time.offload += seconds_of(bytes, speed(setup.offload_optimizer));
    }
    if (setup.offload_param != Offload::none) {
        const double bytes = 2 * micro * weight * (sharded ? parameters / shards : parameters);
        traffic.offload += bytes;
        time.offload += std::max(0.0, seconds_of(bytes, speed(setup.offload_param)) - time.compute);
    }
    time.update = seconds_of(updated * (update_bytes(setup) + (setup.half_weights && mixed ? 8 : 0)),
                             setup.offload_optimizer == Offload::none ? device.bandwidth : hardware.host_link);
    return time;
}

double price(const StepTime& time, const Hardware& hardware, std::int64_t ranks, double steps) {
    return time.seconds() * steps / 3600 * static_cast<double>(ranks) * hardware.device.price_per_hour;
}

}  // namespace trainyard::estimate
