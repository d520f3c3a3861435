// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The role that training jobs of SageMaker act as.

#include <string>

#include "base/message.h"
#include "launch/cloud/aws_client.h"

namespace trainyard::cloud {

/// Creates a role with the rights that Accelerate's questionnaire gives it: SageMaker may act as it; it may use
/// SageMaker, S3, ECR, CloudWatch and logs. A role of this name that exists is used as it is. Returns what was done.
/// Throws UserError for a name that IAM does not allow, and when Amazon refuses.
Message create_role(AwsClient& client, const std::string& name);

}  // namespace trainyard::cloud
