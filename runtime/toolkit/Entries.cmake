# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the libraries that programs are linked with, under the toolkit's names, of the runtime's archive:
#
#   cmake -DARCHIVE=libvxrt.a -DOUTPUT=lib -DWORK=folder -DLD=… -DNM=… -DOBJCOPY=… -DAR=…
#         -DCXX=… -DLINK_OPTIONS=… -DVERSION=… -P Entries.cmake
#
#   libcudart_static.a   one object; the API's names are hidden, all others local
#   libcudart.so.12      the runtime API
#   libcuda.so.1         the driver API
#   libcudadevrt.a       empty: the device's runtime is added when device code is linked
#
# Each holds all of the runtime. Its exported functions are jumps through slots (Instances.h) that are
# written here, one for each function of the API that the archive defines.

set(so_version 12)
set(full_version ${VERSION})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}: ${errors}")
  endif()
endfunction()

# Writes the assembly of a library that exports the functions in EXPORTS.
function(write_entries file exports)
  set(text "")
  # The functions of the API, by name, for other copies of the runtime.
  string(APPEND text "\t.section .rodata.vx_names,\"a\",@progbits\n")
  foreach(name IN LISTS functions)
    string(APPEND text ".Lname_${name}:\t.asciz \"${name}\"\n")
  endforeach()
  string(APPEND text "\t.section .rodata.vx_functions,\"a\",@progbits\n\t.balign 8\n.Lfunctions:\n")
  foreach(name IN LISTS functions)
    string(APPEND text "\t.quad .Lname_${name} - ., __vx_${name} - .\n")
  endforeach()
  string(APPEND text ".Lslot_names:\n")
  foreach(name IN LISTS exports)
    string(APPEND text "\t.quad .Lname_${name} - .\n")
  endforeach()
  list(LENGTH functions num_functions)
  list(LENGTH exports num_exports)
  string(APPEND text
    "\t.globl __vx_instance_table\n\t.type __vx_instance_table, @object\n__vx_instance_table:\n"
    "\t.quad ${num_functions}, .Lfunctions - ., ${num_exports}\n"
    "\t.quad .Lslots - ., .Lslot_names - ., .Lchosen - .\n"
    "\t.size __vx_instance_table, . - __vx_instance_table\n"
    "\t.section .note.vxcc,\"a\",@note\n\t.balign 4\n"
    "\t.long 8, 8, 1\n\t.asciz \"vxcc-rt\"\n\t.quad __vx_instance_table - .\n"
    "\t.section .data.vx_slots,\"aw\",@progbits\n\t.balign 8\n.Lchosen:\t.quad 0\n.Lslots:\n")
  foreach(name IN LISTS exports)
    string(APPEND text ".Lslot_${name}:\t.quad __vx_${name}\n")
  endforeach()
  string(APPEND text "\t.text\n")
  foreach(name IN LISTS exports)
    string(APPEND text
      "\t.balign 16\n\t.globl ${name}\n\tVISIBILITY ${name}\n\t.type ${name}, @function\n${name}:\n"
      "\tendbr64\n\tjmp *.Lslot_${name}(%rip)\n\t.size ${name}, . - ${name}\n")
  endforeach()
  string(APPEND text "\t.section .note.GNU-stack,\"\",@progbits\n")
  file(WRITE "${file}" "${text}")
endfunction()

# One object with the runtime and the entries for EXPORTS; everything else is local to it.
function(make_object stem visibility exports)
  set(base "${WORK}/${stem}")
  write_entries("${base}.S" "${exports}")
  run(${CXX} -c "-DVISIBILITY=${visibility}" "${base}.S" -o "${base}-entries.o")
  run(${LD} -r "${WORK}/core.o" "${base}-entries.o" -o "${base}.o")
  list(JOIN exports "\n" lines)
  file(WRITE "${base}.globals" "${lines}\n")
  run(${OBJCOPY} "--keep-global-symbols=${base}.globals" "${base}.o")
endfunction()

function(make_shared name version full exports)
  make_object(${name} .globl "${exports}")
  list(JOIN exports ";\n    " lines)
  file(WRITE "${WORK}/${name}.map" "lib${name}.so.${version} {\n  global:\n    ${lines};\n  local: *;\n};\n")
  run(${CXX} -shared "${WORK}/${name}.o" -o "${OUTPUT}/lib${name}.so.${full}.new" ${LINK_OPTIONS}
      "-Wl,-soname,lib${name}.so.${version}" "-Wl,--version-script,${WORK}/${name}.map" -pthread -ldl)
  file(RENAME "${OUTPUT}/lib${name}.so.${full}.new" "${OUTPUT}/lib${name}.so.${full}")
  file(CREATE_LINK lib${name}.so.${full} "${OUTPUT}/lib${name}.so.${version}" SYMBOLIC)
  file(CREATE_LINK lib${name}.so.${version} "${OUTPUT}/lib${name}.so" SYMBOLIC)
endfunction()

file(MAKE_DIRECTORY "${WORK}" "${OUTPUT}")
# Groups are resolved here: their local copies must not be exchanged for those of other objects.
run(${LD} -r --force-group-allocation --whole-archive "${ARCHIVE}" -o "${WORK}/core.o")
execute_process(COMMAND ${NM} --defined-only -g "${WORK}/core.o" OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [TW] (__cuda|cuda|cu[A-Z])[A-Za-z0-9_]*" lines "${symbols}")
set(functions "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^.* " "" name "${line}")
  list(APPEND functions ${name})
endforeach()
list(SORT functions COMPARE STRING CASE SENSITIVE)
set(renames "")
foreach(name IN LISTS functions)
  string(APPEND renames "${name} __vx_${name}\n")
endforeach()
file(WRITE "${WORK}/core.renames" "${renames}")
run(${OBJCOPY} "--redefine-syms=${WORK}/core.renames" "${WORK}/core.o")

set(runtime_functions ${functions})
list(FILTER runtime_functions INCLUDE REGEX "^(__)?cuda")
set(driver_functions ${functions})
list(FILTER driver_functions EXCLUDE REGEX "^(__)?cuda")

make_object(cudart_static .hidden "${runtime_functions}")
file(REMOVE "${WORK}/libcudart_static.a" "${WORK}/libcudadevrt.a")
run(${AR} qc "${WORK}/libcudart_static.a" "${WORK}/cudart_static.o")
run(${AR} qc "${WORK}/libcudadevrt.a")
foreach(archive cudart_static cudadevrt)
  file(RENAME "${WORK}/lib${archive}.a" "${OUTPUT}/lib${archive}.a")
endforeach()
make_shared(cudart ${so_version} ${full_version} "${runtime_functions}")
if(driver_functions)
  make_shared(cuda 1 1.${full_version} "${driver_functions}")
endif()
