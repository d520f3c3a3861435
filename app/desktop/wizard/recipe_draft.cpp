// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/recipe_draft.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/hub_files.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "config/inputs/tokenizer_check.h"
#include "config/recipe/optimizer_kinds.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "launch/supervisor/continuation.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"
#include "run/spec_keys.h"

namespace trainyard::desktop {

namespace {

constexpr const char* kModelType = "model.model_type";
constexpr const char* kTask = "model.task";
constexpr const char* kOptimizer = "optimizer.name";
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

/// The type of a key of recipes, in the words of config::RecipeKey.
std::string type_of(const QString& key) {
    static const QHash<QString, std::string> types = [] {
        QHash<QString, std::string> made;
        for (const config::RecipeKey& each : config::recipe_keys())
            made.insert(qt(each.key), each.type);
        return made;
    }();
    return types.value(key);
}

/// Keys whose value may be several words, typed with commas.
bool is_words_key(const QString& key) {
    return type_of(key) == "word or list of words";
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
    static const std::set<std::string> lists{"path or list of paths", "list of two numbers", "table or list"};
    return lists.contains(type_of(key)) || key == QLatin1String("generation.prompts") || is_words_key(key) ||
           is_json_key(key);
}

/// Keys whose value is a dictionary, typed with braces.
bool is_dictionary_key(const QString& key) {
    return type_of(key).starts_with("table") || is_json_key(key);
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

/// The YAML of a typed value. An empty value is left out; an empty text of an opened file is "".
QString in_file(const QString& key, const QString& value) {
    const bool structured = (is_list_key(key) && is_list(value)) || (is_dictionary_key(key) && is_dictionary(value));
    return value.isEmpty() ? QString() : structured ? value : quoted(value);
}

/// Text between commas. Those within brackets, such as {1,2} of an expression, and behind a backslash are the text's
/// own.
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
    take(config::to_whole_yaml(base));
    updateDefaults();
    for (const std::string& key : base.model.written.keys)
        if (const QString dotted = QLatin1String("model.") + qt(key); has(dotted))
            line(dotted).chosen = true;
}

QVector<RecipeDraft::Line> RecipeDraft::lines_of(const std::string& yaml) {
    static const QRegularExpression form(QStringLiteral("^(\\s*)([A-Za-z_0-9]+):(?: (.*))?$"));
    QString section;
    QVector<Line> lines;
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
            }
        }
        lines << line;
    }
    return lines;
}

void RecipeDraft::take(const std::string& yaml) {
    lines_ = lines_of(yaml);
    index_.clear();
    for (qsizetype i = 0; i < lines_.size(); ++i)
        if (!lines_[i].key.isEmpty())
            index_.insert(lines_[i].key, static_cast<int>(i));
}

/// Lines that have the old default get the new one.
void RecipeDraft::updateDefaults() {
    config::Recipe recipe;
    const std::string model_type = value(QLatin1String(kModelType)).toStdString();
    if (const families::Family* family = families::find_family(model_type)) {
        static_cast<families::ModelConfig&>(recipe.model) = family->small();
        recipe.model.model_type = model_type;
        recipe.model.task = family->tasks().front().task;
    }
    const std::string before = recipe.optimizer.name;
    if (const std::string name = value(QLatin1String(kOptimizer)).toStdString();
        config::find_optimizer(name) != nullptr) {
        recipe.optimizer.name = name;
        config::follow_optimizer(recipe.optimizer, before, {});
    }
    if (!families::reads_text(value(QLatin1String(kTask)).toStdString()))
        recipe.data.sequence_length = 1;
    QMap<QString, QString> defaults;
    for (const Line& one : lines_of(config::to_whole_yaml(recipe)))
        defaults.insert(one.key, one.value);
    // The optimizer itself is what was typed; the table above has its defaults.
    defaults.insert(QLatin1String(kOptimizer), QString::fromStdString(before));
    for (Line& one : lines_)
        if (!one.key.isEmpty() && !one.chosen && isDefault(one))
            one.value = defaults.value(one.key);
    defaults_ = defaults;
}

QString RecipeDraft::defaultValue(const QString& key) const {
    return unquoted(defaults_.value(key));
}

bool RecipeDraft::propose(const QString& key, const QString& value) {
    if (!has(key) || line(key).chosen)
        return false;
    const QString now = this->value(key);
    const bool was_proposed = proposed_.contains(key) && proposed_.value(key) == now;
    if (!was_proposed && !isDefault(line(key)))
        return false;
    if (value.isEmpty()) {
        proposed_.remove(key);
        line(key).value = defaults_.value(key);
    } else {
        proposed_.insert(key, value);
        line(key).value = in_file(key, value);
    }
    if (this->value(key) == now)
        return false;
    if (key == QLatin1String(kTask))
        updateDefaults();
    return true;
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
        for (Line& one : lines_) {
            if (is_architecture(one.key, true))
                one.chosen = one.chosen && value.isEmpty();
            if (is_architecture(one.key) && proposed_.remove(one.key) > 0)
                one.value = defaults_.value(one.key);
        }
    }
    // The file may have the default in quotes.
    line(key).value = !value.isEmpty() && value == defaultValue(key) ? defaults_.value(key) : in_file(key, value);
    line(key).chosen = line(key).chosen || other;
    if (other)
        proposed_.remove(key);
    if (other && (key == QLatin1String(kTask) || key == QLatin1String(kOptimizer)))
        updateDefaults();
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
        if (!one.chosen && !proposed_.contains(one.key) && is_architecture(one.key) && filled.has(one.key))
            if (const QString& value = filled.lines_[filled.index_.value(one.key)].value; value != one.value) {
                one.value = value;
                changed = true;
            }
    if (changed)
        updateDefaults();
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
    take(config::to_whole_yaml(recipe));
    for (Line& line : lines_) {
        if (line.key.isEmpty() || line.key == QLatin1String(kModelType) || line.key == QLatin1String("model.task"))
            continue;
        // Sizes that mean the same go along; what else a model has is its family's.
        const QString old = line.key.startsWith(QLatin1String("model.")) ? before.sameKey(line.key) : line.key;
        const bool carried = !line.key.startsWith(QLatin1String("model.")) || isSize(line.key, family) ||
                             line.key == QLatin1String(kWeights) || line.key == QLatin1String("model.freeze");
        if (!carried || !before.has(old))
            continue;
        const Line& was = before.lines_[before.index_.value(old)];
        // A size that the user left alone is the new family's own.
        if (isSize(line.key, family) && !was.chosen && before.isDefault(was))
            continue;
        line.value = was.value;
        line.chosen = was.chosen;
    }
    updateDefaults();
}

QMap<QString, QString> RecipeDraft::values() const {
    QMap<QString, QString> all;
    for (auto it = index_.begin(); it != index_.end(); ++it)
        all.insert(it.key(), unquoted(lines_[it.value()].value));
    return all;
}

bool RecipeDraft::isWritten(const Line& line) const {
    if (line.value.isEmpty())
        return false;
    if (filled_ && !value(QLatin1String(kWeights)).isEmpty() && is_architecture(line.key))
        return line.chosen || proposed_.contains(line.key);
    return line.key == QLatin1String("name") || line.key == QLatin1String(kModelType) || !isDefault(line);
}

std::string RecipeDraft::yaml() const {
    QString out, section;
    for (const Line& line : lines_) {
        if (line.key.isEmpty()) {
            section = line.text;  // a head, written before the first of its keys
        } else if (isWritten(line)) {
            if (line.key.contains(QLatin1Char('.')) && !section.isEmpty())
                out += std::exchange(section, QString()) + QLatin1Char('\n');
            out += line.text + written(line.key, line.value) + QLatin1Char('\n');
        }
    }
    return out.toStdString();
}

std::string RecipeDraft::without(const std::string& yaml, const QSet<QString>& keys) {
    QStringList left;
    for (const Line& line : lines_of(yaml))
        if (line.key.isEmpty() || !keys.contains(line.key))
            left << line.text + line.value;
    return left.join(QLatin1Char('\n')).toStdString();
}

config::Recipe with_weights(config::Recipe recipe) {
    auto written = recipe.model.written;
    inputs::settle_model_of(recipe);
    recipe.model.written = std::move(written);
    return recipe;
}

namespace {

constexpr int kMostRereads = 8;

/// The recipe without the values that are wrong, whose keys are added to `wrong`, so that a wrong number of steps does
/// not hide the data.
std::optional<config::Recipe> readable_part(const std::string& yaml, const std::string& file, QSet<QString>& wrong) {
    for (int i = 0; i < kMostRereads; ++i) {
        try {
            return config::parse_recipe(RecipeDraft::without(yaml, wrong), file);
        } catch (const InvalidInput& invalid) {
            const qsizetype known = wrong.size();
            for (const Problem& problem : invalid.problems())
                wrong.insert(problem.key == "data.paths" ? QStringLiteral("data.path") : qt(problem.key));
            // What is left out contradicts the task: the format of tables, until the files say it, or masks. A family
            // may have that task alone.
            if (wrong.size() == known)
                wrong.insert(QLatin1String(wrong.contains(QLatin1String(kTask)) ? kModelType : kTask));
        } catch (const UserError&) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace

namespace {

/// Adds the problems of files that the recipe names. `wrong`: keys without a value, because theirs could not be read;
/// a problem that depends on one of them is left out.
void add_input_problems(const config::Recipe& recipe, std::int64_t ranks, const QSet<QString>& wrong,
                        QVector<DraftProblem>& problems) {
    const auto depends = [&](const DraftProblem& problem) {
        return std::ranges::any_of(wrong, [&](const QString& key) {
            const QRegularExpression name(QStringLiteral("\\b%1\\b").arg(key.section(QLatin1Char('.'), -1)));
            return key == problem.key || problem.message.contains(name) ||
                   (key == QLatin1String("data.format") && problem.key.startsWith(QLatin1String("data.")));
        });
    };
    QVector<DraftProblem> all;
    if (const auto last = inputs::step_without_rest(recipe))
        all << DraftProblem{QStringLiteral("training.steps"),
                            qtSentence(inputs::no_rest_message(*last, recipe.training.steps)),
                            QString::number(*last + std::max<std::int64_t>(1, recipe.training.steps)), false};
    if (const Message note = launch::resumed_schedule_note(recipe); !note.empty())
        all << DraftProblem{QStringLiteral("schedule.decay_steps"), qtSentence(note), {}, false};
    for (const inputs::InputProblem& note : inputs::notes_on_files(recipe))
        all << DraftProblem{qt(note.key), qtSentence(note.message), {}, false};
    for (const inputs::InputProblem& problem : inputs::check_recipe_inputs(recipe, ranks)) {
        all << DraftProblem{qt(problem.key), qtSentence(problem.message)};
        if (problem.message.form() == hub::not_in_cache({}).form())
            all.last().notHere = qt(problem.message.values().front().text());
    }
    for (const Message& problem : inputs::check_resume(recipe))
        all << DraftProblem{QStringLiteral("checkpoint.resume_from"), qtSentence(problem)};
    std::ranges::remove_copy_if(all, std::back_inserter(problems), depends);
}

/// Files of the cache in place of names of the hub. Those that are not there stay names.
config::Recipe with_hub_files(config::Recipe recipe, QMap<QString, QString>& notHere) {
    if (!inputs::has_hub_names(recipe))
        return recipe;
    (void)inputs::settle_hub_names(recipe, nullptr);  // the check of the inputs reports the problems
    const auto note = [&](const char* key, const std::string& value) {
        if (hub::has_hub_prefix(value) && !notHere.contains(QLatin1String(key)))
            notHere.insert(QLatin1String(key), qt(value));
    };
    note("model.weights", recipe.model.weights);
    note("lora.adapter", recipe.model.lora.adapter);
    note("data.tokenizer", recipe.data.tokenizer);
    for (const std::string& path : recipe.data.paths)
        note("data.path", path);
    return recipe;
}

}  // namespace

QVector<DraftProblem> problems_by_key(const std::vector<Problem>& problems) {
    QVector<DraftProblem> rows;
    for (const Problem& problem : problems) {
        const auto known =
            problem.key.empty() ? rows.end() : std::ranges::find(rows, qt(problem.key), &DraftProblem::key);
        if (known == rows.end())
            rows << DraftProblem{qt(problem.key), qtSentence(problem.message)};
        else
            known->message += QLatin1Char(' ') + qtSentence(problem.message);
    }
    return rows;
}

DraftReport checkDraft(const std::string& yaml, std::int64_t ranks, bool here) {
    DraftReport report;
    report.yaml = yaml;
    const auto take_keys = [&report](const std::string& of) {
        report.keys.clear();
        for (const auto& [key, text] : run::flat_keys(of))
            report.keys.insert(qt(key), qt(text));
    };
    try {
        take_keys(yaml);
    } catch (const UserError&) {
        // The reader of recipes says below what is wrong.
    }
    const QString file = Preferences::dataFolder() + QStringLiteral("/recipes/draft.yaml");
    try {
        const config::Recipe recipe = config::parse_recipe(yaml, file.toStdString());
        take_keys(config::to_yaml(recipe));  // with those that the text leaves out, as in the run's folder
        report.recipe = with_weights(here ? with_hub_files(recipe, report.notHere) : recipe);
        report.parameters = families::parameter_count(report.recipe->model);
        report.tokensPerStep = recipe.tokens_per_step(ranks);
        if (here) {
            report.data = look_at_data(*report.recipe);
            add_input_problems(recipe, ranks, {}, report.problems);
        }
    } catch (const InvalidInput& invalid) {
        report.problems << problems_by_key(invalid.problems());
        QSet<QString> wrong;
        if (const auto rest = readable_part(yaml, file.toStdString(), wrong)) {
            const QMap<QString, QString> typed = report.keys;
            take_keys(config::to_yaml(*rest));
            if (!typed.isEmpty())
                report.keys.insert(typed);
            if (here) {
                report.data = look_at_data(with_weights(with_hub_files(*rest, report.notHere)));
                add_input_problems(*rest, ranks, wrong, report.problems);
            }
        }
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
