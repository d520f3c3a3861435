// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/full.h>

#include <trainyard/loss_denominator.h>

namespace trainyard::parallel {

double loss_scale(Communicator& communicator, double count) {
    const at::Tensor total = at::full({1}, count, at::TensorOptions().dtype(at::kDouble).device(communicator.device()));
    communicator.all_reduce(total, "targets of the step").wait();
    const double all = total.item<double>();
    return all > 0 ? communicator.size() / all : 0;
}

}  // namespace trainyard::parallel
