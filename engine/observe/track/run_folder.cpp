// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/run_folder.h"

#include <algorithm>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/clock.h"
#include "base/hex.h"

namespace trainyard::track {

namespace {

class DisabledTracker final : public Tracker {
  public:
    explicit DisabledTracker(std::string name) : name_(std::move(name)) {}
    std::string name() const override { return name_; }
    void store_init_configuration(const Values&) override {}
    void log(const Record&, const Value&) override {}
    bool keeps_pictures() const override { return true; }
    void log_images(const PictureRecord&, const Value&) override {}
    bool keeps_tables() const override { return true; }
    void log_table(const TableRecord&, const Value&) override {}
    bool keeps_artifacts() const override { return true; }
    void log_artifact(const ArtifactRecord&, const Value&) override {}

  private:
    std::string name_;
};

}  // namespace

std::string run_folder_name(std::string_view prefix, double wall, const std::string& id) {
    std::string time = compact_time(wall);
    std::ranges::replace(time, '-', '_');
    return fmt::format("{}{}-{}", prefix, time, id);
}

fs::path newest_run_folder(const fs::path& root, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, missing))
        if (entry.path().filename().string().starts_with(prefix))
            found.push_back(entry.path());
    return found.empty() ? fs::path() : *std::ranges::max_element(found);
}

std::string run_id_in(const fs::path& folder, std::string_view prefix) {
    const std::string name = folder.filename().string();
    const std::size_t dash = name.find('-', prefix.size());
    return dash == std::string::npos ? name : name.substr(dash + 1);
}

std::unique_ptr<Tracker> make_disabled_tracker(std::string name) {
    return std::make_unique<DisabledTracker>(std::move(name));
}

std::vector<std::pair<fs::path, std::string>> artifact_files(const ArtifactRecord& record) {
    const fs::path path = fs::absolute(record.path).lexically_normal();
    const std::string prefix = record.folder.empty() ? "" : record.folder + "/";
    if (!fs::is_directory(path))
        return {{path, prefix + path.filename().string()}};
    std::vector<std::pair<fs::path, std::string>> files;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(path))
        if (file.is_regular_file())
            files.emplace_back(file.path(), prefix + file.path().lexically_relative(path).generic_string());
    return files;
}

void link_or_copy(const fs::path& file, const fs::path& to) {
    std::error_code other_disk;
    fs::create_hard_link(file, to, other_disk);
    if (other_disk)
        fs::copy_file(file, to, fs::copy_options::overwrite_existing);
}

std::string sha256_hex(std::string_view bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    ::EVP_Digest(bytes.data(), bytes.size(), digest, &size, ::EVP_sha256(), nullptr);
    return to_hex({reinterpret_cast<const char*>(digest), size});
}

}  // namespace trainyard::track
