#pragma once
// A page of the window. Most have the usual frame: a 64 px header with title, one line of facts and actions, and the body below it; a page
// with a header of its own lays itself out. The window knows pages by these functions alone; how a page is made and found is its entry in
// pages/pages.h.

#include <functional>
#include <utility>

#include <QHBoxLayout>
#include <QKeySequence>
#include <QVBoxLayout>
#include <QVector>
#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::desktop {

class Page : public QWidget {
    Q_OBJECT
  public:
    /// Keys and what they do, for the list of shortcuts.
    using Shortcuts = QVector<std::pair<QString, QString>>;

    explicit Page(const QString& title, QWidget* parent = nullptr);
    void setFacts(const QString& facts);
    /// Of the window that shows this page alone. titleChanged() tells of another.
    QString title() const { return page_title_; }

    /// The page comes to the front. `subject`: what of its place is asked for (a run, a host, a file); empty: as it was left.
    virtual void activate(const QString& subject) { Q_UNUSED(subject) }
    /// What gets the focus when the page is opened; null: the page itself.
    virtual QWidget* firstFocus() { return nullptr; }
    /// Ctrl+Enter.
    virtual void primaryAction() {}
    /// Ctrl+F.
    virtual void find() {}
    /// F5: look again at what the page shows.
    virtual void refresh() {}
    /// Alt+Left (-1) and Alt+Right (1) inside the page; false: there is nothing to step to, the window goes on.
    virtual bool step(int) { return false; }
    /// Keys that act in the page beside those of its actions().
    virtual Shortcuts shortcuts() const { return {}; }
    /// Whether showTrainingStep() leads anywhere.
    virtual bool hasTrainingSteps() const { return false; }
    virtual void showTrainingStep(double) {}

  signals:
    void titleChanged(const QString& title);

  protected:
    /// A page with a header of its own.
    explicit Page(QWidget* parent);
    void setTitle(const QString& title);
    /// Add secondary actions first, the primary one last.
    QHBoxLayout* actions() { return actions_; }
    /// 20 px side margins, 12 px above and below.
    QVBoxLayout* body() { return body_; }
    /// A command with keys that count while the page has the keyboard; the palette has it, too.
    QAction* addCommand(const QString& text, const char* icon, const QList<QKeySequence>& keys,
                        const std::function<void()>& run);
    /// Beside the title: chips.
    QHBoxLayout* titleLine() { return title_line_; }

  private:
    QString page_title_;
    QLabel* title_ = nullptr;
    widgets::ElidedLabel* facts_ = nullptr;
    QHBoxLayout* actions_ = nullptr;
    QHBoxLayout* title_line_ = nullptr;
    QVBoxLayout* body_ = nullptr;
};

}  // namespace trainyard::desktop
