// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of Amazon SageMaker, compared with what Accelerate and Amazon's package send. Where those lose something or
// refuse a valid launch, the difference is named below.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/accelerate/settings_file.h"
#include "fake_amazon.h"
#include "launch/cloud/sagemaker_job.h"
#include "launch/cloud/sagemaker_role.h"
#include "launch/plan/plan.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::cloud {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class SageMaker : public testing::Test {
  protected:
    SageMaker() { fs::current_path(folder_.path()); }
    ~SageMaker() override { fs::current_path(before_); }

    void prepare(const Json& input) {
        for (const fs::directory_entry& entry : fs::directory_iterator("."))
            fs::remove_all(entry.path());
        write("config.yaml", input["config"]);
        Json tree = input.value("tree", Json{{script_, "print('hello')\n"}});
        tree.update(input.value("files", Json::object()));
        for (const auto& [name, text] : tree.items())
            write(name, text);
        if (input.value("aws_files", false))
            write(
                "home/.aws/credentials",
                "[other]\naws_access_key_id = X\n[work]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = S\n");
    }
    static void write(const fs::path& file, const std::string& text) {
        if (file.has_parent_path())
            fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    /// As `trainyard launch` does.
    EndedJob launch(const Json& input, test::FakeAmazon& amazon, const std::string& name) {
        std::vector<std::string> words = input["flags"].get<std::vector<std::string>>();
        words.insert(words.begin(), {"--config_file", "config.yaml"});
        plan::EnvironmentMap environment{{"AWS_ENDPOINT_URL", amazon.address()},
                                         {"AWS_MAX_ATTEMPTS", "2"},
                                         {"HOME", (folder_.path() / "home").string()}};
        const Json given = input.value("env", Json::object());
        for (const auto& [variable, value] : given.items())
            environment[variable] = value.get<std::string>();
        const plan::Flags flags = plan::parse_flags(words);
        const settings::Loaded file = settings::load_settings(plan::settings_file(flags));
        const plan::Resolved resolved = plan::resolve(flags, file, {}, environment);
        const plan::Plan made = plan::make_plan(flags, resolved, {}, environment, "python3");
        EXPECT_EQ(made.starter, plan::Starter::sagemaker);
        for (const auto& [variable, value] : made.environment)
            environment[variable] = value;
        AwsClient client(
            find_access(resolved.settings.text("profile"), resolved.settings.text("region", "us-east-1"), environment));
        StartOptions options;
        options.job_name = name;
        options.left_out = {fs::canonical("config.yaml")};
        const StartedJob job = start_job(client, *made.sagemaker, options);
        return follow_job(
            client, job.name, 0.01, {}, [&](const std::string& line) { lines_.push_back(line); },
            [](const std::string&) {});
    }

    test::TemporaryFolder folder_;
    const fs::path before_ = fs::current_path();
    std::string script_ = "train.py";  ///< exists in cases without a tree of their own
    std::vector<std::string> lines_;
};

/// Whether Accelerate alone refuses the launch: `--name=value`, an empty line or only a header in a table, keys in the
/// environment, torch_distributed without another distribution.
bool is_refused_there(const Json& input, const Json& error) {
    const std::string type = error.value("type", "");
    const bool attached = std::ranges::any_of(input["flags"], [](const Json& word) {
        return word.get<std::string>().starts_with("--") && word.get<std::string>().find('=') != std::string::npos;
    });
    return attached || type == "IndexError" || type == "AttributeError" || type == "ParamValidationError" ||
           input.value("env", Json::object()).contains("AWS_ACCESS_KEY_ID");
}

/// Numbers, lists and dictionaries in texts by value: 1e30 is written with all its digits there, and not-a-number,
/// which JSON has not, as NaN.
Json by_value(Json body) {
    for (auto& [name, value] : body["HyperParameters"].items()) {
        const Json read = Json::parse(value.get<std::string>(), nullptr, false);
        if (read.is_number())
            value = read.get<double>();
        else if (read.is_structured())
            value = read;
        else if (value == "NaN")
            value = "\"nan\"";
    }
    return body;
}

/// The script that most cases start; others name one that is missing, for example.
std::string usual_script(const Json& cases) {
    std::map<std::string, int> counts;
    for (const Json& one : cases)
        for (const Json& word : one["input"].value("flags", Json::array()))
            if (word.get<std::string>().ends_with(".py"))
                ++counts[word.get<std::string>()];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    return most == counts.end() ? "train.py" : most->first;
}

Json recorded_body(const Json& expected) {
    Json last;
    const Json requests = expected.value("requests", Json::array());
    for (const Json& request : requests)
        if (request.is_object() && request.value("action", "") == "CreateTrainingJob")
            last = request["body"];
    return last;
}

TEST_F(SageMaker, JobsAreThoseOfAccelerate) {
    const Json root = Json::parse(read_file(test::golden("sagemaker.json")));
    script_ = usual_script(root["cases"]);
    int created = 0, refused = 0;
    for (const Json& one : root["cases"]) {
        const Json &input = one["input"], &expected = one["expected"];
        if (!input.contains("config"))
            continue;  // of `accelerate config`, which makes a role
        SCOPED_TRACE(one["id"].get<std::string>());
        prepare(input);
        test::FakeAmazon amazon;
        amazon.has_bucket = !input.value("no_bucket", false);
        if (const Json recorded = recorded_body(expected); !recorded.is_null())  // arn:aws:iam::ACCOUNT:role/...
            amazon.account = recorded["RoleArn"].get<std::string>().substr(13, 12);
        const Json answers = input.value("answers", Json::object());
        for (const auto& [action, answer] : answers.items()) {
            if (answer.is_array() && !answer.empty() && !answer[0].is_number())
                amazon.answers[action] = answer.get<std::deque<Json>>();
            else
                amazon.answers[action] = {answer};
        }
        if (input.contains("final"))
            amazon.final.update(input["final"]);
        const Json body = recorded_body(expected);
        const std::string name = body.is_null() ? "job" : body["TrainingJobName"].get<std::string>();
        lines_.clear();
        const Json error = expected.value("error", Json::object());
        const bool fails_at_its_end = error.value("type", "") == "UnexpectedStatusException";
        if (!error.empty() && !fails_at_its_end && !is_refused_there(input, error)) {
            EXPECT_THROW(launch(input, amazon, name), UserError);
            if (body.is_null()) {
                EXPECT_TRUE(amazon.body_of("CreateTrainingJob").is_null()) << "refused before a job was created";
            }
            ++refused;
            continue;
        }
        EndedJob ended;
        ASSERT_NO_THROW(ended = launch(input, amazon, name));
        ++created;
        EXPECT_EQ(ended.status, amazon.final["TrainingJobStatus"].get<std::string>());
        EXPECT_THAT(lines_, testing::ElementsAre("step 1 loss: 0.8", "step 2 loss: 0.7", "step 3 loss: 0.6"));
        if (!body.is_null()) {
            EXPECT_EQ(by_value(amazon.body_of("CreateTrainingJob")), by_value(body));
        }
        for (const test::FakeService::Request& request : amazon.requests())
            EXPECT_THAT(request.headers.at("authorization"), testing::HasSubstr("Credential=AKIDEXAMPLE/"))
                << request.path;
        if (input.value("no_bucket", false)) {
            const auto calls = amazon.calls();
            EXPECT_EQ(std::ranges::count_if(calls, [](const auto& call) { return call.first == "S3 PUT"; }), 2);
        }
    }
    EXPECT_GT(created, 0);
    EXPECT_GT(refused, 0);
}

std::string percent_decoded(const std::string& text) {
    std::string decoded;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] == '%') {
            decoded += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
            at += 2;
        } else {
            decoded += text[at];
        }
    return decoded;
}

/// The fields of a form, JSON values as such.
Json form_fields(const std::string& body) {
    Json fields = Json::object();
    std::istringstream parts(body);
    for (std::string part; std::getline(parts, part, '&');) {
        const std::size_t equals = part.find('=');
        const std::string text = percent_decoded(part.substr(equals + 1));
        const Json read = Json::parse(text, nullptr, false);
        fields[part.substr(0, equals)] = read.is_object() ? read : Json(text);
    }
    return fields;
}

TEST_F(SageMaker, RolesAreThoseOfAccelerate) {
    const Json root = Json::parse(read_file(test::golden("sagemaker.json")));
    int roles = 0;
    for (const Json& one : root["cases"]) {
        const Json &input = one["input"], &expected = one["expected"];
        if (!input.contains("role_name"))
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        test::FakeAmazon amazon;
        const Json answers = input.value("answers", Json::object());
        for (const auto& [action, answer] : answers.items())
            amazon.answers[action] = {answer};
        AwsClient client(
            {.keys = {"AKIDEXAMPLE", "S"}, .region = "us-east-1", .endpoint = amazon.address(), .attempts = 2});
        const Message said = create_role(client, input["role_name"].get<std::string>());
        std::vector<Json> wanted;
        for (const Json& request : expected["requests"])
            if (request["action"] != "GetRole")
                wanted.push_back(request["body"]);
        std::vector<Json> sent;
        for (const test::FakeService::Request& request : amazon.requests()) {
            sent.push_back(form_fields(request.body));
            EXPECT_THAT(request.headers.at("authorization"), testing::HasSubstr("/us-east-1/iam/aws4_request"));
        }
        EXPECT_EQ(sent, wanted);
        EXPECT_EQ(said.text().find("exists already") != std::string::npos, !expected["prints"].empty()) << said;
        ++roles;
    }
    EXPECT_GT(roles, 1);
    test::FakeAmazon amazon;
    AwsClient client(
        {.keys = {"AKIDEXAMPLE", "S"}, .region = "us-east-1", .endpoint = amazon.address(), .attempts = 1});
    EXPECT_THROW(create_role(client, "arn:aws:iam::123456789012:role/r"), UserError);
    EXPECT_TRUE(amazon.requests().empty()) << "refused before anything was sent";
    amazon.answers["CreateRole"] = {Json::array({403, "<E><Code>AccessDenied</Code><Message>not you</Message></E>"})};
    EXPECT_THROW(create_role(client, "trainer"), AwsRefusal);
    EXPECT_EQ(amazon.requests().size(), 1u) << "no rights were given to a role that was not created";
}

/// Names and contents of a .tar.gz.
std::map<std::string, std::string> unpacked(const std::string& archive) {
    std::string tar(64 << 20, '\0');
    std::size_t size = 0;
    libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
    EXPECT_EQ(libdeflate_gzip_decompress(decompressor, archive.data(), archive.size(), tar.data(), tar.size(), &size),
              LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(decompressor);
    std::map<std::string, std::string> files;
    std::string name;
    for (std::size_t at = 0; at + 512 <= size && tar[at] != '\0';) {
        const std::size_t bytes = std::stoul(tar.substr(at + 124, 11), nullptr, 8);
        const std::string content = tar.substr(at + 512, bytes);
        if (tar[at + 156] == 'x')
            name = content.substr(content.find("path=") + 5, content.size() - content.find("path=") - 6);
        else
            files[name.empty() ? std::string(tar.c_str() + at) : std::exchange(name, "")] = content;
        at += 512 + (bytes + 511) / 512 * 512;
    }
    return files;
}

TEST_F(SageMaker, TheFolderOfTheScriptIsSentWithoutSettingsAndHiddenFiles) {
    const std::string deep = "code/" + std::string(90, 'd') + "/" + std::string(60, 'f') + ".py";
    Json input{{"config",
                "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\nec2_instance_type: "
                "ml.g5.2xlarge\niam_role_name: a-role\n"
                "image_uri: own:1\n"},
               {"flags", {"--aws_access_key_id", "AKIDEXAMPLE", "--aws_secret_access_key", "S", "code/train.py"}},
               {"tree",
                {{"code/train.py", "x = 1\n"},
                 {"code/lib/a.py", ""},
                 {deep, "y\n"},
                 {"code/.git/config", "no"},
                 {"code/.env", "no"},
                 {"code/__pycache__/a.pyc", "no"},
                 {"other.txt", "no"}}}};
    prepare(input);
    test::FakeAmazon amazon;
    launch(input, amazon, "job");
    for (const test::FakeService::Request& request : amazon.requests())
        if (request.method == "PUT") {
            EXPECT_EQ(unpacked(request.body), (std::map<std::string, std::string>{
                                                  {"train.py", "x = 1\n"}, {"lib/a.py", ""}, {deep.substr(5), "y\n"}}));
        }
}

/// accelerate#980: `--name=value` was refused there, and so is a negative number, which looks like a name.
TEST_F(SageMaker, ArgumentsWithEqualsSignsAndNegativeNumbersAreValues) {
    const Json input{{"config",
                      "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\nec2_instance_type: "
                      "ml.g5.2xlarge\niam_role_name: a-role\nimage_uri: own:1\n"},
                     {"flags",
                      {"--aws_access_key_id", "AKIDEXAMPLE", "--aws_secret_access_key", "S", "train.py", "--lr=1e-5",
                       "--shift", "-1", "--do_eval", "True"}}};
    prepare(input);
    test::FakeAmazon amazon;
    launch(input, amazon, "job");
    Json parameters;
    for (const test::FakeService::Request& request : amazon.requests())
        if (const Json body = Json::parse(request.body, nullptr, false); body.contains("HyperParameters"))
            parameters = body["HyperParameters"];
    EXPECT_EQ(parameters["shift"], "-1");
    EXPECT_EQ(parameters["lr"], "1e-05");
    EXPECT_EQ(parameters["do_eval"], "true");
}

TEST_F(SageMaker, EveryMistakeOfTheArgumentsIsNamedAtOnce) {
    const Json estimator{{"entry_point", "train.py"},
                         {"instance_count", 1},
                         {"instance_type", "local_gpu"},
                         {"role", nullptr},
                         {"use_spot_instance", true},
                         {"max_run", "one hour"},
                         {"max_wait", 10}};
    try {
        training_job(estimator, {}, "job", "us-east-1", "bucket", "arn", "s3://a/b");
        FAIL();
    } catch (const InvalidInput& error) {
        for (const char* word :
             {"use_spot_instance", "max_run must be a whole number", "local mode", "iam_role_name", "max_wait"})
            EXPECT_THAT(error.what(), testing::HasSubstr(word));
    }
}

}  // namespace
}  // namespace trainyard::cloud
