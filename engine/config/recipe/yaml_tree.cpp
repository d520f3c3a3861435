#include "config/recipe/yaml_tree.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_file.h"

namespace trainyard::config {

namespace {

constexpr std::size_t kDeepest = kMostJsonDepth;

/// Ends parsing; the problem has been noted.
struct Stop {};

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(const std::string& file, std::vector<Problem>& problems, const YamlRules& rules)
        : file_(file), problems_(problems), rules_(rules) {}

    YamlValue take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(mark, "", anchor, YamlValue::Kind::null);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        auto named = anchored_.find(anchor);
        if (rules_.aliases && named != anchored_.end()) {
            count(mark, size_of(named->second));
            if (open_.size() + depth_of(named->second) > kDeepest)
                refuse_depth(mark);
            place(YamlValue(named->second));
            return;
        }
        refuse(mark, rules_.aliases
                         ? Message("an alias (*name) inside of what it names has no end: write the value out")
                         : Message("aliases (*name) are not allowed here: write the value out"));
        add(mark, "", 0, YamlValue::Kind::null);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        // yaml-cpp marks a scalar without quotes with the tag "?" and a quoted one with "!".
        bool plain = tag == "?" || tag.empty();
        bool nothing =
            plain && (value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL");
        YamlValue& made = add(mark, tag, anchor, nothing ? YamlValue::Kind::null : YamlValue::Kind::scalar);
        made.text = value;
        made.plain = plain;
        remember(anchor, made);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, YamlValue::Kind::list);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, YamlValue::Kind::map);
    }
    void OnMapEnd() override { close(); }

  private:
    struct Open {
        YamlValue value;
        YamlValue key;
        bool has_key = false;
        YAML::anchor_t anchor = 0;
    };

    void refuse(const YAML::Mark& mark, Message message) {
        problems_.push_back({file_, mark.line + 1, mark.column + 1, "", std::move(message)});
    }

    static std::size_t size_of(const YamlValue& value) {
        std::size_t size = 1;
        for (const YamlValue& item : value.items)
            size += size_of(item);
        for (const YamlEntry& entry : value.entries)
            size += 1 + size_of(entry.value);
        return size;
    }

    static std::size_t depth_of(const YamlValue& value) {
        std::size_t deepest = 0;
        for (const YamlValue& item : value.items)
            deepest = std::max(deepest, depth_of(item));
        for (const YamlEntry& entry : value.entries)
            deepest = std::max(deepest, depth_of(entry.value));
        return value.kind == YamlValue::Kind::list || value.kind == YamlValue::Kind::map ? deepest + 1 : deepest;
    }

    void refuse_depth(const YAML::Mark& mark) {
        refuse(mark, Message("nested deeper than {} levels", kDeepest));
        throw Stop{};
    }

    void count(const YAML::Mark& mark, std::size_t nodes) {
        nodes_ += nodes;
        if (nodes_ <= rules_.most_nodes)
            return;
        refuse(mark, Message("holds more than {} values", rules_.most_nodes));
        throw Stop{};
    }

    void remember(YAML::anchor_t anchor, const YamlValue& value) {
        if (rules_.aliases && anchor != 0)
            anchored_.insert_or_assign(anchor, value);
    }

    void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        count(mark, 1);
        if (anchor != 0 && !rules_.aliases)
            refuse(mark, "anchors (&name) are not allowed here: write the value out where it is needed");
        if (!tag.empty() && tag != "?" && tag != "!")
            refuse(mark, Message("the tag {} is not allowed here: leave it out", tag));
    }

    YamlValue& add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlValue::Kind kind) {
        check(mark, tag, anchor);
        YamlValue value;
        value.kind = kind;
        value.line = mark.line + 1;
        value.column = mark.column + 1;
        return place(std::move(value));
    }

    YamlValue& place(YamlValue value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return root_;
        }
        Open& parent = open_.back();
        if (parent.value.kind == YamlValue::Kind::list)
            return parent.value.items.emplace_back(std::move(value));
        if (!parent.has_key) {
            parent.key = std::move(value);
            parent.has_key = true;
            return parent.key;
        }
        parent.has_key = false;
        if (parent.key.kind != YamlValue::Kind::scalar) {
            problems_.push_back({file_, parent.key.line, parent.key.column, "",
                                 Message("a key must be a name, not {}", parent.key.description())});
            ignored_ = std::move(value);
            return ignored_;
        }
        parent.value.entries.push_back({std::move(parent.key), std::move(value)});
        return parent.value.entries.back().value;
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlValue::Kind kind) {
        check(mark, tag, anchor);
        if (open_.size() >= kDeepest)
            refuse_depth(mark);
        Open& made = open_.emplace_back();
        made.anchor = anchor;
        made.value.kind = kind;
        made.value.line = mark.line + 1;
        made.value.column = mark.column + 1;
    }

    void close() {
        YamlValue value = std::move(open_.back().value);
        YAML::anchor_t anchor = open_.back().anchor;
        open_.pop_back();
        remember(anchor, value);
        place(std::move(value));
    }

    const std::string& file_;
    std::vector<Problem>& problems_;
    const YamlRules& rules_;
    std::size_t nodes_ = 0;
    std::map<YAML::anchor_t, YamlValue> anchored_;
    std::vector<Open> open_;
    YamlValue root_;
    YamlValue ignored_;
};

}  // namespace

Message YamlValue::description() const {
    switch (kind) {
        case Kind::null:
            return "nothing";
        case Kind::list:
            return "a list";
        case Kind::map:
            return "a table of keys";
        case Kind::scalar:
            break;
    }
    std::string shown = text;
    if (shown.size() > 60)
        shown.replace(57, std::string::npos, "...");
    return plain ? Message::verbatim(fmt::format("'{}'", shown)) : Message("the text \"{}\"", shown);
}

const YamlValue* YamlValue::find(std::string_view key) const {
    for (const auto& [name, value] : entries)
        if (name.text == key)
            return &value;
    return nullptr;
}

YamlValue parse_yaml(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                     const YamlRules& rules) {
    if (text.size() > rules.most_bytes) {
        problems.push_back({file, 0, 0, "",
                            Message("is {}, more than the {} allowed for settings", text::file_size(text.size()),
                                    text::file_size(rules.most_bytes))});
        return {};
    }
    if (std::optional<Problem> problem = text::text_problem(text, file)) {
        problems.push_back(std::move(*problem));
        return {};
    }
    text.remove_prefix(text::mark_bytes(text));
    if (std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        problems.push_back({file, 0, 0, "", Message("byte {} is zero: this is not a text file", zero)});
        return {};
    }
    // A carriage return alone ends a line, too (YAML 1.1 and 1.2, section 5.4); yaml-cpp takes it for a part of the
    // line.
    std::string with_line_ends;
    for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
        if (at + 1 == text.size() || text[at + 1] != '\n') {
            if (with_line_ends.empty())
                with_line_ends = text;
            with_line_ends[at] = '\n';
        }
    if (!with_line_ends.empty())
        text = with_line_ends;
    // yaml-cpp 0.7 takes an unclosed quote for closed when only line ends follow it.
    if (!rules.keep_end)
        text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    TreeBuilder builder(file, problems, rules);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        if (parser.HandleNextDocument(builder)) {
            YamlValue tree = builder.take();
            std::vector<Problem> ignored;
            TreeBuilder second(file, ignored, rules);
            if (parser.HandleNextDocument(second))
                problems.push_back({file, 0, 0, "", "holds more than one document (---): keep one"});
            return tree;
        }
    } catch (const Stop&) {
    } catch (const YAML::Exception& error) {
        bool known = error.mark.line >= 0 && !error.mark.is_null();
        problems.push_back({file, known ? error.mark.line + 1 : 0, known ? error.mark.column + 1 : 0, "",
                            Message("is not valid YAML here: {}", error.msg)});
    }
    return builder.take();
}

std::string flow_text(const YamlValue& value) {
    auto safe = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' || c == '+';
    };
    std::string out;
    switch (value.kind) {
        case YamlValue::Kind::null:
            return "null";
        case YamlValue::Kind::scalar:
            if (value.plain && !value.text.empty() && std::all_of(value.text.begin(), value.text.end(), safe))
                return value.text;
            for (char c : value.text) {
                auto byte = static_cast<unsigned char>(c);
                if (c == '"' || c == '\\')
                    out += std::string("\\") + c;
                else if (byte < 0x20 || byte == 0x7f)
                    out += fmt::format("\\x{:02x}", byte);
                else
                    out += c;
            }
            return '"' + out + '"';
        case YamlValue::Kind::list:
            for (const YamlValue& item : value.items)
                out += (out.empty() ? "" : ", ") + flow_text(item);
            return "[" + out + "]";
        case YamlValue::Kind::map:
            for (const auto& [key, entry] : value.entries)
                out += (out.empty() ? "" : ", ") + flow_text(key) + ": " + flow_text(entry);
            return "{" + out + "}";
    }
    return out;
}

}  // namespace trainyard::config
