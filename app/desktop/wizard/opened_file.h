#pragma once
// A file that is opened in the wizard, told apart by what stands in it, not by its name: settings of accelerate of any age, a
// DeepSpeed JSON, a recipe, a run.yaml.

#include <optional>

#include <QString>

#include "config/recipe.h"
#include "settings/file.h"

namespace trainyard::desktop {

struct OpenedFile {
    enum class Kind { Settings, DeepSpeed, Recipe, Run, Neither };
    Kind kind = Kind::Neither;
    QString file;
    settings::Loaded settings;  ///< of Settings and DeepSpeed; with all problems
    std::optional<config::Recipe> recipe;
    int ranks = 1;                  ///< of a run
    std::vector<Problem> problems;  ///< of a recipe, or why it is none of these
};

/// By the names of the top level. A text that cannot be read at all counts as what its name says.
OpenedFile::Kind kindOf(const std::string& text);
/// Reads the file; never throws for what it holds. I/O: not for the GUI thread.
OpenedFile openFile(const QString& file);
/// One line a problem: `12:3  num_proceses: unknown key ...`
QString problemLines(const std::vector<Problem>& problems);

}  // namespace trainyard::desktop
