// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files of an AOTInductor package (.pt2), unpacked so that its library can be loaded. Inside this library.
// Layout: torch/export/pt2_archive/constants.py of PyTorch; the archive is that of torch.save
// (base/files/zip_archive.h).

#include <filesystem>
#include <string>

#include <c10/core/Device.h>

namespace trainyard::compiled {

/// A temporary folder with the library of a package and what belongs to it.
class PackageFiles {
  public:
    /// Unpacks the package after checking that it was compiled for this kind of device, processor and system. Throws
    /// UserError with the file and what does not fit; nothing of the package has been executed then.
    PackageFiles(const std::filesystem::path& package, c10::Device device);
    ~PackageFiles();
    PackageFiles(const PackageFiles&) = delete;
    PackageFiles& operator=(const PackageFiles&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    const std::filesystem::path& library() const { return library_; }

  private:
    void unpack(const std::filesystem::path& package, c10::Device device);

    std::filesystem::path folder_, library_;
};

}  // namespace trainyard::compiled
