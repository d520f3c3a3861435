// SPDX-License-Identifier: GPL-3.0-or-later
// YAML by yaml-cpp, with what PyYAML refuses and yaml-cpp lets pass.

#include <map>
#include <sstream>

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/utf8.h"
#include "config/values/python_text.h"
#include "config/values/tree_builder.h"

namespace trainyard {

namespace {

/// Follows quotes, comments and block texts, to find what PyYAML refuses and yaml-cpp lets pass: a tab anywhere else, and a quote
/// that is never closed.
class QuoteScan {
  public:
    explicit QuoteScan(std::string_view text) : text_(text) {}

    std::size_t find_tab() {
        for (std::size_t start = 0; start < text_.size();) {
            std::size_t end = std::min(text_.find('\n', start), text_.size());
            std::size_t found = find_in(start, end);
            if (found != std::string_view::npos)
                return found;
            start = end + 1;
        }
        return std::string_view::npos;
    }

    /// After find_tab(): where the quote was opened that the text never closes, or npos.
    std::size_t open_quote() const { return quote_ == '\0' ? std::string_view::npos : quote_start_; }

  private:
    std::size_t find_in(std::size_t start, std::size_t end) {
        std::string_view line = text_.substr(start, end - start);
        std::size_t indent = line.find_first_not_of(" \r");
        if (block_ && quote_ == '\0') {
            if (indent == std::string_view::npos || indent > block_indent_)
                return std::string_view::npos;
            block_ = false;
        }
        // A plain text continues in lines that are indented more than its first one, where a quote is a letter.
        bool goes_on = plain_ && indent != std::string_view::npos && indent > plain_indent_;
        bool token_starts = !goes_on;
        bool in_plain = goes_on;
        std::size_t last_token = std::string_view::npos;
        for (std::size_t at = 0; at < line.size(); ++at) {
            char c = line[at];
            if (quote_ != '\0') {
                if (c == '\\' && quote_ == '"')
                    ++at;
                else if (c == quote_ && c == '\'' && at + 1 < line.size() && line[at + 1] == '\'')
                    ++at;
                else if (c == quote_)
                    quote_ = '\0';
                continue;
            }
            if (c == '\t')
                return start + at;
            if (c == ' ' || c == '\r') {
                // An anchor or a tag comes before its value.
                if (last_token != std::string_view::npos && (line[last_token] == '&' || line[last_token] == '!')) {
                    token_starts = true;
                    last_token = std::string_view::npos;
                }
                continue;
            }
            bool after_space = at == 0 || line[at - 1] == ' ';
            if (c == '#' && after_space)
                break;
            if ((c == '"' || c == '\'') && token_starts) {
                quote_ = c;
                quote_start_ = start + at;
                token_starts = false;
                in_plain = false;
                last_token = std::string_view::npos;
                continue;
            }
            bool before_space = at + 1 >= line.size() || line[at + 1] == ' ' || line[at + 1] == '\t';
            bool after_quote = at > 0 && (line[at - 1] == '"' || line[at - 1] == '\'');
            bool opens = c == ':' ? before_space || (flow_ > 0 && after_quote)
                                  : (c == '-' || c == '?') && before_space && token_starts;
            if ((c == '[' || c == '{') && (token_starts || flow_ > 0)) {
                ++flow_;
                opens = true;
            } else if (flow_ > 0 && (c == ']' || c == '}')) {
                --flow_;
            } else if (flow_ > 0 && c == ',') {
                opens = true;
            }
            in_plain = !opens && (in_plain || token_starts);
            last_token = token_starts && !opens ? at : opens ? std::string_view::npos : last_token;
            token_starts = opens;
        }
        if (quote_ == '\0' && last_token != std::string_view::npos &&
            (line[last_token] == '|' || line[last_token] == '>')) {
            block_ = true;
            block_indent_ = indent;
        }
        if (indent != std::string_view::npos) {
            plain_ = in_plain && quote_ == '\0' && !block_;
            plain_indent_ = goes_on ? plain_indent_ : indent;
        }
        return std::string_view::npos;
    }

    std::string_view text_;
    char quote_ = '\0';
    std::size_t quote_start_ = 0;
    int flow_ = 0;
    bool plain_ = false;
    std::size_t plain_indent_ = 0;
    bool block_ = false;
    std::size_t block_indent_ = 0;
};

bool is_printable(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7E) || c == 0x85 ||
           (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF);
}

std::size_t find_unprintable(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t before = at;
        if (!is_printable(text::next_character(text, at)))
            return before;
    }
    return std::string_view::npos;
}

class YamlEvents final : public YAML::EventHandler {
  public:
    YamlEvents(TreeBuilder& tree, bool aliases) : tree_(tree), aliases_(aliases) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, "", anchor, Value()); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const Value here = at(mark, Value());
        if (auto named = anchored_.find(anchor); aliases_ && named != anchored_.end())
            return tree_.repeat(here, named->second);
        tree_.refuse(here, aliases_
                               ? Message("an alias (*name) inside of what it names has no end: write the value out")
                               : Message("aliases (*name) are not allowed here: write the value out"));
        tree_.add(here);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        // yaml-cpp marks a scalar without quotes with the tag "?" and a quoted one with "!".
        const bool plain = tag == "?" || tag.empty();
        Value value = plain ? resolve_plain(text) : Value(text);
        value.plain = plain;
        add(mark, tag, anchor, std::move(value));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(mark, tag, anchor, Value::List());
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(mark, tag, anchor, Value::Map());
    }
    void OnMapEnd() override { end(); }

  private:
    static Value at(const YAML::Mark& mark, Value value) {
        value.line = mark.line + 1;
        value.column = mark.column + 1;
        return value;
    }
    void check(const Value& value, const std::string& tag, YAML::anchor_t anchor) {
        if (anchor != 0 && !aliases_)
            tree_.refuse(value, "anchors (&name) are not allowed here: write the value out where it is needed");
        if (!tag.empty() && tag != "?" && tag != "!")
            tree_.refuse(value, Message("the tag {} is not allowed here: leave it out", tag));
    }
    void remember(YAML::anchor_t anchor, const Value& value) {
        if (aliases_ && anchor != 0)
            anchored_.insert_or_assign(anchor, value);
    }
    void add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Value value) {
        value = at(mark, std::move(value));
        check(value, tag, anchor);
        remember(anchor, value);
        tree_.add(std::move(value));
    }
    void begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Value value) {
        value = at(mark, std::move(value));
        check(value, tag, anchor);
        anchors_.push_back(anchor);
        tree_.begin(std::move(value));
    }
    void end() {
        Value value = tree_.end();
        remember(anchors_.back(), value);
        anchors_.pop_back();
        tree_.place(std::move(value));
    }

    TreeBuilder& tree_;
    const bool aliases_;
    std::map<YAML::anchor_t, Value> anchored_;
    std::vector<YAML::anchor_t> anchors_;  ///< of the lists and tables that are not ended
};

/// Whether PyYAML's scanner would take the text.
bool is_for_pyyaml(std::string_view text, TreeBuilder& tree) {
    if (std::size_t at = find_unprintable(text); at != std::string_view::npos) {
        tree.refuse_byte(text, at, Message("byte {} is not text in UTF-8: save the file as UTF-8", at));
        return false;
    }
    QuoteScan scan(text);
    if (std::size_t at = scan.find_tab(); at != std::string_view::npos) {
        tree.refuse_byte(text, at, "a tab cannot stand here: use spaces");
        return false;
    }
    // yaml-cpp accepts a quote that the end of the text closes.
    if (std::size_t at = scan.open_quote(); at != std::string_view::npos) {
        tree.refuse_byte(text, at, "the quote that opens here is never closed: add one at the end of the text");
        return false;
    }
    return true;
}

void read_documents(const std::string& text, YamlEvents& events, TreeBuilder& tree) {
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(events))
            return;
        std::vector<Problem> ignored;
        TreeBuilder other("", ignored, {});
        YamlEvents second(other, false);
        if (parser.HandleNextDocument(second))
            tree.refuse(0, 0, "holds more than one document (---): keep one");
    } catch (const TreeBuilder::Stop&) {
    } catch (const YAML::Exception& error) {
        const bool known = error.mark.line >= 0 && !error.mark.is_null();
        tree.refuse(known ? error.mark.line + 1 : 0, known ? error.mark.column + 1 : 0,
                    Message("is not valid YAML here: {}", error.msg));
    }
}

}  // namespace

Value parse_yaml(std::string_view given, const std::string& file, std::vector<Problem>& problems,
                 const TreeRules& rules) {
    TreeBuilder tree(file, problems, rules);
    const std::optional<std::string_view> checked = tree.checked(given);
    if (!checked)
        return {};
    // A carriage return alone ends a line, too (YAML 1.1 and 1.2, section 5.4); yaml-cpp takes it for a part of the
    // line.
    std::string text(*checked);
    for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
        if (at + 1 == text.size() || text[at + 1] != '\n')
            text[at] = '\n';
    if (rules.twice == nullptr)
        text.erase(text.find_last_not_of(" \t\r\n") + 1);  // yaml-cpp accepts a quote that a line end closes
    else if (!is_for_pyyaml(text, tree))
        return {};
    YamlEvents events(tree, rules.aliases);
    read_documents(text, events, tree);
    return tree.take();
}

}  // namespace trainyard
