#include "desktop/recipe_draft.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "desktop/preferences.h"
#include "desktop/qt_text.h"
#include "models/spec/family.h"
#include "run/spec_keys.h"

namespace trainyard::desktop {

namespace {

constexpr const char* kModelType = "model.model_type";
constexpr const char* kWeights = "model.weights";

/// A key of config.json; `of_weights`: one of those that the weights determine.
bool is_architecture(const QString& key, bool of_weights = false) {
    if (key == QLatin1String(kModelType) || (!of_weights && key == QLatin1String("model.task")))
        return true;
    return key.startsWith(QLatin1String("model.")) &&
           std::ranges::any_of(families::all_keys(), [&](const families::ConfigKey& known) {
               return key.mid(6) == qt(known.name) && (!of_weights || known.of_weights);
           });
}

/// Width, number of blocks and heads, vocabulary and positions: what every transformer has.
bool isSize(const QString& key, const families::Family& family) {
    using Config = families::ModelConfig;
    const families::ConfigKey* found = families::find_key(family, key.section(QLatin1Char('.'), 1).toStdString());
    if (found == nullptr)
        return false;
    const auto* member = std::get_if<std::int64_t Config::*>(&found->member);
    return member != nullptr &&
           (*member == &Config::n_embd || *member == &Config::n_layer || *member == &Config::n_head ||
            *member == &Config::vocab_size || *member == &Config::n_positions);
}

/// Keys whose value may be several words, typed with commas.
bool is_words_key(const QString& key) {
    return key == QLatin1String("logging.trackers") || key == QLatin1String("profile.activities") ||
           key == QLatin1String("model.freeze") || key == QLatin1String("model.max_memory") ||
           key == QLatin1String("lora.target_modules") || key == QLatin1String("lora.target_parameters") ||
           key == QLatin1String("lora.modules_to_save") || key == QLatin1String("training.metrics");
}

/// Tables and lists of a model's config.json.
bool is_json_key(const QString& key) {
    for (const families::ConfigKey& known : families::all_keys())
        if (std::holds_alternative<families::JsonText families::ModelConfig::*>(known.member) &&
            key == QLatin1String("model.") + QLatin1String(known.name.c_str()))
            return true;
    return false;
}

/// Keys whose value may be a list; a list that is typed with brackets must not become one text.
bool is_list_key(const QString& key) {
    return key == QLatin1String("data.path") || key == QLatin1String("plugins") ||
           key == QLatin1String("data.arguments") || key == QLatin1String("optimizer.betas") ||
           key == QLatin1String("generation.prompts") || is_words_key(key) || is_json_key(key);
}

/// Keys whose value is a dictionary, typed with braces.
bool is_dictionary_key(const QString& key) {
    return key == QLatin1String("schedule.arguments") || key == QLatin1String("data.arguments") ||
           key == QLatin1String("parallel.comm_state_option") || key == QLatin1String("optimizer.arguments") ||
           key == QLatin1String("optimizer.groups") || is_json_key(key);
}

/// Braces around everything, all brackets closed in their order; what lies between is the recipe reader's to judge.
bool is_dictionary(const QString& text) {
    QString open;
    bool inside_quotes = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (inside_quotes && c == QLatin1Char('\\')) {
            ++i;
        } else if (c == QLatin1Char('"')) {
            inside_quotes = !inside_quotes;
        } else if (!inside_quotes) {
            if (c == QLatin1Char('\'') || c == QLatin1Char('#') || c == QLatin1Char('\n'))
                return false;
            if (c == QLatin1Char('{') || c == QLatin1Char('[')) {
                open += c == QLatin1Char('{') ? QLatin1Char('}') : QLatin1Char(']');
            } else if (c == QLatin1Char('}') || c == QLatin1Char(']')) {
                if (!open.endsWith(c))
                    return false;
                open.chop(1);
            }
        }
        if (open.isEmpty() && i + 1 < text.size())
            return false;
    }
    return open.isEmpty() && text.startsWith(QLatin1Char('{'));
}

bool is_list(const QString& text) {
    static const QRegularExpression form(QStringLiteral(
        R"re(^\[\s*(?:(?:"(?:[^"\\]|\\.)*"|[A-Za-z0-9_./~$+-][A-Za-z0-9_./~$ +*-]*)\s*(?:,\s*|(?=\])))*\]$)re"));
    return form.match(text).hasMatch();
}

QString quoted(const QString& text) {
    // Plain where YAML cannot misread it; a word like `no` is safe to leave plain, the reader knows it.
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./~+-][A-Za-z0-9_./~$ +-]*$"));
    static const QRegularExpression null(QStringLiteral("^(~|null|-)$"), QRegularExpression::CaseInsensitiveOption);
    if (plain.match(text).hasMatch() && !null.match(text).hasMatch() && !text.endsWith(QLatin1Char(' ')) &&
        !text.startsWith(QLatin1String("- ")))
        return text;
    QString out = text;
    out.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + out + QLatin1Char('"');
}

QString unquoted(const QString& text) {
    if (text.size() < 2 || !text.startsWith(QLatin1Char('"')))
        return text;
    QString out = text.mid(1, text.size() - 2);
    return out.replace(QLatin1String("\\\""), QLatin1String("\"")).replace(QLatin1String("\\\\"), QLatin1String("\\"));
}

/// Text between commas. Those within brackets, such as {1,2} of an expression, and behind a backslash are the text's own.
QStringList words_of(const QString& text) {
    QStringList words{QString()};
    int depth = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == QLatin1Char(',') && depth == 0) {
            words << QString();
            continue;
        }
        words.last() += c;
        if (c == QLatin1Char('\\') && i + 1 < text.size())
            words.last() += text[++i];
        else if (QStringLiteral("([{").contains(c))
            ++depth;
        else if (QStringLiteral(")]}").contains(c))
            depth = std::max(0, depth - 1);
    }
    for (QString& word : words)
        word = word.trimmed();
    if (words.last().isEmpty())
        words.removeLast();
    return words;
}

/// Words typed with commas are a list; the field itself keeps what was typed.
QString written(const QString& key, const QString& value) {
    if (!is_words_key(key) || !value.contains(QLatin1Char(',')) || is_list(value))
        return value;
    QStringList words = words_of(unquoted(value));
    if (words.size() < 2 || words.contains(QString()))
        return value;
    for (QString& word : words)
        word = quoted(word);
    return QLatin1Char('[') + words.join(QStringLiteral(", ")) + QLatin1Char(']');
}

}  // namespace

RecipeDraft::RecipeDraft(const config::Recipe& base) : filled_(!base.model.weights.empty()) {
    append(config::to_whole_yaml(base));
    for (const std::string& key : base.model.written.keys)
        if (const QString dotted = QLatin1String("model.") + qt(key); has(dotted))
            line(dotted).chosen = true;
}

void RecipeDraft::append(const std::string& yaml) {
    static const QRegularExpression form(QStringLiteral("^(\\s*)([A-Za-z_0-9]+):(?: (.*))?$"));
    QString section;
    for (const QString& raw : qt(yaml).split(QLatin1Char('\n'))) {
        const QRegularExpressionMatch match = form.match(raw);
        Line line{{}, raw, {}};
        if (match.hasMatch()) {
            const bool inner = !match.captured(1).isEmpty();
            if (match.captured(3).isEmpty() && !inner) {
                section = match.captured(2);
            } else {
                line.key = inner ? section + QLatin1Char('.') + match.captured(2) : match.captured(2);
                line.text = match.captured(1) + match.captured(2) + QStringLiteral(": ");
                line.value = match.captured(3);
                index_.insert(line.key, static_cast<int>(lines_.size()));
            }
        }
        lines_ << line;
    }
}

void RecipeDraft::set(const QString& key, const QString& value) {
    Q_ASSERT(index_.contains(key));
    const bool other = value != this->value(key);
    if (other && key == QLatin1String(kModelType) && families::find_family(value.toStdString()) != nullptr) {
        changeFamily(value.toStdString());
        line(key).chosen = true;
        return;
    }
    // Other weights are of another model: what was chosen for the one before does not describe it.
    if (other && key == QLatin1String(kWeights)) {
        filled_ = false;
        for (Line& one : lines_)
            if (is_architecture(one.key, true))
                one.chosen = one.chosen && value.isEmpty();
    }
    const bool structured = (is_list_key(key) && is_list(value)) || (is_dictionary_key(key) && is_dictionary(value));
    line(key).value = structured ? value : quoted(value);
    line(key).chosen = line(key).chosen || other;
}

bool RecipeDraft::fill(const config::ModelRecipe& model) {
    const QString type = qt(model.model_type);
    bool changed = !std::exchange(filled_, true);
    if (type != value(QLatin1String(kModelType)) && !line(QLatin1String(kModelType)).chosen) {
        changeFamily(model.model_type);
        changed = true;
    }
    if (type != value(QLatin1String(kModelType)))
        return changed;
    config::Recipe recipe;
    recipe.model = model;
    const RecipeDraft filled(recipe);
    for (Line& one : lines_)
        if (!one.chosen && is_architecture(one.key) && filled.has(one.key))
            if (const QString& value = filled.lines_[filled.index_.value(one.key)].value; value != one.value) {
                one.value = value;
                changed = true;
            }
    return changed;
}

void RecipeDraft::setModel(const config::ModelRecipe& model) {
    set(QLatin1String(kWeights), qt(model.weights));
    for (Line& one : lines_)
        one.chosen = one.chosen && !is_architecture(one.key);
    fill(model);
    for (Line& one : lines_)
        one.chosen = one.chosen || (model.weights.empty() && is_architecture(one.key));
}

QStringList RecipeDraft::chosen() const {
    QStringList keys;
    for (const Line& one : lines_)
        if (one.chosen)
            keys << one.key;
    return keys;
}

void RecipeDraft::setChosen(const QStringList& keys) {
    for (Line& one : lines_)
        one.chosen = keys.contains(one.key);
}

QString RecipeDraft::value(const QString& key) const {
    return has(key) ? unquoted(lines_[index_.value(key)].value) : QString();
}

QString RecipeDraft::sameKey(const QString& key) const {
    if (has(key))
        return key;
    const families::Family* family = families::find_family(value(QLatin1String(kModelType)).toStdString());
    const std::string name = key.section(QLatin1Char('.'), 1).toStdString();
    if (family != nullptr)
        for (const families::ConfigKey& known : families::all_keys())
            if (known.name == name)
                for (const families::ConfigKey& own : family->keys())
                    if (own.member == known.member)
                        return QLatin1String("model.") + qt(own.name);
    return {};
}

void RecipeDraft::changeFamily(const std::string& model_type) {
    const RecipeDraft before = *this;
    const families::Family& family = families::family_of(model_type);
    config::Recipe recipe;
    static_cast<families::ModelConfig&>(recipe.model) = family.small();
    recipe.model.model_type = model_type;
    recipe.model.task = family.tasks().front().task;
    lines_.clear();
    index_.clear();
    append(config::to_whole_yaml(recipe));
    for (Line& line : lines_) {
        if (line.key.isEmpty() || line.key == QLatin1String(kModelType) || line.key == QLatin1String("model.task"))
            continue;
        // Sizes that mean the same go along; what else a model has is its family's.
        const QString old = line.key.startsWith(QLatin1String("model.")) ? before.sameKey(line.key) : line.key;
        const bool carried = !line.key.startsWith(QLatin1String("model.")) || isSize(line.key, family) ||
                             line.key == QLatin1String(kWeights) || line.key == QLatin1String("model.freeze");
        if (carried && before.has(old)) {
            line.value = before.lines_[before.index_.value(old)].value;
            line.chosen = before.lines_[before.index_.value(old)].chosen;
        }
    }
}

QMap<QString, QString> RecipeDraft::values() const {
    QMap<QString, QString> all;
    for (auto it = index_.begin(); it != index_.end(); ++it)
        all.insert(it.key(), unquoted(lines_[it.value()].value));
    return all;
}

std::string RecipeDraft::yaml() const {
    QStringList out;
    const bool from_weights = filled_ && !value(QLatin1String(kWeights)).isEmpty();
    for (const Line& line : lines_)
        if (!from_weights || line.chosen || !is_architecture(line.key))
            out << line.text + written(line.key, line.value);
    return out.join(QLatin1Char('\n')).toStdString();
}

config::Recipe with_weights(config::Recipe recipe) {
    config::ModelRecipe model = inputs::settle_model(recipe.model).model;
    model.written = recipe.model.written;
    recipe.model = std::move(model);
    return recipe;
}

DraftReport checkDraft(const std::string& yaml, std::int64_t ranks, bool here) {
    DraftReport report;
    report.yaml = yaml;
    try {
        for (const auto& [key, text] : run::flat_keys(yaml))
            report.keys.insert(qt(key), qt(text));
    } catch (const UserError&) {
        // The reader of recipes says below what is wrong.
    }
    const QString file = Preferences::dataFolder() + QStringLiteral("/recipes/draft.yaml");
    try {
        const config::Recipe recipe = config::parse_recipe(yaml, file.toStdString());
        report.recipe = with_weights(recipe);
        report.parameters = families::parameter_count(report.recipe->model);
        report.tokensPerStep = recipe.tokens_per_step(ranks);
        if (here) {
            report.data = look_at_data(recipe.data);
            for (const inputs::InputProblem& problem : inputs::check_recipe_inputs(recipe, ranks))
                report.problems << DraftProblem{qt(problem.key), qtSentence(problem.message)};
            for (const Message& problem : inputs::check_resume(recipe))
                report.problems << DraftProblem{QStringLiteral("checkpoint.resume_from"), qtSentence(problem)};
        }
    } catch (const InvalidInput& invalid) {
        for (const Problem& problem : invalid.problems())
            report.problems << DraftProblem{qt(problem.key), qtSentence(problem.message)};
    } catch (const UserError& error) {
        report.problems << DraftProblem{{}, qtSentence(message_of(error))};
    }
    return report;
}

QString writeRecipe(const std::string& yaml, const QString& name) {
    const QString folder = Preferences::dataFolder() + QStringLiteral("/recipes");
    make_private_folder(folder.toStdString());
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString safe = name;
    safe.replace(unsafe, QStringLiteral("-"));
    const QString begin =
        folder + QLatin1Char('/') + qt(compact_time(wall_seconds())) + QLatin1Char('-') + safe.left(60);
    // Two launches in one second have files of their own.
    QString path = begin + QStringLiteral(".yaml");
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = QStringLiteral("%1-%2.yaml").arg(begin).arg(number);
    write_file_atomically(path.toStdString(), yaml);
    return path;
}

}  // namespace trainyard::desktop
