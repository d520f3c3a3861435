// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the messages about refused recipes and settings files in every language: they have no English words left,
// and spaces follow the rules of the language.
#include <map>
#include <set>

#include <QCoreApplication>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/accelerate/check.h"
#include "config/accelerate/schema.h"
#include "config/accelerate/settings.h"
#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "support/catalogue.h"
#include "widgets/languages.h"

using namespace trainyard;

namespace {

using Messages = std::map<std::string, Message>;  // by their English text

/// The problems of recipes with one wrong value each, and of some that are wrong as a whole.
Messages refusals() {
    std::vector<std::string> recipes{
        "[1, 2]",
        "text",
        "training: [1]",
        "training: 5",
        "{[1]: 2}",
        "{~: 2}",
        "{{a: 1}: 2}",
        "training: {steps: 4, steps: 5}",
        "trainig: {}",
        "training: {stpes: 4}",
        "training: {n_layer: 4}",
        "a: &x 1\nb: *x",
        "name: !tag x",
        "name: 'x",
        "--- {}\n--- {}",
        "parallel: {zero_stage: 1, wrap: size}",
        "model: {n_embd: 33, n_head: 2}",
        "optimizer: {name: sgd, betas: [0.9, 0.99]}",
        "model: {model_type: llama, n_layer: 3}",
        "training: {precision: fp17}",
        "schedule: {name: cosin}",
        "data: {paths: [/nowhere], sequence_length: 0}",
        "data: {paths: [$NOWHERE_AT_ALL/x, '$', '~']}",
    };
    for (const config::RecipeKey& key : config::recipe_keys()) {
        const std::size_t dot = key.key.find('.');
        for (const char* value : {"~", "[1, {a: 1}]", "[[1]]", "{a: 1}", "word", "\"two words\"", "-1", "0", "7", "1.5",
                                  "1e300", "99999999999999", "yes"})
            recipes.push_back(dot == std::string::npos
                                  ? key.key + ": " + value
                                  : key.key.substr(0, dot) + ": {" + key.key.substr(dot + 1) + ": " + value + "}");
    }
    Messages found;
    for (const std::string& recipe : recipes) {
        try {
            config::parse_recipe(recipe, "/x.yaml");
        } catch (const InvalidInput& refused) {
            for (const Problem& problem : refused.problems())
                found.emplace(problem.message.text(), problem.message);
        }
    }
    return found;
}

/// Likewise about settings files, read and judged.
Messages refused_settings() {
    Messages found;
    const auto add = [&](const Message& message) { found.emplace(message.text(), message); };
    for (const settings::Key& key : settings::schema()) {
        const std::string path = key.path();
        const auto [table, name] = settings::split_path(path);
        for (const char* value :
             {"~", "[1, {a: 1}]", "{a: 1}", "word", "\"two words\"", "-1", "0", "7", "1.5", "99999999999999", "yes"})
            for (const char* way : {"NO", "MULTI_GPU", "MULTI_CPU", "FSDP", "DEEPSPEED", "MEGATRON_LM"}) {
                std::string text = "compute_environment: LOCAL_MACHINE\n";
                if (path != "distributed_type")
                    text += std::string("distributed_type: ") + way + '\n';
                text += (table.empty() ? std::string(name) : std::string(table) + ": {" + std::string(name)) + ": " +
                        value + (table.empty() ? "\n" : "}\n");
                const settings::Loaded loaded = settings::read_settings(text, "/x.yaml", settings::Format::yaml);
                for (const settings::ReadNote& note : loaded.notes)
                    add(note.message);
                for (const Problem& problem : loaded.problems)
                    add(problem.message);
                for (const settings::Finding& finding : settings::check(settings::with_defaults(loaded.settings)))
                    add(finding.message);
            }
    }
    return found;
}

/// Returns the lower-case words of a sentence without quoted parts, keys, files and commands.
QSet<QString> words_of(QString text) {
    static const QRegularExpression quoted(
        QStringLiteral("'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|\\{[^}]*\\}|\\[[^]]*\\]"));
    static const QRegularExpression word(QStringLiteral("(?<![\\w./=:$~!-])[a-z][a-zäöüß]{2,}(?![\\w/=(]|[.:-]\\w)"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    text.remove(quoted);
    QSet<QString> found;
    for (auto all = word.globalMatch(text); all.hasNext();)
        found << all.next().captured();
    return found;
}

/// Returns the place of a surplus or missing space, or an empty string.
QString wrong_blank(QString text, bool is_chinese) {
    static const QRegularExpression quoted(QStringLiteral("'[^']*'|\"[^\"]*\""));
    static const QRegularExpression of_all(QStringLiteral("\\S*(?:  | [,;.)]|\\( )\\S*"));
    static const QRegularExpression of_chinese(
        QStringLiteral("\\S*(?:[%1%2] +[%1%2]|[%2] | [%2]|[%1][A-Za-z0-9]|[A-Za-z0-9][%1])\\S*")
            .arg(QStringLiteral("一-鿿"), QStringLiteral("，。：；（）、？")));
    text.replace(quoted, QStringLiteral("''"));
    for (const QRegularExpression* wrong : {&of_all, &of_chinese})
        if (wrong == &of_all || is_chinese)
            if (const auto found = wrong->match(text); found.hasMatch())
                return found.captured();
    return {};
}

class RefusedRecipes : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { widgets::Languages::install(*qApp, QString::fromLatin1(GetParam())); }
    void TearDown() override { widgets::Languages::install(*qApp, QStringLiteral("en")); }
};

/// Adds the literals with words of a message and its values.
void add_literals(const Message& message, QSet<QString>& all) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2}"));
    if (const QString literal = QString::fromStdString(message.form()); literal.contains(word))
        all << literal;
    for (const Message& value : message.values())
        add_literals(value, all);
}

/// Literals that the catalogue lacks, words that the language has not, and wrong blanks.
void expect_all_in_language(const Messages& all, const std::string& language) {
    // Names in a recipe or settings file, loan words of the language ("rank"), and words of the YAML library.
    QSet<QString> known{QStringLiteral("llama"),   QStringLiteral("illegal"), QStringLiteral("scalar"),
                        QStringLiteral("trackio"), QStringLiteral("swanlab"), QStringLiteral("clearml"),
                        QStringLiteral("aim"),     QStringLiteral("maximize")};
    static const QRegularExpression no_letter(QStringLiteral("[^a-z0-9_]+"));
    for (const config::RecipeKey& key : config::recipe_keys())
        for (const std::string& names : {key.key, key.type})
            for (const QString& name : QString::fromStdString(names).split(no_letter))
                known << name;
    for (const settings::Key& key : settings::schema()) {
        known << QString::fromStdString(std::string(key.name));
        for (const std::string_view choice : key.choices)
            known << QString::fromStdString(std::string(choice)).toLower();
    }
    QSet<QString> literals;
    for (const auto& [english, message] : all)
        add_literals(message, literals);
    for (const test::CatalogueText& message :
         test::messages_of(test::catalogues_folder() / ("trainyard_" + language + ".ts"))) {
        for (const QString& translation : message.translations)
            known += words_of(translation);
        literals.remove(message.source);
    }
    for (const QString& literal : std::as_const(literals))
        ADD_FAILURE() << "packaging/message_forms.py does not find: " << literal.toStdString();
    for (const auto& [english, message] : all) {
        const QString shown = widgets::local_message(message);
        for (const QString& word : words_of(shown))
            EXPECT_TRUE(known.contains(word)) << word.toStdString() << " is English in: " << shown.toStdString();
        const QString wrong = wrong_blank(shown, language == "zh_CN");
        EXPECT_TRUE(wrong.isEmpty()) << wrong.toStdString() << " in: " << shown.toStdString();
    }
}

TEST_P(RefusedRecipes, AreExplainedInWordsOfTheLanguage) {
    const Messages all = refusals();
    EXPECT_GT(all.size(), 300u);
    expect_all_in_language(all, GetParam());
}

TEST_P(RefusedRecipes, SettingsFilesLikewise) {
    static const Messages all = refused_settings();
    EXPECT_GT(all.size(), 100u);
    expect_all_in_language(all, GetParam());
}

TEST_P(RefusedRecipes, AValueThatIsMissingIsCalledSo) {
    Message said;
    try {
        config::parse_recipe("optimizer: {lr: ~}", "/x.yaml");
    } catch (const InvalidInput& refused) {
        said = refused.problems().front().message;
    }
    EXPECT_EQ(said.text(), "expected a number, got nothing");
    EXPECT_EQ(widgets::local_message(said).toStdString(),
              GetParam() == std::string("de") ? "erwartet: eine Zahl, gefunden: nichts" : "应为数字，实际为无");
}

INSTANTIATE_TEST_SUITE_P(EachLanguage, RefusedRecipes, testing::Values("de", "zh_CN"));

}  // namespace
