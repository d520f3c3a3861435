// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A progress bar on the console as tqdm draws it:
//
//     train:  45%|████▌     | 45/100 [00:10<00:12,  4.50it/s, loss=1.23]
//
// Drawn in place on a terminal; elsewhere a plain line now and then. One process of a machine draws (the local main one), the others
// are silent. Not thread safe.

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard::track {

struct ProgressOptions {
    std::string description = {};
    std::optional<std::int64_t> total = {};  ///< absent: a count without a bar
    std::int64_t initial = 0;                ///< where a resumed run begins
    std::string unit = "it";
    bool is_local_main = true;
    bool main_process_only = true;  ///< false: every process draws
    int fd = 2;                     ///< where it is written
    double min_interval = 0.1;      ///< seconds between two drawings on a terminal
    double plain_interval = 10;     ///< and elsewhere
};

class Progress {
  public:
    explicit Progress(ProgressOptions options);
    ~Progress();  ///< close()
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(std::int64_t steps = 1);
    /// Text behind the rate, e.g. "loss=1.23".
    void set_postfix(std::string text);
    /// A line of text above the bar.
    void write(const std::string& line);
    /// Last state and a newline.
    void close();

    std::int64_t count() const { return count_; }
    /// The line for `width` columns, `elapsed` seconds after the start, at `rate` steps per second (nothing: not known).
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

/// `01:05`, `1:02:03`, as tqdm writes durations.
std::string clock_text(double seconds);

}  // namespace trainyard::track
