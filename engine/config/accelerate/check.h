// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rules over settings, one table for the wizard (as one types), `config validate`, the questionnaire and `launch`.
// All findings are reported together; each names its key and the fix.

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/accelerate/machine.h"
#include "config/accelerate/settings.h"

namespace trainyard::settings {

struct Finding {
    enum class Severity { error, warning };
    Severity severity = Severity::error;
    std::string path;  ///< the key to change
    Message message;   ///< one sentence: "main_process_port 99999 is not a port: use 0 to 65535, 0 picks a free one"
    std::optional<Value> fix;  ///< set if exactly one value solves the problem; a null Value: remove the key
    int line = 0;              ///< of the value, when it came from a file
    int column = 0;
};

/// Every key alone: known (with the nearest name), type, choice, range, required. Fast enough for every keystroke (< 1 ms).
std::vector<Finding> check_keys(const Settings& settings);
/// One value as it is typed; the sentence, or nothing. `path` must be known or any text is fine.
std::optional<Message> check_value(std::string_view path, const Value& value, bool sagemaker = false);
/// Typed text as the value of that key (`yes`, `true`, `1e8`, `0,1`); a text that does not fit stays text, which check_value refuses.
/// Blanks alone are nothing (a null Value).
Value value_from_text(std::string_view path, std::string_view typed, bool sagemaker = false);

/// Rules over several keys and, when `machine` is given, what the machine has. Includes check_keys.
std::vector<Finding> check(const Settings& settings, const Machine* machine = nullptr);

/// Findings of check() on keys that must not be given next to deepspeed_config_file, whatever DeepSpeed's file has.
/// Accelerate's DeepSpeedPlugin refuses them, too.
std::vector<Finding> find_double_configuration(const Settings& settings);
/// Throws InvalidInput with each key that find_double_configuration() finds in the settings.
void refuse_double_configuration(const Settings& settings);

}  // namespace trainyard::settings
