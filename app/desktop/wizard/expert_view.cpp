// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/expert_view.h"

#include <QKeyEvent>
#include <QLineEdit>

#include "desktop/shell/ui.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/expert_model.h"
#include "desktop/wizard/expert_tree.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

ExpertView::ExpertView(DraftModel* draft, RunDraft* run, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      model_(new ExpertModel(draft, run, this)),
      filter_(new ExpertFilter(model_, this)),
      tree_(new ExpertTree(filter_, this)),
      search_(make_search_field(tr("Search key, meaning or flag"), tr("Key, meaning or flag"), "search")),
      found_(make_note({})),
      filters_(new widgets::SegmentedControl({tr("All"), tr("Set"), tr("Changed"), tr("Invalid")})) {
    setProperty("surface", QStringLiteral("panel"));
    search_->setMaximumWidth(280_px);
    setLayout(make_column(
        {1, 1, 1, 1}, 0,
        {widgets::make_wrapping_row({12, 10, 12, 8}, 10, {{search_, 1}, found_, stretch(), filters_}), {tree_, 1}}));
    setTabOrder(search_, filters_);
    setTabOrder(filters_, tree_);

    connect(search_, &QLineEdit::textChanged, this, &ExpertView::searchChanged);
    connect(filters_, &widgets::SegmentedControl::currentChanged, this, [this](int which) {
        filter_->setShow(static_cast<ExpertFilter::Show>(which));
        tree_->fold();
        showCounts();
    });
    connect(model_, &ExpertModel::refreshed, this, &ExpertView::showCounts);
    const auto fold = [this] { tree_->fold(); };
    if (run != nullptr)
        connect(run, &RunDraft::replaced, this, fold);
    else
        connect(draft_, &DraftModel::opened, this, fold);
    showCounts();
}

void ExpertView::searchChanged() {
    filter_->setSearch(search_->text());
    tree_->fold();
    showCounts();
}

void ExpertView::showCounts() {
    const ExpertModel::Counts counts = model_->counts();
    filters_->setLabel(ExpertFilter::Set, tr("Set %1").arg(counts.set));
    filters_->setLabel(ExpertFilter::Changed, tr("Changed %1").arg(counts.changed));
    filters_->setLabel(ExpertFilter::Invalid, tr("Invalid %1").arg(counts.invalid));
    if (!filter_->isNarrowed()) {
        found_->setText(tr("every key, %1 in all").arg(counts.all));
        return;
    }
    int shown = 0;
    for (int g = 0; g < filter_->rowCount(); ++g)
        shown += filter_->rowCount(filter_->index(g, 0));
    found_->setText(shown > 0 ? tr("%1 of %2 keys").arg(shown).arg(counts.all) : tr("no key matches"));
}

bool ExpertView::focusKey(const QString& path) {
    const QModelIndex source = model_->find(path);
    if (!source.isValid())
        return false;
    if (!filter_->mapFromSource(source).isValid()) {
        search_->clear();
        filters_->setCurrent(ExpertFilter::All);
    }
    const QModelIndex index = filter_->mapFromSource(source);
    if (!index.isValid())
        return false;
    tree_->expand(index.parent());
    tree_->setCurrentIndex(index);
    tree_->scrollTo(index, QAbstractItemView::PositionAtCenter);
    tree_->setFocus();
    return true;
}

QStringList ExpertView::shownKeys() const {
    QStringList paths;
    for (int g = 0; g < filter_->rowCount(); ++g) {
        const QModelIndex group = filter_->index(g, 0);
        for (int r = 0; r < filter_->rowCount(group); ++r)
            paths << model_->at(filter_->mapToSource(filter_->index(r, 0, group)))->path;
    }
    return paths;
}

void ExpertView::keyPressEvent(QKeyEvent* event) {
    // From the search field down into the table, and Esc back to everything.
    if (search_->hasFocus() && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return)) {
        const QModelIndex group = filter_->index(0, 0);
        const QModelIndex first = filter_->index(0, 0, group);
        tree_->setCurrentIndex(filter_->isNarrowed() && first.isValid() ? first : group);
        tree_->setFocus();
        return;
    }
    if (event->key() == Qt::Key_Escape && filter_->isNarrowed()) {
        search_->clear();
        filters_->setCurrent(ExpertFilter::All);
        return;
    }
    QFrame::keyPressEvent(event);
}

}  // namespace trainyard::desktop
