// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the search for NaN and infinite values, compared with a check of each element.

#include "checkpoint/not_finite.h"

#include <cmath>
#include <limits>
#include <random>

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>

#include <gtest/gtest.h>

#include "distributed/tensors/dtype.h"
#include "formats/weights/pickle.h"

namespace trainyard::checkpoint {
namespace {

NotFinite search(const at::Tensor& tensor) {
    NotFinite found;
    add_not_finite({"w",
                    weights::safetensors_dtype(dtype_name(tensor.scalar_type())),
                    tensor.sizes().vec(),
                    {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()}},
                   found);
    return found;
}

TEST(NotFiniteNumbers, AreFoundAtEveryPlaceOfEveryFormat) {
    std::mt19937 random(3);
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf})
        for (const std::int64_t size : {1, 3, 64, 1023, 1024, 1025, 4096, 5001}) {
            // The largest finite numbers, which differ from infinite ones in one bit of the exponent, and zeros of both signs.
            const double largest = type == at::kHalf     ? 65504
                                   : type == at::kDouble ? std::numeric_limits<double>::max()
                                   : type == at::kFloat  ? std::numeric_limits<float>::max()
                                                         : 3.3895e38;
            const at::Tensor tensor = at::full({size}, largest, at::TensorOptions(type));
            for (std::int64_t i = 1; i < size; i += 2)
                tensor[i] = i % 3 == 0 ? -largest : i % 3 == 1 ? -0.0 : 0.0;
            EXPECT_TRUE(search(tensor).nan.empty() && search(tensor).infinite.empty()) << type << " " << size;
            for (int round = 0; round < 20; ++round) {
                const std::int64_t at = round == 0 ? 0 : round == 1 ? size - 1 : random() % size;
                const at::Tensor spoilt = tensor.clone();
                const bool nan = round % 2 == 0;
                spoilt[at] = nan ? std::nan("") : round % 4 == 1 ? -INFINITY : INFINITY;
                const NotFinite found = search(spoilt);
                EXPECT_EQ(found.nan, nan ? "w" : "") << type << " " << size << " " << at;
                EXPECT_EQ(found.infinite, nan ? "" : "w") << type << " " << size << " " << at;
            }
        }
}

}  // namespace
}  // namespace trainyard::checkpoint
