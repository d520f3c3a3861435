// SPDX-License-Identifier: GPL-3.0-or-later
// JSON lines: see log_lines.h.

#include <limits>

#include "desktop/sources/log_lines.h"
#include "formats/tables/metrics_record.h"

namespace trainyard::desktop {

namespace {

class JsonlTail final : public LineTail {
  public:
    using LineTail::LineTail;

  private:
    bool take(std::string_view line, CurveBatch& batch) override {
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

    formats::JsonReader reader_;
};

}  // namespace

std::unique_ptr<MetricsTail> make_jsonl_tail(std::filesystem::path file) {
    return std::make_unique<JsonlTail>(std::move(file));
}

bool looks_like_jsonl_metrics(const std::filesystem::path& file) {
    constexpr int kLines = 16;
    auto [start, whole] = read_log_head(file);
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
