// SPDX-License-Identifier: GPL-3.0-or-later
// Files and messages of earlier versions, byte for byte: runs, mirrors and ranks of other versions read and write them.

#include <cmath>

#include <gtest/gtest.h>

#include "base/file.h"
#include "run/journal.h"
#include "run/mirror.h"
#include "run/request.h"
#include "run/run_labels.h"
#include "run/state.h"
#include "support/field_checks.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

RunState recorded_state() {
    RunState state;
    state.run_id = "20261121-074512-gpt2-4f2a";
    state.name = "gpt2 \"b\xc3\xb6ld\"\t\x01";
    state.status = Status::failed;
    state.supervisor_host = "here";
    state.supervisor = {4711, 99887766};
    state.generation = 3;
    state.created = 1795250000.125;
    state.started = 1795250001.25;
    state.ended = 1795250099.5;
    state.heartbeat = 1795250100;
    state.restarts = 2;
    state.queue_place = 4;
    state.message = Message::verbatim("over\nand out");
    state.machines = {{"here", 2, "running", 0}, {"gpu-b", 3, "lost", 1795250050.25}};
    RankState rank;
    rank.rank = 1;
    rank.host = "here";
    rank.device = "cuda:1";
    rank.process = {4712, 5};
    rank.state = "failed";
    rank.step = 123;
    rank.phase = "backward";
    rank.last_collective = "all_reduce #1204 grads.h.3";
    rank.signal = 9;
    rank.resident_bytes = 1ull << 40;
    state.ranks = {RankState{}, rank};
    state.ranks[0].exit_code = 75;
    Failure failure;
    failure.rank = 1;
    failure.host = "here";
    failure.signal = 9;
    failure.step = 123;
    failure.phase = "backward";
    failure.last_collective = "all_reduce #1204";
    failure.message = Message::verbatim("rank 1 on here was killed");
    failure.log = {"one", "caf\xe9 \xff\xfe \\ / \x7f"};
    failure.time = 1795250098.5;
    state.first_failure = failure;
    state.progress = {.step = 123,
                      .of = 600,
                      .epoch = 0.5,
                      .tokens = 9216,
                      .samples = 144,
                      .eta_s = 3.5,
                      .loss = std::nan(""),
                      .validation_loss = -HUGE_VAL,
                      .tokens_per_s = 23000.0};
    return state;
}

TEST(RecordedJson, StateIsAsItWas) {
    EXPECT_EQ(to_json(recorded_state()),
              R"({"created":"2026-11-21T08:33:20.125Z","ended":"2026-11-21T08:34:59.500Z",)"
              R"("first_failure":{"exit":null,"host":"here","last_collective":"all_reduce #1204","log":["one","caf� )"
              R"(�� \\ / )"
              "\x7f"
              R"("],"message":"rank 1 on here was killed","phase":"backward","rank":1,"signal":9,)"
              R"("step":123,"time":"2026-11-21T08:34:58.500Z"},"heartbeat":"2026-11-21T08:35:00.000Z",)"
              R"("idle_s":null,"idle_since":null,)"
              R"("machines":[{"host":"here","last_contact":null,"ranks":2,"state":"running"},{"host":"gpu-b",)"
              R"("last_contact":"2026-11-21T08:34:10.250Z","ranks":3,"state":"lost"}],"message":"over\nand out",)"
              R"("name":"gpt2 \"böld\"\t\u0001","progress":{"epoch":0.5,"eta_s":3.5,"loss":"nan","of":600,)"
              R"("samples":144,"step":123,"tokens":9216,"tokens_per_s":23000.0,"validation_loss":"-inf"},)"
              R"("queue_place":4,"ranks":[{"device":"","exit":75,"host":"","last_collective":"","phase":"","pid":0,)"
              R"("rank":0,"resident_bytes":0,"signal":null,"start_time":0,"state":"starting","step":0},)"
              R"({"device":"cuda:1","exit":null,"host":"here","last_collective":"all_reduce #1204 grads.h.3",)"
              R"("phase":"backward","pid":4712,"rank":1,"resident_bytes":1099511627776,"signal":9,"start_time":5,)"
              R"("state":"failed","step":123}],"restarts":2,"run_id":"20261121-074512-gpt2-4f2a",)"
              R"("started":"2026-11-21T08:33:21.250Z","status":"failed","supervisor":{"generation":3,"host":"here",)"
              R"("pid":4711,"start_time":99887766}})"
              "\n");
    EXPECT_EQ(to_json(RunState{}),
              R"({"created":"1970-01-01T00:00:00.000Z","ended":null,"first_failure":null,)"
              R"("heartbeat":"1970-01-01T00:00:00.000Z","idle_s":null,"idle_since":null,"machines":[],)"
              R"("message":"","name":"",)"
              R"("progress":{"epoch":0.0,"eta_s":null,"loss":null,"of":0,"samples":0,"step":0,"tokens":0,)"
              R"("tokens_per_s":null,"validation_loss":null},"queue_place":null,"ranks":[],"restarts":0,"run_id":"",)"
              R"("started":null,"status":"preparing","supervisor":{"generation":1,"host":"","pid":0,"start_time":0}})"
              "\n");
}

TEST(RecordedJson, EventsAreAsTheyWere) {
    Event event;
    event.time = 1795250000.5;
    event.kind = "note";
    event.text = Message::verbatim("line \"one\"\n");
    EXPECT_EQ(to_json(event),
              R"({"kind":"note","rank":null,"step":null,"text":"line \"one\"\n","time":"2026-11-21T08:33:20.500Z"})");
    event.step = 12;
    event.rank = 3;
    event.path = "checkpoints/checkpoint_12";
    event.value = 2.5e-7;
    EXPECT_EQ(to_json(event),
              R"({"kind":"note","path":"checkpoints/checkpoint_12","rank":3,"step":12,"text":"line \"one\"\n",)"
              R"("time":"2026-11-21T08:33:20.500Z","value":2.5e-07})");
    event.value = 1e300;
    EXPECT_EQ(to_json(event),
              R"({"kind":"note","path":"checkpoints/checkpoint_12","rank":3,"step":12,"text":"line \"one\"\n",)"
              R"("time":"2026-11-21T08:33:20.500Z","value":1e+300})");
}

TEST(RecordedJson, RequestsAreAsTheyWere) {
    Request request;
    request.id = "abc";
    request.kind = "note";
    request.values = {{"text", "look"}, {"step", "12"}};
    request.time = 1795250000.5;
    request.from = "desktop";
    EXPECT_EQ(to_json(request),
              R"({"from":"desktop","id":"abc","kind":"note","time":"2026-11-21T08:33:20.500Z","values":{"step":"12",)"
              R"("text":"look"}})");
    request.outcome = "done";
    EXPECT_EQ(to_json(request), R"({"from":"desktop","id":"abc","kind":"note","outcome":"done","text":"",)"
                                R"("time":"2026-11-21T08:33:20.500Z","values":{"step":"12","text":"look"}})");
}

TEST(RecordedJson, LabelsAreAsTheyWere) {
    test::TemporaryFolder folder;
    const RunPaths run(folder.path());
    write_file_atomically(labels_file(run), R"({"name": "x", "stars": {"of": 5, "e": [], "o": {}}})", false);
    write_labels(run, {.name = "b\xc3\xb6ld",
                       .tags = {"lr-sweep", "x"},
                       .note = "two\nlines",
                       .archived = true,
                       .color = 7,
                       .baseline = true});
    EXPECT_EQ(read_file(labels_file(run)),
              R"({
  "archived": true,
  "baseline": true,
  "color": 7,
  "name": "böld",
  "note": "two\nlines",
  "stars": {
    "e": [],
    "o": {},
    "of": 5
  },
  "tags": [
    "lr-sweep",
    "x"
  ]
})"
              "\n");
}

TEST(RecordedJson, MirrorsAreAsTheyWere) {
    test::TemporaryFolder folder;
    const RunPaths run(folder.path());
    MirrorState mirror;
    mirror.host = "gpu";
    mirror.path = "/x";
    mirror.message = Message::verbatim("why");
    mirror.clock_offset = -0.25;
    mirror.process = {1, 2};
    write_mirror(run, mirror);
    EXPECT_EQ(read_file(mirror_file(run)),
              R"({"clock_offset":-0.25,"complete":false,"connected":false,"contact":null,"host":"gpu","lost":false,)"
              R"("message":"why","path":"/x","pid":1,"start_time":2})");
    mirror.contact = 1795250000.5;
    mirror.connected = mirror.complete = mirror.lost = true;
    write_mirror(run, mirror);
    EXPECT_EQ(read_file(mirror_file(run)),
              R"({"clock_offset":-0.25,"complete":true,"connected":true,"contact":"2026-11-21T08:33:20.500Z",)"
              R"("host":"gpu","lost":true,"message":"why","path":"/x","pid":1,"start_time":2})");
}

TEST(DescribedJson, EveryFieldOfARunSurvivesAndIsChecked) {
    test::check_described<RunState, RankState, MachineState, Progress, Failure, Event, Request, Labels, MirrorState,
                          MirrorSource>();
}

}  // namespace
}  // namespace trainyard::run
