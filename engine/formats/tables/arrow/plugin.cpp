// SPDX-License-Identifier: GPL-3.0-or-later
// The Arrow plug-in: wraps Apache Arrow's C++ libraries in the C interface of arrow_plugin.h.

#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/array/data.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/config.h>
#include <arrow/visit_type_inline.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include "formats/tables/arrow_plugin.h"

struct TrainyardArrowFile {
    arrow::MemoryPool* pool = nullptr;
    std::shared_ptr<arrow::Schema> schema;
    std::unique_ptr<parquet::arrow::FileReader> parquet;       // Parquet
    std::shared_ptr<arrow::io::MemoryMappedFile> mapped;       // Arrow
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> file;   // ... file
    std::vector<std::shared_ptr<arrow::RecordBatch>> batches;  // ... stream: views of the mapping
    std::vector<std::int64_t> rows;                            // rows of each group
};

namespace {

/// One memory pool per limit for the whole process, because Arrow's threads release the last buffers of a row group
/// after it has been returned, possibly after the file is closed.
arrow::MemoryPool* pool_of(std::int64_t limit) {
    static std::mutex mutex;
    static auto& pools = *new std::map<std::int64_t, arrow::CappedMemoryPool>;
    std::lock_guard lock(mutex);
    return &pools.try_emplace(limit, arrow::default_memory_pool(), limit).first->second;
}

void check(const arrow::Status& status) {
    if (!status.ok())
        throw std::runtime_error(status.message());
}

template <class T>
T value_of(arrow::Result<T> result) {
    check(result.status());
    return std::move(result).ValueUnsafe();
}

/// Runs `work` and converts exceptions to message and status of a C function.
template <class Work>
int guarded(char* message, std::int64_t size, Work work) {
    std::string text;
    try {
        work();
        return 0;
    } catch (const std::exception& error) {
        text = error.what();
    } catch (...) {
        text = "an unknown error";
    }
    for (char& letter : text)
        if (letter == '\n')
            letter = ' ';
    std::strncpy(message, text.c_str(), static_cast<std::size_t>(size) - 1);
    message[size - 1] = '\0';
    return -1;
}

void open_parquet(TrainyardArrowFile& opened, const char* path) {
    std::shared_ptr<arrow::io::ReadableFile> source = value_of(arrow::io::ReadableFile::Open(path, opened.pool));
    parquet::ReaderProperties properties(opened.pool);
    // The sizes that a malicious footer claims must not be allocated.
    properties.set_thrift_string_size_limit(64 << 20);
    properties.set_thrift_container_size_limit(1 << 20);
    parquet::arrow::FileReaderBuilder builder;
    check(builder.Open(std::move(source), properties));
    parquet::ArrowReaderProperties reading(/*use_threads=*/true);
    check(builder.memory_pool(opened.pool)->properties(reading)->Build(&opened.parquet));
    check(opened.parquet->GetSchema(&opened.schema));
    auto metadata = opened.parquet->parquet_reader()->metadata();
    for (int group = 0; group < metadata->num_row_groups(); ++group)
        opened.rows.push_back(metadata->RowGroup(group)->num_rows());
}

void open_ipc(TrainyardArrowFile& opened, const char* path) {
    opened.mapped = value_of(arrow::io::MemoryMappedFile::Open(path, arrow::io::FileMode::READ));
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.memory_pool = opened.pool;
    options.max_recursion_depth = 32;
    std::shared_ptr<arrow::Buffer> begin = value_of(opened.mapped->ReadAt(0, 6));
    if (begin->size() == 6 && std::memcmp(begin->data(), "ARROW1", 6) == 0) {
        opened.file = value_of(arrow::ipc::RecordBatchFileReader::Open(opened.mapped, options));
        opened.schema = opened.file->schema();
        for (int group = 0; group < opened.file->num_record_batches(); ++group) {
            // Read once for its number of rows: the bytes stay in the mapping.
            auto batch = value_of(opened.file->ReadRecordBatch(group));
            opened.rows.push_back(batch->num_rows());
        }
        return;
    }
    check(opened.mapped->Seek(0));
    auto stream = value_of(arrow::ipc::RecordBatchStreamReader::Open(opened.mapped, options));
    opened.schema = stream->schema();
    for (;;) {
        std::shared_ptr<arrow::RecordBatch> batch;
        check(stream->ReadNext(&batch));
        if (batch == nullptr)
            break;
        opened.rows.push_back(batch->num_rows());
        opened.batches.push_back(std::move(batch));
    }
}

/// The same array as bytes instead of text.
std::shared_ptr<arrow::ArrayData> with_bytes(const arrow::ArrayData& text) {
    std::shared_ptr<arrow::ArrayData> data = text.Copy();
    for (std::shared_ptr<arrow::ArrayData>& child : data->child_data)
        child = with_bytes(*child);
    if (data->dictionary != nullptr)
        data->dictionary = with_bytes(*data->dictionary);
    const auto inner = [&] { return data->type->field(0)->WithType(data->child_data.at(0)->type); };
    switch (data->type->id()) {
        case arrow::Type::STRING:
            data->type = arrow::binary();
            break;
        case arrow::Type::LARGE_STRING:
            data->type = arrow::large_binary();
            break;
        case arrow::Type::STRING_VIEW:
            data->type = arrow::binary_view();
            break;
        case arrow::Type::DICTIONARY: {
            const auto& type = static_cast<const arrow::DictionaryType&>(*data->type);
            data->type = arrow::dictionary(type.index_type(), data->dictionary->type, type.ordered());
            break;
        }
        case arrow::Type::LIST:
            data->type = arrow::list(inner());
            break;
        case arrow::Type::LARGE_LIST:
            data->type = arrow::large_list(inner());
            break;
        case arrow::Type::FIXED_SIZE_LIST:
            data->type =
                arrow::fixed_size_list(inner(), static_cast<const arrow::FixedSizeListType&>(*data->type).list_size());
            break;
        case arrow::Type::STRUCT: {
            arrow::FieldVector fields = data->type->fields();
            for (std::size_t i = 0; i < fields.size(); ++i)
                fields[i] = fields[i]->WithType(data->child_data.at(i)->type);
            data->type = arrow::struct_(std::move(fields));
            break;
        }
        default:
            break;
    }
    return data;
}

/// Offsets, lengths and dictionary indices of a damaged file must not point outside of its buffers. Whether text is
/// UTF-8 is for the reader to check, who names row and column.
void check_batch(const arrow::RecordBatch& batch) {
    check(batch.Validate());
    for (int i = 0; i < batch.num_columns(); ++i)
        if (const arrow::Status status = arrow::MakeArray(with_bytes(*batch.column_data(i)))->ValidateFull();
            !status.ok())
            throw std::runtime_error("column '" + batch.column_name(i) + "': " + status.message());
}

std::shared_ptr<arrow::RecordBatch> read_parquet(TrainyardArrowFile& opened, int group,
                                                 const std::vector<int>& columns) {
    // Maps top-level columns to the file's columns, which are the leaves.
    std::vector<int> leaves;
    const auto& fields = opened.parquet->manifest().schema_fields;
    for (int column : columns) {
        std::vector<const parquet::arrow::SchemaField*> open{&fields.at(static_cast<std::size_t>(column))};
        while (!open.empty()) {
            const parquet::arrow::SchemaField* field = open.back();
            open.pop_back();
            if (field->is_leaf())
                leaves.push_back(field->column_index);
            for (const auto& child : field->children)
                open.push_back(&child);
        }
    }
    std::shared_ptr<arrow::Table> table = value_of(opened.parquet->ReadRowGroup(group, leaves));
    return value_of(table->CombineChunksToBatch(opened.pool));
}

int open_file(const char* path, int is_parquet, std::int64_t memory_limit, TrainyardArrowFile** file, char* message,
              std::int64_t message_size) {
    return guarded(message, message_size, [&] {
        auto opened = std::make_unique<TrainyardArrowFile>();
        opened->pool = pool_of(memory_limit);
        if (is_parquet != 0)
            open_parquet(*opened, path);
        else
            open_ipc(*opened, path);
        *file = opened.release();
    });
}

void close_file(TrainyardArrowFile* file) {
    delete file;
}

int schema_of(TrainyardArrowFile* file, ArrowSchema* out, char* message, std::int64_t message_size) {
    return guarded(message, message_size, [&] { check(arrow::ExportSchema(*file->schema, out)); });
}

std::int64_t groups(TrainyardArrowFile* file) {
    return static_cast<std::int64_t>(file->rows.size());
}

std::int64_t group_rows(TrainyardArrowFile* file, std::int64_t group) {
    return file->rows.at(static_cast<std::size_t>(group));
}

int read_group(TrainyardArrowFile* file, std::int64_t group, const std::int32_t* columns, std::int32_t column_count,
               ArrowArray* out, char* message, std::int64_t message_size) {
    return guarded(message, message_size, [&] {
        std::vector<int> wanted(columns, columns + column_count);
        std::shared_ptr<arrow::RecordBatch> batch;
        if (file->parquet != nullptr) {
            batch = read_parquet(*file, static_cast<int>(group), wanted);
        } else {
            batch = file->file != nullptr ? value_of(file->file->ReadRecordBatch(static_cast<int>(group)))
                                          : file->batches.at(static_cast<std::size_t>(group));
            batch = value_of(batch->SelectColumns(wanted));
        }
        if (file->parquet != nullptr)
            check(batch->Validate());
        else
            check_batch(*batch);
        check(arrow::ExportRecordBatch(*batch, out));
    });
}

constexpr TrainyardArrowPlugin kPlugin{
    kTrainyardArrowAbi, ARROW_VERSION_STRING, open_file, close_file, schema_of, groups, group_rows, read_group};

}  // namespace

const TrainyardArrowPlugin* trainyard_arrow_plugin() {
    return &kPlugin;
}
