#pragma once
// A file that is opened in the wizard, told apart by what stands in it, not by its name: settings of accelerate of any age, a
// DeepSpeed JSON, a recipe, a run.yaml, a model's config.json.

#include <optional>

#include <QMap>
#include <QString>
#include <QStringList>

#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "run/spec.h"

namespace trainyard::desktop {

struct OpenedFile {
    enum class Kind { Settings, DeepSpeed, Recipe, Run, Model, Neither };
    Kind kind = Kind::Neither;
    QString file;
    settings::Loaded settings;  ///< of Settings and DeepSpeed; with all problems
    std::optional<config::Recipe> recipe;
    /// Of Model, a config.json of transformers: with its folder as `weights` where that has some.
    std::optional<config::ModelRecipe> model;
    int ranks = 1;                            ///< of a run
    std::optional<run::ProgramSpec> program;  ///< of a run that is a program of the user; `recipe` has its name only
    /// What of the file would be executed by a launch (launch/start_look.h). Empty where the file is the user's own.
    QStringList code;
    std::vector<Problem> problems;  ///< of a recipe or a model, or the reason why the file is neither
    bool holdsSomething() const {
        return kind == Kind::Model ? model.has_value()
                                   : kind != Kind::Neither && (recipe || !settings.settings.root().empty());
    }
};

/// By the names of the top level. A text that cannot be read at all counts as what its name says.
OpenedFile::Kind kindOf(const std::string& text);
/// A draft or file as parts that lead to execution: what a recipe names, the program of a script, the library of a
/// device.
QStringList code_of_draft(const std::optional<config::Recipe>& recipe, const QString& program,
                          const std::string& device_library);
/// Variables of a program as such parts: LD_PRELOAD executes code, too.
QStringList code_of_variables(const QMap<QString, QString>& variables);
/// Whether a command runs a script or module with Python, rather than Python's own options.
bool is_python(const std::vector<std::string>& command);
/// Reads the file; never throws for what it holds. I/O: not for the GUI thread.
OpenedFile openFile(const QString& file);
/// One line a problem: `12:3  num_proceses: unknown key ...`
QString problemLines(const std::vector<Problem>& problems);

}  // namespace trainyard::desktop
