// SPDX-License-Identifier: GPL-3.0-or-later
// Classification runs: what an evaluation writes of its classes agrees with the curves, with the data and between
// numbers of ranks, and is in the report of the command line.

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/program.h"
#include "formats/events/event_file.h"
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

}  // namespace
}  // namespace trainyard
