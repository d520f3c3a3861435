// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/tile_row.h"

#include <QMenu>

#include "desktop/dashboard/metric_figures.h"
#include "desktop/dashboard/metric_tile.h"
#include "desktop/dashboard/tags.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

TileRow::TileRow(const RunRecord* run, QWidget* parent)
    : QWidget(parent), run_(run), line_(widgets::make_wrapping_row(8, {})) {
    setLayout(make_column(QMargins(), 0, {line_}));
    follow();
    connect(run_, &RunRecord::tagsChanged, this, &TileRow::follow);
    connect(run_, &RunRecord::factsChanged, this, &TileRow::follow);
}

void TileRow::follow() {
    if (!own_)
        choose({});
}

void TileRow::choose(const QStringList& wanted) {
    const QStringList usual = usual_metrics(*run_);
    own_ = !wanted.isEmpty() && wanted != usual;
    const QStringList tags = own_ ? wanted : usual;
    if (tags == chosen_)
        return;
    chosen_ = tags;
    for (MetricTile* tile : tiles_)
        tile->deleteLater();
    tiles_.clear();
    for (int place = 0; place < tags.size(); ++place) {
        const MetricInfo info = metric_info(tags[place].toStdString());
        auto* tile = new MetricTile(info.title, &metric_series(*run_, info.tag), info.color);
        connect(tile, &MetricTile::clicked, this, [this, place] { emit chartRequested(chosen_[place]); });
        connect(tile, &MetricTile::menuRequested, this, [this, place](const QPoint& at) { askWhich(place, at); });
        static_cast<QBoxLayout*>(line_->layout())->addWidget(tile, 1);
        tiles_ << tile;
    }
    refresh();
}

void TileRow::askWhich(int place, const QPoint& at) {
    QMenu* menu = make_menu(this);
    const auto offer = [&](QMenu* in, const QString& title, const QString& tag) {
        QAction* action = in->addAction(title);
        action->setCheckable(true);
        action->setChecked(chosen_[place] == tag);
        connect(action, &QAction::triggered, this, [this, place, tag] {
            QStringList tags = chosen_;
            tags[place] = tag;
            choose(tags);
            emit chosenChanged(tags);
        });
    };
    for (const MetricInfo& info : known_metrics())
        offer(menu, info.title, qt(info.tag));
    auto* others = new QMenu(tr("Another curve"), menu);
    for (const TagInfo& info : run_->tags())
        if (info.kind == TagKind::Scalar && others->actions().size() < 60)
            offer(others, qt(info.tag), qt(info.tag));
    if (!others->isEmpty()) {
        menu->addSeparator();
        menu->addMenu(others);
    }
    menu->popup(at);
}

void TileRow::refresh() {
    for (int place = 0; place < tiles_.size(); ++place) {
        const std::string tag = chosen_[place].toStdString();
        if (tag == tag::kMemory)
            tiles_[place]->setSeries(&metric_series(*run_, tag), color::kMemory);
        tiles_[place]->setFigure(metric_figure(*run_, tag));
    }
}

MetricTile* TileRow::tile(const std::string& tag) const {
    const int place = static_cast<int>(chosen_.indexOf(qt(tag)));
    return place < 0 ? nullptr : tiles_[place];
}

}  // namespace trainyard::desktop
