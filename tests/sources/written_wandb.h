// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file as Weights & Biases writes it: head, blocks of 32 KiB, records in pieces. Needs zlib.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <zlib.h>

#include "base/protobuf.h"

namespace trainyard::test {

class WrittenWandb {
  public:
    std::string bytes = std::string(":W&B\xe1\xbe\0", 7);

    static std::string item(const std::vector<std::string>& key, const std::string& json) {
        namespace pb = protobuf;
        std::string text;
        if (key.size() == 1)
            pb::append_bytes(text, 1, key[0]);
        else
            for (const std::string& part : key)
                pb::append_bytes(text, 2, part);
        pb::append_bytes(text, 16, json);
        return text;
    }
    /// Adds a record. `kind`: its field in the message Record.
    void add(int kind, const std::string& message) {
        namespace pb = protobuf;
        std::string record;
        pb::append_integer(record, 1, 7);
        pb::append_bytes(record, kind, message);
        std::string_view rest(record);
        for (bool first = true; first || !rest.empty(); first = false) {
            std::size_t left = 32768 - bytes.size() % 32768;
            if (left < 7) {
                bytes.append(left, '\0');
                left = 32768;
            }
            const std::string_view piece = rest.substr(0, left - 7);
            rest.remove_prefix(piece.size());
            const char type = first ? (rest.empty() ? 1 : 2) : (rest.empty() ? 4 : 3);
            const std::string summed = type + std::string(piece);
            const auto crc =
                ::crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size()));
            pb::append_little_endian(bytes, crc, 4);
            pb::append_little_endian(bytes, piece.size(), 2);
            bytes += summed;
        }
    }
    /// Adds a row of history with a loss.
    void history(std::int64_t step, double loss, const std::string& more = "") {
        std::string message;
        const auto put = [&message](const std::string& one) { protobuf::append_bytes(message, 1, one); };
        put(item({"loss"}, std::isnan(loss) ? "NaN" : std::to_string(loss)));
        put(item({"nested", "acc"}, "0.5"));
        put(item({"word"}, "\"x\""));
        if (!more.empty())
            put(item({"long"}, '"' + more + '"'));
        put(item({"_step"}, std::to_string(step)));
        put(item({"_timestamp"}, std::to_string(1.7e9 + static_cast<double>(step))));
        add(2, message);
    }
    /// Adds the record of a run with its name, tags and config, and its summary.
    void run(const std::string& name, const std::vector<std::string>& tags, const std::string& rate) {
        namespace pb = protobuf;
        std::string config, run, summary;
        pb::append_bytes(config, 1, item({"_wandb"}, "{}"));
        pb::append_bytes(config, 1, item({"lr"}, rate));
        pb::append_bytes(config, 1, item({"model"}, "{\"layers\": 4}"));
        pb::append_bytes(run, 4, config);
        pb::append_bytes(run, 8, name);
        pb::append_bytes(run, 9, "a note");
        for (const std::string& tag : tags)
            pb::append_bytes(run, 10, tag);
        add(17, run);
        pb::append_bytes(summary, 1, item({"best"}, "0.25"));
        pb::append_bytes(summary, 1, item({"_wandb"}, "{\"runtime\": 3}"));
        add(3, summary);
    }
    void write(const std::filesystem::path& file, std::size_t count = std::string::npos) const {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << bytes.substr(0, count);
    }
};

}  // namespace trainyard::test
