// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/class_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/table_columns.h"
#include "formats/tables/table_set.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace {

constexpr std::size_t kMostNames = 10'000;
constexpr std::int64_t kRowsAtOnce = 4096;

/// Calls `use` for every element of the label column, until it returns false.
void for_each_label(const config::Recipe& recipe, std::int64_t most_rows,
                    const std::function<bool(const formats::Column&, std::int64_t)>& use) {
    const std::vector<std::filesystem::path> files = corpus_files(recipe.data);
    TableColumns columns = choose_columns(recipe.data, recipe.model.task, recipe.model.loss, files);
    const std::string label = columns.names.at("data.label_column");
    // Rows of texts without a text or a label are left out.
    const bool skips_missing = recipe.model.task == families::kSequenceClassification;
    const std::string text = skips_missing ? columns.names.at("data.column") : label;
    columns.options.columns = {label};
    if (text != label)
        columns.options.columns.push_back(text);
    if (recipe.data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    formats::TableSet set(files, columns.options);
    for (std::int64_t seen = 0; seen < most_rows;) {
        const formats::Table rows = set.next(std::min(kRowsAtOnce, most_rows - seen));
        if (rows.rows == 0)
            return;
        seen += rows.rows;
        const formats::Column& column = rows.at(label);
        for (std::int64_t row = 0; row < rows.rows; ++row) {
            if (skips_missing && (column.is_missing(row) || rows.at(text).is_missing(row)))
                continue;
            for (std::int64_t at = column.begin_of(row); at < column.end_of(row); ++at)
                if (!use(column, at))
                    return;
        }
    }
}

}  // namespace

ClassReader::ClassReader(const config::Recipe& recipe)
    : names_(families::label_names(recipe.model)),
      where_(recipe.data.paths.empty() ? std::string("the data") : recipe.data.paths.front()) {}

std::optional<std::int64_t> ClassReader::find(const formats::Column& column, std::int64_t element) const {
    if (column.field.type == formats::ElementType::text) {
        const std::string name(column.text(element));
        if (const auto found = std::ranges::find(names_, name); found != names_.end())
            return found - names_.begin();
        const auto number = parse_number<std::int64_t>(name, 0);
        return number && std::cmp_less(*number, names_.size()) ? number : std::nullopt;
    }
    const double value = number(column, element);
    const bool is_class = value == std::floor(value) && value >= 0 && value < static_cast<double>(names_.size());
    // -100 is transformers' mark of labels that are not counted.
    return is_class || value == -100 ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

Message ClassReader::problem_of(const formats::Column& column, std::int64_t element) const {
    if (column.field.type == formats::ElementType::text)
        return Message("{} holds the class '{}', and model.id2label has {}", where_, column.text(element),
                       fmt::join(names_, ", "));
    return Message("{} holds the class {}, and model.num_labels is {}: classes are whole numbers from 0 to {}", where_,
                   number(column, element), names_.size(), names_.size() - 1);
}

std::int64_t ClassReader::index(const formats::Column& column, std::int64_t element) const {
    if (const auto found = find(column, element))
        return *found;
    throw UserError("data.label_column: {}", problem_of(column, element));
}

double ClassReader::number(const formats::Column& column, std::int64_t element) {
    using enum formats::ElementType;
    const auto at = static_cast<std::size_t>(element);
    switch (column.field.type) {
        case boolean:
        case u8:
            return column.values<std::uint8_t>()[at];
        case i8:
            return column.values<std::int8_t>()[at];
        case i16:
            return column.values<std::int16_t>()[at];
        case i32:
            return column.values<std::int32_t>()[at];
        case i64:
            return static_cast<double>(column.values<std::int64_t>()[at]);
        case u16:
            return column.values<std::uint16_t>()[at];
        case u32:
            return column.values<std::uint32_t>()[at];
        case u64:
            return static_cast<double>(column.values<std::uint64_t>()[at]);
        case f32:
            return column.values<float>()[at];
        case f64:
            return column.values<double>()[at];
        default:
            if (column.field.type == text && !column.field.list)
                if (const std::string value(column.text(element));
                    value.find(',') != std::string::npos &&
                    value.find_first_not_of("+-0123456789,.") == std::string::npos)
                    throw UserError(
                        "data.label_column: the number '{}' has a comma: write it with a "
                        "decimal point, and without separators of thousands",
                        value);
            throw UserError("data.label_column: {} holds no numbers", column.field.describe());
    }
}

bool has_classes(const config::Recipe& recipe) {
    const std::string& task = recipe.model.task;
    if (!recipe.data.plugin.empty() || !is_table_format(recipe.data.format))
        return false;
    if (task == families::kSequenceClassification)
        return families::problem_of(recipe.model) == families::kSingleLabel;
    return task == families::kTokenClassification || task == families::kImageClassification;
}

ColumnClasses classes_of_column(const config::Recipe& recipe, std::int64_t most_rows) {
    std::set<std::string> names;
    std::int64_t largest = -1;
    for_each_label(recipe, most_rows, [&](const formats::Column& column, std::int64_t at) {
        if (column.field.type != formats::ElementType::text) {
            largest = std::max(largest, static_cast<std::int64_t>(ClassReader::number(column, at)));
            return true;
        }
        const std::string name(column.text(at));
        if (const auto number = parse_number<std::int64_t>(name, 0))
            largest = std::max(largest, *number);
        else if (names.insert(name).second && names.size() > kMostNames)
            throw UserError("data.label_column: it holds more than {} different names: choose the column of classes",
                            kMostNames);
        return true;
    });
    ColumnClasses found;
    found.names.assign(names.begin(), names.end());
    found.count = names.empty() ? largest + 1 : static_cast<std::int64_t>(names.size());
    return found;
}

Message class_problem(const config::Recipe& recipe, std::int64_t most_rows) {
    const ClassReader classes(recipe);
    Message problem;
    for_each_label(recipe, most_rows, [&](const formats::Column& column, std::int64_t at) {
        if (!classes.find(column, at))
            problem = classes.problem_of(column, at);
        return problem.empty();
    });
    return problem;
}

}  // namespace trainyard::inputs
