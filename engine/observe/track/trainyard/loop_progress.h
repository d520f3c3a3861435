// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A progress bar on the console as tqdm draws it:
//
//     train:  45%|████▌     | 45/100 [00:10<00:12,  4.50it/s, loss=1.23]
//
// Drawn in place on a terminal; elsewhere a plain line now and then. One process of a machine draws (the local main one),
// the others are silent. Not thread safe.

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard::track {

/// The content of a progress bar and the place where it is written.
struct ProgressOptions {
    std::string description = {};            ///< before the percentage
    std::optional<std::int64_t> total = {};  ///< absent: a count without a bar
    std::int64_t initial = 0;                ///< where a resumed run begins
    std::string unit = "it";                 ///< of the count and the rate
    bool is_local_main = true;               ///< this process is the first of its machine
    bool main_process_only = true;           ///< false: every process draws
    int fd = 2;                              ///< where it is written
    double min_interval = 0.1;               ///< seconds between two drawings on a terminal
    double plain_interval = 10;              ///< and elsewhere
};

/// The bar of a loop.
class Progress {
  public:
    /// Draws the bar.
    explicit Progress(ProgressOptions options);
    ~Progress();  ///< close()
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The loop has made this many steps more.
    void update(std::int64_t steps = 1);
    /// Sets the text after the rate, e.g. "loss=1.23".
    void set_postfix(std::string text);
    /// Writes a line of text above the bar.
    void write(const std::string& line);
    /// Draws the last state and a newline.
    void close();

    /// Returns the steps so far, with those before a resumed run.
    std::int64_t count() const { return count_; }
    /// Returns the line for `width` columns, `elapsed` seconds after the start, at `rate` steps per second (nothing: not known).
    static std::string line(const ProgressOptions& options, std::int64_t count, double elapsed,
                            std::optional<double> rate, const std::string& postfix, int width);

  private:
    void draw(bool last);
    ProgressOptions options_;
    std::string postfix_;
    std::int64_t count_ = 0;
    double started_ = 0, drawn_ = 0;
    double drawn_count_ = 0;
    std::optional<double> rate_;  ///< smoothed
    bool visible_ = false, terminal_ = false, open_ = true;
};

}  // namespace trainyard::track
