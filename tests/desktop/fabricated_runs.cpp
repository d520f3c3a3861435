// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabricated_runs.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/file.h"
#include "formats/events/event_file.h"
#include "run/journal.h"
#include "run/run_labels.h"
#include "run/spec.h"

namespace trainyard::test {

namespace fs = std::filesystem;

namespace {
/// -0.5..0.5, the same for the same step and salt.
double jitter(std::int64_t step, std::uint64_t salt) {
    std::uint64_t random = (static_cast<std::uint64_t>(step) + salt * 1000003) * 6364136223846793005ull;
    random ^= random >> 33;
    random *= 0xff51afd7ed558ccdull;
    random ^= random >> 33;
    return static_cast<double>(random % 10000) / 10000 - 0.5;
}

/// Steady, with a dip now and then as when another program wakes up.
double throughput(const FabricatedRunSpec& run, std::int64_t step) {
    const bool dip = step % 170 > 150 && step % 510 > 340;
    return run.tokens_per_s * ((dip ? 0.93 : 1.0) + 0.015 * jitter(step, 2));
}
}  // namespace

double fabricated_loss(const FabricatedRunSpec& run, std::int64_t step) {
    const double t = static_cast<double>(step) / static_cast<double>(run.of);
    return run.end_loss + (run.start_loss - run.end_loss) * (0.8 * std::exp(-22 * t) + 0.2 * std::exp(-3.5 * t)) +
           jitter(step, run.name.size()) * 0.14;
}

fs::path fabricate(const fs::path& root, const FabricatedRunSpec& fake, ProcessId supervisor) {
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
    spec.recipe.optimizer.lr = fake.lr;
    if (fake.bf16)
        spec.recipe.training.mixed_precision = Precision::bf16;
    spec.launch.num_processes = fake.ranks;
    spec.created = created;
    run::write_spec(paths, spec);

    if (!fake.tags.empty() || !fake.note.empty())
        run::write_labels(paths, {.tags = fake.tags, .note = fake.note});
    if (fake.metrics) {
        events::EventFileWriter writer(paths.metrics());
        const std::int64_t evaluate = std::max<std::int64_t>(1, fake.of / 10);
        for (std::int64_t step = 1; step <= fake.step; ++step) {
            const double t = static_cast<double>(step) / static_cast<double>(fake.of);
            const double time = created + 2 + fake.age_s * 0.9 * t;
            const double loss = fabricated_loss(fake, step);
            const double warm = std::min(1.0, static_cast<double>(step) / (0.05 * static_cast<double>(fake.of)));
            writer.add_scalars(step, time,
                               {{"train/loss", loss},
                                {"train/lr", fake.lr * warm * (0.55 + 0.45 * std::cos(3.14159 * t))},
                                {"train/grad_norm", 0.55 + 2.2 * std::exp(-9 * t) + 0.18 * (jitter(step, 3) + 0.5)},
                                {"train/tokens_per_s", throughput(fake, step)},
                                {"train/step_time_s", 768.0 / throughput(fake, step)}});
            if (step % evaluate == 0)
                writer.add_scalars(step, time, {{"eval/loss", loss - jitter(step, fake.name.size()) * 0.14 + 0.06}});
        }
        std::vector<std::pair<std::string, double>> more;
        for (int i = 0; i < fake.more_metrics; ++i)
            more.emplace_back("layer_" + std::to_string(i / 4) + "/value_" + std::to_string(i % 4), 0);
        for (std::int64_t step = 1; step <= 10 && !more.empty(); ++step) {
            for (auto& [tag, value] : more)
                value = jitter(step, tag.size()) + fake.end_loss;
            writer.add_scalars(step, created + 2 + static_cast<double>(step), more);
        }
        writer.flush();
    }

    const auto when = [&](std::int64_t step) {
        return created + 2 + fake.age_s * 0.9 * static_cast<double>(step) / static_cast<double>(fake.of);
    };
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
        one.phase = "forward";
        one.resident_bytes = 210ull << 20;
        state.ranks.push_back(one);
        for (std::int64_t step = std::max<std::int64_t>(1, fake.step - 11); step <= fake.step; ++step) {
            char line[160];
            std::snprintf(line, sizeof line, "%s INFO  step %lld/%lld loss %.4f lr %.2e tokens/s %.0f",
                          iso_time(when(step)).substr(11, 12).c_str(), static_cast<long long>(step),
                          static_cast<long long>(fake.of), fabricated_loss(fake, step), 1e-3, throughput(fake, step));
            append_line(paths.rank_log(rank), line);
        }
    }
    state.message = over ? Message("at step {}", fake.step) : "training";
    if (!fake.failure.empty()) {
        run::Failure failure;
        failure.rank = fake.ranks - 1;
        failure.host = host_name();
        failure.signal = 9;
        failure.step = fake.step;
        failure.phase = "backward";
        failure.message = fake.failure;
        failure.log = {"step " + std::to_string(fake.step - 1) + " loss 2.7391",
                       "step " + std::to_string(fake.step) + " loss 2.7013"};
        failure.time = now;
        state.first_failure = failure;
        state.message = failure.message;
    }
    // Not write_state(): that one puts its own heartbeat.
    write_file_atomically(paths.state(), run::to_json(state), false);
    run::append_event(paths, {created + 1, -1, "phase", -1, "building the model and reading the data", "", 0});
    const std::int64_t every = std::max<std::int64_t>(1, fake.of / 5);
    for (std::int64_t step = every; step <= fake.step; step += every) {
        run::append_event(paths,
                          {when(step), step, "evaluation", 0, "evaluated", "", fabricated_loss(fake, step) + 0.06});
        run::append_event(paths, {when(step), step, "checkpoint", 0, "checkpoint saved",
                                  "checkpoints/checkpoint_" + std::to_string(step / every - 1), 10.1e6});
    }
    if (!fake.failure.empty())
        run::append_event(paths, {now, fake.step, "failure", fake.ranks - 1, fake.failure, "", 0});
    return paths.root();
}

std::vector<fs::path> fabricate_gallery(const fs::path& root, ProcessId supervisor) {
    const FabricatedRunSpec runs[] = {
        {.name = "perldoc-1m",
         .status = run::Status::running,
         .step = 690,
         .of = 1500,
         .age_s = 24,
         .tokens_per_s = 28100,
         .start_loss = 5.6,
         .end_loss = 1.61,
         .tags = {"perldoc"}},
        {.name = "perldoc-10m-2ranks",
         .status = run::Status::running,
         .step = 3240,
         .of = 4000,
         .ranks = 2,
         .age_s = 3300,
         .tokens_per_s = 4620,
         .start_loss = 5.7,
         .end_loss = 1.22,
         .tags = {"perldoc", "large"}},
        {.name = "books-1m-lr4e-3",
         .age_s = 7200,
         .tokens_per_s = 27600,
         .end_loss = 1.74,
         .lr = 4e-3,
         .tags = {"books", "lr-sweep"}},
        {.name = "books-1m-lr2e-3",
         .age_s = 9100,
         .tokens_per_s = 27900,
         .end_loss = 1.68,
         .tags = {"books", "lr-sweep"},
         .note = "best of the sweep"},
        {.name = "books-1m-lr1e-3",
         .age_s = 12900,
         .tokens_per_s = 27400,
         .end_loss = 1.83,
         .lr = 1e-3,
         .tags = {"books", "lr-sweep"}},
        {.name = "notes-bf16",
         .status = run::Status::failed,
         .step = 412,
         .of = 2000,
         .ranks = 2,
         .age_s = 26000,
         .tokens_per_s = 31200,
         .end_loss = 2.1,
         .failure = Message("rank {} on {} was killed by {} {}", 1, "gpu-b", Message("signal {} (SIG{})", 9, "KILL"),
                            Message("at step {} ({})", 412, "backward")),
         .bf16 = true,
         .tags = {"notes"}},
        {.name = "perldoc-warmup",
         .status = run::Status::stopped,
         .step = 820,
         .of = 1500,
         .age_s = 92000,
         .tokens_per_s = 26800,
         .end_loss = 1.9},
        {.name = "first-try", .step = 600, .of = 600, .age_s = 180000, .tokens_per_s = 24300, .end_loss = 2.35},
        {.name = "overnight",
         .status = run::Status::running,
         .step = 2210,
         .of = 9000,
         .age_s = 200000,
         .silent_s = 150000,
         .tokens_per_s = 4400,
         .end_loss = 1.4},
    };
    std::vector<fs::path> folders;
    for (const FabricatedRunSpec& run : runs)
        folders.push_back(fabricate(root, run, run.name == "overnight" ? ProcessId{1, 1} : supervisor));
    return folders;
}

}  // namespace trainyard::test
