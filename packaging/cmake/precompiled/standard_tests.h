// Of tests; see standard.h.
#pragma once

#include "standard.h"

#include <gtest/gtest.h>
