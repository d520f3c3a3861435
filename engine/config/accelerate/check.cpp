// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "config/accelerate/convert.h"
#include "config/accelerate/rules.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

class KeyCheck {
  public:
    explicit KeyCheck(const Settings& settings)
        : settings_(settings), sagemaker_(settings.text("compute_environment") == "AMAZON_SAGEMAKER") {}

    std::vector<Finding> run() {
        require("distributed_type",
                sagemaker_
                    ? Message("distributed_type is missing: set it, e.g. to DATA_PARALLEL, or to NO for one device")
                    : Message("distributed_type is missing: set it, e.g. to MULTI_GPU, or to NO for one process"));
        if (sagemaker_) {
            require("ec2_instance_type", "ec2_instance_type is missing: set it, e.g. to ml.p3.2xlarge");
            require("iam_role_name", "iam_role_name is missing: set the role that SageMaker works with");
        }
        for (const Entry& entry : settings_.root()) {
            const Value::Map* table = entry.value.map();
            bool is_table = std::ranges::find(known_tables(sagemaker_), entry.key) != known_tables(sagemaker_).end();
            if (is_table && (table != nullptr || entry.value.is_null())) {
                if (table != nullptr && section_of_table(entry.key) != Section::launch)
                    for (const Entry& nested : *table)
                        judge(entry.key + "." + nested.key, nested);
                continue;
            }
            if (is_table) {
                add(Finding::Severity::error, entry.key, entry.value.line, entry.value.column,
                    Message("{} holds {}, not keys: remove it or give it keys", entry.key, entry.value.description()),
                    Value());
                continue;
            }
            judge(entry.key, entry);
        }
        return std::move(findings_);
    }

  private:
    void add(Finding::Severity severity, std::string path, int line, int column, Message message,
             std::optional<Value> fix = std::nullopt) {
        findings_.push_back({severity, std::move(path), std::move(message), std::move(fix), line, column});
    }

    void require(const std::string& name, Message message) {
        const Value* value = settings_.find(name);
        if (value == nullptr || value->is_null())
            add(Finding::Severity::error, name, 0, 0, std::move(message));
    }

    void judge(const std::string& path, const Entry& entry) {
        const Key* key = find_key(path, sagemaker_);
        if (key == nullptr || key->path() != path) {
            unknown(path, entry, key);
            return;
        }
        if (key->name == "num_processes" && entry.value == Value(-1)) {
            add(Finding::Severity::warning, path, entry.value.line, entry.value.column,
                "num_processes is not set: set it, or give --num_processes at each launch");
            return;
        }
        if (auto wrong = complaint(*key, entry.value)) {
            std::optional<Value> fix;
            Converted converted = convert(*key, entry.value);
            if (converted.changed && !complaint(*key, converted.value))
                fix = converted.value;
            add(Finding::Severity::error, path, entry.value.line, entry.value.column,
                Message("{} {}", key->name, *wrong), fix);
        } else if (!key->until.empty()) {
            add(Finding::Severity::warning, path, entry.line, entry.column,
                Message("{} acts here and in Accelerate up to {}: later releases of Accelerate ignore it", key->name,
                        key->until));
        }
    }

    void unknown(const std::string& path, const Entry& entry, const Key* meant) {
        bool nested = path.find('.') != std::string::npos;
        int line = entry.line > 0 ? entry.line : entry.value.line;
        int column = entry.line > 0 ? entry.column : entry.value.column;
        Message message;
        if (meant != nullptr)
            message = Message("{} is not a known key: it is written {} today", path, meant->path());
        else if (auto near = nearest_name(path, known_paths(sagemaker_)))
            message = Message("{} is not a known key: did you mean {}?", path, *near);
        else
            message = Message("{} is not a known key: remove it", path);
        // Accelerate passes unknown keys of a table on, so they may mean something to the script.
        add(nested ? Finding::Severity::warning : Finding::Severity::error, path, line, column, std::move(message),
            nested ? std::nullopt : std::optional<Value>(Value()));
    }

    const Settings& settings_;
    bool sagemaker_;
    std::vector<Finding> findings_;
};

}  // namespace

bool Judgement::on_accelerators() const {
    std::string way = type();
    return (way.starts_with("MULTI_") && way != "MULTI_CPU") || way == "FSDP" || way == "DEEPSPEED" ||
           way == "MEGATRON_LM";
}

bool Judgement::given(std::string_view path) const {
    const Value* value = settings_.find(path);
    return value != nullptr && !value->is_null();
}

void Judgement::add(Finding::Severity severity, std::string_view path, Message message, std::optional<Value> fix) {
    const Value* value = settings_.find(path);
    findings_.push_back({severity, std::string(path), std::move(message), std::move(fix),
                         value == nullptr ? 0 : value->line, value == nullptr ? 0 : value->column});
}

std::vector<Finding> check_keys(const Settings& settings) {
    return KeyCheck(settings).run();
}

std::optional<Message> check_value(std::string_view path, const Value& value, bool sagemaker) {
    const Key* key = find_key(path, sagemaker);
    if (key == nullptr)
        return std::nullopt;
    if (auto wrong = complaint(*key, value))
        return Message("{} {}", key->name, *wrong);
    return std::nullopt;
}

Value value_from_text(std::string_view path, std::string_view typed, bool sagemaker) {
    const Key* key = find_key(path, sagemaker);
    if (typed.find_first_not_of(" \t") == std::string_view::npos)
        return {};
    Value text(typed);
    if (key == nullptr)
        return text;
    if (key->type == Type::texts && typed.find(',') != std::string_view::npos) {
        Value::List items;
        for (std::string_view rest = typed;;) {
            std::size_t comma = std::min(rest.find(','), rest.size());
            items.emplace_back(rest.substr(0, comma));
            if (comma == rest.size())
                break;
            rest.remove_prefix(comma + 1);
        }
        return Value(std::move(items));
    }
    return convert(*key, std::move(text)).value;
}

std::vector<Finding> check(const Settings& settings, const Machine* machine) {
    std::vector<Finding> findings = check_keys(settings);
    Judgement judgement(settings, machine, findings);
    for (std::span<const Rule> rules :
         {machine_rules(), sharding_rules(), deepspeed_rules(), precision_rules(), cloud_rules()})
        for (const Rule& rule : rules)
            rule.judge(judgement);
    return findings;
}

}  // namespace trainyard::settings
