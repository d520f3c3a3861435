// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/template_program.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"

namespace trainyard::tokenizers::jinja {

namespace {

constexpr int kMostDepth = 200;   // of what is written in one another
constexpr int kMostLinks = 2000;  // of one expression: a.b.c, a + b + c, a | b | c

struct Token {
    enum Kind { text, name, string, whole, real, sign, begin, end, print_begin, print_end, finish } kind = finish;
    std::string words = {};
    int line = 1;
};

/// Words of a template: texts between blocks, and what is inside of blocks.
class Lexer {
  public:
    explicit Lexer(const std::string& source) {
        for (std::size_t i = 0; i < source.size(); ++i)  // Jinja reads all kinds of line ends as one
            if (source[i] != '\r')
                source_ += source[i];
            else if (i + 1 == source.size() || source[i + 1] != '\n')
                source_ += '\n';
        if (source_.ends_with('\n'))  // keep_trailing_newline is off
            source_.pop_back();
        while (at_ < source_.size())
            take_text();
        tokens_.push_back({Token::finish, {}, line_});
    }
    std::vector<Token> take() { return std::move(tokens_); }

  private:
    [[noreturn]] void bad(const Message& problem) const { fail(Message("line {}: {}", line_, problem)); }

    void take_text() {
        std::size_t open = at_;
        while ((open = source_.find('{', open)) != std::string::npos && open + 1 < source_.size() &&
               std::string_view("{%#").find(source_[open + 1]) == std::string_view::npos)
            ++open;
        if (open == std::string::npos || open + 1 >= source_.size())
            open = source_.size();
        std::string text = source_.substr(at_, open - at_);
        const char kind = open < source_.size() ? source_[open + 1] : 0;
        const char mark = open + 2 < source_.size() ? source_[open + 2] : 0;
        if (kind != 0 && mark == '-') {
            text.erase(text.find_last_not_of(kBlanks) + 1);
        } else if (kind != 0 && kind != '{' && mark != '+') {  // lstrip_blocks
            const std::size_t blanks = text.find_last_not_of(" \t") + 1;
            if (blanks == 0 ? open == text.size() || starts_line_ : text[blanks - 1] == '\n')
                text.erase(blanks);
        }
        if (strips_) {
            const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
            text.erase(0, first);
        } else if (trims_ && text.starts_with('\n')) {  // trim_blocks
            text.erase(0, 1);
        }
        if (!text.empty())
            tokens_.push_back({Token::text, text, line_});
        line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             source_.begin() + static_cast<std::ptrdiff_t>(open), '\n'));
        strips_ = trims_ = starts_line_ = false;
        at_ = open;
        if (kind == '#')
            take_comment();
        else if (kind != 0)
            take_block(kind == '{', mark == '-' || mark == '+');
    }

    void take_comment() {
        const std::size_t end = source_.find("#}", at_ + 2);
        if (end == std::string::npos)
            bad("a comment does not end");
        line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        strips_ = source_[end - 1] == '-';
        trims_ = source_[end - 1] != '+';
        at_ = end + 2;
        starts_line_ = trims_ && at_ < source_.size() && source_[at_] == '\n';
    }

    void take_block(bool prints, bool marked) {
        tokens_.push_back({prints ? Token::print_begin : Token::begin, {}, line_});
        at_ += marked ? 3 : 2;
        const std::string close = prints ? "}}" : "%}";
        int open = 0;  // brackets: }} may end a table
        for (;;) {
            while (at_ < source_.size() && std::string_view(kBlanks).find(source_[at_]) != std::string_view::npos)
                line_ += source_[at_++] == '\n' ? 1 : 0;
            if (at_ >= source_.size())
                bad("a block does not end");
            const std::string_view rest = std::string_view(source_).substr(at_);
            const bool dash = rest.starts_with("-" + close), plus = rest.starts_with("+" + close);
            if ((open == 0 || !prints) && (dash || plus || rest.starts_with(close))) {
                at_ += close.size() + (dash || plus ? 1 : 0);
                strips_ = dash;
                trims_ = !prints && !plus;
                starts_line_ = trims_ && at_ < source_.size() && source_[at_] == '\n';
                tokens_.push_back({prints ? Token::print_end : Token::end, {}, line_});
                return;
            }
            take_word(open);
        }
    }

    void take_word(int& open) {
        const std::string_view rest = std::string_view(source_).substr(at_);
        const char first = rest[0];
        if (first == '\'' || first == '"')
            return take_string(first);
        std::size_t size = 1;
        if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
            bool real = false;
            while (size < rest.size() && (std::isdigit(static_cast<unsigned char>(rest[size])) != 0 ||
                                          (rest[size] == '.' && !real && size + 1 < rest.size() &&
                                           std::isdigit(static_cast<unsigned char>(rest[size + 1])) != 0)))
                real = rest[size++] == '.' || real;
            tokens_.push_back({real ? Token::real : Token::whole, std::string(rest.substr(0, size)), line_});
        } else if (std::isalpha(static_cast<unsigned char>(first)) != 0 || first == '_') {
            while (size < rest.size() &&
                   (std::isalnum(static_cast<unsigned char>(rest[size])) != 0 || rest[size] == '_'))
                ++size;
            tokens_.push_back({Token::name, std::string(rest.substr(0, size)), line_});
        } else {
            for (const std::string_view two : {"==", "!=", "<=", ">=", "//", "**"})
                if (rest.starts_with(two))
                    size = 2;
            if (size == 1 && std::string_view("()[]{}.,:|=<>+-*/%~").find(first) == std::string_view::npos)
                bad(Message("'{}' is not expected", std::string(1, first)));
            open += std::string_view("([{").find(first) != std::string_view::npos   ? 1
                    : std::string_view(")]}").find(first) != std::string_view::npos ? -1
                                                                                    : 0;
            tokens_.push_back({Token::sign, std::string(rest.substr(0, size)), line_});
        }
        at_ += size;
    }

    void take_string(char quote) {
        std::string text;
        for (++at_; at_ < source_.size() && source_[at_] != quote; ++at_) {
            if (source_[at_] == '\n')
                ++line_;
            if (source_[at_] != '\\' || at_ + 1 >= source_.size()) {
                text += source_[at_];
                continue;
            }
            const char letter = source_[++at_];
            if (letter == 'n')
                text += '\n';
            else if (letter == 't')
                text += '\t';
            else if (letter == 'r')
                text += '\r';
            else if (const Json code = letter == 'u' && at_ + 4 < source_.size()
                                           ? read_ordered_json("\"\\u" + source_.substr(at_ + 1, 4) + "\"")
                                           : Json();
                     code.is_string())
                text += code.get<std::string>(), at_ += 4;
            else if (letter == '\\' || letter == '\'' || letter == '"')
                text += letter;
            else
                text += std::string("\\") + letter;
        }
        if (at_ >= source_.size())
            bad("a text does not end");
        ++at_;
        tokens_.push_back({Token::string, text, line_});
    }

    std::string source_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool strips_ = false, trims_ = false;
    bool starts_line_ = true;  ///< what follows is at the beginning of a line
    std::vector<Token> tokens_;
};

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    ParsedTemplate parse() {
        Statement all = block({});
        if (now().kind != Token::finish)
            bad(Message("'{}' is not expected", now().words));
        return {all, has_generation_};
    }

  private:
    const Token& now() const { return tokens_[at_]; }
    const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
    [[noreturn]] void bad(const Message& problem) const { fail(Message("line {}: {}", now().line, problem)); }
    bool is_sign(const char* words) const { return now().kind == Token::sign && now().words == words; }
    bool is_name(const char* words) const { return now().kind == Token::name && now().words == words; }
    bool skip(const char* words) {
        const bool here = is_sign(words) || is_name(words);
        if (here)
            take();
        return here;
    }
    void need(const char* words) {
        if (!skip(words))
            bad(Message("{} is missing", words));
    }
    void need(Token::Kind kind) {
        if (now().kind != kind)
            bad("the end of a block is missing");
        take();
    }
    std::string need_name() {
        if (now().kind != Token::name)
            bad("a name is missing");
        return take().words;
    }

    /// Statements up to a block that begins with one of these words, which is left there.
    Statement block(const std::vector<std::string>& ends) {
        const Nesting nesting(*this);
        std::vector<Statement> statements;
        for (;;) {
            const Token& token = now();
            links_ = 0;
            if (token.kind == Token::finish)
                break;
            if (token.kind == Token::text) {
                statements.push_back([text = take().words](Rendering& at) {
                    at.write(text);
                    return Flow::normal;
                });
            } else if (token.kind == Token::print_begin) {
                take();
                Expression value = expression();
                need(Token::print_end);
                statements.push_back([value](Rendering& at) {
                    at.write(str(value(at)));
                    return Flow::normal;
                });
            } else {
                need(Token::begin);
                if (std::ranges::find(ends, now().words) != ends.end()) {
                    --at_;
                    break;
                }
                statements.push_back(statement());
            }
        }
        return [statements](Rendering& at) {
            for (const Statement& one : statements) {
                at.count();
                if (const Flow flow = one(at); flow != Flow::normal)
                    return flow;
            }
            return Flow::normal;
        };
    }
    /// The word of the block that block() has left there.
    std::string end_word() {
        if (now().kind != Token::begin)
            bad("a block is not closed");
        take();
        return need_name();
    }

    Statement statement() {
        const std::string word = need_name();
        if (word == "if")
            return if_statement();
        if (word == "for")
            return for_statement();
        if (word == "set")
            return set_statement();
        if (word == "macro")
            return macro_statement();
        if (word == "generation") {
            need(Token::end);
            Statement body = block({"endgeneration"});
            end_word();
            need(Token::end);
            has_generation_ = true;
            return [body](Rendering& at) {
                const std::size_t from = at.written();
                at.scopes.emplace_back();  // what it sets ends with it, as in Jinja's call blocks
                const Flow flow = body(at);
                at.scopes.pop_back();
                at.generated.emplace_back(from, at.written());
                return flow;
            };
        }
        if (word == "filter")
            return filter_statement();
        if (word == "break" || word == "continue") {
            need(Token::end);
            return [flow = word == "break" ? Flow::breaks : Flow::continues](Rendering&) { return flow; };
        }
        bad(Message("the statement {} is not supported", word));
    }

    Statement if_statement() {
        std::vector<std::pair<Expression, Statement>> cases;
        Statement otherwise;
        Expression condition = expression();
        need(Token::end);
        for (;;) {
            cases.emplace_back(condition, block({"elif", "else", "endif"}));
            const std::string word = end_word();
            if (word == "elif") {
                condition = expression();
                need(Token::end);
                continue;
            }
            need(Token::end);
            if (word == "else") {
                otherwise = block({"endif"});
                end_word();
                need(Token::end);
            }
            break;
        }
        return [cases, otherwise](Rendering& at) {
            for (const auto& [holds, body] : cases)
                if (is_true(holds(at)))
                    return body(at);
            return otherwise ? otherwise(at) : Flow::normal;
        };
    }

    std::vector<std::string> names() {
        std::vector<std::string> all;
        const bool bracket = skip("(");
        do
            all.push_back(need_name());
        while (skip(","));
        if (bracket)
            need(")");
        return all;
    }

    static void assign(Rendering& at, const std::vector<std::string>& targets, const Value& value) {
        if (targets.size() == 1) {
            at.scopes.back()[targets[0]] = value;
            return;
        }
        const List parts = items_of(value);
        if (parts.size() != targets.size())
            fail("a list has another length than its names");
        for (std::size_t i = 0; i < parts.size(); ++i)
            at.scopes.back()[targets[i]] = parts[i];
    }

    Statement for_statement() {
        const std::vector<std::string> targets = names();
        need("in");
        Expression all = or_expression();  // a condition may follow
        Expression condition;
        if (skip("if"))
            condition = expression();
        need(Token::end);
        Statement body = block({"else", "endfor"}), otherwise;
        if (end_word() == "else") {
            need(Token::end);
            otherwise = block({"endfor"});
            end_word();
        }
        need(Token::end);
        return [targets, all, condition, body, otherwise](Rendering& at) {
            at.check_stack();
            List items = items_of(all(at));
            if (condition) {
                List chosen;
                for (const Value& one : items) {
                    at.count();
                    at.scopes.emplace_back();
                    assign(at, targets, one);
                    if (is_true(condition(at)))
                        chosen.push_back(one);
                    at.scopes.pop_back();
                }
                items = std::move(chosen);
            }
            if (items.empty())
                return otherwise ? otherwise(at) : Flow::normal;
            const std::int64_t count = std::ssize(items);
            for (std::int64_t i = 0; i < count; ++i) {
                const auto place = static_cast<std::size_t>(i);
                at.scopes.emplace_back();
                assign(at, targets, items[place]);
                at.scopes.back()["loop"] =
                    Value(Table{{"index", Value(i + 1)},
                                {"index0", Value(i)},
                                {"first", Value(i == 0)},
                                {"last", Value(i + 1 == count)},
                                {"length", Value(count)},
                                {"revindex", Value(count - i)},
                                {"revindex0", Value(count - i - 1)},
                                {"previtem", i > 0 ? items[place - 1] : Value(Undefined{"previtem"})},
                                {"nextitem", i + 1 < count ? items[place + 1] : Value(Undefined{"nextitem"})}});
                const Flow flow = body(at);
                at.scopes.pop_back();
                if (flow == Flow::breaks)
                    break;
            }
            return Flow::normal;
        };
    }

    Statement set_statement() {
        const std::string name = need_name();
        std::string part;
        if (skip("."))
            part = need_name();
        std::vector<std::string> targets{name};
        while (part.empty() && skip(","))
            targets.push_back(need_name());
        Expression value;
        if (skip("=")) {
            value = tuple();
            need(Token::end);
        } else {
            need(Token::end);
            Statement body = block({"endset"});
            end_word();
            need(Token::end);
            value = [body](Rendering& at) { return Value(at.capture([&] { body(at); })); };
        }
        return [targets, part, value](Rendering& at) {
            const Value given = value(at);
            if (part.empty()) {
                assign(at, targets, given);
                return Flow::normal;
            }
            const Value space = at.look_up(targets[0]);
            const auto* entries = std::get_if<std::shared_ptr<Namespace>>(&space.held);
            if (entries == nullptr)
                fail(Message("{} is not a namespace, so {} cannot be set", targets[0], part));
            if (given.has_reference)
                fail(Message("{}.{} cannot be a namespace or a function", targets[0], part));
            put((*entries)->entries, part, given);
            return Flow::normal;
        };
    }

    /// Writes what the body writes, changed by filters.
    Statement filter_statement() {
        std::vector<std::pair<std::string, Call>> all;
        do {
            std::string name = need_name();
            all.emplace_back(std::move(name), skip("(") ? arguments() : Call{});
        } while (skip("|"));
        need(Token::end);
        Statement body = block({"endfilter"});
        end_word();
        need(Token::end);
        return [all, body](Rendering& at) {
            Flow flow = Flow::normal;
            Value text = Value(at.capture([&] { flow = body(at); }));
            for (const auto& [name, call] : all) {
                Arguments given = call.at(at);
                text = filtered(text, name, given);
            }
            at.write(str(text));
            return flow;
        };
    }

    Statement macro_statement() {
        const std::string name = need_name();
        std::vector<std::pair<std::string, Expression>> parameters;
        need("(");
        while (!skip(")")) {
            const std::string parameter = need_name();
            parameters.emplace_back(parameter, skip("=") ? expression() : Expression());
            if (!is_sign(")"))
                need(",");
        }
        need(Token::end);
        Statement body = block({"endmacro"});
        end_word();
        need(Token::end);
        return [name, parameters, body](Rendering& at) {
            Rendering* rendering = &at;
            at.scopes.back()[name] = Value(Function([rendering, parameters, body](Arguments& call) {
                rendering->check_stack();
                std::map<std::string, Value> scope;
                for (std::size_t i = 0; i < parameters.size(); ++i) {
                    const auto& [parameter, otherwise] = parameters[i];
                    const Value* given = argument(call, i, parameter.c_str());
                    scope[parameter] = given != nullptr ? *given
                                       : otherwise      ? otherwise(*rendering)
                                                        : Value(Undefined{parameter});
                }
                // A macro sees the variables of the template, not those of its caller.
                std::vector<std::map<std::string, Value>> callers(
                    std::make_move_iterator(rendering->scopes.begin() + kOuterScopes),
                    std::make_move_iterator(rendering->scopes.end()));
                rendering->scopes.resize(kOuterScopes);
                rendering->scopes.push_back(std::move(scope));
                std::string text = rendering->capture([&] { body(*rendering); });
                rendering->scopes.resize(kOuterScopes);
                std::ranges::move(callers, std::back_inserter(rendering->scopes));
                return Value(std::move(text));
            }));
            return Flow::normal;
        };
    }

    /// `a, b` makes a list.
    Expression tuple() {
        std::vector<Expression> parts{expression()};
        while (skip(",")) {
            if (now().kind == Token::end)
                break;
            parts.push_back(expression());
        }
        return parts.size() == 1 ? parts[0] : list_of(parts);
    }
    static Expression list_of(const std::vector<Expression>& parts) {
        return [parts](Rendering& at) {
            List list;
            for (const Expression& part : parts)
                list.push_back(part(at));
            return Value(std::move(list));
        };
    }

    Expression expression() {
        const Nesting nesting(*this);
        Expression value = or_expression();
        while (skip("if")) {
            link();
            Expression condition = or_expression();
            Expression otherwise = skip("else") ? expression() : Expression();
            value = [value, condition, otherwise](Rendering& at) {
                at.count();
                return is_true(condition(at)) ? value(at) : otherwise ? otherwise(at) : Value(Undefined{"else"});
            };
        }
        return value;
    }

    Expression or_expression() {
        Expression left = and_expression();
        while (skip("or")) {
            link();
            left = [left, right = and_expression()](Rendering& at) {
                Value value = left(at);
                return is_true(value) ? value : right(at);
            };
        }
        return left;
    }
    Expression and_expression() {
        Expression left = not_expression();
        while (skip("and")) {
            link();
            left = [left, right = not_expression()](Rendering& at) {
                Value value = left(at);
                return is_true(value) ? right(at) : value;
            };
        }
        return left;
    }
    Expression not_expression() {
        const Nesting nesting(*this);
        if (!skip("not"))
            return comparison();
        return [value = not_expression()](Rendering& at) { return Value(!is_true(value(at))); };
    }

    Expression comparison() {
        Expression first = sum();
        std::vector<std::pair<std::string, Expression>> rest;
        for (;;) {
            std::string sign;
            for (const char* one : {"==", "!=", "<=", ">=", "<", ">", "in"})
                if (sign.empty() && skip(one))
                    sign = one;
            if (sign.empty() && is_name("not") && tokens_[at_ + 1].words == "in") {
                take();
                take();
                sign = "not in";
            }
            if (sign.empty())
                break;
            rest.emplace_back(sign, sum());
        }
        if (rest.empty())
            return first;
        return [first, rest](Rendering& at) {
            Value left = first(at);
            for (const auto& [sign, other] : rest) {
                at.count();
                Value right = other(at);
                const bool holds = sign == "=="       ? equal(left, right)
                                   : sign == "!="     ? !equal(left, right)
                                   : sign == "<"      ? less(left, right)
                                   : sign == ">"      ? less(right, left)
                                   : sign == "<="     ? !less(right, left)
                                   : sign == ">="     ? !less(left, right)
                                   : sign == "not in" ? !contains(right, left)
                                                      : contains(right, left);
                if (!holds)
                    return Value(false);
                left = std::move(right);
            }
            return Value(true);
        };
    }

    static Value joined(const std::string& a, const std::string& b) {
        spend(a.size() + b.size());
        return Value(a + b);
    }
    static Value computed(const std::string& sign, const Value& a, const Value& b) {
        if (sign == "+" && a.is_text() && b.is_text())
            return joined(a.text(), b.text());
        if (sign == "+" && a.is_list() && b.is_list()) {
            List list = a.list();
            list.insert(list.end(), b.list().begin(), b.list().end());
            return Value(std::move(list));
        }
        if (sign == "*" && a.is_text() && b.is<std::int64_t>()) {
            std::string text;
            for (std::int64_t i = 0; i < whole_of(b) && !a.text().empty(); ++i) {
                text += a.text();
                if (text.size() > kMostText)
                    fail("its text is too long");
            }
            return Value(text);
        }
        if (!a.is_number() || !b.is_number())
            fail(Message("{} and {} cannot be combined with {}", a.is<Undefined>() ? "an undefined value" : repr(a),
                         b.is<Undefined>() ? "an undefined value" : repr(b), sign));
        const double x = number_of(a), y = number_of(b);
        const bool whole = !a.is<double>() && !b.is<double>() && !(sign == "**" && y < 0);
        if ((sign == "/" || sign == "//" || sign == "%") && y == 0)
            fail("it divides by 0");
        if (sign == "/")
            return Value(x / y);
        const double result = sign == "+"    ? x + y
                              : sign == "-"  ? x - y
                              : sign == "*"  ? x * y
                              : sign == "//" ? std::floor(x / y)
                              : sign == "**" ? std::pow(x, y)
                                             : x - y * std::floor(x / y);
        return whole && std::abs(result) < 9e15 ? Value(static_cast<std::int64_t>(result)) : Value(result);
    }
    Expression binary(std::initializer_list<const char*> signs, Expression (Parser::*next)()) {
        Expression left = (this->*next)();
        for (;;) {
            std::string sign;
            for (const char* one : signs)
                if (sign.empty() && is_sign(one))
                    sign = take().words;
            if (sign.empty())
                return left;
            link();
            left = [sign, left, right = (this->*next)()](Rendering& at) {
                at.count();
                const Value a = left(at), b = right(at);
                return sign == "~" ? joined(str(a), str(b)) : computed(sign, a, b);
            };
        }
    }
    Expression sum() { return binary({"+", "-"}, &Parser::concatenation); }
    Expression concatenation() { return binary({"~"}, &Parser::product); }
    Expression product() { return binary({"*", "//", "/", "%"}, &Parser::power); }
    Expression power() { return binary({"**"}, &Parser::unary); }

    Expression unary() {
        const Nesting nesting(*this);
        if (skip("-"))
            return [value = unary()](Rendering& at) { return negative(value(at)); };
        if (skip("+"))
            return unary();
        return filters(postfix(primary()));
    }

    Expression primary() {
        const Token token = take();
        switch (token.kind) {
            case Token::string: {
                std::string text = token.words;
                while (now().kind == Token::string)  // "a" "b"
                    text += take().words;
                return [value = Value(text)](Rendering&) { return value; };
            }
            case Token::whole:
                return
                    [value = parse_number<std::int64_t>(token.words).value_or(0)](Rendering&) { return Value(value); };
            case Token::real:
                return [value = parse_number<double>(token.words).value_or(0)](Rendering&) { return Value(value); };
            case Token::name: {
                const std::string lower = with_case(token.words, std::tolower);
                if (token.words == lower || token.words == titled(lower, false)) {
                    if (lower == "true" || lower == "false")
                        return [truth = lower == "true"](Rendering&) { return Value(truth); };
                    if (lower == "none")
                        return [](Rendering&) { return Value(None{}); };
                }
                return [name = token.words](Rendering& at) {
                    at.count();
                    return at.look_up(name);
                };
            }
            case Token::sign:
                if (token.words == "(") {
                    if (skip(")"))
                        return list_of({});
                    std::vector<Expression> parts{expression()};
                    bool list = false;
                    while (skip(",")) {
                        list = true;
                        if (is_sign(")"))
                            break;
                        parts.push_back(expression());
                    }
                    need(")");
                    return list ? list_of(parts) : parts[0];
                }
                if (token.words == "[") {
                    std::vector<Expression> parts;
                    while (!skip("]")) {
                        parts.push_back(expression());
                        if (!is_sign("]"))
                            need(",");
                    }
                    return list_of(parts);
                }
                if (token.words == "{")
                    return table();
                [[fallthrough]];
            default:
                bad(Message("'{}' is not expected", token.words));
        }
    }

    Expression table() {
        std::vector<std::pair<Expression, Expression>> entries;
        while (!skip("}")) {
            Expression key = expression();
            need(":");
            entries.emplace_back(std::move(key), expression());
            if (!is_sign("}"))
                need(",");
        }
        return [entries](Rendering& at) {
            Table all;
            for (const auto& [key, value] : entries)
                put(all, str(key(at)), value(at));
            return Value(std::move(all));
        };
    }

    struct Call {
        std::vector<Expression> values;
        std::vector<std::pair<std::string, Expression>> named;
        std::vector<Expression> more_values, more_named;  // *list, **dictionary: after the others

        Arguments at(Rendering& rendering) const {
            Arguments all;
            for (const Expression& one : values)
                all.values.push_back(one(rendering));
            for (const auto& [name, one] : named)
                all.named.emplace_back(name, one(rendering));
            for (const Expression& list : more_values)
                for (const Value& one : items_of(list(rendering)))
                    all.values.push_back(one);
            for (const Expression& table : more_named) {
                const Value given = table(rendering);
                for (const auto& [name, one] : given.table())
                    all.named.emplace_back(name, one);
            }
            return all;
        }
    };
    /// After the opening bracket.
    Call arguments() {
        Call call;
        while (!skip(")")) {
            if (now().kind == Token::name && tokens_[at_ + 1].kind == Token::sign && tokens_[at_ + 1].words == "=") {
                const std::string name = take().words;
                take();
                call.named.emplace_back(name, expression());
            } else if (skip("**")) {
                call.more_named.push_back(expression());
            } else if (skip("*")) {
                call.more_values.push_back(expression());
            } else {
                call.values.push_back(expression());
            }
            if (!is_sign(")"))
                need(",");
        }
        return call;
    }

    Expression postfix(Expression value) {
        for (;;) {
            if (is_sign(".") || is_sign("[") || is_sign("("))
                link();
            if (skip(".")) {
                if (now().kind == Token::whole) {
                    value = [value, at_place = parse_number<std::int64_t>(take().words).value_or(0)](Rendering& at) {
                        return item(value(at), Value(at_place));
                    };
                    continue;
                }
                value = [value, name = need_name()](Rendering& at) { return attribute(value(at), name); };
            } else if (skip("[")) {
                value = subscript(value);
            } else if (skip("(")) {
                value = called(value, arguments());
            } else {
                return value;
            }
        }
    }
    Expression subscript(const Expression& value) {
        const Expression none = [](Rendering&) { return Value(None{}); };
        Expression from = is_sign(":") ? none : expression();
        if (!is_sign(":")) {
            need("]");
            return [value, from](Rendering& at) {
                const Value owner = value(at);
                return item(owner, from(at));
            };
        }
        take();
        Expression to = is_sign("]") || is_sign(":") ? none : expression(), by = none;
        if (skip(":") && !is_sign("]"))
            by = expression();
        need("]");
        return [value, from, to, by](Rendering& at) { return slice(value(at), from(at), to(at), by(at)); };
    }
    static Expression called(const Expression& value, const Call& call) {
        return [value, call](Rendering& at) {
            at.count();
            const Value function = value(at);
            if (!function.is<std::shared_ptr<Function>>())
                fail(function.is<Undefined>()
                         ? Message("'{}' is undefined, so it cannot be called", std::get<Undefined>(function.held).name)
                         : Message("{} cannot be called", repr(function)));
            Arguments given = call.at(at);
            return (*std::get<std::shared_ptr<Function>>(function.held))(given);
        };
    }

    Expression filters(Expression value) {
        for (;;) {
            if (is_sign("|") || is_name("is") || is_sign("("))
                link();
            if (skip("|")) {
                const std::string name = need_name();
                const Call call = skip("(") ? arguments() : Call{};
                value = postfix([value, name, call](Rendering& at) {
                    at.count();
                    const Value given = value(at);
                    Arguments all = call.at(at);
                    return filtered(given, name, all);
                });
            } else if (skip("is")) {
                const bool inverts = skip("not");
                const std::string name = take().words;
                Call call;
                if (skip("("))
                    call = arguments();
                else if (now().kind == Token::string || now().kind == Token::whole ||
                         (now().kind == Token::name && !is_name("and") && !is_name("or") && !is_name("else") &&
                          !is_name("if") && !is_name("is") && !is_name("in") && !is_name("not")) ||
                         is_sign("["))
                    call.values.push_back(postfix(primary()));
                value = [value, inverts, name, call](Rendering& at) {
                    at.count();
                    const Value given = value(at);
                    return Value(passes_test(given, name, call.at(at)) != inverts);
                };
            } else if (skip("(")) {
                value = called(value, arguments());
            } else {
                return value;
            }
        }
    }

    /// Bounds the expressions that hold one another although they are not written in one another.
    void link() {
        if (++links_ > kMostLinks)
            bad("an expression is too long");
    }
    /// Bounds how deep the parser calls itself.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_(parser) {
            if (++parser_.nesting_ > 3 * kMostDepth)
                fail("it is nested too deeply");
        }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };

  public:
    static constexpr std::ptrdiff_t kOuterScopes = 2;  ///< functions and variables, and what the template sets

  private:
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int nesting_ = 0, links_ = 0;
    bool has_generation_ = false;
};

}  // namespace

ParsedTemplate parse_template(const std::string& text) {
    return Parser(Lexer(text).take()).parse();
}

std::map<std::string, Value> functions() {
    std::map<std::string, Value> all;
    all["raise_exception"] = Value(Function([](Arguments& call) -> Value {
        fail(Message::verbatim(call.values.empty() ? std::string("refused the conversation") : str(call.values[0])));
    }));
    all["namespace"] = Value(Function([](Arguments& call) {
        Namespace space{call.named};
        for (const Value& given : call.values)  // namespace({'a': 1})
            for (const auto& [name, value] : given.table())
                put(space.entries, name, value);
        if (std::ranges::any_of(space.entries, [](const auto& entry) { return entry.second.has_reference; }))
            fail("a namespace cannot hold a namespace or a function");
        return Value(std::move(space));
    }));
    all["dict"] = Value(Function([](Arguments& call) { return Value(call.named); }));
    all["range"] = Value(Function([](Arguments& call) {
        const auto at = [&](std::size_t i) { return whole_of(call.values.at(i)); };
        if (call.values.empty() || call.values.size() > 3)
            fail("range needs one to three numbers");
        const std::int64_t from = call.values.size() > 1 ? at(0) : 0, to = call.values.size() > 1 ? at(1) : at(0),
                           step = call.values.size() > 2 ? at(2) : 1;
        List list;
        if (step == 0)
            fail("range has the step 0");
        for (std::int64_t i = from; step > 0 ? i < to : i > to;) {
            list.push_back(Value(i));
            if (list.size() > 100'000)  // the sandbox's limit
                fail("range is too long");
            if (__builtin_add_overflow(i, step, &i))
                break;
        }
        return Value(std::move(list));
    }));
    all["strftime_now"] = Value(Function([](Arguments& call) {
        const std::string form = text_argument(call, 0, "format");
        const std::time_t now = std::time(nullptr);
        std::tm parts{};
        ::localtime_r(&now, &parts);
        char text[256];
        return Value(std::string(text, std::strftime(text, sizeof text, form.c_str(), &parts)));
    }));
    return all;
}

}  // namespace trainyard::tokenizers::jinja
