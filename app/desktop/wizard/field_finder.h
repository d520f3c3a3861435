#pragma once
// Ctrl+G: one field over the wizard that finds any of its fields by part of label, id, key or flag. Enter goes there, Esc back.

#include <QFrame>
#include <QPointer>
#include <QVector>

#include "desktop/wizard/steps.h"

class QLineEdit;
class QListWidget;

namespace trainyard::desktop {

class RunDraft;

class FieldFinder : public QFrame {
    Q_OBJECT
  public:
    FieldFinder(RunDraft* draft, QWidget* parent);
    void open();
    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }

  signals:
    void wanted(const QString& key, Step step);
    /// A key that only the table of all keys has.
    void keyWanted(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Entry {
        QString text;  ///< what is searched
        QString label;
        QString key;
        Step step = Step::Start;
        bool expert = false;
    };
    void collect();
    void search(const QString& text);
    void choose();
    void dismiss();

    RunDraft* draft_;
    QLineEdit* field_;
    QListWidget* list_;
    QVector<Entry> entries_;
    QPointer<QWidget> before_;
};

}  // namespace trainyard::desktop
