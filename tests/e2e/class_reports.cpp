// SPDX-License-Identifier: GPL-3.0-or-later
// Classification runs: what an evaluation writes of its classes agrees with the curves, with the data and between
// numbers of ranks, and is in the report of the command line.

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/program.h"
#include "formats/events/event_file.h"
#include "formats/tables/image.h"
#include "run/class_report.h"
#include "run/listing.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ClassReports : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream table(folder_.path() / "table.csv");
        table << "text,label\n";
        for (int i = 0; i < 120; ++i) {
            texts_.insert(std::string(i % 3 == 0   ? "good"
                                      : i % 3 == 1 ? "<bad>"
                                                   : "<odd>") +
                          " words " + std::to_string(i));
            table << (i % 3 == 0 ? "good" : i % 3 == 1 ? "<bad>" : "<odd>") << " words " << i << "," << i % 3 << "\n";
        }
    }
    run::RunPaths train(const std::string& name, int ranks) {
        const auto recipe = folder_.path() / (name + ".yaml");
        std::ofstream(recipe) << "name: " << name
                              << "\nmodel: {model_type: bert, task: sequence_classification, num_labels: 3, "
                                 "id2label: {0: good, 1: bad, 2: odd}, vocab_size: 256, hidden_size: 16, "
                                 "num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, "
                                 "max_position_embeddings: 32, hidden_dropout_prob: 0, "
                                 "attention_probs_dropout_prob: 0}\n"
                                 "data: {format: csv, path: table.csv, column: text, label_column: label, "
                                 "sequence_length: 24, validation_fraction: 0.25}\n"
                                 "training: {steps: 6, batch_size: "
                              << 8 / ranks
                              << ", evaluate_every: 3, metrics: [f1, precision_macro]}\n"
                                 "checkpoint: {every: 1000}\nlogging: {trackers: [jsonl]}\n";
        const test::Said said =
            test::trainyard({"launch", "--cpu", "--num_processes", std::to_string(ranks), recipe.string()});
        EXPECT_EQ(said.code, 0) << said.err;
        for (const run::ListedRun& run : run::list_runs(folder_.path() / "runs"))
            if (run.state && run.state->name == name)
                return run.paths;
        return run::RunPaths("");
    }
    static double last(const run::RunPaths& run, const std::string& tag) {
        double value = -1;
        for (const auto& entry : std::filesystem::directory_iterator(run.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents"))
                for (const events::Scalar& scalar : events::EventFileReader(entry.path()).poll())
                    if (scalar.tag == tag)
                        value = scalar.value;
        return value;
    }

    test::TemporaryFolder folder_;
    std::set<std::string> texts_;
};

TEST_F(ClassReports, AgreeWithTheCurvesTheDataAndOtherNumbersOfRanks) {
    const run::RunPaths one = train("one", 1);
    const std::vector<std::filesystem::path> files = run::list_class_reports(one);
    ASSERT_EQ(files.size(), 2u) << "of steps 3 and 6";
    const run::ClassReport report = run::read_class_report(files.back());
    EXPECT_EQ(report.step, 6);
    EXPECT_EQ(report.classes, (std::vector<std::string>{"good", "bad", "odd"}));
    std::int64_t right = 0, all = 0;
    std::vector<std::int64_t> labelled(3, 0);
    for (const run::ClassCount& count : report.counts) {
        all += count.count;
        right += count.label == count.found ? count.count : 0;
        labelled[static_cast<std::size_t>(count.label)] += count.count;
    }
    EXPECT_EQ(all, 30) << "every held-out row once";
    EXPECT_EQ(labelled, (std::vector<std::int64_t>{10, 10, 10}));
    EXPECT_NEAR(last(one, "eval/accuracy"), static_cast<double>(right) / 30, 1e-6);
    // eval/f1 and eval/precision_macro are scikit-learn's means over the classes: so are those of the report.
    double f1 = 0, precision = 0;
    for (const run::ClassFigures& figures : run::class_figures(report)) {
        f1 += figures.f1 / 3;
        precision += figures.precision / 3;
    }
    EXPECT_NEAR(last(one, "eval/f1"), f1, 1e-6);
    EXPECT_NEAR(last(one, "eval/precision_macro"), precision, 1e-6);
    ASSERT_EQ(report.worst.size(), run::kWorstSamples);
    for (std::size_t i = 0; i < report.worst.size(); ++i) {
        const run::WorstSample& sample = report.worst[i];
        EXPECT_EQ(texts_.count(sample.text), 1u) << sample.text;
        EXPECT_EQ(sample.text, "" +
                                   std::string(sample.label == 0   ? "good"
                                               : sample.label == 1 ? "<bad>"
                                                                   : "<odd>") +
                                   " words " + std::to_string(90 + sample.sample))
            << "the held-out rows are the last ones";
        EXPECT_NEAR(sample.loss, -std::log(sample.probability), 1e-9);
        if (i > 0) {
            EXPECT_LE(sample.loss, report.worst[i - 1].loss + 1e-12) << "highest loss first";
        }
    }

    const run::RunPaths two = train("two", 2);
    const run::ClassReport other = run::read_class_report(run::list_class_reports(two).back());
    EXPECT_EQ(other.counts, report.counts) << "no sample is counted twice";
    ASSERT_EQ(other.worst.size(), report.worst.size());
    for (std::size_t i = 0; i < other.worst.size(); ++i) {
        EXPECT_NEAR(other.worst[i].loss, report.worst[i].loss, 1e-4);
        EXPECT_EQ(texts_.count(other.worst[i].text), 1u);
    }

    // The report of both, from the command line.
    const auto file = folder_.path() / "report.html";
    test::Said said = test::trainyard(
        {"report", "one", "two", "-o", file.string(), "--panel", "train/loss, exp(eval/loss)", "--title", "Two runs"});
    EXPECT_EQ(said.code, 0) << said.err;
    const std::string html = read_file(file);
    EXPECT_THAT(html, HasSubstr("<h1>Two runs</h1>"));
    EXPECT_THAT(html, HasSubstr("Classification at step 6"));
    EXPECT_THAT(html, HasSubstr("&gt; words"));
    EXPECT_THAT(html, AllOf(Not(HasSubstr("<bad>")), Not(HasSubstr("<odd>"))));
    EXPECT_THAT(html, HasSubstr("exp(eval/loss)"));
    EXPECT_THAT(html, HasSubstr("training.batch_size")) << "what differs";
    EXPECT_THAT(html, Not(HasSubstr("class=\"error\"")));
    // Bad input: one message, and nothing is written over the report.
    said = test::trainyard({"report", "one", "-o", file.string(), "--panel", "train/loss +"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("position {}: the formula ends where a number, a metric or “(” is expected", 13));
    EXPECT_EQ(test::trainyard({"report", "nobody", "-o", file.string()}).code, 2);
    EXPECT_EQ(test::trainyard({"report", "one", "-o", (folder_.path() / "none" / "x.html").string()}).code, 2);
    EXPECT_EQ(read_file(file), html);
    // A layout that the window wrote, and notes.
    const auto layout = folder_.path() / "layout.json", notes = folder_.path() / "notes.txt";
    write_file_atomically(layout, R"({"pins": [{"id": "pin:1", "tags": ["s:eval/accuracy"]}, {"id": "pin:2", "panel":
        {"kind": "table", "title": "Ends", "lines": ["train/loss / 2"]}}]})");
    write_file_atomically(notes, "a <i>note</i>");
    said = test::trainyard(
        {"report", "one", "-o", file.string(), "--layout", layout.string(), "--notes", notes.string(), "--json"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("\"runs\":1"));
    EXPECT_THAT(read_file(file),
                AllOf(HasSubstr("<h3>eval/accuracy</h3>"), HasSubstr("<h3>Ends</h3>"), HasSubstr("train/loss / 2"),
                      HasSubstr("a &lt;i&gt;note&lt;/i&gt;"), Not(HasSubstr("<h3>train/loss</h3>"))));
    said = test::trainyard({"report", "one", "-o", file.string(), "--layout", notes.string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{} is not a layout of panels: the window writes one with Layout, Save to a file", _));
    said = test::trainyard({"report", "one", "-o", file.string(), "--x", "train/lr"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("--x {}: without --panel or --layout it is one of step, time, tokens, epoch, wall", "train/lr"));
    said = test::trainyard({"report", "one", "-o", file.string(), "--panel", "train/los"});
    EXPECT_EQ(said.code, 0) << "a metric may be missing in a run";
    EXPECT_THAT(read_file(file), HasSubstr("there is no metric train/los: did you mean &#39;train/loss&#39;?"));
}

TEST_F(ClassReports, OfWordsAndOfPixels) {
    std::ofstream words(folder_.path() / "words.jsonl");
    for (int i = 0; i < 40; ++i)
        words << R"({"tokens": ["we", "met", ")" << (i % 2 == 0 ? "Anna" : "Otto") << R"("], "ner_tags": [0, 0, 1]})"
              << "\n";
    words.close();
    for (int i = 0; i < 8; ++i) {
        formats::Image image{32, 32, 3, {}}, mask{32, 32, 1, {}};
        for (int pixel = 0; pixel < 32 * 32; ++pixel) {
            mask.pixels.push_back(pixel % 32 < 8 * (i % 3 + 1) ? 0 : 1);
            image.pixels.insert(image.pixels.end(), 3, static_cast<std::uint8_t>(200 * mask.pixels.back()));
        }
        for (const auto& [name, one] : {std::pair("roads", &image), {"masks", &mask}}) {
            std::filesystem::create_directories(folder_.path() / name);
            write_file_atomically(folder_.path() / name / (std::to_string(i) + ".png"), formats::encode_png(*one));
        }
    }
    const auto report_of = [&](const std::string& name, const std::string& recipe, int ranks) {
        const auto file = folder_.path() / (name + ".yaml");
        std::ofstream(file) << "name: " << name << "\n"
                            << recipe << "training: {steps: 2, batch_size: " << 4 / ranks
                            << ", evaluate_every: 2}\ncheckpoint: {every: 1000}\nlogging: {trackers: [jsonl]}\n";
        const test::Said said =
            test::trainyard({"launch", "--cpu", "--num_processes", std::to_string(ranks), file.string()});
        EXPECT_EQ(said.code, 0) << said.err;
        for (const run::ListedRun& run : run::list_runs(folder_.path() / "runs"))
            if (run.state && run.state->name == name)
                return std::pair(run.paths, run::read_class_report(run::list_class_reports(run.paths).back()));
        return std::pair(run::RunPaths(""), run::ClassReport());
    };
    const auto labelled = [](const run::ClassReport& report) {
        std::vector<std::int64_t> sums(report.classes.size(), 0);
        for (const run::ClassCount& count : report.counts)
            sums[static_cast<std::size_t>(count.label)] += count.count;
        return sums;
    };
    const std::string tagged =
        "model: {model_type: bert, task: token_classification, num_labels: 2, id2label: {0: O, 1: B-PER}, vocab_size: "
        "256, hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, "
        "max_position_embeddings: 32, hidden_dropout_prob: 0, attention_probs_dropout_prob: 0}\n"
        "data: {format: jsonl, path: words.jsonl, sequence_length: 16, validation_fraction: 0.25}\n";
    const auto [run, report] = report_of("words", tagged, 1);
    EXPECT_EQ(labelled(report), (std::vector<std::int64_t>{20, 10})) << "words of the ten held-out rows";
    ASSERT_EQ(report.worst.size(), run::kWorstSamples);
    std::set<std::string> texts;
    for (const run::WorstSample& sample : report.worst) {
        texts.insert(sample.text);
        EXPECT_THAT(sample.text, testing::AnyOf(HasSubstr("»"), HasSubstr("«"))) << "the word is marked";
    }
    EXPECT_THAT(texts, testing::IsSubsetOf({"«we» metAnna", "we «met» Anna", "wemet «Anna»", "«we» metOtto",
                                            "we «met» Otto", "wemet «Otto»"}));
    double right = 0;
    for (const run::ClassCount& count : report.counts)
        right += count.label == count.found ? static_cast<double>(count.count) : 0;
    EXPECT_NEAR(last(run, "eval/accuracy"), right / 30, 1e-6);
    EXPECT_EQ(report_of("words two", tagged, 2).second.counts, report.counts);

    const auto [roads, pixels] =
        report_of("roads",
                  "model: {model_type: segformer, num_labels: 2, id2label: {0: road, 1: sky}}\n"
                  "data: {format: images, path: roads, mask_path: masks, "
                  "validation_fraction: 0.25}\n",
                  1);
    const std::vector<std::int64_t> sums = labelled(pixels);
    EXPECT_EQ(sums[0] + sums[1], 2 * 32 * 32) << "each pixel of the two held-out images";
    right = 0;
    for (const run::ClassCount& count : pixels.counts)
        right += count.label == count.found ? static_cast<double>(count.count) : 0;
    EXPECT_NEAR(last(roads, "eval/accuracy"), right / (2 * 32 * 32), 1e-6);
    for (const run::WorstSample& sample : pixels.worst)
        EXPECT_THAT(sample.text, HasSubstr("/roads/"));
    EXPECT_LE(pixels.worst.size(), 2u);
}

TEST_F(ClassReports, OfAHostileFileAreBounded) {
    const run::RunPaths run(folder_.path() / "run");
    std::filesystem::create_directories(run::class_reports(run));
    const auto refusal = [&](const std::string& text) -> std::string {
        write_file_atomically(run::class_reports(run) / "step-000001.json", text);
        try {
            run::class_figures(run::read_class_report(run::list_class_reports(run).back()));
        } catch (const UserError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(refusal(R"({"step": 1, "classes": ["a"], "counts": [{"label": 0, "found": 0, "count": 1000000000000}]})"),
              "");
    EXPECT_THAT(
        refusal(R"({"step": 1, "classes": ["a"], "counts": [{"label": 0, "found": 0, "count": 9223372036854775807},
                           {"label": 0, "found": 0, "count": 9223372036854775807}]})"),
        HasSubstr("counts[0].count"));
    std::string many = R"({"step": 1, "counts": [], "classes": [)";
    for (int i = 0; i < 5000; ++i)
        many += i == 0 ? "\"a\"" : ",\"a\"";
    EXPECT_THAT(refusal(many + "]}"), HasSubstr("classes"));
    // With several labels the last class stands for none, and has no figures of its own.
    EXPECT_EQ(refusal(R"({"step": 1, "classes": ["a", "no label"], "has_none": true, "counts": [
                          {"label": 0, "found": 0, "count": 3}, {"label": 1, "found": 0, "count": 1}]})"),
              "");
    const std::vector<run::ClassFigures> figures =
        run::class_figures(run::read_class_report(run::list_class_reports(run).back()));
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_DOUBLE_EQ(figures[0].precision, 0.75);
    EXPECT_DOUBLE_EQ(figures[0].recall, 1);
}

}  // namespace
}  // namespace trainyard
