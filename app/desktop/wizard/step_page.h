// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Base class of the pages of the wizard: a heading and blocks of rows. Each row is an editor with label, key, hint,
// problem and a button that fixes the problem. The page also takes in values and shows problems. A problem appears 300
// ms after the last key press or when the field is left, and disappears at once.

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

/// Room in pixels at the left of the fields for the rings of links; the page scrolls, so the ring cannot be beside it.
inline constexpr int kBesideFields = 10;
/// Above and below the line between the fields and the buttons.
inline constexpr int kBesideFooter = 8;

class StepPage : public QWidget {
    Q_OBJECT
  public:
    StepPage(RunDraft* draft, Step step, QWidget* parent = nullptr);
    Step step() const { return step_; }
    /// Updates values and problems. Called when the draft changed and the page is visible.
    void refresh(const QVector<FieldProblem>& problems);
    /// The row of a question (by id), setting (by path) or key of the recipe; nullptr: not on this page, or not asked
    /// now.
    widgets::FieldRow* row(const QString& key) const;
    FieldEditor* editor(const QString& key) const;
    /// Focuses a field. Returns false if the page does not have it.
    virtual bool focusField(const QString& key);
    virtual void focusFirst();
    QString heading() const { return accessibleName(); }

  signals:
    /// Requests that this part of the page is scrolled into view.
    void seen(QWidget* widget);

  protected:
    struct Field {
        QString key;
        QString path;  ///< alternative name
        widgets::FieldRow* row = nullptr;
        FieldEditor* editor = nullptr;
        QElapsedTimer typed;  ///< invalid: not typed in
    };
    /// Copies the values of the draft into the page. Problems are updated separately.
    virtual void takeValues() = 0;
    void setHeading(const QString& title, const QString& subtitle);
    /// A heading with rows below it, added at the end of the page. An empty title makes no heading.
    QVBoxLayout* addBlock(const QString& title);
    /// Moves the block to this position, from 0.
    void moveBlock(QVBoxLayout* block, int place);
    /// `edited` is called with user input.
    Field& addField(QVBoxLayout* into, int at, const QString& key, const QString& path, const QString& shownKey,
                    const QString& label, const QString& hint, FieldEditor* editor,
                    const std::function<void(const QString&)>& edited);
    Field* find(const QString& key) const;
    const QVector<FieldProblem>& problems() const { return problems_; }
    RunDraft* draft() const { return draft_; }
    void addTitle(QVBoxLayout* block, const QString& title);
    /// Adds a button that expands the returned layout; one per page.
    QVBoxLayout* addFolded(const QString& title);
    void unfold();

    /// Whether work that solves the problem of the field is under way, so that the problem is not shown.
    virtual bool isBeingSolved(const QString& /*key*/) const { return false; }
    void showProblems();

  private:
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
