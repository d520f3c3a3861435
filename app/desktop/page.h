// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page of the window. Most pages have the usual frame: a 64 px header with title, one line of facts and actions, and
// the body below it. A page with its own header has its own layout. The window uses only these functions of a page; how
// a page is created and found is defined by its entry in pages/pages.h.

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
    /// Title of a window that shows only this page. titleChanged() reports changes.
    QString title() const { return page_title_; }

    /// Called when the page is shown. `subject`: the run, host or file to show; empty: unchanged.
    virtual void activate(const QString& subject) { Q_UNUSED(subject) }
    /// Returns the widget that gets the focus when the page is opened; null for the page itself.
    virtual QWidget* firstFocus() { return nullptr; }
    /// Ctrl+Enter.
    virtual void primaryAction() {}
    /// Ctrl+F.
    virtual void find() {}
    /// F5: reloads the content of the page.
    virtual void refresh() {}
    /// Handles Alt+Left (-1) and Alt+Right (1) inside the page. Returns false if there is no step left; the window then
    /// steps in its history.
    virtual bool step(int) { return false; }
    /// Keys of the page besides the shortcuts of its actions().
    virtual Shortcuts shortcuts() const { return {}; }
    /// Whether the page supports showTrainingStep().
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
    /// Adds a command with shortcuts that are active while the page has the focus. It is also in the palette.
    QAction* addCommand(const QString& text, const char* icon, const QList<QKeySequence>& keys,
                        const std::function<void()>& run);
    /// Layout next to the title, for chips.
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
