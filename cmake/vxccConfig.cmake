# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(vxcc): the tools and libraries of this toolkit by name.
#
#   vxcc::vxcc, vxcc::vxcc-check, vxcc::vx-sim, vxcc::vx-opt, vxcc::vx-objdump   programs
#   vxcc::headers                      the CUDA headers, for C and C++ sources
#   vxcc::cudart, vxcc::cudart_static  the CUDA runtime, with its headers
#   vxcc::cuda_driver, vxcc::nvrtc     the driver API and run-time compilation, with their headers
#
#   vxcc_ROOT_DIR, vxcc_INCLUDE_DIRS, vxcc_LIBRARY_DIR, vxcc_CUDA_VERSION
#
# Where the language CUDA is not enabled yet and no compiler is chosen for it (CMAKE_CUDA_COMPILER, the
# environment's CUDACXX), it becomes vxcc:
#
#   project(example LANGUAGES CXX)
#   find_package(vxcc REQUIRED)
#   enable_language(CUDA)

get_filename_component(vxcc_ROOT_DIR "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(vxcc_ROOT_DIR "${vxcc_ROOT_DIR}/../../../.." ABSOLUTE)
set(vxcc_INCLUDE_DIRS "${vxcc_ROOT_DIR}/include")
set(vxcc_LIBRARY_DIR "${vxcc_ROOT_DIR}/lib")
file(READ "${vxcc_ROOT_DIR}/version.json" vxcc_CUDA_VERSION)
string(JSON vxcc_CUDA_VERSION GET "${vxcc_CUDA_VERSION}" cuda version)

foreach(_vxcc_tool vxcc vxcc-check vx-sim vx-opt vx-objdump)
  if(NOT TARGET vxcc::${_vxcc_tool})
    add_executable(vxcc::${_vxcc_tool} IMPORTED)
    set_target_properties(vxcc::${_vxcc_tool} PROPERTIES
      IMPORTED_LOCATION "${vxcc_ROOT_DIR}/bin/${_vxcc_tool}")
  endif()
endforeach()

if(NOT TARGET vxcc::headers)
  add_library(vxcc::headers INTERFACE IMPORTED)
  target_include_directories(vxcc::headers SYSTEM INTERFACE "${vxcc_INCLUDE_DIRS}")
endif()

# vxcc::NAME for a library of this toolkit, if it has that.
function(_vxcc_add_library name type file)
  if(TARGET vxcc::${name} OR NOT EXISTS "${vxcc_LIBRARY_DIR}/${file}")
    return()
  endif()
  add_library(vxcc::${name} ${type} IMPORTED)
  set_target_properties(vxcc::${name} PROPERTIES IMPORTED_LOCATION "${vxcc_LIBRARY_DIR}/${file}")
  target_link_libraries(vxcc::${name} INTERFACE vxcc::headers ${ARGN})
endfunction()

_vxcc_add_library(cudart SHARED libcudart.so)
_vxcc_add_library(cuda_driver SHARED libcuda.so)
_vxcc_add_library(nvrtc SHARED libnvrtc.so)
set(_vxcc_threads)
if(CMAKE_C_COMPILER_LOADED OR CMAKE_CXX_COMPILER_LOADED)
  include(CMakeFindDependencyMacro)
  find_dependency(Threads)
  set(_vxcc_threads Threads::Threads)
endif()
_vxcc_add_library(cudart_static STATIC libcudart_static.a ${_vxcc_threads} ${CMAKE_DL_LIBS})
if(TARGET vxcc::cudart_static)
  # The runtime is C++ inside: this makes programs of any language bring the C++ library.
  set_target_properties(vxcc::cudart_static PROPERTIES IMPORTED_LINK_INTERFACE_LANGUAGES CXX)
endif()

if(NOT CMAKE_CUDA_COMPILER_LOADED AND NOT CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "")
  set(CMAKE_CUDA_COMPILER "${vxcc_ROOT_DIR}/bin/vxcc")
endif()

unset(_vxcc_tool)
unset(_vxcc_threads)
