// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tags of the scalars in a run's metrics (engine/run/README.md) and the run colour each has on the dashboard.

#include <string>

namespace trainyard::desktop {

namespace tag {
inline constexpr const char* kTrainLoss = "train/loss";
inline constexpr const char* kValidationLoss = "eval/loss";
inline constexpr const char* kTokensPerSecond = "train/tokens_per_s";
inline constexpr const char* kStepTime = "train/step_time_s";
inline constexpr const char* kGradientNorm = "train/grad_norm";
inline constexpr const char* kLearningRate = "train/lr";
inline constexpr const char* kLossScale = "train/loss_scale";
inline constexpr const char* kMfu = "train/mfu";
inline constexpr const char* kPeak = "train/peak_flops_per_s";
inline constexpr const char* kPhase = "phase/";                          ///< and its name
inline constexpr const char* kResidentBytes = "system/resident_bytes#";  ///< and the rank
inline constexpr const char* kMemory = "memory";  ///< not in the files: what is fullest, a GPU or a rank

/// `rank/own_time_s` of rank 3 is `rank/own_time_s#3`.
inline std::string of_rank(const std::string& name, int rank) {
    return name + "#" + std::to_string(rank);
}
/// `machine/cpu_percent` of gpu-a is `machine/cpu_percent@gpu-a`.
inline std::string of_host(const std::string& name, const std::string& host) {
    return name + "@" + host;
}
}  // namespace tag

namespace color {
inline constexpr int kTrain = 1;
inline constexpr int kValidation = 4;
inline constexpr int kThroughput = 3;
inline constexpr int kMfu = 3;
inline constexpr int kStepTime = 7;
inline constexpr int kNorm = 2;
inline constexpr int kRate = 7;
inline constexpr int kScale = 9;
inline constexpr int kMemory = 6;
}  // namespace color

}  // namespace trainyard::desktop
