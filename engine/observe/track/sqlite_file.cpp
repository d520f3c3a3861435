// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/sqlite_file.h"

#include <dlfcn.h>
#include <sqlite3.h>

#include "base/error.h"

namespace trainyard::track {

namespace {

constexpr int kBusyMilliseconds = 10'000;  ///< that a statement waits for other processes

struct SqliteLibrary {
    decltype(&::sqlite3_open_v2) open = nullptr;
    decltype(&::sqlite3_close_v2) close = nullptr;
    decltype(&::sqlite3_busy_timeout) busy_timeout = nullptr;
    decltype(&::sqlite3_errmsg) message = nullptr;
    decltype(&::sqlite3_errstr) words = nullptr;
    decltype(&::sqlite3_prepare_v2) prepare = nullptr;
    decltype(&::sqlite3_finalize) finalize = nullptr;
    decltype(&::sqlite3_step) step = nullptr;
    decltype(&::sqlite3_bind_null) bind_null = nullptr;
    decltype(&::sqlite3_bind_int64) bind_integer = nullptr;
    decltype(&::sqlite3_bind_text) bind_text = nullptr;
    decltype(&::sqlite3_bind_blob) bind_bytes = nullptr;
    decltype(&::sqlite3_column_count) columns = nullptr;
    decltype(&::sqlite3_column_type) type = nullptr;
    decltype(&::sqlite3_column_int64) integer = nullptr;
    decltype(&::sqlite3_column_blob) blob = nullptr;
    decltype(&::sqlite3_column_bytes) bytes = nullptr;
    bool usable = true;

    SqliteLibrary() {
        void* library = ::dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
        const auto find = [&]<class Function>(Function& function, const char* name) {
            if (library != nullptr)
                function = reinterpret_cast<Function>(::dlsym(library, name));
            usable = usable && function != nullptr;
        };
        find(open, "sqlite3_open_v2");
        find(close, "sqlite3_close_v2");
        find(busy_timeout, "sqlite3_busy_timeout");
        find(message, "sqlite3_errmsg");
        find(words, "sqlite3_errstr");
        find(prepare, "sqlite3_prepare_v2");
        find(finalize, "sqlite3_finalize");
        find(step, "sqlite3_step");
        find(bind_null, "sqlite3_bind_null");
        find(bind_integer, "sqlite3_bind_int64");
        find(bind_text, "sqlite3_bind_text");
        find(bind_bytes, "sqlite3_bind_blob");
        find(columns, "sqlite3_column_count");
        find(type, "sqlite3_column_type");
        find(integer, "sqlite3_column_int64");
        find(blob, "sqlite3_column_blob");
        find(bytes, "sqlite3_column_bytes");
    }
};

const SqliteLibrary& sqlite() {
    static const SqliteLibrary loaded;
    return loaded;
}

}  // namespace

struct SqliteFile::Handle {
    sqlite3* database = nullptr;
    ~Handle() {
        if (database != nullptr)
            sqlite().close(database);
    }
};

SqliteFile::SqliteFile(const fs::path& path, Access access)
    : path_(path), access_(access), handle_(std::make_unique<Handle>()) {
    if (!sqlite().usable)
        throw UserError("SQLite is not installed (Debian: libsqlite3-0), so {} cannot be opened", path.string());
    const int flags = access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (const int code = sqlite().open(path.c_str(), &handle_->database, flags, nullptr); code != SQLITE_OK)
        fail(code);
    sqlite().busy_timeout(handle_->database, kBusyMilliseconds);
    if (access == Access::read) {
        run("PRAGMA trusted_schema=OFF");  // files may come from anywhere
        return;
    }
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=NORMAL");  // whole after a crash; the newest rows need not survive a power failure
}

SqliteFile::~SqliteFile() = default;

void SqliteFile::fail(int code) const {
    const Message reason =
        Message::verbatim(handle_->database != nullptr ? sqlite().message(handle_->database) : sqlite().words(code));
    throw UserError(access_ == Access::read ? Message("cannot read {}: {}", path_.string(), reason)
                                            : Message("cannot write {}: {}", path_.string(), reason));
}

std::vector<std::vector<SqliteFile::Cell>> SqliteFile::run(const std::string& statement,
                                                           const std::vector<Cell>& values) {
    sqlite3_stmt* made = nullptr;
    if (const int code = sqlite().prepare(handle_->database, statement.c_str(), -1, &made, nullptr); code != SQLITE_OK)
        fail(code);
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> prepared(made, sqlite().finalize);
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
        const Cell& value = values[static_cast<std::size_t>(i)];
        if (const auto* whole = std::get_if<std::int64_t>(&value))
            sqlite().bind_integer(made, i + 1, *whole);
        else if (const auto* text = std::get_if<std::string>(&value))
            sqlite().bind_text(made, i + 1, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
        else if (const auto* bytes = std::get_if<Bytes>(&value))
            sqlite().bind_bytes(made, i + 1, bytes->content.data(), static_cast<int>(bytes->content.size()),
                                SQLITE_STATIC);
        else
            sqlite().bind_null(made, i + 1);
    }
    std::vector<std::vector<Cell>> rows;
    for (int code = 0; (code = sqlite().step(made)) != SQLITE_DONE;) {
        if (code != SQLITE_ROW)
            fail(code);
        std::vector<Cell> row;
        for (int i = 0; i < sqlite().columns(made); ++i) {
            const int type = sqlite().type(made, i);
            if (type == SQLITE_NULL) {
                row.emplace_back();
            } else if (type == SQLITE_INTEGER) {
                row.emplace_back(static_cast<std::int64_t>(sqlite().integer(made, i)));
            } else {
                const auto* bytes = static_cast<const char*>(sqlite().blob(made, i));
                std::string content(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite().bytes(made, i)));
                if (type == SQLITE_BLOB)
                    row.emplace_back(Bytes{std::move(content)});
                else
                    row.emplace_back(std::move(content));
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string cell_text(const SqliteFile::Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    const auto* bytes = std::get_if<SqliteFile::Bytes>(&cell);
    return bytes == nullptr ? std::string() : bytes->content;
}

}  // namespace trainyard::track
