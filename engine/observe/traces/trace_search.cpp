// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/trace_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/regex.h"
#include "base/text.h"
#include "base/utf8.h"
#include "observe/traces/roles.h"

namespace trainyard::traces {

namespace {

std::string folded(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
        else if (c == '-')
            c = '_';
    }
    return out;
}

enum class Comparison { none, greater, less, at_least, at_most, equal, contains };

bool compares(double value, Comparison comparison, double with) {
    switch (comparison) {
        case Comparison::greater:
            return value > with;
        case Comparison::less:
            return value < with;
        case Comparison::at_least:
            return value >= with;
        case Comparison::at_most:
            return value <= with;
        default:
            return value == with;
    }
}

struct Condition {
    std::string key, value;
    Comparison comparison = Comparison::none;
};

Condition condition_of(const std::string& text) {
    const std::size_t at = text.find_first_of("<>=~");
    if (at == std::string::npos)
        return {text, "", Comparison::none};
    Condition result{text.substr(0, at), "", Comparison::none};
    const bool equal_too = at + 1 < text.size() && text[at + 1] == '=' && (text[at] == '<' || text[at] == '>');
    result.value = text.substr(at + (equal_too ? 2 : 1));
    switch (text[at]) {
        case '>':
            result.comparison = equal_too ? Comparison::at_least : Comparison::greater;
            break;
        case '<':
            result.comparison = equal_too ? Comparison::at_most : Comparison::less;
            break;
        case '=':
            result.comparison = Comparison::equal;
            break;
        default:
            result.comparison = Comparison::contains;
    }
    return result;
}

std::optional<double> plain_number(const std::string& text) {
    return parse_number<double>(text);
}

double duration_of(const std::string& word, const std::string& value) {
    struct Unit {
        std::string_view name;
        double ns;
    };
    constexpr std::array kUnits{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"µs", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
    for (const Unit& unit : kUnits)
        if (value.ends_with(unit.name))
            if (const auto number = plain_number(value.substr(0, value.size() - unit.name.size())))
                return *number * unit.ns;
    const std::string shown = text::printable(word, 60);
    if (plain_number(value))
        throw UserError("`{0}` has no unit: write {0}ms", shown);
    throw UserError("`{}` has no duration: write dur>5ms", shown);
}

/// Words of a query: quotes keep spaces, slashes make an expression.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \t\n", at)) != std::string::npos) {
        std::size_t begin = at;
        if (text[at] == '!')
            ++at;
        const char quote = at < text.size() && (text[at] == '"' || text[at] == '/') ? text[at] : ' ';
        if (quote != ' ') {
            std::size_t close = at + 1;
            while (close < text.size() && text[close] != quote)
                close += text[close] == '\\' && quote == '/' && close + 1 < text.size() ? 2 : 1;
            if (close >= text.size())
                throw UserError("`{}` has no end: a second {} is missing", text::printable(text.substr(begin), 60),
                                quote);
            at = close + 1;
        } else {
            at = std::min(text.find_first_of(" \t\n", at), text.size());
        }
        words.push_back(text.substr(begin, at - begin));
    }
    return words;
}

/// `shape` means what Kineto calls dims.
bool key_fits(const std::string& key, const std::string& wanted) {
    const std::string lower = folded(key);
    return lower.find(wanted) != std::string::npos || (wanted == "shape" && lower.find("dims") != std::string::npos);
}

}  // namespace

struct SearchQuery::Term {
    enum class Kind { name, regex, duration, category, family, track, rank, step, argument } kind = Kind::name;
    bool wanted = true;
    std::string text;  ///< folded
    std::shared_ptr<Regex> regex;
    Comparison comparison = Comparison::none;
    double number = 0;
    bool is_number = false;
    std::string value;  ///< of an argument, folded
};

SearchQuery::SearchQuery(const std::string& text) {
    struct Prefix {
        std::string_view name;
        Term::Kind kind;
    };
    constexpr std::array kPrefixes{Prefix{"cat:", Term::Kind::category}, Prefix{"family:", Term::Kind::family},
                                   Prefix{"track:", Term::Kind::track},  Prefix{"thread:", Term::Kind::track},
                                   Prefix{"stream:", Term::Kind::track}, Prefix{"rank:", Term::Kind::rank},
                                   Prefix{"step:", Term::Kind::step},    Prefix{"arg:", Term::Kind::argument}};
    for (std::string word : words_of(text)) {
        const std::string whole = word;
        Term term;
        if (word.front() == '!') {
            term.wanted = false;
            word.erase(0, 1);
            if (word.empty())
                throw UserError("`!` stands alone: write !word for slices that do not fit");
        }
        const auto* prefix = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                          [&](const Prefix& one) { return word.starts_with(one.name); });
        const Condition condition = condition_of(word);
        if (word.front() == '/') {
            term.kind = Term::Kind::regex;
            term.regex = std::make_shared<Regex>(word.substr(1, word.size() - 2));
        } else if (word.front() == '"') {
            term.text = folded(word.substr(1, word.size() - 2));
        } else if (prefix != kPrefixes.end()) {
            term.kind = prefix->kind;
            const std::string rest = word.substr(prefix->name.size());
            if (rest.empty())
                throw UserError("`{0}` names nothing: write {0}word", text::printable(whole, 60));
            term.text = folded(rest);
            if (term.kind == Term::Kind::rank || term.kind == Term::Kind::step) {
                const auto number = plain_number(rest);
                if (!number)
                    throw UserError("`{}` is not a number: write {}3", text::printable(whole, 60), prefix->name);
                term.number = *number;
            } else if (term.kind == Term::Kind::argument) {
                const Condition argument = condition_of(rest);
                term.text = folded(argument.key);
                term.comparison = argument.comparison;
                term.value = folded(argument.value);
                if (argument.comparison != Comparison::none && argument.value.empty())
                    throw UserError("`{0}` compares with nothing: write {0}4096", text::printable(whole, 60));
                if (const auto number = plain_number(argument.value)) {
                    term.number = *number;
                    term.is_number = true;
                } else if (argument.comparison != Comparison::none && argument.comparison != Comparison::contains &&
                           argument.comparison != Comparison::equal) {
                    throw UserError(
                        "`{}` compares with a text: write a number, or ~ for a part of a "
                        "text",
                        text::printable(whole, 60));
                }
            }
        } else if (condition.key == "dur" && condition.comparison != Comparison::none) {
            if (condition.comparison == Comparison::contains)
                throw UserError("`{}` compares a duration with ~: write dur>5ms", text::printable(whole, 60));
            term.kind = Term::Kind::duration;
            term.comparison = condition.comparison;
            term.number = duration_of(word, condition.value);
        } else {
            term.text = folded(word);
        }
        terms_.push_back(std::move(term));
    }
}

SearchQuery::~SearchQuery() = default;
SearchQuery::SearchQuery(SearchQuery&&) noexcept = default;
SearchQuery& SearchQuery::operator=(SearchQuery&&) noexcept = default;

bool SearchQuery::empty() const {
    return terms_.empty();
}

std::vector<SearchHit> SearchQuery::find(const RankSet& set, const std::function<bool()>& go_on) const {
    std::vector<SearchHit> hits;
    if (terms_.empty())
        return hits;
    constexpr std::size_t kBetweenLooks = 65536, kBetweenArgumentLooks = 256;
    bool reads_arguments = false;
    for (const Term& term : terms_)
        reads_arguments |= term.kind == Term::Kind::argument;
    const std::size_t between = reads_arguments ? kBetweenArgumentLooks : kBetweenLooks;
    std::size_t looked = 0;
    for (std::uint32_t r = 0; r < set.ranks.size(); ++r) {
        const Trace& trace = *set.ranks[r].trace;
        const std::vector<Role> roles = roles_of(trace);
        // Terms on a name, category, family or track are evaluated once for each of them.
        std::vector<std::vector<bool>> fits(terms_.size());
        std::vector<std::vector<Span>> steps(terms_.size());
        bool possible = true;
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            const Term& term = terms_[t];
            switch (term.kind) {
                case Term::Kind::name:
                    for (std::size_t i = 0; i < trace.names.size(); ++i)
                        fits[t].push_back(folded(trace.names[i]).find(term.text) != std::string::npos);
                    break;
                case Term::Kind::regex:
                    for (std::size_t i = 0; i < trace.names.size(); ++i) {
                        bool found = false;
                        const std::string name = text::to_utf8(trace.names[i]);
                        term.regex->for_each_match(name, [&](std::size_t, std::size_t) { found = true; });
                        fits[t].push_back(found);
                    }
                    break;
                case Term::Kind::category:
                    for (std::size_t i = 0; i < trace.categories.size(); ++i)
                        fits[t].push_back(folded(trace.categories[i]).find(term.text) != std::string::npos);
                    break;
                case Term::Kind::track:
                    for (const Track& track : trace.tracks)
                        fits[t].push_back(folded(track.title()).find(term.text) != std::string::npos);
                    break;
                case Term::Kind::rank:
                    possible &= (static_cast<double>(set.ranks[r].rank) == term.number) == term.wanted;
                    break;
                case Term::Kind::step:
                    for (const Step& step : trace.steps)
                        if (static_cast<double>(step.number) == term.number)
                            steps[t].push_back({step.begin, step.end});
                    break;
                default:
                    break;
            }
        }
        if (!possible)
            continue;
        for (std::uint32_t i = 0; i < trace.slices.size(); ++i) {
            if (go_on && ++looked % between == 0 && !go_on())
                return hits;
            const Slice& slice = trace.slices[i];
            bool all = true;
            for (std::size_t t = 0; all && t < terms_.size(); ++t) {
                const Term& term = terms_[t];
                bool fit = false;
                switch (term.kind) {
                    case Term::Kind::name:
                    case Term::Kind::regex:
                        fit = fits[t][slice.name];
                        break;
                    case Term::Kind::category:
                        fit = fits[t][slice.category];
                        break;
                    case Term::Kind::track:
                        fit = fits[t][slice.track];
                        break;
                    case Term::Kind::family:
                        fit = to_string(family_of(trace.name(slice), roles[slice.category])) == term.text;
                        break;
                    case Term::Kind::duration:
                        fit = compares(static_cast<double>(slice.duration), term.comparison, term.number);
                        break;
                    case Term::Kind::rank:
                        continue;
                    case Term::Kind::step:
                        fit = std::any_of(steps[t].begin(), steps[t].end(), [&](const Span& step) {
                            return slice.begin < step.end && slice.end() > step.begin;
                        });
                        break;
                    case Term::Kind::argument:
                        for (const auto& [key, value] : trace.arguments(slice)) {
                            if (!key_fits(key, term.text))
                                continue;
                            if (term.comparison == Comparison::none) {
                                fit = true;
                            } else if (term.comparison == Comparison::contains) {
                                fit |= folded(value).find(term.value) != std::string::npos;
                            } else if (const auto number = plain_number(value); number && term.is_number) {
                                fit |= compares(*number, term.comparison, term.number);
                            } else if (term.comparison == Comparison::equal) {
                                fit |= folded(value) == term.value;
                            }
                        }
                        break;
                }
                all = fit == term.wanted;
            }
            if (all)
                hits.push_back({r, i});
        }
    }
    std::stable_sort(hits.begin(), hits.end(), [&](const SearchHit& a, const SearchHit& b) {
        return set.ranks[a.rank].trace->slices[a.slice].begin + set.ranks[a.rank].offset <
               set.ranks[b.rank].trace->slices[b.slice].begin + set.ranks[b.rank].offset;
    });
    return hits;
}

}  // namespace trainyard::traces
