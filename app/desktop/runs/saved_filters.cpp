// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/saved_filters.h"

#include <utility>

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "desktop/runs/word_popup.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

SavedFilters::SavedFilters(QLineEdit* field) : field_(field) {
    setLayout(make_row({0, 0, 0, 0}, 6, {}));
    hide();
}

void SavedFilters::save(const QString& name) {
    const QString words = name.trimmed();
    if (words.isEmpty())
        return;
    filters_.removeIf([&](const auto& filter) { return filter.first == words; });
    filters_ << std::pair(words, field_->text());
    rebuild();
}

void SavedFilters::askName() {
    if (field_->text().isEmpty() || field_->property("invalid").toBool()) {
        field_->setFocus();
        field_->selectAll();
        return;
    }
    auto* popup = new WordPopup(
        tr("Name of the filter"), field_->text(), {}, {}, [this](const QString& name) { save(name); }, this);
    popup->popup(field_->mapToGlobal(QPoint(0, field_->height() + 4)));
}

void SavedFilters::fillMenu(QMenu* menu) {
    menu->addAction(tr("Save this filter…"), this, &SavedFilters::askName)->setEnabled(!field_->text().isEmpty());
    for (const auto& filter : std::as_const(filters_))
        menu->addAction(tr("Delete the filter %1").arg(filter.first), this, [this, filter] {
            filters_.removeAll(filter);
            rebuild();
        });
}

void SavedFilters::rebuild() {
    QJsonArray filters;
    while (QLayoutItem* item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto* line = static_cast<QHBoxLayout*>(layout());
    for (const auto& [name, text] : std::as_const(filters_)) {
        filters << QJsonArray{name, text};
        auto* button = new QPushButton(name);
        button->setCheckable(true);
        button->setProperty("kind", QStringLiteral("segment"));
        connect(button, &QPushButton::clicked, field_,
                [this, text = text](bool on) { field_->setText(on ? text : QString()); });
        line->addWidget(button);
    }
    line->addStretch();
    setVisible(!filters_.isEmpty());
    refresh();
    emit changed(filters);
}

void SavedFilters::refresh() {
    for (qsizetype i = 0; i < filters_.size(); ++i)
        static_cast<QPushButton*>(layout()->itemAt(static_cast<int>(i))->widget())
            ->setChecked(field_->text() == filters_[i].second);
}

void SavedFilters::restore(const QJsonArray& filters) {
    for (const QJsonValue one : filters)
        filters_ << std::pair(one.toArray().at(0).toString(), one.toArray().at(1).toString());
    rebuild();
}

}  // namespace trainyard::desktop
