// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A checkpoint on a host, of which only headers and requested ranges are downloaded, into a local folder with files of
// the same names and sizes whose other bytes are holes. Readers of checkpoints (observe/inspect/contents.h) open it
// like any other; before elements are read, bring() downloads them (inspect::Need). Nothing is written on the host;
// links are not followed.

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/message.h"
#include "observe/inspect/reader.h"
#include "remote/session.h"

namespace trainyard::remote {

class RemoteCheckpoint {
  public:
    /// `path`: a folder or file of weights, or a run or folder of checkpoints, of which the checkpoint with the highest
    /// number is used. Downloads the headers. Throws ConnectionError or UserError.
    RemoteCheckpoint(Session session, const std::string& path);
    /// Uses another SFTP connection to the files of `host`.
    RemoteCheckpoint(Sftp sftp, std::string host, const std::string& path);

    /// The contents according to the headers. Messages name the host and report files that could not be read. Paths are
    /// those of the local files.
    const inspect::Contents& contents() const { return contents_; }
    /// For a Reader of the contents. This object must outlive it.
    inspect::Need need();
    /// `host:path` of the checkpoint.
    const std::string& name() const { return name_; }
    /// Downloads the missing bytes of a range of a file (relative to the folder). Thread-safe. Throws ConnectionError.
    void bring(const std::string& file, std::uint64_t offset, std::uint64_t bytes);
    std::uint64_t received() const;  ///< bytes of files, so far

  private:
    struct Part {
        std::uint64_t begin, end;
    };
    struct File {
        std::uint64_t size = 0;
        std::map<std::uint64_t, std::uint64_t> here;  ///< begin and end of the ranges already downloaded
        bool refused = false;
    };
    std::string find_folder(std::string path);
    Message with_name(const Message& message) const;
    void list();
    void make_file(const std::string& name, std::uint64_t size);
    void bring_headers();
    std::vector<Part> wanted_header(const std::string& name, const File& file) const;
    std::vector<Part> missing(const File& file, Part part) const;
    void fetch(const std::vector<std::pair<std::string, Part>>& parts);

    void open(const std::string& path);

    mutable std::mutex mutex_;
    std::optional<Session> session_;  ///< session of sftp_, unless the caller owns it
    std::optional<Sftp> sftp_;
    std::string host_;
    std::string there_, name_;                               ///< the folder on the host
    files::TemporaryFolder folder_{"trainyard-checkpoint"};  ///< the downloaded files
    std::filesystem::path place_;
    std::map<std::string, File> files_;
    std::vector<Message> problems_;
    std::uint64_t received_ = 0;
    inspect::Contents contents_;
};

}  // namespace trainyard::remote
