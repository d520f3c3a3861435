// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Time breakdown of a selection: a bar of its parts, the share of communication that was overlapped, and the rank that
// others waited for.

#include <QWidget>

#include "desktop/traces/selection.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SharePanel : public QWidget {
    Q_OBJECT
  public:
    explicit SharePanel(QWidget* parent = nullptr);
    void setSelection(const TraceSelection& selection);
    /// The text of the panel, for screen readers and tests.
    QString words() const;
    int heightForWidth(int width) const override { return arrange(width, nullptr); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Lays out the panel at this width and paints it unless `painter` is null. Returns its height.
    int arrange(int width, QPainter* painter) const;
    /// Keeps the panel at least as high as its contents when the window around it is resized.
    void takeHeight();
    struct Part {
        QString name;
        std::int64_t time = 0;
        int color = 0;
    };
    QVector<Part> parts_;
    std::int64_t total_ = 0;
    QVector<std::pair<QString, QString>> facts_;
};

}  // namespace trainyard::desktop
