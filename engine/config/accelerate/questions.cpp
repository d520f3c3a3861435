// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/questions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "base/number.h"
#include "base/text.h"
#include "base/truth.h"

namespace trainyard::settings::questions {

namespace {

const std::string kNothing;

bool environment_fits(const Context& context, const Question& question) {
    if (question.id == "env")
        return true;
    return question.id.starts_with("sm_") == context.sagemaker();
}

}  // namespace

const std::vector<Row>& rows() {
    static const std::vector<Row> kRows = [] {
        std::vector<Row> all;
        for (auto* part : {+[] { return topology_rows(); }, +[] { return compile_rows(false); },
                           +[] { return deepspeed_rows(); }, +[] { return fsdp_rows(); }, +[] { return mesh_rows(); },
                           +[] { return megatron_rows(); }, +[] { return device_rows(); }, +[] { return tpu_rows(); },
                           +[] { return precision_rows(); }, +[] { return sagemaker_rows(); }})
            for (Row& row : part())
                all.push_back(std::move(row));
        return all;
    }();
    return kRows;
}

int row_index(std::string_view id) {
    static const std::unordered_map<std::string_view, int> kIndex = [] {
        std::unordered_map<std::string_view, int> index;
        for (std::size_t i = 0; i < rows().size(); ++i)
            index[rows()[i].question.id] = static_cast<int>(i);
        return index;
    }();
    auto found = kIndex.find(id);
    return found == kIndex.end() ? -1 : found->second;
}

Context::Context(const Machine& machine, bool detect, const Answers& answers)
    : machine_(machine), detect_(detect), answers_(answers), shown_(rows().size(), -1), defaults_(rows().size()) {}

bool Context::shown(std::string_view id) const {
    int index = row_index(id);
    if (index < 0)
        return false;
    signed char& known = shown_[static_cast<std::size_t>(index)];
    if (known < 0) {
        const Row& row = rows()[static_cast<std::size_t>(index)];
        known = environment_fits(*this, row.question) && (!row.shown || row.shown(*this)) ? 1 : 0;
    }
    return known == 1;
}

const std::string& Context::answer(std::string_view id) const {
    auto given = answers_.find(id);
    if (given != answers_.end() && !given->second.empty())
        return given->second;
    int index = row_index(id);
    if (index < 0)
        return kNothing;
    std::optional<std::string>& known = defaults_[static_cast<std::size_t>(index)];
    if (!known) {
        const Row& row = rows()[static_cast<std::size_t>(index)];
        std::string text;
        if (detect_ && row.detected)
            text = row.detected(*this);
        if (text.empty())
            text = row.fallback_of ? row.fallback_of(*this) : row.fallback;
        known = std::move(text);
    }
    return *known;
}

const std::string& Context::value(std::string_view id) const {
    return shown(id) ? answer(id) : kNothing;
}

bool Context::yes(std::string_view id) const {
    return truth_of(value(id)) == Truth::yes;
}

std::int64_t Context::integer(std::string_view id, std::int64_t otherwise) const {
    return whole_number(value(id)).value_or(otherwise);
}

bool Context::accelerators() const {
    const std::string& type = value("machine_type");
    return type.starts_with("MULTI_") && type != "MULTI_CPU";
}

std::string_view Context::distributed_type() const {
    if (yes("ds"))
        return "DEEPSPEED";
    if (yes("fsdp"))
        return "FSDP";
    if (yes("mlm"))
        return "MEGATRON_LM";
    return value("machine_type");
}

bool Context::on_cpu() const {
    return yes("use_cpu") || is("machine_type", "MULTI_CPU");
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::string_view rest = text::trimmed(text);
    if (rest.starts_with('+'))
        rest.remove_prefix(1);
    if (const auto number = parse_number<std::int64_t>(rest))
        return number;
    // The reference's own prompt suggests 1e8.
    if (rest.find_first_of("eE") == std::string_view::npos)
        return std::nullopt;
    auto real = real_number(rest);
    if (!real || *real != std::floor(*real) || std::abs(*real) > 1e15)
        return std::nullopt;
    return static_cast<std::int64_t>(*real);
}

std::optional<double> real_number(std::string_view text) {
    std::string_view rest = text::trimmed(text);
    if (rest.starts_with('+'))
        rest.remove_prefix(1);
    return parse_number<double>(rest);
}

std::string with_home(const std::string& path) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || !(path == "~" || path.starts_with("~/")))
        return path;
    return home + path.substr(1);
}

Value list_of(const std::string& text, char separator) {
    Value::List items;
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t end = std::min(text.find(separator, start), text.size());
        const std::string item(text::trimmed(std::string_view(text).substr(start, end - start)));
        if (!item.empty())
            items.emplace_back(item);
        start = end + 1;
    }
    return Value(std::move(items));
}

std::function<std::optional<std::string>(const Settings&)> yes_when_there(std::vector<std::string> paths,
                                                                          std::string_view table) {
    return [paths = std::move(paths),
            table = std::string(table)](const Settings& settings) -> std::optional<std::string> {
        for (const std::string& path : paths)
            if (const Value* value = settings.find(path); value != nullptr && !value->is_null())
                return "yes";
        if (!table.empty())
            if (const Value* value = settings.find(table); value != nullptr && value->map() && !value->map()->empty())
                return "yes";
        return "no";
    };
}

std::function<std::optional<std::string>(const Settings&)> yes_when_type(std::string_view type) {
    return [type](const Settings& settings) -> std::optional<std::string> {
        if (!settings.has("distributed_type"))
            return std::nullopt;
        return settings.text("distributed_type") == type ? "yes" : "no";
    };
}

std::vector<Option> plain_options(std::initializer_list<std::string_view> values) {
    std::vector<Option> options;
    for (std::string_view value : values)
        options.push_back({std::string(value), std::string(value), ""});
    return options;
}

Question question(std::string_view id, Topic topic, QuestionKind kind, std::string_view title, std::string_view label,
                  std::string_view help, std::string_view path, std::vector<Option> options) {
    return {
        std::string(id),   topic, kind, std::string(title), std::string(label), std::string(help), std::string(path),
        std::move(options)};
}

}  // namespace trainyard::settings::questions
