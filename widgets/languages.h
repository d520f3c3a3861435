// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The languages of the window. The sources are in English; each catalogue of resources/translations (trainyard_de.ts)
// is a selectable language, with Qt's own texts, and all of them are resources of the program. The English catalogue
// only has the singular forms of sentences with a number. packaging/translations updates the catalogues from the
// sources.

#include <map>
#include <type_traits>

#include <QString>
#include <QStringList>
#include <QVector>

#include "base/message.h"
#include "widgets/forward.h"

namespace trainyard::widgets {

class Languages {
  public:
    struct Language {
        QString code;  ///< of the catalogue: `de`, `zh_CN`
        QString name;  ///< in the language itself: `Deutsch`
    };
    /// All languages: English first, the others by name.
    static const QVector<Language>& all();
    static bool knows(const QString& code);
    /// The first of the user's preferred languages (`de-AT`, `zh-Hans-CN`, as from QLocale::uiLanguages()) that has a
    /// catalogue in the same script; else English.
    static QString among(const QStringList& preferred);
    static QString ofSystem();

    /// Sets the language of texts created from now on and the format of numbers and dates: the system's locale if it
    /// has the same language, else that of `code`. Texts already shown do not change. An unknown code counts as
    /// English.
    static void install(QCoreApplication& application, const QString& code);
    /// The language of the running application; empty before the first install().
    static QString current();
};

/// Returns what `make` returns, a table of texts: made once for each language, so that references stay valid. GUI
/// thread only.
template <class Make>
const std::invoke_result_t<Make>& once_per_language(const Make& make) {
    static std::map<QString, std::invoke_result_t<Make>> tables;  // each lambda is a type of its own
    const QString language = Languages::current();
    auto found = tables.find(language);
    if (found == tables.end())
        found = tables.emplace(language, make()).first;
    return found->second;
}

/// Translates a message of the engine into the language installed last: the translation of its literal, in the context
/// trainyard::engine, with the values inserted at its placeholders. A literal without a translation stays English.
/// Thread-safe.
QString local_message(const Message& message);
/// The same at the beginning of a sentence: with a capital, unless the message begins with a value, a key or the name
/// of a program.
QString local_sentence(const Message& message);
/// Replaces the separators of a number formatted in English (`1,234.5 kB`) by those of the language.
QString local_number(QString english);

}  // namespace trainyard::widgets
