// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/collectives.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/byte_view.h"
#include "distributed/tensors/dtype.h"
#include "distributed/tensors/operations.h"

namespace trainyard::parallel {

namespace {

/// Tensors up to this size share messages: their time is latency. Larger ones travel without a copy.
constexpr std::int64_t kSmallBytes = 64 << 10;
/// Places of tensors in a shared message; no dtype needs more.
constexpr std::int64_t kMessageAlignment = 16;

constexpr char kMendTensors[] = "Give every rank the same; pad_across_processes makes sizes equal.";

std::string subject_of(const std::string& operation, const std::string& name) {
    return operation == name ? operation : operation + " '" + name + "'";
}

/// The tensors of a tree in their order.
std::vector<at::Tensor> tensors_in(const Tree& tree) {
    std::vector<at::Tensor> tensors;
    tree.for_each_tensor([&](const std::string&, const at::Tensor& tensor) { tensors.push_back(tensor); });
    return tensors;
}

Tree with_tensors(const Tree& tree, const std::vector<at::Tensor>& tensors) {
    auto next = tensors.begin();
    return tree.map_tensors([&](const at::Tensor&) { return *next++; });
}

/// Kinds of the nest, then each tensor as `describe_leaf` says.
Description describe_nest(const std::string& operation, const Tree& tree,
                          const std::function<std::string(const at::Tensor&)>& describe_leaf) {
    Description lines{{"operation", operation}, {"structure", tree.structure()}};
    tree.for_each_tensor([&](const std::string& path, const at::Tensor& tensor) {
        lines.emplace_back(path.empty() ? "tensor" : path, describe_leaf(tensor));
    });
    return lines;
}

/// Once all ranks agree on the structure this is the same error on all of them.
void only_tensors(const std::string& operation, const Tree& tree) {
    tree.for_each_leaf([&](const std::string& path, const Tree& leaf) {
        if (!leaf.is_tensor() || !leaf.as_tensor().defined())
            throw UserError(
                "{} takes tensors, {} is {}: use gather_object or broadcast_object for "
                "other objects",
                operation, path.empty() ? Message("this") : Message::verbatim(path), leaf.kind());
    });
}

at::Tensor to_wire(const Communicator& communicator, const at::Tensor& tensor) {
    return tensor.detach().to(communicator.device()).resolve_conj().resolve_neg().contiguous();
}

/// Several tensors as one message of bytes.
class SharedMessage {
  public:
    explicit SharedMessage(const std::vector<at::Tensor>& tensors) : tensors_(tensors) {
        for (const at::Tensor& tensor : tensors) {
            places_.push_back(size_);
            size_ += (static_cast<std::int64_t>(tensor.nbytes()) + kMessageAlignment - 1) / kMessageAlignment *
                     kMessageAlignment;
        }
    }
    std::int64_t size() const { return size_; }
    at::Tensor pack(at::Device device) const {
        at::Tensor message = at::zeros({size_}, at::TensorOptions(at::kByte).device(device));
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            message.narrow(0, places_[i], static_cast<std::int64_t>(tensors_[i].nbytes())).copy_(bytes_of(tensors_[i]));
        return message;
    }
    /// Tensor i of every message: [messages, numel of tensor i], or [numel] of one.
    at::Tensor unpack(const at::Tensor& messages, std::size_t i) const {
        return messages.narrow(-1, places_[i], static_cast<std::int64_t>(tensors_[i].nbytes()))
            .view(tensors_[i].scalar_type());
    }

  private:
    const std::vector<at::Tensor>& tensors_;
    std::vector<std::int64_t> places_;
    std::int64_t size_ = 0;
};

/// Does `large` with every large tensor and `small` with the others together; `indices` say where a tensor stands.
template <typename Large, typename Small>
void by_size(const std::vector<at::Tensor>& tensors, Large large, Small small) {
    std::vector<std::size_t> indices;
    std::vector<at::Tensor> together;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (static_cast<std::int64_t>(tensors[i].nbytes()) > kSmallBytes) {
            large(i, tensors[i]);
        } else if (tensors[i].numel() > 0) {
            indices.push_back(i);
            together.push_back(tensors[i]);
        }
    }
    if (!together.empty())
        small(indices, together);
}

std::vector<at::Tensor> gather_all(Communicator& communicator, const std::vector<at::Tensor>& tensors,
                                   const std::string& name) {
    std::vector<at::Tensor> sources, results;
    for (const at::Tensor& tensor : tensors) {
        sources.push_back(to_wire(communicator, tensor.dim() == 0 ? tensor.unsqueeze(0) : tensor));
        std::vector<std::int64_t> shape = sources.back().sizes().vec();
        shape[0] *= communicator.size();
        results.push_back(at::empty(shape, sources.back().options()));
    }
    by_size(
        sources, [&](std::size_t i, const at::Tensor& source) { communicator.all_gather(results[i], source, name); },
        [&](const std::vector<std::size_t>& indices, const std::vector<at::Tensor>& small) {
            SharedMessage message(small);
            at::Tensor all = at::empty({communicator.size(), message.size()},
                                       at::TensorOptions(at::kByte).device(communicator.device()));
            communicator.all_gather(all, message.pack(communicator.device()), name);
            for (std::size_t i = 0; i < indices.size(); ++i)
                results[indices[i]].view({communicator.size(), -1}).copy_(message.unpack(all, i));
        });
    for (std::size_t i = 0; i < tensors.size(); ++i)
        results[i] = results[i].to(tensors[i].device());
    return results;
}

/// Returns the dtype in which a reduction is sent, or nullopt if the dtype cannot be reduced.
std::optional<at::ScalarType> arithmetic_type(at::ScalarType type) {
    switch (type) {
        case at::kBool:
            return at::kByte;
        case at::kShort:
        case at::kUInt16:
            return at::kInt;
        case at::kUInt32:
            return at::kLong;
        case at::kFloat8_e4m3fn:
        case at::kFloat8_e5m2:
        case at::kFloat8_e4m3fnuz:
        case at::kFloat8_e5m2fnuz:
        case at::kFloat8_e8m0fnu:
            return at::kFloat;
        case at::kComplexHalf:
            return at::kHalf;
        case at::kComplexFloat:
            return at::kFloat;
        case at::kComplexDouble:
            return at::kDouble;
        case at::kFloat:
        case at::kDouble:
        case at::kHalf:
        case at::kBFloat16:
        case at::kLong:
        case at::kInt:
        case at::kChar:
        case at::kByte:
            return type;
        default:
            return std::nullopt;
    }
}

void check_reducible(const Tree& tree, Reduction reduction) {
    only_tensors("reduce", tree);
    tree.for_each_tensor([&](const std::string& path, const at::Tensor& tensor) {
        std::string place = path.empty() ? "this tensor" : path;
        std::string type = dtype_name(tensor.scalar_type());
        if (!arithmetic_type(tensor.scalar_type()))
            throw UserError("reduce has no arithmetic for {} ({}): convert it first", type, place);
        if (reduction == Reduction::mean && !tensor.is_floating_point() && !tensor.is_complex())
            throw UserError("there is no mean of {} ({}): take the sum, or convert it to float first", type, place);
        if (reduction == Reduction::max && tensor.is_complex())
            throw UserError("there is no largest of complex numbers ({}): take the sum or the mean", place);
    });
}

/// Reduces `buffers` in place; those of one dtype share messages.
void reduce_all(Communicator& communicator, std::vector<at::Tensor>& buffers, ReduceOp op, const std::string& name) {
    std::map<at::ScalarType, std::vector<std::size_t>> small;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (static_cast<std::int64_t>(buffers[i].nbytes()) > kSmallBytes)
            communicator.all_reduce(buffers[i], name, op).wait();
        else if (buffers[i].numel() > 0)
            small[buffers[i].scalar_type()].push_back(i);
    }
    for (const auto& [type, indices] : small) {
        std::vector<at::Tensor> parts;
        for (std::size_t i : indices)
            parts.push_back(buffers[i].view({-1}));
        at::Tensor joined = parts.size() == 1 ? parts[0] : at::cat(parts);
        communicator.all_reduce(joined, name, op).wait();
        std::int64_t begin = 0;
        for (std::size_t i : indices) {
            buffers[i] = joined.narrow(0, begin, buffers[i].numel()).view(buffers[i].sizes());
            begin += buffers[i].numel();
        }
    }
}

at::Tensor scaled(const at::Tensor& tensor, double scale) {
    bool applies = scale != 1.0 && (tensor.is_floating_point() || tensor.is_complex());
    return applies ? tensor.mul(scale).to(tensor.scalar_type()) : tensor;
}

}  // namespace

Tree gather(Communicator& communicator, const Tree& tree, const std::string& name) {
    if (communicator.size() == 1) {
        only_tensors("gather", tree);
        return tree;
    }
    at::NoGradGuard no_grad;
    agree(communicator, describe_nest("gather", tree, describe), subject_of("gather", name), kMendTensors);
    only_tensors("gather", tree);
    return with_tensors(tree, gather_all(communicator, tensors_in(tree), name));
}

at::Tensor gather(Communicator& communicator, const at::Tensor& tensor, const std::string& name) {
    return gather(communicator, Tree(tensor), name).as_tensor();
}

Tree reduce(Communicator& communicator, const Tree& tree, Reduction reduction, double scale, const std::string& name) {
    at::NoGradGuard no_grad;
    static constexpr std::array kNames{"reduce (none)", "reduce (sum)", "reduce (mean)", "reduce (max)"};
    if (communicator.size() > 1 && reduction != Reduction::none)
        agree(communicator, describe_nest(kNames[static_cast<std::size_t>(reduction)], tree, describe),
              subject_of("reduce", name), kMendTensors);
    check_reducible(tree, reduction);

    std::vector<at::Tensor> tensors = tensors_in(tree), buffers;
    for (const at::Tensor& tensor : tensors) {
        at::Tensor source = tensor.detach().to(communicator.device()).resolve_conj().resolve_neg();
        if (source.is_complex())
            source = at::view_as_real(source);
        buffers.push_back(source.to(*arithmetic_type(tensor.scalar_type()), false, true).contiguous());
    }
    if (communicator.size() > 1 && reduction != Reduction::none) {
        // For bool, both the sum and the maximum are true if the value is true on any rank.
        std::vector<at::Tensor> booleans, numbers;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            (tensors[i].scalar_type() == at::kBool ? booleans : numbers).push_back(buffers[i]);
        ReduceOp op = reduction == Reduction::max    ? ReduceOp::max
                      : reduction == Reduction::mean ? ReduceOp::average
                                                     : ReduceOp::sum;
        reduce_all(communicator, booleans, ReduceOp::max, name);
        reduce_all(communicator, numbers, op, name);
        auto boolean = booleans.begin(), number = numbers.begin();
        for (std::size_t i = 0; i < tensors.size(); ++i)
            buffers[i] = tensors[i].scalar_type() == at::kBool ? *boolean++ : *number++;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        at::Tensor result = tensors[i].is_complex() ? at::view_as_complex(buffers[i]) : buffers[i];
        buffers[i] = scaled(result.to(tensors[i].options()), scale);
    }
    return with_tensors(tree, buffers);
}

at::Tensor reduce(Communicator& communicator, const at::Tensor& tensor, Reduction reduction, double scale,
                  const std::string& name) {
    return reduce(communicator, Tree(tensor), reduction, scale, name).as_tensor();
}

void broadcast(Communicator& communicator, const Tree& tree, int root, const std::string& name) {
    if (communicator.size() == 1)
        return;
    at::NoGradGuard no_grad;
    agree(communicator, describe_nest(fmt::format("broadcast from rank {}", root), tree, describe),
          subject_of("broadcast", name), kMendTensors);
    if (root < 0 || root >= communicator.size())
        throw UserError("broadcast from rank {}: there are {}, counted from 0", root, text::ranks(communicator.size()));
    std::vector<at::Tensor> targets, buffers;
    for (const at::Tensor& tensor : tensors_in(tree))
        if (tensor.defined()) {
            targets.push_back(tensor);
            buffers.push_back(to_wire(communicator, tensor));
        }
    auto settle = [&](std::size_t i, const at::Tensor& values) {
        if (!targets[i].is_alias_of(values))
            targets[i].detach().copy_(values);
    };
    by_size(
        buffers,
        [&](std::size_t i, const at::Tensor& buffer) {
            communicator.broadcast(buffer, root, name);
            settle(i, buffer);
        },
        [&](const std::vector<std::size_t>& indices, const std::vector<at::Tensor>& small) {
            SharedMessage message(small);
            at::Tensor bytes = message.pack(communicator.device());
            communicator.broadcast(bytes, root, name);
            for (std::size_t i = 0; i < indices.size(); ++i)
                settle(indices[i], message.unpack(bytes, i).view(small[i].sizes()));
        });
}

Tree pad_across_processes(Communicator& communicator, const Tree& tree, std::int64_t dim, double pad_index,
                          bool pad_first, const std::string& name) {
    if (communicator.size() == 1)
        return tree;
    at::NoGradGuard no_grad;
    auto without_sizes = [](const at::Tensor& tensor) {
        return tensor.defined() ? fmt::format("{} of {} dimensions", dtype_name(tensor.scalar_type()), tensor.dim())
                                : "undefined";
    };
    auto place_of = [&](const at::Tensor& tensor) -> std::int64_t {  // -1: it has no such dimension
        if (!tensor.defined())
            return -1;
        std::int64_t place = dim < 0 ? dim + tensor.dim() : dim;
        return place >= 0 && place < tensor.dim() ? place : -1;
    };
    agree(communicator, describe_nest(fmt::format("pad_across_processes along {}", dim), tree, without_sizes),
          subject_of("pad_across_processes", name),
          "Give every rank the same kinds, dtypes and numbers of dimensions.");
    std::vector<at::Tensor> tensors = tensors_in(tree);
    auto count = static_cast<std::int64_t>(tensors.size());
    if (count == 0)
        return tree;
    at::Tensor sizes = at::empty({count}, at::TensorOptions(at::kLong));
    auto* own = sizes.mutable_data_ptr<std::int64_t>();
    for (std::size_t i = 0; i < tensors.size(); ++i)
        own[i] = place_of(tensors[i]) < 0 ? 0 : tensors[i].size(place_of(tensors[i]));
    at::Tensor largest = sizes.to(communicator.device());
    communicator.all_reduce(largest, name, ReduceOp::max).wait();
    largest = largest.cpu();
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (std::int64_t place = place_of(tensors[i]); place >= 0)
            tensors[i] = pad_to(tensors[i], place, largest.const_data_ptr<std::int64_t>()[i], pad_index, pad_first);
    return with_tensors(tree, tensors);
}

}  // namespace trainyard::parallel
