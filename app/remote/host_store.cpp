// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_store.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "remote/all_hosts.h"
#include "remote/failure.h"

namespace trainyard::remote {

namespace {

const std::vector<std::string> kKeys{"name",          "label",    "address",     "user",   "port",
                                     "identity_file", "jump",     "runs_folder", "engine", "interpreter",
                                     "environment",   "max_gpus", "use"};

constexpr std::string_view kVariable = "environment.";  ///< before the name of a variable

/// The texts among the fields, so that reading, writing and checking have one list.
struct TextField {
    const char* key;
    std::string StoredHost::*member;
};
constexpr TextField kTexts[] = {{"label", &StoredHost::label},   {"address", &StoredHost::address},
                                {"user", &StoredHost::user},     {"identity_file", &StoredHost::identity_file},
                                {"jump", &StoredHost::jump},     {"runs_folder", &StoredHost::runs_folder},
                                {"engine", &StoredHost::engine}, {"interpreter", &StoredHost::interpreter}};

bool has_control_letters(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; });
}

class StoreReader {
  public:
    StoreReader(const std::string& text, std::string file) : file_(std::move(file)) {
        Value root = parse_yaml(text, file_, problems_);
        if (!problems_.empty() || root.is_null())
            return;
        if (!root.is_map()) {
            add(root, "", Message("a table with the key 'hosts' was expected, not {}", root.description()));
            return;
        }
        for (const Entry& entry : root.entries()) {
            if (entry.key != "hosts")
                add(entry, entry.key,
                    Message("unknown key '{}'{}", entry.key, text::did_you_mean(entry.key, {"hosts"})));
            else if (entry.value.is_list())
                for (const Value& item : entry.value.items())
                    read_host(item);
            else if (!entry.value.is_null())
                add(entry.value, "hosts", Message("a list of hosts was expected, not {}", entry.value.description()));
        }
    }

    std::vector<StoredHost> take() {
        if (!problems_.empty())
            throw InvalidInput(problems_);
        return std::move(hosts_);
    }

  private:
    template <class Placed>
    void add(const Placed& at, const std::string& key, const Message& message) {
        problems_.push_back({file_, at.line, at.column, key, message});
    }

    std::string text_in(const Entry& entry) {
        if (entry.value.is_scalar())
            return entry.value.spelling();
        if (!entry.value.is_null())
            add(entry.value, entry.key, Message("a text was expected, not {}", entry.value.description()));
        return {};
    }

    void read_host(const Value& item) {
        if (!item.is_map()) {
            add(item, "hosts", Message("a table with the key 'name' was expected, not {}", item.description()));
            return;
        }
        StoredHost host;
        std::vector<std::string> seen;
        std::size_t problems_before = problems_.size();
        for (const Entry& entry : item.entries()) {
            const std::string& key = entry.key;
            if (std::find(seen.begin(), seen.end(), key) != seen.end())
                add(entry, key, Message("the key '{}' is there twice", key));
            seen.push_back(key);
            read_field(host, key, entry);
        }
        if (problems_.size() == problems_before)
            for (Problem problem : check_host(host)) {
                problem.file = file_;
                problem.line = item.line;
                problem.column = item.column;
                problems_.push_back(problem);
            }
        bool twice =
            std::any_of(hosts_.begin(), hosts_.end(), [&](const StoredHost& other) { return other.name == host.name; });
        if (twice)
            add(item, "name", Message("the host '{}' is there twice", host.name));
        hosts_.push_back(std::move(host));
    }

    void read_field(StoredHost& host, const std::string& key, const Entry& entry) {
        for (const TextField& field : kTexts)
            if (key == field.key) {
                host.*field.member = text_in(entry);
                return;
            }
        if (key == "name") {
            host.name = text_in(entry);
        } else if (key == "port" || key == "max_gpus") {
            std::optional<int> number = parse_number<int>(text_in(entry));
            if (!number)
                add(entry.value, key, Message("a whole number was expected, not {}", entry.value.description()));
            else if (key == "port")
                host.port = *number;
            else
                host.max_gpus = *number;
        } else if (key == "use") {
            std::string word = text_in(entry);
            if (word != "true" && word != "false")
                add(entry.value, key, Message("true or false was expected, not {}", entry.value.description()));
            host.use = word != "false";
        } else if (key == "environment") {
            if (entry.value.is_map())
                for (const Entry& variable : entry.value.entries())
                    host.environment[variable.key] = text_in(variable);
            else if (!entry.value.is_null())
                add(entry.value, key, Message("a table of variables was expected, not {}", entry.value.description()));
        } else {
            add(entry, key, Message("unknown key '{}'{}", key, text::did_you_mean(key, kKeys)));
        }
    }

    std::string file_;
    std::vector<Problem> problems_;
    std::vector<StoredHost> hosts_;
};

std::string quoted(const std::string& text) {
    return flow_text(Value(text));
}

std::string yaml_of(const std::vector<StoredHost>& hosts) {
    std::string text = fmt::format("# Hosts of Trainyard. Those of ~/.ssh/config need not be here.\nhosts:{}",
                                   std::string(hosts.empty() ? " []\n" : "\n"));
    for (const StoredHost& host : hosts) {
        bool in_environment = false;
        for (const auto& [key, value] : fields_of(host)) {
            if (key.starts_with(kVariable)) {
                text += in_environment ? "" : "    environment:\n";
                in_environment = true;
                text += "      " + quoted(key.substr(kVariable.size())) + ": " + quoted(value) + "\n";
                continue;
            }
            bool plain = key == "port" || key == "max_gpus" || key == "use";
            text += (key == "name" ? "  - " : "    ") + key + ": " + (plain ? value : quoted(value)) + "\n";
        }
    }
    return text;
}

std::string content_of(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) ? trainyard::read_file(file, 1u << 20) : "";
}

}  // namespace

Message host_name_problem(const std::string& name) {
    if (name.empty())
        return "a host needs a name";
    if (name.size() > 253)
        return Message("host {}...: a host name has at most 253 letters", name.substr(0, 20));
    if (name.starts_with('-') || name.starts_with('.'))
        return Message("host {}: a host name begins with a letter or a digit", name);
    if (name.find(':') != std::string::npos)  // IPv6
        return name.substr(0, name.find('%')).find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos &&
                       is_valid_host_name(name)
                   ? Message()
                   : Message("host {}: a host name may not contain `:`: a port is a field of its own", name);
    for (char letter : name) {
        bool fine = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                    (letter >= '0' && letter <= '9') || letter == '-' || letter == '.';
        if (fine)
            continue;
        if (letter == '_') {
            std::string better = name;
            std::replace(better.begin(), better.end(), '_', '-');
            return Message("host {}: a host name may not contain `_`: did you mean {}?", name, better);
        }
        if (letter == '@')
            return Message("host {}: a host name may not contain `@`: the user is a field of its own", name);
        if (static_cast<unsigned char>(letter) < 128 && letter > ' ')
            return Message("host {}: a host name may not contain `{}`", name, letter);
        return Message("host {}: a host name may not contain blanks or special letters", name);
    }
    return {};
}

std::vector<Problem> check_host(const StoredHost& host) {
    std::vector<Problem> problems;
    auto add = [&](const std::string& key, const Message& message) { problems.push_back({"", 0, 0, key, message}); };
    // The name is what people call it; aliases of ssh_config may have underscores, host names may not.
    if (host.name.empty())
        add("name", "a host needs a name");
    else if (!is_valid_host_name(host.name) || host.name.find_first_of("@,*?!#") != std::string::npos)
        add("name", Message("host {}: the name has blanks, slashes, quotes, `@`, `,`, wildcards or "
                            "characters that a shell interprets in it, or begins with a dash",
                            text::printable(host.name, 100)));
    if (!host.address.empty())
        if (const Message problem = host_name_problem(host.address); !problem.empty())
            add("address", problem);
    if (host.port < 0 || host.port > 65535)
        add("port", Message("host {}: a port is a number from 1 to 65535, not {}", host.name, host.port));
    if (!host.user.empty() && (!is_valid_user_name(host.user) || host.user.find_first_of(" @:/") != std::string::npos))
        add("user", Message("host {}: '{}' is not a valid user name", host.name, text::printable(host.user, 100)));
    if (!host.jump.empty()) {
        try {
            parse_jumps(host.jump);
        } catch (const ConnectionError& error) {
            add("jump", Message("host {}: {}", host.name, message_of(error)));
        }
    }
    for (const TextField& field : kTexts)
        if (has_control_letters(host.*field.member))
            add(field.key, Message("host {}: {} has line ends or control letters in it", host.name, field.key));
    for (auto [key, folder] : {std::pair{"runs_folder", &host.runs_folder}, {"engine", &host.engine}})
        if (!folder->empty() && !folder->starts_with('/') && !folder->starts_with("~/"))
            add(key, Message("host {}: {} has to begin with / or ~/, as it means a place on the host", host.name, key));
    if (host.max_gpus && (*host.max_gpus < 0 || *host.max_gpus > 1024))
        add("max_gpus", Message("host {}: max_gpus is a number from 0 to 1024, not {}", host.name, *host.max_gpus));
    for (const auto& [name, value] : host.environment) {
        bool fine = !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
                    std::all_of(name.begin(), name.end(),
                                [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); });
        if (!fine)
            add("environment", Message("host {}: '{}' cannot be the name of an environment variable", host.name, name));
        if (value.find('\0') != std::string::npos)
            add("environment", Message("host {}: the value of {} has a NUL byte in it", host.name, name));
    }
    return problems;
}

Message bad_engine(const StoredHost& host, const Message& reason) {
    return Message(
        "{}: engine is {}, which does not start there ({}): name the file `trainyard` of the host, or set an empty "
        "engine, so that the one of this machine is copied",
        host.name, host.engine, reason);
}

std::vector<std::pair<std::string, std::string>> fields_of(const StoredHost& host) {
    std::vector<std::pair<std::string, std::string>> fields{{"name", host.name}};
    for (const TextField& field : kTexts)
        if (!(host.*field.member).empty())
            fields.emplace_back(field.key, host.*field.member);
    if (host.port != 0)
        fields.emplace_back("port", std::to_string(host.port));
    if (host.max_gpus)
        fields.emplace_back("max_gpus", std::to_string(*host.max_gpus));
    if (!host.use)
        fields.emplace_back("use", "false");
    for (const auto& [name, value] : host.environment)
        fields.emplace_back(std::string(kVariable) + name, value);
    return fields;
}

void set_field(StoredHost& host, const std::string& key, const std::string& value) {
    for (const TextField& field : kTexts)
        if (key == field.key) {
            host.*field.member = value;
            return;
        }
    auto number = [&]() -> int {
        if (std::optional<int> parsed = parse_number<int>(value))
            return *parsed;
        throw UserError("host {}: {} is a whole number, not '{}'", host.name, key, value);
    };
    if (key == "port") {
        host.port = value.empty() ? 0 : number();
    } else if (key == "max_gpus") {
        host.max_gpus = value.empty() ? std::nullopt : std::optional(number());
    } else if (key == "use") {
        if (value != "true" && value != "false" && !value.empty())
            throw UserError("host {}: use is true or false, not '{}'", host.name, value);
        host.use = value != "false";
    } else if (key.starts_with(kVariable)) {
        std::string name = key.substr(kVariable.size());
        if (value.empty())
            host.environment.erase(name);
        else
            host.environment[name] = value;
    } else {
        throw UserError("host {}: unknown key '{}'{}", host.name, key, text::did_you_mean(key, kKeys));
    }
}

std::filesystem::path HostStore::default_file() {
    return files::config_folder() / "hosts.yaml";
}

HostStore HostStore::load(const std::filesystem::path& file) {
    HostStore store;
    store.file_ = file;
    store.loaded_ = content_of(file);
    store.hosts_ = StoreReader(store.loaded_, file.string()).take();
    return store;
}

const StoredHost* HostStore::find(const std::string& name) const {
    auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const StoredHost& host) { return host.name == name; });
    return found == hosts_.end() ? nullptr : &*found;
}

void HostStore::put(const StoredHost& host) {
    if (std::vector<Problem> problems = check_host(host); !problems.empty())
        throw InvalidInput(problems);
    auto found =
        std::find_if(hosts_.begin(), hosts_.end(), [&](const StoredHost& other) { return other.name == host.name; });
    if (found == hosts_.end())
        hosts_.push_back(host);
    else
        *found = host;
}

bool HostStore::forget(const std::string& name) {
    return std::erase_if(hosts_, [&](const StoredHost& host) { return host.name == name; }) > 0;
}

void HostStore::set_order(const std::vector<std::string>& names) {
    auto place = [&](const StoredHost& host) {
        return std::find(names.begin(), names.end(), host.name) - names.begin();
    };
    std::stable_sort(hosts_.begin(), hosts_.end(),
                     [&](const StoredHost& a, const StoredHost& b) { return place(a) < place(b); });
}

void HostStore::save() {
    if (content_of(file_) != loaded_)
        throw UserError(
            "{} has been changed by another program meanwhile: nothing was saved, try "
            "again",
            file_.string());
    std::string text = yaml_of(hosts_);
    make_private_folder(file_.parent_path());
    write_file_atomically(file_, text, true, 0600);
    loaded_ = text;
}

std::vector<KnownHost> list_hosts(const HostStore& store, const SshConfig& config) {
    std::vector<KnownHost> hosts;
    for (const StoredHost& stored : store.hosts())
        hosts.push_back({stored.name, stored, true, config.place_of(stored.name)});
    for (const std::string& alias : config.aliases()) {
        if (store.find(alias) != nullptr)
            continue;
        StoredHost stored;
        stored.name = alias;
        hosts.push_back({alias, stored, false, config.place_of(alias)});
    }
    return hosts;
}

HostSettings settings_for(const std::string& name, const HostStore& store, const SshConfig& config) {
    const StoredHost* stored = store.find(name);
    bool own_address = stored != nullptr && !stored->address.empty() && config.place_of(name).empty();
    HostSettings settings = config.resolve(own_address ? "[" + stored->address + "]" : name);
    if (stored == nullptr)
        return settings;
    settings.alias = name;
    if (!stored->address.empty())
        settings.host_name = stored->address;
    if (!stored->user.empty())
        settings.user = stored->user;
    if (stored->port != 0)
        settings.port = stored->port;
    if (!stored->identity_file.empty()) {
        settings.identity_files.insert(settings.identity_files.begin(), files::expand_home(stored->identity_file));
        settings.identity_files_given = true;
    }
    if (!stored->jump.empty()) {
        settings.jumps = parse_jumps(stored->jump);
        settings.proxy_command.clear();
    }
    return settings;
}

std::vector<ResolvedHost> settings_of_all(const std::vector<KnownHost>& hosts, const HostStore& store,
                                          const SshConfig& config) {
    std::vector<ResolvedHost> all(hosts.size());
    for_all_hosts(hosts.size(), [&](std::size_t i) {
        try {
            all[i].settings = settings_for(hosts[i].name, store, config);
        } catch (const std::exception& error) {
            all[i].problem = message_of(error);
        }
    });
    return all;
}

}  // namespace trainyard::remote
