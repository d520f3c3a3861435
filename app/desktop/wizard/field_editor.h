#pragma once
// One value of a form as text, whatever widget it is typed or chosen in: a line, a few segments, a list, a tick, several lines.
// The same for answers of the question tree and for keys of a recipe. edited() is only what a person did, never setValue().

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
        Tick,    ///< two options: what ticked and not ticked stand for
    };
    /// `options` must not be empty for Choice; for Tick the first is "on", the second "off".
    FieldEditor(Kind kind, const QVector<FieldOption>& options, QObject* parent = nullptr);

    QWidget* widget() const { return widget_; }
    Kind kind() const { return kind_; }
    const QVector<FieldOption>& options() const { return options_; }
    QString value() const { return read_(); }
    /// What stands in the form now; a value that is not among the options is shown as an option of its own.
    void setValue(const QString& value);
    /// Of a Choice; the widget stays the same kind. Nothing happens when they are the same.
    void setOptions(const QVector<FieldOption>& options);
    /// True while it has the keyboard.
    bool hasFocus() const;
    void focus();
    /// Segments would not fit: a list is used.
    static bool fitsSegments(const QVector<FieldOption>& options);

  signals:
    void edited(const QString& value);
    void left();  ///< the focus went elsewhere, or Enter

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
