#pragma once
// Sentences that the engine composes (errors, findings, events), in the language of the window. They come as English text, also out of
// files, from worker processes and from other machines, so they are recognised by their form where they are shown (local_sentence() of
// languages.h):
// resources/translations/sentences_*.ts has the forms ("%1 is missing") with their translations; packaging/sentences.py finds them in the
// sources of the engine. What no form fits, such as a sentence of another version, stays English.

#include <functional>
#include <mutex>
#include <vector>

#include <QHash>
#include <QString>
#include <QStringView>

class QIODevice;

namespace trainyard::widgets {

class Sentences {
  public:
    struct Form {
        QString source;       ///< English, with %1, %2, ... for values
        QString translation;  ///< with the same placeholders; empty: the form is not used
    };
    /// What a value that is no sentence is called in the language; empty: as it stands.
    using Words = std::function<QString(const QString& english)>;
    explicit Sentences(const std::vector<Form>& forms, Words words_of_tables = {});
    ~Sentences();
    Sentences(const Sentences&) = delete;
    Sentences& operator=(const Sentences&) = delete;

    /// Of a catalogue in the format of Qt Linguist.
    static std::vector<Form> formsOf(QIODevice& catalogue);

    /// Each line by itself. Values stay as they are, unless a value is a sentence again ("cannot read FILE: it is empty") or a single word
    /// that is a form ("got nothing"), also behind a name; blanks beside a value are those of the language, also where a value is of another script. What stands
    /// in quotation marks is never changed. Where several forms fit, the one with the most words counts; where a form fits in several
    /// ways, it does not count. From any thread.
    QString translated(const QString& english) const;

  private:
    struct Pattern;
    struct Reading;
    class Line;
    QString ofLine(const QString& line) const;

    Words words_;
    QHash<QString, QString> single_;  ///< forms of one word
    std::vector<Pattern> patterns_;
    QHash<QString, std::vector<int>> of_word_;  ///< each pattern is found by the rarest of its words
    mutable std::mutex mutex_;
    mutable QHash<QString, QString> known_;
};

/// Those of a language without a catalogue (tests), for local_sentence(), until a language is installed.
void install_sentences(std::vector<Sentences::Form> forms);

}  // namespace trainyard::widgets
