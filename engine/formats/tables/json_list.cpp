// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/json_list.h"

namespace trainyard::formats {

std::optional<std::size_t> json_list_begin(std::string_view head) {
    const std::size_t list = head.find_first_not_of(kJsonBlanks);
    if (list == std::string_view::npos || head[list] != '[')
        return std::nullopt;
    const std::size_t element = head.find_first_not_of(kJsonBlanks, list + 1);
    if (element == std::string_view::npos || (head[element] != '{' && head[element] != ']'))
        return std::nullopt;
    return list + 1;
}

std::size_t JsonElementEnd::find(std::string_view piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
        const char letter = piece[i];
        if (is_text_) {
            if (is_escaped_)
                is_escaped_ = false;
            else if (letter == '\\')
                is_escaped_ = true;
            else if (letter == '"')
                is_text_ = false;
            continue;
        }
        switch (letter) {
            case '"':
                is_text_ = true;
                break;
            case '{':
            case '[':
                ++depth_;
                break;
            case '}':
            case ']':
                if (depth_ == 0)
                    return i;
                if (--depth_ == 0)
                    return i + 1;
                break;
            case ',':
                if (depth_ == 0)
                    return i;
                break;
            default:
                break;
        }
    }
    return std::string_view::npos;
}

std::size_t json_list_elements_end(std::string_view head, std::size_t begin) {
    std::size_t end = 0;
    for (std::size_t at = begin;;) {
        at = head.find_first_not_of(kJsonBlanks, at);
        if (at != std::string_view::npos && head[at] == ',' && end > 0)
            at = head.find_first_not_of(kJsonBlanks, at + 1);
        if (at == std::string_view::npos || head[at] == ']')
            return end;
        const std::size_t bytes = JsonElementEnd().find(head.substr(at));
        if (bytes == std::string_view::npos || bytes == 0)
            return end;
        at += bytes;
        end = at;
    }
}

}  // namespace trainyard::formats
