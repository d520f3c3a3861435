#pragma once
// Tags of the scalars in a run's metrics (engine/run/README.md) and the run colour each has on the dashboard.

namespace trainyard::desktop {

namespace tag {
inline constexpr const char* kTrainLoss = "train/loss";
inline constexpr const char* kValidationLoss = "eval/loss";
inline constexpr const char* kTokensPerSecond = "train/tokens_per_s";
inline constexpr const char* kStepTime = "train/step_time_s";
inline constexpr const char* kGradientNorm = "train/grad_norm";
inline constexpr const char* kLearningRate = "train/lr";
inline constexpr const char* kResidentBytes = "system/resident_bytes#";  ///< and the rank
}  // namespace tag

namespace color {
inline constexpr int kTrain = 1;
inline constexpr int kValidation = 4;
inline constexpr int kThroughput = 3;
inline constexpr int kStepTime = 7;
inline constexpr int kNorm = 2;
inline constexpr int kRate = 7;
inline constexpr int kMemory = 6;
}  // namespace color

}  // namespace trainyard::desktop
