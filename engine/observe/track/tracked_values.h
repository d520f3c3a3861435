// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is logged is made of the same values as settings files: numbers, text, lists and tables in the order in which they were given.

#include "config/values/value.h"

namespace trainyard::track {

using Values = Value::Map;

}  // namespace trainyard::track
