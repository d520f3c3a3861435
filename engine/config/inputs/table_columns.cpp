// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/table_columns.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"
#include "formats/tables/table_set.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace {

using config::DataFormat;

const std::map<DataFormat, std::string>& table_formats() {
    using enum DataFormat;
    static const std::map<DataFormat, std::string> formats{
        {text, "text"},   {jsonl, "json_lines"},       {csv, "csv"}, {parquet, "parquet"}, {arrow, "arrow"},
        {numpy, "numpy"}, {safetensors, "safetensors"}};
    return formats;
}

/// A column of a task.
struct WantedColumn {
    const char* key;
    std::string config::DataRecipe::*named;
    std::vector<std::string> usual;
    bool is_text = false;      ///< numbers are read as the text of their digits where the format allows it
    bool may_be_only = false;  ///< the only column of a file counts, whatever its name is
    bool optional = false;     ///< may be missing, unless it is named
};

std::vector<WantedColumn> wanted_columns(const config::DataRecipe& data, const std::string& task,
                                         const std::string& loss) {
    using config::DataRecipe;
    if (data.chat != config::ChatFormat::no)
        return {{"data.column", &DataRecipe::column, {"messages", "conversations", "conversation"}}};
    const std::vector<std::string> classes{"label", "labels", "class", "target"};
    if (task == families::kSequenceClassification) {
        std::vector<WantedColumn> wanted{
            {"data.column", &DataRecipe::column, {"text", "sentence", "content"}, true},
            {"data.label_column", &DataRecipe::label_column, classes},
        };
        if (!data.second_column.empty())
            wanted.push_back({"data.second_column", &DataRecipe::second_column, {}, true});
        return wanted;
    }
    if (task == families::kTokenClassification)
        return {{"data.column", &DataRecipe::column, {"tokens", "words"}},
                {"data.label_column", &DataRecipe::label_column, {"ner_tags", "tags", "pos_tags", "labels"}}};
    if (task == families::kSeq2SeqLm)
        return {
            {"data.column", &DataRecipe::column, {"text", "document", "article", "source"}, true},
            {"data.target_column", &DataRecipe::target_column, {"summary", "target", "highlights", "answer"}, true}};
    if (task == families::kImageClassification)
        return {{"data.column", &DataRecipe::column, {"pixel_values", "image", "images", "pixels"}},
                {"data.label_column", &DataRecipe::label_column, classes}};
    if (task == families::kSentenceEmbedding) {
        std::vector<WantedColumn> wanted{
            {"data.column", &DataRecipe::column, {"sentence1", "anchor", "query", "text"}, true},
            {"data.second_column", &DataRecipe::second_column, {"sentence2", "positive", "answer", "similar"}, true}};
        if (loss == families::kCosineLoss)
            wanted.push_back({"data.label_column",
                              &DataRecipe::label_column,
                              {"score", "similarity_score", "similarity", "label", "labels"}});
        return wanted;
    }
    if (task == families::kQuestionAnswering)
        return {{"data.column", &DataRecipe::column, {"question"}, true},
                {"data.second_column", &DataRecipe::second_column, {"context", "passage"}, true},
                {"data.label_column", &DataRecipe::label_column, {"answers.text", "answers", "answer"}}};
    if (task == families::kMultipleChoice)
        return {{"data.column", &DataRecipe::column, {"sent1", "startphrase", "context", "question"}, true},
                {.key = "data.second_column",
                 .named = &DataRecipe::second_column,
                 .usual = {"sent2"},
                 .is_text = true,
                 .optional = true},
                {"data.label_column", &DataRecipe::label_column, {"label", "labels", "answer"}}};
    return {{"data.column", &DataRecipe::column, {"text", "content", "input_ids", "tokens"}, false, true}};
}

/// The column of the places where answers begin, beside that of their texts: `answers.answer_start` beside
/// `answers.text`, else `answer_start`.
std::string answer_starts_beside(const std::string& texts) {
    constexpr std::string_view kTexts = ".text", kStarts = "answer_start";
    return texts.ends_with(kTexts) ? texts.substr(0, texts.size() - kTexts.size()) + "." + std::string(kStarts)
                                   : std::string(kStarts);
}

/// data.choice_columns, or the columns ending0, ending1, ...
std::vector<std::string> choice_columns(const config::DataRecipe& data, const std::vector<std::string>& names) {
    std::vector<std::string> chosen = data.choice_columns;
    while (data.choice_columns.empty() && std::ranges::count(names, fmt::format("ending{}", chosen.size())) > 0)
        chosen.push_back(fmt::format("ending{}", chosen.size()));
    return chosen;
}

}  // namespace

std::string table_format(DataFormat format) {
    return table_formats().at(format);
}

bool is_table_format(DataFormat format) {
    return table_formats().contains(format);
}

std::string row_format_by_ending(const std::filesystem::path& path) {
    const std::string found = formats::format_by_ending(path);
    for (const auto& [format, table] : table_formats())
        if (table == found && format != DataFormat::text)
            return choice_name(format);
    return {};
}

TableColumns choose_columns(const config::DataRecipe& data, const std::string& task, const std::string& loss,
                            const std::vector<std::filesystem::path>& files) {
    TableColumns chosen;
    chosen.options.format = table_format(data.format);
    chosen.options.bytes_are_text = task != families::kImageClassification;
    formats::ReadOptions look = chosen.options;
    look.only_readable = true;
    if (data.on_corrupt == config::OnCorrupt::skip)
        look.on_corrupt = [](const formats::CorruptRows&) {};
    formats::Schema schema;
    try {
        schema = formats::open_table(files.at(0), look)->schema();
    } catch (const UserError& error) {
        std::vector<Problem> problems;
        for (const std::filesystem::path& file : files)
            try {
                formats::open_table(file, look);
            } catch (const UserError& problem) {
                problems.push_back({"", 0, 0, "data.path", problem.message()});
            }
        if (problems.empty())  // the file has changed since
            problems.push_back({"", 0, 0, "data.path", error.message()});
        throw InvalidInput(std::move(problems));
    }
    std::vector<std::string> names;
    for (const formats::Field& field : schema)
        names.push_back(field.name);
    const auto has = [&](const std::string& name) { return std::ranges::count(names, name) > 0; };
    std::vector<Problem> problems;
    const auto complain = [&](const char* key, Message message) {
        problems.push_back({"", 0, 0, key, std::move(message)});
    };
    for (const WantedColumn& wanted : wanted_columns(data, task, loss)) {
        std::string name = data.*wanted.named;
        if (name.empty() && wanted.may_be_only && names.size() == 1)
            name = names[0];
        if (name.empty())
            if (const auto usual = std::ranges::find_if(wanted.usual, has); usual != wanted.usual.end())
                name = *usual;
        if (name.empty() && wanted.optional)
            continue;
        if (name.empty()) {
            complain(wanted.key, Message("{} has the columns {}, none with a usual name ({}): name the one",
                                         files[0].string(), fmt::join(names, ", "), fmt::join(wanted.usual, ", ")));
            continue;
        }
        if (!has(name) && !names.empty()) {
            complain(wanted.key,
                     Message("{} has no column '{}'{}", files[0].string(), name, text::did_you_mean(name, names)));
            continue;
        }
        chosen.names[wanted.key] = name;
        if (std::ranges::count(chosen.options.columns, name) == 0)
            chosen.options.columns.push_back(name);
        if (wanted.is_text && data.format == DataFormat::csv)
            chosen.options.types[name] = formats::ElementType::text;
        const formats::Field* field = formats::find_field(schema, name);
        if (wanted.is_text && data.format != DataFormat::csv && field != nullptr &&
            field->type != formats::ElementType::text && !field->is_assumed)
            complain(wanted.key, Message("{} in {} is not text", field->describe(), files[0].string()));
    }
    const auto add = [&](const std::string& key, const std::string& name, bool is_text) {
        chosen.names[key] = name;
        chosen.options.columns.push_back(name);
        if (is_text && data.format == DataFormat::csv)
            chosen.options.types[name] = formats::ElementType::text;
    };
    if (task == families::kQuestionAnswering && problems.empty()) {
        const std::string texts = chosen.names.at("data.label_column");
        if (data.format == DataFormat::csv)
            chosen.options.types[texts] = formats::ElementType::text;
        if (const std::string starts = answer_starts_beside(texts); has(starts))
            add(kAnswerStarts, starts, false);
    }
    if (data.chat != config::ChatFormat::no && has(kChatTools) && problems.empty() &&
        std::ranges::count(chosen.options.columns, kChatTools) == 0)
        add(kChatTools, kChatTools, true);
    if (task == families::kMultipleChoice) {
        const std::vector<std::string> choices = choice_columns(data, names);
        if (choices.size() < 2)
            complain("data.choice_columns",
                     Message("{} has the columns {}, not ending0, ending1, ...: name those of the choices",
                             files[0].string(), fmt::join(names, ", ")));
        for (std::size_t i = 0; i < choices.size(); ++i)
            if (has(choices[i]))
                add(choice_key(i), choices[i], true);
            else
                complain("data.choice_columns", Message("{} has no column '{}'{}", files[0].string(), choices[i],
                                                        text::did_you_mean(choices[i], names)));
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return chosen;
}

}  // namespace trainyard::inputs
