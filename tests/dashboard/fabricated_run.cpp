// SPDX-License-Identifier: GPL-3.0-or-later
#include "dashboard/fabricated_run.h"

#include <cmath>
#include <cstdio>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "formats/events/event_layout.h"
#include "run/journal.h"

namespace trainyard::test {

namespace {

constexpr double kTokensPerStep = 12.0 * 64 * 2;

std::string clock_of(double wall) {
    const auto seconds = static_cast<time_t>(wall);
    tm parts{};
    localtime_r(&seconds, &parts);
    char text[16];
    std::snprintf(text, sizeof text, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>((wall - std::floor(wall)) * 1000));
    return text;
}

double loss_at(double step) {
    return 1.28 + 4.3 * std::exp(-step / 70) + 1.1 * std::exp(-step / 900);
}

}  // namespace

FabricatedRun::FabricatedRun(const std::filesystem::path& runs_root, const FabricatedPlan& plan)
    : plan_(plan), paths_(run::create_run_directory(runs_root, plan.name)), random_(plan.seed * 7919u + 17u) {
    const double end = plan_.end > 0 ? plan_.end : wall_seconds();
    begin_ = end - static_cast<double>(plan_.done) * plan_.step_seconds;

    run::RunSpec spec;
    spec.recipe.name = plan_.name;
    spec.recipe.training.steps = plan_.steps;
    spec.recipe.checkpoint.resume_from = plan_.resume_from;
    spec.recipe.data.paths = {"/usr/share/perl"};
    spec.launch.num_processes = plan_.ranks;
    spec.created = begin_ + static_cast<double>(plan_.first - 1) * plan_.step_seconds - 1.1;
    spec.recipe_file = plan_.recipe_file;
    spec.command = {"trainyard", "launch", spec.recipe_file};
    run::write_spec(paths_, spec);

    state_.run_id = paths_.id();
    state_.name = plan_.name;
    state_.status = plan_.status;
    state_.supervisor_host = host_name();
    state_.supervisor = this_process();
    state_.created = spec.created;
    state_.started = spec.created + 0.2;
    if (run::is_over(plan_.status))
        state_.ended = end + 0.4;
    state_.progress.of = plan_.steps;
    for (int rank = 0; rank < plan_.ranks; ++rank) {
        run::RankState state;
        state.rank = rank;
        state.host = hostOf(rank);
        state.device = "cpu";
        state.process = {4200 + rank, 1};
        state.state = plan_.status == run::Status::finished ? "finished" : "running";
        state.phase = rank % 2 == 0 ? "forward" : "backward";
        state.resident_bytes = 231u << 20;
        if (plan_.status == run::Status::finished)
            state.exit_code = 0;
        state_.ranks.push_back(state);
    }

    metrics_ = std::make_unique<events::EventFileWriter>(paths_.metrics());
    for (int rank = 0; rank < plan_.ranks; ++rank) {
        const std::filesystem::path of_rank = events::rank_event_folder(paths_.metrics(), rank);
        std::filesystem::create_directories(of_rank);
        events::EventFileWriter system(of_rank);
        for (double at = begin_; at <= end; at += 1)
            system.add_scalars(static_cast<std::int64_t>((at - begin_) / plan_.step_seconds), at,
                               {{"system/resident_bytes", (228.0 + 2.5 * rank + 1.5 * noise()) * (1 << 20)},
                                {"system/cpu_percent", 97 + noise()}});
        system.flush();
    }
    if (plan_.health)
        writeHealth(end);
    run::append_event(paths_, {begin_ - 1, -1, "phase", -1, "2 ranks start on this machine", {}, 0});
    for (std::int64_t step = plan_.first; step <= plan_.done; ++step) {
        const double wall = begin_ + static_cast<double>(step) * plan_.step_seconds;
        writeStep(step, wall);
        if (plan_.evaluate_every > 0 && step % plan_.evaluate_every == 0) {
            const double loss = loss_at(static_cast<double>(step) / plan_.slowness) + 0.07;
            metrics_->add_scalars(step, wall, {{"eval/loss", loss}});
            char text[64];
            std::snprintf(text, sizeof text, "validation loss %.4f at step %lld", loss, static_cast<long long>(step));
            if (step % (plan_.evaluate_every * 4) == 0)
                run::append_event(paths_, {wall, step, "evaluation", -1, Message::verbatim(text), {}, loss});
            state_.progress.validation_loss = loss;
        }
        if (plan_.checkpoint_every > 0 && step % plan_.checkpoint_every == 0)
            run::append_event(paths_, {wall, step, "checkpoint", -1, Message("checkpoint {}, 9.9 MB in 41 ms", step),
                                       "checkpoints/checkpoint_" + std::to_string(step), 9.9e6});
        if (step == plan_.spike_at)
            run::append_event(
                paths_,
                {wall, step, "warning", -1, Message("loss 3.95 at step {}, its gradient was clipped", step), {}, 0});
        if (plan_.log && step % 4 == 0) {
            char line[160];
            std::snprintf(line, sizeof line, "%s INFO  step %lld loss %.4f lr %.3g norm %.3g 6.4 k tok/s",
                          clock_of(wall).c_str(), static_cast<long long>(step),
                          loss_at(static_cast<double>(step) / plan_.slowness) + 0.05 * noise(), 1e-3,
                          0.8 + 0.1 * noise());
            addLogLine(0, line);
            if (step % 200 == 0 && plan_.ranks > 1)
                addLogLine(1, clock_of(wall + 0.001) + " WARN  all_reduce grads.h.3 waited 118 ms for rank 0");
        }
    }
    step_ = plan_.done;
    metrics_->flush();
    writeState();
}

std::string FabricatedRun::hostOf(int rank) const {
    if (plan_.hosts <= 1)
        return host_name();
    return std::string("gpu-") + static_cast<char>('a' + rank * plan_.hosts / plan_.ranks);
}

void FabricatedRun::writeHealth(double end) {
    for (int rank = 0; rank < plan_.ranks; ++rank) {
        const std::filesystem::path of_rank = events::rank_event_folder(paths_.metrics(), rank);
        std::filesystem::create_directories(of_rank);
        events::EventFileWriter system(of_rank);
        for (std::int64_t step = 1; step <= plan_.done; ++step) {
            const bool slow = rank == plan_.slow_rank && step > plan_.done * 2 / 3;
            const double own = plan_.step_seconds * (slow ? 1.17 : 0.9 + 0.02 * noise());
            const double all = plan_.step_seconds * (plan_.slow_rank >= 0 && step > plan_.done * 2 / 3 ? 1.2 : 1);
            system.add_scalars(
                step, begin_ + static_cast<double>(step) * plan_.step_seconds,
                {{"rank/step_time_s", all}, {"rank/waited_s", std::max(0.0, all - own)}, {"rank/own_time_s", own}});
        }
        system.flush();
    }
    for (int host = 0; host < plan_.hosts; ++host) {
        const int rank = (host * plan_.ranks + plan_.hosts - 1) / plan_.hosts;
        const std::filesystem::path of_host = events::host_event_folder(paths_.metrics(), hostOf(rank));
        std::filesystem::create_directories(of_host);
        events::EventFileWriter machine(of_host);
        for (double at = begin_ + 2; at <= end; at += 2) {
            std::vector<std::pair<std::string, double>> figures{
                {"machine/cpu_percent", 32 + 3 * noise()}, {"machine/memory_bytes", 98e9},
                {"machine/memory_total_bytes", 256e9},     {"machine/disk_read_bytes_per_s", 84e6},
                {"machine/disk_write_bytes_per_s", 3e6},   {"machine/net_in_bytes_per_s", 1.1e9},
                {"machine/net_out_bytes_per_s", 1.2e9},    {"machine/disk_free_bytes", 812e9}};
            for (const char* gpu : {"gpu0/", "gpu1/"})
                for (const auto& [name, value] : {std::pair("utilization_percent", 95 + noise()),
                                                  {"memory_bytes", 61.3 * (1 << 30)},
                                                  {"memory_total_bytes", 80.0 * (1 << 30)},
                                                  {"temperature_c", 71.0},
                                                  {"power_w", 656.0}})
                    figures.emplace_back(std::string(gpu) + name, value);
            machine.add_scalars(static_cast<std::int64_t>((at - begin_) / plan_.step_seconds), at, figures);
        }
        machine.flush();
    }
}

double FabricatedRun::noise() {
    // xorshift64*; sum of four uniforms is near enough to a normal number.
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
        random_ ^= random_ >> 12;
        random_ ^= random_ << 25;
        random_ ^= random_ >> 27;
        sum += static_cast<double>((random_ * 0x2545F4914F6CDD1Dull) >> 11) * 0x1p-53;
    }
    return (sum - 2) * 1.7;
}

void FabricatedRun::writeStep(std::int64_t step, double wall) {
    const double at = static_cast<double>(step);
    double loss = loss_at(at / plan_.slowness) + 0.06 * noise();
    double norm = 0.75 + 2.1 * std::exp(-at / 180) + 0.07 * noise();
    if (step == plan_.spike_at) {
        loss = 3.95;
        norm = 3.4;
    }
    const double warmup = 100;
    const double total = static_cast<double>(plan_.steps);
    const double rate =
        1e-3 * (at < warmup ? at / warmup : 0.5 * (1 + std::cos(M_PI * (at - warmup) / (total - warmup))));
    const double seconds = plan_.step_seconds * (1 + 0.02 * noise()) * (step > 900 && step < 1010 ? 1.14 : 1.0);
    metrics_->add_scalars(step, wall,
                          {{"train/loss", loss},
                           {"train/lr", rate},
                           {"train/grad_norm", norm},
                           {"train/tokens_per_s", kTokensPerStep / seconds},
                           {"train/step_time_s", seconds}});
    if (plan_.health) {
        metrics_->add_scalars(step, wall,
                              {{"phase/data", 0.02 * seconds},
                               {"phase/forward", 0.3 * seconds},
                               {"phase/backward", 0.55 * seconds},
                               {"phase/communicate", 0.08 * seconds},
                               {"phase/optimizer", 0.04 * seconds},
                               {"phase/other", 0.01 * seconds},
                               {"train/mfu", 0.468 * plan_.step_seconds / seconds}});
        if (step == 20)
            metrics_->add_scalars(step, wall, {{"train/peak_flops_per_s", 1.42e11}});
    }
    state_.progress.loss = loss;
    state_.progress.tokens_per_s = kTokensPerStep / seconds;
}

void FabricatedRun::writeState() {
    state_.progress.step = step_;
    state_.progress.tokens = static_cast<std::int64_t>(static_cast<double>(step_) * kTokensPerStep);
    if (step_ >= 20 && !run::is_over(state_.status))
        state_.progress.eta_s = static_cast<double>(plan_.steps - step_) * plan_.step_seconds;
    for (run::RankState& rank : state_.ranks)
        rank.step = step_;
    run::write_state(paths_, state_, false);
}

void FabricatedRun::addStep(bool state) {
    addSteps(1);
    if (state)
        writeState();
}

void FabricatedRun::addSteps(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        writeStep(++step_, wall_seconds());
    metrics_->flush();
}

void FabricatedRun::addLogLine(int rank, const std::string& line) {
    append_line(paths_.rank_log(rank), line);
}

std::string FabricatedRun::fail() {
    run::Failure failure;
    failure.rank = 1;
    failure.host = host_name();
    failure.signal = 9;
    failure.step = step_;
    failure.phase = "backward";
    failure.last_collective = "all_reduce #7368 grads.h.3";
    failure.time = wall_seconds();
    failure.message = Message(
        "rank 1 on {} was killed by signal 9 at step {} in backward; the kernel's out-of-memory killer did not do it",
        failure.host, step_);
    const std::string clock = clock_of(failure.time);
    failure.log = {clock + " INFO  step " + std::to_string(step_) + " loss 1.5103 lr 0.000612 norm 0.81 6.4 k tok/s",
                   clock + " WARN  all_reduce grads.h.3 waited 118 ms for rank 0"};
    for (const std::string& line : failure.log)
        addLogLine(1, line);
    addLogLine(0, clock + " ERROR the connection to rank 1 was closed");
    state_.status = run::Status::failed;
    state_.ended = failure.time + 0.3;
    state_.message = failure.message;
    state_.first_failure = failure;
    state_.progress.eta_s.reset();
    for (run::RankState& rank : state_.ranks) {
        rank.state = rank.rank == 1 ? "killed" : "failed";
        if (rank.rank == 1)
            rank.signal = 9;
        else
            rank.exit_code = 1;
    }
    run::append_event(paths_, {failure.time, step_, "failure", 1, failure.message, {}, 0});
    writeState();
    return failure.message;
}

}  // namespace trainyard::test
