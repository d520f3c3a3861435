// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/parameter_boxes.h"

#include <functional>
#include <numeric>

#include "distributed/parallel/tensor_part.h"

namespace trainyard::train {

bool is_divided(const parallel::Parameter& parameter) {
    return parameter.part() != nullptr && parameter.part()->is_divided();
}

std::int64_t whole_elements(const parallel::Parameter& parameter) {
    const std::vector<std::int64_t>& shape = parameter.whole_shape();
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<checkpoint::LogicalTensor> boxes_of(const std::string& name, const parallel::Parameter& parameter,
                                                std::int64_t begin, const at::Tensor& flat) {
    if (!is_divided(parameter))
        return checkpoint::LogicalTensor::of_range(name, parameter.shape(), begin, flat);
    const parallel::TensorPart& part = *parameter.part();
    return checkpoint::LogicalTensor::of_part(name, part.whole_shape, part.dimension, part.ranges(), begin, flat);
}

}  // namespace trainyard::train
