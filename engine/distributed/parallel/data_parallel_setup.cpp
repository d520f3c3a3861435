// SPDX-License-Identifier: GPL-3.0-or-later
// DataParallel before the first step: what is checked, where gradients lie, how autograd tells that they came.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/parallel/data_parallel_core.h"
#include "distributed/parallel/module_start.h"

namespace trainyard::parallel {

namespace {

/// Memory of `bucket` from `position` on in the shape of `parameter`. Made from the storage, not as a view of the bucket.
at::Tensor place_in(const at::Tensor& bucket, std::int64_t position, const at::Tensor& parameter) {
    auto strides = parameter.is_non_overlapping_and_dense()
                       ? parameter.strides().vec()
                       : at::empty(parameter.sizes(), parameter.options().device(at::kMeta)).strides().vec();
    at::Tensor place = at::empty({0}, bucket.options());
    place.set_(bucket.storage(), bucket.storage_offset() + position, parameter.sizes(), strides);
    return place;
}

}  // namespace

DataParallel::Core::Core(NamedTensors parameters, NamedTensors buffers, Communicator& communicator,
                         DataParallelOptions options)
    : parameters_(without_repetitions(std::move(parameters))),
      buffers_(without_repetitions(std::move(buffers))),
      communicator_(communicator),
      options_(std::move(options)),
      divisor_(communicator.size()) {
    check_trained(parameters_);
    if (!(options_.bucket_cap_mb > 0) || !(options_.first_bucket_mb >= 0))
        throw UserError("bucket_cap_mb is {:f}: it must be more than 0", options_.bucket_cap_mb);
    if (options_.check_same)
        check_same_module(parameters_, buffers_, communicator_);
    broadcast_everything(0);
    make_slots();
    reducer_ = std::make_unique<Reducer>(make_buckets(), communicator_, options_.comm_hook);
    if (communicator_.size() > 1)
        add_hooks();
}

DataParallel::Core::~Core() = default;

void DataParallel::Core::make_slots() {
    for (auto entry = parameters_.rbegin(); entry != parameters_.rend(); ++entry) {
        if (!entry->second.requires_grad())
            continue;
        Slot slot;
        slot.name = entry->first;
        slot.parameter = entry->second;
        slots_.push_back(std::move(slot));
    }
}

std::vector<Bucket> DataParallel::Core::make_buckets() {
    auto bytes = [](double mb) { return static_cast<std::int64_t>(std::llround(mb * 1024 * 1024)); };
    struct Filling {
        std::vector<std::size_t> slots;
        std::int64_t elements = 0;
    };
    // One bucket is open for each dtype and device. They are sent in the order in which their last parameter is computed.
    std::map<std::pair<at::ScalarType, std::string>, Filling> open;
    std::vector<Filling> closed;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const at::Tensor& parameter = slots_[i].parameter;
        Filling& filling = open[{parameter.scalar_type(), parameter.device().str()}];
        filling.slots.push_back(i);
        filling.elements += parameter.numel();
        double cap =
            closed.empty() ? std::min(options_.first_bucket_mb, options_.bucket_cap_mb) : options_.bucket_cap_mb;
        if (filling.elements * static_cast<std::int64_t>(parameter.element_size()) >= bytes(cap))
            closed.push_back(std::exchange(filling, {}));
    }
    for (auto& [key, filling] : open)
        if (!filling.slots.empty())
            closed.push_back(std::move(filling));
    std::sort(closed.begin(), closed.end(),
              [](const Filling& a, const Filling& b) { return a.slots.back() < b.slots.back(); });

    std::vector<Bucket> buckets;
    for (const Filling& filling : closed) {
        Bucket bucket;
        bucket.name = fmt::format("gradients to {}", slots_[filling.slots.back()].name);
        bucket.slice =
            at::zeros({filling.elements}, slots_[filling.slots.front()].parameter.options().requires_grad(false));
        std::int64_t position = 0;
        for (std::size_t index : filling.slots) {
            Slot& slot = slots_[index];
            slot.bucket = buckets.size();
            slot.place = place_in(bucket.slice, position, slot.parameter);
            bucket.gradients.emplace_back(
                slot.name, bucket.slice.narrow(0, position, slot.parameter.numel()).view(slot.parameter.sizes()));
            position += slot.parameter.numel();
        }
        buckets.push_back(std::move(bucket));
    }
    return buckets;
}

void DataParallel::Core::add_hooks() {
    for (std::size_t i = 0; i < slots_.size(); ++i)
        arrivals_.watch(slots_[i].parameter, [this, i] { arrived(i); });
}

void DataParallel::Core::broadcast_everything(int root) {
    broadcast_module(parameters_, buffers_, root, communicator_);
}

void DataParallel::Core::broadcast_buffers() {
    parallel::broadcast_buffers(buffers_, buffer_root_, communicator_);
}

}  // namespace trainyard::parallel
