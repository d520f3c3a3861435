#pragma once
// A window with one page in it, moved there out of the main window: a run's page, a page of logs, the comparison. The page is the same
// object with the same reader behind it, so nothing is read twice, and it goes back when the window is closed. Keys of the page and those
// of the program work in it. Where it stood is kept under what it shows.

#include <QMainWindow>
#include <QPointer>

namespace trainyard::desktop {

class SideWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// `key`: what it shows, `run:ID`, `logs:PLACE` or `compare`; `program`: actions whose keys are heard here, too.
    SideWindow(const QString& key, QWidget* page, const QList<QAction*>& program);

    const QString& key() const { return key_; }
    QWidget* page() const { return page_; }
    /// The page is somebody else's again.
    QWidget* takePage();

  signals:
    /// A person has closed it; the page is still in it.
    void closed(const QString& key);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void keepGeometry();
    QString key_;
    QPointer<QWidget> page_;
    bool restored_ = false;
};

}  // namespace trainyard::desktop
