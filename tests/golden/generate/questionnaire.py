# SPDX-License-Identifier: GPL-3.0-or-later
"""`accelerate config`: answers -> questions asked, in order, and the file saved.

Answers are given by the ids and option values of Trainyard's question tree; a question without an answer gets Enter. A question
that is asked again because its answer was refused ends the case (error AskedAgain). No hardware is needed: those probes are replaced.
"""
import builtins
import contextlib
import io
import os
import random
import tempfile
from pathlib import Path
from unittest import mock

os.environ["HOME"] = "/home/user"

from accelerate.commands.config import cluster, config, config_utils, sagemaker

import common

BACKENDS = ["TORCHXLA_TRACE_ONCE" if b == "TORHCHXLA_TRACE_ONCE" else b for b in config_utils.DYNAMO_BACKENDS]
MODES = ["default", "reduce-overhead", "max-autotune"]
DEVICES = ["none", "cpu", "nvme"]
PRECISIONS = ["no", "fp16", "bf16", "fp8"]
LAUNCHERS = ["pdsh", "standard", "openmpi", "mvapich", "mpich", "nossh", "slurm"]

# beginning of the prompt -> id, and for menus the values of its rows
MENUS = {
    "In which compute": ("env", ["LOCAL_MACHINE", "AMAZON_SAGEMAKER"]),
    "Which type of machine": ("machine_type", ["NO", "MULTI_CPU", "MULTI_XPU", "MULTI_HPU", "MULTI_GPU", "MULTI_NPU", "MULTI_MLU",
                                               "MULTI_SDAA", "MULTI_MUSA", "MULTI_NEURON", "XLA"]),
    "What is the rank": ("machine_rank", None),
    "Which dynamo backend": ("dynamo_backend", BACKENDS),
    "Which mode do": ("dynamo_mode", MODES),
    "What should be your DeepSpeed's": ("ds_stage", ["0", "1", "2", "3"]),
    "Where to offload optimizer": ("ds_off_opt", DEVICES),
    "Where to offload parameters": ("ds_off_par", DEVICES),
    "Which Type of launcher": ("ds_launcher", LAUNCHERS),
    "What should be your FSDP version": ("fsdp_version", ["1", "2"]),
    "What should be your sharding": ("fsdp_strategy", ["FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2"]),
    "What should be your auto wrap": ("fsdp_wrap", ["TRANSFORMER_BASED_WRAP", "SIZE_BASED_WRAP", "NO_WRAP"]),
    "What should be your FSDP's backward": ("fsdp_bwd", ["BACKWARD_PRE", "BACKWARD_POST", "NO_PREFETCH"]),
    "What should be your FSDP's state": ("fsdp_sd", None),
    "What is the compute parallelism": ("pc_comm", ["allgather", "alltoall"]),
    "Do you wish to use mixed": ("mp", PRECISIONS),
    "Which FP8 backend": ("fp8_backend", ["AO", "TE", "MSAMP"]),
    "Which weight format": ("te_format", ["HYBRID", "E4M3", "E5M2"]),
    "Which algorithm": ("te_algo", ["max", "most_recent"]),
    "Which optimization level": ("msamp_opt", ["O1", "O2"]),
    "How do you want to authorize": ("sm_auth", ["profile", "credentials"]),
    "Do you already have an IAM": ("sm_role", ["name", "create"]),
    "What is the distributed mode": ("sm_dist", ["NO", "DATA_PARALLEL"]),
    "Which EC2 instance": ("sm_instance", ["ml.p3.16xlarge", "ml.p3dn.24xlarge", "ml.p4dn.24xlarge"]),
    "Do you wish to use FP16": ("sm_mp", PRECISIONS),
}
FIELDS = {
    "How many different machines": "num_machines", "What is the IP address": "main_ip", "What is the port": "main_port",
    "Are all the machines": "same_network", "What rendezvous": "rdzv_backend", "Should distributed operations": "debug",
    "Do you want to run your training on CPU": "use_cpu", "Do you want accelerate to launch mpirun": "use_mpirun",
    "Please enter the path to the hostfile": "mpirun_hostfile", "Do you wish to optimize": "dynamo",
    "Do you want to customize": "dynamo_custom", "Do you want the fullgraph": "dynamo_fullgraph",
    "Do you want to enable dynamic": "dynamo_dynamic", "Do you want to enable regional": "dynamo_regional",
    "Do you want to use DeepSpeed": "ds", "Do you want to specify a json": "ds_file_yn", "Please enter the path to the json": "ds_file",
    "Nvme Path to offload parameters": "ds_par_nvme", "Nvme Path to offload optimizer": "ds_opt_nvme",
    "How many gradient accumulation": "ds_gas", "Do you want to use gradient clipping": "ds_clip_yn",
    "What is the gradient clipping value? ": "ds_clip", "Do you want to save 16-bit": "ds_save16",
    "Do you want to enable `deepspeed.zero.Init`": "ds_init", "Do you want to enable Mixture": "ds_moe_yn",
    "Specify the comma-separated list of transformers MoE": "ds_moe", "DeepSpeed configures multi-node": "ds_hostfile",
    "Do you want to specify exclusion": "ds_excl_yn", "DeepSpeed exclusion": "ds_excl",
    "Do you want to specify inclusion": "ds_incl_yn", "DeepSpeed inclusion": "ds_incl",
    "Do you want to use FullyShardedDataParallel": "fsdp", "Do you want to enable resharding": "fsdp_reshard",
    "Do you want to offload parameters and": "fsdp_offload", "Do you want to use the model's": "fsdp_no_split",
    "Specify the comma-separated list of transformer layer": "fsdp_layers", "What should be your FSDP's minimum": "fsdp_min",
    "Do you want to enable FSDP's forward": "fsdp_fwd", "Do you want to enable FSDP's `use_orig": "fsdp_orig",
    "Do you want to enable CPU RAM": "fsdp_ram", "Do you want each individually": "fsdp_sync",
    "Do you want to enable FSDP activation": "fsdp_ckpt", "Do you want to use the parallelism": "pc",
    "What is the data parallelism": "pc_rep", "What is the FSDP shard": "pc_shard", "What is the tensor parallelism size": "pc_tp",
    "What is the context parallelism": "pc_cp", "Do you want to use Megatron": "mlm", "What is the Tensor Parallelism": "mlm_tp",
    "Do you want to enable Sequence": "mlm_sp", "What is the Pipeline": "mlm_pp", "What is the number of micro": "mlm_micro",
    "Do you want to enable selective": "mlm_recompute", "Do you want to use distributed optimizer": "mlm_distopt",
    "What is the gradient clipping value based": "mlm_clip", "How many machines do you want": "sm_machines",
    "Would you like to enable numa": "numa", "What is the name of the function": "tpu_main", "Are you using a TPU": "tpu_cluster",
    "What is the name of your TPU": "tpu_name", "What is the zone": "tpu_zone", "To run a python script in a TPU": "tpu_sudo",
    "Do you have code": "tpu_cmd_yn", "Is this code": "tpu_cmd_file_yn", "What is the path to your bash": "tpu_cmd_file",
    "Please enter a single command": "tpu_cmd", "Do you wish to add another": "tpu_cmd_more", "If not using an instance": "tpu_vm",
    "What environment variables": "tpu_env", "Do you want to use FP8 autocast": "te_eval", "What margin": "te_margin",
    "What interval": "te_interval", "What length of history": "te_hist", "Do you want to execute `fprop`": "te_override",
    "Should `fprop`": "te_fprop", "Should `dgrad`": "te_dgrad", "Should `wgrad`": "te_wgrad",
    "Do you want to enable FSDP2 float8": "ao_gather", "Do you want to pad": "ao_pad", "Enter your AWS Profile": "sm_profile",
    "AWS Access Key ID": "sm_key", "AWS Secret": "sm_secret", "Enter your AWS Region": "sm_region",
    "Enter your IAM role": "sm_role_name", "Do you want to use custom Docker": "sm_docker_yn", "Enter your Docker": "sm_docker",
    "Do you want to provide SageMaker": "sm_inputs_yn", "Enter the path to the SageMaker inputs": "sm_inputs",
    "Do you want to enable SageMaker metrics": "sm_metrics_yn", "Enter the path to the SageMaker metrics": "sm_metrics",
    "Which EC2 instance type you want to use for your training??": "sm_instance1",
}


class AskedAgain(Exception):
    pass


def field_id(prompt):
    if prompt.endswith("should be used for distributed training? [1]:"):
        return "num_processes"
    if "(by id) should be used" in prompt:
        return "gpu_ids"
    return FIELDS[max((p for p in FIELDS if prompt.startswith(p)), key=len)]


class Session:
    """Answers the real questionnaire. `answer(id, values)` gives the value of a row (or None: Enter), or a typed line."""

    def __init__(self, answer):
        self.answer, self.asked, self.again, self.commands = answer, [], {}, 0

    def name(self, question):
        if self.asked[:1] == ["env"] and "sm_auth" in self.asked and not question.startswith("sm_"):
            question = "sm_" + question
        return question

    def menu(self, prompt, choices, default):
        question, values = MENUS[max((p for p in MENUS if prompt.startswith(p)), key=len)]
        question = self.name(question)
        values = values or [str(c) for c in choices]
        assert len(values) == len(choices), prompt
        self.asked.append(question)
        value = self.answer(question, values)
        if value is not None:
            return values.index(value)
        if not isinstance(default, int):
            raise TypeError("the menu's default is the text %r" % default)  # what the real menu ends with
        return default

    def line(self, prompt=""):
        question = self.name(field_id(prompt))
        if self.asked and self.asked[-1] == question and question != "tpu_cmd":
            raise AskedAgain(question)
        self.asked.append(question)
        if question in ("tpu_cmd", "tpu_cmd_more"):
            lines = (self.answer("tpu_cmd", None) or "").split("\n")
            if question == "tpu_cmd":
                self.commands += 1
                return lines[self.commands - 1]
            return "yes" if self.commands < len(lines) else "no"
        return self.answer(question, None) or ""


def available(name, machine):
    if name in ("mps", "npu", "mlu", "sdaa", "musa", "xpu", "hpu", "neuron"):
        return lambda *a, **k: machine.get("device", "cuda") == name
    return lambda *a, **k: True  # packages


def run(answer, machine):
    """-> what the reference asked and saved."""
    session = Session(answer)
    with contextlib.ExitStack() as stack:
        patch = lambda *a, **k: stack.enter_context(mock.patch.object(*a, **k))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        stack.enter_context(mock.patch.dict(os.environ))
        for name in [n for n in vars(cluster) if n.startswith("is_") and n.endswith("_available")]:
            patch(cluster, name, available(name[3:-10], machine))
        patch(sagemaker, "_create_iam_role_for_sagemaker", lambda name: None)
        patch(config_utils.BulletMenu, "run", lambda menu, default_choice=0: session.menu(menu.prompt, menu.choices, default_choice))
        patch(builtins, "input", session.line)
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        try:
            made = config.get_user_input()
            made.to_yaml_file("saved.yaml")
            saved = Path("saved.yaml").read_text().replace(os.path.realpath(folder), "CWD").replace(folder, "CWD")
            return {"asked": session.asked, "saved": saved}
        except Exception as e:
            return {"asked": session.asked, "error": {"type": type(e).__name__, "message": str(e)}}


def expected(case):
    return run(lambda question, values: case["answers"].get(question), case.get("machine", {}))


TYPED = {
    "num_machines": ["1", "2", "3", "4"], "main_ip": ["10.0.0.1", "gpu-a.example", "1234", "::1"], "main_port": ["29500", "0", "65535", "8080"],
    "rdzv_backend": ["c10d", "static", "etcd"], "mpirun_hostfile": ["/etc/hosts.mpi", "~/mine", " ~/blank "], "ds_file": ["ds.json", "/a b/ds.json"],
    "ds_par_nvme": ["/mnt/fast"], "ds_opt_nvme": ["/scratch: 1"], "ds_gas": ["4", "8"], "ds_clip": ["0.5", "1", "1e-3"],
    "ds_moe": ["MixtralSparseMoeBlock", "A,B"], "ds_hostfile": ["/job/hostfile"], "ds_excl": ["gpu-b@gpu-c:0,1"], "ds_incl": ["gpu-a:0"],
    "fsdp_layers": ["LlamaDecoderLayer", "BertLayer,BertEmbeddings"], "fsdp_min": ["1000", "20000000"], "pc_rep": ["1", "2"],
    "pc_shard": ["2", "4"], "pc_tp": ["1", "2"], "pc_cp": ["1", "2"], "mlm_tp": ["1", "2", "4"], "mlm_pp": ["1", "2"], "mlm_micro": ["2", "8"],
    "mlm_clip": ["0", "0.5", "2"], "num_processes": ["2", "4", "8", "16"], "gpu_ids": ["0", "0,1", "1,3,5"], "tpu_main": ["train_fn"],
    "tpu_name": ["pod-1", "no"], "tpu_zone": ["us-central1-a"], "tpu_sudo": ["yes", "no"], "tpu_cmd_file": ["/srv/setup.sh", "setup/run.sh"],
    "tpu_cmd": ["echo 1", "pip install x\necho done: yes"], "tpu_vm": ["vm-1", "vm-1,vm-2"], "tpu_env": ["A=1", "A=1,B=2"], "te_margin": ["2"],
    "te_interval": ["4"], "te_hist": ["16"], "sm_profile": ["work"], "sm_key": ["AKIA"], "sm_secret": ["hidden"], "sm_region": ["eu-west-1"],
    "sm_role_name": ["trainer"], "sm_docker": ["repo/image:tag"], "sm_inputs": ["inputs.tsv"], "sm_metrics": ["metrics.tsv"],
    "sm_instance1": ["ml.g5.xlarge", "ML.G5.2XLARGE"], "sm_machines": ["1", "2"],
}
ALWAYS = {"main_ip", "main_port", "num_processes", "ds_file", "tpu_name", "tpu_zone", "tpu_cmd_file", "tpu_cmd", "sm_role_name"}
YES_NO = set(FIELDS.values()) - set(TYPED) - {"tpu_cmd_more", "tpu_sudo"}
CRASHES = {"TORCHXLA_TRACE_ONCE"}


def wander(seed, **fixed):
    """A random legal walk through the tree; its answers are the case."""
    rng, given = random.Random(seed), dict(fixed)

    def answer(question, values):
        if question in given:
            return given[question]
        plain = question[3:] if question.startswith("sm_dynamo") or question == "sm_debug" else question
        if values is not None:
            if rng.random() < 0.3 and question != "sm_dynamo_mode":
                return None
            given[question] = rng.choice([v for v in values if v not in CRASHES])
        elif plain in YES_NO:
            if rng.random() < 0.35:
                return None
            given[question] = rng.choice(["yes", "no", "yes", "YES", "No"])
        elif question in ALWAYS or rng.random() < 0.6:
            given[question] = rng.choice(TYPED[question])
        return given.get(question)

    machine = {"device": rng.choice(["cuda"] * 5 + ["cpu", "mps", "xpu", "npu"])}
    run(answer, machine)
    return {"answers": given, "machine": machine}


def inputs():
    gpus, two = {"machine_type": "MULTI_GPU", "num_processes": "2"}, {"num_machines": "2", "main_ip": "10.0.0.1", "main_port": "29500"}
    fixtures = {
        "F1-defaults": {},
        "F2-cpu": {"use_cpu": "yes"},
        "F3-mpirun": {"machine_type": "MULTI_CPU", **two, "use_mpirun": "yes"},
        "F4-one-process": {"machine_type": "MULTI_GPU"},
        "F5-zero3-nvme": {**gpus, "ds": "yes", "ds_stage": "3", "ds_off_opt": "nvme", "ds_off_par": "nvme"},
        "F6-deepspeed-file": {**gpus, "ds": "yes", "ds_file_yn": "yes", "ds_file": "/path/ds.json"},
        "F7-deepspeed-two-machines": {"machine_type": "MULTI_GPU", **two, "ds": "yes", "ds_launcher": "standard", "num_processes": "4"},
        "F8-fsdp1": {**gpus, "fsdp": "yes", "fsdp_version": "1"},
        "F9-fsdp1-without-ram": {**gpus, "fsdp": "yes", "fsdp_version": "1", "fsdp_ram": "no"},
        "F10-fsdp2-context": {**gpus, "fsdp": "yes", "pc": "yes", "pc_cp": "2"},
        "F11-megatron": {**gpus, "mlm": "yes", "mlm_tp": "2", "mlm_pp": "2"},
        "F12-tpu": {"machine_type": "XLA", "tpu_cluster": "yes", "tpu_name": "pod", "tpu_zone": "us-central1-a", "tpu_cmd_yn": "yes", "tpu_cmd": "echo hello"},
        "F13-fp8-te": {"mp": "fp8", "fp8_backend": "TE", "te_override": "yes", "te_fprop": "yes"},
        "F14-sagemaker": {"env": "AMAZON_SAGEMAKER", "sm_dist": "DATA_PARALLEL", "sm_role_name": "trainer"},
        "sagemaker-one": {"env": "AMAZON_SAGEMAKER", "sm_role": "create"},
        "sagemaker-keys": {"env": "AMAZON_SAGEMAKER", "sm_auth": "credentials", "sm_key": "AKIA", "sm_secret": "s", "sm_role_name": "r"},
        "sagemaker-upper-paths": {"env": "AMAZON_SAGEMAKER", "sm_role_name": "r", "sm_docker_yn": "yes", "sm_docker": "Repo/Image:Tag", "sm_inputs_yn": "yes", "sm_inputs": "/Data/In.tsv"},
        "sagemaker-compile": {"env": "AMAZON_SAGEMAKER", "sm_role_name": "r", "sm_dynamo": "yes", "sm_dynamo_custom": "yes"},
        "apple": {},
        "neuron-deepspeed": {"machine_type": "MULTI_NEURON", "ds": "yes"},
        "neuron-fsdp": {"machine_type": "MULTI_NEURON", "fsdp": "yes"},
        "neuron": {"machine_type": "MULTI_NEURON", "num_processes": "2"},
        "misspelt-backend": {"dynamo": "yes", "dynamo_backend": "TORCHXLA_TRACE_ONCE"},
        "no-address": {**gpus, "num_machines": "2", "main_port": "1"},
        "no-port": {**gpus, "num_machines": "2", "main_ip": "a"},
        "no-deepspeed-file": {**gpus, "ds": "yes", "ds_file_yn": "yes"},
        "no-host-file": {**gpus, **two, "ds": "yes", "ds_excl_yn": "yes", "ds_incl_yn": "yes", "ds_moe_yn": "yes"},
        "no-tpu-name": {"machine_type": "XLA", "tpu_cluster": "yes"},
        "tpu-alone": {"machine_type": "XLA", "num_processes": "8"},
        "tpu-sudo": {"machine_type": "XLA", "tpu_cluster": "yes", "tpu_name": "p", "tpu_zone": "z", "tpu_sudo": "no"},
        "tpu-script": {"machine_type": "XLA", "tpu_cluster": "yes", "tpu_name": "p", "tpu_zone": "z", "tpu_cmd_yn": "yes", "tpu_cmd_file_yn": "yes", "tpu_cmd_file": "setup.sh"},
        "machines-text": {"machine_type": "MULTI_GPU", "num_machines": "two"},
        "machines-none": {**gpus, "num_machines": "0"},
        "port-too-large": {**gpus, **two, "main_port": "99999"},
        "shards-none": {**gpus, "fsdp": "yes", "pc": "yes", "pc_shard": "0"},
        "units-1e8": {**gpus, "fsdp": "yes", "fsdp_wrap": "SIZE_BASED_WRAP", "fsdp_min": "1e8"},
        "yes-as-y": {"use_cpu": "y"},
        "yes-as-maybe": {"use_cpu": "maybe"},
        "clip-text": {**gpus, "ds": "yes", "ds_clip_yn": "yes", "ds_clip": "much"},
        "processes-true": {"machine_type": "MULTI_GPU", "num_processes": "true"},
        "ids-of-letters": {"gpu_ids": "a,b"},
        "tpu-sudo-maybe": {"machine_type": "XLA", "tpu_cluster": "yes", "tpu_name": "p", "tpu_zone": "z", "tpu_sudo": "maybe"},
        "fp8-msamp": {"mp": "fp8", "fp8_backend": "MSAMP", "msamp_opt": "O1"},
        "processes-negative": {"machine_type": "MULTI_GPU", "num_processes": "-4"},
    }
    cases = [(name, {"answers": answers}) for name, answers in fixtures.items()]
    cases = [(name, {**case, "machine": {"device": "mps"}} if name == "apple" else case) for name, case in cases]
    seen = set()
    branches = [{}, {"machine_type": "MULTI_GPU"}, {"machine_type": "MULTI_GPU", "ds": "yes"}, {"machine_type": "MULTI_GPU", "ds": "no", "fsdp": "yes"},
                {"machine_type": "MULTI_GPU", "ds": "no", "fsdp": "no", "mlm": "yes"}, {"machine_type": "XLA"}, {"env": "AMAZON_SAGEMAKER"},
                {"machine_type": "MULTI_CPU"}, {"mp": "fp8"}]
    for seed in range(120):
        case = wander(seed, **branches[seed % len(branches)])
        key = str(sorted(case["answers"].items())) + str(case["machine"])
        if key not in seen:
            seen.add(key)
            cases.append((f"walk-{seed}", case))
    return cases


if __name__ == "__main__":
    common.main("questionnaire", inputs, expected)
