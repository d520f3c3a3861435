// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/task_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/table_columns.h"
#include "formats/tables/table_set.h"
#include "models/spec/labels.h"

namespace trainyard::train {

TaskTable::TaskTable(const config::Recipe& recipe) {
    const config::DataRecipe& data = recipe.data;
    const std::vector<std::filesystem::path> files = inputs::corpus_files(data);
    inputs::TableColumns columns = inputs::choose_columns(data, recipe.model.task, recipe.model.loss, files);
    if (data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    names_ = std::move(columns.names);
    formats::TableSet set(files, columns.options);
    table_ = formats::Table(set.schema());
    constexpr std::int64_t kRows = 4096;
    for (formats::Table rows = set.next(kRows); rows.rows > 0; rows = set.next(kRows))
        table_.append_rows(rows, 0, rows.rows);
    if (table_.rows == 0)
        throw UserError("data.path: the files hold no rows: name others");
}

const formats::Column& TaskTable::column(const std::string& key) const {
    return table_.at(names_.at(key));
}

const formats::Column* TaskTable::find(const std::string& key) const {
    return names_.contains(key) ? &column(key) : nullptr;
}

Cut::Cut(std::int64_t samples, double fraction) {
    held_out = fraction > 0 ? std::min(static_cast<std::int64_t>(std::ceil(static_cast<double>(samples) * fraction)),
                                       samples - 1)
                            : 0;
    training = samples - held_out;
}

}  // namespace trainyard::train
