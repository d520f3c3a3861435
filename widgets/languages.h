#pragma once
// The languages of the window. The sources are English; each catalogue of resources/translations (trainyard_de.ts) is a language to
// choose, with Qt's own texts beside it, and both are resources of the program. A catalogue of English has the singular of sentences
// with a number only. packaging/translations brings catalogues up to the sources.

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
    /// English first, then by name.
    static const QVector<Language>& all();
    static bool knows(const QString& code);
    /// The first of the languages that a person prefers (`de-AT`, `zh-Hans-CN`, as QLocale::uiLanguages() names them) that there is
    /// a catalogue for, in the same script; else English.
    static QString among(const QStringList& preferred);
    static QString ofSystem();

    /// Texts that are made from now on are in this language, and numbers and dates are written as it does: as the system does where
    /// that has the same language. What stands in windows already stays as it is. An unknown code counts as English.
    static void install(QCoreApplication& application, const QString& code);
    /// Of the application that runs; empty before the first install().
    static QString current();
};

/// A message of the engine in the language that was installed last: the translation of its literal, which is in the
/// context trainyard::engine, with the values at its placeholders. A literal without a translation stays English.
/// Thread-safe.
QString local_message(const Message& message);
/// A number written as in English (`1,234.5 kB`, of formats that know no language) with the separators of the language.
QString local_number(QString english);

}  // namespace trainyard::widgets
