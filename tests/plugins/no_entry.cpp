// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library without the entry point of a plug-in.
extern "C" __attribute__((visibility("default"))) int nothing() {
    return 0;
}
