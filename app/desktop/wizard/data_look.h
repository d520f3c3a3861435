#pragma once
// Contents that a recipe names: how many, how large, how they begin; and for a folder in which the pattern finds nothing,
// the pattern that would. Does I/O: not for the GUI thread.

#include <cstdint>

#include <QString>
#include <QStringList>

#include "config/recipe/recipe.h"

namespace trainyard::desktop {

struct DataLook {
    std::size_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t tokens = 0;  ///< 0: not known without reading all of it
    QStringList samples;       ///< at most three, as they are decoded
    /// Where nothing matches: the ending that most bytes of the folder have, e.g. `*.txt`; empty: none would help.
    QString pattern;
    std::size_t pattern_files = 0;
    std::uint64_t pattern_bytes = 0;
    bool operator==(const DataLook&) const = default;
};

DataLook look_at_data(const config::DataRecipe& data);

}  // namespace trainyard::desktop
