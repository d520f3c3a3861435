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
    const Json golden = Json::parse(std::ifstream(test::golden("chat_templates") / "cases.json"));
    const std::string date = golden["date"];
    int texts = 0, errors = 0;
    for (const Json& one : golden["cases"]) {
        const std::string name = one["template"], conversation = one["conversation"];
        Json variables = golden["conversations"][conversation];
        variables.update(
            {{"add_generation_prompt", one["add_generation_prompt"]}, {"bos_token", "<s>"}, {"eos_token", "</s>"}});
        SCOPED_TRACE(name + " " + conversation);
        try {
            const std::string text = rendered(test::with_date(golden["templates"][name]["text"], date), variables);
            EXPECT_TRUE(one.contains("text")) << "Jinja says: " << one.value("error", "");
            EXPECT_EQ(text, one.value("text", ""));
            ++texts;
        } catch (const UserError& error) {
            EXPECT_TRUE(one.contains("error")) << error.what();
            EXPECT_THAT(error.what(), HasSubstr(one.value("error", "?")));
            ++errors;
        }
    }
    EXPECT_GT(texts, errors);
}

TEST(ChatTemplates, WhatIsNotSupportedIsNamedWithItsLine) {
    for (const auto& [form, words] : {std::pair("a\n{% include 'x' %}", "line 2: the statement include"),
                                      {"{{ 1 | nonsense }}", "nonsense"},
                                      {"{{ 1 is nonsense }}", "nonsense"},
                                      {"{{ 'a'.zfill(1) }}", "zfill"},
                                      {"{{ '{a}'.format(1) }}", "{a}"},
                                      {"{% set ns = namespace() %}{% set ns.a = [ns] %}", "ns.a cannot be a namespace"},
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
    std::string nested, chain;
    for (int i = 0; i < 50'000; ++i) {
        nested += "{% if 1 %}";
        chain += ".a";
    }
    const std::string nots = [] {
        std::string text;
        for (int i = 0; i < 150; ++i)
            text += "not ";
        return text;
    }();
    const std::string doubling =
        "{% set ns = namespace(v=START) %}{% for i in range(60) %}{% set ns.v = STEP %}{% endfor %}{{ ns.v == 1 }}";
    const auto grows = [&](const std::string& start, const std::string& step) {
        std::string form = doubling;
        form.replace(form.find("START"), 5, start);
        return form.replace(form.find("STEP"), 4, step);
    };
    for (const std::string& form :
         {std::string("{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}"),
          std::string("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
          "{% macro f() %}{{ " + nots + "f() }}{% endmacro %}{{ f() }}", std::string("{{ 'xxxxxxxx' * 100000000 }}"),
          "{{ " + std::string(100'000, '(') + "1" + std::string(100'000, ')') + " }}", nested, "{{ a" + chain + " }}",
          grows("'x'", "ns.v ~ ns.v"), grows("'x'", "ns.v + ns.v"), grows("[1]", "ns.v + ns.v"),
          grows("'xx'", "ns.v | replace('x', ns.v)"),
          grows("[1]", "[ns.v, ns.v]") + "{{ ns.v == [ns.v, ns.v] }}{{ ns.v }}",
          std::string("{% set ns = namespace(v=[]) %}{% for i in range(100000) %}{% set ns.v = [ns.v] %}{% endfor %}{{ "
                      "ns.v }}"),
          std::string("{% set a = 'x' * 16000000 %}{% for i in range(100000) %}{{ (a ~ '')[0] }}{% endfor %}"),
          std::string("{{ [1] | tojson(indent=2000000000) }}"), std::string("{{ (2 ** 2000) | int }}")})
        EXPECT_THROW(rendered(form), UserError) << form.substr(0, 100);
    EXPECT_EQ(rendered("{{ range(9223372036854775806, 9223372036854775807, 5) | length }}"), "1");
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
