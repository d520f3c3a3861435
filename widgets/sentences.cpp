#include "widgets/sentences.h"

#include <algorithm>
#include <array>
#include <map>

#include <QIODevice>
#include <QSet>
#include <QXmlStreamReader>

namespace trainyard::widgets {

namespace {

constexpr qsizetype kLongestLine = 4000;
constexpr qsizetype kMostKnown = 4000;  ///< translations that are remembered
constexpr int kMostCuts = 20;
constexpr int kDeepest = 5;  ///< sentences within sentences
constexpr std::size_t kMostWays = 24;
/// Forms with so few letters count only where their values are single words: "%1 of %2" is no sentence yet.
constexpr int kFewLetters = 8;

bool is_letter(QChar c) {
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

qsizetype letters_in(QStringView text) {
    return std::count_if(text.begin(), text.end(), is_letter);
}

/// Runs of letters, in lower case. `open_begin`, `open_end`: a value stands there, so the first or last run may be a part of a word.
void words_of(QStringView text, bool open_begin, bool open_end, QSet<QString>& words) {
    for (qsizetype begin = 0; begin < text.size();) {
        if (!is_letter(text[begin])) {
            ++begin;
            continue;
        }
        qsizetype end = begin;
        while (end < text.size() && is_letter(text[end]))
            ++end;
        if (!(open_begin && begin == 0) && !(open_end && end == text.size()))
            words.insert(text.mid(begin, end - begin).toString().toLower());
        begin = end;
    }
}

/// The texts between placeholders, one more than `numbers`.
void take_apart(const QString& form, QStringList& literals, std::vector<int>& numbers) {
    QString literal;
    for (qsizetype at = 0; at < form.size(); ++at) {
        qsizetype end = at + 1;
        if (form[at] == u'%')
            while (end < form.size() && form[end].isDigit())
                ++end;
        if (end > at + 1) {
            literals << literal;
            literal.clear();
            numbers.push_back(QStringView(form).mid(at + 1, end - at - 1).toInt());
            at = end - 1;
        } else {
            literal += form[at];
        }
    }
    literals << literal;
}

bool in_quotes(const QString& before, const QString& after) {
    static const QString opening = QStringLiteral("'\"`“");
    static const QString closing = QStringLiteral("'\"`”");
    const qsizetype kind = before.isEmpty() ? -1 : opening.indexOf(before.back());
    return kind >= 0 && !after.isEmpty() && after.front() == closing[kind];
}

/// One word, or a figure with its unit ("14.9 GB"), or nothing.
bool is_one_value(QStringView text) {
    const qsizetype blank = text.indexOf(u' ');
    if (blank < 0)
        return true;
    return text.front().isDigit() && text.indexOf(u' ', blank + 1) < 0;
}

bool is_wide(QChar c) {
    return c.unicode() >= 0x2E80;
}

/// Begins with a letter or sign of Chinese, which stands without blanks.
bool is_wide(const QString& text) {
    return !text.isEmpty() && is_wide(text.front());
}

/// A sign that is as wide as a letter of Chinese and has its blank in itself.
bool is_wide_sign(QChar c) {
    return (c.unicode() >= 0x3000 && c.unicode() <= 0x303F) || c.unicode() >= 0xFF00;
}

/// Adds a text where a value begins or ends. A translation has its blanks for one kind of value, and the value may be of another: Chinese
/// has a blank beside Latin letters and figures, and none within Chinese; a value may be empty.
void append(QString& text, QStringView next) {
    const QStringView before = QStringView(text).trimmed(), after = next.trimmed();
    if (before.isEmpty() || after.isEmpty() || (!is_wide(before.back()) && !is_wide(after.front()))) {
        text += text.endsWith(u' ') && next.startsWith(u' ') ? next.mid(1) : next;
        return;
    }
    const QChar left = before.back(), right = after.front();
    const bool is_tight = is_wide_sign(left) || is_wide_sign(right) || (is_wide(left) && is_wide(right));
    const bool is_loose = left.isLetterOrNumber() && right.isLetterOrNumber();
    const bool has_blank = text.endsWith(u' ') || next.startsWith(u' ');
    text.truncate(before.data() + before.size() - text.constData());
    if (!is_tight && (is_loose || has_blank))
        text += u' ';
    text += next.mid(after.data() - next.data());
}

/// The sign as the language of what follows writes it.
QString sign_before(QStringView sign, const QString& text) {
    static const QHash<QChar, QChar> wide{{u':', u'：'}, {u';', u'；'}, {u',', u'，'}, {u'.', u'。'}};
    const auto found = wide.constFind(sign.front());
    return is_wide(text) && found != wide.constEnd() ? QString(*found) : sign.toString();
}

/// Where a part of a sentence may end, and the next begin; a part keeps the sign before it.
constexpr std::array<QStringView, 5> kSeparators{u": ", u"; ", u", ", u" (", u". "};

}  // namespace

struct Sentences::Pattern {
    QStringList literals;      ///< of the source: one more than values
    std::vector<int> numbers;  ///< of the values, in the order of the source
    std::vector<bool> quoted;  ///< values in quotation marks
    QStringList translated;    ///< literals of the translation
    std::vector<int> order;    ///< numbers of the values in the translation
    int letters = 0;
    bool few = false;

    /// The ways in which the form fits: the values, in the order of the source.
    std::vector<std::vector<QStringView>> ways(QStringView text) const;

  private:
    void add_ways(QStringView text, qsizetype at, qsizetype end, std::vector<QStringView>& values,
                  std::vector<std::vector<QStringView>>& found) const;
    bool is_clear(QStringView text, qsizetype end, const std::vector<QStringView>& values) const;
};

std::vector<std::vector<QStringView>> Sentences::Pattern::ways(QStringView text) const {
    std::vector<std::vector<QStringView>> found;
    if (numbers.empty()) {
        if (text == literals.front())
            found.emplace_back();
        return found;
    }
    const qsizetype begin = literals.front().size();
    const qsizetype end = text.size() - literals.back().size();
    if (begin <= end && text.startsWith(literals.front()) && text.endsWith(literals.back())) {
        std::vector<QStringView> values;
        add_ways(text, begin, end, values, found);
    }
    return found;
}

/// Signs between two values ("%1: %2") may stand elsewhere, too: each place is a way. Words are looked for at their first place.
void Sentences::Pattern::add_ways(QStringView text, qsizetype at, qsizetype end, std::vector<QStringView>& values,
                                  std::vector<std::vector<QStringView>>& found) const {
    const std::size_t number = values.size();
    if (number + 1 == numbers.size()) {
        values.push_back(text.mid(at, end - at));
        if (is_clear(text, end, values))
            found.push_back(values);
        values.pop_back();
        return;
    }
    const QString& literal = literals[static_cast<qsizetype>(number) + 1];
    const bool is_sign = letters_in(literal) == 0;
    for (qsizetype place = text.left(end).indexOf(literal, at); place >= 0 && found.size() < kMostWays;
         place = is_sign ? text.left(end).indexOf(literal, place + 1) : -1) {
        values.push_back(text.mid(at, place - at));
        add_ways(text, place + literal.size(), end, values, found);
        values.pop_back();
    }
}

/// Not where words of the form stand elsewhere in the text, too, which leaves open what is a value, unless the values before are single
/// words; nor where a value that the form has twice differs.
bool Sentences::Pattern::is_clear(QStringView text, qsizetype end, const std::vector<QStringView>& values) const {
    qsizetype until = end;
    for (std::size_t i = values.size(); i-- > 1;) {
        const QString& literal = literals[static_cast<qsizetype>(i)];
        const qsizetype place = (values[i - 1].data() - text.data()) + values[i - 1].size();
        if (letters_in(literal) == 0) {
            until = place;
            continue;
        }
        if (text.left(until).lastIndexOf(literal) != place &&
            !std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), is_one_value))
            return false;
        until = place;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            if (numbers[i] == numbers[other] && values[i] != values[other])
                return false;
    return true;
}

/// What became of a part of a line.
struct Sentences::Reading {
    int letters = 0;     ///< of the forms that were found in it
    bool whole = false;  ///< one form fits all of it
    QString text;
};

/// One line while it is translated. Parts are named by where they begin and end.
class Sentences::Line {
  public:
    Line(const Sentences& sentences, const QString& text) : sentences_(sentences), text_(text) {
        QSet<QString> words;
        words_of(text, false, false, words);
        for (const QString& word : std::as_const(words))
            for (const int number : sentences.of_word_.value(word))
                candidates_.push_back(&sentences.patterns_[static_cast<std::size_t>(number)]);
    }

    Reading all() { return candidates_.empty() ? Reading{} : read(0, text_.size(), 0); }

  private:
    Reading read(qsizetype begin, qsizetype end, int depth);
    Reading read_whole(QStringView text, int depth, bool begins_with_words = false);
    Reading filled_in(const Pattern& pattern, const std::vector<QStringView>& values, int depth);
    Reading read_parts(qsizetype begin, qsizetype end, int depth);

    const Sentences& sentences_;
    const QString& text_;
    std::vector<const Pattern*> candidates_;
    std::map<std::pair<qsizetype, qsizetype>, Reading> known_;
};

Sentences::Reading Sentences::Line::read(qsizetype begin, qsizetype end, int depth) {
    const auto [place, is_new] = known_.try_emplace({begin, end});
    if (!is_new)
        return place->second;
    const QStringView given = QStringView(text_).mid(begin, end - begin);
    const QStringView text = given.trimmed();
    Reading best{0, false, given.toString()};
    if (depth <= kDeepest && !text.isEmpty()) {
        const qsizetype from = text.data() - text_.constData();
        const Reading whole = read_whole(text, depth);
        const Reading parts = read_parts(from, from + text.size(), depth);
        // Where both are as good, what follows a sentence is not a part of its last value.
        const Reading& better = parts.letters >= whole.letters ? parts : whole;
        if (better.letters > 0) {
            best = better;
            best.text = given.left(text.data() - given.data()).toString() + better.text +
                        given.mid(text.data() - given.data() + text.size()).toString();
        }
    }
    known_[{begin, end}] = best;
    return best;
}

/// `begins_with_words`: not by a form that begins with a value.
Sentences::Reading Sentences::Line::read_whole(QStringView text, int depth, bool begins_with_words) {
    Reading best;
    for (const Pattern* pattern : candidates_) {
        if (begins_with_words && pattern->literals.front().isEmpty())
            continue;
        for (const std::vector<QStringView>& values : pattern->ways(text)) {
            Reading reading = filled_in(*pattern, values, depth);
            if (reading.letters > best.letters)
                best = std::move(reading);
        }
    }
    return best;
}

/// The translation of a form with its values. No letters: the values are not of this form.
Sentences::Reading Sentences::Line::filled_in(const Pattern& pattern, const std::vector<QStringView>& values,
                                              int depth) {
    Reading reading{pattern.letters, true, pattern.translated.front()};
    QHash<int, QString> of_number;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const QStringView value = values[i];
        QString& shown = of_number[pattern.numbers[i]];
        shown = value.toString();
        if (pattern.quoted[i] || value.isEmpty())
            continue;
        if (!value.contains(u' ')) {
            if (const auto word = sentences_.single_.constFind(shown); word != sentences_.single_.constEnd()) {
                reading.letters += static_cast<int>(letters_in(value));
                shown = *word;
            }
            continue;
        }
        if (pattern.few && !is_one_value(value))
            return {};
        if (const QString words = sentences_.words_ ? sentences_.words_(shown) : QString(); !words.isEmpty()) {
            reading.letters += static_cast<int>(letters_in(value));
            shown = words;
            continue;
        }
        const qsizetype from = value.data() - text_.constData();
        const Reading inner = read(from, from + value.size(), depth + 1);
        if (inner.letters > 0) {
            reading.letters += inner.letters;
            shown = inner.text;
            continue;
        }
        // A name may stand before what it is about: "num_processes the text "four"".
        const qsizetype name = value.indexOf(u' ');
        if (const Reading rest = read_whole(value.mid(name + 1), depth + 1, true); rest.letters > 0) {
            reading.letters += rest.letters - 1;  // where it is a value by itself, it is clearer
            shown = value.left(name + 1).toString();
            append(shown, rest.text);
        }
    }
    for (std::size_t i = 0; i < pattern.order.size(); ++i)
        for (const QString& next :
             {of_number.value(pattern.order[i]), pattern.translated[static_cast<qsizetype>(i) + 1]})
            append(reading.text, next);
    return reading;
}

Sentences::Reading Sentences::Line::read_parts(qsizetype begin, qsizetype end, int depth) {
    // Where parts can begin, with the length of the sign that separates them from what is before.
    struct Cut {
        qsizetype at;
        QStringView sign;
    };
    std::vector<Cut> cuts{{begin, {}}};
    for (qsizetype at = begin + 1; at < end && cuts.size() <= kMostCuts; ++at)
        for (const QStringView sign : kSeparators)
            if (QStringView(text_).mid(at, end - at).startsWith(sign))
                cuts.push_back({at, sign});
    const std::size_t count = cuts.size();
    if (count == 1)
        return {};
    // From the end on: the best way to read what begins at a cut.
    struct Way {
        int letters = -1;  ///< -1: there is none
        QString text;
    };
    std::vector<Way> ways(count + 1);
    ways[count] = {0, {}};
    for (std::size_t i = count; i-- > 0;) {
        for (std::size_t next = i + 1; next <= count; ++next) {
            if (ways[next].letters < 0 || (i == 0 && next == count))
                continue;
            const qsizetype from = cuts[i].at;
            const qsizetype until = next == count ? end : cuts[next].at;
            const QStringView part = QStringView(text_).mid(from, until - from);
            // With the sign, which some forms begin with, or without.
            Reading reading = read_whole(part.trimmed(), depth, !cuts[i].sign.isEmpty());
            if (reading.letters > 0) {
                if (part.front() == u' ' && !is_wide(reading.text))
                    reading.text.prepend(u' ');
            } else if (!cuts[i].sign.isEmpty()) {
                reading = read_whole(part.mid(cuts[i].sign.size()).trimmed(), depth);
                if (reading.letters > 0)
                    reading.text.prepend(sign_before(cuts[i].sign, reading.text));
            }
            if (reading.letters == 0) {
                // What nothing is known of: a name, or anything that a colon separates.
                const bool at_colons =
                    (i == 0 || cuts[i].sign == kSeparators[0]) && (next == count || cuts[next].sign == kSeparators[0]);
                if (!at_colons && !is_one_value(part.mid(cuts[i].sign.size()).trimmed()))
                    continue;
                reading.text = part.toString();
            }
            if (reading.letters + ways[next].letters > ways[i].letters)
                ways[i] = {reading.letters + ways[next].letters, reading.text + ways[next].text};
        }
    }
    return {std::max(ways[0].letters, 0), false, ways[0].text};
}

Sentences::Sentences(const std::vector<Form>& forms, Words words_of_tables) : words_(std::move(words_of_tables)) {
    QHash<QString, int> uses;
    std::vector<QSet<QString>> words;
    for (const Form& form : forms) {
        if (form.translation.isEmpty())
            continue;
        if (!form.source.contains(u' ') && !form.source.contains(u'%')) {
            single_[form.source] = form.translation;
            continue;
        }
        Pattern pattern;
        take_apart(form.source, pattern.literals, pattern.numbers);
        take_apart(form.translation, pattern.translated, pattern.order);
        QSet<QString> own;
        const qsizetype last = pattern.literals.size() - 1;
        for (qsizetype i = 0; i <= last; ++i) {
            words_of(pattern.literals[i], i > 0, i < last, own);
            pattern.letters += static_cast<int>(letters_in(pattern.literals[i]));
            if (i < last)
                pattern.quoted.push_back(in_quotes(pattern.literals[i], pattern.literals[i + 1]));
        }
        if (own.isEmpty())
            continue;
        pattern.few = !pattern.numbers.empty() && pattern.letters < kFewLetters;
        for (const QString& word : std::as_const(own))
            ++uses[word];
        patterns_.push_back(std::move(pattern));
        words.push_back(std::move(own));
    }
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        const auto rarest = std::min_element(words[i].begin(), words[i].end(), [&](const QString& a, const QString& b) {
            return std::pair(uses[a], a) < std::pair(uses[b], b);
        });
        of_word_[*rarest].push_back(static_cast<int>(i));
    }
}

Sentences::~Sentences() = default;

std::vector<Sentences::Form> Sentences::formsOf(QIODevice& catalogue) {
    QXmlStreamReader reader(&catalogue);
    std::vector<Form> forms;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("source"))
            forms.push_back({reader.readElementText(), {}});
        else if (reader.name() == QLatin1String("translation") && !forms.empty())
            forms.back().translation = reader.readElementText();
    }
    return forms;
}

QString Sentences::ofLine(const QString& line) const {
    if (line.size() > kLongestLine)
        return line;
    const Reading reading = Line(*this, line).all();
    return reading.letters > 0 ? reading.text : line;
}

QString Sentences::translated(const QString& english) const {
    if (patterns_.empty() || english.isEmpty())
        return english;
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = known_.constFind(english); known != known_.constEnd())
            return *known;
    }
    QStringList lines = english.split(u'\n');
    for (QString& line : lines)
        line = ofLine(line);
    QString translated = lines.join(u'\n');
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMostKnown)
        known_.clear();
    known_.insert(english, translated);
    return translated;
}

}  // namespace trainyard::widgets
