// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/csv_fields.h"

#include <algorithm>

namespace trainyard::formats {

std::optional<CsvFault> split_csv(std::string_view record, char separator, std::vector<CsvField>& fields) {
    fields.clear();
    std::size_t at = 0, first_quote = std::string_view::npos;  // inside of unquoted fields
    for (;;) {
        CsvField field;
        field.begin = at;
        if (at < record.size() && record[at] == '"') {
            field.quoted = true;
            std::size_t end = at + 1;
            for (;; end += 2) {
                end = record.find('"', end);
                if (end == std::string_view::npos)
                    return CsvFault{at, "the quote that opens this field is not closed", true};
                if (end + 1 >= record.size() || record[end + 1] != '"')
                    break;
                field.doubled = true;
            }
            field.text = record.substr(at + 1, end - at - 1);
            at = end + 1;
            if (at < record.size() && record[at] != separator)
                return CsvFault{at, "text behind the quote that closes a field: double quotes inside of a field"};
        } else {
            const std::size_t end = std::min(record.find(separator, at), record.size());
            field.text = record.substr(at, end - at);
            const std::size_t special = field.text.find_first_of("\"\r\n");
            if (special != std::string_view::npos && field.text[special] == '"')
                first_quote = std::min(first_quote, at + special);
            if (special != std::string_view::npos &&
                field.text.find_first_of("\r\n", special) != std::string_view::npos) {
                // Records end at line ends outside of quotes, so that a single quote joins two lines.
                if (first_quote != std::string_view::npos)
                    return CsvFault{
                        first_quote,
                        "a quote inside of a field without quotes: put the field in quotes and double this one"};
                return CsvFault{
                    at + special,
                    "a line end inside of a field without quotes: put the field in quotes, or end all lines "
                    "in the same way"};
            }
            at = end;
        }
        fields.push_back(field);
        if (at >= record.size())
            return std::nullopt;
        ++at;
    }
}

std::string_view plain_text(const CsvField& field, std::string& buffer) {
    if (!field.doubled)
        return field.text;
    buffer.clear();
    for (std::size_t i = 0; i < field.text.size(); ++i) {
        buffer += field.text[i];
        if (field.text[i] == '"')
            ++i;
    }
    return buffer;
}

}  // namespace trainyard::formats
