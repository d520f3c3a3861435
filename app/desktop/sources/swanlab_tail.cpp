// SPDX-License-Identifier: GPL-3.0-or-later
// run-*.swanlab: what SwanLab writes of a run on the disk. Its records are protocol buffers (swanlab.record.v1):
// scalars are curves, the start of the run has name, description and tags; files/config.yaml next to the file has the
// parameters. Media are left out.
#include <utility>

#include "base/file.h"
#include "base/protobuf.h"
#include "base/regular_file.h"
#include "config/values/value_formats.h"
#include "desktop/sources/chunk_log_tail.h"
#include "desktop/sources/foreign_tails.h"

namespace trainyard::desktop {

namespace {

using protobuf::Fields;
using protobuf::Wire;

constexpr std::string_view kSwanlabHead = ":SWL";

/// Adds the scalars of nested tables under joined names.
void add_parameters(const std::string& name, const Value& value, ParameterWords& words) {
    for (const auto& [key, inner] : value.entries())
        add_parameters(name.empty() ? key : name + "/" + key, inner, words);
    if (!value.is_map())
        words.emplace_back(name, value.is_list() ? flow_text(value) : value.is_null() ? "None" : value.display());
}

class SwanlabTail final : public ChunkLogTail {
  public:
    explicit SwanlabTail(const std::filesystem::path& file)
        : ChunkLogTail(file, kSwanlabHead, Message("{} is not a SwanLab file", file.string())) {}

  private:
    void beginAgain(CurveBatch& batch) override {
        if (was_there_)
            FileTail::beginAgain(batch);
        labels_ = {};
        has_news_ = false;
    }

    bool readOn(CurveBatch& batch, std::uint64_t limit_bytes) override {
        const bool all = readRecords(limit_bytes);
        if (std::exchange(has_news_, false)) {
            batch.labels = labels_;
            batch.parameters = parameters();
        }
        return all;
    }

    /// Of files/config.yaml: a table with `value` for each name.
    ParameterWords parameters() const {
        ParameterWords words = run_;
        try {
            std::vector<Problem> problems;
            const std::string file = (file_.path().parent_path() / "files" / "config.yaml").string();
            const Value config = parse_yaml(read_file(file), file, problems, python_rules(problems));
            for (const auto& [name, entry] : config.entries())
                if (const Value* value = entry.find("value"))
                    add_parameters(name, *value, words);
        } catch (const std::exception&) {  // a run without a configuration
        }
        return words;
    }

    void takeRecord(std::string_view record) override {
        for (Fields fields(record); fields.next();) {
            if (fields.is(10, Wire::bytes))
                takeStart(fields.bytes());
            else if (fields.is(13, Wire::bytes))
                takeScalar(fields.bytes());
            else if (fields.is(20, Wire::bytes))  // a file: the configuration may have changed
                has_news_ = true;
        }
    }

    void takeStart(std::string_view start) {
        labels_ = {};
        run_.clear();
        for (Fields fields(start); fields.next();) {
            const auto text = [&fields](int field) { return fields.is(field, Wire::bytes) && !fields.bytes().empty(); };
            if (text(1))
                run_.emplace_back("run/project", fields.bytes());
            else if (text(4))
                labels_.name = fields.bytes();
            else if (text(5))
                labels_.note = fields.bytes();
            else if (text(6))
                labels_.tags.emplace_back(fields.bytes());
            else if (text(7))
                run_.emplace_back("run/group", fields.bytes());
            else if (text(8))
                run_.emplace_back("run/job_type", fields.bytes());
        }
        has_news_ = true;
    }

    void takeScalar(std::string_view scalar) {
        std::string_view key;
        std::int64_t step = 0;
        double time = 0, value = 0;
        for (Fields fields(scalar); fields.next();) {
            if (fields.is(1, Wire::bytes)) {
                key = fields.bytes();
            } else if (fields.is(2, Wire::varint)) {
                step = fields.integer();
            } else if (fields.is(4, Wire::bytes)) {
                for (Fields parts(fields.bytes()); parts.next();)
                    if (parts.number() == 1 || parts.number() == 2)
                        time += static_cast<double>(parts.integer()) * (parts.number() == 1 ? 1 : 1e-9);
            } else if (fields.is(5, Wire::bytes)) {
                for (Fields number(fields.bytes()); number.next();)
                    if (number.is(1, Wire::fixed64))
                        value = number.as_double();
            }
        }
        point(key, step, time, value);
    }

    LogLabels labels_;
    ParameterWords run_;
    bool has_news_ = false;
};

}  // namespace

std::unique_ptr<MetricsTail> make_swanlab_tail(std::filesystem::path file) {
    return std::make_unique<SwanlabTail>(file);
}

bool looks_like_swanlab(const std::filesystem::path& file) {
    return read_head(file, kSwanlabHead.size()) == kSwanlabHead;
}

}  // namespace trainyard::desktop
