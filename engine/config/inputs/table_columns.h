// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The columns of tables (CSV, JSON Lines, Parquet, Arrow, ...) that a recipe's task reads. Only they are read, so that
// files may differ in all others. The check before the start and the ranks use the same functions, so they report the
// same problems.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "formats/tables/table_reader.h"

namespace trainyard::inputs {

/// The format of formats/tables/table_reader.h for a data.format of tables.
std::string table_format(config::DataFormat format);
/// True for formats whose files have columns: neither bytes, images nor megatron.
bool is_table_format(config::DataFormat format);
/// The data.format that a file's ending stands for; empty for files of text and unknown endings.
std::string row_format_by_ending(const std::filesystem::path& path);

struct TableColumns {
    formats::ReadOptions options;              ///< format, columns, types; on_corrupt is left to the caller
    std::map<std::string, std::string> names;  ///< key of the recipe, e.g. data.label_column -> name in the files
};

/// Key of TableColumns::names: where the answers of question_answering begin, in characters; there if the files say it.
inline constexpr const char* kAnswerStarts = "answer_start";
/// The same of the tools that conversations may call, and the name of the column; there if the files have it.
inline constexpr const char* kChatTools = "tools";
/// The same of the texts that multiple_choice chooses from.
inline std::string choice_key(std::size_t number) {
    return "data.choice_columns[" + std::to_string(number) + "]";
}

/// Chooses the columns that the recipe names or, without a name, the first of the task's usual names that the first
/// file has. Throws InvalidInput with all that are missing, or with all files that cannot be opened.
TableColumns choose_columns(const config::DataRecipe& data, const std::string& task, const std::string& loss,
                            const std::vector<std::filesystem::path>& files);

}  // namespace trainyard::inputs
