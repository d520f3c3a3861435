// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Progress of a program that does not know Trainyard, read from what it prints: bars of tqdm (also under Lightning and the Hugging Face
// Trainer), rich and Keras, the Trainer's dictionaries `{'loss': 1.2, 'learning_rate': 1e-05, 'epoch': 0.5}`, JSON lines, and plain lines
// such as `step 20/100: loss 3.21`. What cannot be read for certain is left out; nothing is guessed.
//
// Sources: the formats as those programs print them (tqdm 4, rich 13, Keras 2 and 3, transformers 4 and 5, Lightning 2).

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/state.h"

namespace trainyard::launch {

/// A number that a program printed beside a name: `loss` of `step 20/100: loss 3.21, lr 1e-4`.
struct PrintedFigure {
    std::string name;  ///< in lower case
    std::int64_t step = 0;
    double value = 0;
    bool operator==(const PrintedFigure&) const = default;
};

class ProgressBars {
  public:
    /// What a rank wrote, in any pieces; `standard_error`: lines of the two streams do not mix. True when progress() has changed.
    bool read(std::string_view bytes, bool standard_error);
    const run::Progress& progress() const { return progress_; }
    /// Returns the figures of the lines that were read since the last call. Only bars and lines that name a loss, a step
    /// or an epoch have figures. Without a step in the output, the step of a figure is the number of times that it was
    /// printed.
    std::vector<PrintedFigure> take_figures() { return std::exchange(figures_, {}); }

  private:
    struct Stream {
        std::string pending;    ///< no end of line yet; a line that is drawn again ends at its carriage return
        bool overlong = false;  ///< the line is longer than is looked at: its rest is dropped
    };
    /// A bar that was seen, by its description without figures.
    struct Bar {
        std::int64_t of = 0;      ///< 0: its length is not known
        std::int64_t before = 0;  ///< steps of the epochs that are over
        std::int64_t step = 0;
        double epoch = -1;
    };
    bool take(std::string_view line);
    bool take_bar(std::string_view line);
    bool take_endless_bar(std::string_view line);
    bool take_numbers(std::string_view line);
    void find_figures(std::string_view line);
    bool count(const std::string& name, std::int64_t step, std::int64_t of, double epoch, double epochs);

    Stream streams_[2];
    std::map<std::string, Bar> bars_;
    std::string main_bar_;
    double line_epoch_ = -1;  ///< of Keras' line `Epoch 2/10` above its bars
    double line_epochs_ = 0;
    run::Progress progress_;
    std::vector<PrintedFigure> figures_;
    std::map<std::string, std::int64_t> printed_;  ///< names of figures, and how often each was printed
    std::int64_t line_step_ = 0;                   ///< last step that a line named
    std::int64_t steps_before_ = 0;                ///< steps of epochs that are over, where lines count within an epoch
};

/// `line` without colours and other orders to the terminal.
std::string without_escapes(std::string_view line);

}  // namespace trainyard::launch
