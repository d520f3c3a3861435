// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/chat_template.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/regular_file.h"
#include "formats/tokenizers/template_program.h"

namespace trainyard::tokenizers {

namespace fs = std::filesystem;

namespace {

using jinja::Json;

constexpr std::size_t kMostTemplate = 1 << 20;

}  // namespace

struct ChatTemplate::Program {
    jinja::ParsedTemplate parsed;
};

ChatTemplate::ChatTemplate(const std::string& text) {
    if (text.size() > kMostTemplate)
        jinja::fail("it is longer than 1 MiB");
    program_ = std::make_unique<Program>(Program{jinja::parse_template(text)});
}

ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

bool ChatTemplate::has_generation() const {
    return program_->parsed.has_generation;
}

MarkedText ChatTemplate::render_marked(const Json& variables) const {
    jinja::Rendering at;
    at.scopes.push_back(jinja::functions());
    for (const auto& [name, value] : variables.items())
        at.scopes.back()[name] = jinja::value_of(value);
    at.scopes.emplace_back();
    program_->parsed.body(at);
    // Text that was captured may have been changed, or left out.
    for (auto& [from, to] : at.generated) {
        to = std::min(to, at.out.size());
        from = std::min(from, to);
    }
    std::ranges::sort(at.generated);
    return {std::move(at.out), std::move(at.generated)};
}

namespace {

constexpr std::uint64_t kMostConfig = 64u << 20;

Json json_file(const fs::path& file) {
    return read_ordered_json(read_regular_file(file, kMostConfig));
}

/// The template of tokenizer_config.json: a text, or a list of named ones of which the default counts.
std::string template_in(const Json& config) {
    const auto found = config.is_object() ? config.find("chat_template") : config.end();
    if (!config.is_object() || found == config.end())
        return {};
    if (found->is_string())
        return found->get<std::string>();
    if (found->is_array())
        for (const Json& one : *found)
            if (one.is_object() && one.value("name", "") == "default" && one.contains("template") &&
                one["template"].is_string())
                return one["template"].get<std::string>();
    return {};
}

}  // namespace

bool ChatFormat::has_template(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / "chat_template.jinja", error))
        return true;
    return fs::exists(folder / "tokenizer_config.json", error) &&
           !template_in(json_file(folder / "tokenizer_config.json")).empty();
}

ChatFormat ChatFormat::of_folder(const fs::path& folder) {
    std::error_code error;
    const fs::path config_file = folder / "tokenizer_config.json", form_file = folder / "chat_template.jinja";
    Json variables = Json::object(), config;
    if (fs::exists(config_file, error)) {
        config = json_file(config_file);
        if (config.is_object())
            for (const char* token : {"bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token"})
                if (const auto found = config.find(token); found != config.end()) {
                    // A text, or an added token with its text.
                    if (found->is_string())
                        variables[token] = *found;
                    else if (found->is_object() && found->contains("content"))
                        variables[token] = (*found)["content"];
                }
    }
    const std::string form =
        fs::exists(form_file, error) ? read_regular_file(form_file, kMostTemplate) : template_in(config);
    if (form.empty())
        throw UserError("{} has no chat template: give a prompt instead of a conversation", folder.string());
    return {ChatTemplate(form), std::move(variables)};
}

Json ChatFormat::variables_of(Json messages, const Json& tools, bool asks) const {
    Json all = variables_;
    all["messages"] = std::move(messages);
    all["add_generation_prompt"] = asks;
    all["tools"] = tools;
    all["documents"] = nullptr;
    return all;
}

std::string ChatFormat::prompt(const std::vector<ChatMessage>& messages) const {
    Json list = Json::array();
    for (const ChatMessage& one : messages)
        list.push_back({{"role", one.role}, {"content", one.content}});
    return form_.render(variables_of(std::move(list), Json(), true));
}

namespace {

/// The longest end of `text` that `other` begins with, as its number of bytes (Knuth, Morris and Pratt's table).
std::size_t longest_overlap(std::string_view text, std::string_view other) {
    std::vector<std::size_t> border(other.size() + 1, 0);
    for (std::size_t i = 1, length = 0; i < other.size();) {
        if (other[i] == other[length])
            border[++i] = ++length;
        else if (length > 0)
            length = border[length];
        else
            border[++i] = 0;
    }
    std::size_t length = 0;
    for (const char letter : text) {
        while (length > 0 && (length == other.size() || other[length] != letter))
            length = border[length];
        if (length < other.size() && other[length] == letter)
            ++length;
    }
    return length;
}

/// Bytes at the beginning of `text` that are the reply `alone`, which a template writes differently while it is the
/// last message: with more before its words, such as an empty thought, or with more after them, such as the end of the
/// text. 0 if the words of the reply are not among them.
std::size_t shared_reply(std::string_view alone, std::string_view text, std::string_view words) {
    const std::size_t overlap = longest_overlap(alone, text);
    if (overlap > 0 && text.substr(0, overlap).find(words) != std::string_view::npos)
        return overlap;
    std::string_view same =
        text.substr(0, static_cast<std::size_t>(std::ranges::mismatch(alone, text).in1 - alone.begin()));
    for (const auto& [opens, closes] : {std::pair('<', '>'), {'[', ']'}})  // a mark of which only the beginning is same
        if (const std::size_t mark = same.find_last_of(opens);
            mark != std::string_view::npos && same.find(closes, mark) == std::string_view::npos)
            same = same.substr(0, mark);
    return same.find(words) == std::string_view::npos ? 0 : same.size();
}

/// The last line of what a message says: what a template leaves out of it precedes it.
std::string last_words(const Json& message) {
    const auto content = message.find("content");
    std::string text;
    if (content != message.end() && content->is_string())
        text = content->get<std::string>();
    else if (content != message.end() && content->is_array() && !content->empty() && content->back().is_object() &&
             content->back().contains("text") && content->back()["text"].is_string())
        text = content->back()["text"].get<std::string>();
    text.erase(text.find_last_not_of(jinja::kBlanks) + 1);
    const std::size_t line = text.find_last_of('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
}

/// A thought under each name that templates read, as transformers has it.
Json with_reasoning(Json messages) {
    for (Json& message : messages)
        for (const char* key : {"reasoning_content", "thinking", "reasoning"})
            if (message.contains(key) && !message[key].is_null()) {
                const Json thought = message[key];
                message["reasoning_content"] = thought;
                if (!message.contains("thinking"))
                    message["thinking"] = thought;
                break;
            }
    return messages;
}

}  // namespace

MarkedText ChatFormat::conversation(const Json& given, const Json& tools) const {
    const Json messages = with_reasoning(given);
    MarkedText all = form_.render_marked(variables_of(messages, tools, false));
    if (form_.has_generation())
        return all;
    Json before = Json::array();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Json& message = messages[i];
        if (message.value("role", "") != "assistant") {
            before.push_back(message);
            continue;
        }
        const std::string asking = form_.render(variables_of(before, tools, true));
        before.push_back(message);
        const std::string with = i + 1 == messages.size() ? all.text : form_.render(variables_of(before, tools, false));
        const std::size_t from = asking.size();
        bool is_known = all.text.starts_with(asking) && with.starts_with(asking);
        std::size_t to = with.size();
        if (is_known && !all.text.starts_with(with)) {
            to = from + shared_reply(std::string_view(with).substr(from), std::string_view(all.text).substr(from),
                                     last_words(message));
            is_known = to > from;
        }
        if (!is_known)
            throw UserError(
                "its chat template does not write message {} where it asks for it, so what the assistant says is not "
                "known: take a template with {{% generation %}}, or data.chat: chatml",
                i + 1);
        all.parts.emplace_back(from, to);
    }
    return all;
}

}  // namespace trainyard::tokenizers
