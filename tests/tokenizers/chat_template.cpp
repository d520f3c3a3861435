// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of chat templates: those of published models give the text that Jinja gives (golden/chat_templates), the
// template of a model folder is found, and what is not supported or does not end is refused.

#include "formats/tokenizers/chat_template.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::tokenizers {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string rendered(const std::string& form, const Json& variables = Json::object()) {
    return ChatTemplate(form).render(variables);
}

TEST(ChatTemplates, PublishedTemplatesGiveTheTextsOfJinja) {
    const Json golden = Json::parse(std::ifstream(test::own_golden("chat_templates") / "cases.json"));
    int texts = 0, errors = 0;
    for (const Json& one : golden["cases"]) {
        const std::string name = one["template"], conversation = one["conversation"];
        const Json variables{{"messages", golden["conversations"][conversation]},
                             {"add_generation_prompt", one["add_generation_prompt"]},
                             {"bos_token", "<s>"},
                             {"eos_token", "</s>"}};
        SCOPED_TRACE(name + " " + conversation);
        try {
            const std::string text = rendered(golden["templates"][name], variables);
            EXPECT_TRUE(one.contains("text")) << "Jinja says: " << one.value("error", "");
            EXPECT_EQ(text, one.value("text", ""));
            ++texts;
        } catch (const UserError& error) {
            EXPECT_TRUE(one.contains("error")) << error.what();
            EXPECT_THAT(error.what(), HasSubstr(one.value("error", "?")));
            ++errors;
        }
    }
    EXPECT_EQ(texts, 62);
    EXPECT_EQ(errors, 10);
}

TEST(ChatTemplates, WhatIsNotSupportedIsNamedWithItsLine) {
    for (const auto& [form, words] : {std::pair("a\n{% include 'x' %}", "line 2: the statement include"),
                                      {"{{ 1 | nonsense }}", "nonsense"},
                                      {"{{ 1 is nonsense }}", "nonsense"},
                                      {"{{ 'a'.format(1) }}", "format"},
                                      {"{% if x %}", "not closed"},
                                      {"{{ a b }}", "the end of a block is missing"},
                                      {"{{ x.y.z }}", "'y' is undefined"},
                                      {"{{ 'open }}", "does not end"},
                                      {"{{ 1 / 0 }}", "divides by 0"}})
        try {
            rendered(form, {{"x", Json::object()}});
            ADD_FAILURE() << form;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr(words)) << form;
        }
}

TEST(ChatTemplates, ATemplateThatDoesNotEndIsStopped) {
    EXPECT_THROW(rendered("{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}"),
                 UserError);
    EXPECT_THROW(rendered("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"), UserError);
    EXPECT_THROW(rendered("{{ 'xxxxxxxx' * 100000000 }}"), UserError);
    EXPECT_THROW(rendered("{{ " + std::string(100'000, '(') + "1" + std::string(100'000, ')') + " }}"), UserError);
    std::string nested;
    for (int i = 0; i < 50'000; ++i)
        nested += "{% if 1 %}";
    EXPECT_THROW(rendered(nested), UserError);
}

TEST(ChatTemplates, AFolderHasItsTemplateAndSpecialTokens) {
    const test::TemporaryFolder folder;
    EXPECT_FALSE(ChatFormat::has_template(folder.path()));
    EXPECT_THROW(ChatFormat::of_folder(folder.path()), UserError);
    std::ofstream(folder.path() / "tokenizer_config.json") << R"x({"bos_token": {"content": "<s>"}, "eos_token": "</s>",
        "chat_template": [{"name": "tool_use", "template": "no"},
                          {"name": "default", "template": "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}{{ eos_token }}{% endfor %}"}]})x";
    EXPECT_EQ(ChatFormat::of_folder(folder.path()).prompt({{"user", "Hi"}}), "<s>[user] Hi</s>");
    // The file counts before the entry, as in transformers.
    std::ofstream(folder.path() / "chat_template.jinja") << "{{ messages[-1].content }}{{ add_generation_prompt }}";
    EXPECT_EQ(ChatFormat::of_folder(folder.path()).prompt({{"user", "Hi"}}), "HiTrue");
}

}  // namespace
}  // namespace trainyard::tokenizers
