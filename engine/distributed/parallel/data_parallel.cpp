// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/data_parallel.h"

#include "distributed/parallel/data_parallel_core.h"

namespace trainyard::parallel {

DataParallel::DataParallel(NamedTensors parameters, NamedTensors buffers, Communicator& communicator,
                           DataParallelOptions options)
    : core_(std::make_unique<Core>(std::move(parameters), std::move(buffers), communicator, std::move(options))) {}
DataParallel::~DataParallel() = default;
DataParallel::DataParallel(DataParallel&&) noexcept = default;
DataParallel& DataParallel::operator=(DataParallel&&) noexcept = default;

void DataParallel::before_forward() {
    core_->before_forward();
}

NoSync DataParallel::no_sync() {
    return NoSync(core_.get());
}

void DataParallel::trigger_sync_in_backward() {
    core_->force_next();
}

void DataParallel::hold_gradients(bool holds) {
    core_->hold_gradients(holds);
}

bool DataParallel::reduces() const {
    return core_->reduces();
}

void DataParallel::finish_backward() {
    core_->finish_backward();
}

std::vector<std::int64_t> DataParallel::bucket_bytes() const {
    std::vector<std::int64_t> bytes;
    for (const Bucket& bucket : core_->reducer().buckets())
        bytes.push_back(static_cast<std::int64_t>(bucket.slice.nbytes()));
    return bytes;
}

const NamedTensors& DataParallel::parameters() const {
    return core_->parameters();
}

const NamedTensors& DataParallel::buffers() const {
    return core_->buffers();
}

Communicator& DataParallel::communicator() const {
    return core_->communicator();
}

CommHook* DataParallel::comm_hook() const {
    return core_->reducer().hook().get();
}

NoSync::NoSync(DataParallel::Core* core) : core_(core) {
    core_->enter_no_sync();
}

NoSync::~NoSync() {
    if (core_ != nullptr)
        core_->leave_no_sync();
}

}  // namespace trainyard::parallel
