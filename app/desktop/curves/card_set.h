// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The cards of a panel, their groups, and the widgets that show them. Widgets are created when the grid needs them and
// reused after it returns them.

#include <QHash>
#include <QObject>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/panel_card.h"
#include "desktop/curves/tag_index.h"

namespace trainyard::desktop {

class CardSet : public QObject, public CardMaker {
    Q_OBJECT
  public:
    explicit CardSet(const PanelContext* context, QObject* parent = nullptr);
    ~CardSet() override;

    /// Plans the sections: pinned, starred, then the groups of the tags that pass the filter. Visible cards are
    /// identified by their ids: call CardGrid::setSections() with the result, then rebind().
    std::vector<GridSection> plan(const TagFilter& filter);
    /// Updates the visible cards to the current sources and tags.
    void rebind();
    QList<PanelCard*> live() const { return live_; }
    /// Section and item of a tag's card in its group; -1: not found.
    std::pair<int, int> placeOf(const QString& tag) const;
    CardSpec specOf(int section, int item) const;
    CardSpec specOf(const QString& cardId) const;
    PanelCard* make(CardKind kind, QWidget* parent);

    QString cardId(int section, int item) const override;
    QWidget* takeCard(int section, int item, QWidget* parent) override;
    void giveBack(QWidget* card) override;

  signals:
    void cardCreated(PanelCard* card);

  private:
    struct Item {
        int entry = -1;   ///< index of the tag; pins: of the pin
        int holder = -1;  ///< media: which of the entry's holders
    };
    struct Section {
        QString id;
        enum class Kind { Pins, Tags, Parameters } kind = Kind::Tags;
        QVector<Item> items;
    };
    const TagEntry& entryOf(const Item& item) const;
    void addItems(QVector<Item>& items, int entry) const;

    const PanelContext* context_;
    QVector<Section> sections_;
    QList<PanelCard*> live_;
    QHash<int, QList<PanelCard*>> spare_;  ///< by kind
};

}  // namespace trainyard::desktop
