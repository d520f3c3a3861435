// SPDX-License-Identifier: GPL-3.0-or-later
// Between a tracker and its server: redirects, proxies, certificates, and answers of web servers themselves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "observe/track/remote_tracker.h"
#include "support/fake_service.h"
#include "track/recorded_calls.h"

namespace trainyard::track::answers_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Answer = test::FakeService::Answer;
using Request = test::FakeService::Request;

class Answers : public testing::Test {
  protected:
    Answers() {
        for (const char* name : {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                                 "no_proxy", "NO_PROXY"})
            variables_.remove(name);
    }

    hub::HttpAnswer ask(const std::string& server, const std::string& path) {
        hub::HttpRequest request;
        request.address = server + path;
        request.body = "what is logged";
        return answer_of(*client_, request, server, "the key");
    }

    /// The problem that puts records off.
    ServiceUnavailable refusal(const std::string& server, const std::string& path = "/log") {
        try {
            ask(server, path);
        } catch (const ServiceUnavailable& problem) {
            return problem;
        }
        ADD_FAILURE() << "was answered";
        return {"nothing", false};
    }

    test::Variables variables_;
    std::unique_ptr<hub::HttpClient> client_ = make_client({});
};

TEST_F(Answers, RedirectsWithinTheHostKeepTheRequest) {
    std::string own;
    test::FakeService service([&](const Request& request) -> Answer {
        if (request.path == "/old/log")
            return {308, "{}", "Location: /new/log\r\n"};
        if (request.path == "/new/log")
            return {307, "{}", "Location: " + own + "/newest/log\r\n"};
        return {200, request.method + " " + request.body};
    });
    own = service.address();
    EXPECT_EQ(ask(service.address(), "/old/log").body, "POST what is logged");
}

TEST_F(Answers, OtherRedirectsNameTheAddressOfTheServer) {
    test::FakeService service([](const Request&) -> Answer {
        return {301, "", "Location: https://tracker.example/base/log\r\n"};
    });
    const ServiceUnavailable problem = refusal(service.address());
    EXPECT_TRUE(problem.denied());
    EXPECT_THAT(problem.what(), HasSubstr("redirects to https://tracker.example/base: use that address"));
}

TEST_F(Answers, AHostThatOnlyBeginsLikeTheServerGetsNothing) {
    std::string to;
    test::FakeService other([](const Request&) -> Answer { return {200, "{}"}; });
    test::FakeService service([&](const Request&) -> Answer { return {308, "", "Location: " + to + "/log\r\n"}; });
    const std::string address = other.address();
    to = service.address() + "@" + address.substr(address.find("://") + 3);
    EXPECT_TRUE(refusal(service.address()).denied());
    to = "https://127.0.0.1:x@" + address.substr(address.find("://") + 3);
    EXPECT_TRUE(refusal(service.address()).denied());
    EXPECT_TRUE(other.requests().empty());
}

TEST_F(Answers, ACircleOfRedirectsEnds) {
    test::FakeService service([](const Request&) -> Answer { return {307, "", "Location: /log\r\n"}; });
    EXPECT_TRUE(refusal(service.address()).denied());
    EXPECT_LT(service.requests().size(), 10u);
}

TEST_F(Answers, ADateOfRetryAfterIsReadByTheClockOfTheServer) {
    test::FakeService service([](const Request& request) -> Answer {
        if (request.path == "/date")
            return {429, "", "Date: Wed, 21 Oct 2015 07:28:00 GMT\r\nRetry-After: Wed, 21 Oct 2015 07:28:30 GMT\r\n"};
        return {503, "",
                request.path == "/past" ? "Retry-After: Wed, 21 Oct 2015 07:28:30 GMT\r\n" : "Retry-After: 7\r\n"};
    });
    EXPECT_DOUBLE_EQ(refusal(service.address(), "/date").retry_after_s(), 30);
    EXPECT_DOUBLE_EQ(refusal(service.address(), "/seconds").retry_after_s(), 7);
    EXPECT_DOUBLE_EQ(refusal(service.address(), "/past").retry_after_s(), 0);
}

TEST_F(Answers, ARequestThatIsTooLongNamesItsSize) {
    test::FakeService service([](const Request&) -> Answer { return {413, "<html>too large</html>"}; });
    try {
        ask(service.address(), "/log");
        FAIL();
    } catch (const RequestTooLarge& problem) {
        EXPECT_THAT(problem.what(), HasSubstr("takes no request of 14 B (413)"));
    }
}

TEST_F(Answers, ProxiesAreThoseOfPythonPrograms) {
    test::FakeService proxy([](const Request& request) -> Answer { return {200, request.path}; });
    variables_.set("HTTP_PROXY", proxy.address());
    EXPECT_EQ(ask("http://tracker.example", "/log").body, "http://tracker.example/log");
    variables_.set("NO_PROXY", "127.0.0.1");
    test::FakeService service([](const Request&) -> Answer { return {200, "itself"}; });
    EXPECT_EQ(ask(service.address(), "/log").body, "itself");
    variables_.set("http_proxy", "");  // set to nothing: no proxy
    EXPECT_THAT(refusal("http://tracker.invalid").what(), HasSubstr("http://tracker.invalid does not answer: "));
}

TEST_F(Answers, AProxyThatWantsAPasswordIsNamed) {
    test::FakeService proxy([](const Request&) -> Answer { return {407, "<html>who are you</html>"}; });
    variables_.set("http_proxy", proxy.address());
    variables_.set("https_proxy", proxy.address());
    for (const char* server : {"http://tracker.example", "https://tracker.example"}) {
        const ServiceUnavailable problem = refusal(server);
        EXPECT_THAT(problem.what(), HasSubstr("does not accept the user and password (407)")) << server;
        EXPECT_THAT(problem.what(), HasSubstr("http://user:password@proxy:8080"));
    }
    variables_.set("https_proxy", "http://proxy.invalid:8080");
    EXPECT_THAT(refusal("https://tracker.example").what(), HasSubstr("proxy.invalid"));
}

TEST_F(Answers, CertificatesOfToolsAreThereOrOneMessage) {
    EXPECT_FALSE(certificates_of("False").are_checked);
    EXPECT_TRUE(certificates_of("true").issuers.empty());
    EXPECT_EQ(certificates_of("/etc/issuers.pem").issuers, "/etc/issuers.pem");
    try {
        make_client({}, certificates_of("/nonexistent/issuers.pem"));
        FAIL();
    } catch (const ServiceUnavailable& problem) {
        EXPECT_THAT(problem.what(), HasSubstr("/nonexistent/issuers.pem"));
    }
}

}  // namespace
}  // namespace trainyard::track::answers_test
