// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/step_control.h"

#include <array>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

namespace trainyard::train {

namespace {
/// `rates` and `profiles` count who asks; `rate` and those from `active` on are the sums of what they ask for.
struct Slot {
    enum : std::int64_t {
        loss,
        targets,
        squares,
        stop,
        without_saving,
        checkpoint,
        evaluate,
        pause,
        rates,
        rate,
        profiles,
        active,
        wait,
        warmup,
        repeat,
        skip_first,
        record_shapes,
        profile_memory,
        with_flops,
        size
    };
};
}  // namespace

StepControl::StepControl(parallel::Communicator& ranks, at::Device device)
    : ranks_(ranks), message_(at::zeros({Slot::size}, at::TensorOptions().device(device).dtype(at::kDouble))) {}

void StepControl::begin(const at::Tensor& loss_sum, double target_count, const StepRequests& mine, double squares) {
    at::NoGradGuard no_grad;
    std::array<double, Slot::size> values{};
    values[Slot::targets] = target_count;
    values[Slot::squares] = squares;
    values[Slot::stop] = mine.stop;
    values[Slot::without_saving] = mine.stop && mine.without_saving;
    values[Slot::checkpoint] = mine.checkpoint;
    values[Slot::evaluate] = mine.evaluate;
    values[Slot::pause] = mine.pause;
    values[Slot::rates] = mine.lr.has_value();
    values[Slot::rate] = mine.lr.value_or(0);
    if (mine.profile) {
        const ProfileWish& wish = *mine.profile;
        values[Slot::profiles] = 1;
        values[Slot::active] = static_cast<double>(wish.active);
        values[Slot::wait] = static_cast<double>(wish.wait);
        values[Slot::warmup] = static_cast<double>(wish.warmup);
        values[Slot::repeat] = static_cast<double>(wish.repeat);
        values[Slot::skip_first] = static_cast<double>(wish.skip_first);
        values[Slot::record_shapes] = wish.record_shapes;
        values[Slot::profile_memory] = wish.profile_memory;
        values[Slot::with_flops] = wish.with_flops;
    }
    message_.copy_(at::from_blob(values.data(), {Slot::size}, at::TensorOptions().dtype(at::kDouble)));
    message_.select(0, Slot::loss).copy_(loss_sum);
    pending_ = ranks_.all_reduce(message_, "loss and requests");
}

StepControl::Agreed StepControl::finish() {
    pending_.wait();
    at::Tensor host = message_.cpu();
    const auto* values = host.const_data_ptr<double>();
    Agreed agreed;
    agreed.loss_sum = values[Slot::loss];
    agreed.targets = values[Slot::targets];
    agreed.squares = values[Slot::squares];
    StepRequests& requests = agreed.requests;
    requests.stop = values[Slot::stop] > 0;
    requests.without_saving = requests.stop && values[Slot::without_saving] == values[Slot::stop];
    requests.checkpoint = values[Slot::checkpoint] > 0;
    requests.evaluate = values[Slot::evaluate] > 0;
    requests.pause = values[Slot::pause] > 0;
    if (values[Slot::rates] > 0)
        requests.lr = values[Slot::rate] / values[Slot::rates];
    if (values[Slot::profiles] > 0) {
        const auto number = [&](std::int64_t slot) { return std::llround(values[slot] / values[Slot::profiles]); };
        requests.profile = ProfileWish{number(Slot::active),
                                       number(Slot::wait),
                                       number(Slot::warmup),
                                       number(Slot::repeat),
                                       number(Slot::skip_first),
                                       values[Slot::record_shapes] > 0,
                                       values[Slot::profile_memory] > 0,
                                       values[Slot::with_flops] > 0};
    }
    return agreed;
}

StepRequests StepControl::agree(const StepRequests& mine) {
    begin(at::zeros({}, message_.options()), 0, mine);
    return finish().requests;
}

}  // namespace trainyard::train
