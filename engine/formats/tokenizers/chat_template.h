// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The chat template of a tokenizer: the part of Jinja that templates of published models use, with the results of
// Jinja 3.1 as transformers sets it up (trim_blocks, lstrip_blocks, loop controls, the immutable sandbox). Statements:
// if, for, set, macro, filter, break, continue, generation. Files, imports and inheritance do not exist here, and time,
// memory and depth are bounded: a template is data of others.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace trainyard::tokenizers {

/// A text with parts of it, as bytes from and to, in order.
struct MarkedText {
    std::string text;
    std::vector<std::pair<std::size_t, std::size_t>> parts;
};

class ChatTemplate {
  public:
    /// Throws UserError with the line of what is wrong or not supported.
    explicit ChatTemplate(const std::string& text);
    ~ChatTemplate();
    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;

    /// `variables`: messages, add_generation_prompt, bos_token, eos_token, tools, ... Throws UserError, also with what
    /// the template says itself (raise_exception).
    std::string render(const nlohmann::ordered_json& variables) const { return render_marked(variables).text; }
    /// The same with the parts that blocks `generation` wrote.
    MarkedText render_marked(const nlohmann::ordered_json& variables) const;
    /// Whether it has blocks `generation`.
    bool has_generation() const;

  private:
    struct Program;
    std::unique_ptr<Program> program_;
};

struct ChatMessage {
    std::string role;  ///< system, user, assistant
    std::string content;

    void fields(auto& field) const { field("role", role).required()("content", content).required(); }
    bool operator==(const ChatMessage&) const = default;
};

/// The chat template of a model folder (chat_template.jinja, else tokenizer_config.json) and its special tokens.
class ChatFormat {
  public:
    /// Throws UserError naming the file if there is no template, or it cannot be read.
    static ChatFormat of_folder(const std::filesystem::path& folder);
    static bool has_template(const std::filesystem::path& folder);
    /// The text for which the model writes the reply of the assistant. It has all special tokens: encode it without
    /// adding any.
    std::string prompt(const std::vector<ChatMessage>& messages) const;
    /// A whole conversation, `messages` as a list of tables with role, content and what else the template reads, and
    /// the list of `tools` that the model may call, as transformers passes it to the template (null: none). The parts
    /// are what the assistant says: those of blocks `generation` if the template has any; else of each of its
    /// messages what the text up to it has after the text that asks for it. Throws UserError, also if the text does not
    /// say where a message is.
    MarkedText conversation(const nlohmann::ordered_json& messages, const nlohmann::ordered_json& tools) const;

  private:
    ChatFormat(ChatTemplate form, nlohmann::ordered_json variables)
        : form_(std::move(form)), variables_(std::move(variables)) {}
    nlohmann::ordered_json variables_of(nlohmann::ordered_json messages, const nlohmann::ordered_json& tools,
                                        bool asks) const;
    ChatTemplate form_;
    nlohmann::ordered_json variables_;
};

}  // namespace trainyard::tokenizers
