#pragma once
// One place in the left rail: icon, word, and a number or badge at the right. Folded, only the icon stands (with the
// word as tooltip) and a dot tells that there is a badge.

#include <QAbstractButton>

namespace trainyard::widgets {

class NavButton : public QAbstractButton {
    Q_OBJECT
  public:
    NavButton(const QString& text, const QString& icon, QWidget* parent = nullptr);
    /// Quiet number, e.g. "3" or "1/4"; empty hides it.
    void setCount(const QString& count);
    /// Number that wants to be seen (unread); 0 hides it.
    void setBadge(int badge);
    void setFolded(bool folded);
    QSize sizeHint() const override { return {folded_ ? 40 : 192, 32}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void describe();
    QString icon_name_;
    QString count_;
    int badge_ = 0;
    bool folded_ = false;
};

}  // namespace trainyard::widgets
