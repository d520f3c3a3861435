// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/modules/container/sequential.h>

#include <trainyard/big_models.h>
#include <trainyard/device_placement.h>

#include "base/error.h"
#include "checkpoint/weights.h"
#include "formats/hub/fetch.h"
#include "formats/weights/quantization/quantized_source.h"
#include "inference/big_models/own_tensors.h"
#include "models/nn/quantization/linear_kernels.h"

namespace trainyard::dispatch {

using accelerator::Block;

namespace {

std::vector<OwnTensor> tensors_in(const torch::nn::Module& module, bool stored) {
    std::vector<OwnTensor> all;
    std::map<const void*, std::size_t> places;
    const auto add = [&](const std::string& name, const at::Tensor& tensor, bool is_buffer) {
        if (models::is_stored_weight(tensor) != stored)
            return;
        const auto [place, is_new] = places.emplace(tensor.unsafeGetTensorImpl(), all.size());
        if (is_new)
            all.push_back({{}, tensor, is_buffer});
        all[place->second].names.push_back(name);
    };
    for (const auto& item : module.named_parameters())
        add(item.key(), item.value(), false);
    for (const auto& item : module.named_buffers())
        add(item.key(), item.value(), true);
    return all;
}

/// The tensors without values of an offload folder.
WeightsMap in_offload_folder(const std::filesystem::path& folder, const std::vector<OwnTensor>& tensors) {
    WeightsMap stored;
    if (!weights::is_offload_folder(folder))
        return stored;
    const std::unique_ptr<weights::WeightSource> source = weights::open_offload_folder(folder);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const weights::SourceTensor& info = source->tensors()[i];
        const auto found = std::ranges::find_if(tensors, [&](const OwnTensor& tensor) {
            return tensor.tensor.is_meta() && std::ranges::find(tensor.names, info.name) != tensor.names.end();
        });
        const std::optional<weights::FilePiece> piece = source->piece(i);
        if (found == tensors.end() || !piece)
            continue;
        if (found->tensor.sizes() != at::IntArrayRef(info.shape))
            check_match(folder, {}, {}, {shape_misfit(info.name, info.shape, found->tensor.sizes().vec())});
        stored[info.name] = {
            .piece = piece, .type = checkpoint::stored_type(info.dtype, info.name), .shape = info.shape};
    }
    return stored;
}

c10::Device main_device_of(const std::vector<OwnTensor>& tensors, const DeviceMap& map,
                           const std::optional<c10::Device>& given, const std::string& accelerator) {
    if (given)
        return given->is_cpu() || given->has_index() ? *given : c10::Device(given->type(), 0);
    for (const OwnTensor& tensor : tensors) {
        const std::string place = tensor.place(map);
        if (!place.empty() && !is_disk(place) && place != "cpu")
            return device_of(place, accelerator);
    }
    return at::kCPU;
}

}  // namespace

std::string OwnTensor::place(const DeviceMap& map) const {
    for (const std::string& name : names)
        if (const auto found = config::place_in(map, name); found != map.end())
            return found->second;
    return {};
}

std::vector<OwnTensor> own_tensors(const torch::nn::Module& module) {
    return tensors_in(module, false);
}

std::vector<OwnTensor> stored_tensors(const torch::nn::Module& module) {
    return tensors_in(module, true);
}

ModuleDispatchOptions ModuleLoadOptions::of_dispatch() const {
    ModuleDispatchOptions options;
    options.main_device = main_device;
    options.offload_dir = offload_folder;
    options.offload_buffers = offload_buffers;
    options.preload_module_classes = preload_module_classes;
    options.accelerator = accelerator;
    return options;
}

LoadedModule load_checkpoint_in_model(torch::nn::Module& module, const std::filesystem::path& checkpoint,
                                      const ModuleLoadOptions& options) {
    const at::NoGradGuard no_grad;
    const DeviceMap map = options.device_map.value_or(DeviceMap{{"", "cpu"}});
    LoadedModule loaded;
    loaded.warnings = check_device_map(module, map);
    const std::unique_ptr<weights::WeightSource> source =
        quantization::dequantized(weights::open_first_model(hub::model_folder(checkpoint.string())));
    loaded.warnings.insert(loaded.warnings.end(), source->notes().begin(), source->notes().end());
    std::map<std::string, std::size_t> stored;
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        stored.emplace(source->tensors()[i].name, i);
    const std::vector<OwnTensor> wanted = own_tensors(module);
    const c10::Device main = main_device_of(wanted, map, options.main_device, options.accelerator);
    std::set<std::size_t> used;
    std::vector<std::size_t> found;
    std::vector<std::string> missing, left;
    std::vector<Message> misfits;
    for (const OwnTensor& tensor : wanted) {
        std::optional<std::size_t> place;
        for (const std::string& name : tensor.names)
            if (const auto one = stored.find(name); one != stored.end()) {
                place = place.value_or(one->second);
                used.insert(one->second);
            }
        found.push_back(place.value_or(0));
        if (!place)
            missing.push_back(tensor.names.front());
        else if (const std::vector<std::int64_t>& shape = source->tensors()[*place].shape;
                 tensor.tensor.sizes() != at::IntArrayRef(shape))
            misfits.push_back(shape_misfit(tensor.names.front(), shape, tensor.tensor.sizes().vec()));
    }
    check_match(checkpoint, missing, {}, std::move(misfits));
    for (const OwnTensor& tensor : stored_tensors(module))  // are loaded already
        for (const std::string& name : tensor.names)
            if (const auto one = stored.find(name); one != stored.end())
                used.insert(one->second);
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        if (!used.contains(i))
            left.push_back(source->tensors()[i].name);
    report_unused(checkpoint, left, options.strict, loaded.warnings);

    DiskTensors on_disk(options.offload_folder, checkpoint, source->kind());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const OwnTensor& own = wanted[i];
        const std::string& name = own.names.front();
        const weights::SourceTensor& info = source->tensors()[found[i]];
        const at::ScalarType type = checkpoint::stored_type(info.dtype, checkpoint.string() + ": '" + info.name + "'");
        const bool in_fp32 = std::ranges::any_of(options.keep_in_fp32_modules, [&](const std::string& part) {
            return name.find(part) != std::string::npos;
        });
        at::ScalarType as = own.tensor.scalar_type();
        if (options.dtype && at::isFloatingType(as))
            as = in_fp32 ? at::kFloat : *options.dtype;
        if (as != own.tensor.scalar_type())  // of the same kind of device, so LibTorch can change the type
            own.tensor.set_data(
                at::empty_strided(own.tensor.sizes(), own.tensor.strides(), own.tensor.options().dtype(as)));
        const std::string place = own.place(map);
        const bool stays = own.is_buffer && !options.offload_buffers;
        if (is_disk(place) && !stays) {
            StoredTensor at_rest{.piece = source->piece(found[i]), .type = type, .shape = info.shape};
            if (!at_rest.piece)
                at_rest.piece = on_disk.writer_for(name).write(
                    name, info.dtype, info.shape,
                    [&](const weights::ByteSink& sink) { source->stream(found[i], sink); });
            loaded.offloaded.emplace(name, std::move(at_rest));
        } else if (place == "cpu" && !main.is_cpu() && !stays) {
            loaded.offloaded.emplace(name,
                                     StoredTensor{.tensor = map_tensor(*source, found[i], type).to(as, false, true),
                                                  .type = as,
                                                  .shape = info.shape});
        } else {
            const c10::Device device = place == "cpu" || is_disk(place) ? main : device_of(place, options.accelerator);
            accelerator::replace_data(own.tensor, map_tensor(*source, found[i], type).to(device, as, false, true));
        }
    }
    on_disk.finish();
    files::throw_if_pages_were_lost();
    return loaded;
}

/// An element of a Sequential that is called through a block.
struct DispatchedModule::Element {
    class Caller final : public torch::nn::Module {
      public:
        Caller(torch::nn::AnyModule inner, std::shared_ptr<accelerator::ModuleUnit> unit)
            : inner_(std::move(inner)), unit_(std::move(unit)) {}
        at::Tensor forward(at::Tensor x) {
            return unit_
                ->run({std::move(x)},
                      [this](const parallel::Tensors& inputs) {
                          return parallel::Tensors{inner_.forward(inputs.front())};
                      })
                .front();
        }
        torch::nn::AnyModule& inner() { return inner_; }

      private:
        torch::nn::AnyModule inner_;
        std::shared_ptr<accelerator::ModuleUnit> unit_;
    };
    class ElementBlock final : public Block {
      public:
        ElementBlock(std::shared_ptr<torch::nn::Module> module, const std::string& name)
            : Block(name, {}, false), module_(std::move(module)), class_(name) {}
        std::string class_name() const override { return class_; }
        NamedTensors named_parameters() const override {
            return accelerator::detail::named(module_->named_parameters());
        }
        NamedTensors named_buffers() const override { return accelerator::detail::named(module_->named_buffers()); }

      private:
        std::shared_ptr<torch::nn::Module> module_;
        std::string class_;
    };

    std::shared_ptr<torch::nn::Module> owner;  ///< keeps the slot alive
    torch::nn::AnyModule* slot;
    std::shared_ptr<Caller> caller;
    ElementBlock block;

    Element(std::shared_ptr<torch::nn::Module> sequential, torch::nn::AnyModule& in)
        : owner(std::move(sequential)), slot(&in), block(in.ptr(), module_tree(*in.ptr()).type) {
        caller = std::make_shared<Caller>(std::move(in), block.shared_unit());
        in = torch::nn::AnyModule(caller);
    }
    ~Element() { *slot = std::move(caller->inner()); }
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;
};

void DispatchedModule::wrap_elements(torch::nn::Module& module, std::set<const void*>& wrapped) {
    if (auto* sequential = dynamic_cast<torch::nn::SequentialImpl*>(&module))
        for (torch::nn::AnyModule& element : *sequential)
            if (!element.ptr()->parameters().empty() && wrapped.insert(element.ptr().get()).second)
                elements_.push_back(std::make_unique<Element>(module.shared_from_this(), element));
    for (const std::shared_ptr<torch::nn::Module>& child : module.children())
        wrap_elements(*child, wrapped);
}

DispatchedModule::DispatchedModule(std::shared_ptr<torch::nn::Module> module, std::shared_ptr<Block> root,
                                   std::vector<Block*> blocks, DeviceMap map, WeightsMap offloaded,
                                   const ModuleDispatchOptions& options)
    : module_(std::move(module)), root_(std::move(root)), map_(std::move(map)) {
    const at::NoGradGuard no_grad;
    warnings_ = check_device_map(*module_, map_);
    const std::vector<OwnTensor> tensors = own_tensors(*module_);
    const c10::Device main = main_device_of(tensors, map_, options.main_device, options.accelerator);
    std::set<std::string> places;
    for (const OwnTensor& tensor : tensors)
        places.insert(tensor.place(map_));
    const bool is_simple = !options.force_hooks && offloaded.empty() && places.size() == 1 &&
                           !is_disk(*places.begin()) && (*places.begin() != "cpu" || main.is_cpu());
    std::set<const void*> wrapped;
    if (!is_simple)
        wrap_elements(*module_, wrapped);
    for (const std::unique_ptr<Element>& element : elements_)
        blocks.push_back(&element->block);

    // The innermost blocks that have a tensor load it; the model itself where one of its names is in no block.
    std::vector<std::map<const void*, std::size_t>> names_in;  // [block] names of a tensor
    for (const Block* block : blocks) {
        std::map<const void*, std::size_t>& own = names_in.emplace_back();
        for (const NamedTensors& named : {block->named_parameters(), block->named_buffers()})
            for (const auto& [name, tensor] : named)
                ++own[tensor.unsafeGetTensorImpl()];
    }
    const auto is_inside = [&](std::size_t inner, std::size_t outer) {
        return names_in[inner].size() < names_in[outer].size() &&
               std::ranges::all_of(names_in[inner],
                                   [&](const auto& one) { return names_in[outer].contains(one.first); });
    };
    std::vector<std::vector<const OwnTensor*>> used_by(blocks.size() + 1);  // the last one is the model itself
    for (const OwnTensor& tensor : tensors) {
        const void* impl = tensor.tensor.unsafeGetTensorImpl();
        std::size_t in_blocks = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!names_in[i].contains(impl))
                continue;
            bool has_inner = false;
            for (std::size_t other = 0; other < blocks.size(); ++other)
                has_inner |= names_in[other].contains(impl) && is_inside(other, i);
            if (!has_inner)
                in_blocks += names_in[i].at(impl);
            if (!has_inner || options.preload_module_classes.contains(blocks[i]->class_name()))
                used_by[i].push_back(&tensor);
        }
        if (in_blocks < tensor.names.size())
            used_by.back().push_back(&tensor);
    }

    std::vector<c10::Device> devices;
    for (std::size_t i = 0; i < used_by.size(); ++i) {
        std::map<std::string, std::int64_t> held;
        for (const OwnTensor* tensor : used_by[i])
            if (const std::string place = tensor->place(map_); place != "cpu" && !is_disk(place))
                held[place] += tensor->tensor.numel();
        const auto most = std::ranges::max_element(held, {}, [](const auto& one) { return one.second; });
        devices.push_back(most == held.end() || i == blocks.size() ? main
                                                                   : device_of(most->first, options.accelerator));
    }

    std::map<const void*, std::set<std::string>> computes_on;
    for (std::size_t i = 0; i < used_by.size(); ++i)
        for (const OwnTensor* tensor : used_by[i])
            computes_on[tensor->tensor.unsafeGetTensorImpl()].insert(devices[i].str());
    DiskTensors on_disk(options.offload_dir);
    offloaded.merge(in_offload_folder(options.offload_dir, tensors));
    for (const OwnTensor& tensor : tensors) {
        const void* impl = tensor.tensor.unsafeGetTensorImpl();
        const std::string place = tensor.place(map_);
        const std::set<std::string>& users = computes_on[impl];
        std::optional<StoredTensor> stored;
        for (const std::string& name : tensor.names)
            if (const auto one = offloaded.find(name); one != offloaded.end() && !stored)
                stored = std::move(one->second);
        if (!stored && tensor.tensor.is_meta())
            throw_no_value(tensor.names.front());
        if (!stored) {
            const bool stays = tensor.is_buffer && !options.offload_buffers;
            const c10::Device home = stays            ? c10::Device(*users.begin())
                                     : is_disk(place) ? c10::Device(at::kCPU)
                                                      : device_of(place, options.accelerator);
            if (stays || (!is_disk(place) && users == std::set{home.str()})) {
                accelerator::replace_data(tensor.tensor, tensor.tensor.detach().to(home));
                continue;
            }
            const at::Tensor value = tensor.tensor.detach();
            stored = is_disk(place) ? on_disk.write(tensor.names.front(), value)
                                    : StoredTensor{.tensor = value.to(home), .shape = value.sizes().vec()};
        }
        offloaded_.emplace(impl, std::make_shared<OffloadedTensor>(tensor.tensor, tensor.is_buffer, std::move(stored)));
    }
    on_disk.finish();
    if (is_simple)
        return;

    for (std::size_t i = 0; i < used_by.size(); ++i) {
        const Block& block = i < blocks.size() ? *blocks[i] : *root_;
        std::vector<std::shared_ptr<OffloadedTensor>> own;
        for (const OwnTensor* tensor : used_by[i])
            if (const auto found = offloaded_.find(tensor->tensor.unsafeGetTensorImpl()); found != offloaded_.end())
                own.push_back(found->second);
        auto hook = std::make_shared<AlignDevicesHook>(
            AlignDevicesOptions{.execution_device = devices[i], .offload = true, .io_same_device = i == blocks.size()},
            std::move(own));
        block.unit().add_hook(hook.get());
        hooks_.emplace_back(block.shared_unit(), std::move(hook));
    }
}

void DispatchedModule::use_stored_weights(std::shared_ptr<ModelHook> hook) {
    root_->unit().add_hook(hook.get());
    stored_weights_ = std::move(hook);
}

DispatchedModule::~DispatchedModule() {
    if (stored_weights_ != nullptr)
        root_->unit().remove_hook(stored_weights_.get());
    for (const auto& [unit, hook] : hooks_)
        unit->remove_hook(hook.get());
}

void DispatchedModule::remove_hooks() {
    const at::NoGradGuard no_grad;
    for (const auto& [unit, hook] : std::exchange(hooks_, {}))
        unit->remove_hook(hook.get());
    elements_.clear();
    for (const auto& [impl, tensor] : std::exchange(offloaded_, {}))
        accelerator::replace_data(tensor->tensor(), tensor->value());
    for (const OwnTensor& own : own_tensors(*module_))
        if (!own.tensor.is_cpu())
            accelerator::replace_data(own.tensor, own.tensor.detach().to(at::kCPU));
}

AlignedTensors::AlignedTensors(const NamedTensors& tensors, const OffloadedTensors& offloaded, c10::Device device) {
    const at::NoGradGuard no_grad;
    try {
        for (const auto& [name, tensor] : tensors) {
            if (const auto stored = offloaded.find(tensor.unsafeGetTensorImpl()); stored != offloaded.end()) {
                stored->second->take(device);
                taken_.push_back(stored->second);
            } else if (tensor.device() != device) {
                if (tensor.is_meta())
                    throw_no_value(name);
                const c10::Device home = tensor.device();
                accelerator::replace_data(tensor, tensor.detach().to(device));
                moved_.emplace_back(tensor, home);
            }
        }
    } catch (...) {
        give_back();
        throw;
    }
}

AlignedTensors::~AlignedTensors() {
    give_back();
}

void AlignedTensors::give_back() noexcept {
    const at::NoGradGuard no_grad;
    for (const auto& [tensor, home] : moved_)
        accelerator::replace_data(tensor, tensor.detach().to(home));
    for (const std::shared_ptr<OffloadedTensor>& tensor : taken_)
        tensor->release();
}

namespace {

NamedTensors tensors_of(const torch::nn::Module& module) {
    NamedTensors tensors;
    for (const OwnTensor& own : own_tensors(module))
        tensors.emplace_back(own.names.front(), own.tensor);
    return tensors;
}

}  // namespace

AlignedTensors DispatchedModule::align(const torch::nn::Module& part, c10::Device device) const {
    return {tensors_of(part), offloaded_, device};
}

AlignedTensors align_module_device(const torch::nn::Module& module, c10::Device device) {
    return {tensors_of(module), {}, device};
}

NamedTensors DispatchedModule::state_dict() const {
    const at::NoGradGuard no_grad;
    NamedTensors state;
    for (const OwnTensor& own : own_tensors(*module_)) {
        const auto offloaded = offloaded_.find(own.tensor.unsafeGetTensorImpl());
        const at::Tensor value =
            offloaded != offloaded_.end() ? offloaded->second->value() : own.tensor.detach().to(at::kCPU);
        for (const std::string& name : own.names)
            state.emplace_back(name, value);
    }
    return state;
}

ModuleCpuOffloadHook::ModuleCpuOffloadHook(std::shared_ptr<torch::nn::Module> module, c10::Device device,
                                           std::shared_ptr<ModuleCpuOffloadHook> previous)
    : module_(std::move(module)), device_(device), previous_(std::move(previous)) {
    offload();
}

void ModuleCpuOffloadHook::move_to(c10::Device device) {
    const at::NoGradGuard no_grad;
    for (const OwnTensor& own : own_tensors(*module_))
        if (own.tensor.device() != device)
            accelerator::replace_data(own.tensor, own.tensor.detach().to(device));
}

bool ModuleCpuOffloadHook::is_on_device() const {
    const auto tensors = own_tensors(*module_);
    return !tensors.empty() && std::ranges::all_of(tensors, [&](const OwnTensor& own) {
        const c10::Device device = own.tensor.device();
        return device.type() == device_.type() && (!device_.has_index() || device.index() == device_.index());
    });
}

void ModuleCpuOffloadHook::offload() {
    move_to(at::kCPU);
}

void ModuleCpuOffloadHook::pre_forward(parallel::Unit&, parallel::Tensors& inputs) {
    if (is_removed_)
        return;
    if (!is_on_device()) {
        if (previous_ != nullptr)
            previous_->offload();
        move_to(device_);
    }
    for (at::Tensor& input : inputs)
        if (input.defined() && input.device() != device_)
            input = input.to(device_);
}

}  // namespace trainyard::dispatch
