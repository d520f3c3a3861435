#pragma once
// Which cards a panel has, in which groups, and the widgets that show them: made when the grid asks, used again when it gives them back.

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

    /// Pinned, starred, then the groups of the tags that pass. What is in sight is told apart by ids: call CardGrid::setSections() with
    /// the answer, then rebind().
    std::vector<GridSection> plan(const TagFilter& filter);
    /// Cards in sight show the sources and tags as they are now.
    void rebind();
    QList<PanelCard*> live() const { return live_; }
    /// Where a tag's card stands in its group; -1: nowhere.
    std::pair<int, int> placeOf(const QString& tag) const;
    CardSpec specOf(int section, int item) const;
    CardSpec specOf(const QString& cardId) const;
    PanelCard* make(CardKind kind, QWidget* parent);

    QString cardId(int section, int item) const override;
    QWidget* takeCard(int section, int item, QWidget* parent) override;
    void giveBack(QWidget* card) override;

  signals:
    void made(PanelCard* card);

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
