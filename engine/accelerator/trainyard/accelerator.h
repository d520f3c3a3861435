// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Accelerator: what a training program written against LibTorch needs to run on one rank or many, in fp32, fp16 or
// bf16, with accumulated gradients, checkpoints and trackers, without knowing which of it is in use. The C++
// counterpart of accelerate.Accelerator; README.md has the table of names.
//
//     trainyard::Accelerator accelerator({.mixed_precision = Precision::bf16, .gradient_accumulation_steps = 4});
//     auto net = std::make_shared<Net>();
//     auto model = accelerator.prepare(net);
//     auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-3));
//     auto loader = accelerator.prepare(data::LoaderSpec{.dataset = set, .batch_size = 8, .shuffle = true});
//     auto schedule = accelerator.prepare(optim::make_schedule("cosine", arguments, *optimizer));
//     for (Tree& batch : *loader) {
//         auto scope = accelerator.accumulate(model);
//         at::Tensor loss = criterion(model(batch.at("x").as_tensor()), batch.at("y").as_tensor());
//         accelerator.backward(loss);
//         if (accelerator.sync_gradients()) accelerator.clip_grad_norm(model, 1.0);
//         optimizer->step();
//         schedule->step();
//         optimizer->zero_grad();
//     }
//
// It must outlive what it prepared. One thread.

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/block.h>
#include <trainyard/checkpoint_wrapper.h>
#include <trainyard/deepspeed_sections.h>
#include <trainyard/device_placement.h>
#include <trainyard/gradient_state.h>
#include <trainyard/options.h>
#include <trainyard/prepared_average.h>
#include <trainyard/prepared_health.h>
#include <trainyard/prepared_model.h>
#include <trainyard/prepared_optimizer.h>
#include <trainyard/scheduler.h>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "data/prepare_data_loader.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/collectives.h"
#include "distributed/parallel/join.h"
#include "distributed/parallel/local_sgd.h"
#include "distributed/parallel/mesh.h"
#include "distributed/parallel/process_state.h"
#include "observe/track/trackers.h"
#include "profile/profiler.h"
#include "train/loop/divergence.h"

namespace torch::nn {
class Module;
}
namespace torch::optim {
class Optimizer;
}

namespace trainyard::accelerator {

class GradientFlow;

/// A module whose parts lie where a device map says, and stay there: what dispatch_model() of <trainyard/big_models.h>
/// returns.
template <class Net>
concept LiesByMap = ModuleLike<Net> && requires(const Net& net) {
    net.shared_hooks();
};

/// What Accelerator::load_checkpoint() found.
struct LoadedCheckpoint {
    std::filesystem::path folder;     ///< of the tag
    Tree client_state = {};           ///< that save_checkpoint() was given; None without one
    std::vector<Message> notes = {};  ///< as load_state() returns them
};

/// Overrides the accelerator's options for one call of prepare().
struct ModelOptions {
    /// Whether the model is moved to the accelerator's device. Empty: as AcceleratorOptions::device_placement.
    std::optional<bool> device_placement = std::nullopt;
    bool evaluation_mode = false;  ///< gradients are not averaged over ranks; casting stays
    /// Blocks to checkpoint, for a model that names its blocks (block.h). Unset: as in the accelerator's options.
    std::optional<WrapPolicy> activation_checkpointing = std::nullopt;
};

/// Ends when it dies: see Accelerator::accumulate.
class [[nodiscard]] AccumulateScope {
  public:
    /// Takes the scopes that keep gradients from being reduced. Called by Accelerator::accumulate and no_sync.
    explicit AccumulateScope(std::vector<parallel::NoSync> local) : local_(std::move(local)) {}

  private:
    std::vector<parallel::NoSync> local_;
};

/// Local SGD over a prepared model; does nothing on one rank. finish() where the training ends.
class LocalSgdScope {
  public:
    /// Wraps the averaging of one model. `inner` is null on one rank. Called by Accelerator::local_sgd.
    explicit LocalSgdScope(std::unique_ptr<parallel::LocalSgd> inner) : inner_(std::move(inner)) {}
    /// Counts an update, and averages the weights of all ranks at every `steps`-th. Call it after the optimizer's step.
    void step() {
        if (inner_ != nullptr)
            inner_->step();
    }
    /// Averages the weights once more and reduces gradients again. Collective.
    void finish() {
        if (inner_ != nullptr)
            inner_->finish();
    }

  private:
    std::unique_ptr<parallel::LocalSgd> inner_;
};

/// Corresponds to `with accelerator.profile() as prof:`. The end of the scope stops the recording. If output_trace_dir
/// is set, it also writes profile_<rank>.json there and waits for the other ranks. Nothing is written when an exception
/// leaves the scope.
class [[nodiscard]] ProfileScope {
  public:
    /// Starts a scope that writes to `folder`; an empty `folder` writes no file. Called by Accelerator::profile.
    ProfileScope(std::unique_ptr<profile::Profiler> profiler, std::filesystem::path folder,
                 std::shared_ptr<parallel::ProcessState> process);
    /// Moves the recording to another scope; the moved-from scope may only be destroyed.
    ProfileScope(ProfileScope&&) = default;
    ProfileScope& operator=(ProfileScope&&) = delete;
    ~ProfileScope() noexcept(false);
    /// A step of the schedule is over.
    void step() { profiler_->step(); }
    /// Ends the scope before it dies. Throws UserError when the trace cannot be written. Where the schedule had no
    /// active step, nothing is.
    void finish();
    /// Returns the profiler, for its events and tables.
    profile::Profiler& operator*() const { return *profiler_; }
    /// Returns the profiler, for its events and tables.
    profile::Profiler* operator->() const { return profiler_.get(); }

  private:
    std::unique_ptr<profile::Profiler> profiler_;
    std::filesystem::path folder_;
    std::shared_ptr<parallel::ProcessState> process_;
    int exceptions_;
    bool open_ = true;
};

/// One model of a checkpoint, as hooks see it before it is written.
struct ModelToSave {
    /// The model whose weights are saved.
    std::shared_ptr<PreparedModel> model;
    NamedTensors weights;  ///< may be changed; handles of the model's tensors: replace entries, do not write into them
};
/// May remove models, change weights and add files of its own.
using SaveHook = std::function<void(std::vector<ModelToSave>& models, checkpoint::FilesToSave& files)>;
/// May remove models, which are then not loaded, and read files of its own.
using LoadHook =
    std::function<void(std::vector<std::shared_ptr<PreparedModel>>& models, const std::filesystem::path& folder)>;

/// Options of Accelerator::load_state.
struct LoadStateOptions {
    /// Where the files' tensors are before they are copied into what was prepared. They are pages of the files, so
    /// "cpu" and "on_device" differ in nothing; any other word is an error.
    std::string map_location = "cpu";
    /// False: weights that a model or the checkpoint lacks are left as they are (load_model_func_kwargs).
    bool strict = true;
};

/// Options of Accelerator::save_pretrained.
struct PretrainedOptions {
    /// A folder, or a model of the hub by name, whose config.json, generation settings and tokenizer are copied;
    /// usually the one that the model started from.
    std::string source = {};
    /// The text of config.json, instead of that of `source`.
    std::string config = {};
    std::string max_shard_size = "10GB";  ///< "500MB", "2GiB", bytes
    bool safe_serialization = true;       ///< false: pytorch_model.bin
};

/// Prepares models, optimizers, loaders and schedules for one rank or many, and runs the parts of a training step that
/// depend on the number of ranks and on precision. The counterpart of accelerate.Accelerator. It must outlive the
/// objects that it prepared, and is used by one thread.
class Accelerator {
  public:
    /// Connects the ranks of the launcher's environment. Throws UserError with everything that is wrong in it or the
    /// options.
    explicit Accelerator(AcceleratorOptions options = {});
    /// For those who have connected the ranks themselves.
    Accelerator(AcceleratorOptions options, std::shared_ptr<parallel::ProcessState> process);
    ~Accelerator();
    Accelerator(const Accelerator&) = delete;
    Accelerator& operator=(const Accelerator&) = delete;

    // --- who and where
    // ------------------------------------------------------------------------------------------------------------------------

    /// Returns rank, device and communicators of this process.
    parallel::ProcessState& process() const;
    /// Returns the device that models and batches are moved to.
    at::Device device() const;
    /// The ranks as replicas: what the engine's own models are built on.
    parallel::Mesh& mesh() const;
    /// Returns the number of ranks.
    int num_processes() const { return process().world_size(); }
    /// Returns the rank of this process among all ranks.
    int process_index() const { return process().rank(); }
    /// Returns the rank of this process among those of its machine.
    int local_process_index() const { return process().local_rank(); }
    /// Returns whether this is rank 0.
    bool is_main_process() const { return process().is_main_process(); }
    /// Returns whether this is the first rank of its machine.
    bool is_local_main_process() const { return process().is_local_main_process(); }
    /// Returns whether this is the last rank.
    bool is_last_process() const { return process().is_last_process(); }
    /// Returns whether there are several ranks.
    bool use_distributed() const { return process().use_distributed(); }
    /// Returns the precision in use, after the launch's environment was applied.
    Precision mixed_precision() const;
    /// Returns the lines that Accelerate prints for AcceleratorState: kind of launch and backend, ranks, device,
    /// precision, DeepSpeed's configuration.
    std::string describe() const;
    /// Returns the options.
    const AcceleratorOptions& options() const;

    /// Waits until all ranks have called it. Collective.
    void wait_for_everyone() { process().wait_for_everyone(); }
    /// Returns a scope that rank 0 executes before the others. Collective.
    parallel::FirstScope main_process_first() { return process().main_process_first(); }
    /// Returns a scope that the first rank of each machine executes before the machine's others. Collective.
    parallel::FirstScope local_main_process_first() { return process().local_main_process_first(); }
    /// Calls `work` on rank 0. Returns its result, and std::nullopt elsewhere; for void functions, whether it was
    /// called.
    template <std::invocable F>
    auto on_main_process(F&& work) const {
        return process().on_main_process(std::forward<F>(work));
    }
    /// Calls `work` on the first rank of each machine. Returns as on_main_process does.
    template <std::invocable F>
    auto on_local_main_process(F&& work) const {
        return process().on_local_main_process(std::forward<F>(work));
    }
    /// Calls `work` on the last rank. Returns as on_main_process does.
    template <std::invocable F>
    auto on_last_process(F&& work) const {
        return process().on_last_process(std::forward<F>(work));
    }
    /// Calls `work` on rank `rank`; a single process always calls it. Returns as on_main_process does.
    template <std::invocable F>
    auto on_process(int rank, F&& work) const {
        return process().on_process(rank, std::forward<F>(work));
    }
    /// Calls `work` on rank `local_rank` of each machine; a single process always calls it. Returns as on_main_process
    /// does.
    template <std::invocable F>
    auto on_local_process(int local_rank, F&& work) const {
        return process().on_local_process(local_rank, std::forward<F>(work));
    }
    /// Prints a line on standard output, once per machine.
    void print(const std::string& line) const { process().print(line); }
    /// Returns this rank's share of a list, a tuple, the rows of a tensor, or a dictionary of these. With `pad`, all
    /// shares are as long as the longest, by copies of the last item. Throws UserError if values of a dictionary differ
    /// in length.
    Tree split_between_processes(const Tree& whole, bool pad = false) const {
        return process().split_between_processes(whole, pad);
    }

    // --- prepare
    // ------------------------------------------------------------------------------------------------------------------------------

    /// Whether this process reads weights from files: with ShardingOptions::cpu_ram_efficient_loading the main process
    /// alone does.
    bool reads_weights() const;
    /// Runs `read`, which reads the weights of a module that is prepared next, where reads_weights(). On the other
    /// ranks parameters and buffers lose their memory, and prepare() sends them. Collective. Throws UserError on all
    /// ranks where `read` does.
    ///
    ///     accelerator.read_weights(*net, [&] { dispatch::load_checkpoint_in_model(*net, "checkpoints/net"); });
    template <class Net>
    void read_weights(Net& net, const std::function<void()>& read) const {
        NamedTensors tensors = detail::named(net.named_parameters());
        for (const auto& buffer : detail::named(net.named_buffers()))
            tensors.push_back(buffer);
        read_weights_of(tensors, read);
    }

    // Objects that were prepared before are returned unchanged.

    /// Prepares a model with the accelerator's options: prepare_model(net).
    template <ModuleLike Net>
    Prepared<Net> prepare(std::shared_ptr<Net> net) {
        return prepare_model(std::move(net));
    }
    /// TORCH_MODULE's holders.
    template <class Holder>
    requires ModuleLike<typename Holder::ContainedType>
    auto prepare(const Holder& holder) { return prepare_model(holder.ptr()); }
    /// Prepares a dispatched module: its layers are trained on the devices of its map, one after the other. With
    /// several
    /// ranks each has devices of its own (dispatch::device_map_of_rank).
    template <LiesByMap Net>
    Prepared<Net> prepare(Net model) {
        return prepare_model(std::make_shared<Net>(std::move(model)));
    }
    /// Returns the prepared model unchanged.
    template <class Net>
    Prepared<Net> prepare(Prepared<Net> model) {
        return model;
    }
    /// Prepares an optimizer of torch::optim: step() and zero_grad() have no effect while gradients accumulate.
    std::shared_ptr<PreparedOptimizer> prepare(std::unique_ptr<torch::optim::Optimizer> optimizer);
    /// Prepares an optimizer of the engine in the same way.
    std::shared_ptr<PreparedOptimizer> prepare(std::unique_ptr<optim::Optimizer> optimizer);
    /// Prepares the optimizer of DeepSpeed's file.
    std::shared_ptr<PreparedOptimizer> prepare(const DummyOptim& optimizer);
    /// Returns the prepared optimizer unchanged.
    std::shared_ptr<PreparedOptimizer> prepare(std::shared_ptr<PreparedOptimizer> optimizer) { return optimizer; }
    /// Makes this rank's loader of the described data, with the accelerator's LoaderOptions. Throws UserError.
    std::shared_ptr<data::Loader> prepare(data::LoaderSpec loader);
    /// A loader that shares out its data itself: only its passes are followed.
    std::shared_ptr<data::Loader> prepare(std::unique_ptr<data::Loader> loader);
    /// Follows the passes of a loader, so that gradients are reduced at its last batch, and returns it.
    template <std::same_as<data::Loader> Loader>
    std::shared_ptr<data::Loader> prepare(std::shared_ptr<Loader> loader) {
        return follow(std::move(loader));
    }
    /// Follows `optimizer`, or, without one, all prepared optimizers.
    std::shared_ptr<Scheduler> prepare(std::unique_ptr<optim::Schedule> schedule,
                                       const std::shared_ptr<PreparedOptimizer>& optimizer = nullptr);
    /// Prepares the schedule of DeepSpeed's file, which advances once for every update.
    std::shared_ptr<Scheduler> prepare(const DummyScheduler& schedule);
    /// Returns the prepared scheduler unchanged.
    std::shared_ptr<Scheduler> prepare(std::shared_ptr<Scheduler> scheduler) { return scheduler; }
    /// Several at once; a tuple in the same order.
    template <class A, class B, class... More>
    requires(!std::convertible_to<A, std::unique_ptr<optim::Schedule>> || sizeof...(More) > 0 ||
             !std::convertible_to<B, std::shared_ptr<PreparedOptimizer>>) auto prepare(A&& a, B&& b, More&&... more) {
        // Braces: from left to right.
        return std::tuple{prepare(std::forward<A>(a)), prepare(std::forward<B>(b)),
                          prepare(std::forward<More>(more))...};
    }

    /// The same with a device placement for each object: whether it, or what it makes, is moved to the device.
    /// Throws UserError for another number of values, and where ranks divide what is prepared (zero_stage).
    template <class... Objects>
    auto prepare_with_placement(const std::vector<bool>& device_placement, Objects&&... objects) {
        check_placement(device_placement.size(), sizeof...(Objects));
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::tuple{prepare_placed(device_placement[I], std::forward<Objects>(objects))...};
        }
        (std::index_sequence_for<Objects...>{});
    }

    /// Makes one of AcceleratorOptions::deepspeed_plugins the active one: models that are prepared from now on are
    /// divided as it says. Throws UserError for another name.
    void select_deepspeed_plugin(const std::string& name);
    /// Returns the active plug-in (get_active_deepspeed_plugin), or null where none was given.
    const DeepSpeedPlugin* deepspeed_plugin() const;
    /// Returns a plug-in by its name. Throws UserError for another name.
    const DeepSpeedPlugin& deepspeed_plugin(const std::string& name) const;

    /// Whether the device map of a dispatched model has several places. Such a model is prepared, too, and trained
    /// where the map puts it; Accelerate refuses it on several ranks.
    template <ModuleLike Net>
    static bool verify_device_map(const Net& net) {
        if constexpr (LiesByMap<Net>) {
            std::set<std::string> places;
            for (const auto& [name, place] : net.hooks().device_map())
                places.insert(place);
            return places.size() > 1;
        } else {
            return false;
        }
    }

    /// Prepares a model: moves it to the device, gives all ranks the weights of rank 0 and has gradients averaged over
    /// the ranks. Collective on several ranks. Throws UserError with everything that the model does not support.
    template <ModuleLike Net>
    Prepared<Net> prepare_model(std::shared_ptr<Net> net, ModelOptions options = {}) {
        train::GradientStore* gradients = nullptr;
        std::shared_ptr<void> module = net;
        if constexpr (KeepsGradients<Net>) {
            gradients = net.get();
            check_model(net->precision(), net->zero_stage(), net->description());
        } else if constexpr (LiesByMap<Net>) {
            module = net->shared_hooks();  // copies of the handle are one model
            check_places(detail::named(net->named_parameters()), !options.evaluation_mode);
        } else if (options.device_placement.value_or(this->options().device_placement)) {
            place(*net);
        }
        if (options.activation_checkpointing)
            checkpoint_chosen(*net, *options.activation_checkpointing);
        else if (gradients == nullptr && activation_checkpointing() && !options.evaluation_mode)
            checkpoint_chosen(*net, *activation_checkpointing());
        auto model = prepare_tensors(std::move(module), detail::named(net->named_parameters()),
                                     detail::named(net->named_buffers()), options, gradients, blocks_of(*net),
                                     linear_layers_of(*net));
        return {std::move(net), std::move(model)};
    }
    /// A model given by its tensors; `module` keeps them and tells models apart. `gradients`: where it keeps those
    /// itself. `blocks`: all that it names. `linear`: weights [out, in] of its Linear layers under the layers' names,
    /// for fp8.
    std::shared_ptr<PreparedModel> prepare_tensors(std::shared_ptr<void> module, NamedTensors parameters,
                                                   NamedTensors buffers, ModelOptions options = {},
                                                   train::GradientStore* gradients = nullptr,
                                                   const std::vector<Block*>& blocks = {},
                                                   const NamedTensors& linear = {});
    /// Prepares an optimizer; `device_placement` decides whether its state is moved to the device (empty: as the
    /// options say).
    std::shared_ptr<PreparedOptimizer> prepare_optimizer(std::unique_ptr<optim::Optimizer> optimizer,
                                                         std::optional<bool> device_placement = {});
    /// Makes this rank's loader; `device_placement` decides whether batches are moved to the device (empty: as the
    /// options say), and `slice` replaces the division of a dispatched global batch. Throws UserError.
    std::shared_ptr<data::Loader> prepare_data_loader(data::LoaderSpec loader,
                                                      std::optional<bool> device_placement = {},
                                                      data::SliceFunction slice = {});

    /// An average of the weights, made behind every step that `optimizer` takes (without one: the only prepared), and
    /// kept in checkpoints as an object of register_for_checkpointing.
    template <class Net>
    std::shared_ptr<PreparedAverage> prepare_average(const Prepared<Net>& model,
                                                     const train::WeightAverageOptions& options,
                                                     const std::shared_ptr<PreparedOptimizer>& optimizer = nullptr) {
        return prepare_average(model.shared_model(), options, optimizer);
    }
    /// The same for a model that was prepared by its tensors.
    std::shared_ptr<PreparedAverage> prepare_average(const std::shared_ptr<PreparedModel>& model,
                                                     const train::WeightAverageOptions& options,
                                                     const std::shared_ptr<PreparedOptimizer>& optimizer = nullptr);
    /// Watches loss and gradients; kept in checkpoints in the same way. The action rollback needs
    /// automatic_checkpoint_naming.
    std::shared_ptr<PreparedHealth> prepare_health(const train::HealthOptions& options = {});

    // --- the step
    // -----------------------------------------------------------------------------------------------------------------------------

    /// One micro-step: decides whether it ends with an update; until then the models' gradients stay on their ranks.
    template <class... Net>
    AccumulateScope accumulate(const Prepared<Net>&... models) {
        return accumulate_models({&models.model()...});
    }
    /// The same for models that were prepared by their tensors.
    AccumulateScope accumulate_models(const std::vector<PreparedModel*>& models);
    /// Backward of the loss, divided by the number of micro-batches and scaled as precision needs it.
    void backward(const at::Tensor& loss, const BackwardOptions& options = {});
    /// Mean of the losses of the last update, of all its micro-batches and ranks, where backward had denominators (NaN
    /// before, and where their sum is 0: such an update is left out): known from
    /// clip_grad_norm() or the optimizer's step() on.
    double mean_loss() const;
    /// Returns whether the present micro-step ends with an update.
    bool sync_gradients() const { return gradient_state().sync_gradients(); }
    /// Decides whether the present micro-step ends with an update, for loops that do not use accumulate().
    void set_sync_gradients(bool sync) { gradient_state().set_sync_gradients(sync); }
    /// Returns the number of micro-steps of an update.
    std::int64_t gradient_accumulation_steps() const;
    /// Sets the number of micro-steps of an update, from the next update on. Throws UserError unless it is positive.
    void set_gradient_accumulation_steps(std::int64_t steps);
    /// Returns the number of micro-steps so far; the last batch of a loader sets it to 0 (sync_with_dataloader).
    std::int64_t step() const;
    /// Returns whether the last update of an optimizer was skipped, because a gradient was not finite (fp16).
    bool optimizer_step_was_skipped() const;
    /// Returns the state of accumulation and of the loaders that are being read.
    GradientState& gradient_state() const;
    optim::GradScaler* scaler() const;  ///< null but for fp16

    /// Gradients stay on their ranks while it lives; nests.
    template <class... Net>
    AccumulateScope no_sync(const Prepared<Net>&... models) const {
        return no_sync_models({&models.model()...});
    }
    /// The same for models that were prepared by their tensors.
    AccumulateScope no_sync_models(const std::vector<PreparedModel*>& models) const;
    /// The next backward reduces, even after a forward under no_sync.
    template <class Net>
    void trigger_sync_in_backward(const Prepared<Net>& model) const {
        if (model.model().data_parallel() != nullptr)
            model.model().data_parallel()->trigger_sync_in_backward();
    }

    /// Norm of the model's gradients before clipping them to it. While gradients accumulate nothing is clipped and
    /// the result is undefined(): parts of a sum cannot be clipped one by one.
    template <class Net>
    at::Tensor clip_grad_norm(const Prepared<Net>& model, double max_norm, double norm_type = 2.0) {
        return clip_grad_norm(model.model(), max_norm, norm_type);
    }
    /// The same for a model that was prepared by its tensors.
    at::Tensor clip_grad_norm(PreparedModel& model, double max_norm, double norm_type = 2.0);
    /// The same over these parameters. Throws UserError if the gradient of one is not its `.grad` (zero_stage, models
    /// of the engine).
    at::Tensor clip_grad_norm(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type = 2.0);
    /// Limits each gradient of the model to [-value, value] when an update is due; otherwise has no effect.
    template <class Net>
    void clip_grad_value(const Prepared<Net>& model, double value) {
        clip_grad_value(model.model().parameter_tensors(), value);
    }
    /// The same for these parameters.
    void clip_grad_value(const std::vector<at::Tensor>& parameters, double value);
    /// For those who read gradients themselves: afterwards they are what the optimizer will see. Default: of all
    /// optimizers.
    void unscale_gradients(const std::shared_ptr<PreparedOptimizer>& optimizer = nullptr);

    /// Casting outside of a prepared model, e.g. around a loss; `{.enabled = false}` is an fp32 region inside.
    AutocastScope autocast(AutocastOptions options = {}) const;

    /// Runs `body`, the ranks that have fewer batches answering for those that have more. See
    /// distributed/parallel/join.h. Returns notes for the log: loaders that `even_batches` does not reach.
    template <class... Net>
    std::vector<Message> join_uneven_inputs(const std::function<void()>& body, const UnevenInputs& options,
                                            const Prepared<Net>&... models) {
        return join_models(body, options, {&models.model()...});
    }
    /// The same for models that were prepared by their tensors.
    std::vector<Message> join_models(const std::function<void()>& body, const UnevenInputs& options,
                                     const std::vector<PreparedModel*>& models);
    /// Starts local SGD: ranks train independently and average their weights every `options.steps` updates.
    template <class Net>
    LocalSgdScope local_sgd(const Prepared<Net>& model, parallel::LocalSgdOptions options) {
        return local_sgd_of(model.model(), options);
    }
    /// The same for a model that was prepared by its tensors.
    LocalSgdScope local_sgd_of(PreparedModel& model, parallel::LocalSgdOptions options);

    /// Ranks whose copy of the weights is not that of the others, bit by bit; of shares, among the ranks that have the
    /// same. Collective.
    template <class Net>
    std::optional<train::Divergence> find_divergence(const Prepared<Net>& model) {
        return find_divergence_of(model.model());
    }

    /// Records until the scope ends. `options` replaces the accelerator's profile options. Throws UserError if the
    /// activities or the schedule are invalid, or if another profiler is recording in this process.
    ProfileScope profile(std::optional<trainyard::profile::ProfileOptions> options = {}) const;

    // --- between ranks
    // ------------------------------------------------------------------------------------------------------------------------

    /// Concatenates every tensor over the ranks along dimension 0. Shapes must be equal on all ranks. Collective.
    Tree gather(const Tree& tree) { return parallel::gather(process().everyone(), tree); }
    /// The same for one tensor.
    at::Tensor gather(const at::Tensor& tensor) { return parallel::gather(process().everyone(), tensor); }
    /// Joins the lists of all ranks, in rank order, to one list. Collective. Throws UserError for other objects.
    Tree gather_object(const Tree& list) { return parallel::gather_object(process().everyone(), list); }
    /// Gathers as gather() does and drops the samples of the last batch that only repeat others. `use_gather_object`
    /// gathers objects instead of tensors. Collective.
    Tree gather_for_metrics(const Tree& data, bool use_gather_object = false);
    /// The same for one tensor.
    at::Tensor gather_for_metrics(const at::Tensor& tensor);
    /// Returns every tensor reduced over the ranks and multiplied by `scale`; the input is unchanged. Collective.
    Tree reduce(const Tree& tree, parallel::Reduction reduction = parallel::Reduction::sum, double scale = 1.0) {
        return parallel::reduce(process().everyone(), tree, reduction, scale);
    }
    /// The same for one tensor.
    at::Tensor reduce(const at::Tensor& tensor, parallel::Reduction reduction = parallel::Reduction::sum,
                      double scale = 1.0) {
        return parallel::reduce(process().everyone(), tensor, reduction, scale);
    }
    /// Overwrites the tensors of `tree` with those of rank `root`. Collective.
    void broadcast(const Tree& tree, int root = 0) { parallel::broadcast(process().everyone(), tree, root); }
    /// Returns the object of rank `root`; tensors are on the CPU. Collective.
    Tree broadcast_object(const Tree& object, int root = 0) {
        return parallel::broadcast_object(process().everyone(), object, root);
    }
    /// Pads every tensor along `dim` to the largest size of all ranks with `pad_index`, at the end or with `pad_first`
    /// at the beginning. Collective.
    Tree pad_across_processes(const Tree& tree, std::int64_t dim = 0, double pad_index = 0, bool pad_first = false) {
        return parallel::pad_across_processes(process().everyone(), tree, dim, pad_index, pad_first);
    }
    /// One rank raises a flag (early stopping, a signal); check_trigger, called by all ranks, is true on all of them
    /// when any had, and lowers it.
    void set_trigger();
    /// Returns on all ranks whether any rank has called set_trigger() since the last call, and resets it. Collective.
    bool check_trigger();

    // --- random numbers
    // -----------------------------------------------------------------------------------------------------------------------

    /// Seeds LibTorch's generators; `device_specific` adds the rank; `deterministic` allows deterministic operators
    /// only.
    void set_seed(std::uint64_t seed, bool device_specific = false, bool deterministic = false);
    /// Every rank takes rank 0's generators: "torch", "cuda", "generator" (the one given).
    void synchronize_rng_states(const std::vector<std::string>& types, const at::Generator& generator = {});

    // --- checkpoints
    // --------------------------------------------------------------------------------------------------------------------------

    /// Saves all that was prepared or registered in Accelerate's layout. Without a `folder`: in the next one of
    /// automatic
    /// naming, else in project_dir. Collective. Returns the folder.
    std::filesystem::path save_state(const std::filesystem::path& folder = {}, bool safe_serialization = true,
                                     std::optional<double> metric = {});
    /// save_state() to a folder named `tag` in `checkpoints`, with an object of the program's own, and the file
    /// `latest` there that names it (DeepSpeed's save_checkpoint). Returns when all is on the disk. Collective.
    /// Throws UserError.
    void save_checkpoint(const std::filesystem::path& checkpoints, const std::string& tag,
                         const Tree& client_state = {});
    /// load_state() of the tag, without one of that which `latest` names, on any number of ranks and at any stage.
    /// Collective. Throws UserError.
    LoadedCheckpoint load_checkpoint(const std::filesystem::path& checkpoints, const std::string& tag = {});
    /// Under save_in_background: until the last save_state is on the disk; throws UserError when it failed.
    void wait_for_checkpoint();
    /// Loads a folder; without one, under automatic naming the newest complete one, else project_dir. Collective.
    /// Returns messages for the log
    /// about state that a checkpoint of another number of ranks does not contain. Throws a UserError that reports all
    /// problems of the files together; then nothing has changed on this rank, except what hooks did. Weights are loaded
    /// last, so the state of the program's own objects cannot rely on them.
    std::vector<Message> load_state(const std::filesystem::path& folder = {}, const LoadStateOptions& options = {});
    /// Kept in checkpoints as custom_checkpoint_<i>.pkl, in this order. Not owned.
    void register_for_checkpointing(Stateful& object);
    /// The number takes the hook away again (remove_hook).
    int register_save_state_pre_hook(SaveHook hook);
    /// Calls `hook` at the start of every load_state(). Returns a number for remove_hook().
    int register_load_state_pre_hook(LoadHook hook);
    /// Removes a hook by the number that its registration returned.
    void remove_hook(int number);
    /// Returns the number of the next checkpoint under automatic naming.
    std::int64_t save_iteration() const;

    /// Returns the module of a prepared model.
    template <class Net>
    const std::shared_ptr<Net>& unwrap_model(const Prepared<Net>& model) const {
        return model.unwrap();
    }
    /// Returns parameters and buffers by name, 16-bit with ShardingOptions::save_16bit_model. Where ranks divide the
    /// weights: copies on the main process, empty elsewhere, and collective. `adapter_only`: the parameters that are
    /// trained, of a model whose others are frozen.
    template <class Net>
    NamedTensors get_state_dict(const Prepared<Net>& model, bool adapter_only = false) const {
        return model.model().weights_to_save(adapter_only);
    }
    /// The weights of get_state_dict() in files of at most that size, written by the main process. Call it on every
    /// rank where the ranks divide the weights (zero_stage 3), get_state_dict(), too. Files of `adapter_only` are named
    /// adapter_model. Returns warnings.
    template <class Net>
    std::vector<Message> save_model(const Prepared<Net>& model, const std::filesystem::path& folder,
                                    const std::string& max_shard_size = "10GB", bool safe_serialization = true,
                                    bool adapter_only = false) {
        return save_weights_of(model.model(), folder, max_shard_size, safe_serialization, adapter_only);
    }
    /// Writes weights as save_model() does. Returns warnings.
    std::vector<Message> save_weights(const NamedTensors& weights, const std::filesystem::path& folder,
                                      const std::string& max_shard_size = "10GB", bool safe_serialization = true);
    /// A folder that transformers' from_pretrained opens: the weights of save_model() under the names of the module,
    /// and the files of `options`. Call it on every rank where the ranks divide the weights. Returns warnings.
    template <class Net>
    std::vector<Message> save_pretrained(const Prepared<Net>& model, const std::filesystem::path& folder,
                                         const PretrainedOptions& options = {}) {
        return save_pretrained_of(model.model(), folder, options);
    }
    /// torch.save of any nest, on the main process (each local one with save_on_each_node). With `safe_serialization`
    /// a file of safetensors; throws UserError if `object` is not a dictionary of tensors.
    void save(const Tree& object, const std::filesystem::path& file, bool safe_serialization = false);

    // --- trackers
    // -----------------------------------------------------------------------------------------------------------------------------

    /// Starts the trackers of `log_with` for a project with its hyper-parameters; `arguments` has further arguments by
    /// tracker. Throws UserError naming every unknown tracker.
    void init_trackers(const std::string& project, const track::Values& configuration = {},
                       const std::map<std::string, Value>& arguments = {});
    /// Queues values by name for the trackers, without a step by default; `arguments` has further arguments by tracker.
    void log(track::Values values, std::optional<std::int64_t> step = {}, std::map<std::string, Value> arguments = {});
    /// Batches of pictures [N, C, H, W] with 1 or 3 channels, bytes or real numbers from 0 to 1, by name; to the
    /// trackers that keep pictures (observe/track/trackers.h).
    void log_images(const NamedTensors& pictures, std::optional<std::int64_t> step = {},
                    const std::map<std::string, Value>& arguments = {});
    /// A table, to the trackers that keep tables.
    void log_table(const std::string& name, std::vector<std::string> columns, std::vector<Value::List> rows,
                   std::optional<std::int64_t> step = {}, const std::map<std::string, Value>& arguments = {});
    /// A file or all files of a folder, to the trackers that keep artifacts; into `folder` among the artifacts of the
    /// run.
    void log_artifact(const std::filesystem::path& path, const std::string& folder = {},
                      const std::map<std::string, Value>& arguments = {});
    /// Returns a started tracker by its name, and one without effect on other processes. Throws UserError for other
    /// names.
    track::Tracker& get_tracker(const std::string& name);
    /// Writes what is queued, ends the trackers and returns their problems; waits for a checkpoint under way.
    std::vector<Message> end_training();

    // --- memory
    // -------------------------------------------------------------------------------------------------------------------------------

    /// Releases everything that was prepared, releases cached memory, and resets the step count. The program's own
    /// handles stay valid until it drops them; free_memory(model, optimizer) clears those as well.
    void free_memory();
    /// Empties these handles, then frees memory as free_memory() does.
    template <class... T>
    void free_memory(T&... handles) {
        ((void)(handles = T(nullptr)), ...);
        free_memory();
    }
    /// The same as free_memory().
    template <class... T>
    void clear(T&... handles) {
        free_memory(handles...);
    }

  private:
    template <class Net>
    static std::vector<Block*> blocks_of(Net& net) {
        if constexpr (HasBlocks<Net>)
            return net.blocks();
        else
            return {};
    }
    template <class Net>
    static NamedTensors linear_layers_of(Net& net) {
        if constexpr (std::is_convertible_v<Net*, torch::nn::Module*>)
            return linear_layers(net);
        else
            return {};
    }
    /// The layers of a module and of those within it, in the order of registration.
    static NamedTensors linear_layers(torch::nn::Module& module);
    template <class Net>
    static void checkpoint_chosen(Net& net, const WrapPolicy& policy) {
        if constexpr (HasBlocks<Net>)
            checkpoint_blocks(net.blocks(), policy);
        else
            checkpoint_blocks({}, policy);
    }
    template <class Net>
    void place(Net& net) const {
        check_undivided(detail::named(net.named_parameters()));
        if (has_empty(detail::named(net.named_parameters()))) {  // prepare_tensors() gives them memory
            place_tensors(detail::named(net.named_buffers()));
        } else if (device().is_privateuseone()) {
            move_to_private_device(detail::named(net.named_parameters()), device());
            move_to_private_device(detail::named(net.named_buffers()), device());
        } else if constexpr (requires { net.to(device()); }) {
            net.to(device());
        }
    }

    /// Moves those with memory to the device.
    void place_tensors(const NamedTensors& tensors) const;
    void read_weights_of(const NamedTensors& tensors, const std::function<void()>& read) const;
    void check_placement(std::size_t values, std::size_t objects) const;
    /// Throws UserError for a module that is on several devices, and would be moved to one.
    static void check_undivided(const NamedTensors& parameters);
    /// Throws UserError for a module that cannot be trained where its device map puts it. Collective among the ranks of
    /// a machine.
    void check_places(const NamedTensors& parameters, bool trained) const;
    template <class Object>
    auto prepare_placed(bool placed, Object&& object) {
        using Own = std::decay_t<Object>;
        if constexpr (requires { typename Own::ContainedType; })
            return prepare_model(object.ptr(), {.device_placement = placed});
        else if constexpr (requires { requires ModuleLike<typename Own::element_type>; })
            return prepare_model(std::forward<Object>(object), {.device_placement = placed});
        else if constexpr (std::is_same_v<Own, data::LoaderSpec>)
            return prepare_data_loader(std::forward<Object>(object), placed);
        else if constexpr (std::is_convertible_v<Own, std::unique_ptr<torch::optim::Optimizer>>)
            return prepare_torch_optimizer(std::forward<Object>(object), placed);
        else if constexpr (std::is_convertible_v<Own, std::unique_ptr<optim::Optimizer>>)
            return prepare_optimizer(std::forward<Object>(object), placed);
        else
            return prepare(std::forward<Object>(object));
    }
    std::shared_ptr<PreparedOptimizer> prepare_torch_optimizer(std::unique_ptr<torch::optim::Optimizer> optimizer,
                                                               std::optional<bool> device_placement);
    std::vector<Message> save_pretrained_of(const PreparedModel& model, const std::filesystem::path& folder,
                                            const PretrainedOptions& options);
    GradientFlow& flow() const;
    bool divides() const;
    ModuleSharding sharding_of(const NamedTensors& parameters, const std::vector<Block*>& blocks, bool trained) const;
    std::optional<train::Divergence> find_divergence_of(const PreparedModel& model);
    enum class Place { of_the_checkpoint, kept };
    /// `kept`: loaders, random numbers and what watches the health stay where they are.
    std::vector<Message> load_state_from(const std::filesystem::path& folder, Place place, bool strict = true);
    Message roll_back(std::int64_t step);
    /// Throws UserError if a model that handles its own casts and initialization contradicts the accelerator's options.
    void check_model(Precision precision, std::int64_t zero_stage, const parallel::Description& description) const;
    const std::optional<WrapPolicy>& activation_checkpointing() const;
    void check_optimizer(const optim::Optimizer& optimizer) const;
    /// A warning where the model has weights that are not those to be used; else nothing.
    std::vector<Message> remarks_on_weights(const PreparedModel& model) const;
    std::vector<Message> save_weights_of(const PreparedModel& model, const std::filesystem::path& folder,
                                         const std::string& max_shard_size, bool safe_serialization, bool adapter_only);
    /// With save_on_each_node, what the main process has and others have not: on the first process of every machine.
    /// Collective then.
    Tree on_each_node(Tree whole) const;
    /// Whether this process writes what all ranks have.
    bool writes_files() const;
    NamedTensors on_each_node(const NamedTensors& whole) const;
    std::shared_ptr<PreparedOptimizer> adopt_optimizer(std::unique_ptr<optim::Optimizer> optimizer,
                                                       std::optional<bool> device_placement);
    std::shared_ptr<Scheduler> adopt_schedule(std::unique_ptr<optim::Schedule> schedule,
                                              const std::shared_ptr<PreparedOptimizer>& optimizer,
                                              SchedulerStepping stepping);
    std::unique_ptr<optim::Optimizer> share_out(std::unique_ptr<optim::Optimizer> optimizer) const;
    void check_gradients(const std::vector<at::Tensor>& parameters, const char* what) const;
    std::shared_ptr<data::Loader> follow(std::shared_ptr<data::Loader> loader);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::accelerator

namespace trainyard {
using accelerator::Accelerator;
using accelerator::AcceleratorOptions;
}  // namespace trainyard
