// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub/hub_dialog.h"

#include <utility>

#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>

#include "base/text.h"
#include "desktop/hub/hub_field.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
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
      names_(new widgets::CellRows({{tr("Name")}, {tr("Cache")}, {tr("Size"), true}}, this)),
      list_(named(new QTableView, tr("Recent names and the cache"))),
      note_(wrapped(make_note(tr("Reading the cache…"), Tone::Muted))),
      place_(selectable(wrapped(make_note({}, Tone::Muted)))),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    setWindowTitle(item == HubItem::DataSet     ? tr("A data set of the hub")
                   : item == HubItem::Tokenizer ? tr("A tokenizer of the hub")
                                                : tr("A model of the hub"));
    resize(740_px, 460_px);
    list_->setModel(names_);
    widgets::set_rows_look(list_);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->verticalHeader()->setDefaultSectionSize(30_px);
    list_->horizontalHeader()->setSectionResizeMode(kNameColumn, QHeaderView::Stretch);
    list_->horizontalHeader()->setSectionResizeMode(kCacheColumn, QHeaderView::ResizeToContents);
    list_->horizontalHeader()->setSectionResizeMode(kSizeColumn, QHeaderView::ResizeToContents);
    list_->setMinimumHeight(120_px);
    list_->hide();
    note_->setAlignment(Qt::AlignLeft | Qt::AlignTop);  // replaces the list
    setLayout(make_column(
        12, {field_, make_title(tr("Recent names and the cache of this machine")), {list_, 1}, {note_, 1}, place_}));
    const auto name_at = [](const QModelIndex& at) { return at.siblingAtColumn(kNameColumn).data().toString(); };
    connect(list_, &QTableView::activated, this,
            [this, name_at](const QModelIndex& at) { field_->prepare(name_at(at)); });
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, name_at](const QModelIndex& now) {
                if (now.isValid() && !field_->isAsking())
                    field_->name()->setText(name_at(now));
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
                    note_->setForegroundRole(tone_role(Tone::Error));
                    note_->setText(sentence);
                });
    job_.beside([] { return hubPlace(); }, [this](const HubPlace& place) { showPlace(place); });
}

void HubDialog::fill(const QVector<HubChoice>& choices) {
    list_->setVisible(!choices.isEmpty());
    note_->setVisible(choices.isEmpty());
    note_->setText(tr("Nothing is in the cache of this machine yet. Names that you have used appear here."));
    QVector<widgets::CellRows::Row> rows;
    for (const HubChoice& each : choices)
        rows << widgets::CellRows::Row{
            {{.text = each.name}, each.name},
            {{.text = each.isHere ? tr("here") : tr("not here"), .ink = Token::TextSecondary}},
            {{.text = each.bytes > 0 ? qtNumber(text::file_size(each.bytes)) : QString(), .mono = true}}};
    names_->setRows(rows);
}

void HubDialog::showPlace(const HubPlace& place) {
    if (!place.problem.isEmpty()) {
        place_->setForegroundRole(tone_role(Tone::Error));
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
