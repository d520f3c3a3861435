// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/through_host.h"

#include <ATen/ops/empty_like.h>

#include "distributed/parallel/backend.h"

namespace trainyard::parallel {

namespace {

/// The result is on the device when wait() returns.
class CopyBack final : public Pending::Work {
  public:
    /// `work` may be nullptr: the result is there.
    CopyBack(std::unique_ptr<Pending::Work> work, at::Tensor host, at::Tensor device)
        : work_(std::move(work)), host_(std::move(host)), device_(std::move(device)) {}

    void wait() override {
        if (work_)
            work_->wait();
        if (device_.defined())
            device_.copy_(host_);
    }

  private:
    std::unique_ptr<Pending::Work> work_;
    at::Tensor host_, device_;
};

class ThroughHost final : public Communicator {
  public:
    ThroughHost(std::shared_ptr<Communicator> host, at::Device device) : host_(std::move(host)), device_(device) {}

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    at::Device device() const override { return device_; }

  protected:
    std::unique_ptr<Pending::Work> start(const Collective& collective) override {
        Collective on_host = collective;
        if (collective.in.defined())
            on_host.in = collective.in.cpu();
        if (collective.out.defined())
            on_host.out = is_source(collective)
                              ? collective.out.cpu()
                              : at::empty_like(collective.out, collective.out.options().device(at::kCPU));
        std::unique_ptr<Pending::Work> work = start_on(*host_, on_host);
        return std::make_unique<CopyBack>(std::move(work), on_host.out, collective.out);
    }

  private:
    /// Returns true if the content of `out` is sent.
    bool is_source(const Collective& collective) const {
        return collective.kind == CollectiveKind::all_reduce ||
               (collective.kind == CollectiveKind::broadcast && collective.peer == rank());
    }

    std::shared_ptr<Communicator> host_;
    at::Device device_;
};

}  // namespace

std::shared_ptr<Communicator> through_host(std::shared_ptr<Communicator> host, at::Device device) {
    return std::make_shared<ThroughHost>(std::move(host), device);
}

}  // namespace trainyard::parallel
