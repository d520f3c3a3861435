// For tests; see standard.h.
#pragma once

#include <gtest/gtest.h>

#include "torch.h"
