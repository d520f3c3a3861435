// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The title of a section of cards: chevron, words, count. Pressing it folds the section.

#include "widgets/painted_button.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class GroupTitle : public widgets::PaintedButton {
    Q_OBJECT
  public:
    explicit GroupTitle(QWidget* parent = nullptr);
    void setSection(const QString& id, const QString& title, const QString& count, bool folded);
    const QString& sectionId() const { return id_; }
    bool isFolded() const { return folded_; }
    QSize sizeHint() const override { return {200_px, 32_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString id_;
    QString count_;
    bool folded_ = false;
};

}  // namespace trainyard::desktop
