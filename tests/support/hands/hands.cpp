// SPDX-License-Identifier: GPL-3.0-or-later
// Lets a test control the real desktop program, which needs no support for it: a plug-in that Qt loads if
// QT_QPA_GENERIC_PLUGINS names it (support/desktop_program.h sets it). Each line of standard input is a JSON array: a
// command and its target; the answer is one line with a JSON array that contains the value, or is empty if the target
// does not exist. A target is the accessible name of a visible widget, with its class in front if the name is not
// unique ("QTableView#Runs"); an array of names is a path, in which each widget contains the next.
//
//     ["seen", THING]            whether it is visible
//     ["words", THING]           text of a label, field or combo box; value of a slider
//     ["wheel", THING, TURNS]    turns the mouse wheel over its centre; positive turns scroll up
//     ["keys", THING, "Ctrl+C"]  focuses it and presses keys
//     ["type", THING, TEXT]
//     ["click", THING]           answers before the click, which may open a menu
//     ["choose", TEXT]           an entry of the open menu
//     ["cells", TABLE, COLUMN]   texts of a visible column
//     ["ticked", TABLE, COLUMN]  texts of that column in rows whose first cell is checked
//     ["go", TABLE, COLUMN, TEXT] makes the row with this text the current row
//     ["texts"]                  texts of all visible buttons, labels, boxes and menus, without those that have figures
//     ["close", THING]           closes its window, as the button of the title bar does; answers before
//     ["clipboard"]              its text
//     ["picture", THING, FILE]   saves a PNG of it

#include <algorithm>
#include <cstdio>

#include <QAbstractSlider>
#include <QApplication>
#include <QClipboard>
#include <QGenericPlugin>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>
#include <QPixmap>
#include <QPointer>
#include <QSocketNotifier>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <unistd.h>

namespace {

bool is_a(const QWidget* widget, const QString& kind) {
    for (const QMetaObject* one = widget->metaObject(); one != nullptr; one = one->superClass())
        if (const QString name = QString::fromLatin1(one->className());
            name == kind || name.endsWith(QStringLiteral("::") + kind))
            return true;
    return false;
}

QWidget* find_in(QWidget* parent, const QString& thing) {
    const qsizetype mark = thing.indexOf(QLatin1Char('#'));
    for (QWidget* widget : parent->findChildren<QWidget*>())
        if (widget->isVisible() && widget->accessibleName() == thing.mid(mark + 1) &&
            (mark < 0 || is_a(widget, thing.left(mark))))
            return widget;
    return nullptr;
}

QWidget* find(const QJsonValue& thing) {
    const QJsonArray way = thing.isArray() ? thing.toArray() : QJsonArray{thing};
    QWidget* found = nullptr;
    for (QWidget* window : QApplication::topLevelWidgets()) {
        found = window->isVisible() ? window : nullptr;
        for (const QJsonValue& name : way)
            found = found == nullptr ? nullptr : find_in(found, name.toString());
        if (found != nullptr)
            break;
    }
    return found;
}

QJsonValue words_of(const QWidget* widget) {
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(widget))
        return slider->value();
    for (const char* property : {"text", "currentText", "title"})
        if (const QVariant value = widget->property(property); value.isValid())
            return value.toString();
    return {};
}

void turn_wheel(QWidget* widget, int turns) {
    const QPointF at(widget->width() / 2.0, widget->height() / 2.0);
    for (int i = 0; i < std::abs(turns); ++i) {
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, turns > 0 ? 120 : -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &wheel);
    }
}

bool choose(const QString& text) {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr)
        return false;
    for (QAction* action : menu->actions())
        if (action->text().section(QLatin1Char('\t'), 0, 0) == text) {
            menu->setActiveAction(action);
            QTest::keyClick(menu, Qt::Key_Return);
            return true;
        }
    return false;
}

QJsonValue column_of(const QTableView* table, int column, bool ticked) {
    QJsonArray texts;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (!ticked || table->model()->index(row, 0).data(Qt::CheckStateRole).toInt() == Qt::Checked)
            texts << table->model()->index(row, column).data().toString();
    return texts;
}

bool go_to(QTableView* table, int column, const QString& text) {
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (const QModelIndex index = table->model()->index(row, column); index.data().toString() == text) {
            table->setCurrentIndex(index);
            return true;
        }
    return false;
}

QJsonValue all_texts() {
    QStringList texts;
    for (const QWidget* widget : QApplication::allWidgets())
        if (widget->isVisible())
            for (const char* property : {"text", "title", "placeholderText", "accessibleName", "toolTip"})
                if (const QString text = widget->property(property).toString();
                    !text.isEmpty() && std::none_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); }))
                    texts << text;
    texts.sort();
    texts.removeDuplicates();
    return QJsonArray::fromStringList(texts);
}

/// Undefined if there is no such widget.
QJsonValue answer(const QJsonArray& asked) {
    const QString word = asked.at(0).toString();
    if (word == QLatin1String("clipboard"))
        return QApplication::clipboard()->text();
    if (word == QLatin1String("texts"))
        return all_texts();
    if (word == QLatin1String("choose"))
        return choose(asked.at(1).toString());
    const QPointer<QWidget> widget = find(asked.at(1));
    if (word == QLatin1String("seen"))
        return !widget.isNull();
    if (widget.isNull())
        return QJsonValue::Undefined;
    if (word == QLatin1String("words"))
        return words_of(widget);
    if (word == QLatin1String("picture"))
        return widget->grab().save(asked.at(2).toString(), "PNG");
    if (word == QLatin1String("wheel"))
        turn_wheel(widget, asked.at(2).toInt());
    else if (word == QLatin1String("click"))
        QTimer::singleShot(0, widget, [widget] { QTest::mouseClick(widget, Qt::LeftButton); });
    else if (word == QLatin1String("close"))
        QTimer::singleShot(0, widget->window(), &QWidget::close);
    else if (word == QLatin1String("keys") || word == QLatin1String("type")) {
        widget->window()->activateWindow();
        widget->setFocus();
        const QKeySequence keys = QKeySequence::fromString(asked.at(2).toString());
        if (word == QLatin1String("type"))
            QTest::keyClicks(widget, asked.at(2).toString());
        else
            for (int i = 0; i < keys.count() && widget; ++i)
                QTest::keyClick(widget, keys[i].key(), keys[i].keyboardModifiers());
    } else if (auto* table = qobject_cast<QTableView*>(widget); table != nullptr) {
        if (word == QLatin1String("go"))
            return go_to(table, asked.at(2).toInt(), asked.at(3).toString());
        return column_of(table, asked.at(2).toInt(), word == QLatin1String("ticked"));
    } else {
        return QJsonValue::Undefined;
    }
    return true;
}

class Hands : public QObject {
  public:
    Hands() : notifier_(STDIN_FILENO, QSocketNotifier::Read) {
        connect(&notifier_, &QSocketNotifier::activated, this, [this] { read(); });
    }

  private:
    void read() {
        char piece[4096];
        const ssize_t count = ::read(STDIN_FILENO, piece, sizeof piece);
        if (count <= 0) {  // the test has exited
            notifier_.setEnabled(false);
            QCoreApplication::quit();
            return;
        }
        heard_.append(piece, count);
        for (qsizetype end = 0; (end = heard_.indexOf('\n')) >= 0;) {
            const QJsonArray asked = QJsonDocument::fromJson(heard_.left(end)).array();
            heard_.remove(0, end + 1);
            const QJsonValue value = answer(asked);
            const QJsonArray said = value.isUndefined() ? QJsonArray{} : QJsonArray{value};
            std::printf("%s\n", QJsonDocument(said).toJson(QJsonDocument::Compact).constData());
            std::fflush(stdout);
        }
    }

    QByteArray heard_;
    QSocketNotifier notifier_;
};

class HandsPlugin : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "hands.json")
  public:
    QObject* create(const QString&, const QString&) override { return new Hands; }
};

}  // namespace

#include "hands.moc"
