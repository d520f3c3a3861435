// SPDX-License-Identifier: GPL-3.0-or-later
// Chat templates of strangers: rendered within the bounds of template_program.h, or refused with a sentence. The same
// text gives the same result.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/tokenizers/chat_template.h"
#include "formats/tokenizers/template_values.h"

namespace {

using namespace trainyard;
using Json = nlohmann::ordered_json;

const Json& variables() {
    static const Json all{
        {"messages",
         {{{"role", "system"}, {"content", "Be brief."}},
          {{"role", "user"}, {"content", {{{"type", "image"}}, {{"type", "text"}, {"text", "Hällo"}}}}},
          {{"role", "assistant"},
           {"content", nullptr},
           {"tool_calls",
            {{{"type", "function"},
              {"function", {{"name", "weather"}, {"arguments", {{"days", 2}, {"part", 0.5}}}}}}}}},
          {{"role", "tool"}, {"content", "{\"sun\": true}"}},
          {{"role", "user"}, {"content", "<think>\nno\n</think> 12"}}}},
        {"tools", {{{"type", "function"}, {"function", {{"name", "weather"}, {"parameters", Json::object()}}}}}},
        {"add_generation_prompt", true},
        {"bos_token", "<s>"},
        {"eos_token", "</s>"}};
    return all;
}

std::string rendered(const std::string& form) {
    try {
        const std::string text = tokenizers::ChatTemplate(form).render(variables());
        if (text.size() > tokenizers::jinja::kMostText)
            std::abort();
        return "text " + text;
    } catch (const UserError& error) {
        if (std::string(error.what()).empty())
            std::abort();
        return "error";
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string form(reinterpret_cast<const char*>(data), size);
    const std::string once = rendered(form);
    if (form.find("strftime_now") == std::string::npos && rendered(form) != once)
        std::abort();
    return 0;
}
