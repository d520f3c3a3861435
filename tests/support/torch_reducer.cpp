// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/torch_reducer.h"

#include <algorithm>

#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

namespace trainyard::test {

struct TorchStore::Impl {
    c10::intrusive_ptr<c10d::HashStore> store = c10::make_intrusive<c10d::HashStore>();
};

TorchStore::TorchStore() : impl(std::make_unique<Impl>()) {}
TorchStore::~TorchStore() = default;

struct TorchReducer::Impl {
    c10::intrusive_ptr<c10d::ProcessGroup> group;
    std::shared_ptr<c10d::Reducer> reducer;
    std::shared_ptr<c10d::Logger> logger;  ///< the reducer uses it without a null check
};

TorchReducer::TorchReducer(TorchStore& store, int rank, int size, std::vector<at::Tensor> parameters,
                           double bucket_cap_mb, double first_bucket_mb, bool find_unused_parameters,
                           bool gradient_as_bucket_view)
    : impl_(std::make_unique<Impl>()) {
    auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(60));
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    options->threads = 1;
    auto gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store.impl->store, rank, size, options);
    impl_->group = c10::make_intrusive<c10d::ProcessGroup>(store.impl->store, rank, size);
    impl_->group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
    impl_->group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
    impl_->group->setGroupName("oracle");

    auto bytes = [](double mb) { return static_cast<std::int64_t>(mb * 1024 * 1024); };
    std::vector<std::size_t> limits{static_cast<std::size_t>(bytes(first_bucket_mb)),
                                    static_cast<std::size_t>(bytes(bucket_cap_mb))};
    auto buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters, limits));
    std::reverse(buckets.begin(), buckets.end());
    std::vector<bool> sparse(parameters.size(), false);
    impl_->reducer = std::make_shared<c10d::Reducer>(
        std::move(parameters), std::move(buckets), impl_->group, std::move(sparse), bytes(bucket_cap_mb),
        find_unused_parameters, gradient_as_bucket_view, std::unordered_map<std::size_t, std::string>{},
        bytes(first_bucket_mb), false, false, std::vector<std::int64_t>{});
    impl_->logger = std::make_shared<c10d::Logger>(impl_->reducer);
    impl_->reducer->set_logger(impl_->logger);
}

TorchReducer::~TorchReducer() = default;

void TorchReducer::prepare_for_backward(const at::Tensor& output) {
    impl_->reducer->prepare_for_forward();
    impl_->reducer->rebuild_buckets();
    impl_->reducer->prepare_for_backward({output});
}

}  // namespace trainyard::test
