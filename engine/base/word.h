#pragma once
// Single words that the engine puts into its sentences. A sentence is found by its words (packaging/sentences.py), while one word alone
// may as well be a name or a value of a file, which no language changes.

namespace trainyard::text {

/// Marks a word that the desktop says in its language where it is a value of a sentence ("expected a number, got nothing").
constexpr const char* word(const char* english) {
    return english;
}

}  // namespace trainyard::text
