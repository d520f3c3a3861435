// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The fields of one CSV record as in RFC 4180: quoted fields may contain separators, line ends and doubled quotes.
// Quotes inside an unquoted field are part of its text, as for pandas, unless they hide the end of the line. Text after
// a closing quote is a fault.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::formats {

struct CsvField {
    std::string_view text;  ///< without the surrounding quotes; part of the record
    std::size_t begin = 0;  ///< offset in the record
    bool quoted = false;
    bool doubled = false;  ///< contains doubled quotes
};

struct CsvFault {
    std::size_t at = 0;    ///< offset in the record
    Message words;         ///< what is wrong
    bool is_open = false;  ///< a quote is not closed: where the next record begins is unknown
};

/// Replaces `fields`, whose memory is kept. Returns what is wrong; the fields before it are there.
std::optional<CsvFault> split_csv(std::string_view record, char separator, std::vector<CsvField>& fields);
/// The field's text with doubled quotes replaced by single ones: in `buffer`, if there are some.
std::string_view plain_text(const CsvField& field, std::string& buffer);

}  // namespace trainyard::formats
