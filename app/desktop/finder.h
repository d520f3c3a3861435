#pragma once
// One field over a page with a list below it: letters narrow the list, arrows choose, Enter does it, Esc goes back to where the keyboard
// was. What is found and what that does is its owner's business. Answers within 50 ms for 10,000 entries (bench_wizard).

#include <QFrame>
#include <QPointer>
#include <QVector>

#include "desktop/finder_entry.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class Finder : public QFrame {
    Q_OBJECT
  public:
    Finder(const QString& name, const QString& placeholder, QWidget* parent);
    void open(const QVector<FinderEntry>& entries, const QString& beginning = {});
    /// Found later than the rest, while it is open.
    void add(const QVector<FinderEntry>& entries);
    void dismiss();
    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }

    /// How well `text` answers `query`, larger is better; below 0: not at all. Every word must occur, at least in the order of its letters.
    static int score(const QString& query, const QString& text);

  protected:
    struct Search {
        QString query;
        unsigned kinds = ~0u;       ///< bit per FinderEntry::kind
        QVector<FinderEntry> made;  ///< rows that the words themselves make, in front of what is found
    };
    /// What the words in the field ask for.
    virtual Search understood(const QString& words) const { return {words.trimmed(), ~0u, {}}; }
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void search();
    void choose();
    void place();
    void addRow(const FinderEntry& entry);

    QLineEdit* field_;
    QListWidget* list_;
    QVector<FinderEntry> entries_;
    QVector<FinderEntry> shown_;
    QPointer<QWidget> before_;
};

}  // namespace trainyard::desktop
