// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/logical_tensor.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

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

namespace {

/// Boxes of elements [begin, end) of the dimensions from `dimension` on; the box before them is `prefix`.
void add_boxes(const std::vector<std::int64_t>& shape, std::size_t dimension, Box prefix, std::int64_t begin,
               std::int64_t end, std::vector<Box>& boxes) {
    if (begin == end)
        return;
    if (dimension == shape.size()) {
        boxes.push_back(std::move(prefix));
        return;
    }
    const std::int64_t inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, shape.end(),
                                               std::int64_t{1}, std::multiplies<>());
    auto within = [&](std::int64_t row, std::int64_t from, std::int64_t to) {
        Box one = prefix;
        one.offset.push_back(row);
        one.size.push_back(1);
        add_boxes(shape, dimension + 1, std::move(one), from, to, boxes);
    };
    std::int64_t first = begin / inner, last = end / inner;
    if (first == last)
        return within(first, begin % inner, end % inner);
    if (begin % inner != 0)
        within(first++, begin % inner, inner);
    if (first < last) {
        Box rows = prefix;
        rows.offset.push_back(first);
        rows.size.push_back(last - first);
        for (std::size_t d = dimension + 1; d < shape.size(); ++d) {
            rows.offset.push_back(0);
            rows.size.push_back(shape[d]);
        }
        boxes.push_back(std::move(rows));
    }
    within(last, 0, end % inner);
}

}  // namespace

std::vector<LogicalTensor> LogicalTensor::of_range(const std::string& name, const std::vector<std::int64_t>& shape,
                                                   std::int64_t begin, const at::Tensor& flat) {
    std::vector<Box> boxes;
    add_boxes(shape, 0, {}, begin, begin + flat.numel(), boxes);
    if (boxes.empty())
        boxes.push_back({std::vector<std::int64_t>(shape.size(), 0), std::vector<std::int64_t>(shape.size(), 0)});
    std::vector<LogicalTensor> parts;
    std::int64_t at = 0;
    for (Box& box : boxes) {
        const std::int64_t count =
            std::accumulate(box.size.begin(), box.size.end(), std::int64_t{1}, std::multiplies<>());
        at::Tensor local = flat.narrow(0, at, count).view(box.size);
        at += count;
        parts.push_back({name, shape, std::move(box), std::move(local)});
    }
    return parts;
}

std::vector<LogicalTensor> LogicalTensor::of_part(const std::string& name, const std::vector<std::int64_t>& shape,
                                                  std::size_t dimension, const std::vector<parallel::Range>& ranges,
                                                  std::int64_t begin, const at::Tensor& flat) {
    std::vector<std::int64_t> own = shape;
    own[dimension] = 0;
    for (const parallel::Range& range : ranges)
        own[dimension] += range.size();
    std::vector<LogicalTensor> parts;
    for (const LogicalTensor& box : of_range(name, own, begin, flat)) {
        if (flat.numel() == 0)
            parts.push_back({name, shape, box.box, box.local});
        const std::int64_t first = box.box.offset[dimension], end = first + box.box.size[dimension];
        std::int64_t at = 0;  // where the range begins in the part
        for (const parallel::Range& range : ranges) {
            const std::int64_t from = std::max(first, at), to = std::min(end, at + range.size());
            if (from < to) {
                Box place = box.box;
                place.offset[dimension] = range.begin + from - at;
                place.size[dimension] = to - from;
                parts.push_back({name, shape, std::move(place),
                                 box.local.narrow(static_cast<std::int64_t>(dimension), from - first, to - from)});
            }
            at += range.size();
        }
    }
    return parts;
}

std::optional<std::int64_t> run_of(const Box& box, const std::vector<std::int64_t>& shape) {
    // From the last dimension on: whole ones, then one that is cut, then single rows.
    bool cut = false;
    std::int64_t begin = 0, stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (cut && box.size[d] != 1)
            return std::nullopt;
        cut = cut || box.size[d] != shape[d];
        begin += box.offset[d] * stride;
        stride *= shape[d];
    }
    return begin;
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
