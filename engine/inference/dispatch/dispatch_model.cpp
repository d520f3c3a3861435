// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/dispatch_model.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>

#include "base/error.h"
#include "base/free_memory.h"
#include "checkpoint/weights.h"
#include "formats/weights/offload_folder.h"

namespace trainyard::dispatch {

namespace {

using parallel::StepContext;
using parallel::Tensors;
using parallel::Unit;
using parallel::UnitForward;

void move(at::Tensor& tensor, c10::Device device) {
    if (tensor.defined() && tensor.device() != device)
        tensor = tensor.to(device);
}

/// For allocations that name no number of a device.
std::optional<c10::Device> on_accelerator(c10::Device device) {
    return device.is_cpu() ? std::nullopt : std::optional(device);
}

/// The dtype that products of a tensor have.
at::ScalarType compute_type(const ModelTensor& tensor) {
    return tensor.parameter != nullptr ? tensor.parameter->compute().scalar_type() : tensor.buffer->value.scalar_type();
}

bool has_value(const ModelTensor& tensor) {
    const at::Tensor& value = tensor.parameter != nullptr ? tensor.parameter->value() : tensor.buffer->value;
    return value.defined() && !value.is_meta();
}

const at::Tensor& value_in(const ModelTensor& tensor) {
    return tensor.parameter != nullptr ? tensor.parameter->value() : tensor.buffer->value;
}

void place_on(const ModelTensor& tensor, c10::Device device) {
    if (tensor.parameter != nullptr && tensor.parameter->is_packed())
        return;
    const at::ScalarType type = compute_type(tensor);
    const auto [value, compute] = values_for(tensor, value_in(tensor), type, device);
    tensor.place(value, compute);
}

}  // namespace

Dispatched::Dispatched(const models::Model& model, std::vector<UnitWeights> units, std::uint64_t page_room, bool trains)
    : units_(model.units()), trains_(trains) {
    bool any = false;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        number_[units_[i]] = i;
        devices_.push_back(units[i].device);
        any |= !units[i].uses.empty();
    }
    first_device_ = devices_.empty() ? c10::Device(at::kCPU) : devices_.front();
    if (any)
        prefetcher_ = std::make_unique<Prefetcher>(std::move(units), page_room);
    for (Unit* unit : units_)
        unit->add_hook(this);
}

Dispatched::~Dispatched() {
    for (Unit* unit : units_)
        unit->remove_hook(this);
}

bool Dispatched::has_offloaded_params() const {
    return prefetcher_ != nullptr;
}

void MovedContext::move(Tensors& inputs, StepContext& context, c10::Device device) {
    for (at::Tensor& input : inputs)
        dispatch::move(input, device);
    for (at::Tensor* each : {&context.tokens, &context.labels, &context.attention_mask, &context.position_ids})
        dispatch::move(*each, device);
    for (auto& [name, tensor] : context.inputs)
        dispatch::move(tensor, device);
    if (context.loss_sum.defined() && context.loss_sum.device() != device) {
        loss_sum_ = context.loss_sum;
        context.loss_sum = loss_sum_.to(device);
    }
}

void MovedContext::give_back(StepContext& context) {
    if (!loss_sum_.defined())
        return;
    loss_sum_.copy_(context.loss_sum);
    context.loss_sum = std::exchange(loss_sum_, at::Tensor());
}

void Dispatched::before(Unit& unit, Tensors& inputs, StepContext& context) {
    const std::size_t number = number_.at(&unit);
    if (context.training && prefetcher_ != nullptr && !trains_)
        throw UserError(
            "weights of this model are offloaded, so it can be used but not trained: train it on devices that hold it");
    moved_.move(inputs, context, devices_[number]);
    const bool backward_follows = context.training && at::GradMode::is_enabled();
    if (uses_any(number))
        prefetcher_->take(number, backward_follows ? Prefetcher::Next::forward : Prefetcher::Next::cyclic);
}

Tensors Dispatched::around(Unit& unit, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    const c10::OptionalDeviceGuard guard(on_accelerator(devices_[number_.at(&unit)]));
    return forward(inputs, context);
}

void Dispatched::after(Unit& unit, Tensors&, StepContext& context) {
    const std::size_t number = number_.at(&unit);
    files::throw_if_pages_were_lost();  // what was computed with them is worth nothing
    moved_.give_back(context);
    const bool backward_begins =
        context.training && at::GradMode::is_enabled() && prefetcher_ != nullptr && prefetcher_->is_last(number);
    if (uses_any(number) && !backward_begins)
        prefetcher_->give_back(number);
}

void Dispatched::before_backward(Unit& unit, const Tensors&, int) {
    if (const std::size_t number = number_.at(&unit); uses_any(number))
        prefetcher_->take(number, Prefetcher::Next::backward);
}

void Dispatched::after_backward(Unit& unit, const Tensors&, int) {
    files::throw_if_pages_were_lost();
    if (const std::size_t number = number_.at(&unit); uses_any(number))
        prefetcher_->give_back(number);
}

std::map<const Unit*, c10::Device> execution_devices(const models::Model& model, const DeviceMap& map,
                                                     const DispatchOptions& options) {
    std::optional<c10::Device> main = options.main_device;
    std::map<const Unit*, std::map<std::string, std::int64_t>> held;  // elements by device
    for (const ModelTensor& tensor : tensors_of(model)) {
        const std::string place = place_of(tensor, map);
        if (tensor.is_adapter() || place.empty() || place == "cpu" || is_disk(place))
            continue;
        const c10::Device device = device_of(place, options.accelerator);
        main = main.value_or(device);
        std::int64_t elements = 1;
        for (const std::int64_t size : tensor.shape())
            elements *= size;
        held[tensor.unit][place] += elements;
    }
    std::map<const Unit*, c10::Device> devices;
    for (const Unit* unit : model.units()) {
        c10::Device device = main.value_or(at::kCPU);
        std::int64_t most = 0;
        for (const auto& [place, elements] : held[unit])
            if (elements > most) {
                most = elements;
                device = device_of(place, options.accelerator);
            }
        devices.emplace(unit, device);
    }
    return devices;
}

std::unique_ptr<Dispatched> dispatch_model(const models::Model& model, const DeviceMap& device_map,
                                           WeightsMap offloaded, const DispatchOptions& options) {
    at::NoGradGuard no_grad;
    check_device_map(model, device_map);
    const std::map<const Unit*, c10::Device> devices = execution_devices(model, device_map, options);
    DiskTensors on_disk(options.offload_dir);
    std::map<const parallel::Parameter*, StoredTensor> stored_parameters;
    std::map<const Unit*, std::vector<Use>> uses;
    for (const ModelTensor& tensor : tensors_of(model)) {
        const c10::Device device = devices.at(tensor.unit);
        const std::string place = tensor.is_adapter() ? std::string() : place_of(tensor, device_map);
        if (tensor.parameter != nullptr &&
            (tensor.parameter->is_packed() || options.elsewhere.contains(tensor.parameter) ||
             (options.keeps_trained && tensor.parameter->trains())))
            continue;
        const bool aside = !place.empty() && (is_disk(place) || device_of(place, options.accelerator) != device) &&
                           (tensor.parameter != nullptr || options.offload_buffers);
        auto entry = offloaded.find(tensor.name);
        if (entry == offloaded.end() && !has_value(tensor))
            throw_no_value(tensor.name);
        if (entry == offloaded.end() && !aside) {
            place_on(tensor, device);
            continue;
        }
        if (entry == offloaded.end()) {
            StoredTensor stored;
            if (is_disk(place)) {
                stored = on_disk.write(tensor.name, value_in(tensor));
                stored.compute = compute_type(tensor);
            } else {
                const at::Tensor value = value_in(tensor).to(device_of(place, options.accelerator));
                stored = {.tensor = value,
                          .type = value.scalar_type(),
                          .shape = value.sizes().vec(),
                          .compute = compute_type(tensor)};
            }
            entry = offloaded.emplace(tensor.name, std::move(stored)).first;
        }
        tensor.place({}, {});
        uses[tensor.unit].push_back(
            {tensor, entry->second, tensor.parameter != nullptr && tensor.parameter->is_table()});
        if (tensor.parameter != nullptr)
            stored_parameters[tensor.parameter] = entry->second;
    }
    on_disk.finish();
    std::vector<UnitWeights> units;
    for (Unit* unit : model.units()) {
        UnitWeights weights{devices.at(unit), std::move(uses[unit])};
        // Tied weights are stored once, and each unit that uses one brings it.
        for (parallel::Parameter* tied : unit->tied_parameters()) {
            if (const auto stored = stored_parameters.find(tied); stored != stored_parameters.end()) {
                weights.uses.push_back({{tied->name(), unit, tied, nullptr}, stored->second, false});
                weights.uses.back().stored.compute = stored->second.product.value_or(stored->second.compute);
            } else if (!options.elsewhere.contains(tied) && tied->value().device() != weights.device)
                weights.uses.push_back({{tied->name(), unit, tied, nullptr},
                                        {.tensor = tied->value(),
                                         .type = tied->value().scalar_type(),
                                         .shape = tied->shape(),
                                         .compute = tied->compute().scalar_type()},
                                        false,
                                        true});
        }
        units.push_back(std::move(weights));
    }
    return std::make_unique<Dispatched>(
        model, std::move(units), options.page_room ? *options.page_room : available_memory(), options.keeps_trained);
}

std::unique_ptr<Dispatched> cpu_offload(const models::Model& model, c10::Device execution_device,
                                        bool offload_buffers) {
    DispatchOptions options;
    options.main_device = execution_device;
    options.offload_buffers = offload_buffers;
    return dispatch_model(model, {{"", "cpu"}}, {}, options);
}

std::unique_ptr<Dispatched> disk_offload(const models::Model& model, const std::filesystem::path& offload_dir,
                                         c10::Device execution_device, bool offload_buffers) {
    DispatchOptions options;
    options.main_device = execution_device;
    options.offload_buffers = offload_buffers;
    options.offload_dir = offload_dir;
    WeightsMap offloaded;
    if (weights::is_offload_folder(offload_dir)) {
        const std::unique_ptr<weights::WeightSource> source = weights::open_offload_folder(offload_dir);
        std::map<std::string, ModelTensor> wanted;
        for (const ModelTensor& tensor : tensors_of(model))
            wanted.emplace(tensor.name, tensor);
        for (std::size_t i = 0; i < source->tensors().size(); ++i) {
            const weights::SourceTensor& info = source->tensors()[i];
            const auto found = wanted.find(info.name);
            const std::optional<weights::FilePiece> piece = source->piece(i);
            if (found == wanted.end() || has_value(found->second) || !piece)
                continue;
            if (info.shape != found->second.shape())
                throw UserError("{}: '{}' has another shape than the model's", offload_dir.string(), info.name);
            const at::ScalarType type = checkpoint::stored_type(info.dtype, info.name);
            offloaded[info.name] = {.piece = piece, .type = type, .shape = info.shape, .compute = at::kFloat};
        }
    }
    return dispatch_model(model, {{"", "disk"}}, std::move(offloaded), options);
}

UserCpuOffloadHook::UserCpuOffloadHook(const models::Model& model, c10::Device device, UserCpuOffloadHook* previous)
    : model_(model), device_(device), previous_(previous) {
    for (Unit* unit : model_.units())
        unit->add_hook(this);
    offload();
}

void UserCpuOffloadHook::offload() {
    for (const ModelTensor& tensor : tensors_of(model_))
        place_on(tensor, at::kCPU);
    on_device_ = false;
}

void UserCpuOffloadHook::remove() {
    if (attached_)
        for (Unit* unit : model_.units())
            unit->remove_hook(this);
    attached_ = false;
}

void UserCpuOffloadHook::before(Unit&, Tensors& inputs, StepContext& context) {
    if (!on_device_) {
        if (previous_ != nullptr)
            previous_->offload();
        for (const ModelTensor& tensor : tensors_of(model_))
            place_on(tensor, device_);
        on_device_ = true;
    }
    moved_.move(inputs, context, device_);
}

Tensors UserCpuOffloadHook::around(Unit&, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    const c10::OptionalDeviceGuard guard(on_accelerator(device_));
    return forward(inputs, context);
}

void UserCpuOffloadHook::after(Unit&, Tensors&, StepContext& context) {
    moved_.give_back(context);
}

std::unique_ptr<UserCpuOffloadHook> cpu_offload_with_hook(const models::Model& model, c10::Device execution_device,
                                                          UserCpuOffloadHook* prev_module_hook) {
    return std::make_unique<UserCpuOffloadHook>(model, execution_device, prev_module_hook);
}

}  // namespace trainyard::dispatch
