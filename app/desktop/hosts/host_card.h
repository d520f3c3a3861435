// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One host in the list: state, name, what it has, a bar for each GPU's load. A checkable button, so that keys and screen readers know it.

#include <QAbstractButton>

#include "desktop/hosts/host_list.h"

namespace trainyard::desktop {

class HostCard : public QAbstractButton {
    Q_OBJECT
  public:
    explicit HostCard(QWidget* parent = nullptr);
    void setRow(const HostRow& row);
    const QString& name() const { return name_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

  signals:
    void opened();  ///< Enter or a double click

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    QString name_;
    QString title_;
    QString line_;
    QString age_;
    widgets::Token ink_ = widgets::Token::TextSecondary;
    QString word_;
    QString icon_;
    QVector<double> bars_;
    bool stale_ = false;
};

}  // namespace trainyard::desktop
