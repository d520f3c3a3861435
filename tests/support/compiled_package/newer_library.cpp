// SPDX-License-Identifier: GPL-3.0-or-later
// The library of a package for a version of PyTorch with a function that this one does not have.
extern "C" int aoti_torch_function_of_another_version();

extern "C" __attribute__((visibility("default"))) int AOTInductorModelContainerDelete() {
    return aoti_torch_function_of_another_version();
}
