// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A thin bar of how far something is, with ticks where something was kept (checkpoints).

#include <QVector>
#include <QWidget>

#include "widgets/pixels.h"
#include "widgets/tokens.h"

namespace trainyard::widgets {

class ProgressStrip : public QWidget {
    Q_OBJECT
  public:
    explicit ProgressStrip(const QString& accessibleName, QWidget* parent = nullptr);
    void setShare(double share);  ///< 0..1
    double share() const { return share_; }
    void setTicks(const QVector<double>& shares);
    const QVector<double>& ticks() const { return ticks_; }
    void setColor(Token color);
    QSize sizeHint() const override { return {200_px, 8_px}; }
    QSize minimumSizeHint() const override { return {40_px, 8_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    double share_ = 0;
    QVector<double> ticks_;
    Token color_ = Token::AccentFill;
};

}  // namespace trainyard::widgets
