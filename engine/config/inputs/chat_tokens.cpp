// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/chat_tokens.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/row_problems.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "formats/tables/table_set.h"

namespace trainyard::inputs {

namespace {

namespace fs = std::filesystem;
using Conversation = nlohmann::ordered_json;

constexpr std::int64_t kChatRowsAtOnce = 64;

/// Names of roles that data sets of ShareGPT's form use.
std::string usual_role(const std::string& role) {
    static const std::map<std::string, std::string, std::less<>> names{
        {"human", "user"},    {"gpt", "assistant"},           {"chatgpt", "assistant"},
        {"bot", "assistant"}, {"function_call", "assistant"}, {"observation", "tool"}};
    const auto found = names.find(role);
    return found == names.end() ? role : found->second;
}

/// The conversation with the keys role and content. Throws UserError.
Conversation messages_of(const std::string& conversation, std::int64_t row) {
    Conversation chat = read_ordered_json(conversation);
    const auto refuse = [&](const Message& what) {
        throw UserError(
            "the conversation of row {} {}: it is a list of tables with role and content, or with from "
            "and value",
            row + 1, what);
    };
    if (!chat.is_array() || chat.empty())
        refuse("is not a list");
    Conversation all = Conversation::array();
    for (Conversation& turn : chat) {
        const bool is_shared = turn.is_object() && !turn.contains("role") && turn.contains("from");
        const char* role = is_shared ? "from" : "role";
        if (!turn.is_object() || !turn.contains(role) || !turn[role].is_string())
            refuse("has a turn without a text for role or content");
        if (!is_shared) {
            all.push_back(std::move(turn));
            continue;
        }
        Conversation message = Conversation::object();
        message["role"] = usual_role(turn[role].get<std::string>());
        message["content"] = turn.contains("value") ? std::move(turn["value"]) : Conversation();
        for (const char* key : {"weight", "train"})
            if (turn.contains(key))
                message[key] = std::move(turn[key]);
        all.push_back(std::move(message));
    }
    return all;
}

/// The content of a message: a text, or parts of it as OpenAI's format has them; nothing for others.
std::optional<std::string> text_of(const Conversation& message) {
    const auto content = message.find("content");
    if (content == message.end() || !(content->is_string() || content->is_array()))
        return std::nullopt;
    if (content->is_string())
        return content->get<std::string>();
    std::string text;
    for (const Conversation& part : *content) {
        if (!part.is_object() || !part.contains("text") || !part["text"].is_string())
            return std::nullopt;
        text += part["text"].get<std::string>();
    }
    return text;
}

/// Of each reply whether the loss counts it: not with `weight: 0`, as OpenAI's format has it, or `train: false`. Throws
/// UserError.
std::vector<bool> counted_replies(const Conversation& messages, std::int64_t row) {
    std::vector<bool> counted;
    for (const Conversation& message : messages) {
        if (message["role"] != "assistant")
            continue;
        const auto weight = message.find("weight"), train = message.find("train");
        const bool has_weight = weight != message.end() && !weight->is_null();
        if (has_weight && !(weight->is_number() && (*weight == 0 || *weight == 1)))
            throw UserError("the conversation of row {} has a message with another weight than 0 or 1", row + 1);
        counted.push_back(!(has_weight && *weight == 0) &&
                          !(train != message.end() && train->is_boolean() && !train->get<bool>()));
    }
    return counted;
}

/// The list of tools for a template. Throws UserError.
Conversation tools_of(const std::string& text, std::int64_t row) {
    if (text.empty())
        return {};
    Conversation tools = read_ordered_json(text);
    if (tools.is_string())  // a row of a column that has lists in other rows
        tools = read_ordered_json(tools.get<std::string>());
    if (!tools.is_null() && !(tools.is_array() && std::ranges::all_of(tools, &Conversation::is_object)))
        throw UserError("the tools of row {} are not a list of tables", row + 1);
    return tools;
}

void append_tokens(SampleTokens& made, const std::vector<std::int64_t>& ids, bool learnt) {
    made.ids.insert(made.ids.end(), ids.begin(), ids.end());
    if (learnt)
        made.labels.insert(made.labels.end(), ids.begin(), ids.end());
    made.labels.resize(made.ids.size(), kUncountedLabel);
}

}  // namespace

ChatTokens::ChatTokens(const config::Recipe& recipe, const SequenceTokens& tokens) : tokens_(tokens) {
    using enum config::ChatFormat;
    const config::DataRecipe& data = recipe.data;
    if (data.chat == chatml || (data.tokenizer.empty() && data.chat != tokenizer))
        return;
    const fs::path folder = data.tokenizer.empty() ? fs::path() : tokenizer_file(data).parent_path();
    if (!folder.empty() && tokenizers::ChatFormat::has_template(folder))
        format_.emplace(tokenizers::ChatFormat::of_folder(folder));
    else if (data.chat == tokenizer)
        throw UserError(
            "{} has no chat template, neither chat_template.jinja nor chat_template in tokenizer_config.json: set "
            "data.chat to auto or chatml",
            folder.empty() ? std::string("data.tokenizer") : folder.string());
}

SampleTokens ChatTokens::of(const std::string& conversation, const std::string& tools_text, std::int64_t row) const {
    const Conversation messages = messages_of(conversation, row), tools = tools_of(tools_text, row);
    const std::vector<bool> counted = counted_replies(messages, row);
    SampleTokens made;
    if (!format_) {
        if (!tools.empty())
            throw UserError(
                "the conversation of row {} has tools, which ChatML does not write: take data.chat: auto with a "
                "tokenizer that has a chat template, or remove the column {}",
                row + 1, kChatTools);
        std::size_t reply = 0;
        for (const Conversation& turn : messages) {
            const std::optional<std::string> content = text_of(turn);
            if (!content)
                throw UserError("the conversation of row {} has a turn without a text for content, which ChatML needs",
                                row + 1);
            const auto role = turn["role"].get<std::string>();
            append_tokens(made, tokens_.of_word(fmt::format("<|im_start|>{}\n", role)), false);
            append_tokens(made, tokens_.of_word(*content + "<|im_end|>"), role == "assistant" && counted[reply++]);
            append_tokens(made, tokens_.of_word("\n"), false);
        }
        return made;
    }
    tokenizers::MarkedText text;
    try {
        text = format_->conversation(messages, tools);
    } catch (const UserError& error) {
        throw UserError("the conversation of row {}: {}", row + 1, error.message());
    }
    if (std::ranges::count(counted, false) > 0) {
        if (text.parts.size() != counted.size())
            throw UserError(
                "the conversation of row {} has replies that are not to be learnt (weight: 0, train: "
                "false), and the chat template marks {} parts of {} replies, so it is not known which ones: take "
                "data.chat: chatml, or leave these replies out",
                row + 1, text.parts.size(), counted.size());
        std::vector<std::pair<std::size_t, std::size_t>> parts;
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (counted[i])
                parts.push_back(text.parts[i]);
        text.parts = std::move(parts);
    }
    const SequenceTokens::Placed placed = tokens_.place(text.text);
    made.ids = placed.ids;
    made.labels.assign(made.ids.size(), kUncountedLabel);
    std::size_t part = 0;
    for (std::size_t i = 0; i < made.ids.size(); ++i) {
        const auto& [from, to] = placed.bytes[i];
        while (part < text.parts.size() && text.parts[part].second <= from)
            ++part;
        if (part < text.parts.size() && text.parts[part].first < to)
            made.labels[i] = made.ids[i];
    }
    return made;
}

std::string row_tools(const formats::Column* tools, std::int64_t row, std::int64_t number) {
    if (tools == nullptr || tools->is_missing(row))
        return {};
    const auto at = static_cast<std::size_t>(row);
    if (tools->field.list && tools->list_ends[at] == (at > 0 ? tools->list_ends[at - 1] : 0))
        return "[]";
    if (tools->field.list || tools->field.type != formats::ElementType::text)
        throw UserError("the tools of row {} are not a list of tables", number + 1);
    return std::string(tools->text(row));
}

Message chat_problem(const config::Recipe& recipe, std::int64_t most_rows) {
    const config::DataRecipe& data = recipe.data;
    const std::vector<fs::path> files = corpus_files(data);
    TableColumns columns = choose_columns(data, recipe.model.task, recipe.model.loss, files);
    const std::string name = columns.names.at("data.column");
    if (data.on_corrupt == config::OnCorrupt::skip)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    formats::TableSet set(files, columns.options);
    const SequenceTokens tokens(recipe);
    const ChatTokens chats(recipe, tokens);
    RowProblems problems;
    for (std::int64_t seen = 0; seen < most_rows;) {
        const formats::Table rows = set.next(std::min(kChatRowsAtOnce, most_rows - seen));
        if (rows.rows == 0)
            break;
        const formats::Column& column = rows.at(name);
        const formats::Column* tools = columns.names.contains(kChatTools) ? &rows.at(kChatTools) : nullptr;
        if (column.field.type != formats::ElementType::text || column.field.list)
            return {};  // a problem of the column, which the training reports
        for (std::int64_t row = 0; row < rows.rows; ++row)
            if (!column.is_missing(row))
                problems.run([&] {
                    (void)chats.of(std::string(column.text(row)), row_tools(tools, row, seen + row), seen + row);
                });
        seen += rows.rows;
    }
    return problems.message();
}

}  // namespace trainyard::inputs
