// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/resolve.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"
#include "config/accelerate/check.h"
#include "launch/plan/counts.h"
#include "launch/plan/deepspeed_config.h"
#include "launch/plan/flag_names.h"
#include "launch/plan/paradigm.h"

namespace trainyard::plan {

using settings::FlagKind;
using settings::Key;
using settings::Section;
using settings::Settings;

namespace {

class Resolver {
  public:
    Resolver(const Flags& flags, const std::optional<settings::Loaded>& file, const settings::Machine& machine,
             const EnvironmentMap& environment)
        : flags_(flags), file_(file), machine_(machine), environment_(environment) {}

    Resolved resolve() {
        take_file();
        take_flags();
        check_flags(flags_, resolved_.sagemaker, problems_);
        check_launch_ranges();
        if (resolved_.sagemaker) {
            resolved_.paradigm = resolved_.asked = Paradigm::sagemaker;
            explain_sagemaker();
            given_ = resolved_.settings;
        } else {
            resolved_.paradigm = resolved_.asked = asked_paradigm(flags_, file_ ? &resolved_.settings : nullptr);
            CountResolver counts(flags_, file_.has_value(), machine_, environment_, resolved_, problems_);
            counts.fill(!typed_cpu(flags_).empty());
            assumed_ = counts.assumed();
            if (file_)
                check_devices(resolved_, problems_);
            settle_paradigm();
            given_ = resolved_.settings;
            fill_threads();
        }
        fill_defaults();
        check_whole();
        if (!assumed_.empty())
            resolved_.warnings.insert(
                resolved_.warnings.begin(),
                Message("Assumed, since neither a flag nor a file says them: {}", fmt::join(assumed_, ", ")));
        if (!problems_.empty())
            throw InvalidInput(without_doubles());
        return std::move(resolved_);
    }

  private:
    void complain(std::string key, Message message) {
        problems_.push_back({"", 0, 0, std::move(key), std::move(message)});
    }
    void warn(Message text) { resolved_.warnings.push_back(std::move(text)); }
    void set(const std::string& path, Value value, Origin origin) {
        resolved_.settings.set(path, std::move(value));
        resolved_.origins[path] = origin;
    }

    void take_file() {
        if (!file_)
            return;
        resolved_.file = file_->file;
        resolved_.settings = settings::with_defaults(file_->settings);
        resolved_.sagemaker = resolved_.settings.text("compute_environment") == "AMAZON_SAGEMAKER";
        for (const auto& [path, value] : resolved_.settings.leaves())
            resolved_.origins[path] = file_->settings.has(path) ? Origin::file : Origin::fallback;
        if (resolved_.settings.integer("num_processes", -1) == -1)
            resolved_.origins.erase("num_processes");
        for (const auto& [path, value] : file_->settings.leaves()) {
            auto [table, key] = settings::split_path(path);
            if (table == settings::table_name(Section::deepspeed))
                resolved_.deepspeed_fields.emplace_back(key);
            resolved_.mesh_in_file = resolved_.mesh_in_file || table == settings::table_name(Section::parallelism);
        }
        for (const settings::ReadNote& note : file_->notes)
            warn(note.line > 0 ? Message("{}:{}: {}: {}", file_->file, note.line, note.path, note.message)
                               : Message("{}: {}: {}", file_->file, note.path, note.message));
    }

    void take_flags() {
        for (const char* name : {"ipex", "use_xpu"})
            if (flags_.is_on(name))
                warn(
                    Message("--{} is of Accelerate up to 1.12 and has no effect: PyTorch itself does what the Intel "
                            "extension did",
                            name));
        if (flags_.has("nproc_per_node") && !flags_.has("num_machines") &&
            resolved_.settings.integer("num_machines", 1) > 1)
            complain("--nproc_per_node",
                     Message("counts the processes of one machine, and {} has num_machines {}: give --nnodes, too",
                             resolved_.file, resolved_.settings.integer("num_machines", 1)));
        for (const auto& [name, value] : flags_.typed) {
            const Key* key = settings::find_flag(name);
            if (key == nullptr)
                continue;
            std::string path = name == "no_tpu_cluster" ? "tpu_use_cluster" : key->path();
            set(path, value, Origin::flag);
        }
    }

    /// Ranges of what no file holds; check() judges the others.
    void check_launch_ranges() {
        for (const auto& [name, value] : flags_.typed) {
            const Key* key = settings::find_flag(name);
            if (key == nullptr || key->section != Section::launch)
                continue;
            double number = value.integer() != nullptr  ? static_cast<double>(*value.integer())
                            : value.number() != nullptr ? *value.number()
                                                        : key->range.least;
            if (number < key->range.least || number > key->range.most)
                complain("--" + name,
                         Message("{} is out of range: give {} or more", value.display(), key->range.least));
        }
    }

    void explain_sagemaker() {
        if (flags_.is_on("cpu"))
            warn("--cpu has no effect: the settings file is for Amazon SageMaker");
        for (const char* name : {"num_processes", "machine_rank", "main_process_ip", "main_process_port", "hosts"})
            if (flags_.has(name))
                warn(Message("--{} has no effect: the settings file is for Amazon SageMaker", name));
    }

    /// Several processes are several processes, whatever the type is called; and the type follows what is started.
    void settle_paradigm() {
        Settings& settings = resolved_.settings;
        std::int64_t processes = settings.integer("num_processes", 1);
        std::string type = settings.text("distributed_type");
        const std::string by_flag = typed_cpu(flags_);
        if (by_flag.empty() && flags_.has("device") && settings.boolean("use_cpu"))
            set("use_cpu", false, Origin::flag);  // another device was typed
        bool cpu = !by_flag.empty() || settings.boolean("use_cpu") || type == "MULTI_CPU";
        Paradigm& paradigm = resolved_.paradigm;
        if (!file_ && paradigm == Paradigm::single && processes > 1 && !cpu && machine_.device_count > 1) {
            paradigm = Paradigm::multi_device;
            warn(Message("{} devices were found: training on {} of them; --num_processes 1 trains on one",
                         machine_.device_count, processes));
        }
        if (!by_flag.empty())
            explain_cpu(by_flag, paradigm, type);
        bool over_mpi = !settings.text("mpirun_config.mpirun_hostfile").empty();
        if (paradigm == Paradigm::single && (cpu || (processes > 1 && machine_.device_count == 0 && !over_mpi)))
            paradigm = Paradigm::cpu;
        if (paradigm == Paradigm::single && processes > 1 && !over_mpi) {
            paradigm = Paradigm::multi_device;
            warn(
                Message("num_processes is {}: {} processes are started on the devices, although the type is "
                        "NO; give --num_processes 1 for one",
                        processes, processes));
        }
        if (paradigm == Paradigm::cpu && !settings.boolean("use_cpu"))
            set("use_cpu", true, by_flag.empty() ? Origin::detected : Origin::flag);
        explain_devices();
        std::string settled = distributed_type(paradigm, processes > 1, machine_.device, type);
        if (settled != type)
            set("distributed_type", settled, typed_paradigm(flags_).empty() ? Origin::detected : Origin::flag);
        if (!file_ && !settings.has("compute_environment"))
            set("compute_environment", "LOCAL_MACHINE", Origin::fallback);
    }

    void explain_cpu(const std::string& flag, Paradigm& paradigm, const std::string& type) {
        if (paradigm != Paradigm::single && paradigm != Paradigm::cpu) {
            std::string asked = typed_paradigm(flags_);
            warn(Message("{}: {} is not used; the processes share the CPU", flag,
                         asked.empty() ? "distributed_type " + type : asked));
        }
        paradigm = Paradigm::cpu;
    }

    void explain_devices() {
        if (resolved_.paradigm != Paradigm::multi_device || resolved_.settings.integer("num_machines", 1) > 1)
            return;
        std::string ids = resolved_.settings.text("gpu_ids", "all");
        std::int64_t processes = resolved_.settings.integer("num_processes", 1);
        std::int64_t devices = ids == "all" ? machine_.device_count : 1 + std::ranges::count(ids, ',');
        if (devices > 0 && processes > devices)
            warn(devices == 1 ? Message("{} processes share {} device: give --num_processes {}, or more of them in "
                                        "--gpu_ids",
                                        processes, devices, devices)
                              : Message("{} processes share {} devices: give --num_processes {}, or more of them in "
                                        "--gpu_ids",
                                        processes, devices, devices));
        if (devices == 0)
            warn(
                Message("no accelerator was found on this machine: {} are started all the same; --cpu trains "
                        "without one",
                        text::processes(processes)));
    }

    /// The number in a variable; Accelerate takes the first that is not negative.
    std::optional<std::int64_t> number(std::string_view name) {
        auto found = environment_.find(name);
        if (found == environment_.end())
            return std::nullopt;
        const std::string& text = found->second;
        const auto value = parse_number<std::int64_t>(text);
        if (!value) {
            complain(std::string(name), Message("the environment has {}={}, which is not a whole number", name, text));
            return std::nullopt;
        }
        return *value < 0 ? std::nullopt : value;
    }

    void fill_threads() {
        const char* path = "num_cpu_threads_per_process";
        if (resolved_.settings.has(path))
            return;
        std::optional<std::int64_t> own = number(kEnvThreads);
        if (own)
            set(path, *own, Origin::environment);
        else
            set(path, 1, Origin::fallback);
        if (!resolved_.settings.boolean("use_cpu") || own.value_or(0) != 0)
            return;
        std::int64_t local = local_processes();
        std::int64_t threads = local > 0 ? machine_.physical_cores / local : 0;
        if (threads > 1) {
            set(path, threads, Origin::detected);
            assumed_.push_back(fmt::format("--{} {}", path, threads));
        }
    }

    std::int64_t local_processes() {
        for (const char* name : {kEnvMpiLocalRanks, kEnvOpenMpiLocalSize, kEnvMvapichLocalSize})
            if (std::optional<std::int64_t> local = number(name))
                return *local;
        std::vector<int> ranks = ranks_per_machine(flags_, resolved_, environment_);
        auto machine =
            static_cast<std::size_t>(std::max<std::int64_t>(0, resolved_.settings.integer("machine_rank", 0)));
        return machine < ranks.size() ? ranks[machine] : 1;
    }

    /// What Accelerate's parser and loader put in: needed for what is exported, and shown with its origin.
    void fill_defaults() {
        assume("mixed_precision", "no");
        assume("dynamo_config.dynamo_backend", "NO");
        for (const Key& key : settings::schema()) {
            bool elsewhere = (key.section == Section::sagemaker) != resolved_.sagemaker &&
                             (key.section == Section::sagemaker || key.section == Section::local);
            bool counts = key.name == "num_processes" || key.name == "machine_rank";
            if (elsewhere || counts || !is_used(key.section, resolved_))
                continue;
            const Value& standard = key.fallback.is_null() ? key.flag.fallback : key.fallback;
            std::string path = key.path();
            const Value* now = resolved_.settings.find(path);
            if (!standard.is_null() && (now == nullptr || now->is_null()) && key.flag.kind != FlagKind::absence)
                set(path, standard, Origin::fallback);
        }
    }

    void assume(const std::string& path, const char* value) {
        const Value* now = resolved_.settings.find(path);
        if (now != nullptr && !now->is_null())
            return;
        set(path, value, Origin::fallback);
        if (!file_)
            assumed_.push_back(fmt::format("--{} no", settings::split_path(path).second));
    }

    void check_whole() {
        check_resolved(flags_, resolved_, file_.has_value(), machine_, problems_);
        Settings known;
        // A recipe has stages, too, and needs no FSDP for replicas: its mesh is judged with it (recipe_limit.h).
        bool mesh = uses_mesh(flags_, resolved_) && !names_recipe(flags_);
        for (const auto& [path, value] : given_.leaves()) {
            const Key* key = settings::find_key(path, resolved_.sagemaker);
            if (key != nullptr && (mesh || key->section != Section::parallelism))
                known.set(path, value);
        }
        const bool takes_precision = take_flags_for_deepspeeds_file(known);
        std::vector<settings::Finding> findings = settings::check(known);
        // The double configuration is judged again, without a precision that DeepSpeed's file takes.
        for (const settings::Finding& twice : settings::find_double_configuration(known))
            std::erase_if(findings, [&](const settings::Finding& finding) { return finding.message == twice.message; });
        if (takes_precision)
            known.remove("mixed_precision");
        if (resolved_.asked == Paradigm::deepspeed && names_recipe(flags_))  // on processors, too
            known.set("distributed_type", "DEEPSPEED");
        std::ranges::move(settings::find_double_configuration(known), std::back_inserter(findings));
        for (const settings::Finding& finding : findings) {
            const Origin origin = origin_of(finding.path);
            if (finding.severity == settings::Finding::Severity::warning)
                warn(Message("{}: {}", finding.path, finding.message));
            else if (origin == Origin::flag)
                complain("--" + flag_of(finding.path), finding.message);
            else
                problems_.push_back({finding.line > 0 ? resolved_.file : "", finding.line, finding.column, finding.path,
                                     finding.message});
        }
    }

    Origin origin_of(const std::string& path) const {
        const auto found = resolved_.origins.find(path);
        return found == resolved_.origins.end() ? Origin::fallback : found->second;
    }

    /// Removes flags from `known` that are the value of an `auto` in DeepSpeed's own file; a key that the settings file
    /// has as well stays. Returns whether a flag gives a precision that DeepSpeed's file does not contradict.
    bool take_flags_for_deepspeeds_file(Settings& known) const {
        const std::string file = resolved_.settings.text("deepspeed_config.deepspeed_config_file", "none");
        if (file == "none" || file.empty())
            return false;
        const bool typed = origin_of("mixed_precision") == Origin::flag;
        std::optional<DeepspeedConfig> config;
        try {
            config = DeepspeedConfig::read(file);
            for (const std::string& field : plugin_fields(*config, true))
                if (const std::string path = "deepspeed_config." + field;
                    origin_of(path) == Origin::flag && !file_has(field))
                    known.remove(path);
            if (typed)
                config->set_precision(known.text("mixed_precision"));
        } catch (const UserError&) {
            return typed && !config;  // an unreadable file is reported where its values are used
        }
        return typed;
    }

    bool file_has(const std::string& deepspeed_field) const {
        return std::ranges::find(resolved_.deepspeed_fields, deepspeed_field) != resolved_.deepspeed_fields.end();
    }

    std::string flag_of(const std::string& path) const {
        const Key* key = settings::find_key(path, resolved_.sagemaker);
        return key == nullptr || key->flag.name.empty() ? path : plain_name(*key);
    }

    /// Two rules may find the same fault: the first sentence on a key stays.
    std::vector<Problem> without_doubles() {
        std::vector<Problem> kept;
        for (Problem& problem : problems_) {
            std::string plain = plain_name(problem.key);
            bool known = std::ranges::any_of(kept, [&](const Problem& other) {
                std::string name = plain_name(other.key);
                return !plain.empty() && (name == plain || plain.ends_with("." + name) || name.ends_with("." + plain));
            });
            if (!known)
                kept.push_back(std::move(problem));
        }
        return kept;
    }

    const Flags& flags_;
    const std::optional<settings::Loaded>& file_;
    const settings::Machine& machine_;
    const EnvironmentMap& environment_;
    Resolved resolved_;
    Settings given_;  ///< what was said, without defaults: the rules over settings judge this
    std::vector<std::string> assumed_;
    std::vector<Problem> problems_;
};

}  // namespace

std::string_view origin_name(Origin origin) {
    switch (origin) {
        case Origin::flag:
            return "flag";
        case Origin::environment:
            return "environment";
        case Origin::file:
            return "file";
        case Origin::detected:
            return "detected";
        case Origin::fallback:
            return "default";
    }
    return "default";
}

std::string settings_file(const Flags& flags) {
    if (!flags.config_file.empty())
        return flags.config_file;
    std::error_code ignored;
    std::filesystem::path standard = settings::default_file();
    return !flags.is_on("cpu") && std::filesystem::is_regular_file(standard, ignored) ? standard.string() : "";
}

Resolved resolve(const Flags& flags, const std::optional<settings::Loaded>& file, const settings::Machine& machine,
                 const EnvironmentMap& environment) {
    return Resolver(flags, file, machine, environment).resolve();
}

}  // namespace trainyard::plan
