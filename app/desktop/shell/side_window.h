// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A window that holds one page moved out of the main window: a run's page, a page of logs or the comparison. The page
// keeps its object and its reader, so nothing is read twice, and it returns to the main window when this window is
// closed. Shortcuts of the page and of the program work here. The geometry is stored under the key of the page.

#include <QMainWindow>
#include <QPointer>

namespace trainyard::desktop {

class SideWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// `key` names the content: `run:ID`, `logs:PLACE` or `compare`. `program`: actions whose shortcuts also work in
    /// this window.
    SideWindow(const QString& key, QWidget* page, const QList<QAction*>& program);

    const QString& key() const { return key_; }
    QWidget* page() const { return page_; }
    /// Releases the page: the caller becomes its owner.
    QWidget* takePage();

  signals:
    /// The user has closed the window; it still owns the page.
    void closed(const QString& key);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void keepGeometry();
    QString key_;
    QPointer<QWidget> page_;
    bool restored_ = false;
};

}  // namespace trainyard::desktop
