// Of tests; see standard.h.
#pragma once

#include "desktop.h"

#include <gtest/gtest.h>
