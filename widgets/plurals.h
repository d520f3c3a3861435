#pragma once
// English has plural forms, too: what tr("%n runs", nullptr, n) says of one. A translator that knows the singular of every such sentence
// of the desktop; catalogues of other languages are installed after it and go before. A new sentence with %n belongs into the table
// of plurals.cpp; tests/widgets/plurals.cpp finds those that are missing.

#include <QTranslator>

class QCoreApplication;

namespace trainyard::widgets {

class EnglishPlurals : public QTranslator {
    Q_OBJECT
  public:
    using QTranslator::QTranslator;
    /// Once for an application, however often it is called.
    static void install(QCoreApplication& application);
    /// Empty: the sentence is said as it is written, of any number.
    QString translate(const char* context, const char* text, const char* comment, int n) const override;
    bool isEmpty() const override { return false; }
    static bool knows(const QByteArray& text);
};

}  // namespace trainyard::widgets
