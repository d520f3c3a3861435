// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations as tokens: by the tokenizer's chat template with the masks of transformers (golden/chat_masks), as
// ChatML, in ShareGPT's form, and what is refused.

#include "config/inputs/chat_tokens.h"

#include <fstream>
#include <tuple>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/sample_preview.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class ChatTokensTest : public testing::Test {
  protected:
    /// A recipe with a tokenizer that has this template; without one if it is empty.
    config::Recipe recipe(config::ChatFormat chat, const std::string& chat_template) const {
        const fs::path folder = folder_.path() / "tokenizer";
        fs::create_directories(folder);
        fs::copy_file(test::golden("chat_masks") / "tokenizer.json", folder / "tokenizer.json",
                      fs::copy_options::overwrite_existing);
        write_file_atomically(folder / "tokenizer_config.json",
                              R"({"bos_token": "<s>", "eos_token": {"content": "</s>"}, "unk_token": "<unk>"})");
        fs::remove(folder / "chat_template.jinja");
        if (!chat_template.empty())
            write_file_atomically(folder / "chat_template.jinja", chat_template);
        config::Recipe made;
        made.data.tokenizer = folder.string();
        made.data.chat = chat;
        made.data.sequence_length = 16;  // conversations are not cut
        return made;
    }
    /// The text of the counted tokens.
    static std::string learnt(const config::Recipe& recipe, const std::string& conversation,
                              const std::string& tools = {}) {
        const SequenceTokens tokens(recipe);
        const SampleTokens sample = ChatTokens(recipe, tokens).of(conversation, tools, 0);
        std::vector<std::int64_t> ids;
        for (std::size_t i = 0; i < sample.ids.size(); ++i)
            if (sample.labels[i] != kUncountedLabel)
                ids.push_back(sample.ids[i]);
        return tokens.whole_text_of(ids);
    }
    static Message refusal(const auto& run) {
        try {
            run();
        } catch (const UserError& error) {
            return error.message();
        }
        return "nothing was refused";
    }

    test::TemporaryFolder folder_;
};

TEST_F(ChatTokensTest, MasksAreThoseOfTransformers) {
    const Json golden = Json::parse(std::ifstream(test::golden("chat_masks") / "cases.json"));
    int masks = 0, with_reply = 0;
    for (const Json& one : golden["cases"]) {
        if (!one.contains("mask"))
            continue;
        const std::string name = one["template"], conversation = one["conversation"];
        SCOPED_TRACE(name + ", " + conversation);
        const config::Recipe chat =
            recipe(config::ChatFormat::tokenizer, test::with_date(golden["templates"][name], golden.value("date", "")));
        const SequenceTokens tokens(chat);
        const Json offered = golden["tools"].value(conversation, Json());
        const SampleTokens sample =
            ChatTokens(chat, tokens).of(golden["conversations"][conversation].dump(), offered.dump(), 0);
        std::string ids, mask;
        for (std::size_t i = 0; i < sample.ids.size(); ++i) {
            ids += (i > 0 ? " " : "") + std::to_string(sample.ids[i]);
            mask += sample.labels[i] == kUncountedLabel ? '0' : '1';
        }
        EXPECT_EQ(ids, one["ids"].get<std::string>());
        EXPECT_EQ(mask, one["mask"].get<std::string>()) << one["text"];
        ++masks;
        with_reply += mask.find('1') != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(masks, 180);
    EXPECT_GT(with_reply, 140);
}

/// The column `tools` beside the conversations, as lists, as JSON in texts, or empty.
TEST_F(ChatTokensTest, ToolsOfARowArePassedToTheTemplate) {
    config::Recipe chats = recipe(config::ChatFormat::automatic,
                                  "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{% generation %}"
                                  "{{ tools[0].name if tools else 'none' }}{% endgeneration %}{% endfor %}");
    const std::string chat = R"([{"role": "user", "content": "x"}])";
    EXPECT_EQ(learnt(chats, chat, R"([{"name": "a"}])"), "a");
    EXPECT_EQ(learnt(chats, chat, R"("[{\"name\": \"b\"}]")"), "b");
    for (const char* none : {"", "null", "[]", "\"null\""})
        EXPECT_EQ(learnt(chats, chat, none), "none") << none;
    const fs::path file = folder_.path() / "chats.jsonl";
    chats.data.format = config::DataFormat::jsonl;
    chats.data.paths = {file.string()};
    const auto shown = [&](const std::string& rows) {
        write_file_atomically(file, rows);
        std::vector<std::string> texts;
        for (const SamplePreview& row : preview_samples(chats, {file}, 9).rows) {
            texts.push_back(row.problem.text());
            for (const PreviewToken& token : row.tokens)
                texts.back() += token.text;
        }
        return texts;
    };
    const auto line = [&](const std::string& tools) {
        return R"({"messages": )" + chat + (tools.empty() ? "" : R"(, "tools": )" + tools) + "}\n";
    };
    EXPECT_EQ(shown(line(R"([{"name": "a"}])") + line("[]") + line("null") + line("") + line(R"("[]")")),
              (std::vector<std::string>{R"([{"name": "a"}]a)", "none", "none", "none", "none"}));
    EXPECT_EQ(shown(line("[]") + line("null")), (std::vector<std::string>{"none", "none"}));
    EXPECT_THAT(shown(line("[7]")), testing::ElementsAre(HasSubstr("the tools of row 1 are not a list of tables")));
    EXPECT_THAT(shown(line(R"(["x"])") + line("[]")),
                testing::ElementsAre(HasSubstr("the tools of row 1 are not a list of tables"), "none"));
    EXPECT_THAT(chat_problem(chats, 100), says("the tools of row {} are not a list of tables", 1));
    // ChatML has no place for them.
    EXPECT_THAT(refusal([&] { learnt(recipe(config::ChatFormat::chatml, ""), chat, R"([{"name": "a"}])"); }),
                says("the conversation of row {} has tools, which ChatML does not write: take data.chat: auto with a "
                     "tokenizer that has a chat template, or remove the column {}",
                     1, "tools"));
    EXPECT_EQ(learnt(recipe(config::ChatFormat::chatml, ""), chat, "[]"), "");
}

TEST_F(ChatTokensTest, WhatATemplateWritesOnlyForTheLastReplyDoesNotHideTheOthers) {
    const Json golden = Json::parse(std::ifstream(test::golden("chat_masks") / "cases.json"));
    const std::string thoughts = golden["conversations"]["thoughts"].dump(),
                      turns = golden["conversations"]["two turns"].dump();
    // Qwen3 writes thoughts after the last question only.
    EXPECT_EQ(learnt(recipe(config::ChatFormat::tokenizer, golden["templates"]["qwen3"]), thoughts),
              "It is 1.<|im_end|>\n<think>\nsecond\n</think>\n\nIt is 2.<|im_end|>\n");
    // Phi-3 ends the whole text with a mark.
    EXPECT_EQ(learnt(recipe(config::ChatFormat::tokenizer, golden["templates"]["phi3"]), turns),
              "1<|end|>\n2\n\nor more<|end|>\n</s>");
}

TEST_F(ChatTokensTest, AutoTakesTheTemplateIfThereIsOneElseChatMl) {
    const std::string chat = R"([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}])";
    const std::string form =
        "{% for m in messages %}({{ m.role[0] }}:{{ m.content }}){% endfor %}"
        "{% if add_generation_prompt %}(a:{% endif %}";
    EXPECT_EQ(learnt(recipe(config::ChatFormat::automatic, form), chat), "y)");
    EXPECT_EQ(learnt(recipe(config::ChatFormat::automatic, ""), chat), "y<|im_end|>");
    EXPECT_EQ(learnt(recipe(config::ChatFormat::chatml, form), chat), "y<|im_end|>");
    config::Recipe bytes;
    bytes.data.chat = config::ChatFormat::automatic;
    EXPECT_EQ(learnt(bytes, chat), "y<|im_end|>") << "a token per byte";
    const Message none = refusal([&] { learnt(recipe(config::ChatFormat::tokenizer, ""), chat); });
    EXPECT_THAT(none, says("{} has no chat template, neither chat_template.jinja nor chat_template in "
                           "tokenizer_config.json: set data.chat to auto or chatml",
                           (folder_.path() / "tokenizer").string()));
}

TEST_F(ChatTokensTest, ConversationsInTheFormOfShareGptAreTheSame) {
    const std::string shared = R"([{"from": "system", "value": "s"}, {"from": "human", "value": "x"},
                                   {"from": "gpt", "value": "y"}])";
    EXPECT_EQ(learnt(recipe(config::ChatFormat::chatml, ""), shared), "y<|im_end|>");
    EXPECT_THAT(refusal([&] { learnt(recipe(config::ChatFormat::chatml, ""), R"([{"speaker": "x"}])"); }),
                says("the conversation of row {} {}: it is a list of tables with role and content, or "
                     "with from and value",
                     1, _));
}

TEST_F(ChatTokensTest, RepliesWithWeight0AreNotLearnt) {
    const auto chat = [](const char* first, const char* second) {
        return std::string(R"([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y")") + first +
               R"(}, {"role": "user", "content": "x"}, {"role": "assistant", "content": "z")" + second + "}]";
    };
    const std::string marked =
        "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}"
        "{% endgeneration %}{% else %}?{% endif %}{% endfor %}";
    const std::string plain =
        "{% for m in messages %}({{ m.content }}){% endfor %}"
        "{% if add_generation_prompt %}({% endif %}";
    for (const auto& [form, all, last, first] :
         {std::tuple(std::string(), "y<|im_end|>z<|im_end|>", "z<|im_end|>", "y<|im_end|>"),
          {marked, "yz", "z", "y"},
          {plain, "y)z)", "z)", "y)"}}) {
        const config::Recipe own = recipe(config::ChatFormat::automatic, form);
        EXPECT_EQ(learnt(own, chat("", R"(, "weight": 1)")), all);
        EXPECT_EQ(learnt(own, chat(R"(, "weight": 0)", "")), last);
        EXPECT_EQ(learnt(own, chat("", R"(, "train": false)")), first);
    }
    EXPECT_THAT(refusal([&] { learnt(recipe(config::ChatFormat::chatml, ""), chat("", R"(, "weight": 0.5)")); }),
                says("the conversation of row {} has a message with another weight than 0 or 1", 1));
    EXPECT_THAT(refusal([&] {
                    learnt(recipe(config::ChatFormat::automatic, "{% generation %}all{% endgeneration %}"),
                           chat("", R"(, "weight": 0)"));
                }).text(),
                HasSubstr("the chat template marks 1 parts of 2 replies"));
}

TEST_F(ChatTokensTest, ATemplateThatHidesARepliesPlaceOrRefusesIsReported) {
    const std::string chat = R"([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}])";
    const std::string reversed =
        "{% for m in messages | reverse %}{{ m.content }};{% endfor %}{% if add_generation_prompt %}?{% endif %}";
    EXPECT_THAT(refusal([&] { learnt(recipe(config::ChatFormat::tokenizer, reversed), chat); }),
                says("the conversation of row {}: {}", 1, HasSubstr("does not write message 2 where")));
    EXPECT_THAT(refusal([&] {
                    learnt(recipe(config::ChatFormat::tokenizer, "{{ raise_exception('only tools') }}"), chat);
                }).text(),
                HasSubstr("only tools"));
}

/// Before the start, all rows with a problem are one message.
TEST_F(ChatTokensTest, RowsThatCannotBeWrittenAreOneMessage) {
    config::Recipe chats = recipe(config::ChatFormat::chatml, "");
    const fs::path file = folder_.path() / "chats.jsonl";
    write_file_atomically(file, R"({"messages": [{"role": "user", "content": "x"}]})"
                                "\n"
                                R"({"messages": [{"role": "user"}]})"
                                "\n"
                                R"({"messages": [{"role": "user", "content": null}]})"
                                "\n");
    chats.data.format = config::DataFormat::jsonl;
    chats.data.paths = {file.string()};
    EXPECT_THAT(chat_problem(chats, 100),
                says("{}. Rows with such a problem: {}", HasSubstr("the conversation of row 2 has a turn"), 2));
    EXPECT_TRUE(chat_problem(chats, 1).empty());
}

}  // namespace
}  // namespace trainyard::inputs
