// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/pseudo_language.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QWidget>

#include "support/catalogue.h"
#include "widgets/theme.h"

namespace trainyard::test {

namespace {

const QString kBetween = QStringLiteral("\x04");

/// Returns the text outside of ⟦brackets⟧. The closing bracket may be missing, because an elided text lacks it.
QString outside_of_brackets(const QString& text) {
    QString rest;
    int depth = 0;
    for (const QChar letter : text) {
        depth += letter == u'⟦' ? 1 : 0;
        if (depth == 0)
            rest += letter;
        depth -= letter == u'⟧' && depth > 0 ? 1 : 0;
    }
    return rest;
}

QString in_one_line(const QString& text) {
    QString plain = Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
    return plain.simplified();
}

}  // namespace

PseudoLanguage::PseudoLanguage(bool brackets, QObject* parent) : QTranslator(parent), brackets_(brackets) {
    for (const CatalogueText& message : messages_of(catalogues_folder() / "trainyard_de.ts")) {
        known_ << message.context + kBetween + message.source;
        contexts_ << message.context;
    }
}

QString PseudoLanguage::translate(const char* context, const char* text, const char*, int) const {
    const QString of = QString::fromUtf8(context);
    const QString source = QString::fromUtf8(text);
    if (source.isEmpty())
        return {};
    static const QRegularExpression with_values(QStringLiteral("^(?=.*[a-z]{3}).*\\{[0-9]*(?::[^}]*)?\\}"));
    // Values among the texts of the engine's tables are not in catalogues; desktop.engine_words compares the rest.
    // Literals with placeholders are of messages.
    if ((of != QLatin1String("trainyard::engine") || source.contains(with_values)) &&
        (of.startsWith(QLatin1String("trainyard::")) || contexts_.contains(of)) &&
        !known_.contains(of + kBetween + source))
        missing_ << of + QStringLiteral(": ") + source;
    return disguise(source, brackets_);
}

QStringList PseudoLanguage::missingInCatalogues() const {
    QStringList all(missing_.begin(), missing_.end());
    all.sort();
    return all;
}

QString PseudoLanguage::disguise(const QString& text, bool brackets) {
    // Capitals stay as they are: their accents reach over the line of this font, whatever the layout.
    static const QHash<QChar, QChar> accents{{u'a', u'á'}, {u'e', u'é'}, {u'i', u'í'}, {u'o', u'ö'}, {u'u', u'ü'},
                                             {u'c', u'ç'}, {u'n', u'ñ'}, {u's', u'š'}, {u'y', u'ý'}};
    static const QRegularExpression kept(QStringLiteral("%L?[0-9n]+|<[^>]*>|&\\w+;|&\\w|[^%<&]+|."));
    QString changed;
    for (auto all = kept.globalMatch(text); all.hasNext();) {
        const QString piece = all.next().captured();
        const bool plain = !piece.startsWith(u'%') && !piece.startsWith(u'<') && !piece.startsWith(u'&');
        for (const QChar letter : piece)
            changed += plain ? accents.value(letter, letter) : letter;
    }
    const auto letters = std::count_if(text.begin(), text.end(), [](QChar letter) { return letter.isLetter(); });
    // Blanks, too: a real translation can be broken into lines where this one is.
    QString longer;
    while (20 * longer.size() < 7 * letters)
        longer += longer.size() % 8 == 7 ? u' ' : brackets ? u'~' : u'é';
    // Line breaks and spaces at both ends stay outside of the brackets, because the text may be a part of a longer one.
    const qsizetype begin =
        changed.size() - QStringView(changed).trimmed().size() == 0 ? 0 : changed.indexOf(changed.trimmed());
    const QString middle = changed.trimmed();
    if (!brackets)
        return changed.left(begin) + middle + longer.trimmed() + changed.mid(begin + middle.size());
    return changed.left(begin) + u'⟦' + middle + longer + u'⟧' + changed.mid(begin + middle.size());
}

QStringList untranslated_texts(const QWidget* window, const QStringList& data) {
    // One word may be a name or a value; a sentence has two, and a heading or button begins with a capital.
    static const QRegularExpression sentence(QStringLiteral("[A-Za-z]?[a-z]{3,}\\b.*\\b[A-Za-z]?[a-z]{3,}"));
    static const QRegularExpression heading(QStringLiteral("^[A-Z][a-z]{3,}$"));
    // Names of files, keys, tags and versions have something else inside; lines of settings; keys of the keyboard.
    static const QRegularExpression names(QStringLiteral("\\S*\\w(?:[_/=:.+-]+\\w\\S*)+"));
    static const QRegularExpression settings(QStringLiteral("^[a-z0-9_.]+: \\S+$"),
                                             QRegularExpression::MultilineOption);
    const QString mono = widgets::Theme::instance().mono().family();
    QStringList faults;
    const auto look = [&](const QWidget* widget, const QString& text, QLatin1String what) {
        QString rest = outside_of_brackets(in_one_line(QString(text).remove(settings)));
        for (const QString& each : data)
            rest.remove(QRegularExpression(each));
        rest.remove(names);
        const bool heads = qobject_cast<const QPushButton*>(widget) != nullptr ||
                           (qobject_cast<const QLabel*>(widget) != nullptr && what == QLatin1String("text"));
        rest = rest.trimmed();
        if (rest.contains(sentence) || (heads && rest.contains(heading)))
            faults << QStringLiteral("%1 %2: “%3”")
                          .arg(QLatin1String(widget->metaObject()->className()), what, text.left(90));
    };
    QList<const QWidget*> all;
    for (const QWidget* widget : window->findChildren<QWidget*>())
        if (widget->isVisibleTo(window) && widget->window() == window->window())
            all << widget;
    for (const QWidget* widget : all) {
        look(widget, widget->accessibleName(), QLatin1String("name"));
        look(widget, widget->accessibleDescription(), QLatin1String("description"));
        if (widget->font().family() == mono)
            continue;
        look(widget, widget->toolTip(), QLatin1String("tool tip"));
        if (auto* label = qobject_cast<const QLabel*>(widget))
            look(widget, label->text(), QLatin1String("text"));
        else if (auto* button = qobject_cast<const QAbstractButton*>(widget))
            look(widget, button->text(), QLatin1String("text"));
        else if (auto* group = qobject_cast<const QGroupBox*>(widget))
            look(widget, group->title(), QLatin1String("title"));
        else if (auto* field = qobject_cast<const QLineEdit*>(widget))
            look(widget, field->placeholderText(), QLatin1String("placeholder"));
        else if (auto* box = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < box->count(); ++i)
                look(widget, box->itemText(i), QLatin1String("choice"));
        else if (auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                look(widget, tabs->tabText(i), QLatin1String("tab"));
        else if (auto* header = qobject_cast<const QHeaderView*>(widget);
                 header != nullptr && header->model() != nullptr && header->orientation() == Qt::Horizontal)
            for (int i = 0; i < header->count(); ++i)
                look(widget, header->model()->headerData(i, Qt::Horizontal).toString(), QLatin1String("column"));
    }
    faults.removeDuplicates();
    return faults;
}

}  // namespace trainyard::test
