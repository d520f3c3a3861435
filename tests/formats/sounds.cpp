// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings in the formats that libsndfile reads (golden/sounds) have the samples of the WAV file that they are made of.

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/tables/sound.h"
#include "formats/tables/sound_library.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::formats {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;

fs::path recording(const std::string& name) {
    return test::own_golden("sounds") / name;
}

std::string sound_refusal(const std::function<void()>& read) {
    try {
        read();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

/// The largest correlation of both over shifts: encoders add samples at the beginning.
double likeness(const std::vector<float>& a, const std::vector<float>& b) {
    double best = 0;
    for (std::size_t shift = 0; shift < 1200; ++shift) {
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t i = 0; i < a.size() && i + shift < b.size(); ++i) {
            ab += a[i] * b[i + shift];
            aa += a[i] * a[i];
            bb += b[i + shift] * b[i + shift];
        }
        best = std::max(best, ab / std::sqrt(aa * bb + 1e-12));
    }
    return best;
}

TEST(Sounds, EveryFormatHasTheSamplesOfItsOriginal) {
    const std::vector<float> original = read_sound(recording("original.wav"));
    ASSERT_EQ(original.size(), 1600u);
    for (const char* name : {"tone.flac", "tone.aiff"}) {
        EXPECT_EQ(read_sound_info(recording(name)).samples, 1600) << name;
        EXPECT_EQ(read_sound(recording(name)), original) << name;
        EXPECT_EQ(read_sound(recording(name), 700), std::vector<float>(original.begin(), original.begin() + 700));
    }
    for (const char* name : {"tone.ogg", "tone.opus", "tone.mp3"}) {
        const SoundInfo info = read_sound_info(recording(name));
        EXPECT_EQ(info.rate, 8000) << name;
        EXPECT_EQ(info.channels, name == std::string("tone.mp3") ? 1 : 2) << name;
        const std::vector<float> found = read_sound(recording(name));
        EXPECT_EQ(std::ssize(found), info.samples) << name;
        EXPECT_GT(likeness(std::vector<float>(original.begin(), original.begin() + 1000), found), 0.95) << name;
        EXPECT_EQ(read_sound(recording(name), 100).size(), 100u) << name;
    }
}

TEST(Sounds, DamagedFilesAndAMissingLibraryAreNamed) {
    const test::TemporaryFolder folder;
    const auto said = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder.path() / name, std::ios::binary) << text;
        return sound_refusal([&] { (void)read_sound(folder.path() / name); });
    };
    const std::string flac = read_file(recording("tone.flac"));
    EXPECT_EQ(said("one.flac", flac), "");
    EXPECT_THAT(
        said("one.flac", flac.substr(0, flac.size() / 2)),
        says("{} is damaged or truncated: its header announces more than the file has", testing::EndsWith("one.flac")));
    for (const std::string& text : {std::string("fLaC and more of it"), std::string(), std::string(4096, '\xff')})
        for (const char* name : {"one.flac", "one.ogg", "one.opus"})
            EXPECT_NE(said(name, text), "") << name;
    EXPECT_THAT(said("one.flac", "fLaC and more of it"),
                says("{} cannot be read by the installed libsndfile: it is damaged, or of a format that this version "
                     "does not know (MP3 needs 1.1): convert it to WAV",
                     _));
    EXPECT_THAT(sound_refusal([&] { (void)read_sound(folder.path() / "none.flac"); }), says("cannot read {}", _));
    const SoundLibrary none({"libsndfile-that-is-missing.so"});
    EXPECT_THAT(sound_refusal([&] { (void)none.read_info(recording("tone.flac")); }),
                says("{} is read by libsndfile, which is not installed (Debian: libsndfile1): install it, or convert "
                     "the recordings to WAV",
                     testing::EndsWith("tone.flac")));
}

TEST(Sounds, FilesAreChosenByTheirNames) {
    const std::vector<fs::path> files{"a.WAV", "b.flac", "c.Mp3", "d.ogg", "e.opus", "notes.txt", "f.aiff"};
    EXPECT_EQ(sound_files(files), (std::vector<fs::path>{"a.WAV", "b.flac", "c.Mp3", "d.ogg", "e.opus", "f.aiff"}));
    EXPECT_THAT(sound_refusal([] {
                    (void)sound_files({"a.wav", "b.m4a"});
                }),
                says("{} is of a format that this version does not read: convert it to WAV or FLAC", "b.m4a"));
    EXPECT_THAT(
        sound_refusal([] { (void)sound_files({"notes.txt"}); }),
        says("there are no recordings: name files that end with .wav, .flac, .mp3, .ogg or .opus, or folders of "
             "them"));
}

}  // namespace
}  // namespace trainyard::formats
