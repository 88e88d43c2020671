# Helpers shared by all folders: one way to declare a library, a tool and a test.

find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/clang)
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
separate_arguments(LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}") # one string of options

# The stock compiler that builds what runs on the device (start-up code, services, math).
find_program(VX_DEVICE_CLANG NAMES clang++-22 clang++ HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

add_library(vx_options INTERFACE)
target_include_directories(vx_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(vx_options INTERFACE -Wall -Wextra -Wno-unused-parameter
                       -Wno-deprecated-declarations) # libstdc++ 12: std::stable_sort warns of itself
if(VX_SANITIZE STREQUAL "thread")
  set(VX_SANITIZE_OPTIONS -fsanitize=thread)
elseif(VX_SANITIZE STREQUAL "fuzzer")
  set(VX_SANITIZE_OPTIONS -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined)
elseif(VX_SANITIZE) # ON: what address means
  set(VX_SANITIZE_OPTIONS -fsanitize=address,undefined -fno-sanitize-recover=undefined)
else()
  set(VX_SANITIZE_OPTIONS "")
endif()
# This is for shared libraries: what they use is there when they are linked. Sanitizers are in the
# executable.
if(VX_SANITIZE)
  set(VX_LINK_COMPLETE "")
else()
  set(VX_LINK_COMPLETE -Wl,-z,defs)
endif()
if(VX_SANITIZE_OPTIONS)
  # A target's property VX_NO_SANITIZE names a check that is not for it.
  set(exception $<TARGET_PROPERTY:VX_NO_SANITIZE>)
  target_compile_options(vx_options INTERFACE ${VX_SANITIZE_OPTIONS} -fno-omit-frame-pointer
                         $<$<BOOL:${exception}>:-fno-sanitize=${exception}>)
  target_link_options(vx_options INTERFACE ${VX_SANITIZE_OPTIONS})
endif()

# vx_add_library(NAME sources...): a static library that sees the source root.
function(vx_add_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC vx_options)
endfunction()

# vx_unite(TARGET): sources are compiled sixteen at a time, so that headers and templates that they share
# are read once. Off for builds that are made again after each change of one file, with tools that
# look at each file by itself, and below a compiler launcher, which finds single files in its cache.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(default ON)
else()
  set(default OFF)
endif()
option(VX_UNITY "Compile several sources at a time" ${default})
function(vx_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${VX_UNITY} UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# vx_use_llvm(TARGET): stock LLVM headers and the shared libLLVM; no RTTI of our own is needed.
function(vx_use_llvm target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS})
  target_link_libraries(${target} PUBLIC LLVM)
endfunction()

# vx_use_jemalloc(TARGET): an executable that compiles spends a sixth of its time in the allocator of
# glibc 2.36. Without the library, or with sanitizers, which have their own, it stays with that one.
find_library(VX_JEMALLOC jemalloc)
function(vx_use_jemalloc target)
  if(VX_JEMALLOC AND NOT VX_SANITIZE)
    target_link_libraries(${target} PRIVATE ${VX_JEMALLOC})
  endif()
endfunction()

# vx_add_tool(NAME sources...): an executable in build/bin.
function(vx_add_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE vx_options)
endfunction()
