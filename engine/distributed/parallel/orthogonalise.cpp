// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/orthogonalise.h"

#include <tuple>

#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

namespace trainyard::parallel {

namespace {

void gram_schmidt(const at::Tensor& matrices, double epsilon) {
    std::int64_t columns = matrices.size(2);
    for (std::int64_t i = 0; i < columns; ++i) {
        at::Tensor column = matrices.narrow(2, i, 1);
        at::Tensor norm = at::norm(column, 2, at::IntArrayRef{1}, /*keepdim=*/true);
        if (epsilon != 0)
            norm = norm.add(epsilon);
        column.div_(at::where(norm.eq(0), at::ones_like(norm), norm));
        if (i + 1 < columns) {
            at::Tensor rest = matrices.narrow(2, i + 1, columns - i - 1);
            rest.sub_(at::sum(column.mul(rest), at::IntArrayRef{1}, /*keepdim=*/true).mul(column));
        }
    }
}

}  // namespace

void orthogonalise(const at::Tensor& matrices, double epsilon) {
    bool half = matrices.scalar_type() == at::kHalf || matrices.scalar_type() == at::kBFloat16;
    if (matrices.size(2) <= 2 || half)
        gram_schmidt(matrices, epsilon);
    else
        matrices.copy_(std::get<0>(at::linalg_qr(matrices)));
}

}  // namespace trainyard::parallel
