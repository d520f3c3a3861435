# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of Amazon SageMaker as Accelerate starts them, and signatures of botocore, recorded against a server on 127.0.0.1 and replaced programs.

    python sagemaker_jobs.py [--out DIR] [--spec SPEC.json] [--only sagemaker|sigv4]

Writes sagemaker.json and sigv4.json. Needs boto3 and sagemaker < 3; nothing leaves the machine and no
credentials but the dummies below are used.
"""
import argparse, base64, contextlib, datetime, gzip, hashlib, hmac, importlib.metadata, io, json, os, pathlib, re, shutil, socket, subprocess, sys, tarfile, tempfile, types
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ACCESS, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"       # the pair of Amazon's own documentation
TOKEN = "dummy-session-token/0123456789+=="

DEFAULT = {
    "project": "demo", "region": "us-east-1", "other_region": "eu-central-1", "account": "123456789012", "role": "a-role", "instance": "ml.g5.2xlarge", "parallel_instance": "ml.p3.16xlarge",
    "image": "123456789012.dkr.ecr.us-east-1.amazonaws.com/own:tag-1", "script": "train.py", "bucket": "our-bucket",
    "arguments": ["--lr", "0.1", "--steps", "100", "--eval", "False", "--name", "größe 1", "--big", "1e30", "--not_a_number", "nan", "--neg", "x-1", "--path", "s3://b/c d"],
    "inputs": "channel_name\tdata_location\ntrain\ts3://our-bucket/train/\nvalidation\t s3://our-bucket/validation \n",
    "metrics": "metric_name\tmetric_regex\nloss\tloss: ([0-9\\.]+)\neval accuracy\tacc=(.*?);\n",
    "additional": {"use_spot_instances": True, "max_run": 3600, "max_wait": 7200, "checkpoint_s3_uri": "s3://our-bucket/checkpoints", "volume_size": 100,
                   "tags": [{"Key": "team", "Value": "a b"}], "output_path": "s3://our-bucket/output", "hyperparameters": {"extra": 1}, "environment": {"NCCL_DEBUG": "INFO"}},
    "tpu_name": "a-tpu", "tpu_zone": "us-central1-a", "commands": ["echo 'hello world'", "ls -la /tmp"], "setup": "pip install x==1.0\necho \"two  blanks\"\n\nexport A=b\n",
    "times": ["20231114T221320Z", "20240229T000000Z"], "payload": {"TrainingJobName": "job-1", "Größe": "é"},
}


# ---------------------------------------------------------------- SageMaker

def config(spec, **keys):
    base = {"compute_environment": "AMAZON_SAGEMAKER", "distributed_type": "'NO'", "ec2_instance_type": spec["instance"], "iam_role_name": spec["role"], "mixed_precision": "'no'",
            "num_machines": 1, "region": spec["region"], "use_cpu": "false", "debug": "false", "pytorch_version": "2.1.0", "transformers_version": "4.36.0", "py_version": "py310"}
    base.update(keys)
    return "".join(f"{k}: {v if isinstance(v, (int, str)) else json.dumps(v)}\n" for k, v in base.items() if v is not None)


def sagemaker_cases(s):
    keys = ["--aws_access_key_id", ACCESS, "--aws_secret_access_key", SECRET]
    default_versions = dict(pytorch_version=None, transformers_version=None, py_version=None)
    a = lambda more: json.dumps({**s["additional"], **more})

    def case(name, text, flags=None, **rest):
        return name, {"config": text, "flags": (keys if flags is None else flags) + rest.pop("script", [s["script"]]) + rest.pop("arguments", []), **rest}
    return [
        case("plain", config(s)),
        case("arguments", config(s), arguments=s["arguments"]),
        case("argument_with_equals", config(s), arguments=["--lr=0.5", "--x", "y"]),
        case("switch", config(s), arguments=["--lr", "0.1", "--fp16"]),
        case("positional", config(s), arguments=["data", "--lr", "0.1"]),
        case("data_parallel", config(s, distributed_type="DATA_PARALLEL", num_machines=2, ec2_instance_type=s["parallel_instance"], mixed_precision="fp16", **default_versions)),
        case("data_parallel_default_instance", config(s, distributed_type="DATA_PARALLEL", ec2_instance_type="ml.p3.2xlarge", **default_versions)),
        case("data_parallel_newer", config(s, distributed_type="DATA_PARALLEL", ec2_instance_type="ml.p4d.24xlarge", mixed_precision="bf16")),
        case("model_parallel", config(s, distributed_type="MODEL_PARALLEL", ec2_instance_type=s["parallel_instance"], **default_versions)),
        case("default_versions", config(s, ec2_instance_type="ml.p3.2xlarge", **default_versions)),
        case("unknown_version", config(s, pytorch_version="9.9.9")),
        case("spot", config(s, additional_args=s["additional"])),
        case("spot_without_limit", config(s, additional_args={"use_spot_instances": True, "max_run": 3600})),
        case("custom_image", config(s, image_uri=s["image"], **default_versions)),
        case("inputs_and_metrics", config(s, sagemaker_inputs_file="inputs.tsv", sagemaker_metrics_file="metrics.tsv"), files={"inputs.tsv": s["inputs"], "metrics.tsv": s["metrics"]}),
        case("inputs_empty_line", config(s, sagemaker_inputs_file="inputs.tsv"), files={"inputs.tsv": s["inputs"] + "\n"}),
        case("inputs_missing", config(s, sagemaker_inputs_file="absent.tsv")),
        case("inputs_header_only", config(s, sagemaker_inputs_file="inputs.tsv"), files={"inputs.tsv": "channel_name\tdata_location\n"}),
        case("other_region", config(s, region=s["other_region"], base_job_name="my-job")),
        case("china", config(s, region="cn-north-1")),
        case("role_arn", config(s, iam_role_name=f"arn:aws:iam::{s['account']}:role/service-role/{s['role']}")),
        case("profile", config(s, profile="work"), flags=[], aws_files=True),
        case("no_credentials", config(s), flags=[]),
        case("keys_in_environment", config(s), flags=[], env={"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET}),
        case("session_token", config(s), env={"AWS_SESSION_TOKEN": TOKEN}),
        case("dynamo", config(s, dynamo_config={"dynamo_backend": "INDUCTOR"}), flags=keys + ["--dynamo_backend", "inductor", "--dynamo_use_fullgraph"]),
        case("precision_flag", config(s, mixed_precision="fp16"), flags=keys + ["--mixed_precision", "no"]),
        case("folder", config(s), script=["code/" + s["script"]], tree={"code/" + s["script"]: "print(1)\n", "code/lib/a.py": "x = 1\n", "code/requirements.txt": "rich\n", "other.txt": "not sent\n"}),
        case("not_python", config(s), script=["train.sh"]),
        case("missing_script", config(s), script=["absent.py"]),
        case("module", config(s), flags=keys + ["--module"]),
        case("warm_pool", config(s, additional_args={"keep_alive_period_in_seconds": 600, "subnets": ["subnet-1"], "security_group_ids": ["sg-1"], "encrypt_inter_container_traffic": True, "enable_network_isolation": True,
                                                     "max_retry_attempts": 2, "volume_kms_key": "key-1", "input_mode": "FastFile"})),
        case("torch_distributed", config(s, num_machines=2, ec2_instance_type="ml.p4d.24xlarge", additional_args={"distribution": {"torch_distributed": {"enabled": True}}})),
        case("no_profiler", config(s, additional_args={"disable_profiler": True})),
        case("local_mode", config(s, ec2_instance_type="local")),
        case("refused_400", config(s), answers={"CreateTrainingJob": [400, {"__type": "ValidationException", "message": "1 validation error detected"}]}),
        case("refused_access", config(s), answers={"CreateTrainingJob": [400, {"__type": "AccessDeniedException", "Message": "User is not authorized"}]}),
        case("refused_limit", config(s), answers={"CreateTrainingJob": [400, {"__type": "ResourceLimitExceeded", "Message": "The account-level service limit is 0"}]}),
        case("throttled_once", config(s), answers={"CreateTrainingJob": [[400, {"__type": "ThrottlingException", "message": "Rate exceeded"}], None]}),
        case("server_500_once", config(s), answers={"CreateTrainingJob": [[500, {}], None]}),
        case("wrong_key", config(s), answers={"GetCallerIdentity": [403, "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidClientTokenId</Code><Message>The security token included in the request is invalid.</Message></Error></ErrorResponse>"]}),
        case("job_failed", config(s), final={"TrainingJobStatus": "Failed", "SecondaryStatus": "Failed", "FailureReason": "AlgorithmError: ExecuteUserScriptError: exit code 1"}),
        case("job_stopped", config(s), final={"TrainingJobStatus": "Stopped", "SecondaryStatus": "Stopped"}),
        case("bucket_missing", config(s), no_bucket=True),
    ]


def xml_answer(action, spec, role, no_identity=False):
    account = spec["account"]
    if action == "GetCallerIdentity":
        return (f'<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::{account}:user/someone</Arn><UserId>AID</UserId>'
                f'<Account>{account}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetCallerIdentityResponse>')
    if action == "GetRole":
        return (f'<GetRoleResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><GetRoleResult><Role><Path>/</Path><RoleName>{role}</RoleName><RoleId>AROA</RoleId>'
                f'<Arn>arn:aws:iam::{account}:role/{role}</Arn><CreateDate>2023-11-14T22:13:20Z</CreateDate></Role></GetRoleResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetRoleResponse>')
    if action == "CreateRole":
        return (f'<CreateRoleResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><CreateRoleResult><Role><Path>/</Path><RoleName>{role}</RoleName><RoleId>AROA</RoleId>'
                f'<Arn>arn:aws:iam::{account}:role/{role}</Arn><CreateDate>2023-11-14T22:13:20Z</CreateDate></Role></CreateRoleResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></CreateRoleResponse>')
    return f'<{action}Response><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></{action}Response>'


def aws(spec, case):
    """Answers of Amazon's services, as little as the client needs."""
    jobs, counts, known = {}, {}, []

    def answer(r):
        target = r["headers"].get("X-Amz-Target", "")
        action = target.split(".")[-1] if target else (r["body"] or {}).get("Action") if isinstance(r["body"], dict) else None
        r["action"] = action or f"S3 {r['method']}"
        scope = re.search(r"Credential=[^/]+/\d+/([^/]+)/([^/]+)/", r["headers"].get("Authorization", ""))
        r["service"] = scope.group(2) if scope else None
        counts[action] = counts.get(action, 0) + 1
        set_answer = case.get("answers", {}).get(action)
        if set_answer and isinstance(set_answer[0], list):
            set_answer = set_answer[min(counts[action], len(set_answer)) - 1]
        if set_answer:
            status, content = set_answer
            return (status, content.encode(), {"Content-Type": "text/xml"}) if isinstance(content, str) else (status, content, {"Content-Type": "application/x-amz-json-1.1"})
        head = {"Content-Type": "application/x-amz-json-1.1"}
        if action == "CreateTrainingJob":
            jobs[r["body"]["TrainingJobName"]] = r["body"]
            return 200, {"TrainingJobArn": f"arn:aws:sagemaker:{spec['region']}:{spec['account']}:training-job/{r['body']['TrainingJobName']}"}, head
        if action == "DescribeTrainingJob":
            name = r["body"]["TrainingJobName"]
            made = jobs.get(name, {})
            final = {"TrainingJobStatus": "Completed", "SecondaryStatus": "Completed", **case.get("final", {})}
            now = 1700000000
            return 200, {"TrainingJobName": name, "TrainingJobArn": f"arn:aws:sagemaker:{spec['region']}:{spec['account']}:training-job/{name}", "ModelArtifacts": {"S3ModelArtifacts": "s3://bucket/model.tar.gz"},
                         "AlgorithmSpecification": made.get("AlgorithmSpecification", {}), "ResourceConfig": made.get("ResourceConfig", {"InstanceCount": 1}), "StoppingCondition": made.get("StoppingCondition", {}),
                         "CreationTime": now, "TrainingStartTime": now + 10, "TrainingEndTime": now + 70, "LastModifiedTime": now + 70, "TrainingTimeInSeconds": 60, "BillableTimeInSeconds": 60,
                         "SecondaryStatusTransitions": [{"Status": "Starting", "StartTime": now, "EndTime": now + 10, "StatusMessage": "Preparing the instances"},
                                                        {"Status": final["SecondaryStatus"], "StartTime": now + 70, "StatusMessage": "Done"}], **final}, head
        if action == "DescribeLogStreams":
            name = (r["body"] or {}).get("logStreamNamePrefix", "job/")
            return 200, {"logStreams": [{"logStreamName": name + "algo-1-1700000000"}]}, head
        if action == "GetLogEvents":
            first = not (r["body"] or {}).get("nextToken")
            return 200, {"events": [{"timestamp": 1700000000000, "message": "hello from the job", "ingestionTime": 1}] if first else [], "nextForwardToken": "f/1", "nextBackwardToken": "b/1"}, head
        if r["service"] == "s3":
            bucket = r["path"].strip("/").split("/")[0]
            if r["method"] == "HEAD" and case.get("no_bucket") and bucket not in known:
                return 404, b""
            if r["method"] == "PUT" and r["path"].count("/") == 1 and not r["query"]:
                known.append(bucket)
            if r["method"] == "GET" and not bucket:
                names = [] if case.get("no_bucket") else [f"sagemaker-{spec['region']}-{spec['account']}"]
                rows = "".join(f"<Bucket><Name>{n}</Name><CreationDate>2023-11-14T22:13:20.000Z</CreationDate></Bucket>" for n in names + known)
                return 200, f'<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Buckets>{rows}</Buckets></ListAllMyBucketsResult>'.encode(), {"Content-Type": "application/xml"}
            if r["method"] == "GET":
                return 200, f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>{bucket}</Name><IsTruncated>false</IsTruncated></ListBucketResult>'.encode(), {"Content-Type": "application/xml"}
            return 200, b"", {"ETag": '"0"'}
        return 200, xml_answer(action, spec, (r["body"] or {}).get("RoleName", "role") if isinstance(r["body"], dict) else "role").encode(), {"Content-Type": "text/xml"}
    return answer


CHILD = r'''
import json, os, sys, warnings
warnings.simplefilter("ignore")
job = json.load(open(sys.argv[1]))
from accelerate.commands import launch
from accelerate.commands.config import config_args
config_args.SageMakerConfig.parallelism_config = {}          # the two defects that keep every SageMaker file from starting
config_args.SageMakerConfig.tpu_use_cluster = False
old = config_args.BaseConfig.process_config
def process(values):
    given = "num_processes" in values
    values = old(values)
    if not given and values["compute_environment"] == "AMAZON_SAGEMAKER":
        values.pop("num_processes", None)
    return values
config_args.BaseConfig.process_config = staticmethod(process)
import accelerate.commands.config.config_args as c
out = {}
try:
    args = launch.launch_command_parser().parse_args(["--config_file", "config.yaml"] + job["flags"])
    from sagemaker.huggingface import HuggingFace
    for module in list(sys.modules.values()):           # its own https endpoint of STS, whatever AWS_ENDPOINT_URL says
        if module.__name__.startswith("sagemaker") and hasattr(module, "sts_regional_endpoint"):
            module.sts_regional_endpoint = lambda region: os.environ["AWS_ENDPOINT_URL"]
    import sagemaker.telemetry.telemetry_logging as telemetry          # the SDK reports its own use to a bucket of Amazon's
    telemetry._requests_helper = lambda *a, **k: None
    import accelerate.utils.dataclasses as d
    loaded = config_args.load_config_from_file("config.yaml")
    def enums(f):
        config = f("config.yaml")
        if isinstance(config.distributed_type, str):
            config.distributed_type = d.SageMakerDistributedType(config.distributed_type)
        return config
    launch.load_config_from_file = lambda f, g=config_args.load_config_from_file: enums(g)
    launch.launch_command(args)
except SystemExit as e:
    out["error"] = {"type": "SystemExit", "message": str(e)[:500]}
except BaseException as e:
    if os.environ.get("CLOUD_TRACE"):
        import traceback; traceback.print_exc()
    out["error"] = {"type": type(e).__name__, "message": str(e)[:700]}
json.dump(out, open(sys.argv[2], "w"))
'''


def sha(data):
    return hashlib.sha256(data).hexdigest()


def derive(secret, date, region, service):
    key = ("AWS4" + secret).encode()
    for part in (date, region, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def canonical(method, path, query, headers, signed, payload_hash, s3):
    """The canonical request: path already in the form it was sent in."""
    if not s3:
        path = urllib.parse.quote(path, safe="/~")
    pairs = sorted((urllib.parse.quote(k, safe="~"), urllib.parse.quote(v, safe="~")) for k, v in urllib.parse.parse_qsl(query, keep_blank_values=True))
    lines = [method, path or "/", "&".join(f"{k}={v}" for k, v in pairs)]
    lines += [f"{h}:{' '.join(headers[h].split())}" for h in signed] + ["", ";".join(signed), payload_hash]
    return "\n".join(lines)


def check_signature(r, secret):
    """Recomputes the signature of a recorded request; says how it was made."""
    header = r["headers"].get("Authorization", "")
    m = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})", header)
    if not m:
        return {"form": "not signed" if not header else "unknown"}
    _, date, region, service, signed, signature = m.groups()
    lower = {k.lower(): v for k, v in r["headers"].items()}
    payload = lower.get("x-amz-content-sha256") or sha(r["sent"])
    path, _, query = r["raw_path"].partition("?")
    text = canonical(r["method"], path, query, lower, signed.split(";"), payload, service == "s3")
    to_sign = "\n".join(["AWS4-HMAC-SHA256", lower["x-amz-date"], f"{date}/{region}/{service}/aws4_request", sha(text.encode())])
    again = hmac.new(derive(secret, date, region, service), to_sign.encode(), hashlib.sha256).hexdigest()
    out = {"region": region, "service": service, "signed_headers": signed.split(";"), "verified": again == signature}
    if "x-amz-content-sha256" in lower:
        out["content_sha256"] = "hash of the body" if payload == sha(r["sent"]) else payload if not re.fullmatch("[0-9a-f]{64}", payload) else "other hash"
    return out


def in_child(folder, work, env):
    """Runs CHILD in a fork of this process, where the slow imports are done already; returns what it printed."""
    import time
    os.environ.setdefault("SAGEMAKER_SUPPRESS_V2_WARNING", "1")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        import accelerate.commands.launch, boto3, sagemaker.huggingface  # noqa: F401
    sys.stdout.flush(), sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            out = os.open(folder / "stdout", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
            err = os.open(folder / "stderr", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
            os.dup2(out, 1), os.dup2(err, 2)
            os.chdir(work)
            os.environ.clear()
            os.environ.update(env)
            tempfile.tempdir = None
            sys.argv = ["child.py", str(folder / "job.json"), str(folder / "out.json")]
            exec(compile(CHILD, "child.py", "exec"), {"__name__": "__main__"})
            code = 0
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
    end = time.time() + 150
    while time.time() < end and os.waitpid(pid, os.WNOHANG) == (0, 0):
        time.sleep(0.05)
    if time.time() >= end:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    return (folder / "stdout").read_text("utf-8", "replace")


def run_sagemaker(spec, case, whole):
    from recorder import Server
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cloud")).resolve()
    work, home = folder / "work", folder / "home"
    work.mkdir(), home.mkdir()
    for name, text in {spec["script"]: "print('train')\n", "config.yaml": case["config"], **case.get("files", {}), **case.get("tree", {})}.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    if case.get("tree"):
        (work / spec["script"]).unlink()
    if case.get("aws_files"):
        (home / ".aws").mkdir()
        (home / ".aws" / "credentials").write_text(f"[work]\naws_access_key_id = {ACCESS}\naws_secret_access_key = {SECRET}\n")
    (folder / "job.json").write_text(json.dumps(case))
    server = Server(aws(spec, case))
    env = {"PATH": f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(home), "AWS_ENDPOINT_URL": server.url, "AWS_EC2_METADATA_DISABLED": "true", "HF_HUB_OFFLINE": "1", "NO_PROXY": "127.0.0.1",
           "SAGEMAKER_SUPPRESS_V2_WARNING": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore", "TMPDIR": str(folder), "AWS_MAX_ATTEMPTS": "2", **case.get("env", {})}
    said = in_child(folder, work, env)
    out = json.loads((folder / "out.json").read_text()) if (folder / "out.json").exists() else {"error": {"type": "exit", "message": (folder / "stderr").read_text("utf-8", "replace")[-400:]}}
    rows, archive = [], None
    date = re.compile(r"-\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}-\d{3}")
    stamp = re.compile(r"\b\d{10}\b")

    def clean(v):
        if isinstance(v, str):
            v = date.sub("-DATE", v)
            v = v.replace(str(work), "FOLDER").replace(str(home), "HOME").replace(str(folder), "TEMP").replace(server.url, "URL").replace(f"127.0.0.1:{server.port}", "HOSTPORT")
            return re.sub(r"\.(\d{10,})\b", ".TIME", v)
        if isinstance(v, dict):
            return {clean(k): ("TIME" if k == "timestamp" else clean(x)) for k, x in v.items()}
        if isinstance(v, list):
            return [clean(x) for x in v]
        return v
    for r in server.take():
        sent = r["raw"]
        encoding = r["headers"].get("Content-Encoding", "")
        chunked = "aws-chunked" in encoding or r["headers"].get("Transfer-Encoding") == "chunked"
        r["sent"] = sent
        row = {"action": r["action"], "method": r["method"], "path": clean(r["path"])}
        if r["query"]:
            row["query"] = clean(r["query"])
        for k in ("Content-Type", "X-Amz-Target", "X-Amz-Security-Token"):
            if k in r["headers"]:
                row[k.lower()] = r["headers"][k]
        row["signature"] = check_signature(r, SECRET)
        if r["service"] == "s3":
            body = sent
            if chunked or "x-amz-decoded-content-length" in {k.lower() for k in r["headers"]}:
                body = b""
                rest = sent
                while rest:
                    line, _, rest = rest.partition(b"\r\n")
                    n = int(line.split(b";")[0] or b"0", 16)
                    if not n:
                        break
                    body += rest[:n]
                    rest = rest[n + 2:]
                row["chunked"] = True
            if row["path"].endswith("sourcedir.tar.gz") and body:
                try:
                    with tarfile.open(fileobj=io.BytesIO(body)) as t:
                        row["archive"] = sorted([m.name, m.size] for m in t.getmembers())
                except tarfile.TarError as e:
                    row["archive"] = repr(e)
            elif body:
                row["body"] = {"bytes": len(body)} if len(body) > 300 else clean(body.decode("utf-8", "replace"))
        elif r["body"] is not None:
            row["body"] = clean(r["body"])
        row["status"] = r["status"]
        rows.append(row)
    server.close()
    shutil.rmtree(folder, ignore_errors=True)
    result = {"sequence": [f"{r['action']} {r['status']}" for r in rows]}
    signed = [r for r in rows if "verified" in r["signature"]]
    assert all(r["signature"].pop("verified") for r in signed), "a signature could not be computed again"
    result["requests"] = rows if whole else [r for r in rows if r["action"] == "CreateTrainingJob" or "archive" in r]
    if "error" in out:
        result["error"] = clean(out["error"])
    lines = [clean(l) for l in said.splitlines() if l.strip() and not re.match(r"^\d{4}-\d\d-\d\d ", l)]
    result["prints"] = [l for l in lines if not l.startswith(("sagemaker.config", "INFO:"))][:20]
    return result


def iam_cases(spec):
    """The requests of "Create new IAM role" in the questionnaire."""
    from recorder import Server
    from accelerate.commands.config import sagemaker as questions
    import boto3
    out = []
    for name, answers in (("create_role", {}), ("create_role_that_exists", {"CreateRole": [409, "<ErrorResponse><Error><Type>Sender</Type><Code>EntityAlreadyExists</Code><Message>Role exists.</Message></Error></ErrorResponse>"]})):
        server = Server(aws(spec, {"answers": answers}))
        keep = dict(os.environ)
        os.environ.update({"AWS_ENDPOINT_URL": server.url, "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": spec["region"], "NO_PROXY": "127.0.0.1"})
        questions.boto3 = boto3
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                questions._create_iam_role_for_sagemaker("accelerate_sagemaker_execution_role")
                arn = questions._get_iam_role_arn(spec["role"])
        finally:
            os.environ.clear()
            os.environ.update(keep)
        rows = []
        for r in server.take():
            r["sent"] = r["raw"]
            signature = check_signature(r, SECRET)
            assert signature.pop("verified")
            body = dict(r["body"])
            for k in ("AssumeRolePolicyDocument", "PolicyDocument"):
                if k in body:
                    body[k] = json.loads(body[k])
            rows.append({"action": r["action"], "method": r["method"], "path": r["path"], "content-type": r["headers"].get("Content-Type"), "signature": signature, "body": body, "status": r["status"]})
        server.close()
        out.append((name, {"role_name": "accelerate_sagemaker_execution_role", "answers": answers}, {"requests": rows, "arn_of_get_role": arn, "prints": said.getvalue().splitlines()}))
    return out


# ---------------------------------------------------------------- SigV4

def sigv4_cases(s):
    body = json.dumps(s["payload"], ensure_ascii=False)
    jt = "application/x-amz-json-1.1"
    form = "application/x-www-form-urlencoded; charset=utf-8"

    def sm(action, text=body, region=s["region"], host=None):
        return {"service": "sagemaker", "region": region, "method": "POST", "url": f"https://{host or f'api.sagemaker.{region}.amazonaws.com'}/",
                "headers": {"Content-Type": jt, "X-Amz-Target": f"SageMaker.{action}"}, "body": text}
    rows = [
        ("create_training_job", sm("CreateTrainingJob")), ("describe_training_job", sm("DescribeTrainingJob", '{"TrainingJobName": "job-1"}')), ("stop_training_job", sm("StopTrainingJob", '{"TrainingJobName": "job-1"}')),
        ("empty_json", sm("ListTrainingJobs", "{}")), ("other_region", sm("CreateTrainingJob", region=s["other_region"])),
        ("china", sm("CreateTrainingJob", region="cn-north-1", host="api.sagemaker.cn-north-1.amazonaws.com.cn")), ("session_token", {**sm("CreateTrainingJob"), "token": TOKEN}),
        ("port_in_host", sm("CreateTrainingJob", host="127.0.0.1:4566")),
        ("get_caller_identity", {"service": "sts", "region": s["region"], "method": "POST", "url": f"https://sts.{s['region']}.amazonaws.com/", "headers": {"Content-Type": form}, "body": "Action=GetCallerIdentity&Version=2011-06-15"}),
        ("get_role", {"service": "iam", "region": "us-east-1", "method": "POST", "url": "https://iam.amazonaws.com/", "headers": {"Content-Type": form}, "body": f"Action=GetRole&Version=2010-05-08&RoleName={s['role']}"}),
        ("log_events", {"service": "logs", "region": s["region"], "method": "POST", "url": f"https://logs.{s['region']}.amazonaws.com/", "headers": {"Content-Type": jt, "X-Amz-Target": "Logs_20140328.GetLogEvents"},
                        "body": '{"logGroupName": "/aws/sagemaker/TrainingJobs", "logStreamName": "job/algo-1", "startFromHead": true}'}),
        ("s3_put", {"service": "s3", "region": s["region"], "method": "PUT", "url": f"https://{s['bucket']}.s3.{s['region']}.amazonaws.com/job/source/sourcedir.tar.gz", "headers": {"Content-Type": "application/x-tar"}, "body": "not really an archive"}),
        ("s3_put_odd_key", {"service": "s3", "region": s["region"], "method": "PUT", "url": f"https://s3.{s['region']}.amazonaws.com/{s['bucket']}/a%20b/gr%C3%B6%C3%9Fe%2B%3D/x%7Ey.tar.gz", "headers": {}, "body": ""}),
        ("s3_head", {"service": "s3", "region": s["region"], "method": "HEAD", "url": f"https://{s['bucket']}.s3.{s['region']}.amazonaws.com/", "headers": {}, "body": ""}),
        ("s3_list", {"service": "s3", "region": s["region"], "method": "GET", "url": f"https://{s['bucket']}.s3.{s['region']}.amazonaws.com/?list-type=2&prefix=a%20b%2Fc&delimiter=%2F&max-keys=10", "headers": {}, "body": ""}),
        ("query_order_and_empty", {"service": "execute-api", "region": s["region"], "method": "GET", "url": "https://example.amazonaws.com/path/a%20b/?b=2&a=1&a=0&empty&z=%C3%A9", "headers": {"X-Odd": "  two   blanks  "}, "body": ""}),
        ("dot_segments", {"service": "execute-api", "region": s["region"], "method": "GET", "url": "https://example.amazonaws.com/a/./b/../c//d", "headers": {}, "body": ""}),
    ]
    return [(f"{name}-{t}", {**row, "time": t, "access_key": ACCESS, "secret_key": SECRET}) for name, row in rows for t in s["times"][:1 if name in ("dot_segments", "port_in_host") else 2]]


def sign(case):
    """botocore's own signer at a fixed time."""
    import botocore.auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
    moment = datetime.datetime.strptime(case["time"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    old = getattr(botocore.auth, "get_current_datetime", None)
    if old:
        botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment.replace(tzinfo=None) if remove_tzinfo else moment
    try:
        signer = (botocore.auth.S3SigV4Auth if case["service"] == "s3" else botocore.auth.SigV4Auth)(Credentials(case["access_key"], case["secret_key"], case.get("token")), case["service"], case["region"])
        url, _, query = case["url"].partition("?")
        request = AWSRequest(method=case["method"], url=case["url"], data=case["body"].encode(), headers=dict(case["headers"]))
        request.context["client_config"] = None
        kept, canonical_request, string_to_sign = {}, signer.canonical_request, signer.string_to_sign
        signer.canonical_request = lambda r: kept.setdefault("text", canonical_request(r))
        signer.string_to_sign = lambda r, t: kept.setdefault("to_sign", string_to_sign(r, t))
        signer.add_auth(request)
        text, to_sign = kept["text"], kept["to_sign"]
        authorization = request.headers["Authorization"]
    finally:
        if old:
            botocore.auth.get_current_datetime = old
    key = derive(case["secret_key"], case["time"][:8], case["region"], case["service"])
    signature = authorization.split("Signature=")[1]
    assert hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest() == signature
    assert case["time"] in to_sign
    added = {k: v for k, v in request.headers.items() if k not in case["headers"]}
    return {"body_sha256": sha(case["body"].encode()), "canonical_request": text, "canonical_request_sha256": sha(text.encode()), "string_to_sign": to_sign, "signing_key": key.hex(), "signature": signature,
            "headers_added": added}


# ----------------------------------------------------------------

def write(path, topic, rows):
    out = {}
    for p in ("accelerate", "torch", "boto3", "botocore", "sagemaker"):
        try:
            out[p] = importlib.metadata.version(p).split("+")[0]
        except importlib.metadata.PackageNotFoundError:
            pass
    head = json.dumps({"topic": "cloud/" + topic, "reference": out})[:-1]
    ids = [r[0] for r in rows]
    assert len(ids) == len(set(ids)), ids
    path.write_text(f'{head}, "cases": [\n' + ",\n".join(json.dumps({"id": i, "input": g, "expected": e}, ensure_ascii=False, allow_nan=False) for i, g, e in rows) + "\n]}\n")
    print(path.name, len(rows), "cases", path.stat().st_size, "bytes", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=str(HERE.parent))
    parser.add_argument("--spec")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    spec = {**DEFAULT, **(json.loads(pathlib.Path(args.spec).read_text()) if args.spec else {})}
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    topic, _, one = args.only.partition("/")
    if topic in ("", "sigv4"):
        write(out / "sigv4.json", "sigv4", [(n, c, sign(c)) for n, c in sigv4_cases(spec)])
    if topic in ("", "sagemaker"):
        rows = []
        for n, c in sagemaker_cases(spec):
            if n.startswith(one) and n not in spec.get("leave_out", []):
                rows.append((n, c, run_sagemaker(spec, c, n in ("plain", "session_token", "china", "bucket_missing", "role_arn"))))
                print(n, len(rows[-1][2]["requests"]), "requests", rows[-1][2].get("error"), flush=True)
        if not one:
            rows += iam_cases(spec)
        write(out / "sagemaker.json", "sagemaker", rows)


if __name__ == "__main__":
    main()
