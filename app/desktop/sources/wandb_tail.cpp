// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/wandb_tail.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "base/error.h"
#include "base/regular_file.h"
#include "desktop/sources/log_lines.h"
#include "formats/events/protobuf.h"
#include "formats/tables/metrics_record.h"

namespace trainyard::desktop {

namespace {

using events::protobuf::Fields;
using events::protobuf::Wire;

constexpr std::string_view kHead = ":W&B";
constexpr std::size_t kHeadSize = 7;  // followed by a number and a version
constexpr std::uint64_t kBlock = 32 * 1024;
constexpr std::uint64_t kPieceHead = 7;      // CRC-32, length, type
constexpr std::size_t kRead = 1u << 20;      // bytes at a time
constexpr std::size_t kLongest = 64u << 20;  // of a record

enum Piece { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

std::uint32_t little_endian(const char* bytes, int count) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes, static_cast<std::size_t>(count));
    return number;
}

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

class WandbTail final : public FileTail {
  public:
    using FileTail::FileTail;

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

    bool readRecords(std::uint64_t limit_bytes) {
        const std::uint64_t begin = file_.position();
        std::string buffer;
        for (std::size_t wanted = kRead;;) {
            buffer.resize(wanted);
            const ssize_t got = file_.read(buffer.data(), wanted, file_.position());
            if (got < 0) {
                problem_ = file_.error();
                return true;
            }
            buffer.resize(static_cast<std::size_t>(got));
            const std::size_t taken = takeRecords(buffer);
            file_.consume(buffer.data(), taken);
            if (!problem_.empty() || static_cast<std::size_t>(got) < wanted)
                return true;
            if (file_.position() - begin >= limit_bytes)
                return false;
            // The record is longer than the buffer: read more at once.
            wanted = taken > 0 ? kRead : wanted * 2;
            if (wanted > 2 * kLongest) {
                problem_ = Message("{} has a record of more than {} MB at byte {}: everything before it is shown",
                                   file_.path().string(), kLongest >> 20, file_.position());
                return true;
            }
        }
    }

    /// Reads the complete records at the start of `bytes`, which begin at the current file position. Returns their
    /// length.
    std::size_t takeRecords(std::string_view bytes) {
        std::size_t at = 0, taken = 0;
        if (file_.position() == 0) {
            if (bytes.size() < kHeadSize)
                return 0;
            if (!bytes.starts_with(kHead)) {
                problem_ = Message("{} is not a Weights & Biases file", file_.path().string());
                return 0;
            }
            at = taken = kHeadSize;
        }
        std::string joined;
        while (at < bytes.size()) {
            const std::uint64_t left = kBlock - (file_.position() + at) % kBlock;
            if (left < kPieceHead) {
                at += left;
                continue;
            }
            if (bytes.size() - at < kPieceHead)
                break;
            const std::string_view rest = bytes.substr(at);
            const std::uint64_t size = little_endian(rest.data() + 4, 2);
            const int type = static_cast<unsigned char>(rest[6]);
            if (type == 0 && size == 0) {  // the rest of a block may be zeros
                at += left;
                continue;
            }
            if (size > left - kPieceHead || type < kWhole || type > kLast)
                return damage(at, taken);
            if (rest.size() < kPieceHead + size)
                break;
            const auto* summed = reinterpret_cast<const Bytef*>(rest.data() + 6);
            if (::crc32(0, summed, static_cast<uInt>(size + 1)) != little_endian(rest.data(), 4))
                return damage(at, taken);
            const std::string_view piece = rest.substr(kPieceHead, size);
            at += kPieceHead + size;
            if (type == kWhole || type == kFirst)
                joined.clear();
            if (type == kWhole) {
                takeRecord(piece);
                taken = at;
            } else {
                joined.append(piece);
                if (type == kLast) {
                    takeRecord(joined);
                    taken = at;
                }
            }
        }
        return std::min(taken, bytes.size());
    }

    std::size_t damage(std::size_t at, std::size_t taken) {
        problem_ = Message("{} is damaged at byte {}: everything before it is shown", file_.path().string(),
                           file_.position() + at);
        return taken;
    }

    void takeRecord(std::string_view record) {
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
    return std::make_unique<WandbTail>(std::move(file));
}

bool looks_like_wandb(const std::filesystem::path& file) {
    return read_head(file, kHead.size()) == kHead;
}

}  // namespace trainyard::desktop
