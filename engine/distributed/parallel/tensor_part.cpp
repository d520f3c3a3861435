// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/tensor_part.h"

#include <algorithm>
#include <numeric>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::int64_t product_of(std::vector<std::int64_t>::const_iterator begin,
                        std::vector<std::int64_t>::const_iterator end) {
    return std::accumulate(begin, end, std::int64_t{1}, std::multiplies<>());
}

at::Tensor sum_over(const at::Tensor& part, Communicator& ranks, const std::string& name) {
    at::Tensor sum = part.clone(at::MemoryFormat::Contiguous);
    ranks.all_reduce(sum, name).wait();
    return sum;
}

struct ShareInput : torch::autograd::Function<ShareInput> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t ranks,
                              const std::string& name) {
        context->saved_data["ranks"] = ranks;
        context->saved_data["name"] = name;
        return x.view_as(x);
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& ranks = *reinterpret_cast<Communicator*>(context->saved_data["ranks"].toInt());
        return {sum_over(gradients[0], ranks, "gradient of inputs of " + context->saved_data["name"].toStringRef()),
                at::Tensor(), at::Tensor()};
    }
};

struct SumOutputs : torch::autograd::Function<SumOutputs> {
    static at::Tensor forward(AutogradContext*, const at::Tensor& part, std::int64_t ranks, const std::string& name) {
        return kept_output(
            [&] { return sum_over(part, *reinterpret_cast<Communicator*>(ranks), "outputs of " + name); });
    }
    static variable_list backward(AutogradContext*, variable_list gradients) {
        return {gradients[0], at::Tensor(), at::Tensor()};
    }
};

struct GatherOutputs : torch::autograd::Function<GatherOutputs> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t ranks, std::int64_t columns,
                              const std::string& name) {
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = columns;
        const TensorPart part{
            reinterpret_cast<Communicator*>(ranks), Placement::column, shape, shape.size() - 1, {columns}};
        const Range own = part.ranges().front();
        context->saved_data["begin"] = own.begin;
        context->saved_data["size"] = own.size();
        return part.gather(x, "outputs of " + name);
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        return {gradients[0].narrow(-1, context->saved_data["begin"].toInt(), context->saved_data["size"].toInt()),
                at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

struct GatherPositions : torch::autograd::Function<GatherPositions> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t ranks, bool summed,
                              const std::string& name) {
        context->saved_data["ranks"] = ranks;
        context->saved_data["summed"] = summed;
        context->saved_data["name"] = name;
        return all_positions(x, *reinterpret_cast<Communicator*>(ranks), "positions of " + name);
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& ranks = *reinterpret_cast<Communicator*>(context->saved_data["ranks"].toInt());
        const std::string name = "gradient of positions of " + context->saved_data["name"].toStringRef();
        return {context->saved_data["summed"].toBool() ? sum_of_positions(gradients[0], ranks, name)
                                                       : own_positions(gradients[0], ranks).contiguous(),
                at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

struct ScatterPositions : torch::autograd::Function<ScatterPositions> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t ranks, bool summed,
                              const std::string& name) {
        context->saved_data["ranks"] = ranks;
        context->saved_data["name"] = name;
        auto& group = *reinterpret_cast<Communicator*>(ranks);
        return summed ? sum_of_positions(x, group, "outputs of " + name) : own_positions(x, group).clone();
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& ranks = *reinterpret_cast<Communicator*>(context->saved_data["ranks"].toInt());
        return {
            all_positions(gradients[0], ranks, "gradient of outputs of " + context->saved_data["name"].toStringRef()),
            at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

std::vector<Range> TensorPart::ranges_of(int rank) const {
    std::vector<Range> ranges;
    std::int64_t begin = 0;
    for (const std::int64_t section : sections) {
        const Range range = split_between(section, rank / copies, ranks->size() / copies);
        ranges.push_back({begin + range.begin, begin + range.end});
        begin += section;
    }
    return ranges;
}

bool TensorPart::is_first() const {
    return is_divided() ? ranks->rank() % copies == 0 : ranks->rank() == 0;
}

std::vector<Range> TensorPart::ranges() const {
    return ranges_of(ranks->rank());
}

std::vector<std::int64_t> TensorPart::shape_of(int rank) const {
    std::vector<std::int64_t> shape = whole_shape;
    if (!is_divided())
        return shape;
    shape[dimension] = 0;
    for (const Range& range : ranges_of(rank))
        shape[dimension] += range.size();
    return shape;
}

at::Tensor TensorPart::select(const at::Tensor& whole) const {
    if (!is_divided())
        return whole;
    std::vector<at::Tensor> parts;
    for (const Range& range : ranges())
        parts.push_back(whole.narrow(static_cast<std::int64_t>(dimension), range.begin, range.size()));
    return at::cat(parts, static_cast<std::int64_t>(dimension));
}

void TensorPart::add_to(const at::Tensor& whole, const at::Tensor& own) const {
    if (!is_divided()) {
        whole.add_(own);
        return;
    }
    const auto dim = static_cast<std::int64_t>(dimension);
    std::int64_t begin = 0;
    for (const Range& range : ranges()) {
        whole.narrow(dim, range.begin, range.size()).add_(own.narrow(dim, begin, range.size()));
        begin += range.size();
    }
}

at::Tensor TensorPart::gather(const at::Tensor& own, const std::string& name) const {
    if (!is_divided())
        return own;
    const at::NoGradGuard no_grad;
    const std::vector<std::int64_t> largest = shape_of(0);  // the first ranks have one more where it is uneven
    const std::int64_t most = product_of(largest.begin(), largest.end());
    at::Tensor mine = own.detach().reshape({-1});
    if (mine.numel() < most)
        mine = at::cat({mine, at::zeros({most - mine.numel()}, mine.options())});
    const at::Tensor all = at::empty({ranks->size(), most}, mine.options());
    ranks->all_gather(all, mine.contiguous(), name);
    const at::Tensor whole = at::empty(whole_shape, mine.options());
    const auto dim = static_cast<std::int64_t>(dimension);
    for (int rank = 0; rank < ranks->size(); ++rank) {
        const std::vector<std::int64_t> shape = shape_of(rank);
        const at::Tensor part = all.select(0, rank).narrow(0, 0, product_of(shape.begin(), shape.end())).view(shape);
        std::int64_t begin = 0;
        for (const Range& range : ranges_of(rank)) {
            whole.narrow(dim, range.begin, range.size()).copy_(part.narrow(dim, begin, range.size()));
            begin += range.size();
        }
    }
    return whole;
}

void TensorPart::for_runs(const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit) const {
    if (!is_divided())
        return visit(0, 0, product_of(whole_shape.begin(), whole_shape.end()));
    const auto cut = whole_shape.begin() + static_cast<std::ptrdiff_t>(dimension);
    const std::int64_t outer = product_of(whole_shape.begin(), cut), inner = product_of(cut + 1, whole_shape.end());
    const std::vector<Range> own = ranges();
    std::int64_t begin = 0;
    for (std::int64_t row = 0; row < outer; ++row)
        for (const Range& range : own) {
            visit(begin, (row * *cut + range.begin) * inner, range.size() * inner);
            begin += range.size() * inner;
        }
}

at::Tensor share_input(const at::Tensor& x, Communicator& ranks, const std::string& name) {
    return ShareInput::apply(x, reinterpret_cast<std::int64_t>(&ranks), name);
}

at::Tensor sum_outputs(const at::Tensor& part, Communicator& ranks, const std::string& name) {
    return SumOutputs::apply(part, reinterpret_cast<std::int64_t>(&ranks), name);
}

at::Tensor gather_outputs(const at::Tensor& x, Communicator& ranks, std::int64_t columns, const std::string& name) {
    return GatherOutputs::apply(x, reinterpret_cast<std::int64_t>(&ranks), columns, name);
}

at::Tensor all_positions(const at::Tensor& own, Communicator& ranks, const std::string& name) {
    std::vector<std::int64_t> sizes = own.sizes().vec();
    sizes.insert(sizes.begin(), ranks.size());
    const at::Tensor all = at::empty(sizes, own.options());
    ranks.all_gather(all, own.contiguous(), name);
    return all.transpose(0, 1).flatten(1, 2);
}

at::Tensor sum_of_positions(const at::Tensor& parts, Communicator& ranks, const std::string& name) {
    const std::int64_t own = parts.size(1) / ranks.size();
    std::vector<std::int64_t> sizes = parts.sizes().vec();
    sizes[1] = own;
    const at::Tensor sum = at::empty(sizes, parts.options());
    ranks.reduce_scatter(sum, parts.unflatten(1, {ranks.size(), own}).transpose(0, 1).contiguous(), name).wait();
    return sum;
}

at::Tensor gather_positions(const at::Tensor& x, Communicator& ranks, PositionParts gradients,
                            const std::string& name) {
    return GatherPositions::apply(x, reinterpret_cast<std::int64_t>(&ranks), gradients == PositionParts::summed, name);
}

at::Tensor scatter_positions(const at::Tensor& x, Communicator& ranks, PositionParts outputs, const std::string& name) {
    return ScatterPositions::apply(x, reinterpret_cast<std::int64_t>(&ranks), outputs == PositionParts::summed, name);
}

at::Tensor own_positions(const at::Tensor& x, const Communicator& ranks) {
    const std::int64_t own = x.size(1) / ranks.size();
    return x.narrow(1, ranks.rank() * own, own);
}

}  // namespace trainyard::parallel
