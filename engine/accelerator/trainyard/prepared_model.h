// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model that was prepared: on its device, its gradients averaged over the ranks, its forward under automatic
// casting, its outputs in fp32. PreparedModel is what the accelerator knows of a model of any type; Prepared<Net> is
// the handle that user code calls.
//
// Net is any class with forward(...), named_parameters() and named_buffers(): every torch::nn::Module, or one's own.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/GradMode.h>

#include <trainyard/block.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/process_state.h"
#include "distributed/parallel/sharding.h"
#include "distributed/tensors/tree.h"
#include "profile/marks.h"
#include "train/loop/gradient_store.h"
#include "train/loop/precision.h"

namespace trainyard::parallel {
class Parameter;
}
namespace trainyard::train {
class FlatGradients;
}
namespace trainyard::models {
class KernelOfWeight;
}

namespace trainyard::accelerator {

class FlatModule;
class Float8Modules;

/// Elements [begin, begin + values.numel()) of a parameter, flat.
struct HeldElements {
    /// The first of them.
    std::int64_t begin = 0;
    /// The fp32 values; a view.
    at::Tensor values;
};

/// How the ranks divide a module.
struct ModuleSharding {
    /// What is divided: optimizer state, gradients, weights.
    parallel::Sharding sharding = {};
    /// Ranks that divide it among themselves, and those with the same share; null: all ranks, and no others.
    parallel::Communicator* shards = nullptr;
    /// Ranks with the same share; null: no others. Not owned.
    parallel::Communicator* copies = nullptr;
    /// Ranks with a second copy of what is divided (ZeRO++); null: there is none. Not owned.
    parallel::Communicator* secondary_shards = nullptr;
    std::vector<Block*> blocks = {};  ///< whose weights are gathered one at a time (zero_stage 3)
    /// Parameters that are whole on every rank at any time (ignored modules).
    std::set<const void*> persistent = {};
    /// False: weights of a block stay gathered from its forward to its backward.
    bool reshard_after_forward = true;
    /// The number of blocks whose weights are gathered before they compute.
    std::size_t gathered_ahead = 2;
    /// For the weights that a rank owns (zero_stage 3); empty: they are in memory.
    std::filesystem::path offload_folder = {};
    /// The state of its optimizer is on a disk: a module of one rank alone is on flat groups, too.
    bool state_on_disk = false;
    /// The module is not trained: weights that are divided are gathered for its forward, and have no gradients.
    bool forward_only = false;
    /// All ranks start from the values of the first one. False: each from its own.
    bool sends_values = true;
};

/// The state of a prepared model that does not depend on its class: tensors, precision, reduction of gradients.
class PreparedModel {
  public:
    /// The parts that a model is prepared from.
    struct Parts {
        std::shared_ptr<void> module;  ///< keeps it alive; its address tells models apart
        NamedTensors parameters;       ///< by name
        NamedTensors buffers;          ///< by name
        /// The precision of the forward.
        Precision precision = Precision::no;
        /// Automatic casting in the forward.
        AutocastOptions autocast;
        /// The device of the tensors.
        at::Device device = at::Device(at::kCPU);
        /// The ranks.
        std::shared_ptr<parallel::ProcessState> process;
        train::GradientStore* gradients = nullptr;  ///< of the module, where it keeps and sums them itself
        /// Of weights that are stored in another number format than they are computed in
        /// (<trainyard/quantized_modules.h>). They are not among the parameters: checkpoints do not have them, and
        /// ranks do not send them.
        std::vector<std::shared_ptr<models::KernelOfWeight>> stored = {};
    };
    /// Several ranks: replicas, or, where `sharding` says so, a FlatModule; collective then. Without `data_parallel`,
    /// or a trainable parameter, the model is not trained: only its weights are divided, if all are fp32.
    PreparedModel(Parts parts, std::optional<parallel::DataParallelOptions> data_parallel,
                  const ModuleSharding& sharding = {});

    /// Returns the parameters by name.
    const NamedTensors& parameters() const { return parts_.parameters; }
    /// Returns the buffers by name.
    const NamedTensors& buffers() const { return parts_.buffers; }
    /// Returns the parameters in the order of parameters().
    std::vector<at::Tensor> parameter_tensors() const;
    /// Parameters and buffers under their own names. Where the ranks divide the weights: copies, on the main process;
    /// collective, and empty on the others.
    NamedTensors state_dict() const;
    /// The same for files of weights alone: parameters in the format of set_saved_type(), and of an adapter only those
    /// that are trained. Collective where the ranks divide the weights.
    NamedTensors weights_to_save(bool adapter_only) const;
    /// The format of floating-point parameters in weights_to_save(). Unset: their own.
    void set_saved_type(std::optional<at::ScalarType> type) { saved_type_ = type; }
    /// Throws UserError with everything that does not fit. `where` names the stored tensors in errors.
    /// Weights that only one of both has are left out, unless `strict` is set.
    void check_stored(const NamedTensors& stored, const std::string& where, bool strict = true) const;
    /// Copies stored weights into the model. gradients()->publish_values() is to follow.
    void load_stored(const NamedTensors& stored, const std::string& where, bool strict = true);
    /// No rank has the weights whole between two forwards (zero_stage 3).
    bool divides_weights() const { return divided_ != nullptr; }
    /// Where the ranks divide the weights: this rank's elements of one of parameters().
    HeldElements held(const at::Tensor& parameter) const;
    /// What this rank has of the weights, as views: parameters(), or where the ranks divide them its elements of each,
    /// flat; those that have several names once.
    NamedTensors held_values() const;
    /// Tensors like held_values(), which others may follow, under the names of parameters(). Where the ranks divide the
    /// weights: copies of whole tensors, on the main process; collective, and empty on the others.
    NamedTensors whole(NamedTensors held) const;
    /// Ranks with the same elements of divided weights; null: there are none.
    parallel::Communicator* copies() const;
    /// Returns the address of the module, which tells models apart.
    const void* module() const { return parts_.module.get(); }
    /// Null on one rank, of a model that is not trained, and where flat() is not.
    parallel::DataParallel* data_parallel() const { return data_parallel_.get(); }
    /// Not null where ranks share out the optimizer's state, or the weights.
    const std::shared_ptr<FlatModule>& flat() const { return flat_; }
    /// Returns whether there are several ranks.
    bool is_distributed() const { return parts_.process->use_distributed(); }
    /// Returns the precision of the forward.
    Precision precision() const { return parts_.precision; }
    /// Null where gradients are `.grad` of the parameters.
    train::GradientStore* gradients() const { return parts_.gradients; }

    /// Linear layers that are computed in fp8.
    void set_float8(std::shared_ptr<Float8Modules> modules) { float8_ = std::move(modules); }
    /// Null: none are.
    const std::shared_ptr<Float8Modules>& float8() const { return float8_; }
    /// An update was made. Collective with delayed scaling of fp8.
    void finish_update();

    /// Called before a forward of an evaluation: of a module in its evaluation mode, without gradients.
    void set_evaluation_check(std::function<void()> check) { check_evaluation_ = std::move(check); }
    /// Calls the function of set_evaluation_check, if there is one.
    void begin_evaluation() const {
        if (check_evaluation_)
            check_evaluation_();
    }
    /// Runs a forward pass as it is to be run.
    template <class Forward>
    auto forward(Forward&& run) {
        const profile::Scope phase([] { return profile::phase_mark("forward"); });
        const ForwardScope scope(*this);
        if (parts_.precision == Precision::no)
            return std::forward<Forward>(run)();
        const AutocastScope casting(parts_.precision, parts_.device.type(), parts_.autocast);
        return outputs_to_fp32(std::forward<Forward>(run)());
    }

  private:
    /// Around a forward.
    class ForwardScope {
      public:
        explicit ForwardScope(PreparedModel& model) : model_(model), kernels_(model.kernel_scope()) {
            model_.before_forward();
        }
        ~ForwardScope() noexcept(false) {
            if (std::uncaught_exceptions() == exceptions_)
                model_.after_forward();
        }
        ForwardScope(const ForwardScope&) = delete;
        ForwardScope& operator=(const ForwardScope&) = delete;

      private:
        PreparedModel& model_;
        std::shared_ptr<void> kernels_;
        int exceptions_ = std::uncaught_exceptions();
    };
    void before_forward();
    void after_forward();
    std::shared_ptr<void> kernel_scope() const;
    void find_divided_weights(train::GradientStore* store);
    /// The tensors that stored ones are copied to; for divided weights, tensors with their shapes only.
    NamedTensors targets() const;
    /// Whole values of divided weights by parameter, copied to the host in this format where this is the main process,
    /// of all or of those that are trained. Collective.
    std::map<const void*, at::Tensor> whole_values(at::ScalarType type = at::kFloat, bool trained_only = false) const;
    /// Parameters, with the given values where they have some, and buffers.
    NamedTensors state_with(std::map<const void*, at::Tensor> values, std::optional<at::ScalarType> type,
                            bool trained_only) const;

    Parts parts_;
    std::optional<at::ScalarType> saved_type_;
    train::FlatGradients* divided_ = nullptr;                     ///< the store of divided weights
    std::map<const void*, const parallel::Parameter*> laid_out_;  ///< of divided weights
    std::unique_ptr<parallel::DataParallel> data_parallel_;
    std::shared_ptr<FlatModule> flat_;
    std::shared_ptr<Float8Modules> float8_;
    std::function<void()> check_evaluation_;
};

namespace detail {
/// nn::Module's ordered dictionaries and lists of pairs alike.
template <class List>
NamedTensors named(const List& list) {
    NamedTensors tensors;
    for (const auto& item : list)
        if constexpr (requires { item.key(); })
            tensors.emplace_back(item.key(), item.value());
        else
            tensors.emplace_back(item.first, item.second);
    return tensors;
}
}  // namespace detail

/// A model of the engine (train/flat_model.h), which stores gradients, sums them over the ranks, and handles casts.
template <class Net>
concept KeepsGradients = std::derived_from<Net, train::GradientStore> && requires(Net& net) {
    net.precision();
    net.zero_stage();
    net.description();
};

/// A type that prepare() treats as a model.
template <class Net>
concept ModuleLike = requires(Net& net) {
    net.named_parameters();
    net.named_buffers();
};

/// Handle of a prepared model; copies are the same model.
template <class Net>
class Prepared {
  public:
    /// Joins a module and its prepared state. Called by Accelerator::prepare.
    Prepared(std::shared_ptr<Net> net, std::shared_ptr<PreparedModel> model)
        : net_(std::move(net)), model_(std::move(model)) {}
    /// No model: for members, and for what free_memory() empties.
    Prepared(std::nullptr_t = nullptr) {}
    /// Returns whether the handle has a model.
    explicit operator bool() const { return model_ != nullptr; }

    /// Runs the module's forward under automatic casting; floating-point results are fp32. Collective where ranks
    /// divide the weights.
    template <class... Arguments>
    auto operator()(Arguments&&... arguments) const {
        if constexpr (requires { net_->is_training(); })
            if (!net_->is_training() && !c10::GradMode::is_enabled())
                model_->begin_evaluation();
        return model_->forward([&] { return net_->forward(std::forward<Arguments>(arguments)...); });
    }
    /// The module: train(), eval(), its own methods.
    Net* operator->() const { return net_.get(); }
    /// Returns the module.
    Net& operator*() const { return *net_; }
    /// Returns the module.
    const std::shared_ptr<Net>& unwrap() const { return net_; }

    /// Returns the prepared state. The handle must have a model.
    PreparedModel& model() const { return *model_; }
    /// Returns the prepared state, shared; null without a model.
    const std::shared_ptr<PreparedModel>& shared_model() const { return model_; }
    /// Returns whether both handles have the same model.
    bool operator==(const Prepared& other) const { return model_ == other.model_; }

  private:
    std::shared_ptr<Net> net_;
    std::shared_ptr<PreparedModel> model_;
};

}  // namespace trainyard::accelerator
