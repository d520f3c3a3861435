#pragma once
// Small dialogs of a run's page: how many steps to profile, which learning rate, a note at a step. Each checks what is typed before it
// closes and says what is wrong in a sentence.

#include <cstdint>
#include <optional>

#include <QString>

class QWidget;

namespace trainyard::desktop {

/// "10" -> 10; else a sentence in `problem`.
std::optional<int> profile_steps(const QString& text, QString& problem);
/// "3e-4" -> 0.0003, greater than 0 and at most 100.
std::optional<double> learning_rate(const QString& text, QString& problem);

std::optional<int> ask_profile_steps(QWidget* parent);
/// `highest`: what it is now; 0: not known.
std::optional<double> ask_learning_rate(QWidget* parent, double now);
struct NoteAnswer {
    std::int64_t step = 0;
    QString text;
};
std::optional<NoteAnswer> ask_note(QWidget* parent, std::int64_t step);

}  // namespace trainyard::desktop
