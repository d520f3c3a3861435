// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub/hub_dialog.h"

#include <utility>

#include <QHeaderView>
#include <QTreeWidget>

#include "base/text.h"
#include "desktop/hub/hub_field.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
enum HubColumn { kNameColumn, kCacheColumn, kSizeColumn };
}  // namespace

HubDialog::HubDialog(HubItem item, QWidget* parent)
    : QDialog(parent),
      item_(item),
      field_(new HubField(item)),
      list_(named(new QTreeWidget, tr("Recent names and the cache"))),
      note_(wrapped(make_note(tr("Reading the cache…"), Tone::Muted))),
      place_(selectable(wrapped(make_note({}, Tone::Muted)))),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    setWindowTitle(item == HubItem::DataSet     ? tr("A data set of the hub")
                   : item == HubItem::Tokenizer ? tr("A tokenizer of the hub")
                                                : tr("A model of the hub"));
    resize(740_px, 460_px);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setHeaderLabels({tr("Name"), tr("Cache"), tr("Size")});
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(kNameColumn, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(kCacheColumn, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(kSizeColumn, QHeaderView::ResizeToContents);
    list_->setMinimumHeight(120_px);
    list_->hide();
    setLayout(make_column(
        {20, 18, 20, 16}, 12,
        {field_, make_title(tr("Recent names and the cache of this machine")), {list_, 1}, note_, stretch(), place_}));
    connect(list_, &QTreeWidget::itemActivated, this,
            [this](const QTreeWidgetItem* chosen) { field_->prepare(chosen->text(kNameColumn)); });
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* now) {
        if (now != nullptr && !field_->isAsking())
            field_->name()->setText(now->text(kNameColumn));
    });
    connect(field_, &HubField::left, this, &QDialog::reject);
    connect(field_, &HubField::found, this, [this](const QString& name, const QString& folder) {
        accept();
        emit chosen(recipeName(item_, name), folder);
    });
    field_->name()->setFocus();
    job_.beside([item, recents = recentHubNames(item)] { return hubChoices(item, recents); },
                [this](const QVector<HubChoice>& choices) { fill(choices); },
                [this](const QString& sentence) {
                    set_tone(note_, Tone::Error);
                    note_->setText(sentence);
                });
    job_.beside([] { return hubPlace(); }, [this](const HubPlace& place) { showPlace(place); });
}

void HubDialog::fill(const QVector<HubChoice>& choices) {
    list_->setVisible(!choices.isEmpty());
    note_->setVisible(choices.isEmpty());
    note_->setText(tr("Nothing is in the cache of this machine yet. Names that you have used appear here."));
    const QSignalBlocker quiet(list_);
    for (const HubChoice& each : choices) {
        auto* row = new QTreeWidgetItem(list_, {each.name, each.isHere ? tr("here") : tr("not here"),
                                                each.bytes > 0 ? qtNumber(text::file_size(each.bytes)) : QString()});
        row->setTextAlignment(kSizeColumn, Qt::AlignRight | Qt::AlignVCenter);
        row->setToolTip(kNameColumn, each.name);
    }
}

void HubDialog::showPlace(const HubPlace& place) {
    if (!place.problem.isEmpty()) {
        set_tone(place_, Tone::Error);
        return place_->setText(place.problem);
    }
    QStringList words{place.isOffline
                          ? tr("HF_HUB_OFFLINE is set: only what is in the cache can be used.")
                          : tr("Hub: %1, %2.")
                                .arg(place.endpoint, place.hasToken ? tr("with the access token of this machine")
                                                                    : tr("without an access token"))};
    words << tr("Cache: %1").arg(place.cache);
    place_->setText(words.join(QLatin1Char('\n')));
}

HubDialog* ask_hub(QWidget* parent, HubItem item,
                   std::function<void(const QString& name, const QString& folder)> then) {
    auto* dialog = new HubDialog(item, parent);
    QObject::connect(dialog, &HubDialog::chosen, parent, std::move(then));
    return widgets::opened(dialog);
}

}  // namespace trainyard::desktop
