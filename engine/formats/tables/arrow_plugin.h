// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Apache Arrow's libraries read Parquet and Arrow files. They are in a plug-in that is loaded when such a file is
// opened, because nothing else in Trainyard needs them; without the plug-in, such files are refused in one sentence.
// The interface consists of the C functions below and Arrow's C data interface
// (https://arrow.apache.org/docs/format/CDataInterface.html).
//
// Searched at $TRAINYARD_ARROW_PLUGIN, else libtrainyard_arrow.so next to the program, else in ../lib/trainyard. Built
// from the libraries of the pyarrow wheel, which packaging/pyarrow fetches (hashes checked).

#include <cstdint>

extern "C" {

struct ArrowSchema;  // of the C data interface
struct ArrowArray;

struct TrainyardArrowFile;  ///< an open file; used by one thread at a time

/// All functions return 0, or -1 with a sentence in `message` (zero-terminated, cut to `message_size`).
struct TrainyardArrowPlugin {
    std::int32_t abi;  ///< kTrainyardArrowAbi; other values are refused
    const char* version;
    /// `is_parquet`: otherwise Arrow IPC, whose kind (file or stream) the first bytes determine. `memory_limit`: bytes
    /// that Arrow may allocate.
    int (*open)(const char* path, int is_parquet, std::int64_t memory_limit, TrainyardArrowFile** file, char* message,
                std::int64_t message_size);
    void (*close)(TrainyardArrowFile* file);
    int (*schema)(TrainyardArrowFile* file, ArrowSchema* out, char* message, std::int64_t message_size);
    /// Number of row groups (Parquet) or record batches (Arrow); then the rows of one.
    std::int64_t (*groups)(TrainyardArrowFile* file);
    std::int64_t (*group_rows)(TrainyardArrowFile* file, std::int64_t group);
    /// The top-level columns with these indices of one group, as a struct array.
    int (*read)(TrainyardArrowFile* file, std::int64_t group, const std::int32_t* columns, std::int32_t column_count,
                ArrowArray* out, char* message, std::int64_t message_size);
};

/// The plug-in's only symbol.
const TrainyardArrowPlugin* trainyard_arrow_plugin();
}

inline constexpr std::int32_t kTrainyardArrowAbi = 1;
