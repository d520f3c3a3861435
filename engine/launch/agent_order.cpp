#include "launch/agent_order.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/untrusted.h"
#include "run/json_fields.h"

namespace trainyard::launch {

namespace {

using run::json::Json;

/// Reads keys of one object and keeps everything that is wrong with them.
class OrderReader {
  public:
    OrderReader(std::string_view json, const char* command) : command_(command) {
        all_ = read_json(json);
        if (!all_.is_object()) {
            all_ = Json::object();
            problem("",
                    fmt::format("trainyard {} reads an order as JSON from its standard input, which this is not: it is "
                                "started by `trainyard launch`, not by hand",
                                command));
            return;
        }
        std::string version = text("version");
        if (!version.empty() && version != TRAINYARD_VERSION)
            problem("version",
                    fmt::format("the order is of Trainyard {}, this machine has {}: install the same version on "
                                "all machines",
                                version, TRAINYARD_VERSION));
    }

    std::string text(const char* key, bool needed = true) { return text_at(all_, key, key, needed); }
    std::string text_in(const char* object, const char* key, bool needed) {
        return text_at(inner(object), key, fmt::format("{}.{}", object, key), needed);
    }
    int number(const char* key, int least, int most, int otherwise) {
        return number_at(all_, key, key, least, most, otherwise);
    }
    int number_in(const char* object, const char* key, int least, int most, int otherwise) {
        return number_at(inner(object), key, fmt::format("{}.{}", object, key), least, most, otherwise);
    }
    double seconds(const char* key, double least, double most, double otherwise) {
        auto found = all_.find(key);
        if (found == all_.end())
            return otherwise;
        double value = found->is_number() ? found->get<double>() : -1;
        if (!(value >= least && value <= most))
            problem(key, fmt::format("must be a number of seconds from {} to {}", least, most));
        return value;
    }
    bool yes(const char* key) {
        auto found = all_.find(key);
        if (found == all_.end())
            return false;
        if (!found->is_boolean())
            problem(key, "must be true or false");
        return found->is_boolean() && found->get<bool>();
    }
    Secret secret(bool needed) {
        std::string value = text("secret", needed);
        if (auto found = all_.find("secret"); found != all_.end() && found->is_string())
            wipe(found->get_ref<std::string&>());
        Secret secret;
        try {
            if (!value.empty())
                secret = Secret(value);
        } catch (const UserError& error) {
            problem("secret", error.what());
        }
        wipe(value);
        return secret;
    }
    void problem(const std::string& key, const std::string& message) {
        if (problems_.empty() || !problems_.front().key.empty())  // the order as a whole is none: nothing else counts
            problems_.push_back({std::string("order of trainyard ") + command_, 0, 0, key, message});
    }
    void finish() {
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
    }

  private:
    const Json& inner(const char* object) {
        static const Json kNothing = Json::object();
        auto found = all_.find(object);
        return found != all_.end() && found->is_object() ? *found : kNothing;
    }
    std::string text_at(const Json& json, const char* key, const std::string& path, bool needed) {
        auto found = json.find(key);
        bool there = found != json.end();
        if ((!there && needed) || (there && !found->is_string())) {
            problem(path, there ? "must be a text" : "is missing");
            return {};
        }
        return there ? found->get<std::string>() : std::string();
    }
    int number_at(const Json& json, const char* key, const std::string& path, int least, int most, int otherwise) {
        auto found = json.find(key);
        if (found == json.end())
            return otherwise;
        if (!found->is_number_integer() || found->get<std::int64_t>() < least || found->get<std::int64_t>() > most) {
            problem(path, fmt::format("must be a whole number from {} to {}", least, most));
            return otherwise;
        }
        return found->get<int>();
    }

    const char* command_;
    Json all_;
    std::vector<Problem> problems_;
};

}  // namespace

namespace {

/// An object with a secret in front, in memory that the caller can wipe: JSON values and texts that grow leave copies
/// behind.
std::string with_secret(const Secret& secret, const Json& object) {
    Json quoted = secret.text();
    std::string value = quoted.dump();
    const std::string rest = run::json::dump(object);
    std::string all;
    all.reserve(rest.size() + value.size() + 16);
    all.append("{\"secret\":").append(value).append(",").append(rest, 1);
    wipe(quoted.get_ref<std::string&>());
    wipe(value);
    return all;
}

}  // namespace

std::string to_json(const SuperviseOrder& order) {
    return with_secret(order.secret, {{"version", TRAINYARD_VERSION},
                                      {"spec", order.spec},
                                      {"run_id", order.run_id},
                                      {"run_dir", order.run_dir.string()},
                                      {"queued", order.queued},
                                      {"listen", {{"address", order.listen_address}, {"port", order.listen_port}}},
                                      {"lease_s", order.link.lease_s},
                                      {"heartbeat_s", order.link.heartbeat_s},
                                      {"last_call_s", order.last_call_s},
                                      {"still_s", order.still_s},
                                      {"short_life_s", order.short_life_s}});
}

std::string to_json(const AgentOrder& order) {
    return with_secret(order.secret, {{"version", TRAINYARD_VERSION},
                                      {"rendezvous", order.rendezvous},
                                      {"head", {{"address", order.head_address}, {"port", order.head_port}}},
                                      {"host", order.host},
                                      {"machine_rank", order.machine_rank},
                                      {"ranks", order.ranks},
                                      {"join_timeout_s", order.join_timeout_s}});
}

SuperviseOrder parse_supervise_order(std::string_view json) {
    OrderReader read(json, "supervise");
    SuperviseOrder order;
    order.spec = read.text("spec");
    order.run_id = read.text("run_id", false);
    if (!order.run_id.empty() && !RunId::parse(order.run_id))
        read.problem("run_id", "must be the name of a run");
    order.run_dir = read.text("run_dir", false);
    order.queued = read.yes("queued");
    order.listen_address = read.text_in("listen", "address", false);
    order.listen_port = read.number_in("listen", "port", 0, 65535, 0);
    order.secret = read.secret(false);
    order.link.lease_s = read.seconds("lease_s", 0.5, 3600, order.link.lease_s);
    order.link.heartbeat_s = read.seconds("heartbeat_s", 0.05, 600, order.link.heartbeat_s);
    order.last_call_s = read.seconds("last_call_s", 0, 86400, order.last_call_s);
    order.still_s = read.seconds("still_s", 0.1, 86400, order.still_s);
    order.short_life_s = read.seconds("short_life_s", 0.1, 86400, order.short_life_s);
    if (order.link.heartbeat_s * 2 > order.link.lease_s)
        read.problem("lease_s", "must be at least two heartbeats (heartbeat_s) long");
    read.finish();
    return order;
}

AgentOrder parse_agent_order(std::string_view json) {
    OrderReader read(json, "agent");
    AgentOrder order;
    order.rendezvous = read.text("rendezvous");
    if (!order.rendezvous.empty() && !RunId::parse(order.rendezvous))
        read.problem("rendezvous", "must be the name of a run");
    order.secret = read.secret(true);
    order.head_address = read.text_in("head", "address", true);
    order.head_port = read.number_in("head", "port", 1, 65535, 0);
    order.host = read.text("host", false);
    order.machine_rank = read.number("machine_rank", -1, 1 << 20, -1);
    order.ranks = read.number("ranks", 1, 4096, 1);
    order.join_timeout_s = read.seconds("join_timeout_s", 0.1, 86400, order.join_timeout_s);
    if (order.head_port == 0)
        read.problem("head.port", "is missing");
    read.finish();
    return order;
}

}  // namespace trainyard::launch
