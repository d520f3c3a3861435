#pragma once
// Small dialogs of a run's page: which learning rate, a note at a step. Each checks what is typed before it
// closes and says what is wrong in a sentence.

#include <cstdint>
#include <optional>

#include <QString>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// "3e-4" -> 0.0003, greater than 0 and at most 100.
std::optional<double> learning_rate(const QString& text, QString& problem);

/// What a change of the peak does to the learning rate of the next step.
struct RateNow {
    double peak = 0;     ///< what the schedule multiplies now; 0: not known
    double now = 0;      ///< learning rate of the last step; 0: not known
    bool scales = true;  ///< `now` goes with the peak; not while swa_lr makes the learning rate
};
/// `now 6.9e-4 → 3.5e-4` for a typed peak; without one that can be used, what the field is for.
QString rate_preview(const RateNow& rate, const QString& typed);
/// Nothing when the peak stays what it is.
std::optional<double> ask_learning_rate(QWidget* parent, const RateNow& rate);
std::optional<QString> ask_note(QWidget* parent, std::int64_t step);

}  // namespace trainyard::desktop
