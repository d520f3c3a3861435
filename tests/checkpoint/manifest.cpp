// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/manifest.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "support/field_checks.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

TEST(Manifest, IsThatOfEarlierVersionsByteForByte) {
    test::TemporaryFolder folder;
    Manifest manifest;
    manifest.files["b/model.safetensors"] = {10, "0123", std::nullopt, {{"w", "ab"}, {"a.b", "cd"}}};
    manifest.files["old.bin"] = {7, "", 0xfffffff0u, {}};
    manifest.number = 12;
    manifest.world_size = 2;
    manifest.mesh = "dp=2";
    manifest.attempt = "00ff";
    manifest.saved_at = "2026-11-21T07:45:12Z";
    write_manifest(folder.path(), manifest);
    EXPECT_EQ(read_file(folder.path() / "manifest.json"),
              R"({
  "attempt": "00ff",
  "files": {
    "b/model.safetensors": {
      "bytes": 10,
      "tensors": {
        "a.b": "cd",
        "w": "ab"
      },
      "xxh128": "0123"
    },
    "old.bin": {
      "bytes": 7,
      "crc32c": 4294967280
    }
  },
  "format": "trainyard-2",
  "mesh": "dp=2",
  "number": 12,
  "saved_at": "2026-11-21T07:45:12Z",
  "world_size": 2
})"
              "\n");
    const Manifest read = read_manifest(folder.path());
    EXPECT_EQ(read.files.at("b/model.safetensors").tensors.at("a.b"), "cd");
    EXPECT_EQ(read.files.at("old.bin").crc32c, 0xfffffff0u);
    manifest.position = R"({"step": 12, "a":[1,2.50,{}]})";
    manifest.metric = 0.1;
    manifest.not_good = Message::verbatim("nan");
    manifest.files.clear();
    write_manifest(folder.path(), manifest);
    EXPECT_EQ(read_file(folder.path() / "manifest.json"),
              R"({
  "attempt": "00ff",
  "files": {},
  "format": "trainyard-2",
  "mesh": "dp=2",
  "metric": 0.1,
  "not_good": "nan",
  "number": 12,
  "position": {
    "a": [
      1,
      2.5,
      {}
    ],
    "step": 12
  },
  "saved_at": "2026-11-21T07:45:12Z",
  "world_size": 2
})"
              "\n");
    EXPECT_EQ(read_manifest(folder.path()).position, R"({"a":[1,2.5,{}],"step":12})");
}

TEST(Manifest, EveryFieldSurvivesAndIsChecked) {
    test::check_round_trips<Manifest>();
    test::check_wrong_kinds<Manifest>();
    test::check_missing_fields<Manifest>();
    test::check_round_trips<FileRecord>();
}

TEST(Manifest, OfTheFirstVersionHasItsNumberInThePosition) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "manifest.json", R"({"files": {}, "position": {"step": 7}})");
    EXPECT_EQ(read_manifest(folder.path()).number, 7);
}

TEST(Manifest, ADamagedOneNamesTheKey) {
    test::TemporaryFolder folder;
    for (const auto& [text, part] :
         {std::pair(R"({"files": {"a": {"bytes": "x"}}})", "files.a.bytes has the wrong type"),
          std::pair(R"({"files": {"a": {"bytes": 1}}})", "it has no checksum of a"),
          std::pair(R"({"files": {"../a": {"bytes": 1, "xxh128": "0"}}})", "it names the file '../a'"),
          std::pair(R"({"number": 1})", "files is missing"), std::pair("[", "the value has the wrong type")}) {
        write_file_atomically(folder.path() / "manifest.json", text);
        try {
            read_manifest(folder.path());
            FAIL() << text;
        } catch (const UserError& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace trainyard::checkpoint
