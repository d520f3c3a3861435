// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A field for a whole number.

#include <QLineEdit>
#include <QSpinBox>

#include "widgets/controls.h"

namespace trainyard::widgets {

/// A QSpinBox that takes any digits and frames a number out of its range, where QSpinBox drops the digits that do not
/// fit. When the field is left such a number is replaced with the one before it was typed.
class NumberBox : public QSpinBox {
  public:
    explicit NumberBox(QWidget* parent = nullptr) : QSpinBox(parent) {
        const auto judge = [this] { set_invalid(this, !hasAcceptableInput()); };
        QObject::connect(lineEdit(), &QLineEdit::textChanged, this, judge);
        QObject::connect(this, &QSpinBox::editingFinished, this, judge);  // a replaced text sends no signal
        QObject::connect(this, &QSpinBox::valueChanged, this, [this](int value) {
            if (!hasFocus())
                before_ = value;
        });
    }
    QValidator::State validate(QString& text, int& position) const override {
        const QValidator::State state = QSpinBox::validate(text, position);
        return state == QValidator::Invalid && isNumber(text) ? QValidator::Intermediate : state;
    }
    void fixup(QString& text) const override {
        if (isNumber(text))
            text = prefix() + textFromValue(before_) + suffix();
        else
            QSpinBox::fixup(text);
    }
    void stepBy(int steps) override {
        QSpinBox::stepBy(steps);
        before_ = value();
    }

  protected:
    void focusInEvent(QFocusEvent* event) override {
        before_ = value();
        QSpinBox::focusInEvent(event);
    }

  private:
    bool isNumber(const QString& text) const {
        QStringView number(text);
        if (number.startsWith(prefix()))
            number = number.mid(prefix().size());
        if (number.endsWith(suffix()))
            number.chop(suffix().size());
        for (const QChar c : number)
            if (!c.isDigit() && !locale().groupSeparator().contains(c))
                return false;
        return !number.isEmpty();
    }
    int before_ = 0;  ///< the value that was there before it is typed over
};

}  // namespace trainyard::widgets
