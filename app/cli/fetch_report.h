// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How far a download from the hub is: a line on a terminal, a line at the start and at the end elsewhere, or events in
// JSON.

#include <optional>
#include <string>

#include "formats/hub/fetch.h"

namespace trainyard::cli {

/// One at a time. Ctrl-C while something is downloaded ends the process with a message; the next download continues.
class FetchReport {
  public:
    /// `json`: writes events to standard output, else lines to standard error.
    explicit FetchReport(bool json = false) : json_(json) {}
    ~FetchReport() { finish(); }
    FetchReport(const FetchReport&) = delete;
    FetchReport& operator=(const FetchReport&) = delete;

    /// Valid as long as this object.
    hub::FetchOptions options();
    /// Ends the line.
    void finish();

  private:
    void show(const hub::FetchProgress& progress);
    void print_line(const hub::FetchProgress& progress);
    void end_repository();

    bool json_, started_ = false, terminal_ = false, has_line_ = false;
    double start_ = 0, shown_ = 0;
    std::uint64_t first_bytes_ = 0;  ///< that were there when it started
    std::string name_;               ///< of the repository that is downloaded
    hub::FetchProgress last_;
    void (*signal_before_)(int) = nullptr;
};

}  // namespace trainyard::cli
