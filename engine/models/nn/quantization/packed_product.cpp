// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/packed_product.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>

#include "distributed/tensors/dtype.h"
#include "formats/weights/quantization/packed_loops.h"

namespace trainyard::models {

namespace {

using quantization::PackedMatrix;

constexpr std::int64_t kStripElements = 1 << 20;  ///< decoded at a time

at::ScalarType type_of(const PackedMatrix& weight) {
    return dtype_of_name(weight.dtype()).value_or(at::kFloat);
}

/// Calls `visit` with strips of rows, decoded in fp32 and rounded to these types.
template <class Visit>
void for_strips(const PackedMatrix& weight, std::initializer_list<at::ScalarType> types, Visit visit) {
    const std::int64_t columns = weight.columns(), rows = weight.rows();
    const std::int64_t strip = std::clamp<std::int64_t>(kStripElements / std::max<std::int64_t>(columns, 1), 1, rows);
    for (std::int64_t first = 0; first < rows; first += strip) {
        const std::int64_t count = std::min(strip, rows - first);
        at::Tensor decoded = at::empty({count, columns}, at::kFloat);
        auto* to = decoded.data_ptr<float>();
        constexpr std::int64_t kGrain = 8;
        at::parallel_for(0, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
            weight.decode_rows(first + begin, end - begin,
                               {to + begin * columns, static_cast<std::size_t>((end - begin) * columns)});
        });
        for (const at::ScalarType type : types)
            decoded = decoded.to(type);
        visit(first, decoded.to(at::kFloat));
    }
}

/// y[i] of rows of the matrix, in parallel.
template <class Multiply>
void for_rows(const PackedMatrix& weight, Multiply multiply) {
    constexpr std::int64_t kGrain = 16;
    at::parallel_for(0, weight.rows(), kGrain, multiply);
}

}  // namespace

at::Tensor packed_product(const at::Tensor& x, const PackedMatrix& weight, at::ScalarType type,
                          std::int64_t direct_rows) {
    const at::NoGradGuard no_grad;
    const at::Tensor wide = x.to(at::kFloat).contiguous();
    at::Tensor y = at::empty({wide.size(0), weight.rows()}, at::kFloat);
    if (wide.size(0) <= direct_rows) {
        const PackedMatrix::Input input =
            weight.prepare({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())},
                           type == at::kBFloat16 && x.scalar_type() == at::kBFloat16);
        auto* to = y.data_ptr<float>();
        for_rows(weight, [&](std::int64_t begin, std::int64_t end) {
            weight.multiply(input, begin, end - begin, to + begin, weight.rows());
        });
        return y;
    }
    for_strips(weight, {type}, [&](std::int64_t first, const at::Tensor& strip) {
        y.narrow(1, first, strip.size(0)).copy_(at::mm(wide, strip.t()));
    });
    return y;
}

at::Tensor packed_gradient(const at::Tensor& dy, const PackedMatrix& weight, at::ScalarType type) {
    const at::NoGradGuard no_grad;
    const at::Tensor wide = dy.to(at::kFloat);
    at::Tensor dx = at::zeros({wide.size(0), weight.columns()}, at::kFloat);
    for_strips(weight, {type_of(weight), type}, [&](std::int64_t first, const at::Tensor& strip) {
        dx.addmm_(wide.narrow(1, first, strip.size(0)), strip);
    });
    return dx;
}

at::Tensor product_of_codes(const at::Tensor& codes, const PackedMatrix& weight) {
    const at::NoGradGuard no_grad;
    constexpr std::int64_t kFewRows = 16, kMostColumns = 1 << 17;
    const std::int64_t columns = weight.columns();
    const auto* of_weight = weight.codes().data();
    if (codes.size(0) > kFewRows || columns > kMostColumns)
        return at::_int_mm(codes, at::from_blob(const_cast<std::int8_t*>(of_weight), {weight.rows(), columns},
                                                at::TensorOptions().dtype(at::kChar))
                                      .t());
    const at::Tensor rows = codes.contiguous();
    at::Tensor y = at::empty({rows.size(0), weight.rows()}, at::kInt);
    const auto* from = rows.const_data_ptr<std::int8_t>();
    auto* to = y.data_ptr<std::int32_t>();
    const quantization::PackedLoops& loops = quantization::packed_loops();
    for_rows(weight, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            for (std::int64_t row = 0; row < rows.size(0); ++row)
                to[row * weight.rows() + i] =
                    loops.dot_codes(from + row * columns, of_weight + i * columns, static_cast<std::size_t>(columns));
    });
    return y;
}

}  // namespace trainyard::models
