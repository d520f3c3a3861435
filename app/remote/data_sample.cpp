// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/data_sample.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/tables/json_list.h"
#include "remote/copied_file.h"
#include "remote/failure.h"
#include "remote/folder_tree.h"

namespace trainyard::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSampleBytes = 160u << 20;  ///< of all files together
constexpr std::uint64_t kMostFirstLines = 16u << 20;    ///< of a file whose first lines are long
constexpr std::uint64_t kFewLines = 256u << 10;         ///< bytes that are enough if they have kLinesWanted lines
constexpr std::int64_t kLinesWanted = 64;
constexpr std::uint64_t kHeadBytes = 48u << 20, kEndBytes = 12u << 20;  ///< of columns
constexpr std::uint64_t kMostOneOfMany = 4u << 20;                      ///< bytes of a picture or a recording
constexpr std::uint64_t kMostModelFile = 48u << 20;
constexpr std::uint64_t kIndexHead = 16u << 20;  ///< of the tokens behind an index
constexpr std::uint64_t kBlock = 512u << 10;     ///< between two looks at the clock
constexpr std::size_t kFirstFiles = 3, kSpreadFiles = 24;
constexpr Limits kListingLimits{.files = 20'000, .bytes = 1ull << 50, .listing_s = 10};

/// Small files of a folder of a tokenizer or model that previews read.
constexpr const char* kModelFiles[] = {"tokenizer.json",          "tokenizer_config.json",    "chat_template.jinja",
                                       "special_tokens_map.json", "preprocessor_config.json", "config.json"};

struct Listed {
    std::string there;
    fs::path here;
    std::uint64_t size = 0;
};

class SampleCopy {
  public:
    SampleCopy(Sftp& sftp, std::string host, const DataOrder& order, fs::path to, const std::function<bool()>& go_on)
        : sftp_(sftp),
          host_(std::move(host)),
          order_(order),
          to_(std::move(to)),
          go_on_(go_on),
          budget_({.bytes = kMostSampleBytes}, Message("the first rows of {}", host_)),
          deadline_(monotonic_seconds() + kDataSampleSeconds) {}

    DataSample run() {
        for (const std::string& path : order_.models)
            model(path);
        std::vector<Listed> files;
        for (const std::string& path : order_.paths)
            if (order_.kind == DataOrder::Kind::indexed)
                indexed(path);
            else
                list(path, order_.pattern, files);
        for (const Listed& file : files)
            sample_.bytes += file.size;
        sample_.files += files.size();
        std::ranges::sort(files, {}, &Listed::there);
        std::size_t copied = 0;
        switch (order_.kind) {
            case DataOrder::Kind::lines:
            case DataOrder::Kind::quoted:
                copied = std::min(files.size(), kFirstFiles);
                for (std::size_t i = 0; i < copied; ++i)
                    lines(files[i], i == 0 ? kMostFirstLines : kFewLines);
                break;
            case DataOrder::Kind::columns:
            case DataOrder::Kind::whole:
                copied = std::min<std::size_t>(files.size(), 1);
                if (copied > 0)
                    columns(files.front(), order_.kind == DataOrder::Kind::whole);
                break;
            case DataOrder::Kind::spread:
                copied = std::min(files.size(), kSpreadFiles);
                spread(files);
                break;
            case DataOrder::Kind::indexed:
                break;
        }
        sample_.is_part = sample_.is_part || copied < files.size();
        return std::move(sample_);
    }

  private:
    void look_at_clock() const {
        if (go_on_ && !go_on_())
            throw ConnectionError(Cause::cancelled, host_, Message("{}: cancelled", host_));
        if (monotonic_seconds() > deadline_)
            throw LimitReached("{} sent no more of the first rows within {} s: the connection is slow", host_,
                               static_cast<int>(kDataSampleSeconds));
    }

    /// Of a path of the order: its name below a folder for it alone.
    fs::path place_of(const std::string& path) {
        std::string name = path;
        while (name.size() > 1 && name.ends_with('/'))
            name.pop_back();
        name = name.substr(name.rfind('/') + 1);
        const fs::path place = to_ / std::to_string(places_++) / (SafeFileName::parse(name) ? name : "data");
        fs::create_directories(place.parent_path());
        sample_.here[path] = place.string();
        return place;
    }

    void list(const std::string& path, const std::string& pattern, std::vector<Listed>& files) {
        look_at_clock();
        const fs::path place = place_of(path);
        const auto found = sftp_.find(path);
        if (!found) {
            sample_.problems.push_back(Message("{}:{} does not exist", host_, text::printable(path)));
            return;
        }
        if (!found->is_folder()) {
            files.push_back({path, place, found->size});
            return;
        }
        TreeOptions options{.limits = kListingLimits, .follow_links = true, .skip_unreadable = true};
        options.wanted = [&](const SafeFileName& name) {
            return !name.text().starts_with('.') && ::fnmatch(pattern.c_str(), name.text().c_str(), 0) == 0;
        };
        options.go_on = [this] { return (!go_on_ || go_on_()) && monotonic_seconds() < deadline_; };
        FolderTree tree = list_tree(sftp_, path, options);
        look_at_clock();
        fs::create_directories(place);
        for (const SafePath& folder : tree.folders)
            fs::create_directory(place / folder);
        for (const TreeFile& file : tree.files)
            if (file.size > 0)
                files.push_back({file.there, place / file.name, file.size});
        std::ranges::move(tree.problems, std::back_inserter(sample_.problems));
        sample_.is_part = sample_.is_part || !sample_.problems.empty();
    }

    /// Reads bytes `from` to `to` of a file into its copy.
    void copy(const Listed& file, std::uint64_t from, std::uint64_t to) {
        const FileDescriptor out = open_copied_file(file.here, 0);
        while (from < to) {
            look_at_clock();
            const std::string bytes = sftp_.read_range(file.there, from, std::min(kBlock, to - from));
            if (bytes.empty())
                break;
            budget_.add_bytes(bytes.size());
            write(out, file.here, bytes, from);
            from += bytes.size();
        }
    }
    static void write(const FileDescriptor& out, const fs::path& path, std::string_view bytes, std::uint64_t at) {
        while (!bytes.empty()) {
            const ssize_t count = ::pwrite(out.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                throw_file_error("cannot write", path, count < 0 ? errno : EIO);
            bytes.remove_prefix(static_cast<std::size_t>(count));
            at += static_cast<std::uint64_t>(count);
        }
    }
    void make_holes(const Listed& file) const {
        const FileDescriptor out = open_copied_file(file.here, 0);
        if (file.size > INT64_MAX || ::ftruncate(out.get(), static_cast<off_t>(file.size)) != 0)
            throw_file_error("cannot write", file.here, file.size > INT64_MAX ? EFBIG : errno);
    }

    void lines(const Listed& file, std::uint64_t most) {
        std::string head;
        while (head.size() < std::min(most, file.size) &&
               (head.size() < kFewLines || std::ranges::count(head, '\n') < kLinesWanted)) {
            look_at_clock();
            std::string bytes =
                sftp_.read_range(file.there, head.size(), std::min(kBlock, std::min(most, file.size) - head.size()));
            if (bytes.empty())
                break;
            budget_.add_bytes(bytes.size());
            head += bytes;
        }
        if (head.size() < file.size) {
            sample_.is_part = true;
            if (const auto list = list_begin(head)) {
                head.resize(formats::json_list_elements_end(head, *list));
                if (!head.empty())
                    return write(open_copied_file(file.here, O_TRUNC), file.here, head + "\n]\n", 0);
            }
            const std::size_t end = end_of_lines(head);
            if (end == 0)
                sample_.problems.push_back(Message("{}:{}: the first line is longer than {}, too much for a preview",
                                                   host_, text::printable(file.there), text::file_size(head.size())));
            head.resize(end);
        }
        write(open_copied_file(file.here, O_TRUNC), file.here, head, 0);
    }
    /// The offset of the first element if the file is one JSON list of objects.
    std::optional<std::size_t> list_begin(std::string_view head) const {
        const std::size_t mark = text::mark_bytes(head);
        const auto begin =
            order_.kind == DataOrder::Kind::lines ? formats::json_list_begin(head.substr(mark)) : std::nullopt;
        return begin ? std::optional(mark + *begin) : std::nullopt;
    }
    /// Bytes up to the last line end; of quoted lines, the last one that is not inside quotation marks.
    std::size_t end_of_lines(const std::string& head) const {
        if (order_.kind != DataOrder::Kind::quoted)
            return head.rfind('\n') + 1;  // npos + 1 is 0
        std::size_t end = 0;
        bool is_quoted = false;
        for (std::size_t i = 0; i < head.size(); ++i)
            if (head[i] == '"')
                is_quoted = !is_quoted;
            else if (head[i] == '\n' && !is_quoted)
                end = i + 1;
        return end;
    }

    void columns(const Listed& file, bool whole) {
        if (file.size <= kHeadBytes + kEndBytes)
            return copy(file, 0, file.size);
        sample_.is_part = true;
        if (whole) {
            sample_.problems.push_back(Message("{}:{} has {}: files of this format are previewed up to {}", host_,
                                               text::printable(file.there), text::file_size(file.size),
                                               text::file_size(kHeadBytes + kEndBytes)));
            return;
        }
        make_holes(file);
        copy(file, file.size - kEndBytes, file.size);
        copy(file, 0, kHeadBytes);
    }

    void spread(const std::vector<Listed>& files) {
        const std::size_t count = std::min(files.size(), kSpreadFiles);
        std::vector<Listed> chosen;
        for (std::size_t i = 0; i < count; ++i)
            chosen.push_back(files[i * files.size() / count]);
        for (const Listed& file : chosen)
            one_of_many(file);
        if (order_.masks.empty())
            return;
        std::vector<Listed> masks;
        list(order_.masks, "*", masks);
        const auto stem = [](const Listed& file, const fs::path& root) {
            return file.here.lexically_relative(root).replace_extension();
        };
        const fs::path masks_place = sample_.here.at(order_.masks);
        for (const Listed& mask : masks)
            for (const std::string& path : order_.paths)
                if (std::ranges::any_of(chosen, [&](const Listed& file) {
                        return stem(file, sample_.here.at(path)) == stem(mask, masks_place);
                    }))
                    one_of_many(mask);
    }
    /// A file that is too large has its size here, and only holes.
    void one_of_many(const Listed& file) {
        if (file.size <= kMostOneOfMany)
            return copy(file, 0, file.size);
        make_holes(file);
        copy(file, 0, kBlock);
    }

    void indexed(const std::string& path) {
        const fs::path place = place_of(path);
        for (const char* ending : {".idx", ".bin"}) {
            look_at_clock();
            const auto found = sftp_.find(path + ending);
            if (!found) {
                sample_.problems.push_back(Message("{}:{} does not exist", host_, text::printable(path + ending)));
                continue;
            }
            const Listed file{path + ending, place.string() + ending, found->size};
            const bool is_index = std::string_view(ending) == ".idx";
            sample_.bytes += is_index ? 0 : found->size;
            const std::uint64_t wanted = std::min(found->size, is_index ? kHeadBytes : kIndexHead);
            make_holes(file);
            copy(file, 0, wanted);
            sample_.is_part = sample_.is_part || wanted < found->size;
        }
        ++sample_.files;
    }

    void model(const std::string& path) {
        look_at_clock();
        const fs::path place = place_of(path);
        const auto found = sftp_.find(path);
        if (!found) {
            sample_.problems.push_back(Message("{}:{} does not exist", host_, text::printable(path)));
            return;
        }
        const bool is_folder = found->is_folder();
        const std::size_t slash = path.rfind('/');
        const std::string there = is_folder ? path : slash == std::string::npos ? "." : path.substr(0, slash);
        const fs::path here = is_folder ? place : place.parent_path();
        fs::create_directories(here);
        if (!is_folder)
            small_file({path, place, found->size});
        for (const char* name : kModelFiles)
            if (const std::string file = there + "/" + name; is_folder || here / name != place)
                if (const auto beside = sftp_.find(file); beside && !beside->is_folder())
                    small_file({file, here / name, beside->size});
    }
    void small_file(const Listed& file) {
        if (file.size > kMostModelFile)
            sample_.problems.push_back(Message("{}:{} has {}, too much for a preview", host_,
                                               text::printable(file.there), text::file_size(file.size)));
        else
            copy(file, 0, file.size);
    }

    Sftp& sftp_;
    std::string host_;
    const DataOrder& order_;
    fs::path to_;
    const std::function<bool()>& go_on_;
    CopyBudget budget_;
    double deadline_;
    int places_ = 0;
    DataSample sample_;
};

}  // namespace

DataSample copy_data_sample(Sftp& sftp, const std::string& host, const DataOrder& order, const fs::path& to,
                            const std::function<bool()>& go_on) {
    return SampleCopy(sftp, host, order, to, go_on).run();
}

}  // namespace trainyard::remote
