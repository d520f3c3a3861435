// SPDX-License-Identifier: GPL-3.0-or-later
// JSON lines: see log_lines.h.

#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "desktop/sources/log_lines.h"
#include "formats/tables/metrics_record.h"

namespace trainyard::desktop {

namespace {

constexpr std::string_view kClearmlScalar = "training_stats_scalar";

class JsonlTail final : public LineTail {
  public:
    using LineTail::LineTail;

  private:
    bool take(std::string_view line, CurveBatch& batch) override {
        if (line.starts_with('['))
            return takeEvents(line, batch);
        static_assert(simdjson::SIMDJSON_PADDING <= kPadding);
        formats::JsonRecord found;
        if (!reader_.read(line, found))
            return false;
        if (found.restart) {
            flush(batch);
            batch.changes.push_back({CurveChange::Kind::Restart, {}, *found.restart, {}});
            return true;
        }
        if (!found.parameters.empty())
            batch.parameters = std::move(found.parameters);
        const std::int64_t step = found.step.value_or(this->line());
        const double time = found.time.value_or(std::numeric_limits<double>::quiet_NaN());
        for (const auto& [tag, value] : found.numbers)
            point(tag, step, time, value);
        return true;
    }

    /// Events of ClearML.
    bool takeEvents(std::string_view line, CurveBatch& batch) {
        constexpr double kNoStep = std::numeric_limits<std::int32_t>::min();
        const nlohmann::json events = read_json(line);
        if (!events.is_array())
            return false;
        for (const nlohmann::json& event : events) {
            const auto text = [&event](const char* name) {
                const auto found = event.find(name);
                return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
            };
            const auto number = [&event](const char* name) {
                const auto found = event.find(name);
                return found != event.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
            };
            if (!event.is_object())
                return false;
            if (text("type") != kClearmlScalar || !number("value") || !number("iter"))
                continue;
            const std::string metric = text("metric"), variant = text("variant");
            if (const double step = *number("iter"); step > kNoStep) {
                point(variant.empty() ? metric : variant + "/" + metric, static_cast<std::int64_t>(step),
                      number("timestamp").value_or(0) / 1000, *number("value"));
                continue;
            }
            const std::string name = "summary/" + variant;
            std::erase_if(single_values_, [&](const auto& known) { return known.first == name; });
            single_values_.emplace_back(name, fmt::format("{}", *number("value")));
            batch.parameters = single_values_;
        }
        return true;
    }

    formats::JsonReader reader_;
    ParameterWords single_values_;
};

}  // namespace

std::unique_ptr<MetricsTail> make_jsonl_tail(std::filesystem::path file) {
    return std::make_unique<JsonlTail>(std::move(file));
}

bool looks_like_jsonl_metrics(const std::filesystem::path& file) {
    constexpr int kLines = 16;
    auto [start, whole] = read_log_head(file);
    if (start.starts_with('['))  // the first line may be longer than what was read
        return start.find(kClearmlScalar) != std::string::npos;
    const std::size_t size = start.size();
    start.resize(size + simdjson::SIMDJSON_PADDING);
    std::string_view rest(start.data(), size);
    formats::JsonReader reader(formats::JsonReader::Quoted::words);
    for (int line = 0; line < kLines && !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        formats::JsonRecord found;
        const std::string_view text = rest.substr(0, end);
        if (end == std::string_view::npos && !whole && rest.size() == size)
            return false;
        if (!text.empty() && !reader.read(text, found) && end != std::string_view::npos)
            return false;
        if ((found.step || found.time) && !found.numbers.empty())
            return true;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return false;
}

}  // namespace trainyard::desktop
