// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A thin bar of how far something is, with ticks where something was kept (checkpoints).

#include <QVector>
#include <QWidget>

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
    QSize sizeHint() const override { return {200, 8}; }
    QSize minimumSizeHint() const override { return {40, 8}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    double share_ = 0;
    QVector<double> ticks_;
    Token color_ = Token::AccentFill;
};

}  // namespace trainyard::widgets
