#pragma once
// What all pages of the wizard share: a heading, blocks of rows, each row an editor with label, key, hint, problem and mend; how
// values come in and problems are shown. A problem appears 300 ms after the last key or when the field is left, and goes at once.

#include <functional>
#include <memory>

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>
#include <QWidget>

#include "desktop/wizard/field_editor.h"
#include "desktop/wizard/steps.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunDraft;

class StepPage : public QWidget {
    Q_OBJECT
  public:
    StepPage(RunDraft* draft, Step step, QWidget* parent = nullptr);
    Step step() const { return step_; }
    /// Values and problems as they are now. Called when the draft changed and the page is the one that is seen.
    void refresh(const QVector<FieldProblem>& problems);
    /// By id of a question, path of its setting, key of the recipe; nullptr: not on this page, or not asked now.
    widgets::FieldRow* row(const QString& key) const;
    FieldEditor* editor(const QString& key) const;
    /// Puts the keyboard there; false when the page has no such field.
    virtual bool focusField(const QString& key);
    virtual void focusFirst();
    QString heading() const { return accessibleName(); }

  signals:
    /// Make this part of the page visible.
    void seen(QWidget* widget);

  protected:
    struct Field {
        QString key;
        QString path;  ///< second name
        widgets::FieldRow* row = nullptr;
        FieldEditor* editor = nullptr;
        QElapsedTimer typed;  ///< invalid: not typed in
    };
    /// Takes the values of the draft into the page; problems follow by themselves.
    virtual void takeValues() = 0;
    void setHeading(const QString& title, const QString& subtitle);
    /// A heading with rows below it, added at the end of the page. An empty title makes no heading.
    QVBoxLayout* addBlock(const QString& title);
    /// Makes it the block of that place, from 0.
    void moveBlock(QVBoxLayout* block, int place);
    /// `edited` gets what a person typed or chose.
    Field& addField(QVBoxLayout* into, int at, const QString& key, const QString& path, const QString& shownKey,
                    const QString& label, const QString& hint, FieldEditor* editor,
                    const std::function<void(const QString&)>& edited);
    Field* find(const QString& key) const;
    const QVector<FieldProblem>& problems() const { return problems_; }
    RunDraft* draft() const { return draft_; }
    void addTitle(QVBoxLayout* block, const QString& title);
    /// A button that unfolds what is in the layout; one on a page.
    QVBoxLayout* addFolded(const QString& title);
    void unfold();

  private:
    void showProblems();

    RunDraft* draft_;
    Step step_;
    QLabel* title_;
    QLabel* subtitle_;
    QVBoxLayout* column_;
    QHash<QString, std::shared_ptr<Field>> fields_;
    QVector<FieldProblem> problems_;
    QTimer later_;
    QPushButton* fold_ = nullptr;
    QWidget* folded_ = nullptr;
};

}  // namespace trainyard::desktop
