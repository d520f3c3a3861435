// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// State of a training in folders of torch.distributed.checkpoint (formats/weights/dcp_folder.h), as Accelerate's FSDP
// saves it under SHARDED_STATE_DICT:
//   pytorch_model_fsdp_<i>/   model.<name>
//   optimizer_<i>/            optimizer.state.<name>.<key>, optimizer.param_groups.<g>.<key>; parameters have names
// Every rank writes what it has of a tensor, as boxes; any number of ranks reads it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "checkpoint/files_to_save.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// The part of a state that one rank has.
class DcpShare {
  public:
    /// Elements [begin, begin + values.numel()) of a tensor of this shape. `path`: keys of the tables around it.
    void add(std::vector<std::string> path, const std::vector<std::int64_t>& shape, std::int64_t begin,
             const at::Tensor& values);
    void add(std::vector<std::string> path, const at::Tensor& whole);
    /// A value without elements of parameters.
    void add(std::vector<std::string> path, Tree value);

    /// Adds this rank's file `<folder>/__<rank>_0.distcp` and, on rank 0, `.metadata`. Collective.
    void add_files(FilesToSave& files, const std::string& folder, parallel::Communicator& ranks) const;

  private:
    struct Piece {
        std::vector<std::string> path;
        std::vector<std::int64_t> shape, offset;
        at::Tensor values;  ///< of the shape of the box
    };
    struct Object {
        std::vector<std::string> path;
        Tree value;
    };
    std::vector<Piece> pieces_;
    std::vector<Object> objects_;
};

/// The nested state of a folder. Tensors are whole, in memory of their own. Throws UserError.
Tree read_dcp_state(const std::filesystem::path& folder);

/// A state of an optimizer whose parameters have names ("params": ["layers.0.weight"]), as FSDP saves it: with the
/// numbers that they have in `own`, the state of the optimizer that loads it. `names[i]`: of parameter i of that state,
/// empty: none is known. A state with numbers is returned as it is. Throws UserError with everything that does not fit.
Tree with_numbers(const Tree& saved, const Tree& own, const std::vector<std::string>& names);
/// The other way. Parameters without a name have none in the result.
Tree with_names(const Tree& state, const std::vector<std::string>& names);

}  // namespace trainyard::checkpoint
