// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Codebooks of ggml's IQ types: an entry has the codes of 8 elements in 2 bits each, or of 4 elements in 4 bits each,
// the first one in the lowest bits. The tables are data of the format (ggml-common.h of
// https://github.com/ggml-org/ggml; MIT, copyright 2023-2026 the ggml authors).

#include <cstdint>

namespace trainyard::weights {

extern const std::uint16_t kGrid2Xxs[256], kGrid2Xs[512], kGrid2S[1024];  ///< codes of 8, 25 and 43
extern const std::uint16_t kGrid1[2048];                                  ///< codes of -1, 0 and 1
extern const std::uint16_t kGrid3Xxs[256];                                ///< codes of 4, 12, 20, 28, 36, 44, 52 and 62
extern const std::uint16_t kGrid3S[512];                                  ///< codes of the odd numbers from 1 to 15

}  // namespace trainyard::weights
