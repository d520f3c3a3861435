#pragma once
// What is logged is made of the same values as settings files: numbers, text, lists and tables in the order in which they were given.

#include "config/accelerate/value.h"

namespace trainyard::track {

using settings::Value;
using Values = settings::Value::Map;

}  // namespace trainyard::track
