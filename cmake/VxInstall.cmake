# Installation and the Debian package: a toolkit's tree that may be moved as a whole. Everything in it
# finds its neighbours by relative paths. docs/user/install.md says how it is used.

include(GNUInstallDirs)
set(CMAKE_INSTALL_LIBDIR lib) # a toolkit's own tree, not the system's multi-architecture folders

install(TARGETS vxcc vxcc-check vx-opt vx-sim vx-objdump RUNTIME DESTINATION bin)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ ${VX_MADE_HEADERS}/ DESTINATION include
        PATTERN .clang-format EXCLUDE)
install(DIRECTORY ${VX_RESOURCE_DIR}/ DESTINATION lib/vxcc)
install(FILES ${CMAKE_BINARY_DIR}/version.json ${CMAKE_BINARY_DIR}/version.txt DESTINATION .)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/cmake DESTINATION lib)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share DESTINATION .)
# The simulator as Vortex's libvortex.so: what LD_LIBRARY_PATH names.
install(DIRECTORY ${VX_LIBRARY_DIR}/vortex DESTINATION lib)
install(FILES LICENSE DESTINATION share/doc/vxcc)
install(DIRECTORY docs/ DESTINATION share/doc/vxcc FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(DIRECTORY examples DESTINATION share/doc/vxcc)

# The libraries that programs are linked with, whatever they are, and the links of the layout.
install(CODE "
  file(GLOB libraries LIST_DIRECTORIES FALSE \"${VX_LIBRARY_DIR}/lib*.a\" \"${VX_LIBRARY_DIR}/lib*.so*\")
  set(root \"\${CMAKE_INSTALL_PREFIX}\")
  file(INSTALL \${libraries} DESTINATION \"\${root}/lib\")
  set(root \"\$ENV{DESTDIR}\${root}\")
  file(CREATE_LINK vxcc \"\${root}/bin/nvcc\" SYMBOLIC)
  file(CREATE_LINK vxcc-check \"\${root}/bin/compute-sanitizer\" SYMBOLIC)
  file(CREATE_LINK vx-objdump \"\${root}/bin/cuobjdump\" SYMBOLIC)
${VX_TOOLKIT_LINKS}")

# ---- The package: the tree at /usr/lib/vxcc, and links to its tools and manual pages where Debian
# looks for them.
set(packaged ${CMAKE_BINARY_DIR}/package-links)
file(REMOVE_RECURSE ${packaged})
# A link below /usr to the same place below /usr/lib/vxcc, or to TARGET there.
function(vx_add_package_link link)
  set(target ${ARGN})
  if(NOT target)
    set(target ${link})
  endif()
  get_filename_component(folder ${packaged}/usr/${link} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(RELATIVE_PATH path ${folder} ${packaged}/usr/lib/vxcc/${target})
  file(CREATE_LINK ${path} ${packaged}/usr/${link} SYMBOLIC)
endfunction()
get_property(language_tools GLOBAL PROPERTY VX_LANGUAGE_TOOLS)
foreach(tool vxcc vxcc-check vx-grade vx-opt vx-report vx-sim vx-objdump ${language_tools})
  vx_add_package_link(bin/${tool})
  vx_add_package_link(share/man/man1/${tool}.1)
  vx_add_package_link(share/bash-completion/completions/${tool})
  vx_add_package_link(share/zsh/vendor-completions/_${tool} share/zsh/site-functions/_${tool})
  vx_add_package_link(share/fish/vendor_completions.d/${tool}.fish)
endforeach()
vx_add_package_link(share/doc/vxcc/copyright share/doc/vxcc/LICENSE)
vx_add_package_link(lib/cmake/vxcc)
# The loader finds the shared libraries here last: NVIDIA's, if there are any, remain the first.
file(WRITE ${packaged}/etc/ld.so.conf.d/zz-vxcc.conf "/usr/lib/vxcc/lib\n")
set(conffiles "/etc/ld.so.conf.d/zz-vxcc.conf\n")
# The loader of OpenCL finds the platform here.
if(TARGET vxcl)
  file(WRITE ${packaged}/etc/OpenCL/vendors/vxcl.icd "/usr/lib/vxcc/lib/libvxcl.so\n")
  string(APPEND conffiles "/etc/OpenCL/vendors/vxcl.icd\n")
endif()
file(WRITE ${CMAKE_BINARY_DIR}/package-control/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_BINARY_DIR}/package-control/conffiles "${conffiles}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package-control/triggers
    ${CMAKE_BINARY_DIR}/package-control/conffiles)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vxcc)
set(CPACK_PACKAGE_VENDOR vxcc)
set(CPACK_PACKAGE_CONTACT "vxcc <vxcc@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA compiler, runtime and simulator for the Vortex GPU")
set(CPACK_PACKAGE_DESCRIPTION
"vxcc compiles CUDA programs for Vortex, the open RISC-V GPU, and runs them on a
simulator that is linked into the program. It takes nvcc's command line and has
the layout of a CUDA toolkit, at /usr/lib/vxcc.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/vxcc)
set(CPACK_INSTALLED_DIRECTORIES "${packaged};/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The libraries that the tools are linked with are found by dpkg-shlibdeps. Besides: clang's program
# links and assembles, its headers and the C++ library's are what a compilation includes.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-${LLVM_VERSION_MAJOR}, libclang-common-${LLVM_VERSION_MAJOR}-dev, libstdc++-dev, libc6-dev, binutils")
# Headers that NVIDIA's toolkit brings for CUDA programs, and the library that draws the charts of vx-report.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcub-dev, libcu++-dev, libthrust-dev, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, ninja-build, g++, gdb")
include(CPack)
