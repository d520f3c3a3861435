// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Columns of thin matrices made orthonormal, in place: PowerSGD's step between its two products.

#include <ATen/core/Tensor.h>

namespace trainyard::parallel {

/// `matrices` [batch, rows, columns], columns <= rows. Gram-Schmidt up to two columns and in half precision, QR else, as torch does.
/// `epsilon` is added to norms. A column that is zero stays zero.
void orthogonalise(const at::Tensor& matrices, double epsilon);

}  // namespace trainyard::parallel
