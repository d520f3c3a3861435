// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/opened_file.h"

#include <set>

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "base/error.h"
#include "base/file.h"
#include "base/text_file.h"
#include "config/accelerate/schema.h"
#include "desktop/launch/start_look.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/recipe_draft.h"
#include "formats/weights/weight_source.h"
#include "models/spec/config_file.h"
#include "run/spec.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostOpenedBytes = 1u << 20;

/// Names of the top level: of a JSON object, else of lines that begin with one, else of a YAML map in braces.
std::set<std::string> topNames(const std::string& text) {
    std::set<std::string> names;
    const QByteArray bytes = QByteArray::fromStdString(text);
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    for (const QString& name : object.keys())
        names.insert(name.toStdString());
    if (!names.empty())
        return names;
    const QString words = QString::fromUtf8(bytes);
    static const QRegularExpression line(QStringLiteral("^\\x{FEFF}?[\"']?([A-Za-z_][A-Za-z0-9_]*)[\"']?[ \\t]*:"),
                                         QRegularExpression::MultilineOption);
    for (auto it = line.globalMatch(words); it.hasNext();)
        names.insert(it.next().captured(1).toStdString());
    if (!names.empty())
        return names;
    static const QRegularExpression inBraces(QStringLiteral("[{,]\\s*[\"']?([A-Za-z_][A-Za-z0-9_]*)[\"']?\\s*:"));
    for (auto it = inBraces.globalMatch(words); it.hasNext();)
        names.insert(it.next().captured(1).toStdString());
    return names;
}

int countKnown(const std::set<std::string>& names, const std::set<std::string>& of) {
    int count = 0;
    for (const std::string& name : names)
        count += static_cast<int>(of.count(name));
    return count;
}

std::set<std::string> settingsNames() {
    // Keys of old versions that today's schema has under another name.
    std::set<std::string> names{"fp16", "use_xpu", "ipex_config", "tpu_name", "command_file", "commands"};
    for (const settings::Key& key : settings::schema()) {
        if (key.section == settings::Section::launch)
            continue;
        const std::string_view table = settings::table_name(key.section);
        names.insert(std::string(table.empty() ? key.name : table));
        for (std::string_view alias : key.aliases)
            if (table.empty())
                names.insert(std::string(alias));
    }
    return names;
}

/// The wizard itself wrote it, for a launch.
bool is_own_recipe(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::weakly_canonical(file, error).parent_path() ==
               std::filesystem::weakly_canonical(Preferences::dataFolder().toStdString() + "/recipes", error) &&
           !error;
}

/// Variables that every launch sets from its settings.
bool is_set_by_launch(const std::string& name) {
    static const std::vector<std::string> prefixes{"ACCELERATE_", "FSDP_",  "MEGATRON_LM_", "PARALLELISM_CONFIG_",
                                                   "TORCH_",      "NCCL_",  "CCL_",         "KMP_",
                                                   "XLA_",        "MASTER", "OMP_",         "CUDA_VISIBLE"};
    return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
}

}  // namespace

QStringList code_of_draft(const std::optional<config::Recipe>& recipe, const QString& program,
                          const std::string& device_library) {
    QStringList code = recipe ? code_of(*recipe) : QStringList();
    if (!program.isEmpty())
        code << QStringLiteral("program.command: ") + program;
    if (!device_library.empty())
        code << QStringLiteral("launch.device_library: ") + qt(device_library);
    return code;
}

OpenedFile::Kind kindOf(const std::string& text) {
    const std::set<std::string> names = topNames(text);
    static const std::set<std::string> recipe{"name",     "model",    "data",       "optimizer",
                                              "schedule", "training", "checkpoint", "logging"};
    static const std::set<std::string> deepspeed{"zero_optimization",
                                                 "train_batch_size",
                                                 "train_micro_batch_size_per_gpu",
                                                 "gradient_accumulation_steps",
                                                 "gradient_clipping",
                                                 "fp16",
                                                 "bf16",
                                                 "optimizer",
                                                 "scheduler",
                                                 "steps_per_print",
                                                 "wall_clock_breakdown",
                                                 "zero_allow_untested_optimizer",
                                                 "activation_checkpointing",
                                                 "amp",
                                                 "aio"};
    static const std::set<std::string> settings = settingsNames();
    if (names.count("launch") != 0 && (names.count("recipe") != 0 || names.count("program") != 0))
        return OpenedFile::Kind::Run;
    // No settings file and no recipe has these on its top level.
    if (names.count("model_type") != 0 || names.count("architectures") != 0)
        return OpenedFile::Kind::Model;
    const int as_settings = countKnown(names, settings);
    const int as_recipe = countKnown(names, recipe);
    const int as_deepspeed = countKnown(names, deepspeed);
    if (as_settings == 0 && as_recipe == 0 && as_deepspeed == 0)
        return OpenedFile::Kind::Neither;
    if (as_deepspeed > as_settings && as_deepspeed > as_recipe)
        return OpenedFile::Kind::DeepSpeed;
    return as_settings >= as_recipe ? OpenedFile::Kind::Settings : OpenedFile::Kind::Recipe;
}

namespace {
bool has_weights(const fs::path& folder) {
    try {
        weights::open_first_model(folder);
        return true;
    } catch (const UserError&) {
        return false;
    }
}
}  // namespace

QStringList code_of_variables(const QMap<QString, QString>& variables) {
    QStringList code;
    for (auto each = variables.begin(); each != variables.end(); ++each)
        code << QStringLiteral("program.environment: %1=%2").arg(each.key(), each.value());
    return code;
}

bool is_python(const std::vector<std::string>& command) {
    if (command.size() < 2 || !fs::path(command.front()).filename().string().starts_with("python"))
        return false;
    return command[1] == "-m" ? command.size() > 2 : !command[1].starts_with('-');
}

ScriptChoice script_choice_of(const run::ProgramSpec& program) {
    const std::vector<std::string>& command = program.command;
    ScriptChoice script;
    script.kind = ScriptChoice::Kind::Program;
    script.path = command.empty() ? QString() : qt(command.front());
    script.folder = qt(program.directory);
    std::size_t first = 1;
    if (is_python(command)) {
        const bool module = command[1] == "-m";
        first = module ? 3 : 2;
        script.kind = module ? ScriptChoice::Kind::Module : ScriptChoice::Kind::File;
        script.interpreter = qt(command.front());
        script.path = qt(command[first - 1]);
    }
    // Quoted for the field of arguments, which is parsed by QProcess::splitCommand.
    for (std::size_t i = first; i < command.size(); ++i) {
        QString word = qt(command[i]);
        static const QRegularExpression plain(QStringLiteral("^[^\\s\"]+$"));
        if (!plain.match(word).hasMatch())
            word = QLatin1Char('"') + word.replace(QLatin1Char('"'), QLatin1String("\"\"\"")) + QLatin1Char('"');
        script.arguments += (i > first ? QStringLiteral(" ") : QString()) + word;
    }
    QStringList variables;
    for (const auto& [variable, value] : program.environment)
        if (!is_set_by_launch(variable))
            variables << qt(variable) + QLatin1Char('=') + qt(value);
    script.variables = variables.join(QLatin1Char('\n'));
    return script;
}

OpenedFile openFile(const QString& file) {
    OpenedFile opened;
    opened.file = file;
    const std::string path = file.toStdString();
    auto refuse = [&](const Message& words) { opened.problems.push_back({path, 0, 0, {}, words}); };
    try {
        const std::string text = read_file(path, kMostOpenedBytes);
        text::checked_text(text, path);
        opened.kind = kindOf(text);
        const bool json = path.ends_with(".json") || text.find_first_not_of(" \t\r\n") == text.find('{');
        switch (opened.kind) {
            case OpenedFile::Kind::Settings:
                opened.settings =
                    settings::read_settings(text, path, json ? settings::Format::json : settings::Format::yaml);
                break;
            case OpenedFile::Kind::DeepSpeed:
                opened.settings = settings::read_deepspeed_json(text, path);
                break;
            case OpenedFile::Kind::Recipe:
                opened.recipe = config::parse_recipe(text, path);
                if (!is_own_recipe(path))
                    opened.code = code_of_draft(opened.recipe, {}, {});
                opened.recipe = with_weights(*opened.recipe);
                break;
            case OpenedFile::Kind::Run: {
                const run::RunSpec spec = run::read_spec(path);
                opened.recipe = spec.recipe;
                opened.ranks = spec.launch.num_processes;
                opened.program = spec.program;
                if (look_at_start(path).verdict != StartLook::Verdict::Trusted)
                    opened.code = spec.program && !spec.program->command.empty()
                                      ? code_of_draft({}, qt(spec.program->command.front()), {})
                                      : code_of_draft(spec.recipe, {}, {});
                if (!opened.code.isEmpty() && spec.program) {
                    QMap<QString, QString> variables;
                    for (const auto& [name, value] : spec.program->environment)
                        variables.insert(qt(name), qt(value));
                    opened.code += code_of_variables(variables);
                }
                if (!opened.code.isEmpty() && spec.program && is_python(spec.program->command))
                    opened.code +=
                        code_of_draft({}, qt(spec.program->command[spec.program->command[1] == "-m" ? 2 : 1]), {});
                break;
            }
            case OpenedFile::Kind::Model: {
                families::ConfigFile read = families::read_config(text, path);
                config::ModelRecipe model;
                static_cast<families::ModelConfig&>(model) = std::move(read.config);
                if (const fs::path folder = fs::absolute(path).parent_path(); has_weights(folder))
                    model.weights = folder.string();
                for (const Message& sentence : read.refused)
                    refuse(sentence);
                opened.model = std::move(model);
                break;
            }
            case OpenedFile::Kind::Neither:
                refuse(Message::verbatim(
                    tr("this is not an Accelerate settings file, a recipe or a DeepSpeed file: choose another one")
                        .toStdString()));
                break;
        }
        opened.code += code_of_draft({}, {}, opened.settings.settings.text("device_library"));
    } catch (const InvalidInput& invalid) {
        opened.problems = invalid.problems();
    } catch (const std::exception& error) {
        refuse(message_of(error));
    }
    return opened;
}

QString problemLines(const std::vector<Problem>& problems) {
    QStringList lines;
    for (const Problem& problem : problems) {
        QString line;
        if (problem.line > 0)
            line = tr("line %1, column %2: ").arg(problem.line).arg(problem.column);
        if (!problem.key.empty())
            line += qt(problem.key) + QStringLiteral(": ");
        lines << line + qtClause(problem.message);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace trainyard::desktop
