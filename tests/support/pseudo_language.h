// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A pseudolocale: every translated text gets accents and ⟦brackets⟧ and becomes a third longer. A text without brackets
// on the screen was not passed to tr(). Also collects requested texts that no catalogue has, because lupdate did not
// find them or found them with another context.

#include <QHash>
#include <QSet>
#include <QTranslator>

class QWidget;

namespace trainyard::test {

class PseudoLanguage : public QTranslator {
  public:
    /// Without brackets, texts only get accents and 35 % more letters, so that their lengths are realistic.
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

/// Returns the texts, tool tips and accessible names of visible widgets that have words outside of brackets. Leaves out
/// input fields, texts in the monospace font of keys, numbers and logs, and texts that match one of the expressions
/// `data`.
QStringList untranslated_texts(const QWidget* window, const QStringList& data);

}  // namespace trainyard::test
