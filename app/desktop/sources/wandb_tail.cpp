// SPDX-License-Identifier: GPL-3.0-or-later
// run-*.wandb: the file of a run of Weights & Biases on the disk, offline or next to their server. LevelDB's log format
// (https://github.com/google/leveldb/blob/main/doc/log_format.md) after a head of 7 bytes: blocks of 32 KiB, records in
// pieces, each with the CRC-32 of its type and bytes. A record is a protocol buffer: `history` holds the curves (key and
// value as JSON, with `_step` and `_timestamp`), `run` and `config` the parameters; other kinds are left out. An
// incomplete last record is read again later. Nothing is read after damage, which is reported.
#include <cmath>
#include <map>
#include <utility>

#include "base/protobuf.h"
#include "base/regular_file.h"
#include "desktop/sources/chunk_log_tail.h"
#include "desktop/sources/foreign_tails.h"
#include "formats/tables/metrics_record.h"

namespace trainyard::desktop {

namespace {

using protobuf::Fields;
using protobuf::Wire;

constexpr std::string_view kHead = ":W&B";
/// Key of an item of `history` or `config`: a name, or a path of nested names.
struct Item {
    std::string key;
    std::string_view json;

    explicit Item(std::string_view message) {
        for (Fields fields(message); fields.next();) {
            if (fields.is(16, Wire::bytes)) {
                json = fields.bytes();
            } else if (fields.is(1, Wire::bytes) || fields.is(2, Wire::bytes)) {
                if (!fields.bytes().empty())
                    key.append(key.empty() ? "" : "/").append(fields.bytes());
            }
        }
    }
};

class WandbTail final : public ChunkLogTail {
  public:
    explicit WandbTail(const std::filesystem::path& file)
        : ChunkLogTail(file, kHead, Message("{} is not a Weights & Biases file", file.string())) {}

  private:
    void beginAgain(CurveBatch& batch) override {
        if (was_there_)
            FileTail::beginAgain(batch);
        config_.clear();
        run_.clear();
        summary_.clear();
        labels_ = {};
        delivered_ = false;
    }

    bool readOn(CurveBatch& batch, std::uint64_t limit_bytes) override {
        const bool all = readRecords(limit_bytes);
        if (std::exchange(delivered_, true))
            return all;
        // Config, labels and the last values, of which the program writes every change.
        ParameterWords parameters = config_;
        parameters.insert(parameters.end(), run_.begin(), run_.end());
        for (const auto& [key, json] : summary_)
            reader_.read_parameter("summary/" + key, json, parameters);
        batch.parameters = std::move(parameters);
        batch.labels = labels_;
        return all;
    }

    void takeRecord(std::string_view record) override {
        for (Fields fields(record); fields.next();) {
            if (fields.is(2, Wire::bytes))
                takeHistory(fields.bytes());
            else if (fields.is(3, Wire::bytes))
                takeSummary(fields.bytes());
            else if (fields.is(5, Wire::bytes))
                takeConfig(fields.bytes());
            else if (fields.is(17, Wire::bytes))
                takeRun(fields.bytes());
        }
    }

    void takeRun(std::string_view run) {
        LogLabels labels;
        run_.clear();
        std::string tags;
        for (Fields fields(run); fields.next();) {
            const auto text = [&fields](int field) { return fields.is(field, Wire::bytes) && !fields.bytes().empty(); };
            if (fields.is(4, Wire::bytes)) {
                takeConfig(fields.bytes());
            } else if (text(3)) {
                run_.emplace_back("run/project", fields.bytes());
            } else if (text(6)) {
                run_.emplace_back("run/group", fields.bytes());
            } else if (text(7)) {
                run_.emplace_back("run/job_type", fields.bytes());
            } else if (text(8)) {
                labels.name = fields.bytes();
            } else if (text(9)) {
                labels.note = fields.bytes();
                run_.emplace_back("run/notes", fields.bytes());
            } else if (text(10)) {
                labels.tags.emplace_back(fields.bytes());
                tags.append(tags.empty() ? "" : ", ").append(fields.bytes());
            }
        }
        if (!tags.empty())
            run_.emplace_back("run/tags", tags);
        labels_ = std::move(labels);
        delivered_ = false;
    }

    void takeSummary(std::string_view summary) {
        for (Fields fields(summary); fields.next();) {
            const bool removed = fields.is(2, Wire::bytes);
            if (!removed && !fields.is(1, Wire::bytes))
                continue;
            const Item item(fields.bytes());
            if (item.key.empty() || item.key.starts_with('_'))
                continue;
            if (removed)
                summary_.erase(item.key);
            else
                summary_[item.key] = item.json;
            delivered_ = false;
        }
    }

    void takeHistory(std::string_view history) {
        formats::JsonRecord record;
        std::optional<std::int64_t> step;
        for (Fields fields(history); fields.next();) {
            if (fields.is(1, Wire::bytes)) {
                const Item item(fields.bytes());
                reader_.read_field(item.key, item.json, record);
            } else if (fields.is(2, Wire::bytes)) {
                for (Fields number(fields.bytes()); number.next();)
                    if (number.is(1, Wire::varint))
                        step = number.integer();
            }
        }
        if (!record.step)
            record.step = step;
        if (!record.step)
            return;
        const double time = record.time.value_or(std::nan(""));
        for (const auto& [tag, value] : record.numbers)
            point(tag, *record.step, time, value);
    }

    void takeConfig(std::string_view config) {
        for (Fields fields(config); fields.next();) {
            if (!fields.is(1, Wire::bytes))
                continue;
            const Item item(fields.bytes());
            if (item.key.empty() || item.key.starts_with("_wandb"))
                continue;
            reader_.read_parameter(item.key, item.json, config_);
            delivered_ = false;
        }
    }

    formats::JsonReader reader_;
    ParameterWords config_, run_;
    std::map<std::string, std::string> summary_;  ///< JSON by key
    LogLabels labels_;
    bool delivered_ = true;  ///< these have been handed over
};

}  // namespace

std::unique_ptr<MetricsTail> make_wandb_tail(std::filesystem::path file) {
    return std::make_unique<WandbTail>(file);
}

bool looks_like_wandb(const std::filesystem::path& file) {
    return read_head(file, kHead.size()) == kHead;
}

}  // namespace trainyard::desktop
