#include "models/kernels/cross_entropy.h"

#include <algorithm>
#include <bit>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

namespace trainyard::models {

namespace {

using parallel::Parameter;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::int64_t chunk_rows(std::int64_t rows, std::int64_t vocabulary, std::int64_t width) {
    std::int64_t chunks = std::max<std::int64_t>(1, (vocabulary + width - 1) / width);
    auto wanted = static_cast<std::uint64_t>((rows + chunks - 1) / chunks);
    return static_cast<std::int64_t>(std::bit_ceil(std::max<std::uint64_t>(wanted, 64)));
}

/// labels moved one to the left, the last column ignored; [batch * seq].
at::Tensor targets_of(const at::Tensor& labels) {
    at::Tensor shifted = at::full(labels.sizes(), kIgnoredLabel, labels.options());
    std::int64_t last = labels.size(1) - 1;
    if (last > 0)
        shifted.narrow(1, 0, last).copy_(labels.narrow(1, 1, last));
    return shifted.view({-1});
}

struct NextTokenLoss : torch::autograd::Function<NextTokenLoss> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& compute,
                              Parameter* weight, const at::Tensor& labels, double scale, const at::Tensor& loss_sum) {
        bool wants_gradients = hidden.requires_grad();
        at::Tensor rows = hidden.reshape({-1, hidden.size(2)}).to(compute.scalar_type());
        at::Tensor targets = targets_of(labels);
        at::Tensor counted = targets.ne(kIgnoredLabel);
        at::Tensor safe = targets.clamp_min(0).unsqueeze(1);
        at::Tensor sum = at::zeros({}, hidden.options().dtype(at::kDouble));
        at::Tensor drows = wants_gradients ? at::empty(rows.sizes(), rows.options()) : at::Tensor();
        std::int64_t count = rows.size(0);
        std::int64_t step = chunk_rows(count, compute.size(0), compute.size(1));
        for (std::int64_t begin = 0; begin < count; begin += step) {
            std::int64_t size = std::min(step, count - begin);
            at::Tensor part = rows.narrow(0, begin, size);
            at::Tensor logits = at::mm(part, compute.t());
            at::Tensor log_probabilities = logits.scalar_type() == at::kFloat
                                               ? at::_log_softmax(logits, 1, false)
                                               : at::_log_softmax(logits.to(at::kFloat), 1, false);
            at::Tensor mask = counted.narrow(0, begin, size);
            at::Tensor chosen = log_probabilities.gather(1, safe.narrow(0, begin, size)).squeeze(1);
            sum.sub_(chosen.mul(mask).sum(at::kDouble));
            if (!wants_gradients)
                continue;
            // d loss / d logits = (softmax - one-hot) * scale on counted rows, built where the log-softmax was.
            at::Tensor row_scale = mask.to(at::kFloat).mul_(scale).unsqueeze(1);
            at::Tensor dlogits = log_probabilities.exp_();
            dlogits.mul_(row_scale);
            dlogits.scatter_add_(1, safe.narrow(0, begin, size), row_scale.neg());
            at::Tensor dlow = dlogits.to(compute.scalar_type());
            weight->add_matmul(dlow.t(), part);
            at::Tensor target = drows.narrow(0, begin, size);
            at::mm_out(target, dlow, compute);
        }
        loss_sum.add_(sum);
        if (wants_gradients)
            context->save_for_backward({drows.view(hidden.sizes()).to(hidden.scalar_type())});
        return sum.mul(scale).to(at::kFloat);
    }

    static variable_list backward(AutogradContext* context, variable_list) {
        // The loss is the root of backward, its incoming gradient is 1; the scale is in already.
        return {
            context->get_saved_variables()[0], at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor next_token_loss(const at::Tensor& hidden, Parameter& weight, const at::Tensor& labels, double loss_scale,
                           const at::Tensor& loss_sum) {
    return NextTokenLoss::apply(hidden, weight.compute(), &weight, labels, loss_scale, loss_sum);
}

at::Tensor logits_of(const at::Tensor& hidden, const Parameter& weight) {
    at::NoGradGuard no_grad;
    return at::matmul(hidden, weight.value().t());
}

}  // namespace trainyard::models
