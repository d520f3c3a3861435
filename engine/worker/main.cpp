// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-worker: one process per rank, trains what the run directory's run.yaml says. Started by the supervisor.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <c10/util/Exception.h>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "base/failure_trace.h"
#include "base/instruction_set.h"
#include "base/text.h"
#include "config/inputs/hub_files.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe_mesh.h"
#include "distributed/parallel/load_device.h"
#include "distributed/tensors/memory_meter.h"
#include "run/listing.h"
#include "run/spec.h"
#include "worker/answer_prompts.h"
#include "worker/answer_samples.h"
#include "worker/check_plugins.h"
#include "worker/generation.h"
#include "worker/job.h"
#include "worker/log.h"
#include "worker/memory_words.h"
#include "worker/preemption.h"
#include "worker/rank_environment.h"
#include "worker/selfcheck.h"
#include "worker/shared_checkpoint.h"
#include "worker/stage_ranks.h"

namespace trainyard::worker {

namespace {

run::RankMemory memory_of(const train::Trainer& trainer) {
    const MemoryPeaks peaks = memory_peaks();
    run::RankMemory memory;
    memory.weights = peaks.bytes(MemoryUse::weights);
    memory.gradients = peaks.bytes(MemoryUse::gradients) + peaks.bytes(MemoryUse::buckets);
    memory.optimizer_state = peaks.bytes(MemoryUse::optimizer);
    memory.rooms = peaks.bytes(MemoryUse::compute_copy) + trainer.bytes_of_shared_rooms();
    memory.disk_cache = trainer.bytes_cached();
    memory.step = peaks.step;
    return memory;
}

/// Content of the heartbeat, with or without a trainer.
struct Vitals {
    std::atomic<train::Trainer*> trainer{nullptr};
    std::atomic<const char*> phase{"init"};

    Heartbeat heartbeat() const {
        const train::Trainer* now = trainer.load();
        if (now == nullptr)
            return {0, phase.load(), parallel::last_collective(), parallel::waiting_in(), 0, 0};
        return {now->steps_done(),
                now->phase(),
                parallel::last_collective(),
                parallel::waiting_in(),
                now->own_step_seconds(),
                0,
                memory_of(*now)};
    }
};

void tell(ControlChannel& channel, int rank, const char* kind, const Message& text) {
    std::strcmp(kind, "warning") == 0 ? log_warning(text.text()) : log_info(text.text());
    if (rank != 0)
        return;
    run::Event event;
    event.time = wall_seconds();
    event.kind = kind;
    event.text = text;
    channel.send_event(event);
}

/// Whether this rank gets weights, and what their file says of the model, from the first one.
bool is_sent_weights(const config::Recipe& recipe, const parallel::ProcessPlace& place) {
    return recipe.parallel.cpu_ram_efficient_loading && place.rank > 0;
}

int train_run(const RankEnvironment& environment, run::RunSpec& spec, ControlChannel& channel, Vitals& vitals,
              std::unique_ptr<parallel::Mesh>& mesh, std::unique_ptr<train::Trainer>& trainer) {
    const parallel::ProcessPlace& place = environment.place;
    instruction_set();  // a TRAINYARD_CPU_ISA that means nothing here is refused before anything starts
    const at::Device device = parallel::load_device(spec.launch.device, place.local_rank, spec.launch.device_library);
    if (spec.recipe.training.activation_checkpointing != config::Recomputation::no)
        parallel::return_freed_memory();
    if (place.world_size > 1)
        tell(channel, place.rank, "phase", Message("connecting {} ranks", place.world_size));
    std::shared_ptr<parallel::World> world = parallel::World::connect(environment.rendezvous, device.str());
    constexpr const char* kSettled = "recipe with the settled model";
    if (is_sent_weights(spec.recipe, place))
        spec.recipe.model =
            config::parse_recipe(world->posted(kSettled), run::RunPaths(environment.run_directory).spec()).model;
    else if (spec.recipe.parallel.cpu_ram_efficient_loading)
        world->post(kSettled, config::to_whole_yaml(spec.recipe));
    if (environment.rendezvous.verify && place.world_size > 1)
        tell(channel, place.rank, "phase",
             "debug mode: the ranks compare operation and shapes before every collective");
    mesh = std::make_unique<parallel::Mesh>(
        spec.launch.self_check ? parallel::replicas(place.world_size) : config::mesh_of(spec.recipe, place.world_size),
        world);
    if (spec.launch.self_check) {
        run_selfcheck(environment, spec.recipe, world, *mesh, device,
                      {[&](const run::Event& event) { channel.send_event(event); },
                       [&](const char* phase) {
                           vitals.phase = phase;
                           channel.send_heartbeat();
                       }});
        return kExitDone;
    }
    tell(channel, place.rank, "phase", "building the model and reading the data");
    config::Recipe recipe = spec.recipe;
    int generation = environment.rendezvous.generation;
    // Restarted ranks resume from the last checkpoint of the ranks before them.
    if (generation > 1 && run::has_checkpoint(run::RunPaths(environment.run_directory)))
        recipe.checkpoint.resume_from = environment.run_directory;
    if (failpoints_on())
        failpoint(fmt::format("phase.{}.init", place.rank).c_str());
    std::optional<SharedCheckpoint> shared;
    if (place.world_size > place.local_world_size) {
        const hub::FetchOptions fetch;
        for (const inputs::InputProblem& problem : inputs::settle_hub_names(recipe, &fetch, inputs::HubPart::data))
            throw UserError("{}: {}", problem.key, problem.message);
        shared.emplace(mesh->everyone(), recipe.checkpoint.resume_from, recipe.model.weights,
                       environment.run_directory / "checkpoints", place.local_rank);
        for (const auto& note : shared->notes())
            tell(channel, place.rank, "warning", note);
        recipe.checkpoint.resume_from = shared->resume_from();
        recipe.model.weights = shared->weights();
    }
    train::TrainerOptions options;
    options.one_disk = place.world_size == place.local_world_size;
    options.ranks_here = place.local_world_size;
    options.reach = [&environment, &mesh](const std::filesystem::path& folder, const auto& load) {
        SharedCheckpoint reached(mesh->everyone(), folder.string(), "", environment.run_directory / "checkpoints",
                                 environment.place.local_rank);
        load(reached.resume_from());
        reached.loaded(mesh->everyone());
    };
    options.fence = [&environment, generation] { check_generation(environment.run_directory, generation); };
    trainer = std::make_unique<train::Trainer>(recipe, *mesh, device, std::move(options));
    vitals.trainer = trainer.get();
    const auto where = trainer->start();
    if (shared)
        shared->loaded(mesh->everyone());
    shared.reset();
    for (const train::Notice& notice : trainer->start_notices())
        tell(channel, place.rank, notice.kind, notice.text);
    const Message shared_out = config::zero_words(recipe, place.world_size);
    tell(channel, place.rank, "phase",
         Message::joined({Message("{}: {} parameters on {}", where,
                                  text::quantity(static_cast<double>(trainer->parameter_count())), mesh->describe()),
                          shared_out,
                          recipe.training.auto_find_batch_size ? Message("micro-batches of {}, {} for an update",
                                                                         text::samples(recipe.training.batch_size),
                                                                         recipe.training.gradient_accumulation_steps)
                                                               : Message(),
                          trainer->bytes_on_disk() == 0
                              ? Message()
                              : Message("{} of a rank on disk", text::file_size(trainer->bytes_on_disk()))},
                         "; "));
    return run_job(environment, spec, *trainer, channel);
}

int run_rank(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::printf("trainyard-worker %s\n", TRAINYARD_VERSION);
        return kExitDone;
    }
    if (argc > 1 && std::strcmp(argv[1], "generate") == 0)
        return answer_prompts();
    if (argc > 1 && std::strcmp(argv[1], "predict") == 0)
        return answer_samples();
    if (argc > 1 && std::strcmp(argv[1], kStageMode) == 0)
        return compute_stage(argc, argv);
    if (argc > 1 && std::strcmp(argv[1], "merge-adapter") == 0)
        return merge_adapter();
    if (argc > 1 && std::strcmp(argv[1], "check-plugins") == 0)
        return check_plugins();
    // A supervisor stops a run through the control channel; a terminal's Ctrl-C is meant for others.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    watch_for_preemption();

    RankEnvironment environment = read_environment();
    Vitals vitals;
    std::unique_ptr<parallel::Mesh> mesh;
    std::unique_ptr<train::Trainer> trainer;
    // Ends before the trainer does: its thread asks the trainer for every heartbeat.
    ControlChannel channel(environment.control_fd, [&] { return vitals.heartbeat(); });
    auto fail = [&](const Message& message, bool secondary, int code, bool out_of_memory = false) {
        log_error(message.text());
        channel.send_failure(message, vitals.heartbeat(), secondary, out_of_memory);
        return code;
    };
    int code = kExitFailed;
    try {
        run::RunSpec spec = run::read_spec(run::RunPaths(environment.run_directory).spec());
        // The launch has done so where the weights were on its machine, too.
        if (!is_sent_weights(spec.recipe, environment.place))
            inputs::settle_model_of(spec.recipe);
        const bool limited = spec.recipe.training.auto_find_batch_size;
        spec.recipe = config::on_ranks(std::move(spec.recipe), environment.place.world_size,
                                       limited ? environment.batch_size : 0);
        code = train_run(environment, spec, channel, vitals, mesh, trainer);
    } catch (const parallel::PeerLost& error) {
        code = fail(error.message(), true, kExitFailed);
    } catch (const UserError& error) {
        bool before = trainer == nullptr || trainer->position().step == 0;
        code = fail(message_of(error), false, before ? kExitUsage : kExitFailed);
    } catch (const std::bad_alloc&) {
        code = fail(out_of_memory_sentence(), false, kExitFailed, true);
    } catch (const c10::Error& error) {
        std::string text = error.what_without_backtrace();
        const bool no_memory = is_out_of_memory(text);
        code = fail(no_memory ? out_of_memory_sentence() : Message::verbatim(text), false, kExitFailed, no_memory);
    } catch (const std::exception& error) {
        code = fail(message_of(error), false, kExitFailed);
    } catch (...) {  // plug-ins may throw anything
        code = fail("an exception that is not a std::exception", false, kExitFailed);
    }
    return code;
}

}  // namespace

}  // namespace trainyard::worker

int main(int argc, char** argv) {
    trainyard::install_failure_trace();
    trainyard::start_memory_meter();
    int code = trainyard::kExitUsage;
    try {
        code = trainyard::worker::run_rank(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "trainyard-worker: %s\n", error.what());
    }
    std::fflush(nullptr);
    ::_exit(code);  // everything is written; LibTorch's static destructors would only cost time
}
