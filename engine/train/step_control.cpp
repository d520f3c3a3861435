#include "train/step_control.h"

#include <array>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

namespace trainyard::train {

namespace {
/// `rates` and `profiles` count who asks; `rate` and `steps` are the sums of what they ask for.
enum Place : std::int64_t {
    loss,
    targets,
    stop,
    without_saving,
    checkpoint,
    evaluate,
    pause,
    rates,
    rate,
    profiles,
    steps,
    size
};
}  // namespace

StepControl::StepControl(parallel::Communicator& ranks, at::Device device)
    : ranks_(ranks), message_(at::zeros({Place::size}, at::TensorOptions().device(device).dtype(at::kDouble))) {}

void StepControl::begin(const at::Tensor& loss_sum, double target_count, const Wishes& mine) {
    at::NoGradGuard no_grad;
    std::array<double, Place::size> values{};
    values[Place::targets] = target_count;
    values[Place::stop] = mine.stop;
    values[Place::without_saving] = mine.stop && mine.without_saving;
    values[Place::checkpoint] = mine.checkpoint;
    values[Place::evaluate] = mine.evaluate;
    values[Place::pause] = mine.pause;
    values[Place::rates] = mine.lr.has_value();
    values[Place::rate] = mine.lr.value_or(0);
    values[Place::profiles] = mine.profile > 0;
    values[Place::steps] = static_cast<double>(mine.profile);
    message_.copy_(at::from_blob(values.data(), {Place::size}, at::TensorOptions().dtype(at::kDouble)));
    message_.select(0, Place::loss).copy_(loss_sum);
    pending_ = ranks_.all_reduce(message_, "loss and wishes");
}

StepControl::Agreed StepControl::finish() {
    pending_.wait();
    at::Tensor host = message_.cpu();
    const auto* values = host.const_data_ptr<double>();
    Agreed agreed;
    agreed.loss_sum = values[Place::loss];
    agreed.targets = values[Place::targets];
    Wishes& wishes = agreed.wishes;
    wishes.stop = values[Place::stop] > 0;
    wishes.without_saving = wishes.stop && values[Place::without_saving] == values[Place::stop];
    wishes.checkpoint = values[Place::checkpoint] > 0;
    wishes.evaluate = values[Place::evaluate] > 0;
    wishes.pause = values[Place::pause] > 0;
    if (values[Place::rates] > 0)
        wishes.lr = values[Place::rate] / values[Place::rates];
    if (values[Place::profiles] > 0)
        wishes.profile = std::llround(values[Place::steps] / values[Place::profiles]);
    return agreed;
}

Wishes StepControl::agree(const Wishes& mine) {
    begin(at::zeros({}, message_.options()), 0, mine);
    return finish().wishes;
}

}  // namespace trainyard::train
