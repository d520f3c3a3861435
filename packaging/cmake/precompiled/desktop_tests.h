// SPDX-License-Identifier: GPL-3.0-or-later
// For tests; see standard.h.
#pragma once

#include <gtest/gtest.h>

#include "desktop.h"
