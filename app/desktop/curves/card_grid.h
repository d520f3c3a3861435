#pragma once
// Sections of equal cards, scrolled as one. Only cards and titles within sight (and a little around it) exist: the maker gives them and
// takes them back. Where one looks at stays where it is when cards come before it.

#include <vector>

#include <QAbstractScrollArea>
#include <QHash>
#include <QSet>

namespace trainyard::desktop {

class GroupTitle;

struct GridSection {
    QString id;
    QString title;
    int count = 0;
    bool folded = false;
    int foldedCount = 0;  ///< told at the right of the title when it differs from `count`
};

/// What the grid asks for its cards.
class CardMaker {
  public:
    virtual ~CardMaker() = default;
    /// Unique among all cards, and the same as long as the card shows the same.
    virtual QString cardId(int section, int item) const = 0;
    virtual QWidget* takeCard(int section, int item, QWidget* parent) = 0;
    virtual void giveBack(QWidget* card) = 0;
};

class CardGrid : public QAbstractScrollArea {
    Q_OBJECT
  public:
    static constexpr int kTitleHeight = 32;  ///< pixels
    static constexpr int kGap = 8;

    explicit CardGrid(CardMaker* maker, QWidget* parent = nullptr);
    ~CardGrid() override;

    /// Cards whose id is still there stay as they are.
    void setSections(std::vector<GridSection> sections);
    const std::vector<GridSection>& sections() const { return sections_; }
    void setCardSize(int smallestWidth, int height);

    /// The card in sight; nullptr when it is not.
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
    /// The one that is still waited for, else the one in sight.
    Anchor keptAnchor() const { return wanted_.card.isEmpty() ? anchor() : wanted_; }
    /// Kept in mind until such a card is there or somebody scrolls.
    void setAnchor(const Anchor& anchor);

  signals:
    void foldRequested(const QString& section);
    void looked();  ///< scrolled by somebody, or cards within sight changed
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
