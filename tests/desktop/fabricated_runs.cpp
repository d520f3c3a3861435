#include "fabricated_runs.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/file.h"
#include "io/event_file.h"
#include "run/journal.h"
#include "run/spec.h"

namespace trainyard::test {

namespace fs = std::filesystem;

double fabricated_loss(const FabricatedRun& run, std::int64_t step) {
    const double t = static_cast<double>(step) / static_cast<double>(run.of);
    std::uint64_t random = static_cast<std::uint64_t>(step) * 6364136223846793005ull + run.name.size();
    random ^= random >> 33;
    random *= 0xff51afd7ed558ccdull;
    random ^= random >> 33;
    const double noise = static_cast<double>(random % 1000) / 1000 - 0.5;
    return run.end_loss + (run.start_loss - run.end_loss) * (0.75 * std::exp(-14 * t) + 0.25 * std::exp(-3 * t)) +
           noise * 0.12;
}

fs::path fabricate(const fs::path& root, const FabricatedRun& fake, ProcessId supervisor) {
    const double now = wall_seconds();
    const double created = now - fake.age_s;
    const bool over = run::is_over(fake.status);
    static int serial = 0;
    char digits[8];
    std::snprintf(digits, sizeof digits, "%04x", ++serial & 0xffff);
    const run::RunPaths paths(root / (compact_time(created) + "-" + fake.name + "-" + digits));
    for (const fs::path& folder : {paths.requests_done(), paths.logs(), paths.metrics(), paths.checkpoints()})
        fs::create_directories(folder);

    run::RunSpec spec;
    spec.recipe.name = fake.name;
    spec.recipe.training.steps = fake.of;
    spec.recipe.data.paths = {"/usr/share/perl"};
    spec.launch.num_processes = fake.ranks;
    spec.created = created;
    run::write_spec(paths, spec);

    if (fake.metrics) {
        io::EventFileWriter writer(paths.metrics());
        const std::int64_t evaluate = std::max<std::int64_t>(1, fake.of / 10);
        for (std::int64_t step = 1; step <= fake.step; ++step) {
            const double t = static_cast<double>(step) / static_cast<double>(fake.of);
            const double time = created + 2 + fake.age_s * 0.9 * t;
            const double loss = fabricated_loss(fake, step);
            const double warm = std::min(1.0, static_cast<double>(step) / (0.05 * static_cast<double>(fake.of)));
            writer.add_scalars(
                step, time,
                {{"train/loss", loss},
                 {"train/lr", 2e-3 * warm * (0.55 + 0.45 * std::cos(3.14159 * t))},
                 {"train/grad_norm", 0.6 + 2.0 * std::exp(-8 * t) + 0.1 * std::fabs(loss - 2)},
                 {"train/tokens_per_s", fake.tokens_per_s * (1 + 0.02 * std::sin(static_cast<double>(step) * 0.7))},
                 {"train/step_time_s", 768.0 / fake.tokens_per_s}});
            if (step % evaluate == 0)
                writer.add_scalars(step, time, {{"eval/loss", loss + 0.05}});
        }
        writer.flush();
    }

    run::RunState state;
    state.run_id = paths.id();
    state.name = fake.name;
    state.status = fake.status;
    state.supervisor_host = host_name();
    state.supervisor = supervisor;
    state.created = created;
    state.started = created + 1;
    state.heartbeat = now - fake.silent_s;
    if (over)
        state.ended = now - fake.silent_s;
    state.progress.step = fake.step;
    state.progress.of = fake.of;
    state.progress.tokens = fake.step * 768;
    state.progress.tokens_per_s = fake.tokens_per_s;
    if (fake.step > 0) {
        state.progress.loss = fabricated_loss(fake, fake.step);
        state.progress.validation_loss = *state.progress.loss + 0.05;
    }
    if (!over && fake.step >= 20)
        state.progress.eta_s = static_cast<double>(fake.of - fake.step) * 768 / fake.tokens_per_s;
    for (int rank = 0; rank < fake.ranks; ++rank) {
        run::RankState one;
        one.rank = rank;
        one.host = host_name();
        one.device = "cpu";
        one.process = supervisor;
        one.state = fake.status == run::Status::finished ? "finished" : over ? "failed" : "running";
        one.step = fake.step;
        one.phase = over ? "idle" : "forward";
        one.resident_bytes = 210ull << 20;
        state.ranks.push_back(one);
        append_line(paths.rank_log(rank),
                    "step " + std::to_string(fake.step) + " loss " + std::to_string(fabricated_loss(fake, fake.step)));
    }
    state.message = over ? "ended at step " + std::to_string(fake.step) : "training";
    if (!fake.failure.empty()) {
        run::Failure failure;
        failure.rank = fake.ranks - 1;
        failure.host = host_name();
        failure.signal = 9;
        failure.step = fake.step;
        failure.phase = "backward";
        failure.message = fake.failure;
        failure.log = {"step " + std::to_string(fake.step)};
        failure.time = now;
        state.first_failure = failure;
        state.message = fake.failure;
    }
    // Not write_state(): that one puts its own heartbeat.
    write_file_atomically(paths.state(), run::to_json(state), false);
    run::append_event(paths, {created + 1, -1, "phase", -1, "training started", "", 0});
    return paths.root();
}

}  // namespace trainyard::test
