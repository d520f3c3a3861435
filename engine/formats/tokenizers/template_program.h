// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Statements of a chat template, made from its text. A template is data of others: time, output and depth are bounded.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formats/tokenizers/template_values.h"

namespace trainyard::tokenizers::jinja {

constexpr std::size_t kMostOutput = 16u << 20;
constexpr std::int64_t kMostWork = 2'000'000;  // evaluations

/// Variables by scope, and what a rendering may still do.
struct Rendering {
    std::vector<std::map<std::string, Value>> scopes;
    std::string out;
    std::int64_t work = 0;
    int depth = 0;

    void count() {
        if (++work > kMostWork)
            fail("it needs too much time");
    }
    void write(const std::string& text) {
        if (out.size() + text.size() > kMostOutput)
            fail("its text is too long");
        out += text;
    }
    Value look_up(const std::string& name) const {
        for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end())
                return found->second;
        return Value(Undefined{name});
    }
};

enum class Flow { normal, breaks, continues };
using Expression = std::function<Value(Rendering&)>;
using Statement = std::function<Flow(Rendering&)>;

/// Throws UserError with the line of what is wrong or not supported.
Statement parse_template(std::string text);

/// The functions that templates call: raise_exception, namespace, dict, range, strftime_now.
std::map<std::string, Value> functions();

}  // namespace trainyard::tokenizers::jinja
