// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Questions of SSH connections at a terminal: passphrases, passwords, challenges. Read from /dev/tty, so that standard input stays free;
// what is secret is not shown.

#include <memory>

#include "remote/asker.h"

namespace trainyard::cli {

/// Safe to be used by several connections at once: one question at a time. Nothing when there is no terminal to ask at.
std::unique_ptr<remote::Asker> secret_terminal();

}  // namespace trainyard::cli
