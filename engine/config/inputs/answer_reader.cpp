// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/answer_reader.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/class_reader.h"
#include "config/inputs/question_parts.h"
#include "config/inputs/row_problems.h"
#include "config/inputs/table_columns.h"
#include "formats/tables/table_set.h"

namespace trainyard::inputs {

namespace {

constexpr std::int64_t kAnswerRowsAtOnce = 256;

void add_answer(std::vector<Answer>& answers, const std::string& text, std::optional<std::int64_t> begin,
                std::int64_t number, const std::string& context) {
    if (text.empty())
        return;
    if (!begin) {
        const std::size_t at = context.find(text);
        if (at == std::string::npos)
            throw UserError(
                "the answer '{}' of row {} is not in its text: answers are parts of "
                "the text, letter by letter",
                text, number + 1);
        begin = characters_in(std::string_view(context).substr(0, at));
    }
    const Answer made{text, *begin, *begin + characters_in(text)};
    const std::size_t from = *begin < 0 ? context.size() : bytes_of_characters(context, *begin);
    if (context.compare(from, text.size(), text) != 0)
        throw UserError(
            "the answer '{}' of row {} is not at character {} of its text: count "
            "characters from 0, not bytes or words",
            text, number + 1, *begin);
    answers.push_back(made);
}

/// {"text": [...], "answer_start": [...]}, as JSON in a table without lists.
std::vector<Answer> answers_from_json(const std::string& text, std::int64_t number, const std::string& context) {
    const nlohmann::json given = read_json(text);
    const auto list = [&](const char* key) {
        return given.is_object() && given.contains(key) && given[key].is_array() ? given[key] : nlohmann::json::array();
    };
    const nlohmann::json texts = list("text"), starts = list("answer_start");
    bool good = given.is_object() && given.contains("text") && texts.size() == starts.size();
    for (std::size_t i = 0; good && i < texts.size(); ++i)
        good = texts[i].is_string() && starts[i].is_number_integer();
    if (!good)
        throw UserError("the answers of row {} are not {{\"text\": [...], \"answer_start\": [...]}}", number + 1);
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < texts.size(); ++i)
        add_answer(answers, texts[i].get<std::string>(), starts[i].get<std::int64_t>(), number, context);
    return answers;
}

}  // namespace

AnswerReader::AnswerReader(const formats::Column& texts, const formats::Column* starts)
    : texts_(texts), starts_(starts) {
    if (texts_.field.type != formats::ElementType::text && !texts_.field.is_assumed)
        throw UserError("data.label_column: {} holds no texts of answers", texts_.field.describe());
    if (starts_ != nullptr && starts_->field.list != texts_.field.list)
        throw UserError("data.label_column: {} and {} must both be lists, or both not", texts_.field.describe(),
                        starts_->field.describe());
}

std::vector<Answer> AnswerReader::read(std::int64_t row, const std::string& context, std::int64_t number) const {
    std::vector<Answer> answers;
    if (texts_.is_missing(row) || texts_.field.type != formats::ElementType::text)  // no row has an answer
        return answers;
    const std::int64_t first = texts_.begin_of(row), count = texts_.end_of(row) - first;
    if (!texts_.field.list && std::string_view(texts_.text(row)).starts_with('{'))
        return answers_from_json(std::string(texts_.text(row)), number, context);
    const bool placed = starts_ != nullptr && !starts_->is_missing(row);
    const std::int64_t start = placed ? starts_->begin_of(row) : 0;
    if (placed && starts_->end_of(row) - start != count)
        throw UserError("row {} has {} answers and {} places where they begin", number + 1, count,
                        starts_->end_of(row) - start);
    for (std::int64_t i = 0; i < count; ++i)
        add_answer(
            answers, std::string(texts_.text(first + i)),
            placed ? std::optional(static_cast<std::int64_t>(ClassReader::number(*starts_, start + i))) : std::nullopt,
            number, context);
    return answers;
}

Message answer_problem(const config::Recipe& recipe, std::int64_t most_rows) {
    const config::DataRecipe& data = recipe.data;
    const std::vector<std::filesystem::path> files = corpus_files(data);
    TableColumns columns = choose_columns(data, recipe.model.task, recipe.model.loss, files);
    if (data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    formats::TableSet set(files, columns.options);
    RowProblems problems;
    for (std::int64_t seen = 0; seen < most_rows;) {
        const formats::Table rows = set.next(std::min(kAnswerRowsAtOnce, most_rows - seen));
        if (rows.rows == 0)
            break;
        const auto column = [&](const std::string& key) {
            const auto name = columns.names.find(key);
            return name == columns.names.end() ? nullptr : rows.find(name->second);
        };
        const formats::Column* contexts = column("data.second_column");
        const formats::Column* texts = column("data.label_column");
        if (contexts == nullptr || texts == nullptr || contexts->field.type != formats::ElementType::text)
            return {};  // a problem of the columns, which the training reports
        const AnswerReader reader(*texts, column(kAnswerStarts));
        for (std::int64_t row = 0; row < rows.rows; ++row)
            if (!contexts->is_missing(row))
                problems.run([&] { (void)reader.read(row, std::string(contexts->text(row)), seen + row); });
        seen += rows.rows;
    }
    return problems.message();
}

}  // namespace trainyard::inputs
