// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/selfcheck.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "worker/log.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

void StageContext::expect(bool good, const Message& otherwise) {
    if (!good && problem.empty())
        problem = otherwise;
}

bool StageContext::damaged() const {
    return failpoint_hit(fmt::format("selfcheck.{}.{}", stage, rank()).c_str(), "damage");
}

std::vector<double> StageContext::gather(double mine, const std::string& name) const {
    at::Tensor one = at::full({1}, mine, options(at::kDouble));
    at::Tensor all = at::empty({ranks(), 1}, options(at::kDouble));
    everyone.all_gather(all, one, name);
    at::Tensor host = all.cpu();
    const double* values = host.const_data_ptr<double>();
    return {values, values + ranks()};
}

namespace {

struct Stage {
    const char* name;
    Message (*run)(StageContext&);
};

constexpr Stage kStages[] = {
    {"processes", check_processes},   {"state", check_state},
    {"order", check_order},           {"collectives", check_collectives},
    {"trigger", check_trigger},       {"split", check_split},
    {"random", check_random_numbers}, {"loaders", check_loaders},
    {"samplers", check_samplers},     {"data", check_data},
    {"parity", check_parity},         {"checkpoint", check_checkpoint},
    {"speed", check_speed},           {"pairs", check_pairs},
};

void run_stage(const Stage& stage, StageContext& context, const SelfCheckReport& report) {
    report.phase(stage.name);
    failpoint(fmt::format("selfcheck.enter.{}.{}", stage.name, context.rank()).c_str());
    double begin = monotonic_seconds();
    context.stage = stage.name;
    context.problem = {};
    const Message done = stage.run(context);
    std::vector<double> bad = context.gather(context.problem.empty() ? 0 : 1, "outcome of a stage");
    std::vector<int> failed;
    for (int rank = 0; rank < context.ranks(); ++rank)
        if (bad[static_cast<std::size_t>(rank)] != 0)
            failed.push_back(rank);
    const Message sentence = failed.size() == 1
                                 ? Message("check '{}' failed on rank {}", stage.name, failed.front())
                                 : Message("check '{}' failed on ranks {}", stage.name, fmt::join(failed, ", "));
    if (!context.problem.empty())
        throw UserError("{}: {}", sentence, context.problem);
    if (!failed.empty())
        throw parallel::PeerLost(sentence);
    if (context.rank() != 0) {
        context.measured.clear();
        return;
    }
    run::Event event;
    event.time = wall_seconds();
    event.kind = "check";
    event.text = Message("{}: {}", stage.name, done);
    event.value = monotonic_seconds() - begin;
    report.event(event);
    log_info(event.text.text());
    for (run::Event& figures : context.measured) {
        figures.time = event.time;
        report.event(figures);
    }
    context.measured.clear();
}

/// The data of this rank, as long as it lives.
class Blocks {
  public:
    Blocks(const std::filesystem::path& folder, const parallel::ProcessPlace& place)
        : file_(folder / fmt::format("self-check.{}.txt", place.rank)) {
        write_numbered_blocks(file_, place.world_size);
    }
    ~Blocks() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    const std::filesystem::path& file() const { return file_; }

  private:
    std::filesystem::path file_;
};

}  // namespace

void run_selfcheck(const RankEnvironment& environment, const config::Recipe& recipe,
                   const std::shared_ptr<parallel::World>& world, parallel::Mesh& mesh, at::Device device,
                   const SelfCheckReport& report) {
    const parallel::ProcessPlace& place = environment.place;
    if (place.world_size > place.local_world_size) {
        report.phase("reach");
        check_reach(environment, *world);
    }
    report.phase("connect");
    Blocks blocks(environment.run_directory, place);
    config::Recipe with_data = recipe;
    with_data.data.paths = {blocks.file().string()};
    with_data.training.mixed_precision = Precision::no;     // the stages choose for themselves
    config::ParallelRecipe& parallel = with_data.parallel;  // replicas only, as the mesh
    parallel.pp_size = parallel.cp_size = parallel.sp_size = parallel.tp_size = parallel.ep_size = 1;
    parallel.dp_replicate_size = parallel.dp_shard_size = 0;
    parallel.tp_sequence_parallel = false;
    StageContext context{with_data,
                         mesh,
                         mesh.everyone(),
                         device,
                         environment.run_directory,
                         place,
                         std::make_shared<parallel::ProcessState>(world, place, device)};
    for (const Stage& stage : kStages)
        run_stage(stage, context, report);
}

}  // namespace trainyard::worker
