// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One JSON object as a record of metrics, as trackers write it: its numbers with nested keys joined by `/`, its step, its time
// (metrics_columns.h), and of our own tracker its parameters and restarts.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

namespace trainyard::formats {

/// Names and values, in their order.
using ParameterWords = std::vector<std::pair<std::string, std::string>>;

struct JsonRecord {
    std::vector<std::pair<std::string, double>> numbers;
    std::optional<std::int64_t> step, restart;
    std::optional<double> time;  ///< wall seconds
    int step_rank = std::numeric_limits<int>::max(), time_rank = std::numeric_limits<int>::max();
    /// The keys they were taken from: a better one that comes later makes a curve of the one taken before.
    std::optional<std::pair<std::string, double>> step_from, time_from;
    ParameterWords parameters;
};

/// Python writes NaN and Infinity, which JSON does not know: put in quotes where they stand for values.
std::string with_quoted_words(std::string_view text);
/// A number; also a word that says what is not finite.
std::optional<double> json_number(const simdjson::dom::element& value);

class JsonReader {
  public:
    /// What a number in quotes is: some writers quote every value.
    enum class Quoted { numbers, words };
    explicit JsonReader(Quoted quoted = Quoted::numbers) : quoted_(quoted) {}

    /// `line` has readable bytes after it, as many as simdjson wants. False: no object.
    bool read(std::string_view line, JsonRecord& found);
    void take(const simdjson::dom::object& object, JsonRecord& found);
    void take_field(std::string_view key, const simdjson::dom::element& value, JsonRecord& found);
    /// Reads one field whose value is JSON text. Returns false if the text is not JSON.
    bool read_field(std::string_view key, std::string_view text, JsonRecord& found);
    /// JSON text as words for the table of parameters, nested keys joined; a later one of the same name takes its place.
    bool read_parameter(std::string_view key, std::string_view text, ParameterWords& parameters);

  private:
    std::optional<double> number(const simdjson::dom::element& value) const;
    bool parse_value(std::string_view text, simdjson::dom::element& value);
    void one(const simdjson::dom::element& value, int depth, JsonRecord& found);
    void walk(const simdjson::dom::element& object, int depth, JsonRecord& found);
    void words(const simdjson::dom::element& object, int depth, ParameterWords& parameters);
    void word(const simdjson::dom::element& value, int depth, ParameterWords& parameters);

    Quoted quoted_;
    simdjson::dom::parser parser_;
    std::string path_;
};

}  // namespace trainyard::formats
