// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/table_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/tables/counted_table.h"
#include "formats/tables/record_table.h"

namespace trainyard::formats {

namespace {

class WholeText : public CountedTable {
  public:
    WholeText(const std::filesystem::path& path, const ReadOptions& options) : CountedTable(path) {
        if (file_.size() > options.record_limit)
            throw UserError(
                "{} has {}, and a whole file may have {}: raise record_limit or read its "
                "lines",
                path.string(), text::file_size(file_.size()), text::file_size(options.record_limit));
        schema_ = {{.name = "text", .type = ElementType::text}};
        rows_ = 1;
    }

  private:
    void append(Table& table, std::int64_t /*first*/, std::int64_t /*count*/) override {
        Column& column = table.columns[0];
        const std::vector<std::byte> bytes = file_.read(0, file_.size());
        const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const auto* begin = reinterpret_cast<const std::byte*>(text::checked_text(whole, path().string()).data());
        column.data.assign(begin, bytes.data() + bytes.size());
        column.text_ends.push_back(static_cast<std::int64_t>(column.data.size()));
        column.rows = table.rows = 1;
    }
};

struct Ending {
    const char* ending;
    const char* format;
};
constexpr Ending kEndings[] = {{".txt", "text"},
                               {".text", "text"},
                               {".md", "text"},
                               {".rst", "text"},
                               {".pod", "text"},
                               {".jsonl", "json_lines"},
                               {".ndjson", "json_lines"},
                               {".json", "json_lines"},
                               {".csv", "csv"},
                               {".tsv", "csv"},
                               {".parquet", "parquet"},
                               {".arrow", "arrow"},
                               {".feather", "arrow"},
                               {".ipc", "arrow"},
                               {".npy", "numpy"},
                               {".npz", "numpy"},
                               {".safetensors", "safetensors"}};

}  // namespace

std::string format_by_ending(const std::filesystem::path& path) {
    const std::string ending = text::lower(path.extension().string());
    for (const Ending& one : kEndings)
        if (ending == one.ending)
            return one.format;
    return {};
}

std::string format_of(const std::filesystem::path& path) {
    if (std::string format = format_by_ending(path); !format.empty())
        return format;
    std::string known;
    for (const Ending& one : kEndings)
        known += fmt::format("{}{}", known.empty() ? "" : " ", one.ending);
    throw UserError("{}: its extension does not identify the data format (known: {}): set the format", path.string(),
                    known);
}

std::unique_ptr<TableReader> open_whole_text(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<WholeText>(path, options);
}

std::unique_ptr<TableReader> open_table(const std::filesystem::path& path, const ReadOptions& options) {
    std::string format = options.format.empty() ? format_of(path) : options.format;
    if (format == "text")
        return open_text(path, options);
    if (format == "whole_text")
        return open_whole_text(path, options);
    if (format == "json_lines")
        return open_json_lines(path, options);
    if (format == "csv")
        return open_csv(path, options);
    if (format == "parquet" || format == "arrow")
        return open_arrow(path, format == "parquet", options);
    if (format == "numpy")
        return text::lower(path.extension().string()) == ".npz" ? open_npz(path, options) : open_npy(path, options);
    if (format == "safetensors")
        return open_safetensors(path, options);
    throw UserError("there is no data format '{}'{}", format,
                    text::did_you_mean(format, {"text", "whole_text", "json_lines", "csv", "parquet", "arrow", "numpy",
                                                "safetensors"}));
}

}  // namespace trainyard::formats
