// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mesh that a launch would make of a draft: its sizes, which ranks are on which host, why the ranks cannot form it.
// Sizes and refusals are those of the launch (config/recipe/recipe_mesh.h). Without widgets.

#include <optional>

#include <QString>
#include <QVector>

#include "config/recipe/recipe.h"
#include "distributed/pipeline/mesh_shape.h"
#include "estimate/step_simulation.h"

namespace trainyard::desktop {

class RunDraft;

struct MeshHost {
    QString name;
    int first = 0;  ///< its first rank
    int ranks = 1;
    bool operator==(const MeshHost&) const = default;
};

struct DraftMesh {
    parallel::MeshShape shape{1, 1, 1, 1, 1, 1};
    int experts = 1;
    QVector<MeshHost> hosts;
    std::optional<config::Recipe> recipe;  ///< as the launch trains it; of an own program nothing
    QString problem;                       ///< why the ranks cannot form the mesh; empty: they can
    QString key;                           ///< of the problem

    int ranks() const;
    bool isValid() const { return problem.isEmpty() && parallel::rank_count(shape) == ranks(); }
    /// Dimensions by number: those of parallel::Dimension, then experts.
    static constexpr int kDimensions = static_cast<int>(parallel::kDimensions) + 1;
    static QString dimensionName(int dimension);
    int size(int dimension) const;
    int coordinate(int rank, int dimension) const;
    /// "pp 1, tp 0": all dimensions larger than 1.
    QString placeOf(int rank) const;
};

/// The keys of recipes that are the sizes of the mesh.
const QVector<QString>& meshKeys();
/// The question of the settings that asks for this size instead of the recipe; empty: the recipe has it.
QString meshQuestion(const RunDraft& draft, const QString& key);
/// `last`: the recipe of the draft's last report without errors; the sizes are those of the fields.
DraftMesh meshOf(const RunDraft& draft, const std::optional<config::Recipe>& last);
/// The hosts of a mesh as the estimator sees them: GPUs by the name of this machine's, else its processors.
estimate::Hardware hardwareOf(const RunDraft& draft, const DraftMesh& mesh);
/// The fastest layout of the draft's ranks that fits, with tensor parallel ranks inside a host and the same samples per
/// step, of those that the engine trains; std::nullopt: none. Takes up to seconds.
std::optional<estimate::TrainingSetup> suggestMesh(const config::Recipe& recipe, const estimate::Hardware& hardware,
                                                   int ranks);
/// Writes the sizes of a layout into recipe and settings of the draft, as one undo step.
void writeMesh(RunDraft& draft, const estimate::TrainingSetup& layout);

}  // namespace trainyard::desktop
