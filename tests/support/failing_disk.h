// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A disk that fails for half of the time: write(2) and pwrite(2) of this program to files below a folder end with EIO,
// those of SQLite too, in slots of a few milliseconds that are chosen at random.

#include <filesystem>

namespace trainyard::test {

class FailingDisk {
  public:
    /// From now on writes to files below the folder fail. One at a time.
    explicit FailingDisk(const std::filesystem::path& folder);
    /// The disk is whole again.
    ~FailingDisk();
    FailingDisk(const FailingDisk&) = delete;
    FailingDisk& operator=(const FailingDisk&) = delete;

    int failed() const;  ///< number of writes that failed
};

}  // namespace trainyard::test
