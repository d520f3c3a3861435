// Of tests; see standard.h.
#pragma once

#include "torch.h"

#include <gtest/gtest.h>
