# The CUDA headers as programs see them: build/include, with a link to each of include/ (so that edits
# are visible without a build step) and to the headers of CUDA that only name another one, which are
# made here, or by a script. Installations have copies.

# Header, and what it includes, from its own folder.
set(forwarding_headers
  "builtin_types.h:driver_types.h,vector_types.h"
  "cuda_profiler_api.h:cuda_runtime_api.h"
  "cuda_stdint.h:stdint.h"
  "cuda_surface_types.h:surface_types.h"
  "cuda_texture_types.h:texture_types.h"
  "driver_functions.h:cuda_runtime_api.h"
  "host_config.h:host_defines.h"
  "crt/host_config.h:../host_defines.h"
  "crt/host_defines.h:../host_defines.h"
  "nvToolsExt.h:nvtx3/nvToolsExt.h"
  "nvToolsExtCuda.h:nvtx3/nvToolsExtCuda.h"
  "nvToolsExtCudaRt.h:nvtx3/nvToolsExtCudaRt.h"
  "vector_functions.hpp:vector_functions.h")
# The declarations of these are known in every CUDA source without an include.
foreach(name common_functions device_atomic_functions device_double_functions device_functions
        device_launch_parameters math_functions sm_20_atomic_functions sm_20_intrinsics
        sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics sm_35_atomic_functions
        sm_35_intrinsics sm_60_atomic_functions sm_61_intrinsics surface_functions
        surface_indirect_functions texture_fetch_functions texture_indirect_functions)
  list(APPEND forwarding_headers "${name}.h:cuda_runtime.h")
endforeach()
foreach(name device_functions math_functions sm_70_rt)
  list(APPEND forwarding_headers "crt/${name}.h:../cuda_runtime.h")
endforeach()
# C's headers under their names in C++, for compilation at run time.
foreach(name assert ctype float limits math stdio stdlib string time)
  list(APPEND forwarding_headers "rtc/c${name}:${name}.h")
endforeach()

set(VX_HEADERS ${CMAKE_BINARY_DIR}/include)
set(VX_MADE_HEADERS ${CMAKE_BINARY_DIR}/made-include)
if(IS_SYMLINK ${VX_HEADERS})
  file(REMOVE ${VX_HEADERS})
endif()
file(GLOB_RECURSE headers RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/*)
list(FILTER headers EXCLUDE REGEX "(^|/)\\.[^/]*$")
# vx_link_header(HEADER FOLDER): build/include/HEADER is that of FOLDER.
set_property(GLOBAL PROPERTY VX_HEADER_NAMES "")
function(vx_link_header header folder)
  get_filename_component(place ${VX_HEADERS}/${header} DIRECTORY)
  file(MAKE_DIRECTORY ${place})
  file(CREATE_LINK ${folder}/${header} ${VX_HEADERS}/${header} SYMBOLIC)
  set_property(GLOBAL APPEND PROPERTY VX_HEADER_NAMES ${header})
endfunction()
foreach(header ${headers})
  vx_link_header(${header} ${CMAKE_SOURCE_DIR}/include)
endforeach()
foreach(row ${forwarding_headers})
  string(REGEX MATCH "^(.+):(.+)$" row ${row})
  set(header ${CMAKE_MATCH_1})
  string(REGEX REPLACE "([^,]+),?" "#include \"\\1\"\n" includes ${CMAKE_MATCH_2})
  file(CONFIGURE OUTPUT ${VX_MADE_HEADERS}/${header} CONTENT
    "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n\n#pragma once\n\n${includes}" @ONLY)
  vx_link_header(${header} ${VX_MADE_HEADERS})
endforeach()
# vx_make_header(HEADER SCRIPT arguments...): what a script prints, and its inputs after INPUTS.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(vx_make_header header script)
  cmake_parse_arguments(arg "" "" "INPUTS" ${ARGN})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/${script} ${arg_UNPARSED_ARGUMENTS}
                  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(CONFIGURE OUTPUT ${VX_MADE_HEADERS}/${header} CONTENT "${text}" @ONLY)
  vx_link_header(${header} ${VX_MADE_HEADERS})
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script} ${arg_INPUTS})
endfunction()
vx_make_header(vx/rand/xorwow_jumps.h runtime/libraries/rand/jump-tables.py xorwow)
vx_make_header(vx/rand/mrg32k3a_jumps.h runtime/libraries/rand/jump-tables.py mrg32k3a)
vx_make_header(cudaTypedefs.h runtime/driver/cuda-typedefs.py INPUTS runtime/driver/Functions.def)

# Removes headers that are neither in include/ nor made any more.
get_property(wanted GLOBAL PROPERTY VX_HEADER_NAMES)
foreach(folder ${VX_HEADERS} ${VX_MADE_HEADERS})
  file(GLOB_RECURSE present RELATIVE ${folder} ${folder}/*)
  list(REMOVE_ITEM present ${wanted})
  foreach(header ${present})
    file(REMOVE ${folder}/${header})
  endforeach()
endforeach()
