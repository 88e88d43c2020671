// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of vxcc: nvcc's spellings, plus our own. --help is made from here.

include "llvm/Option/OptParser.td"

def OUTPUT : OptionGroup<"output">, HelpText<"OUTPUT">;
def LANGUAGE : OptionGroup<"language">, HelpText<"LANGUAGE AND PREPROCESSOR">;
def CODEGEN : OptionGroup<"codegen">, HelpText<"CODE GENERATION">;
def LINK : OptionGroup<"link">, HelpText<"LINKING">;
def VORTEX : OptionGroup<"vortex">, HelpText<"VORTEX">;
def TOOL : OptionGroup<"tool">, HelpText<"THE TOOL ITSELF">;
def IGNORED : OptionGroup<"ignored">;

// What the languages of this build (VX_LANGUAGES) add to values of options.
#ifdef VX_LANGUAGE_opencl
defvar clValue = ",cl";
#else
defvar clValue = "";
#endif
#ifdef VX_LANGUAGE_spirv
defvar spirvValue = ",spirv";
#else
defvar spirvValue = "";
#endif
defvar languages = !strconcat("c,c++,cu", clValue, spirvValue);
defvar deviceOutputs = !strconcat("nvvm,ir,asm,obj,elf,vxbin", spirvValue);

// nvcc takes one dash or two before every long name.

class F<string name> : Flag<["-", "--"], name>;

// `-name value` and `-name=value`; LONG is nvcc's long spelling.
multiclass Value<string name, OptionGroup group, string help, string meta = "<value>"> {
  def "" : Separate<["-", "--"], name>, Group<group>, HelpText<help>, MetaVarName<meta>;
  def _eq : Joined<["-", "--"], name#"=">, Group<group>, Alias<!cast<Option>(NAME)>;
}
multiclass Value2<string name, string long, OptionGroup group, string help,
                  string meta = "<value>"> {
  defm "" : Value<name, group, help, meta>;
  def _long : Separate<["-", "--"], long>, Group<group>, Alias<!cast<Option>(NAME)>;
  def _long_eq : Joined<["-", "--"], long#"=">, Group<group>, Alias<!cast<Option>(NAME)>;
}
// `-Xvalue`, `-X value`, `-X=value`
multiclass Short<string name, string long, OptionGroup group, string help, string meta> {
  def "" : JoinedOrSeparate<["-"], name>, Group<group>, HelpText<help>, MetaVarName<meta>;
  def _eq : Joined<["-"], name#"=">, Group<group>, Alias<!cast<Option>(NAME)>;
  def _long : Separate<["--", "-"], long>, Group<group>, Alias<!cast<Option>(NAME)>;
  def _long_eq : Joined<["--", "-"], long#"=">, Group<group>, Alias<!cast<Option>(NAME)>;
}
multiclass Switch<string name, string long, OptionGroup group, string help> {
  def "" : F<name>, Group<group>, HelpText<help>;
  def _long : F<long>, Group<group>, Alias<!cast<Option>(NAME)>;
}

// `let Values` lists what completions of the shell offer; Options.cpp decides what is allowed.

// ---- Output
defm o : Short<"o", "output-file", OUTPUT, "Write the result to <file>", "<file>">;
defm odir : Value2<"odir", "output-directory", OUTPUT, "Write results into <directory>",
                   "<directory>">;
defm c : Switch<"c", "compile", OUTPUT, "Compile each source into an object, do not link">;
defm dc : Switch<"dc", "device-c", OUTPUT,
                 "Compile into objects with relocatable device code: -rdc=true -c">;
defm dw : Switch<"dw", "device-w", OUTPUT,
                 "Compile into objects with complete device code: -rdc=false -c">;
defm dlink : Switch<"dlink", "device-link", OUTPUT,
                    "Link the relocatable device code of objects and archives into an object">;
defm lib : Switch<"lib", "make-archive", OUTPUT, "Compile, and put the objects into an archive">;
def fatbin : F<"fatbin">, Group<OUTPUT>, HelpText<"Device code only: a fat binary">;
def cubin : F<"cubin">, Group<OUTPUT>, HelpText<"Device code only: one image, as --emit=elf">;
def ptx : F<"ptx">, Group<OUTPUT>,
          HelpText<"Device code only: NVVM IR as text, as --emit=nvvm, for loading at run time">;
defm E : Switch<"E", "preprocess", OUTPUT, "Preprocess only, to the standard output">;
def S : F<"S">, Group<OUTPUT>, HelpText<"Compile to host assembly">;
defm M : Switch<"M", "generate-dependencies", OUTPUT, "Print a make rule with all headers">;
defm MM : Switch<"MM", "generate-nonsystem-dependencies", OUTPUT,
                 "Print a make rule without system headers">;
defm MD : Switch<"MD", "generate-dependencies-with-compile", OUTPUT,
                 "Write a make rule while compiling">;
defm MMD : Switch<"MMD", "generate-nonsystem-dependencies-with-compile", OUTPUT,
                  "As -MD, without system headers">;
defm MF : Value2<"MF", "dependency-output", OUTPUT, "Where the make rule goes", "<file>">;
defm MP : Switch<"MP", "generate-dependency-targets", OUTPUT,
                 "Add an empty rule for each header">;
defm MT : Value2<"MT", "dependency-target-name", OUTPUT, "The rule's target", "<name>">;
defm MQ : Value<"MQ", OUTPUT, "As -MT, quoted for make", "<name>">;
defm run : Switch<"run", "run-program", OUTPUT, "Link, run the program, exit with its code">;
defm run_args : Value2<"run-args", "run-arguments", OUTPUT,
                       "Arguments of the program that --run runs", "<argument>,…">;
defm shared : Switch<"shared", "make-shared-object", OUTPUT, "Make a shared library">;
def ltoir : F<"ltoir">, Group<IGNORED>;
def optix_ir : F<"optix-ir">, Group<IGNORED>;
def cuda : F<"cuda">, Group<IGNORED>;

// ---- Language and preprocessor
let Values = languages in
defm x : Value2<"x", "x-language", LANGUAGE,
                !strconcat("Language of the inputs that follow: ", !subst(",", ", ", languages)),
                "<language>">;
let Values = "c++11,c++14,c++17,c++20,c++23" in
defm std : Value<"std", LANGUAGE, "C++ standard: c++11, c++14, c++17, c++20, c++23", "<standard>">;
defm I : Short<"I", "include-path", LANGUAGE, "Search <directory> for headers", "<directory>">;
defm isystem : Value2<"isystem", "system-include", LANGUAGE,
                      "Search <directory> for system headers", "<directory>">;
defm preinclude : Value2<"include", "pre-include", LANGUAGE, "Include <file> first", "<file>">;
defm D : Short<"D", "define-macro", LANGUAGE, "Define a macro", "<name>[=<value>]">;
defm U : Short<"U", "undefine-macro", LANGUAGE, "Undefine a macro", "<name>">;
let Values = "legacy,per-thread" in
defm default_stream : Value<"default-stream", LANGUAGE,
                            "Stream 0: the legacy default stream (default), or the host thread's "
                            "own", "legacy|per-thread">;
defm expt_relaxed_constexpr
    : Switch<"expt-relaxed-constexpr", "relaxed-constexpr", LANGUAGE,
             "Call constexpr functions from both sides (always possible)">;
defm expt_extended_lambda : Switch<"expt-extended-lambda", "extended-lambda", LANGUAGE,
                                   "__device__ lambdas (always possible)">;
def W : Joined<["-", "--"], "W">, Group<LANGUAGE>, MetaVarName<"<warning>">,
        HelpText<"Control a warning, as clang does">;
defm w : Switch<"w", "disable-warnings", LANGUAGE, "No warnings">;
defm Xcompiler : Value2<"Xcompiler", "compiler-options", LANGUAGE,
                        "Pass <option>,… to the host half", "<option>,…">;
def cl_ : Joined<["-"], "cl-">, Group<LANGUAGE>, MetaVarName<"<option>">,
          HelpText<"An option of OpenCL C: -cl-std=CL3.0, -cl-fast-relaxed-math, ...">;
defm spec_constant : Value<"spec-constant", LANGUAGE,
                           "The value of a specialization constant of SPIR-V", "<id>=<number>">;
def fopenmp : Flag<["-"], "fopenmp">, Group<LANGUAGE>,
              HelpText<"OpenMP in host code, as -Xcompiler -fopenmp">;
defm ftemplate_depth : Value<"ftemplate-depth", LANGUAGE,
                             "How deep templates may be instantiated", "<limit>">;
defm ftemplate_backtrace_limit : Value<"ftemplate-backtrace-limit", LANGUAGE,
                                       "Notes about instantiations for one diagnostic; 0: all",
                                       "<limit>">;
def pedantic : F<"pedantic">, Group<LANGUAGE>, HelpText<"Warn about extensions">;

// ---- Code generation
let Values = "0,1,2,3" in
defm O : Short<"O", "optimize", CODEGEN, "Optimization level (device code: 3 unless given)",
               "<0..3>">;
defm g : Switch<"g", "debug", CODEGEN, "Debug information in host code">;
defm G : Switch<"G", "device-debug", CODEGEN, "Debug information in device code, unoptimised">;
defm lineinfo : Switch<"lineinfo", "generate-line-info", CODEGEN,
                       "Source lines in device code (always there)">;
defm use_fast_math : Switch<"use_fast_math", "use-fast-math", CODEGEN,
                            "Fast device math functions">;
let Values = "true,false" in
defm fmad : Value<"fmad", CODEGEN, "Fuse multiply and add in device code (default: true)",
                  "<bool>">;
def fPIC : Flag<["-"], "fPIC">, Group<CODEGEN>, HelpText<"Position-independent host code">;
def fpic : Flag<["-"], "fpic">, Group<CODEGEN>, Alias<fPIC>;
def fPIE : Flag<["-"], "fPIE">, Group<CODEGEN>, Alias<fPIC>;
defm noeh : Switch<"noeh", "no-exceptions", CODEGEN, "No exceptions in host code">;
defm pg : Switch<"pg", "profile", CODEGEN, "Profile host code">;
defm m64 : Switch<"m64", "m64-bit", CODEGEN, "64-bit host code (the only kind)">;
def m32 : F<"m32">, Group<IGNORED>;
defm machine : Value<"machine", IGNORED, "">;
defm m : Value<"m", IGNORED, "">;
let Values = "native,all,all-major,sm_80" in
defm arch : Value2<"arch", "gpu-architecture", CODEGEN,
                   "Accepted for nvcc's sake: device code is for Vortex", "<arch>">;
defm gencode : Value2<"gencode", "generate-code", CODEGEN, "As -arch", "<spec>">;
defm gpucode : Value2<"code", "gpu-code", CODEGEN, "As -arch", "<code>">;
let Values = "true,false" in
defm rdc : Value2<"rdc", "relocatable-device-code", CODEGEN,
                  "Device code may refer to that of other files and is linked later (default: false)",
                  "<bool>">;

// ---- Linking
defm l : Short<"l", "library", LINK, "Link with lib<name>", "<name>">;
defm L : Short<"L", "library-path", LINK, "Search <directory> for libraries", "<directory>">;
defm Xlinker : Value2<"Xlinker", "linker-options", LINK, "Pass <option>,… to the linker",
                      "<option>,…">;
def Wl : Joined<["-"], "Wl,">, Group<LINK>, MetaVarName<"<option>,…">,
         HelpText<"Pass options to the linker">;
let Values = "static,shared,none" in
defm cudart : Value<"cudart", LINK, "Which CUDA runtime to link: static (default), shared, none",
                    "<kind>">;
defm cudadevrt : Value<"cudadevrt", IGNORED, "">;
defm no_device_link : Switch<"nodlink", "no-device-link", LINK,
                             "Link without linking device code">;
defm arbin : Value2<"arbin", "archiver-binary", LINK, "The program that -lib runs", "<program>">;
defm Xarchive : Value2<"Xarchive", "archive-options", LINK, "Pass <option>,… to the archiver",
                       "<option>,…">;
def pthread : Flag<["-"], "pthread">, Group<LINK>, HelpText<"Accepted: always linked">;

// ---- Vortex
let Values = deviceOutputs in
defm emit : Value<"emit", VORTEX,
                  !strconcat("Device code only: ",
                             !subst("nvvm, ir", "nvvm (front end), ir (lowered)",
                                    !subst(",", ", ", deviceOutputs))),
                  "<kind>">;
let Values = "hw,sw,auto" in
defm lower : Value<"lower", VORTEX,
                   "How kernels are lowered: hw, sw, or auto (default): both, chosen at launch",
                   "<how>">;
defm lower_kernel : Value<"lower-kernel", VORTEX, "How one kernel is lowered",
                          "<kernel>=<how>">;
def Rvx_lower : Flag<["-"], "Rvx-lower">, Group<VORTEX>,
                HelpText<"Say how each kernel is lowered and what it needs">;
let Values = "vortex,host" in
defm target : Value<"target", VORTEX,
                    "Where kernels run: vortex (default), host (threads of this CPU), or vortex,host",
                    "<where>">;
let Values = "32,64" in
defm vx_xlen : Value<"vx-xlen", VORTEX, "Register width of the device: 32, 64 (default), or 32,64 for images of both",
                     "<bits>">;
let Values = "base,upstream,warp,paths" in
defm vx_isa : Value<"vx-isa", VORTEX,
                    "Instructions that may be used: base, upstream, warp (default), paths (no divergence instructions); several, as in warp,paths: an image for each", "<profile>">;
let Values = "true,false" in
defm vx_zicond : Value<"vx-zicond", VORTEX,
                       "Whether conditional-zero instructions may be used: true (default), false, or true,false for images of both", "<bool>">;
let Values = "wide,exact" in
defm vx_tiles : Value<"vx-tiles", VORTEX,
                      "Groups of threads of tile kernels: wide (default): as wide as warps are; exact: one for each tile", "<how>">;
defm vx_coarsen : Value<"vx-coarsen", VORTEX,
                        "Also build hw variants for hardware warps of 8 lanes, each of which runs four threads: true (default), false",
                        "<bool>">;
defm vx_mapping_budget : Value<"vx-mapping-budget", VORTEX,
                               "Instructions of kernels in a file for which the mapping coarsened is built (default: 2000); 0: for all",
                               "<n>">;
defm vx_defer_sw : Value<"vx-defer-sw", VORTEX,
                         "A file whose kernels have more instructions has its sw lowering compiled when a program first asks for it (default: 4000); 0: it is in every program",
                         "<n>">;
def fvx_check : Flag<["-"], "fvx-check">, Group<VORTEX>,
                HelpText<"Keep every access to memory, and tell the checkers of the simulator what threads synchronize">;
defm Xvxlink : Value<"Xvxlink", VORTEX, "Pass <option>,… to the device linker", "<option>,…">;

// ---- The tool
defm dryrun : Switch<"dryrun", "dry-run", TOOL, "Print the steps, do nothing">;
defm v : Switch<"v", "verbose", TOOL, "Print the steps while doing them">;
defm res_usage : Switch<"res-usage", "resource-usage", TOOL,
                        "Print the registers, stack and shared memory of each kernel">;
defm Xptxas : Value2<"Xptxas", "ptxas-options", TOOL,
                     "-v: as -res-usage; other options have no effect", "<option>,…">;
defm keep : Switch<"keep", "save-temps", TOOL, "Keep intermediate files">;
defm keep_dir : Value<"keep-dir", TOOL, "Where --keep puts them", "<directory>">;
defm clean : Switch<"clean", "clean-targets", TOOL,
                    "Remove what the same command without this option would write">;
defm time : Value<"time", TOOL, "Append the time of each step to <file>, as comma-separated values",
                  "<file>">;
defm fdevice_time_trace : Value<"fdevice-time-trace", TOOL,
                                "Write where the compiler spends its time to <file>, for chrome://tracing; -: the output's name with .json",
                                "<file>">;
defm split_compile : Value<"split-compile", TOOL,
                           "Threads for the code of one large file; 0 (default): as many as there are processors",
                           "<number>">;
let Values = "true,false" in
defm brief_diag : Value2<"brief-diag", "brief-diagnostics", TOOL,
                         "Diagnostics without source lines (default: false)", "<bool>">;
defm list_gpu_arch : Switch<"arch-ls", "list-gpu-arch", TOOL,
                            "Print the compute_… that -arch accepts">;
defm list_gpu_code : Switch<"code-ls", "list-gpu-code", TOOL, "Print the sm_… that -arch accepts">;
def clangd_config : Flag<["--"], "clangd-config">, Group<TOOL>,
                    HelpText<"Print a configuration for clangd, to be saved as .clangd">;
defm optf : Value2<"optf", "options-file", TOOL, "Read options from <file>, as @<file>",
                   "<file>">;
defm version : Switch<"version", "V", TOOL, "Print the version">;
defm help : Switch<"help", "h", TOOL, "Print this text">;

// ---- Accepted without effect: they tune NVIDIA's tools or its GPUs.
defm ccbin : Value2<"ccbin", "compiler-bindir", IGNORED, "">;
defm maxrregcount : Value<"maxrregcount", IGNORED, "">;
defm ftz : Value<"ftz", IGNORED, "">;
defm prec_div : Value<"prec-div", IGNORED, "">;
defm prec_sqrt : Value<"prec-sqrt", IGNORED, "">;
def t : JoinedOrSeparate<["-"], "t">, Group<IGNORED>;
def t_eq : Joined<["-"], "t=">, Group<IGNORED>, Alias<t>;
defm threads : Value<"threads", IGNORED, "">;
defm Xnvlink : Value2<"Xnvlink", "nvlink-options", IGNORED, "">;
defm Xcudafe : Value<"Xcudafe", IGNORED, "">;
defm Xfatbin : Value2<"Xfatbin", "fatbin-options", IGNORED, "">;
defm diag_suppress : Value<"diag-suppress", IGNORED, "">;
defm diag_error : Value<"diag-error", IGNORED, "">;
defm diag_warn : Value<"diag-warn", IGNORED, "">;
defm cuda_path : Value<"cuda-path", IGNORED, "">;
defm extra_device_vectorization : Switch<"extra-device-vectorization", "edv", IGNORED, "">;
defm restrict : Switch<"restrict", "kernel-pointers-restrict", IGNORED, "">;
defm source_in_ptx : Switch<"src-in-ptx", "source-in-ptx", IGNORED, "">;
defm forward_unknown : Switch<"forward-unknown-to-host-compiler",
                              "forward-unknown-opts", LANGUAGE,
                              "Pass unknown options to the host half">;
defm allow_unsupported : Switch<"allow-unsupported-compiler", "allow-unsupported", IGNORED, "">;
defm objtemp : Switch<"objtemp", "objdir-as-tempdir", IGNORED, "">;
defm link : Switch<"link", "do-link", IGNORED, "">;
defm display_error_number : Switch<"display-error-number", "err-no", IGNORED, "">;
defm no_display_error_number : Switch<"no-display-error-number", "no-err-no", IGNORED, "">;
defm dlto : Switch<"dlto", "lto", IGNORED, "">;
def dlink_time_opt : F<"dlink-time-opt">, Group<IGNORED>;
defm dopt : Value2<"dopt", "dopt-mode", IGNORED, "">;
defm no_compress : Switch<"no-compress", "no-compression", IGNORED, "">;
defm compress_mode : Value<"compress-mode", IGNORED, "">;
defm extensible_whole_program : Switch<"ewp", "extensible-whole-program", IGNORED, "">;
defm forward_linker : Switch<"forward-unknown-to-host-linker", "forward-unknown-linker", IGNORED, "">;
defm ldir : Value2<"ldir", "libdevice-directory", IGNORED, "">;
defm target_dir : Value2<"target-dir", "target-directory", IGNORED, "">;
defm no_hd_list : Switch<"nohdinitlist", "no-host-device-initializer-list", IGNORED, "">;
defm no_hd_move : Switch<"nohdmoveforward", "no-host-device-move-forward", IGNORED, "">;
defm noprof : Switch<"noprof", "dont-use-profile", IGNORED, "">;
defm hls : Value2<"hls", "host-linker-script", IGNORED, "">;
defm aug_hls : Switch<"aug-hls", "augment-host-linker-script", IGNORED, "">;
defm opt_info : Value2<"opt-info", "optimization-info", IGNORED, "">;
defm jump_table_density : Value2<"jtd", "jump-table-density", IGNORED, "">;
defm ofast_compile : Value2<"Ofc", "Ofast-compile", IGNORED, "">;
defm frandom_seed : Value<"frandom-seed", IGNORED, "">;
defm keep_device_functions : Switch<"keep-device-functions", "keep-functions", IGNORED, "">;
defm static_stub : Value2<"static-global-template-stub", "static-stub", IGNORED, "">;
defm entity_visibility : Value<"device-entity-has-hidden-visibility", IGNORED, "">;
defm entries : Value2<"e", "entries", IGNORED, "">;
defm split_compile_extended : Value<"split-compile-extended", IGNORED, "">;
defm gen_opt_lto : Switch<"gen-opt-lto", "generate-opt-lto", IGNORED, "">;
defm device_stack_protector : Value2<"device-stack-protector", "stack-protector", IGNORED, "">;
defm minimal : Switch<"minimal", "minimal-compile", IGNORED, "">;
defm use_local_env : Switch<"use-local-env", "local-env", IGNORED, "">;
def force_cl_env_setup : F<"force-cl-env-setup">, Group<IGNORED>;
def no_align_double : Flag<["--"], "no-align-double">, Group<IGNORED>;
def jobserver : F<"jobserver">, Group<IGNORED>;
defm idp : Value2<"idp", "input-drive-prefix", IGNORED, "">;
defm ddp : Value2<"ddp", "dependency-drive-prefix", IGNORED, "">;
defm dp : Value2<"dp", "drive-prefix", IGNORED, "">;
