// SPDX-License-Identifier: GPL-3.0-or-later
// The undo history of models without widgets, and that of the draft of a run.

#include <QSignalSpy>

#include "core_application.h"
#include "desktop/shell/edit_history.h"
#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {
namespace {

class Histories : public test::CoreTest {
  protected:
    void set(int value, const QString& field = {}) {
        history_.add({[this, before = value_] { value_ = before; }, [this, value] { value_ = value; }}, field);
        value_ = value;
    }
    EditHistory history_;
    int value_ = 0;
};

TEST_F(Histories, UndoAndRedoWalkBackAndForth) {
    const QSignalSpy changes(&history_, &EditHistory::changed);
    for (int value = 1; value <= 4; ++value)
        set(value);
    EXPECT_EQ(changes.count(), 4);
    for (int value = 4; value-- > 0;) {
        history_.undo();
        EXPECT_EQ(value_, value);
    }
    history_.undo();
    EXPECT_EQ(history_.undoable(), 0);
    EXPECT_EQ(history_.redoable(), 4);
    for (int value = 1; value <= 4; ++value) {
        history_.redo();
        EXPECT_EQ(value_, value);
    }
    history_.undo();
    set(9);
    EXPECT_EQ(history_.redoable(), 0);
    for (int value = 10; value < 300; ++value)
        set(value);
    EXPECT_EQ(history_.undoable(), static_cast<int>(EditHistory::kSteps));
    history_.clear();
    EXPECT_EQ(history_.undoable(), 0);
    EXPECT_EQ(value_, 299);
}

TEST_F(Histories, TypingIntoOneFieldIsOneStep) {
    const QString field = QStringLiteral("a");
    set(1, field);
    set(12, field);
    EXPECT_EQ(history_.undoable(), 1);
    set(3, QStringLiteral("b"));
    set(123, field);
    EXPECT_EQ(history_.undoable(), 3) << "another field was changed in between";
    history_.endEdit();
    set(4, field);
    EXPECT_EQ(history_.undoable(), 4);
    for (const int value : {123, 3, 12, 0}) {
        history_.undo();
        EXPECT_EQ(value_, value);
    }
    history_.redo();
    EXPECT_EQ(value_, 12) << "what was typed last";
    EXPECT_FALSE(history_.joins(field)) << "after undo and redo, typing is a new step";
}

TEST_F(Histories, AGroupIsOneStep) {
    history_.begin();
    set(1);
    history_.begin();
    set(2, QStringLiteral("a"));
    set(3, QStringLiteral("a"));
    EXPECT_FALSE(history_.end());
    EXPECT_EQ(history_.undoable(), 0);
    EXPECT_TRUE(history_.end());
    EXPECT_EQ(history_.undoable(), 1);
    history_.undo();
    EXPECT_EQ(value_, 0);
    history_.redo();
    EXPECT_EQ(value_, 3);
    history_.begin();
    EXPECT_FALSE(history_.end()) << "nothing was changed";
    EXPECT_EQ(history_.undoable(), 1);
}

TEST_F(Histories, WhatAnUndoCausesIsNoStep) {
    history_.add({[this] { set(7); }, [this] { set(8); }});
    history_.undo();
    EXPECT_EQ(value_, 7);
    EXPECT_EQ(history_.undoable(), 0);
    EXPECT_EQ(history_.redoable(), 1);
}

TEST_F(Histories, SettingsAndRecipeOfADraftShareOne) {
    RunDraft draft;
    const QString steps = QStringLiteral("training.steps"), precision = QStringLiteral("mp");
    const QString first_steps = draft.recipeValue(steps), first_precision = draft.answerOf(precision);
    draft.setRecipeValue(steps, QStringLiteral("7"));
    draft.setRecipeValue(steps, QStringLiteral("77"));
    draft.answer(precision, QStringLiteral("bf16"));
    draft.setRecipeValue(steps, QStringLiteral("8"));
    EXPECT_EQ(draft.history()->undoable(), 3);
    draft.beginStep();
    draft.answer(precision, QStringLiteral("no"));
    draft.setRecipeValue(steps, QStringLiteral("9"));
    draft.endStep();
    EXPECT_EQ(draft.history()->undoable(), 4);
    draft.history()->undo();
    EXPECT_EQ(draft.recipeValue(steps), QStringLiteral("8"));
    EXPECT_EQ(draft.answerOf(precision), QStringLiteral("bf16"));
    draft.history()->undo();
    EXPECT_EQ(draft.recipeValue(steps), QStringLiteral("77"));
    draft.history()->undo();
    EXPECT_EQ(draft.answerOf(precision), first_precision);
    draft.history()->undo();
    EXPECT_EQ(draft.recipeValue(steps), first_steps);
    for (int i = 0; i < 4; ++i)
        draft.history()->redo();
    EXPECT_EQ(draft.recipeValue(steps), QStringLiteral("9"));
    EXPECT_EQ(draft.answerOf(precision), QStringLiteral("no"));
    // Typing the old value again leaves no step.
    const int undoable = draft.history()->undoable();
    draft.answer(QStringLiteral("num_processes"), QStringLiteral("3"));
    EXPECT_EQ(draft.history()->undoable(), undoable + 1);
    draft.answer(QStringLiteral("num_processes"), draft.answerOf(QStringLiteral("num_processes")));
    draft.model()->reset();
    EXPECT_EQ(draft.history()->undoable(), 0);
}

}  // namespace
}  // namespace trainyard::desktop
