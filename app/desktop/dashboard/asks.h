// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small dialogs of a run's page, for a learning rate and for a note at a step. Each validates the input before it
// closes and shows an error message. They are open while the run continues: answers come by a callback.

#include <cstdint>
#include <functional>
#include <optional>

#include <QString>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// "3e-4" -> 0.0003, greater than 0 and at most 100.
std::optional<double> learning_rate(const QString& text, QString& problem);

/// Learning rates from which the effect of a new peak on the next step is computed.
struct RateNow {
    double peak = 0;     ///< what the schedule multiplies now; 0: not known
    double now = 0;      ///< learning rate of the last step; 0: not known
    bool scales = true;  ///< `now` is proportional to the peak; false while swa_lr sets the learning rate
};
/// Returns `now 6.9e-4 → 3.5e-4` for a typed peak, or the purpose of the field if the text is not a valid peak.
QString rate_preview(const RateNow& rate, const QString& typed);
/// Opens the dialog and returns. `now` is called while it is open, as the run continues; `then`, if the peak changes.
void ask_learning_rate(QWidget* parent, const std::function<RateNow()>& now, std::function<void(double)> then);
void ask_note(QWidget* parent, std::int64_t step, std::function<void(const QString&)> then);

}  // namespace trainyard::desktop
