// JSON lines: see log_lines.h.

#include <array>
#include <fstream>
#include <limits>
#include <optional>

#include <simdjson.h>

#include "desktop/sources/log_columns.h"
#include "desktop/sources/log_lines.h"

namespace trainyard::desktop {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr int kDeepest = 8;

/// Python writes NaN and Infinity, which JSON does not know: put in quotes where they stand for values.
std::string with_quoted_words(std::string_view line) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\'))
            quoted = !quoted;
        bool word = false;
        for (const std::string_view name : {"NaN", "-Infinity", "Infinity"})
            if (!quoted && !word && line.substr(i, name.size()) == name) {
                out.append("\"").append(name).append("\"");
                i += name.size() - 1;
                word = true;
            }
        if (!word)
            out += line[i];
    }
    return out;
}

struct Found {
    std::vector<std::pair<std::string, double>> numbers;
    std::optional<std::int64_t> step, restart;
    std::optional<double> time;
    int step_rank = std::numeric_limits<int>::max(), time_rank = std::numeric_limits<int>::max();
    ParameterWords parameters;
};

class JsonReader {
  public:
    /// `line` has readable bytes after it, as many as simdjson wants. False: no object.
    bool read(std::string_view line, Found& found) {
        simdjson::dom::object object;
        if (parser_.parse(line.data(), line.size(), false).get(object) == simdjson::SUCCESS)
            return take(object, found);
        if (line.find("NaN") == std::string_view::npos && line.find("Infinity") == std::string_view::npos)
            return false;
        const simdjson::padded_string mended(with_quoted_words(line));
        return parser_.parse(mended).get(object) == simdjson::SUCCESS && take(object, found);
    }

  private:
    static std::optional<double> number(const element& value) {
        switch (value.type()) {
            case element_type::DOUBLE:
            case element_type::INT64:
            case element_type::UINT64: {
                double number = 0;
                return value.get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
            }
            case element_type::STRING: {
                // As writers of strict JSON say what is not finite.
                const std::string_view word = value.get_string().value_unsafe();
                for (const std::string_view name : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})
                    if (word == name)
                        return number_of(word);
                return std::nullopt;
            }
            default:
                return std::nullopt;
        }
    }

    bool take(const simdjson::dom::object& object, Found& found) {
        path_.clear();
        // A better name of the step or time that comes later makes a curve of the one taken before.
        std::optional<std::pair<std::string, double>> step, time;
        for (const auto [key, value] : object) {
            const std::optional<double> is = number(value);
            const int as_step = step_rank(key), as_time = time_rank(key);
            if (as_step >= 0 && as_step < found.step_rank && is && step_of(*is)) {
                if (step)
                    found.numbers.push_back(*step);
                found.step_rank = as_step;
                found.step = step_of(*is);
                step.emplace(key, *is);
            } else if (as_time >= 0 && as_time < found.time_rank && is) {
                if (time)
                    found.numbers.push_back(*time);
                found.time_rank = as_time;
                found.time = seconds_of(*is);
                time.emplace(key, *is);
            } else if (as_time >= 0 && as_time < found.time_rank && value.is_string()) {
                if (const auto seconds = seconds_of(value.get_string().value_unsafe())) {
                    found.time = seconds;
                    found.time_rank = as_time;
                    time.reset();
                }
            } else if (key == "values" && value.is_object()) {
                walk(value, 1, found);  // our own tracker's
            } else if (key == "configuration" && value.is_object()) {
                words(value, 1, found);
            } else if (key == "restart" && is && step_of(*is)) {
                found.restart = step_of(*is);
            } else {
                path_ = key;
                one(value, 1, found);
                path_.clear();
            }
        }
        return true;
    }

    void one(const element& value, int depth, Found& found) {
        if (const auto is = number(value))
            found.numbers.emplace_back(path_, *is);
        else if (value.is_object() && depth < kDeepest)
            walk(value, depth + 1, found);
    }

    void walk(const element& object, int depth, Found& found) {
        const std::size_t before = path_.size();
        const simdjson::dom::object members = object.get_object().value_unsafe();
        for (const auto [key, value] : members) {
            path_.append(before == 0 ? "" : "/").append(key);
            one(value, depth, found);
            path_.resize(before);
        }
    }

    void words(const element& object, int depth, Found& found) {
        const std::size_t before = path_.size();
        const simdjson::dom::object members = object.get_object().value_unsafe();
        for (const auto [key, value] : members) {
            path_.append(before == 0 ? "" : "/").append(key);
            if (value.is_object() && depth < kDeepest)
                words(value, depth + 1, found);
            else
                found.parameters.emplace_back(path_, value.is_string() ? std::string(value.get_string().value_unsafe())
                                                                       : simdjson::minify(value));
            path_.resize(before);
        }
    }

    simdjson::dom::parser parser_;
    std::string path_;
};

class JsonlTail final : public LineTail {
  public:
    using LineTail::LineTail;

  private:
    bool take(std::string_view line, CurveBatch& batch) override {
        static_assert(simdjson::SIMDJSON_PADDING <= kPadding);
        Found found;
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

    JsonReader reader_;
};

}  // namespace

std::unique_ptr<LineTail> make_jsonl_tail(std::filesystem::path file) {
    return std::make_unique<JsonlTail>(std::move(file));
}

bool looks_like_jsonl_metrics(const std::filesystem::path& file) {
    constexpr std::size_t kLooked = 64 * 1024;
    constexpr int kLines = 16;
    std::string start(kLooked + simdjson::SIMDJSON_PADDING, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(start.data(), kLooked);
    std::string_view rest(start.data(), static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    JsonReader reader;
    for (int line = 0; line < kLines && !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        Found found;
        const std::string_view text = rest.substr(0, end);
        if (end == std::string_view::npos && rest.size() == kLooked)
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
