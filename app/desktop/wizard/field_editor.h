// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One value of a form as text, independent of its widget: a line, a few segments, a list, a check box, several lines.
// Used for answers of the question tree and for keys of a recipe. edited() is emitted for user input only, never by
// setValue().

#include <functional>

#include <QObject>
#include <QString>
#include <QVector>

#include "desktop/wizard/field_option.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class FieldEditor : public QObject {
    Q_OBJECT
  public:
    enum class Kind {
        Line,
        Lines,   ///< several lines
        Choice,  ///< segments for up to four short options, else a list
        Tick,    ///< two options: the values of the checked and the unchecked state
    };
    /// `options` must not be empty for Choice; for Tick the first is "on", the second "off".
    FieldEditor(Kind kind, const QVector<FieldOption>& options, QObject* parent = nullptr);

    QWidget* widget() const { return widget_; }
    Kind kind() const { return kind_; }
    const QVector<FieldOption>& options() const { return options_; }
    QString value() const { return read_(); }
    /// Shows a value. A value that is not among the options is added as an option.
    void setValue(const QString& value);
    /// Sets the options of a Choice; the kind of widget stays the same. Does nothing if the options are unchanged.
    void setOptions(const QVector<FieldOption>& options);
    /// Whether it has the keyboard focus.
    bool hasFocus() const;
    void focus();
    /// Whether the options fit into segments; otherwise a list is used.
    static bool fitsSegments(const QVector<FieldOption>& options);

  signals:
    void edited(const QString& value);
    void left();  ///< the focus moved away, or Enter was pressed

  private:
    void adopt(QWidget* widget, std::function<QString()> read, std::function<void(const QString&)> write);
    void tell();
    void fillList();

    Kind kind_;
    QVector<FieldOption> options_;
    QWidget* widget_ = nullptr;
    std::function<QString()> read_;
    std::function<void(const QString&)> write_;
    bool filling_ = false;
};

}  // namespace trainyard::desktop
