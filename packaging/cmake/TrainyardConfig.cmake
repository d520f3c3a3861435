# find_package(Trainyard): the libraries of the engine as Trainyard::<part>; Trainyard::accelerator is the one to link. LibTorch is
# found as in Trainyard's own build: -DTORCH_DIR, $TORCH_DIR, or the cache of packaging/libtorch.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(yaml-cpp)
find_dependency(nlohmann_json)
find_dependency(fmt)
if(NOT TARGET torch::cpu)
    include("${CMAKE_CURRENT_LIST_DIR}/LibTorch.cmake")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/TrainyardTargets.cmake")
