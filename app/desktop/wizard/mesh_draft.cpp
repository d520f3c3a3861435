// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/mesh_draft.h"

#include <algorithm>

#include <QStringList>

#include "base/error.h"
#include "config/recipe/recipe_mesh.h"
#include "desktop/hosts/host_source.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/steps.h"
#include "estimate/recipe_estimate.h"
#include "launch/plan/recipe_keys.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/family.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

struct MeshKey {
    const char* key;
    std::int64_t config::ParallelRecipe::*member;
    const char* question;  ///< of the card Mesh, which asks for it instead; nullptr: none does
};
constexpr MeshKey kMeshKeys[]{{"parallel.pp_size", &config::ParallelRecipe::pp_size, nullptr},
                              {"parallel.dp_replicate_size", &config::ParallelRecipe::dp_replicate_size, "pc_rep"},
                              {"parallel.dp_shard_size", &config::ParallelRecipe::dp_shard_size, "pc_shard"},
                              {"parallel.cp_size", &config::ParallelRecipe::cp_size, "pc_cp"},
                              {"parallel.sp_size", &config::ParallelRecipe::sp_size, nullptr},
                              {"parallel.tp_size", &config::ParallelRecipe::tp_size, "pc_tp"},
                              {"parallel.ep_size", &config::ParallelRecipe::ep_size, nullptr}};

/// What a suggestion keeps: the samples of a step.
struct BatchKey {
    const char* key;
    std::int64_t config::TrainingRecipe::*member;
};
constexpr BatchKey kBatchKeys[]{
    {"training.batch_size", &config::TrainingRecipe::batch_size},
    {"training.gradient_accumulation_steps", &config::TrainingRecipe::gradient_accumulation_steps},
    {"training.global_batch_size", &config::TrainingRecipe::global_batch_size}};

/// The number that was typed last, which a report may not have yet.
void take_typed(const RunDraft& draft, const char* key, std::int64_t& value) {
    bool good = false;
    if (const qlonglong typed = draft.recipeValue(QLatin1String(key)).toLongLong(&good); good)
        value = typed;
}

/// Sizes that take what the others leave: 0.
bool is_of_data(const MeshKey& key) {
    return key.member == &config::ParallelRecipe::dp_replicate_size ||
           key.member == &config::ParallelRecipe::dp_shard_size;
}

/// The first problem and the others of its key, as the row of the key shows them.
void take_problems(DraftMesh& mesh, const std::vector<Problem>& problems) {
    if (!mesh.problem.isEmpty() || problems.empty())
        return;
    const DraftProblem first = problems_by_key(problems).front();
    mesh.problem = first.message;
    mesh.key = first.key;
}

/// Problems of a recipe on so many ranks that are about its mesh.
void judge(DraftMesh& mesh) {
    std::vector<Problem> of_mesh = config::check_recipe(*mesh.recipe);
    std::erase_if(of_mesh, [](const Problem& problem) { return !problem.key.starts_with("parallel."); });
    take_problems(mesh, of_mesh);
    try {
        config::on_ranks(*mesh.recipe, mesh.ranks());
    } catch (const InvalidInput& invalid) {
        take_problems(mesh, invalid.problems());
    }
}

QVector<MeshHost> hostsOf(const RunDraft& draft) {
    QVector<MeshHost> hosts;
    int first = 0;
    for (const remote::HostShare& share : draft.hosts()) {
        const int ranks = std::max(1, share.ranks);
        hosts << MeshHost{share.host == kThisMachine ? QString() : qt(share.host), first, ranks};
        first += ranks;
    }
    if (hosts.isEmpty()) {
        const int machines =
            static_cast<int>(std::max<std::int64_t>(1, draft.draft().settings().integer("num_machines", 1)));
        const int each = (draft.ranks() + machines - 1) / machines;
        for (; first < draft.ranks(); first += each)
            hosts << MeshHost{machines > 1 ? QString::number(hosts.size()) : QString(), first,
                              std::min(each, draft.ranks() - first)};
    }
    return hosts;
}

}  // namespace

int DraftMesh::ranks() const {
    return hosts.isEmpty() ? 0 : hosts.last().first + hosts.last().ranks;
}

QString DraftMesh::dimensionName(int dimension) {
    return dimension + 1 == kDimensions
               ? QStringLiteral("ep")
               : QLatin1String(parallel::to_string(static_cast<parallel::Dimension>(dimension)));
}

int DraftMesh::size(int dimension) const {
    return dimension + 1 == kDimensions ? experts : shape[static_cast<std::size_t>(dimension)];
}

int DraftMesh::coordinate(int rank, int dimension) const {
    if (dimension + 1 == kDimensions)
        return parallel::place_in_ring(shape, rank, parallel::kDataDimensions) % experts;
    return parallel::coordinates_of(shape, rank)[static_cast<std::size_t>(dimension)];
}

QString DraftMesh::placeOf(int rank) const {
    QStringList words;
    for (int dimension = 0; dimension < kDimensions; ++dimension)
        if (size(dimension) > 1)
            words << QStringLiteral("%1 %2").arg(dimensionName(dimension)).arg(coordinate(rank, dimension));
    return widgets::list_text(words);
}

const QVector<QString>& meshKeys() {
    static const QVector<QString> keys = [] {
        QVector<QString> all;
        for (const MeshKey& key : kMeshKeys)
            all << QLatin1String(key.key);
        return all;
    }();
    return keys;
}

QString meshQuestion(const RunDraft& draft, const QString& key) {
    const auto* found = std::ranges::find(kMeshKeys, key, [](const MeshKey& one) { return QLatin1String(one.key); });
    const bool asked = layoutOf(draft) == Layout::Mesh && found != std::end(kMeshKeys) && found->question != nullptr;
    return asked ? QLatin1String(found->question) : QString();
}

DraftMesh meshOf(const RunDraft& draft, const std::optional<config::Recipe>& last) {
    DraftMesh mesh;
    mesh.hosts = hostsOf(draft);
    const settings::Settings& settings = draft.draft().settings();
    if (draft.purpose() == Purpose::Engine) {
        if (!last)
            return mesh;
        config::Recipe recipe = *last;
        for (const MeshKey& key : kMeshKeys)
            take_typed(draft, key.key, recipe.parallel.*key.member);
        for (const BatchKey& key : kBatchKeys)
            take_typed(draft, key.key, recipe.training.*key.member);
        try {
            // DeepSpeed's own file is read by the checks, and has no sizes of a mesh.
            mesh.recipe =
                settings.text("deepspeed_config.deepspeed_config_file").empty() && !plan::recipe_limit(settings)
                    ? plan::with_settings(recipe, settings)
                    : recipe;
            judge(mesh);
        } catch (const InvalidInput& invalid) {
            mesh.recipe = recipe;
            take_problems(mesh, invalid.problems());
        } catch (const UserError& error) {
            mesh.recipe = recipe;
            mesh.problem = qtSentence(message_of(error));
        }
        if (mesh.problem.isEmpty()) {
            mesh.shape = config::mesh_of(*mesh.recipe, mesh.ranks());
            mesh.experts = static_cast<int>(mesh.recipe->parallel.ep_size);
        }
        return mesh;
    }
    estimate::TrainingSetup setup;
    estimate::apply_settings(setup, settings);
    const std::int64_t product = setup.layout.ranks();
    if (product != mesh.ranks()) {
        mesh.problem = RunDraft::tr("The sizes of the mesh multiply to %1, and %2 ranks are started.")
                           .arg(product)
                           .arg(mesh.ranks());
        mesh.key = QStringLiteral("parallelism_config");
        return mesh;
    }
    mesh.shape = estimate::mesh_of(setup);
    return mesh;
}

estimate::Hardware hardwareOf(const RunDraft& draft, const DraftMesh& mesh) {
    int each = 1;
    for (const MeshHost& host : mesh.hosts)
        each = std::max(each, host.ranks);
    const settings::Settings& settings = draft.draft().settings();
    const settings::Machine& machine = draft.questionnaire().machine();
    const bool on_gpu = machine.device != "cpu" && !settings.boolean("use_cpu") &&
                        settings.text("distributed_type") != "MULTI_CPU" && !machine.device_names.empty();
    estimate::Hardware hardware = estimate::this_machine(each);
    if (const estimate::Device* device = on_gpu ? estimate::find_device(machine.device_names.front()) : nullptr) {
        hardware.device = *device;
        hardware.network = estimate::usual_network(*device);
    }
    hardware.hosts = std::max<std::int64_t>(1, mesh.hosts.size());
    return hardware;
}

std::optional<estimate::TrainingSetup> suggestMesh(const config::Recipe& recipe, const estimate::Hardware& hardware,
                                                   int ranks) {
    if (!families::family_of(recipe.model).lists_tensors())
        return std::nullopt;
    config::Recipe plain = recipe;  // the sizes of its own mesh may not fit the ranks
    for (const MeshKey& key : kMeshKeys)
        plain.parallel.*key.member = is_of_data(key) ? 0 : 1;
    const std::size_t problems = config::check_recipe(plain).size();
    const auto accepts = [&](const estimate::TrainingSetup& setup) {
        const config::Recipe changed = estimate::recipe_of(setup, plain);
        if (config::check_recipe(changed).size() > problems)
            return false;
        try {
            config::on_ranks(changed, ranks);
            return true;
        } catch (const InvalidInput&) {
            return false;
        }
    };
    const estimate::RecipePlan plan = estimate::plan_of(plain, ranks);
    const std::vector<estimate::TrainingSetup> found =
        estimate::suggest_layouts(plan.model, plan.setup, hardware, ranks, accepts);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

void writeMesh(RunDraft& draft, const estimate::TrainingSetup& setup) {
    const estimate::Layout& layout = setup.layout;
    const bool asked = layoutOf(draft) == Layout::Mesh;
    const bool hybrid = setup.zero_stage > 0 && layout.dp_replicate > 1;
    const std::int64_t sizes[]{layout.pp, layout.dp_replicate, layout.dp_shard, layout.cp,
                               layout.sp, layout.tp,           layout.ep};
    draft.beginStep();
    for (std::size_t i = 0; i < std::size(kMeshKeys); ++i) {
        const MeshKey& key = kMeshKeys[i];
        if (asked && key.question != nullptr)
            draft.answer(QLatin1String(key.question), QString::number(sizes[i]));
        else if (draft.purpose() == Purpose::Engine)
            // 0: as many as the others leave.
            draft.setRecipeValue(QLatin1String(key.key), QString::number(is_of_data(key) && !hybrid ? 0 : sizes[i]));
    }
    if (draft.purpose() == Purpose::Engine &&
        draft.recipeValue(QStringLiteral("training.global_batch_size")).toLongLong() == 0) {
        draft.setRecipeValue(QStringLiteral("training.batch_size"), QString::number(setup.batch));
        draft.setRecipeValue(QStringLiteral("training.gradient_accumulation_steps"),
                             QString::number(setup.accumulation));
    }
    draft.endStep();
}

}  // namespace trainyard::desktop
