// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/card_set.h"

#include <algorithm>

#include "desktop/curves/curve_card.h"
#include "desktop/curves/media_card.h"
#include "desktop/curves/note_card.h"
#include "desktop/curves/panel_layout.h"
#include "desktop/curves/parameters_card.h"
#include "desktop/curves/table_card.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostSpare = 24;  // cards of a kind kept for the next ones
const QString kPins = QStringLiteral("*pins");
const QString kStars = QStringLiteral("*stars");
const QString kParameters = QStringLiteral("*parameters");

QString heading_of(const report::Panel& panel) {
    const QString heading = qt(panel.heading());
    return heading.isEmpty() ? qt(panel.text).section(QLatin1Char('\n'), 0, 0) : heading;
}

CardKind kind_of(const report::Panel& panel) {
    switch (panel.kind) {
        case report::PanelKind::table:
            return CardKind::Table;
        case report::PanelKind::text:
            return CardKind::Note;
        default:
            return CardKind::Curves;
    }
}
}  // namespace

CardSet::CardSet(const PanelContext* context, QObject* parent) : QObject(parent), context_(context) {}

CardSet::~CardSet() = default;

const TagEntry& CardSet::entryOf(const Item& item) const {
    return context_->index->entries()[static_cast<std::size_t>(item.entry)];
}

void CardSet::addItems(QVector<Item>& items, int entry) const {
    const TagEntry& tag = entryOf({entry, -1});
    const int cards = static_cast<int>(tag.holders.size());
    if (tag.kind == TagKind::Scalar)
        items.push_back({entry, -1});
    for (int i = 0; tag.kind != TagKind::Scalar && i < cards; ++i)
        items.push_back({entry, i});
}

std::vector<GridSection> CardSet::plan(const TagFilter& filter) {
    const std::vector<TagEntry>& entries = context_->index->entries();
    const PanelLayout& layout = *context_->layout;
    sections_.clear();
    std::vector<GridSection> shown;
    auto close = [&](Section section, const QString& title, int total) {
        if (section.items.isEmpty())
            return;
        GridSection grid;
        grid.id = section.id;
        grid.title = title;
        grid.count = static_cast<int>(section.items.size());
        grid.foldedCount = total;
        grid.folded = layout.folded.contains(section.id);
        sections_.push_back(std::move(section));
        shown.push_back(grid);
    };

    Section pins{kPins, Section::Kind::Pins, {}};
    for (int i = 0; i < layout.pins.size(); ++i)
        if (const PinnedCard& pin = layout.pins[i];
            pin.panel ? filter.matches(heading_of(*pin.panel))
                      : std::any_of(pin.tags.begin(), pin.tags.end(),
                                    [&](const QString& tag) { return filter.matches(tag.mid(2)); }))
            pins.items.push_back({i, -1});
    close(std::move(pins), tr("Pinned"), static_cast<int>(layout.pins.size()));

    if (!layout.stars.isEmpty()) {
        const QSet<QString> starred(layout.stars.begin(), layout.stars.end());
        Section stars{kStars, Section::Kind::Tags, {}};
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (starred.contains(entries[i].id) && filter.matches(entries[i].name))
                addItems(stars.items, static_cast<int>(i));
        const auto count = static_cast<int>(stars.items.size());
        close(std::move(stars), tr("Starred"), count);
    }

    for (std::size_t i = 0; i < entries.size();) {
        const QString& group = entries[i].group;
        Section section{QStringLiteral("g:") + group, Section::Kind::Tags, {}};
        int total = 0;
        for (; i < entries.size() && entries[i].group == group; ++i) {
            total += entries[i].kind == TagKind::Scalar ? 1 : static_cast<int>(entries[i].holders.size());
            if (filter.matches(entries[i].name))
                addItems(section.items, static_cast<int>(i));
        }
        close(std::move(section), group.isEmpty() ? tr("Without a group") : group, total);
    }

    const bool parameters = std::any_of(context_->sources->begin(), context_->sources->end(),
                                        [](const CurveSource* source) { return !source->parameters().empty(); });
    if (parameters && filter.isEmpty()) {
        Section table{kParameters, Section::Kind::Parameters, {{-1, -1}}};
        close(std::move(table), tr("Parameters"), 1);
    }
    return shown;
}

QString CardSet::cardId(int section, int item) const {
    const Section& at = sections_[section];
    const Item& what = at.items[item];
    if (at.kind == Section::Kind::Pins) {
        // Another layout may have a panel of another kind under the same id, which needs another card.
        const PinnedCard& pin = context_->layout->pins[what.entry];
        return pin.panel && kind_of(*pin.panel) != CardKind::Curves
                   ? pin.id + QLatin1Char('|') + QLatin1String(choice_name(pin.panel->kind))
                   : pin.id;
    }
    if (at.kind == Section::Kind::Parameters)
        return kParameters;
    const QString& tag = entryOf(what).id;
    QString id = at.id == kStars ? QStringLiteral("*") + tag : tag;
    if (what.holder > 0)
        id += QLatin1Char('@') + QString::number(what.holder);
    return id;
}

CardSpec CardSet::specOf(int section, int item) const {
    const Section& at = sections_[section];
    const Item& what = at.items[item];
    CardSpec spec;
    spec.id = cardId(section, item);
    if (at.kind == Section::Kind::Parameters) {
        spec.kind = CardKind::Parameters;
        spec.title = tr("Parameters");
        return spec;
    }
    if (at.kind == Section::Kind::Pins) {
        const PinnedCard& pin = context_->layout->pins[what.entry];
        spec.pinned = true;
        if (pin.panel) {
            spec.panel = pin.panel;
            spec.title = heading_of(*pin.panel);
            spec.kind = kind_of(*pin.panel);
            return spec;
        }
        QStringList names;
        for (const QString& tag : pin.tags)
            names << tag.mid(2);
        spec.title = names.join(QStringLiteral(" + "));
        spec.tags = pin.tags;
        spec.kind = static_cast<CardKind>(tag_kind(pin.tags.first()));
        spec.holder = spec.kind == CardKind::Curves ? -1 : 0;
    } else {
        const TagEntry& entry = entryOf(what);
        spec.kind = static_cast<CardKind>(entry.kind);
        spec.tags = QStringList{entry.id};
        spec.holder = what.holder;
        // In its group a tag need not say the group again.
        spec.title = at.id == kStars || entry.group.isEmpty() ? entry.name : entry.name.mid(entry.group.size() + 1);
        if (what.holder >= 0 && context_->sources->size() > 1)
            spec.title += QStringLiteral(" · ") +
                          (*context_->sources)[entry.holders[static_cast<std::size_t>(what.holder)].source]->name();
    }
    spec.starred = context_->layout->stars.contains(spec.tags.first());
    return spec;
}

CardSpec CardSet::specOf(const QString& cardId) const {
    for (int s = 0; s < sections_.size(); ++s)
        for (int i = 0; i < sections_[s].items.size(); ++i)
            if (this->cardId(s, i) == cardId)
                return specOf(s, i);
    return {};
}

std::pair<int, int> CardSet::placeOf(const QString& tag) const {
    for (int s = 0; s < sections_.size(); ++s)
        for (int i = 0; i < sections_[s].items.size() && sections_[s].id.startsWith(QLatin1String("g:")); ++i)
            if (entryOf(sections_[s].items[i]).id == tag)
                return {s, i};
    return {-1, -1};
}

PanelCard* CardSet::make(CardKind kind, QWidget* parent) {
    PanelCard* card = nullptr;
    if (kind == CardKind::Curves)
        card = new CurveCard(context_, parent);
    else if (kind == CardKind::Parameters)
        card = new ParametersCard(context_, parent);
    else if (kind == CardKind::Table)
        card = new TableCard(context_, parent);
    else if (kind == CardKind::Note)
        card = new NoteCard(context_, parent);
    else
        card = new MediaCard(kind, context_, parent);
    emit cardCreated(card);
    return card;
}

QWidget* CardSet::takeCard(int section, int item, QWidget* parent) {
    const CardSpec spec = specOf(section, item);
    QList<PanelCard*>& spare = spare_[static_cast<int>(spec.kind)];
    PanelCard* card = spare.isEmpty() ? make(spec.kind, parent) : spare.takeLast();
    live_ << card;
    card->bind(spec);
    return card;
}

void CardSet::giveBack(QWidget* widget) {
    auto* card = static_cast<PanelCard*>(widget);
    live_.removeOne(card);
    card->release();
    card->hide();
    QList<PanelCard*>& spare = spare_[static_cast<int>(card->kind())];
    if (spare.size() < kMostSpare)
        spare << card;
    else
        card->deleteLater();
}

void CardSet::rebind() {
    QHash<QString, CardSpec> specs;
    for (PanelCard* card : std::as_const(live_))
        specs.insert(card->spec().id, card->spec());
    qsizetype left = specs.size();
    for (int s = 0; s < sections_.size(); ++s)
        for (int i = 0; i < sections_[s].items.size() && left > 0; ++i)
            if (const auto found = specs.find(cardId(s, i)); found != specs.end()) {
                *found = specOf(s, i);
                --left;
            }
    for (PanelCard* card : std::as_const(live_))
        card->bind(specs.value(card->spec().id));
}

}  // namespace trainyard::desktop
