// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page of the window. Most pages have the usual frame: a 64 px header with title, one line of facts and actions, and
// the body below it. A page with its own header has its own layout. The window uses only these functions of a page; how
// a page is created and found is defined by its entry in pages/pages.h.

#include <functional>

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <QWidget>

#include "widgets/forward.h"

class QPagedPaintDevice;

namespace trainyard::desktop {

class Page : public QWidget {
    Q_OBJECT
  public:
    explicit Page(const QString& title, QWidget* parent = nullptr);
    void setFacts(const QString& facts);
    /// Title of a window that shows only this page. titleChanged() reports changes.
    QString title() const { return page_title_; }
    /// The key of its entry in the registry of pages; empty for a page that was created without it.
    QString key() const { return key_; }
    void setKey(const QString& key) { key_ = key; }

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
    /// Enables the actions that are possible now; called before menus and the palette show them.
    virtual void updateActions() {}
    /// Prints what the page shows: by default as a picture that fills the width of a sheet.
    virtual void print(QPagedPaintDevice* device);
    /// Whether the page has a question or work in progress that its replacement could not continue. In another
    /// language or text size it is made again once it is not busy.
    virtual bool isBusy() const { return false; }
    /// Whether the language or the text size has changed since the page was made.
    bool isOutdated() const { return outdated_; }
    void setOutdated() { outdated_ = true; }
    /// Takes over what `before`, the page that this one replaces in another language or text size, shows, and what is
    /// stored neither by ViewState nor in a model.
    virtual void takeOver(Page& before) { Q_UNUSED(before) }
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
    /// Adds the action of a command of shell/commands.h. Its shortcuts are active while the page has the focus.
    QAction* addCommand(const char* id, const std::function<void()>& run);
    /// Layout next to the title, for chips.
    QHBoxLayout* titleLine() { return title_line_; }

  private:
    QString page_title_;
    QString key_;
    bool outdated_ = false;
    QLabel* title_ = nullptr;
    widgets::ElidedLabel* facts_ = nullptr;
    QHBoxLayout* actions_ = nullptr;
    QHBoxLayout* title_line_ = nullptr;
    QVBoxLayout* body_ = nullptr;
};

}  // namespace trainyard::desktop
