// SPDX-License-Identifier: GPL-3.0-or-later
// For files that use LibTorch; see standard.h. The headers of autograd and c10d cost each file more time than
// precompiling them saves.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "standard.h"
