// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file opened in the wizard. Its kind is detected from its content, not from its name: Accelerate settings of any
// version, a DeepSpeed JSON, a recipe, a run.yaml, a model's config.json.

#include <optional>

#include <QMap>
#include <QString>
#include <QStringList>

#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "desktop/wizard/run_draft.h"
#include "run/spec.h"

namespace trainyard::desktop {

struct OpenedFile {
    enum class Kind { Settings, DeepSpeed, Recipe, Run, Model, Neither };
    Kind kind = Kind::Neither;
    QString file;
    settings::Loaded settings;  ///< for Settings and DeepSpeed; with all problems
    std::optional<config::Recipe> recipe;
    /// For Model, a config.json of transformers: its folder is used as `weights` if it contains weights.
    std::optional<config::ModelRecipe> model;
    int ranks = 1;                            ///< of a run
    std::optional<run::ProgramSpec> program;  ///< of a run that is a program of the user; `recipe` has its name only
    /// Parts of the file that a launch would execute (launch/start_look.h). Empty if the file is the user's own.
    QStringList code;
    std::vector<Problem> problems;  ///< of a recipe or a model, or the reason why the file is neither
    bool holdsSomething() const {
        return kind == Kind::Model ? model.has_value()
                                   : kind != Kind::Neither && (recipe || !settings.settings.root().empty());
    }
};

/// Determines the kind by the keys at the top level; Neither if none is known.
OpenedFile::Kind kindOf(const std::string& text);
/// Parts of a draft or file that lead to execution: names in a recipe, the program of a script, the library of a
/// device.
QStringList code_of_draft(const std::optional<config::Recipe>& recipe, const QString& program,
                          const std::string& device_library);
/// The environment variables of a program as such parts, because variables like LD_PRELOAD execute code, too.
QStringList code_of_variables(const QMap<QString, QString>& variables);
/// Whether a command runs a script or module with Python, rather than Python's own options.
bool is_python(const std::vector<std::string>& command);
/// The fields of a script for a program of a run.
ScriptChoice script_choice_of(const run::ProgramSpec& program);
/// Reads the file. Never throws for invalid content. I/O: not for the GUI thread.
OpenedFile openFile(const QString& file);
/// One line per problem: `12:3  num_proceses: unknown key ...`
QString problemLines(const std::vector<Problem>& problems);

}  // namespace trainyard::desktop
