// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The beginning of data sets on a host, copied into a folder of this machine so that readers of the first rows find it
// there: of lines the first ones; of columns the head and the end, with holes between; of pictures and recordings some
// whole files of each folder. Bounded in bytes, files and time. Nothing is written on the host.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/message.h"
#include "remote/session.h"

namespace trainyard::remote {

struct DataOrder {
    enum class Kind {
        lines,    ///< files of lines: the first lines of the first files
        quoted,   ///< the same with line ends inside quotation marks (CSV)
        columns,  ///< files with an index at their end: the head and the end of the first file
        whole,    ///< the first file
        spread,   ///< files at even distances
        indexed,  ///< names of two files, .idx and .bin
    };
    Kind kind = Kind::lines;
    std::vector<std::string> paths;  ///< files or folders, absolute or below the home folder
    std::string pattern = "*";       ///< file names taken from folders (fnmatch)
    std::vector<std::string>
        models;         ///< folders, or files, of which the small files of tokenizers and models are copied
    std::string masks;  ///< a folder with a file for each of the spread ones, of another ending
    bool operator==(const DataOrder&) const = default;
};

struct DataSample {
    std::map<std::string, std::string> here;  ///< path of the order -> its copy; also those that do not exist
    std::uint64_t files = 0, bytes = 0;       ///< on the host
    bool is_part = false;                     ///< there is more on the host than here
    std::vector<Message> problems;            ///< what could not be copied, and why
};

/// Limits of one copy: 160 MiB and `kDataSampleSeconds`; of the lines of a file 16 MiB, usually 256 KiB.
inline constexpr double kDataSampleSeconds = 60;

/// `to`: an empty folder of our own. `go_on` is asked between blocks; false ends the copy with
/// ConnectionError(cancelled). Throws ConnectionError, and LimitReached if the host is too slow.
DataSample copy_data_sample(Sftp& sftp, const std::string& host, const DataOrder& order,
                            const std::filesystem::path& to, const std::function<bool()>& go_on);

}  // namespace trainyard::remote
