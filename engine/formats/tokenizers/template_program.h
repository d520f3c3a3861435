// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Statements of a chat template, made from its text. A template is data of others: time, output and depth are bounded.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "formats/tokenizers/template_values.h"

namespace trainyard::tokenizers::jinja {

constexpr std::int64_t kMostWork = 2'000'000;  // evaluations
constexpr std::uintptr_t kMostStack = 1u << 20;

/// Variables by scope, and what a rendering may still do.
struct Rendering {
    CostLimit limit = {};
    std::vector<std::map<std::string, Value>> scopes;
    std::string out;
    std::vector<std::pair<std::size_t, std::size_t>> generated;  ///< bytes that blocks `generation` wrote: from and to
    std::int64_t work = 0;

    void count() {
        if (++work > kMostWork)
            fail("it needs too much time");
        check_stack();
    }
    void write(const std::string& text) {
        spend(text.size());
        if (out.size() + text.size() > kMostText)
            fail("its text is too long");
        out += text;
    }
    /// Returns what `write` writes instead of adding it to the text.
    std::string capture(const auto& write) {
        std::string before = std::exchange(out, {});
        outer_ += before.size();
        write();
        outer_ -= before.size();
        return std::exchange(out, std::move(before));
    }
    /// Bytes before the place where the text continues.
    std::size_t written() const { return outer_ + out.size(); }
    /// Bounds recursion: a macro that calls itself in deep expressions.
    void check_stack() const {
        const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (std::max(here, stack_) - std::min(here, stack_) > kMostStack)
            fail("it is nested too deeply");
    }
    Value look_up(const std::string& name) const {
        for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end())
                return found->second;
        return Value(Undefined{name});
    }

  private:
    std::size_t outer_ = 0;  ///< bytes of the texts that captured ones will be a part of
    std::uintptr_t stack_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
};

enum class Flow { normal, breaks, continues };
/// A compiled part of a template. Copies share it.
template <class Result>
class Code {
  public:
    Code() = default;
    template <class Run>
    requires std::is_invocable_r_v<Result, const Run&, Rendering&> Code(Run run)
        : run_(std::make_shared<const std::function<Result(Rendering&)>>(std::move(run))) {}

    explicit operator bool() const { return run_ != nullptr; }
    Result operator()(Rendering& at) const { return (*run_)(at); }

  private:
    std::shared_ptr<const std::function<Result(Rendering&)>> run_;
};
using Expression = Code<Value>;
using Statement = Code<Flow>;

struct ParsedTemplate {
    Statement body;
    bool has_generation = false;  ///< blocks `generation` mark what the assistant says
};
/// Throws UserError with the line of what is wrong or not supported.
ParsedTemplate parse_template(const std::string& text);

/// The functions that templates call: raise_exception, namespace, dict, range, strftime_now.
std::map<std::string, Value> functions();

}  // namespace trainyard::tokenizers::jinja
