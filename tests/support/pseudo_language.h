#pragma once
// A language for tests: every text that is translated gets accents, is a third longer and stands in ⟦brackets⟧. What has none on the
// screen was never translated. Also says which texts were asked for that no catalogue has, since lupdate did not find them or found
// them with another context.

#include <QHash>
#include <QSet>
#include <QTranslator>

class QWidget;

namespace trainyard::test {

class PseudoLanguage : public QTranslator {
  public:
    /// Without brackets texts are no longer than they shall be: accents, and 35 % more letters.
    explicit PseudoLanguage(bool brackets = true, QObject* parent = nullptr);
    QString translate(const char* context, const char* text, const char* comment, int n) const override;
    bool isEmpty() const override { return false; }

    /// "context: text", sorted; of contexts of this program only.
    QStringList missingInCatalogues() const;
    /// `Open %1` to `⟦Öþéñ %1~~⟧`: placeholders, tags and keys stay.
    static QString disguise(const QString& text, bool brackets = true);

  private:
    bool brackets_;
    QSet<QString> known_;  ///< context and text
    QSet<QString> contexts_;
    mutable QSet<QString> missing_;
};

/// Texts of visible widgets, their tool tips and accessible names with words outside of brackets. Not: fields that a person fills in,
/// what is in the font of keys, numbers and logs, and what the expressions `data` match.
QStringList untranslated_texts(const QWidget* window, const QStringList& data);

}  // namespace trainyard::test
