#include "train/gradient_norm.h"

#include <cmath>

#include <ATen/ops/linalg_vector_norm.h>

namespace trainyard::train {

namespace {
constexpr std::int64_t kRow = 1024;

double norm_of(const at::Tensor& values) {
    return at::linalg_vector_norm(values).item<double>();
}
}  // namespace

double gradient_norm(const at::Tensor& flat) {
    std::int64_t rows = flat.numel() / kRow, rest = flat.numel() % kRow;
    if (rows == 0)
        return norm_of(flat);
    at::Tensor of_rows = at::linalg_vector_norm(flat.narrow(0, 0, rows * kRow).view({rows, kRow}), 2, {1});
    double most = norm_of(of_rows);
    return rest == 0 ? most : std::hypot(most, norm_of(flat.narrow(0, rows * kRow, rest)));
}

}  // namespace trainyard::train
