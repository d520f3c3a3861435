// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of a mirror: what it takes from a host, how much of it, and what it never follows or writes through.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "remote/hostile.h"
#include "remote/remote_checkpoint.h"
#include "run/folder_record.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::says;
using ::testing::HasSubstr;
using ::testing::Not;

std::string file_frame(const std::string& path, const std::string& content) {
    return "{\"path\":\"" + path + "\"}\n" + content;
}

TEST(HostileMirror, OnlyTheFilesOfARunAreTaken) {
    for (const char* good :
         {"run.yaml", "state.json", "generation", "events.jsonl", "estimate.json", "queue.json", "logs/rank-00000.log",
          "logs/rank-00000.log.1", "logs/console.log", "logs/hang-1.json", "metrics/events.out.tfevents.1.host",
          "metrics/rank-00000/events.out.tfevents.1", "metrics/host-gpu-a/events.out.tfevents.1", "trackers/x.jsonl",
          "evaluations/step-000012.json", "checkpoints/checkpoint_1/manifest.json", "requests/done/1f.json",
          "hosts/gpu-b/logs/rank-00001.log"})
        EXPECT_TRUE(is_mirrored(good)) << good;
    for (const char* bad : {"x.so",
                            "labels.json",
                            "slurm.json",
                            "slurm.sh",
                            "mirror.json",
                            "mirror-files.json",
                            "logs/x.so",
                            "logs/deep/rank-00000.log",
                            "metrics/x.so",
                            "a/b/c/d/e/f/g/h/x.log",
                            "checkpoints/checkpoint_x/manifest.json",
                            "checkpoints/x/manifest.json",
                            "checkpoints/checkpoint_1/model.safetensors",
                            "requests/x.json",
                            "traces/x.json",
                            "evaluations/x.json",
                            "evaluations/deep/step-1.json",
                            "requests/done/../x.json",
                            "hosts/gpu-b/run.yaml",
                            "logs/rank\x1b[31m.log",
                            "logs/two\nlines.log",
                            "checkpoints/../manifest.json",
                            "checkpoints/\x01/manifest.json",
                            "logs/\xe2\x80\xae.log",
                            "run.yaml/",
                            "/run.yaml"})
        EXPECT_FALSE(is_mirrored(bad)) << bad;
}

TEST(HostileMirror, ACopyHasALimit) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    MirrorFolder copy(mirror, {.files = 3, .bytes = 1000});
    copy.apply({StreamFrame::begin, R"({"path":"logs/rank-00000.log","id":"1"})"});
    copy.apply({StreamFrame::bytes, "{\"path\":\"logs/rank-00000.log\",\"offset\":0}\n" + std::string(900, 'x')});
    EXPECT_THAT(refusal<LimitReached>([&] {
                    copy.apply({StreamFrame::bytes,
                                "{\"path\":\"logs/rank-00000.log\",\"offset\":900}\n" + std::string(101, 'x')});
                }),
                HasSubstr("limited to"));
    EXPECT_EQ(fs::file_size(mirror.logs() / "rank-00000.log"), 900u);
    refusal<LimitReached>([&] { copy.apply({StreamFrame::file, file_frame("run.yaml", std::string(101, 'x'))}); });
    copy.apply({StreamFrame::gone, R"({"path":"logs/rank-00000.log"})"});
    copy.apply({StreamFrame::file, file_frame("run.yaml", std::string(101, 'x'))});
    // A file that is replaced again and again counts once.
    for (int i = 0; i < 50; ++i)
        copy.apply({StreamFrame::file, file_frame("run.yaml", std::string(900, 'x'))});
    refusal<LimitReached>([&] {
        for (int i = 0; i < 5; ++i)
            copy.apply({StreamFrame::file, file_frame("requests/done/" + std::to_string(i) + ".json", "x")});
    });
    // The disk of this machine keeps some room.
    MirrorFolder tight(mirror, {.left_free = UINT64_MAX});
    refusal<LimitReached>([&] { tight.apply({StreamFrame::file, file_frame("run.yaml", "x")}); });
}

TEST(HostileMirror, AFileThatBeginsAgainUnderItsIdWritesNoListOfFiles) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    const fs::path list = mirror.root() / "mirror-files.json";
    const auto begin = [](const char* id) {
        return StreamMessage{StreamFrame::begin, std::string(R"({"path":"events.jsonl","id":")") + id + "\"}"};
    };
    const auto inode = [&] {
        struct stat info {};
        EXPECT_EQ(::stat(list.c_str(), &info), 0);
        return info.st_ino;
    };
    MirrorFolder copy(mirror);
    copy.apply(begin("1"));
    const ino_t first = inode();
    copy.apply(begin("1"));
    EXPECT_EQ(inode(), first);
    MirrorFolder again(mirror);
    again.apply(begin("1"));
    EXPECT_EQ(inode(), first);
    again.apply(begin("2"));
    EXPECT_THAT(read_file(list), HasSubstr("\"2\""));
    EXPECT_NE(inode(), first);
}

TEST(HostileMirror, ACopyOfALongRunTakesNewFiles) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    MirrorFolder copy(mirror, {.listing_s = -1});  // listings had their time long ago
    copy.apply({StreamFrame::begin, R"({"path":"logs/rank-00000.log","id":"1"})"});
    copy.apply({StreamFrame::file, file_frame("checkpoints/checkpoint_1/manifest.json", "{}")});
    EXPECT_TRUE(fs::exists(mirror.checkpoints() / "checkpoint_1" / "manifest.json"));
}

std::size_t folders_below(const fs::path& root) {
    std::size_t folders = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root))
        folders += entry.is_directory() ? 1 : 0;
    return folders;
}

TEST(HostileMirror, FoldersAreEntriesAndDoNotStayWithoutFiles) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    const std::size_t before = folders_below(mirror.root());
    MirrorFolder copy(mirror, {.files = 30});
    copy.apply({StreamFrame::begin, R"({"path":"trackers/a.jsonl","id":"1"})"});
    std::string at = "trackers/a.jsonl";
    for (int i = 0; i < 200; ++i) {
        const std::string path = "trackers/" + std::to_string(i) + "/b/c/d/x.json";
        copy.apply({StreamFrame::file, file_frame(path, "{}")});
        copy.apply({StreamFrame::gone, "{\"path\":\"" + path + "\"}"});
        const std::string to = "metrics/" + std::to_string(i) + "/b/c/d/tfevents";
        copy.apply({StreamFrame::moved, "{\"from\":\"" + at + "\",\"to\":\"" + to + "\"}"});
        at = to;
    }
    EXPECT_LE(folders_below(mirror.root()), before + 5);
    refusal<LimitReached>([&] {
        for (int i = 0; i < 7; ++i)
            copy.apply({StreamFrame::file, file_frame("trackers/" + std::to_string(i) + "/b/c/d/x.json", "{}")});
    });
    // The same count after another start.
    EXPECT_THROW(MirrorFolder(mirror, {.files = 20}), LimitReached);
}

TEST(HostileMirror, ACheckpointThatWasCopiedStaysWhole) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    const fs::path checkpoint = mirror.checkpoints() / "checkpoint_1";
    MirrorFolder copy(mirror);
    copy.apply({StreamFrame::file, file_frame("checkpoints/checkpoint_1/manifest.json", "{}")});
    write_file_atomically(checkpoint / "model.safetensors", "x", false);
    copy.apply({StreamFrame::gone, R"({"path":"checkpoints/checkpoint_1/manifest.json"})"});
    EXPECT_TRUE(fs::exists(checkpoint / "manifest.json"));
    fs::remove(checkpoint / "model.safetensors");
    copy.apply({StreamFrame::gone, R"({"path":"checkpoints/checkpoint_1/manifest.json"})"});
    EXPECT_FALSE(fs::exists(mirror.checkpoints()));
}

TEST(HostileMirror, HardLinksInAReceivedFolderAreNotWrittenTo) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path() / "runs");
    const fs::path mine = folder.path() / "mine", log = mirror.logs() / "rank-00000.log";
    write_file_atomically(mine, "thesis", false);
    fs::create_hard_link(mine, log);
    write_file_atomically(mirror.root() / "mirror-files.json", R"({"logs/rank-00000.log":"1"})", false);
    MirrorFolder copy(mirror);
    EXPECT_THAT(copy.have(), Not(HasSubstr("rank-00000.log")));
    copy.apply({StreamFrame::begin, R"({"path":"logs/rank-00000.log","id":"1"})"});
    copy.apply({StreamFrame::bytes, "{\"path\":\"logs/rank-00000.log\",\"offset\":0}\nline\n"});
    EXPECT_EQ(read_file(mine), "thesis");
    EXPECT_EQ(read_file(log), "line\n");
    fs::create_hard_link(log, folder.path() / "other");
    refusal([&] { copy.apply({StreamFrame::bytes, "{\"path\":\"logs/rank-00000.log\",\"offset\":5}\nline\n"}); });
}

TEST(HostileMirror, RequestsThatAreLinksAreNotSent) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path() / "runs");
    write_file_atomically(folder.path() / "key", "secret", false);
    fs::create_symlink(folder.path() / "key", mirror.requests() / "1.json");
    write_file_atomically(mirror.requests() / "2.json", "asked", false);
    std::string sent;
    int reads = 0;
    test::HostileLink link([&] { return ++reads < 5 ? frame_bytes(StreamFrame::alive, "{}") : std::string(); },
                           [&](std::string_view bytes) { sent += bytes; });
    follow_run(link, mirror);
    EXPECT_THAT(sent, HasSubstr("asked"));
    EXPECT_THAT(sent, Not(HasSubstr("secret")));
}

TEST(HostileMirror, AHostThatTakesNothingAndTalksWithoutEndIsLeft) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    test::HostileLink link([] { return frame_bytes(StreamFrame::alive, "{}"); },
                           [](std::string_view) { throw UserError("the other end takes nothing"); });
    MirrorOptions options;
    options.silence_s = 0.2;
    const double begun = monotonic_seconds();
    EXPECT_THAT(follow_run(link, mirror, options).reason, HasSubstr("takes nothing"));
    EXPECT_LT(monotonic_seconds() - begun, 10);
}

TEST(HostileMirror, HeadersOfFramesAreShort) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    MirrorFolder copy(mirror);
    std::string head = "{\"path\":\"run.yaml\",\"x\":[0";
    for (int i = 0; i < 100'000; ++i)
        head += ",0";
    EXPECT_THAT(refusal([&] {
                    copy.apply({StreamFrame::file, head + "]}\nx"});
                }),
                says("the host sent a message that is too long"));
    test::HostileLink link([&] { return frame_bytes(StreamFrame::alive, head + "]}"); });
    EXPECT_THAT(follow_run(link, mirror).reason, says("the host sent a message that is too long"));
}

TEST(HostileMirror, LinksInAReceivedFolderAreNotFollowed) {
    test::TemporaryFolder folder;
    fs::create_directories(folder.path() / "outside");
    const run::RunPaths mirror = make_mirror(folder.path() / "runs");
    MirrorFolder copy(mirror);
    fs::create_directory_symlink(folder.path() / "outside", mirror.checkpoints());
    refusal([&] { copy.apply({StreamFrame::file, file_frame("checkpoints/checkpoint_1/manifest.json", "{}")}); });
    fs::remove_all(mirror.metrics());
    fs::create_directory_symlink(folder.path() / "outside", mirror.metrics());
    refusal([&] { copy.apply({StreamFrame::begin, R"({"path":"metrics/events.out.tfevents.1","id":"1"})"}); });
    refusal([&] { MirrorFolder again(mirror); });
    EXPECT_TRUE(fs::is_empty(folder.path() / "outside"));
}

TEST(HostileMirror, AFolderThatOnlySaysItIsACopyIsNotFollowed) {
    test::TemporaryFolder folder;
    const run::RunPaths received(folder.path() / "received");
    fs::create_directories(received.root());
    write_file_atomically(received.state(), "{}", false);
    write_file_atomically(run::mirror_file(received),
                          R"({"host":"gpu-a","path":"/x","program":"/tmp/evil","connected":false,"complete":false})",
                          false);
    const auto mirror = run::read_mirror(received);
    ASSERT_TRUE(mirror);
    EXPECT_FALSE(mirror->source);
    // A program that would show that it was started.
    const fs::path program = folder.path() / "program";
    write_file_atomically(program, "#!/bin/sh\ntouch " + (folder.path() / "started").string() + "\n", false, 0700);
    EXPECT_FALSE(ensure_mirror(received, program));
    EXPECT_FALSE(fs::exists(folder.path() / "started"));
    EXPECT_THAT(refusal([&] { run_mirror(received); }), HasSubstr("runs attach"));
    Sftp sftp = bottomless();
    EXPECT_THAT(refusal([&] { fetch_checkpoint(sftp, received, ""); }), HasSubstr("runs attach"));

    // The same for a copy that was made here: it is followed, and its file cannot name another host or program.
    const run::RunPaths own = make_mirror(folder.path() / "runs", "gpu-b");
    write_file_atomically(run::mirror_file(own), R"({"host":"gpu-a","path":"/x","program":"/tmp/evil"})", false);
    const auto ours = run::read_mirror(own);
    ASSERT_TRUE(ours && ours->source);
    EXPECT_EQ(*ours->source, (run::MirrorSource{"gpu-b", "/home/me/runs/far", "/opt/trainyard"}));
    EXPECT_EQ(ours->host, "gpu-b");
    EXPECT_TRUE(ensure_mirror(own, program));
    EXPECT_TRUE(fs::exists(folder.path() / "started"));
}

TEST(HostileMirror, RequestsOfAReceivedFolderAreNotSentOnceItIsFollowed) {
    test::TemporaryFolder folder;
    const run::RunPaths received(folder.path() / "far");
    fs::create_directories(received.requests());
    write_file_atomically(run::mirror_file(received), R"({"host":"gpu-a","path":"/home/me/runs/far"})", false);
    write_file_atomically(received.requests() / "1.json", R"({"kind":"kill"})", false);
    make_mirror(folder.path());
    EXPECT_FALSE(fs::exists(received.requests() / "1.json"));
    // Those of the user stay.
    write_file_atomically(received.requests() / "2.json", R"({"kind":"stop"})", false);
    make_mirror(folder.path());
    prepare_mirror(folder.path(), {"gpu-a", "/home/me/runs/far", "/opt/other"});
    EXPECT_TRUE(fs::exists(received.requests() / "2.json"));
}

TEST(HostileMirror, ACopyIsOnlyMadeUnderTheIdOfARun) {
    test::TemporaryFolder folder;
    for (const char* path : {"/home/me/runs/..", "/home/me/.ssh", "/runs/-rf", "relative/x", "/", ""})
        refusal([&] { prepare_mirror(folder.path() / "runs", {"gpu-a", path, "/opt/trainyard"}); });
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace

}  // namespace trainyard::remote
