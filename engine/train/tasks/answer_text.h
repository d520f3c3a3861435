// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Answers as texts, compared as SQuAD's own program does: Rajpurkar et al., "SQuAD: 100,000+ questions for machine
// comprehension of text", EMNLP 2016.

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::train {

/// The words of an answer in lower case, without punctuation of ASCII and the articles a, an and the.
std::vector<std::string> answer_words(std::string_view answer);
/// Whether both have the same words in the same order.
bool is_exact_match(std::string_view found, std::string_view wanted);
/// Harmonic mean of precision and recall of the words.
double answer_f1(std::string_view found, std::string_view wanted);

}  // namespace trainyard::train
