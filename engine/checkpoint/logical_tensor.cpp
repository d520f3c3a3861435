#include "checkpoint/logical_tensor.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>

namespace trainyard::checkpoint {

Box whole(const std::vector<std::int64_t>& shape) {
    return {std::vector<std::int64_t>(shape.size(), 0), shape};
}

std::optional<Box> intersection(const Box& a, const Box& b) {
    Box result;
    for (std::size_t d = 0; d < a.offset.size(); ++d) {
        std::int64_t begin = std::max(a.offset[d], b.offset[d]);
        std::int64_t end = std::min(a.offset[d] + a.size[d], b.offset[d] + b.size[d]);
        if (begin >= end)
            return std::nullopt;
        result.offset.push_back(begin);
        result.size.push_back(end - begin);
    }
    return result;
}

LogicalTensor LogicalTensor::of_whole(std::string name, at::Tensor tensor) {
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    return {std::move(name), shape, whole(shape), std::move(tensor)};
}

std::int64_t copy_overlap(const LogicalTensor& from, const LogicalTensor& to) {
    auto common = intersection(from.box, to.box);
    if (!common)
        return 0;
    auto part = [&](const LogicalTensor& tensor) {
        at::Tensor view = tensor.local;
        for (std::size_t d = 0; d < common->offset.size(); ++d)
            view = view.narrow(static_cast<std::int64_t>(d), common->offset[d] - tensor.box.offset[d], common->size[d]);
        return view;
    };
    at::NoGradGuard no_grad;
    at::Tensor target = part(to);
    target.copy_(part(from));
    return target.numel();
}

}  // namespace trainyard::checkpoint
