#pragma once
// The frame of every page: a 64 px header with title, one line of facts and actions, and the body below it.

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <QWidget>

class QLabel;

namespace trainyard::desktop {

class Page : public QWidget {
    Q_OBJECT
  public:
    explicit Page(const QString& title, QWidget* parent = nullptr);
    void setFacts(const QString& facts);
    QString title() const;

    /// What gets the focus when the page is opened.
    virtual QWidget* firstFocus() { return nullptr; }
    /// Ctrl+Enter.
    virtual void primaryAction() {}
    /// Ctrl+F.
    virtual void find() {}
    /// F5: look again at what the page shows.
    virtual void refresh() {}
    /// Alt+Left (-1) and Alt+Right (1) inside the page; false: there is nothing to step to, the window goes on.
    virtual bool step(int) { return false; }

  protected:
    /// Add secondary actions first, the primary one last.
    QHBoxLayout* actions() { return actions_; }
    /// 20 px side margins, 12 px above and below.
    QVBoxLayout* body() { return body_; }
    /// Beside the title: chips.
    QHBoxLayout* titleLine() { return title_line_; }

  private:
    QLabel* title_;
    QLabel* facts_;
    QHBoxLayout* actions_;
    QHBoxLayout* title_line_;
    QVBoxLayout* body_;
};

}  // namespace trainyard::desktop
