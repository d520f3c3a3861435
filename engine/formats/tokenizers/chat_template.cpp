// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/chat_template.h"

#include <cstdint>
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
    jinja::Statement body;
};

ChatTemplate::ChatTemplate(const std::string& text) {
    if (text.size() > kMostTemplate)
        jinja::fail("it is longer than 1 MiB");
    program_ = std::make_unique<Program>(Program{jinja::parse_template(text)});
}

ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

std::string ChatTemplate::render(const Json& variables) const {
    jinja::Rendering at;
    at.scopes.push_back(jinja::functions());
    for (const auto& [name, value] : variables.items())
        at.scopes.back()[name] = jinja::value_of(value);
    at.scopes.emplace_back();
    program_->body(at);
    return std::move(at.out);
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

std::string ChatFormat::prompt(const std::vector<ChatMessage>& messages) const {
    Json all = variables_;
    all["messages"] = Json::array();
    for (const ChatMessage& one : messages)
        all["messages"].push_back({{"role", one.role}, {"content", one.content}});
    all["add_generation_prompt"] = true;
    all["tools"] = nullptr;
    all["documents"] = nullptr;
    return form_.render(all);
}

}  // namespace trainyard::tokenizers
