// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/mesh_editor.h"

#include <algorithm>

#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>

#include "base/text.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/steps.h"
#include "estimate/recipe_estimate.h"
#include "models/spec/family.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

constexpr int kRankTileWidth = 62, kRankTileHeight = 44, kMostRowsShown = 6, kMostStagesShown = 8;

/// A tile with the number of the rank and its coordinate; the colour is that of the coordinate.
class TileDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* device, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QString text = index.data().toString();
        if (text.isEmpty())
            return;
        const Theme& theme = Theme::instance();
        const int coordinate = index.data(MeshModel::CoordinateRole).toInt();
        const QRect tile = option.rect.adjusted(2, 2, -2, -2);
        device->save();
        device->setRenderHint(QPainter::Antialiasing);
        fill_box(*device, QRectF(tile), 4, theme.color(Token::BgHover));
        if (coordinate >= 0) {
            // A stripe: the words stay on the colour that they can be read on.
            fill_box(*device, QRectF(tile.left(), tile.top(), tile.width(), 5_px), 2,
                     theme.runColor(1 + coordinate % widgets::kRunColors));
        }
        if ((option.state & QStyle::State_Selected) != 0)
            draw_box(*device, QRectF(tile).adjusted(0.5, 0.5, -0.5, -0.5), 4, Qt::transparent,
                     theme.color(Token::Accent), 1.5);
        device->restore();
        const QStringList lines = text.split(QLatin1Char('\n'));
        draw_elided(*device, theme.mono(12), Token::Text, QRect(tile.left(), tile.top() + 5_px, tile.width(), 18_px),
                    lines[0], Qt::AlignCenter);
        if (lines.size() > 1)
            draw_elided(*device, theme.mono(10), Token::TextSecondary,
                        QRect(tile.left(), tile.top() + 21_px, tile.width(), 17_px), lines[1], Qt::AlignCenter);
    }
};

QString meshHostWords(const MeshHost& host) {
    return host.name.isEmpty() ? MeshModel::tr("this machine") : host.name;
}

QString meshWords(const DraftMesh& mesh) {
    QStringList words;
    for (int dimension = 0; dimension < DraftMesh::kDimensions; ++dimension)
        if (mesh.size(dimension) > 1)
            words << QStringLiteral("%1 %2").arg(DraftMesh::dimensionName(dimension)).arg(mesh.size(dimension));
    return words.join(QStringLiteral(" × "));
}

QString bytesWords(double bytes) {
    return qtNumber(text::file_size(static_cast<std::uint64_t>(bytes)));
}

}  // namespace

void MeshModel::setMesh(const DraftMesh& mesh, int dimension) {
    const bool same = mesh.hosts == mesh_.hosts;
    if (!same)
        beginResetModel();
    mesh_ = mesh;
    dimension_ = dimension;
    if (same)
        cellsChanged();
    else
        endResetModel();
}

int MeshModel::columns() const {
    int most = 0;
    for (const MeshHost& host : mesh_.hosts)
        most = std::max(most, host.ranks);
    return most;
}

int MeshModel::rankAt(int row, int column) const {
    const MeshHost& host = mesh_.hosts[row];
    return column < host.ranks ? host.first + column : -1;
}

widgets::Cell MeshModel::cell(int row, int column) const {
    widgets::Cell cell;
    const int rank = rankAt(row, column);
    if (rank < 0)
        return cell;
    cell.text = QString::number(rank);
    if (mesh_.isValid())
        cell.text +=
            QStringLiteral("\n%1 %2").arg(DraftMesh::dimensionName(dimension_)).arg(mesh_.coordinate(rank, dimension_));
    return cell;
}

QVariant MeshModel::data(const QModelIndex& index, int role) const {
    if (role != CoordinateRole || !index.isValid())
        return CellTable::data(index, role);
    const int rank = rankAt(index.row(), index.column());
    return rank < 0 || !mesh_.isValid() ? -1 : mesh_.coordinate(rank, dimension_);
}

QVariant MeshModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical && role == Qt::DisplayRole)
        return meshHostWords(mesh_.hosts[section]);
    return CellTable::headerData(section, orientation, role);
}

QString MeshModel::tip(int row, int column) const {
    const int rank = rankAt(row, column);
    if (rank < 0)
        return {};
    const QString words = tr("Rank %1 on %2").arg(QString::number(rank), meshHostWords(mesh_.hosts[row]));
    return mesh_.isValid() ? tr("%1: %2").arg(words, mesh_.placeOf(rank)) : words;
}

MeshEditor::MeshEditor(RunDraft* draft, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      model_(new MeshModel(this)),
      grid_(named(new QTableView, tr("Ranks of the mesh"), tr("A row for each host; arrows go from rank to rank"))),
      dimensions_(nullptr),
      suggest_(named(new QPushButton(tr("Suggest")), tr("Suggest a mesh"),
                     tr("The fastest layout that fits, with tensor parallel ranks inside a host"))),
      sentence_(wrapped(make_note(QString()))),
      chosen_(named(wrapped(make_mono_label(QString(), 12, Tone::Secondary)), tr("Selected rank"))),
      facts_(named(wrapped(make_mono_label(QString(), 12)), tr("A step on this mesh"))) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Mesh of ranks"));
    QStringList names;
    for (int dimension = 0; dimension < DraftMesh::kDimensions; ++dimension)
        names << DraftMesh::dimensionName(dimension);
    dimensions_ = named(new widgets::SegmentedControl(names), tr("Dimension that colours the ranks"));
    suggest_->setToolTip(suggest_->accessibleDescription());
    grid_->setModel(model_);
    grid_->setItemDelegate(new TileDelegate(grid_));
    widgets::set_quiet_look(grid_, kRankTileHeight);
    grid_->setSelectionBehavior(QAbstractItemView::SelectItems);
    grid_->setSelectionMode(QAbstractItemView::SingleSelection);
    grid_->horizontalHeader()->hide();
    grid_->horizontalHeader()->setMinimumSectionSize(kRankTileWidth);
    grid_->horizontalHeader()->setDefaultSectionSize(kRankTileWidth);
    grid_->verticalHeader()->setVisible(true);
    setLayout(make_column({14, 10, 14, 12}, 8,
                          {make_row(8, {make_title(tr("Mesh of ranks")), stretch(), suggest_}), sentence_,
                           make_row({dimensions_, stretch()}), grid_, chosen_, facts_}));
    connect(dimensions_, &widgets::SegmentedControl::currentChanged, this, [this](int dimension) {
        dimension_chosen_ = true;
        model_->setMesh(model_->mesh(), dimension);
        showRank(grid_->currentIndex());
    });
    connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { showRank(current); });
    connect(suggest_, &QPushButton::clicked, this, &MeshEditor::suggest);
}

void MeshEditor::refresh() {
    if (draft_->report().recipe)
        recipe_ = draft_->report().recipe;
    const DraftMesh mesh = meshOf(*draft_, recipe_);
    setVisible(mesh.ranks() > 1);
    int dimension = dimensions_->current();
    if (mesh.isValid() && (!dimension_chosen_ || mesh.size(dimension) == 1))
        for (int i = 0; i < DraftMesh::kDimensions; ++i)
            if (mesh.size(i) > 1)
                dimension = i;
    for (int i = 0; i < DraftMesh::kDimensions; ++i)
        dimensions_->button(i)->setEnabled(mesh.isValid() && mesh.size(i) > 1);
    {
        const QSignalBlocker silent(dimensions_);
        dimensions_->setCurrent(dimension);
    }
    model_->setMesh(mesh, dimension);
    const int rows = std::clamp(static_cast<int>(mesh.hosts.size()), 1, kMostRowsShown);
    grid_->setFixedHeight(rows * kRankTileHeight + 4 +
                          (model_->columnCount() * kRankTileWidth > grid_->width()
                               ? grid_->horizontalScrollBar()->sizeHint().height()
                               : 0));
    const bool waits = draft_->purpose() == Purpose::Engine && !mesh.recipe;
    sentence_->setText(waits            ? tr("The mesh is shown when the recipe has no errors.")
                       : mesh.isValid() ? meshWords(mesh)
                       : mesh.key.isEmpty()
                           ? mesh.problem
                           : QStringLiteral("%1: %2").arg(mesh.key.section(QLatin1Char('.'), -1), mesh.problem));
    sentence_->setForegroundRole(tone_role(waits ? Tone::Muted : mesh.isValid() ? Tone::Text : Tone::Error));
    // The settings of Megatron-LM have sizes of their own.
    suggest_->setEnabled(mesh.recipe.has_value() && layoutOf(*draft_) != Layout::Megatron);
    showRank(grid_->currentIndex());
    simulate();
}

void MeshEditor::showRank(const QModelIndex& index) {
    chosen_->setText(index.isValid() ? model_->data(index, Qt::ToolTipRole).toString() : QString());
    chosen_->setVisible(!chosen_->text().isEmpty());
}

void MeshEditor::simulate() {
    const DraftMesh& mesh = model_->mesh();
    if (!mesh.isValid() || !mesh.recipe || !families::family_of(mesh.recipe->model).lists_tensors()) {
        simulation_.cancel();
        simulated_.reset();
        facts_->hide();
        return;
    }
    if (simulated_ == mesh.recipe && simulated_hosts_ == mesh.hosts)
        return;
    simulated_ = mesh.recipe;
    simulated_hosts_ = mesh.hosts;
    simulation_.submit(
        [recipe = *mesh.recipe, hardware = hardwareOf(*draft_, mesh), ranks = mesh.ranks()] {
            const estimate::RecipePlan plan = estimate::plan_of(recipe, ranks);
            return estimate::simulate_step(plan.model, plan.setup, hardware,
                                           estimate::usual_rates(plan.setup, hardware));
        },
        [this](const estimate::SimulatedStep& step) {
            QStringList lines;
            for (std::size_t i = 0; i < std::min<std::size_t>(step.stages.size(), kMostStagesShown); ++i) {
                const estimate::SimulatedStage& stage = step.stages[i];
                const QString memory = memoryText(stage.memory);
                lines << (step.stages.size() == 1 ? tr("memory of a rank: %1").arg(memory)
                                                  : tr("pp %1: %2 a rank, idle for %3 %")
                                                        .arg(QString::number(i), memory)
                                                        .arg(qRound(100 * stage.idle / step.seconds)));
            }
            lines << tr("sent in a step: %1 inside hosts, %2 between hosts")
                         .arg(bytesWords(step.sent_inside()), bytesWords(step.sent_between()));
            lines << tr("step: about %1").arg(widgets::duration_words(step.seconds));
            facts_->setText(lines.join(QLatin1Char('\n')));
            facts_->show();
        },
        [this](const QString&) { facts_->hide(); });  // the page shows why
}

void MeshEditor::suggest() {
    const DraftMesh& mesh = model_->mesh();
    if (!mesh.recipe)
        return;
    suggest_->setEnabled(false);
    suggestion_.submit(
        [recipe = *mesh.recipe, hardware = hardwareOf(*draft_, mesh), ranks = mesh.ranks()] {
            return suggestMesh(recipe, hardware, ranks);
        },
        [this](const std::optional<estimate::TrainingSetup>& layout) {
            suggest_->setEnabled(true);
            if (layout)
                writeMesh(*draft_, *layout);
            else
                sentence_->setText(tr("No layout of these ranks fits the model and the memory of a rank."));
        },
        [this](const QString& why) {
            suggest_->setEnabled(true);
            sentence_->setText(why);
        });
}

}  // namespace trainyard::desktop
