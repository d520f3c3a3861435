#pragma once
// Where the time of a selection went: a bar of its parts, how much communication was hidden, and which rank was waited for.

#include "desktop/traces/selection.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SharePanel : public QWidget {
    Q_OBJECT
  public:
    explicit SharePanel(QWidget* parent = nullptr);
    void setSelection(const TraceSelection& selection);
    /// What it says, for screen readers and tests.
    QString words() const;
    int heightForWidth(int width) const override { return arrange(width, nullptr); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Paints the panel at this width, where there is a painter; returns its height.
    int arrange(int width, QPainter* painter) const;
    /// A panel in a window over it is never lower than what it paints.
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
