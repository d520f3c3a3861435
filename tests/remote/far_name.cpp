// Names that a hostile server answers never lead out of the folder that they are put into.
#include "remote/far_name.h"

#include <gtest/gtest.h>

#include "remote/run_stream.h"
#include "remote/sftp_client.h"

namespace trainyard::remote {

namespace {

std::string wire(const std::string& text) {
    return wire_number(static_cast<std::uint32_t>(text.size())) + text;
}

/// The body of SSH_FXP_NAME: for each name the name, how `ls` would show it, and attributes.
std::string names_body(const std::vector<std::string>& names) {
    std::string body = wire_number(static_cast<std::uint32_t>(names.size()));
    for (const std::string& name : names)
        body += wire(name) + wire("drwxr-xr-x " + name) + wire_number(kSftpHasMode) + wire_number(0040755);
    return body;
}

}  // namespace

TEST(FarNames, AreOneComponentOfAPath) {
    for (const char* good : {"checkpoint_100", "model-00001-of-00002.safetensors", "a b", "übung", ".hidden", "..."})
        EXPECT_TRUE(FarName::of(good)) << good;
    for (const std::string& bad :
         {std::string(), std::string("."), std::string(".."), std::string("/etc/passwd"), std::string("../x"),
          std::string("checkpoint_/../../../home"), std::string("checkpoint_1/"), std::string("a\0b", 3),
          std::string("red\x1b[31m"), std::string("two\nlines"), std::string("\x7f"), std::string(256, 'x')})
        EXPECT_FALSE(FarName::of(bad)) << bad;
    EXPECT_EQ(std::filesystem::path("/here") / *FarName::of("checkpoint_1"), "/here/checkpoint_1");
}

TEST(FarNames, AHostileListingIsReadWithoutThem) {
    std::vector<RemoteFile> files;
    take_names(
        names_body({"checkpoint_100", "checkpoint_/../../../.ssh", "..", "checkpoint_1\x1b[2J", "checkpoint_200"}),
        files);
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].name, "checkpoint_100");
    EXPECT_TRUE(files[0].is_folder());
    EXPECT_EQ(files[1].name, "checkpoint_200");
    // Cut off, and with a count that promises more than there is.
    files.clear();
    const std::string whole = names_body({"a", "b"});
    for (std::size_t cut = 0; cut < whole.size(); ++cut)
        take_names(std::string_view(whole).substr(0, cut), files);
    for (const RemoteFile& file : files)
        EXPECT_TRUE(file.name == "a" || file.name == "b") << file.name.text();
}

TEST(FarNames, PathsOfARunHaveNoControlBytes) {
    EXPECT_TRUE(is_mirrored("checkpoints/checkpoint_1/manifest.json"));
    EXPECT_TRUE(is_mirrored("logs/rank-00000.log"));
    for (const char* bad : {"logs/rank\x1b[31m.log", "logs/two\nlines.log", "checkpoints/../manifest.json",
                            "checkpoints/\x01/manifest.json"})
        EXPECT_FALSE(is_mirrored(bad)) << bad;
}

}  // namespace trainyard::remote
