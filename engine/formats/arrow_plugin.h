#pragma once
// Parquet and Arrow files are read by Apache Arrow's own libraries, in a plug-in that is opened when such a file is met: nothing else of
// Trainyard needs them, and what is not installed is one sentence. Between the two stand this C interface and Arrow's C data
// interface (https://arrow.apache.org/docs/format/CDataInterface.html).
//
// Found as: $TRAINYARD_ARROW_PLUGIN, else libtrainyard_arrow.so beside the program, else in ../lib/trainyard.
// Made by packaging/pyarrow (the libraries of the pyarrow wheel, hashes checked) and the build.

#include <cstdint>

extern "C" {

struct ArrowSchema;  // of the C data interface
struct ArrowArray;

struct TrainyardArrowFile;  ///< an open file; used by one thread at a time

/// All functions return 0, or -1 with a sentence in `message` (ended by a zero, cut to `message_size`).
struct TrainyardArrowPlugin {
    std::int32_t abi;  ///< kTrainyardArrowAbi; another one is not used
    const char* version;
    /// `is_parquet`: else Arrow IPC, a file or a stream, told by its first bytes. `memory_limit`: bytes Arrow may allocate.
    int (*open)(const char* path, int is_parquet, std::int64_t memory_limit, TrainyardArrowFile** file, char* message,
                std::int64_t message_size);
    void (*close)(TrainyardArrowFile* file);
    int (*schema)(TrainyardArrowFile* file, ArrowSchema* out, char* message, std::int64_t message_size);
    /// Row groups of Parquet, record batches of Arrow, and the rows of one.
    std::int64_t (*groups)(TrainyardArrowFile* file);
    std::int64_t (*group_rows)(TrainyardArrowFile* file, std::int64_t group);
    /// One group's top-level columns with these numbers, as a struct array of one record batch.
    int (*read)(TrainyardArrowFile* file, std::int64_t group, const std::int32_t* columns, std::int32_t column_count,
                ArrowArray* out, char* message, std::int64_t message_size);
};

/// The one symbol of the plug-in.
const TrainyardArrowPlugin* trainyard_arrow_plugin();
}

inline constexpr std::int32_t kTrainyardArrowAbi = 1;
