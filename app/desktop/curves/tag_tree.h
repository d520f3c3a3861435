#pragma once
// The tags at the left of a panel: a tree with counts and stars. A click shows the tag's chart, a tag can be dragged onto a chart (laid
// over it) or beside the charts (pinned). Keys: Enter shows, Space gives or takes the star, P pins.

#include <QTreeView>

#include "desktop/curves/panel_layout.h"
#include "desktop/curves/tag_model.h"

namespace trainyard::desktop {

class TagTree : public QTreeView {
    Q_OBJECT
  public:
    explicit TagTree(QWidget* parent = nullptr);

    /// Branches that are open stay open. While `sought`, those with few tags are opened.
    void setTags(const std::vector<const TagEntry*>& entries, const QStringList& stars, bool sought);
    void setStars(const QStringList& stars) { model_->setStars(stars); }
    /// What "Lay over" offers.
    void setPins(const QVector<PinnedCard>& pins) { pins_ = pins; }

  signals:
    void tagRequested(const QString& id);
    void starRequested(const QString& id);
    void pinRequested(const QString& id);
    void overlayRequested(const QString& card, const QString& id);

  protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    QString currentTag() const;

    TagModel* model_;
    QVector<PinnedCard> pins_;
    QSet<QString> open_;
    bool setting_ = false;
};

}  // namespace trainyard::desktop
