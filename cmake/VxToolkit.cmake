# What makes the build tree, like an installation, look like a CUDA toolkit to build tools: they take
# the folder above bin/ for the toolkit's root and look there for lib64/, nvvm/libdevice/ and
# version.json.

configure_file(${CMAKE_SOURCE_DIR}/tools/gdb/vx.py ${CMAKE_BINARY_DIR}/share/gdb/vx.py COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.json.in ${CMAKE_BINARY_DIR}/version.json @ONLY)
file(CREATE_LINK lib ${CMAKE_BINARY_DIR}/lib64 SYMBOLIC)
file(CREATE_LINK ../lib/vxcc ${CMAKE_BINARY_DIR}/nvvm/libdevice SYMBOLIC)
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
file(CREATE_LINK vxcc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nvcc SYMBOLIC)

# The package for find_package(vxcc).
include(CMakePackageConfigHelpers)
set(package ${CMAKE_BINARY_DIR}/lib/cmake/vxcc)
write_basic_package_version_file(${package}/vxccConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/vxccConfig.cmake ${package}/vxccConfig.cmake COPYONLY)
