// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard config`: goes through the question tree with a person or with piped lines, shows what will be written,
// writes it.

#include <filesystem>

#include "config/accelerate/machine.h"

namespace trainyard::cli {

struct QuestionnaireOptions {
    std::filesystem::path file;
    bool yes = false;          ///< take defaults where input ends, overwrite without asking
    bool fresh = false;        ///< do not start from the answers of the file that is there
    bool force = false;        ///< write what contradicts itself
    bool create_role = false;  ///< after writing: the role of SageMaker that the settings name
    bool json = false;         ///< print file and settings for programs; everything else goes to standard error
};

/// Exit code: 0 written (or unchanged), 1 not written by wish, 130 interrupted. Throws UserError.
int run_questionnaire(const QuestionnaireOptions& options, const settings::Machine& machine);

}  // namespace trainyard::cli
