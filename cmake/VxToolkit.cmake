# Makes the build tree, like an installation, look like a CUDA toolkit to build tools: they take
# the folder above bin/ for the toolkit's root and look there for lib64/, nvvm/libdevice/,
# targets/x86_64-linux/ and version.json or version.txt.

configure_file(${CMAKE_SOURCE_DIR}/tools/gdb/vx.py ${CMAKE_BINARY_DIR}/share/gdb/vx.py COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.json.in ${CMAKE_BINARY_DIR}/version.json @ONLY)
file(WRITE ${CMAKE_BINARY_DIR}/version.txt "CUDA Version ${VX_CUDA_VERSION}\n")
# Links below ROOT: their names, and what they lead to from where they are.
set(VX_TOOLKIT_LINKS [[
  file(MAKE_DIRECTORY ${root}/nvvm ${root}/targets/x86_64-linux)
  file(CREATE_LINK lib ${root}/lib64 SYMBOLIC)
  file(CREATE_LINK ../lib/vxcc ${root}/nvvm/libdevice SYMBOLIC)
  foreach(folder include lib)
    file(CREATE_LINK ../../${folder} ${root}/targets/x86_64-linux/${folder} SYMBOLIC)
  endforeach()]])
set(root ${CMAKE_BINARY_DIR})
cmake_language(EVAL CODE "${VX_TOOLKIT_LINKS}")
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
file(CREATE_LINK vxcc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nvcc SYMBOLIC)
file(CREATE_LINK vxcc-check ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/compute-sanitizer SYMBOLIC)
file(CREATE_LINK vx-objdump ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cuobjdump SYMBOLIC)

# The package for find_package(vxcc).
include(CMakePackageConfigHelpers)
set(package ${CMAKE_BINARY_DIR}/lib/cmake/vxcc)
write_basic_package_version_file(${package}/vxccConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/vxccConfig.cmake ${package}/vxccConfig.cmake COPYONLY)
