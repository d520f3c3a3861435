// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tags at the left of a panel: a tree with counts and stars. A click shows the tag's chart; a tag can be dragged
// onto a chart (overlay) or next to the charts (pin). Keys: Enter shows, Space toggles the star, P pins.

#include <QTreeView>

#include "desktop/curves/panel_layout.h"
#include "desktop/curves/tag_model.h"

namespace trainyard::desktop {

class TagTree : public QTreeView {
    Q_OBJECT
  public:
    explicit TagTree(QWidget* parent = nullptr);

    /// Sets the tags. Expanded branches stay expanded. While `sought`, branches with few tags are expanded.
    void setTags(const std::vector<const TagEntry*>& entries, const QStringList& stars, bool sought);
    void setStars(const QStringList& stars) { model_->setStars(stars); }
    /// Sets the pins that the menu "Overlay" offers.
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
