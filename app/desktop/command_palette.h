#pragma once
// One field over the page that finds actions and runs (Ctrl+K). `>` finds actions only. Enter does it, Esc goes back.

#include <functional>

#include <QAction>
#include <QFrame>
#include <QVector>

#include "desktop/runs/run_summary.h"

class QLineEdit;
class QListWidget;

namespace trainyard::desktop {

class CommandPalette : public QFrame {
    Q_OBJECT
  public:
    explicit CommandPalette(QWidget* parent);
    /// `beginning` is put into the field, e.g. ">" for actions only.
    void open(const QList<QAction*>& actions, const RunSummaries& runs, const QString& beginning = {});
    void dismiss();

    /// How well `text` answers `query`, larger is better; below 0: not at all. Every word must occur in order of letters.
    static int score(const QString& query, const QString& text);

  signals:
    void runRequested(const QString& runId);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Entry {
        QString text;
        QString right;  ///< shortcut or state
        QString icon;
        QAction* action = nullptr;
        QString runId;
        int number = 0;
    };
    void search(const QString& text);
    void choose();
    void place();

    QLineEdit* field_;
    QListWidget* list_;
    QVector<Entry> entries_;
    QVector<int> shown_;
    QWidget* before_ = nullptr;
};

}  // namespace trainyard::desktop
