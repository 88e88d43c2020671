# Precompiled headers: most of the time of compiling a file of ours went into LLVM's headers. A source
# still includes what it uses, so that it compiles without them.
#
# Off below a compiler launcher: ccache can store nothing that was compiled with them.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(default OFF)
else()
  set(default ON)
endif()
option(VX_PRECOMPILE "Compile with precompiled headers" ${default})

set(vx_headers_standard algorithm atomic condition_variable cstring functional map memory mutex
    optional span string vector)
list(TRANSFORM vx_headers_standard REPLACE "(.+)" "<\\1>")
set(vx_headers_llvm <functional> <map> <optional> <string> <vector>
    <llvm/ADT/SetVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringSet.h>
    <llvm/Analysis/LoopInfo.h> <llvm/Analysis/PostDominators.h> <llvm/IR/DiagnosticInfo.h>
    <llvm/IR/IRBuilder.h> <llvm/IR/InlineAsm.h> <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h>
    <llvm/IR/Module.h> <llvm/IR/PassManager.h> <llvm/Support/FileSystem.h>
    <llvm/Support/MemoryBuffer.h> <llvm/Support/Path.h> <llvm/Transforms/Utils/BasicBlockUtils.h>
    <llvm/Transforms/Utils/Cloning.h>)
set(vx_headers_clang ${vx_headers_llvm} <clang/AST/ASTConsumer.h> <clang/AST/Attr.h>
    <clang/Frontend/CompilerInstance.h> <clang/Frontend/FrontendAction.h>)
set(vx_headers_mlir ${vx_headers_llvm} <mlir/Dialect/GPU/IR/GPUDialect.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Pass/PassManager.h>
    <mlir/Transforms/DialectConversion.h>)
set(vx_headers_gtest <gmock/gmock.h> <gtest/gtest.h> ${vx_headers_standard})
set(vx_headers_gtest_llvm ${vx_headers_gtest} ${vx_headers_llvm} <llvm/Passes/PassBuilder.h>)
# The one of our own headers that nearly all sources of the runtime include.
set(vx_headers_runtime ${vx_headers_standard} <runtime/context/Runtime.h>)
set(vx_headers_gtest_runtime ${vx_headers_gtest} <runtime/context/Runtime.h>)

# vx_precompile(TARGET GROUP [REUSE]): the group's headers, precompiled for the target's C++ sources. The
# first target of a group with REUSE compiles them; later ones, which need the same compiler options,
# take them from it.
function(vx_precompile target group)
  if(NOT VX_PRECOMPILE)
    return()
  endif()
  # Packages that are installed again give their headers other times, older than the build's: only
  # what is in them counts.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fpch-validate-input-files-content>)
  get_property(owner GLOBAL PROPERTY VX_PRECOMPILED_${group})
  if(ARGV2 STREQUAL "REUSE" AND owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  # The closing bracket of a header's name would end the generator expression.
  list(TRANSFORM vx_headers_${group} REPLACE "<(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>"
       OUTPUT_VARIABLE headers)
  target_precompile_headers(${target} PRIVATE ${headers})
  if(ARGV2 STREQUAL "REUSE")
    set_property(GLOBAL PROPERTY VX_PRECOMPILED_${group} ${target})
  endif()
endfunction()
