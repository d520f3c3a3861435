// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How long a step takes, what travels between ranks, what it costs: a roofline of products, memory and links (Williams
// et al., 2009). The share of the peak that products reach is the device's; where a run has measured it, that figure
// counts (calibration.h).

#include "estimate/devices.h"
#include "estimate/training_memory.h"

namespace trainyard::estimate {

/// Bytes that one rank sends in a step; rings: 2 (n - 1) / n of an all-reduce, (n - 1) / n of a gather or scatter.
struct StepTraffic {
    double gradients = 0, weights = 0, tensor = 0, context = 0, sequence = 0, pipeline = 0, experts = 0, offload = 0;
    double total() const { return gradients + weights + tensor + context + sequence + pipeline + experts; }
};

/// Seconds of a step of the slowest stage.
struct StepTime {
    double compute = 0;
    double bubble = 0;    ///< idle time of the pipeline
    double exchange = 0;  ///< communication that nothing hides
    double offload = 0;   ///< transfers to the host or the disk that nothing hides
    double update = 0;    ///< of the optimizer: reads and writes its state once
    double flops = 0;     ///< of all ranks
    double tokens = 0;    ///< of all ranks
    StepTraffic traffic;
    double seconds() const { return compute + bubble + exchange + offload + update; }
    double tokens_per_second() const { return tokens / seconds(); }
    /// Range: utilisation is between 0.7 and 1.3 of the figure assumed.
    double fastest() const { return seconds() - compute * (1 - 1 / 1.3); }
    double slowest() const { return seconds() + compute * (1 / 0.7 - 1); }
};

StepTime step_time(const ModelParts& model, const TrainingSetup& setup, const Hardware& hardware);
/// Multiplications and additions of forward and backward per token (step_operations.h), without what checkpointing
/// repeats.
double flops_per_token(const ModelParts& model, const TrainingSetup& setup);
/// Price of `steps` steps on all devices; 0: the price of the device is not known.
double price(const StepTime& time, const Hardware& hardware, std::int64_t ranks, double steps);

}  // namespace trainyard::estimate
