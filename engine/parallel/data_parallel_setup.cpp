// DataParallel before the first step: what is checked, where gradients lie, how autograd tells that they came.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include "base/error.h"
#include "parallel/coalesced.h"
#include "parallel/data_parallel_core.h"
#include "parallel/fingerprint.h"

namespace trainyard::parallel {

namespace {

/// Runs after a gradient was accumulated into its parameter. A post hook, since a node can have several of them.
class ArrivalHook final : public torch::autograd::FunctionPostHook {
  public:
    ArrivalHook(DataParallel::Core* core, std::size_t slot) : core_(core), slot_(slot) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                              const torch::autograd::variable_list&) override {
        core_->arrived(slot_);
        return outputs;
    }

  private:
    DataParallel::Core* core_;
    std::size_t slot_;
};

std::vector<at::Tensor> tensors_of(const NamedTensors& named) {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : named)
        tensors.push_back(tensor);
    return tensors;
}

NamedTensors without_repetitions(NamedTensors named) {
    std::set<const void*> seen;
    std::erase_if(named, [&](const auto& entry) {
        return !entry.second.defined() || !seen.insert(entry.second.unsafeGetTensorImpl()).second;
    });
    return named;
}

/// Checked before anything is exchanged; all problems in one message.
void check_parameters(const NamedTensors& parameters, const DataParallelOptions& options) {
    std::string problems;
    auto add = [&](const std::string& problem) { problems += (problems.empty() ? "" : "; ") + problem; };
    bool any = false;
    for (const auto& [name, tensor] : parameters) {
        if (!tensor.requires_grad())
            continue;
        any = true;
        if (!tensor.is_leaf())
            add("parameter " + name + " is computed from others: give the leaf it is computed from");
        if (tensor.layout() != at::kStrided)
            add("parameter " + name + " is not dense: make it dense");
        if (tensor.is_complex())
            add("parameter " + name + " is complex: keep it as two real numbers (view_as_real)");
    }
    if (!any)
        add("no parameter requires a gradient: data parallel has nothing to do");
    if (!(options.bucket_cap_mb > 0) || !(options.first_bucket_mb >= 0))
        add("bucket_cap_mb is " + std::to_string(options.bucket_cap_mb) + ": it must be more than 0");
    if (!problems.empty())
        throw UserError(problems);
}

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
    check_parameters(parameters_, options_);
    if (options_.check_same && communicator_.size() > 1) {
        NamedTensors all = parameters_;
        all.insert(all.end(), buffers_.begin(), buffers_.end());
        Description description = describe_tensors(all);
        for (const auto& [name, tensor] : parameters_)
            description.emplace_back(name + " requires_grad", tensor.requires_grad() ? "true" : "false");
        check_same_on_all_ranks(communicator_, description, "the model");
    }
    broadcast_everything(0);
    make_slots();
    reducer_ = std::make_unique<Reducer>(make_buckets(), communicator_, options_.comm_hook);
    if (communicator_.size() > 1)
        add_hooks();
}

DataParallel::Core::~Core() {
    for (Slot& slot : slots_)
        if (slot.accumulator)
            slot.accumulator->del_post_hook(slot.hook);
}

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
        bucket.name = "gradients to " + slots_[filling.slots.back()].name;
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
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        slots_[i].accumulator = torch::autograd::impl::grad_accumulator(slots_[i].parameter);
        slots_[i].hook = slots_[i].accumulator->add_post_hook(std::make_unique<ArrivalHook>(this, i));
    }
}

void DataParallel::Core::broadcast_everything(int root) {
    std::vector<at::Tensor> all = tensors_of(parameters_);
    for (const at::Tensor& buffer : tensors_of(buffers_))
        all.push_back(buffer);
    broadcast_coalesced(all, root, communicator_, "start values of the model");
}

void DataParallel::Core::broadcast_buffers() {
    broadcast_coalesced(tensors_of(buffers_), buffer_root_, communicator_, "buffers of the model");
}

}  // namespace trainyard::parallel
