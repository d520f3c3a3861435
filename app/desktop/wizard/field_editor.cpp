// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/field_editor.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::SegmentedControl;

namespace {

constexpr int kSegmentLetters = 34;  ///< of all segments together, else they do not fit beside the label
const int& kLinesHeight = live_px(96);
const int& kChoiceListWidth = live_px(240);

/// Undo belongs to the whole form, so the field must not swallow its keys.
bool is_form_key(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    auto* key = static_cast<QKeyEvent*>(event);
    return key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
}

template <class Field>
class FormField : public Field {
  protected:
    bool event(QEvent* event) override {
        if (!is_form_key(event))
            return Field::event(event);
        event->ignore();
        return true;
    }
};

}  // namespace

bool FieldEditor::fitsSegments(const QVector<FieldOption>& options) {
    if (options.isEmpty() || options.size() > kMostSegments)
        return false;
    qsizetype letters = 0;
    for (const FieldOption& option : options)
        letters += option.label.size() + 3;
    return letters <= kSegmentLetters;
}

FieldEditor::FieldEditor(Kind kind, const QVector<FieldOption>& options, QObject* parent)
    : QObject(parent), kind_(kind), options_(options) {
    switch (kind) {
        case Kind::Line: {
            auto* line = new FormField<QLineEdit>;
            line->setProperty("mono", true);
            line->setFont(Theme::instance().mono(12));
            connect(line, &QLineEdit::textEdited, this, &FieldEditor::edited);
            connect(line, &QLineEdit::editingFinished, this, &FieldEditor::left);
            adopt(
                line, [line] { return line->text(); }, [line](const QString& text) { line->setText(text); });
            break;
        }
        case Kind::Lines: {
            auto* lines = new FormField<QPlainTextEdit>;
            lines->setFont(Theme::instance().mono(12));
            lines->setFixedHeight(kLinesHeight);
            lines->setTabChangesFocus(true);
            lines->setUndoRedoEnabled(false);
            connect(lines, &QPlainTextEdit::textChanged, this, &FieldEditor::tell);
            adopt(
                lines, [lines] { return lines->toPlainText(); },
                [lines](const QString& text) { lines->setPlainText(text); });
            break;
        }
        case Kind::Tick: {
            auto* box = new QCheckBox(options.value(0).label);
            box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
            connect(box, &QCheckBox::toggled, this, &FieldEditor::tell);
            adopt(
                box, [this, box] { return options_.value(box->isChecked() ? 0 : 1).value; },
                [this, box](const QString& text) { box->setChecked(options_.value(0).value == text); });
            break;
        }
        case Kind::Choice:
            if (fitsSegments(options)) {
                QStringList labels;
                for (const FieldOption& option : options)
                    labels << option.label;
                auto* segments = new SegmentedControl(labels);
                for (int i = 0; i < options.size(); ++i)
                    segments->button(i)->setToolTip(options[i].help);
                segments->setFocusProxy(segments->button(0));
                connect(segments, &SegmentedControl::currentChanged, this, [this, segments](int index) {
                    segments->setFocusProxy(segments->button(index));
                    tell();
                });
                adopt(
                    segments, [this, segments] { return options_.value(segments->current()).value; },
                    [this, segments](const QString& text) {
                        const auto found = std::ranges::find(options_, text, &FieldOption::value);
                        if (found != options_.end())
                            segments->setCurrent(static_cast<int>(found - options_.begin()));
                    });
            } else {
                auto* list = new QComboBox;
                list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
                list->setMinimumContentsLength(14);
                list->setMaximumWidth(kChoiceListWidth);
                connect(list, &QComboBox::currentIndexChanged, this, [this](int index) {
                    if (index >= 0)
                        tell();
                });
                adopt(
                    list, [list] { return list->currentData().toString(); },
                    [list](const QString& text) {
                        if (list->findData(text) < 0)
                            list->addItem(text, text);
                        list->setCurrentIndex(list->findData(text));
                    });
                fillList();
            }
            break;
    }
}

void FieldEditor::adopt(QWidget* widget, std::function<QString()> read, std::function<void(const QString&)> write) {
    widget_ = widget;
    read_ = std::move(read);
    write_ = std::move(write);
}

void FieldEditor::tell() {
    if (!filling_)
        emit edited(value());
}

void FieldEditor::fillList() {
    auto* list = static_cast<QComboBox*>(widget_);
    filling_ = true;
    const QString now = list->currentData().toString();
    list->clear();
    for (const FieldOption& option : std::as_const(options_)) {
        list->addItem(option.label, option.value);
        if (!option.help.isEmpty())
            list->setItemData(list->count() - 1, option.help, Qt::ToolTipRole);
    }
    list->setCurrentIndex(std::max(0, list->findData(now)));
    filling_ = false;
}

void FieldEditor::setOptions(const QVector<FieldOption>& options) {
    if (options == options_ || qobject_cast<QComboBox*>(widget_) == nullptr)
        return;
    options_ = options;
    fillList();
}

void FieldEditor::setValue(const QString& text) {
    if (text == value())
        return;
    filling_ = true;
    write_(text);
    filling_ = false;
}

bool FieldEditor::hasFocus() const {
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == widget_ || widget_->isAncestorOf(focus));
}

void FieldEditor::focus() {
    QWidget* target = widget_->focusProxy() != nullptr ? widget_->focusProxy() : widget_;
    target->setFocus(Qt::OtherFocusReason);
    if (auto* line = qobject_cast<QLineEdit*>(target))
        line->selectAll();
}

}  // namespace trainyard::desktop
