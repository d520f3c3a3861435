// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A search field over a page, with a list of results: typing filters the list, arrow keys select, Enter activates, Esc
// returns the focus. The owner provides the entries and their actions. Answers within 50 ms for 10,000 entries
// (bench_wizard).

#include <QFrame>
#include <QPointer>
#include <QVector>

#include "desktop/shell/finder_entry.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class Finder : public QFrame {
    Q_OBJECT
  public:
    /// `hint`: words below the list; may be empty.
    Finder(const QString& name, const QString& placeholder, QWidget* parent, const QString& hint = {});
    void open(const QVector<FinderEntry>& entries, const QString& beginning = {});
    /// Adds entries that were found later, while the finder is open.
    void add(const QVector<FinderEntry>& entries);
    void dismiss();
    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }

    /// Returns how well `text` matches `query`: larger is better, negative for no match. The letters of every word must
    /// occur in order.
    static int score(const QString& query, const QString& text);

  protected:
    struct Search {
        QString query;
        unsigned kinds = ~0u;       ///< bit per FinderEntry::kind
        QVector<FinderEntry> made;  ///< rows that the words themselves make, in front of what is found
    };
    /// Parses the text of the search field.
    virtual Search understood(const QString& words) const { return {words.trimmed(), ~0u, {}}; }
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void search();
    void choose();
    void place();
    void addRow(const FinderEntry& entry);

    QLineEdit* field_;
    QListWidget* list_;
    QLabel* hint_ = nullptr;
    QVector<FinderEntry> entries_;
    QVector<FinderEntry> shown_;
    QPointer<QWidget> before_;
};

}  // namespace trainyard::desktop
