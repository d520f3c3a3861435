// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sections of cards of equal size, scrolled together. Only visible cards and titles (and a few around them) exist: the
// maker provides cards and takes them back. The scroll position is kept when cards are added before it.

#include <vector>

#include <QAbstractScrollArea>
#include <QHash>
#include <QSet>

#include "widgets/pixels.h"

namespace trainyard::desktop {

class GroupTitle;

struct GridSection {
    QString id;
    QString title;
    int count = 0;
    bool folded = false;
    int foldedCount = 0;  ///< shown at the right of the title if it differs from `count`
};

/// Provides the cards of a CardGrid.
class CardMaker {
  public:
    virtual ~CardMaker() = default;
    /// Returns an id that is unique among all cards and stable while the card shows the same content.
    virtual QString cardId(int section, int item) const = 0;
    virtual QWidget* takeCard(int section, int item, QWidget* parent) = 0;
    virtual void giveBack(QWidget* card) = 0;
};

class CardGrid : public QAbstractScrollArea {
    Q_OBJECT
  public:
    static inline const int& kTitleHeight = live_px(32);  ///< pixels
    static inline const int& kGap = live_px(8);

    explicit CardGrid(CardMaker* maker, QWidget* parent = nullptr);
    ~CardGrid() override;

    /// Cards whose ids remain are not changed.
    void setSections(std::vector<GridSection> sections);
    const std::vector<GridSection>& sections() const { return sections_; }
    void setCardSize(int smallestWidth, int height);

    /// Returns the card if it exists (is near the visible area), else nullptr.
    QWidget* card(const QString& id) const { return cards_.value(id); }
    QList<QWidget*> cards() const { return cards_.values(); }
    bool scrollTo(int section, int item);  ///< item -1: the title
    int columns() const { return columns_; }

    /// The uppermost card and how far it is scrolled beyond the edge.
    struct Anchor {
        QString card;
        int offset = 0;
        bool operator==(const Anchor&) const = default;
    };
    Anchor anchor() const;
    /// Returns the anchor that is still pending, else the current one.
    Anchor keptAnchor() const { return wanted_.card.isEmpty() ? anchor() : wanted_; }
    /// If the card does not exist yet, the anchor applies once it does, unless the user scrolls before.
    void setAnchor(const Anchor& anchor);

  signals:
    void foldRequested(const QString& section);
    void looked();  ///< the user scrolled, or the visible cards changed
    void tagDropped(const QString& tag);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    struct Place {
        int section = -1;
        int item = -1;
    };
    void measure();
    void place();
    bool restore(const Anchor& anchor);
    Place placeOf(const QString& id) const;
    int topOf(const Place& place) const;
    int rowHeight() const { return card_height_ + kGap; }

    CardMaker* maker_;
    std::vector<GridSection> sections_;
    std::vector<int> tops_;  ///< of each section's title, and one beyond the last
    int card_width_ = 320;   ///< smallest
    int card_height_ = 220;
    int columns_ = 1;
    QHash<QString, QWidget*> cards_;
    QHash<QString, GroupTitle*> titles_;
    QList<GroupTitle*> spare_titles_;
    Anchor wanted_;
    bool placing_ = false;
};

}  // namespace trainyard::desktop
