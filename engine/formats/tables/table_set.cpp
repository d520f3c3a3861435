// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/table_set.h"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "formats/tables/cell.h"

namespace trainyard::formats {

namespace {

constexpr std::size_t kOpenFiles = 64;

class FileSearch {
  public:
    explicit FileSearch(const std::string& pattern) : pattern_(pattern) {}

    void add(const std::string& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) == 0) {
            add_existing(path, S_ISDIR(info.st_mode), S_ISREG(info.st_mode), info.st_size == 0);
        } else if (path.find_first_of("*?[") != std::string::npos) {
            add_glob(path);
        } else {
            complain(Message("{} does not exist", path));
        }
    }
    std::vector<std::filesystem::path> finish() {
        for (const std::string& file : found_)
            if (::access(file.c_str(), R_OK) != 0)
                complain(Message("cannot read {}: {}", file, system_message(errno)));
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return {found_.begin(), found_.end()};
    }
    void complain(Message message) { problems_.push_back({"", 0, 0, "", std::move(message)}); }

  private:
    void add_existing(const std::string& path, bool folder, bool file, bool empty) {
        if (folder) {
            std::size_t before = found_.size(), complaints = problems_.size();
            search(path, 0);
            // Beside data of another format, such files describe it (state.json of Hugging Face's data sets).
            if (found_.size() == before)
                found_.insert(json_.begin(), json_.end());
            json_.clear();
            if (found_.size() == before && problems_.size() == complaints)
                complain(Message(
                    "{} holds no file that {} and is not empty", path,
                    pattern_ == "*" ? Message("has the ending of a data format") : Message("matches '{}'", pattern_)));
        } else if (!file) {
            complain(Message("{} is neither a file nor a folder", path));
        } else if (empty) {
            complain(Message("{} is empty", path));
        } else {
            found_.insert(path);
        }
    }
    void add_glob(const std::string& path) {
        glob_t matches{};
        int status = ::glob(path.c_str(), 0, nullptr, &matches);
        bool some = false;
        if (status == 0)
            for (std::size_t i = 0; i < matches.gl_pathc; ++i) {
                struct stat info {};
                if (::stat(matches.gl_pathv[i], &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
                    found_.insert(matches.gl_pathv[i]);
                    some = true;
                }
            }
        ::globfree(&matches);
        if (!some)
            complain(Message("no file that is not empty matches {}", path));
    }
    void search(const std::filesystem::path& folder, int depth) {
        std::error_code error;
        std::filesystem::directory_iterator entries(folder, error);
        if (error)
            return complain(Message("cannot read {}: {}", folder.string(), error.message()));
        for (const auto& entry : entries) {
            std::string name = entry.path().filename().string();
            std::error_code unknown;
            if (name.starts_with('.'))
                continue;
            if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) {
                if (depth < 64)
                    search(entry.path(), depth + 1);
            } else if (entry.is_regular_file(unknown) && ::fnmatch(pattern_.c_str(), name.c_str(), FNM_PERIOD) == 0 &&
                       (pattern_ != "*" || !format_by_ending(entry.path()).empty()) && entry.file_size(unknown) > 0) {
                (pattern_ == "*" && entry.path().extension() == ".json" ? json_ : found_).insert(entry.path().string());
            }
        }
    }

    const std::string& pattern_;
    std::set<std::string> found_;
    std::set<std::string> json_;  ///< .json files of the folder that is searched
    std::vector<Problem> problems_;
};

}  // namespace

std::vector<std::filesystem::path> find_files(const std::vector<std::string>& paths, const std::string& pattern) {
    FileSearch search(pattern);
    if (paths.empty())
        search.complain("no data was named: name files or folders");
    for (const std::string& path : paths)
        search.add(path);
    return search.finish();
}

namespace {

/// Integers of any size, and the floating-point numbers that widened() reads.
bool is_integer(ElementType type) {
    return type != ElementType::boolean && type < ElementType::f16;
}
bool is_real(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64;
}

/// The type for the values of two files. std::nullopt if there is none.
std::optional<ElementType> common_type(const Field& a, const Field& b, const std::string& format) {
    const bool is_inferred = format == "csv" || format == "json_lines";
    if (a.type == b.type || (b.is_assumed && is_inferred))
        return a.type;
    if (a.is_assumed && is_inferred)
        return b.type;
    if (is_integer(a.type) && is_integer(b.type)) {
        const bool large = a.type == ElementType::u64 || b.type == ElementType::u64;
        return large ? std::nullopt : std::optional(ElementType::i64);
    }
    if ((is_integer(a.type) || is_real(a.type)) && (is_integer(b.type) || is_real(b.type)))
        return ElementType::f64;
    return format == "csv" ? std::optional(ElementType::text) : std::nullopt;
}

/// The numbers of a column in a wider type.
Column widened(const Column& from, ElementType type) {
    Column column = from;
    column.field.type = type;
    column.data.clear();
    const auto append_all = [&](auto values) {
        for (const auto value : values)
            if (type == ElementType::i64)
                append_integer(column, static_cast<std::int64_t>(value));
            else
                append_real(column, static_cast<double>(value));
    };
    if (with_integer_type(from.field.type, [&]<class T>(T) { append_all(from.values<T>()); }))
        return column;
    if (from.field.type == ElementType::f32)
        append_all(from.values<float>());
    else
        append_all(from.values<double>());
    return column;
}

}  // namespace

TableSet::TableSet(std::vector<std::filesystem::path> files, ReadOptions options)
    : files_(std::move(files)), options_(std::move(options)) {
    std::vector<Problem> problems;
    const std::filesystem::path* first = nullptr;
    for (const std::filesystem::path& file : files_) {
        try {
            auto reader = open_table(file, options_);
            if (first == nullptr) {
                first = &file;
                schema_ = reader->schema();
            } else if (const Message found = differences(reader->schema()); !found.empty()) {
                problems.push_back({"", 0, 0, "",
                                    Message("{} has other columns than {}: {}: give all files the same "
                                            "columns",
                                            file.string(), first->string(), found)});
            }
        } catch (const UserError& error) {
            problems.push_back({"", 0, 0, "", message_of(error)});
        }
    }
    if (files_.empty())
        problems.push_back({"", 0, 0, "", "no data files are given"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    for (const auto& [name, type] : common_types_)
        options_.types[name] = type;
    readers_.resize(files_.size());
    last_use_.resize(files_.size(), 0);
}

/// Compares the columns of another file with those of the first; types become those that hold both. Returns what does
/// not fit.
Message TableSet::differences(const Schema& schema) {
    std::vector<Message> found;
    const std::string format = options_.format.empty() ? format_of(files_.front()) : options_.format;
    for (Field& field : schema_) {
        const Field* other = find_field(schema, field.name);
        if (other == nullptr) {
            found.push_back(Message("column '{}' is missing", field.name));
            continue;
        }
        const bool equal_shape = other->list == field.list && other->shape == field.shape;
        const std::optional<ElementType> type = equal_shape ? common_type(field, *other, format) : std::nullopt;
        if (!type) {
            found.push_back(Message("{} there and {} here", field.describe(), other->describe()));
        } else if (*type != field.type || *type != other->type) {
            field.type = *type;
            if (format == "csv" || format == "json_lines")
                common_types_[field.name] = *type;
        }
        field.is_assumed = field.is_assumed && other->is_assumed;
    }
    for (const Field& field : schema)
        if (find_field(schema_, field.name) == nullptr)
            found.push_back(Message("column '{}' is not there", field.name));
    return Message::joined(found);
}

/// The columns in the order and with the types of the set.
Table TableSet::arranged(Table table) const {
    Table result(schema_);
    result.rows = table.rows;
    for (Column& column : result.columns) {
        const auto from =
            std::ranges::find(table.columns, column.field.name, [](const Column& c) { return c.field.name; });
        column = from->field.type == column.field.type ? std::move(*from) : widened(*from, column.field.type);
    }
    return result;
}

TableReader& TableSet::reader(std::size_t file) {
    last_use_[file] = ++uses_;
    if (readers_[file] == nullptr) {
        auto open = std::count_if(readers_.begin(), readers_.end(), [](const auto& one) { return one != nullptr; });
        if (static_cast<std::size_t>(open) >= kOpenFiles) {
            std::size_t oldest = files_.size();
            for (std::size_t i = 0; i < files_.size(); ++i)
                if (readers_[i] != nullptr && (oldest == files_.size() || last_use_[i] < last_use_[oldest]))
                    oldest = i;
            readers_[oldest].reset();
        }
        readers_[file] = open_table(files_[file], options_);
    }
    return *readers_[file];
}

void TableSet::count_rows() {
    if (!ends_.empty())
        return;
    std::vector<std::int64_t> ends;
    std::int64_t sum = 0;
    for (std::size_t file = 0; file < files_.size(); ++file)
        ends.push_back(sum += reader(file).rows());
    ends_ = std::move(ends);
}

std::int64_t TableSet::rows() {
    count_rows();
    return ends_.back();
}

Table TableSet::take(std::span<const std::int64_t> rows) {
    count_rows();
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
        if (rows[i] < 0 || rows[i] >= ends_.back())
            throw std::out_of_range("row of a set of tables");
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
    Table sorted(schema_);
    std::vector<std::int64_t> place(rows.size());  // index of each requested row in sorted order
    for (std::size_t i = 0; i < order.size();) {
        std::int64_t first = rows[order[i]];
        auto file = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
        std::int64_t begin = file == 0 ? 0 : ends_[file - 1], last = first;
        std::size_t stop = i;
        for (; stop < order.size() && rows[order[stop]] <= last + 1 && rows[order[stop]] < ends_[file]; ++stop) {
            last = rows[order[stop]];
            place[order[stop]] = sorted.rows + last - first;
        }
        Table run = arranged(reader(file).read(first - begin, last - first + 1));
        sorted.append_rows(run, 0, run.rows);
        i = stop;
    }
    if (std::is_sorted(rows.begin(), rows.end()) && sorted.rows == std::ssize(rows))
        return sorted;
    Table table(schema_);
    for (std::int64_t row : place)
        table.append_row(sorted, row);
    return table;
}

Table TableSet::next(std::int64_t count) {
    while (stream_file_ < std::ssize(files_)) {
        if (stream_ == nullptr)
            stream_ = open_table(files_[static_cast<std::size_t>(stream_file_)], options_);
        Table table = stream_->next(count);
        if (table.rows > 0 || count <= 0)
            return arranged(std::move(table));
        stream_.reset();
        ++stream_file_;
    }
    return Table(schema_);
}

TableSet::State TableSet::state() const {
    if (stream_ == nullptr)
        return {stream_file_, {}, {}};
    return {stream_file_, stream_->position(), stream_->stamp()};
}

void TableSet::restore(const State& state) {
    if (state.file < 0 || state.file > std::ssize(files_))
        throw UserError(
            "the data set has {} files, and reading was to continue in file {}: it is not the set that the position is "
            "of",
            files_.size(), state.file + 1);
    std::unique_ptr<TableReader> stream;
    if (!state.stamp.empty() && state.file < std::ssize(files_)) {
        const std::filesystem::path& path = files_[static_cast<std::size_t>(state.file)];
        stream = open_table(path, options_);
        if (stream->stamp() != state.stamp)
            throw UserError(
                "{} was changed since the checkpoint was saved, so that reading cannot continue where it stopped: "
                "restore the old file, or start the epoch again",
                path.string());
        stream->seek(state.position);
    }
    stream_ = std::move(stream);
    stream_file_ = state.file;
}

}  // namespace trainyard::formats
