// SPDX-License-Identifier: GPL-3.0-or-later
// Parquet and Arrow files: the plug-in decodes a row group or record batch, whose columns are then converted.

#include <cstdlib>
#include <list>
#include <mutex>

#include <dlfcn.h>

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/tables/arrow_columns.h"
#include "formats/tables/arrow_plugin.h"
#include "formats/tables/counted_table.h"

namespace trainyard::formats {

namespace {

constexpr std::size_t kCachedBytes = 256 << 20;

std::vector<std::filesystem::path> plugin_places() {
    if (const char* chosen = std::getenv("TRAINYARD_ARROW_PLUGIN"))
        return {chosen};
    std::error_code error;
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    return {program / "libtrainyard_arrow.so", program.parent_path() / "lib/trainyard/libtrainyard_arrow.so",
            program.parent_path() / "bin/libtrainyard_arrow.so"};
}

const TrainyardArrowPlugin& load_plugin(const std::filesystem::path& wanted_for) {
    // Loaded once. A failure is not remembered, so that the plug-in can be installed while the desktop is running.
    static std::mutex mutex;
    static const TrainyardArrowPlugin* plugin = nullptr;
    std::lock_guard lock(mutex);
    if (plugin != nullptr)
        return *plugin;
    Message reason = "it was not built";
    for (const std::filesystem::path& place : plugin_places()) {
        std::error_code error;
        if (!std::filesystem::exists(place, error))
            continue;
        void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        auto* entry =
            library == nullptr
                ? nullptr
                : reinterpret_cast<decltype(&trainyard_arrow_plugin)>(::dlsym(library, "trainyard_arrow_plugin"));
        if (entry == nullptr) {
            const char* message = ::dlerror();
            reason = message != nullptr ? Message::verbatim(message) : "it has no entry";
        } else if (const TrainyardArrowPlugin* found = entry(); found->abi != kTrainyardArrowAbi) {
            reason = Message("{} is of another version of Trainyard", place.string());
        } else {
            plugin = found;
            return *plugin;
        }
    }
    throw UserError(
        "{}: Parquet and Arrow files need the Arrow plug-in, which cannot be used here "
        "({}): run packaging/pyarrow and build again, or name its file in "
        "TRAINYARD_ARROW_PLUGIN",
        wanted_for.string(), reason);
}

struct SchemaOwner {
    ArrowSchema value{};
    ~SchemaOwner() {
        if (value.release != nullptr)
            value.release(&value);
    }
};
struct ArrayOwner {
    ArrowArray value{};
    ~ArrayOwner() {
        if (value.release != nullptr)
            value.release(&value);
    }
};

class ArrowTable : public CountedTable {
  public:
    ArrowTable(const std::filesystem::path& path, bool is_parquet, const ReadOptions& options)
        : CountedTable(path), plugin_(load_plugin(path)) {
        check(plugin_.open(path.c_str(), is_parquet ? 1 : 0,
                           static_cast<std::int64_t>(std::min<std::uint64_t>(options.memory_limit, INT64_MAX)),
                           &opened_, message_, sizeof message_));
        closer_ = Closer{opened_, plugin_.close};
        SchemaOwner schema;
        check(plugin_.schema(opened_, &schema.value, message_, sizeof message_));
        choose(arrow_columns(schema.value), options);
        for (std::int64_t group = 0; group < plugin_.groups(opened_); ++group) {
            std::int64_t count = plugin_.group_rows(opened_, group);
            if (count < 0 || count > INT64_MAX - rows_)
                throw UserError("{} claims {} rows in group {}: it is damaged", path.string(), count, group);
            ends_.push_back(rows_ += count);
        }
        is_parquet_ = is_parquet;
        on_corrupt_ = options.on_corrupt;
        bytes_are_text_ = options.bytes_are_text;
    }

    Table next(std::int64_t count) override {
        while (on_corrupt_ && count > 0) {
            std::int64_t row = position().row;
            if (row >= rows_)
                break;
            std::size_t group = group_of(row);
            try {
                decoded(group);
                // Stops at the end of the group, so that the next one is validated before it is read.
                return CountedTable::next(std::min(count, ends_[group] - row));
            } catch (const CorruptRecord& damage) {
                on_corrupt_({path(), row, ends_[group] - row, damage.message()});
                seek({0, ends_[group]});
            }
        }
        return CountedTable::next(count);
    }

  private:
    struct Closer {
        TrainyardArrowFile* file = nullptr;
        void (*close)(TrainyardArrowFile*) = nullptr;
        Closer() = default;
        Closer(TrainyardArrowFile* opened, void (*closing)(TrainyardArrowFile*)) : file(opened), close(closing) {}
        Closer(const Closer&) = delete;
        Closer& operator=(Closer&& other) noexcept {
            std::swap(file, other.file);
            std::swap(close, other.close);
            return *this;
        }
        ~Closer() {
            if (file != nullptr)
                close(file);
        }
    };

    void check(int status) const {
        if (status != 0)
            throw UserError("{} cannot be read: {}", path().string(), message_);
    }

    void choose(std::vector<ArrowColumn> all, const ReadOptions& options) {
        std::vector<std::string> names;
        for (const ArrowColumn& column : all)
            names.push_back(column.field.name);
        if (options.columns.empty()) {
            if (options.only_readable)
                std::erase_if(all, [](const ArrowColumn& column) { return !column.problem.empty(); });
            columns_ = std::move(all);
        } else {
            for (const std::string& name : options.columns) {
                auto found = std::find(names.begin(), names.end(), name);
                if (found == names.end())
                    throw UserError("{} has no column '{}'{}", path().string(), name, text::did_you_mean(name, names));
                columns_.push_back(all[static_cast<std::size_t>(found - names.begin())]);
            }
        }
        for (const ArrowColumn& column : columns_) {
            if (!column.problem.empty())
                throw UserError("{}: {}", path().string(), column.problem);
            schema_.push_back(column.field);
            auto top = static_cast<std::int32_t>(column.path[0]);
            if (std::find(wanted_.begin(), wanted_.end(), top) == wanted_.end())
                wanted_.push_back(top);
        }
        std::sort(wanted_.begin(), wanted_.end());
    }

    void append(Table& table, std::int64_t first, std::int64_t count) override {
        std::size_t group = group_of(first);
        while (count > 0) {
            std::int64_t begin = begin_of(group);
            const Table& whole = decoded(group);
            std::int64_t taken = std::min(count, ends_[group] - first);
            table.append_rows(whole, first - begin, taken);
            first += taken;
            count -= taken;
            ++group;
        }
    }

    std::size_t group_of(std::int64_t row) const {
        return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), row) - ends_.begin());
    }
    std::int64_t begin_of(std::size_t group) const { return group == 0 ? 0 : ends_[group - 1]; }

    /// The rows of a group. Recently used groups are cached, up to kCachedBytes. Throws CorruptRecord if the group is
    /// damaged.
    const Table& decoded(std::size_t group) {
        for (auto one = cache_.begin(); one != cache_.end(); ++one)
            if (one->first == group) {
                cache_.splice(cache_.begin(), cache_, one);
                return cache_.front().second;
            }
        SourceFile now(path());
        if (now.stamp() != stamp())
            throw UserError("{} was changed while it was being read: start again with a file that stays as it is",
                            path().string());
        SchemaOwner schema;
        check(plugin_.schema(opened_, &schema.value, message_, sizeof message_));
        ArrayOwner batch;
        std::int64_t rows = ends_[group] - begin_of(group);
        if (plugin_.read(opened_, static_cast<std::int64_t>(group), wanted_.data(),
                         static_cast<std::int32_t>(wanted_.size()), &batch.value, message_, sizeof message_) != 0)
            throw CorruptRecord(Message("{}: its rows {} to {} cannot be read: {}", path().string(), begin_of(group),
                                        ends_[group] - 1, message_));
        if (batch.value.length != rows)
            throw CorruptRecord(Message("{}: its rows {} to {} cannot be read: there are {} of them", path().string(),
                                        begin_of(group), ends_[group] - 1, batch.value.length));
        Table table(schema_);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            auto place = std::find(wanted_.begin(), wanted_.end(), static_cast<std::int32_t>(columns_[i].path[0])) -
                         wanted_.begin();
            append_arrow(table.columns[i], columns_[i], *schema.value.children[columns_[i].path[0]],
                         *batch.value.children[place]);
            if (columns_[i].is_utf8 || bytes_are_text_)
                check_text(table.columns[i], group);
        }
        table.rows = rows;
        std::size_t kept = table.bytes();
        auto last = cache_.begin();
        for (; last != cache_.end() && kept + last->second.bytes() <= kCachedBytes; ++last)
            kept += last->second.bytes();
        cache_.erase(last, cache_.end());
        cache_.emplace_front(group, std::move(table));
        return cache_.front().second;
    }

    /// Throws CorruptRecord for the first row that is not text in UTF-8: writers do not check what they are given.
    void check_text(const Column& column, std::size_t group) const {
        if (column.field.type != ElementType::text)
            return;
        for (std::int64_t row = 0; row < column.rows; ++row)
            for (std::int64_t element = column.begin_of(row); element < column.end_of(row); ++element)
                if (const std::optional<text::Fault> fault = text::find_fault(column.text(element)))
                    throw CorruptRecord(
                        Message("{}: column '{}', row {}, which is row {} of {}: {}: write the column as UTF-8, or as "
                                "binary if it is not text",
                                path().string(), column.field.name, begin_of(group) + row, row,
                                is_parquet_ ? Message("row group {}", group) : Message("record batch {}", group),
                                text::name_fault(*fault, 0)));
    }

    const TrainyardArrowPlugin& plugin_;
    bool is_parquet_ = false, bytes_are_text_ = false;
    TrainyardArrowFile* opened_ = nullptr;
    Closer closer_;
    std::vector<ArrowColumn> columns_;
    std::vector<std::int32_t> wanted_;  ///< top-level columns to decode
    std::vector<std::int64_t> ends_;    ///< number of rows up to the end of each group
    std::function<void(const CorruptRows&)> on_corrupt_;
    std::list<std::pair<std::size_t, Table>> cache_;
    char message_[512] = {};
};

}  // namespace

std::unique_ptr<TableReader> open_arrow(const std::filesystem::path& path, bool is_parquet,
                                        const ReadOptions& options) {
    return std::make_unique<ArrowTable>(path, is_parquet, options);
}

}  // namespace trainyard::formats
