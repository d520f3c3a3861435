#pragma once
// params.yaml as dvclive's ruamel.yaml writes it: block style in the given order, YAML 1.2 (null is empty, 1e-05 a number, `on` a word).
// Inside this library.

#include <string>

#include "observe/track/value.h"

namespace trainyard::track {

std::string params_yaml(const Values& parameters);

}  // namespace trainyard::track
