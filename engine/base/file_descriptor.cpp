// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_descriptor.h"

#include <unistd.h>

namespace trainyard {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = other.release();
    }
    return *this;
}

void FileDescriptor::close() {
    if (fd_ >= 0)
        ::close(fd_);
    fd_ = -1;
}

}  // namespace trainyard
