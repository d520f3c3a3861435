// SPDX-License-Identifier: GPL-3.0-or-later
// Top-level keys of a file for Amazon SageMaker. Source: SageMakerConfig.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

void add_sagemaker_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::sagemaker, "", "SageMaker");
    row("compute_environment", Type::choice, "Where it runs", "On machines of one's own or on Amazon SageMaker")
        .choices({"LOCAL_MACHINE", "AMAZON_SAGEMAKER"})
        .since("0.2");
    row("distributed_type", Type::choice, "Way of training", "How SageMaker spreads the work over devices")
        .choices({"NO", "DATA_PARALLEL", "MODEL_PARALLEL"})
        .always("ACCELERATE_SAGEMAKER_DISTRIBUTED_TYPE")
        .since("0.2");
    row("mixed_precision", Type::choice, "Mixed precision",
        "Number format of the computation; weights stay in their own format")
        .choices({"no", "fp16", "bf16", "fp8"})
        .any_case()
        .effective("no")
        .always(kEnvMixedPrecision)
        .lower()
        .since("0.6");
    row("use_cpu", Type::boolean, "CPU only", "Train on the CPU even where an accelerator is")
        .fallback(false)
        .since("0.6");
    row("debug", Type::boolean, "Check operations",
        "Check that all processes call the same operations with matching shapes; slower")
        .fallback(false)
        .since("0.22");
    row("ec2_instance_type", Type::text, "Instance type", "Amazon's kind of machine, e.g. ml.p3.2xlarge").since("0.2");
    row("iam_role_name", Type::text, "IAM role", "Role that SageMaker works with").since("0.2");
    row("image_uri", Type::text, "Container image", "Address of one's own container image").since("0.11");
    row("profile", Type::text, "AWS profile", "Name of the profile in ~/.aws; without it, an access key is needed")
        .when_set("AWS_PROFILE")
        .since("0.2");
    row("region", Type::text, "Region", "Amazon's region, e.g. us-east-1")
        .fallback("us-east-1")
        .when_set("AWS_DEFAULT_REGION")
        .since("0.2");
    row("num_machines", Type::integer, "Machines", "Machines that take part").range(1).fallback(1).since("0.2");
    row("gpu_ids", Type::text, "Devices", "`all`, or the numbers of the devices, as in `0,2,3`")
        .fallback("all")
        .since("0.14");
    row("base_job_name", Type::text, "Job name", "Beginning of the job's name in SageMaker")
        .fallback("accelerate-sagemaker-1")
        .since("0.2");
    row("pytorch_version", Type::text, "PyTorch", "Version of PyTorch in the container")
        .fallback("1.10.2")
        .since("0.2");
    row("transformers_version", Type::text, "Transformers", "Version of Transformers in the container")
        .fallback("4.17.0")
        .since("0.2");
    row("py_version", Type::text, "Python", "Version of Python in the container, e.g. py38")
        .fallback("py38")
        .since("0.11");
    row("sagemaker_inputs_file", Type::path, "Inputs", "TSV file with a header: channel name and location of the data")
        .since("0.11");
    row("sagemaker_metrics_file", Type::path, "Metrics", "TSV file with a header: metric name and regular expression")
        .since("0.11");
    row("additional_args", Type::table, "More arguments",
        "Further arguments of SageMaker's estimator, e.g. max_run or use_spot_instances")
        .since("0.17");
    row("enable_cpu_affinity", Type::boolean, "NUMA affinity",
        "Keep each process on the processor cores that are next to its device")
        .fallback(false)
        .since("0.30");
}

}  // namespace trainyard::settings
