// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/answer_text.h"

#include <map>

#include "formats/tokenizers/unicode.h"

namespace trainyard::train {

std::vector<std::string> answer_words(std::string_view answer) {
    constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    std::vector<std::string> words;
    std::string word;
    const auto end_word = [&] {
        if (!word.empty() && word != "a" && word != "an" && word != "the")
            words.push_back(word);
        word.clear();
    };
    for (std::size_t at = 0; at < answer.size();) {
        const char32_t character = text::next_character(answer, at);
        if (character < 128 && kPunctuation.find(static_cast<char>(character)) != std::string_view::npos)
            continue;
        if (tokenizers::is_whitespace(character))
            end_word();
        else
            word += tokenizers::to_utf8(tokenizers::to_lower(character));
    }
    end_word();
    return words;
}

bool is_exact_match(std::string_view found, std::string_view wanted) {
    return answer_words(found) == answer_words(wanted);
}

double answer_f1(std::string_view found, std::string_view wanted) {
    const std::vector<std::string> mine = answer_words(found), right = answer_words(wanted);
    if (mine.empty() || right.empty())
        return mine.empty() == right.empty() ? 1 : 0;
    std::map<std::string, std::int64_t> left;
    for (const std::string& word : right)
        ++left[word];
    double shared = 0;
    for (const std::string& word : mine)
        if (auto at = left.find(word); at != left.end() && at->second-- > 0)
            ++shared;
    // 2 p r / (p + r) with p = shared / mine and r = shared / right.
    return 2 * shared / static_cast<double>(mine.size() + right.size());
}

}  // namespace trainyard::train
