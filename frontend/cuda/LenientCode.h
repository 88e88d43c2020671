// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates that nvcc's front end accepts and the standard does not, found by clang's errors: what
// is said to be missing is inserted into the text, and the source is read again.
//
//   typename R::with_scope<s>     ->  typename R::template with_scope<s>
//   x.insert<true>(v)             ->  x.template insert<true>(v)
//   S::storage_type(n)            ->  typename S::storage_type(n)
//   using ::arg;                  ->  using ::std::arg;        where only std has it
//   f(x)                          ->  this->f(x)               where f is of a dependent base
//   if constexpr (this->is_set)   ->  if constexpr (__vx_bare<decltype(*this)>::type::is_set)
//   constexpr int f() { X x; … }  ->  inline    int f() { X x; … }       where X is not a literal
//   void A<T>::f(int a, int b = 3) {   ->  void A<T>::f(int a, int b) {      where A has no default
//   type int f();                      ->  __attribute__((device)) int f();   where only the
//   definition
//                                     out of the class says so
//
// Members of types that are incomplete where the template is written: the source is read again with
// templates parsed when they are instantiated. So it is where the device half does not know a name,
// as nvcc's device half does not look at templates that it does not need. Where the wait for the
// need of a function has lost an error, it is read again to give errors at once, and where a
// function of the program has the name of a builtin, without that (OwnBuiltins.h).
//
// Only sources with such errors are read again. Other tokens keep their lines.

#ifndef VX_FRONTEND_LENIENT_CODE_H
#define VX_FRONTEND_LENIENT_CODE_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>
#include <string>

namespace vx {

/// The changes to make in the files of one compilation.
class LenientCode {
public:
  explicit LenientCode(bool isDevice) : isDevice(isDevice) {}

  /// Takes note of the change that makes the error INFO go away, or that which INFO is a note of,
  /// if there is one.
  void note(const clang::Diagnostic &info);

  /// Makes the changes of the last run. Returns false if there were none: another run would say the
  /// same.
  bool apply();

  bool hasChanges() const { return !changed.empty() || delays || atOnce || !builtins.empty(); }

  /// Returns true if templates are to be parsed when they are instantiated.
  bool delaysTemplates() const { return delays; }

  /// Returns true if errors are to be given at once, and not when their functions turn out to be
  /// needed.
  bool givesErrorsAtOnce() const { return atOnce; }

  /// Returns the builtins whose names are those of functions of the program.
  const std::set<std::string> &forgottenBuiltins() const { return builtins; }

  /// FILES, with what was changed over it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
  over(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) const;

private:
  struct Change {
    size_t length;
    std::string text;
  };
  struct File {
    std::string text;                 ///< as the run read it
    std::map<size_t, Change> changes; ///< by their places in the text
  };
  struct Place;

  void removeDefaultArgument(const clang::Diagnostic &info);

  /// Lets MAKE change the file of INFO at its place, unless that is in a macro.
  void change(const clang::Diagnostic &info, llvm::function_ref<void(Place)> make);
  /// Lets MAKE change the file at AT, which may be an argument of a macro.
  void change(const clang::Diagnostic &info, clang::SourceLocation at,
              llvm::function_ref<void(Place)> make);

  std::map<std::string, File> files; ///< by the names that the run had for them
  std::map<std::string, std::string> changed;
  std::set<std::string> builtins, wantedBuiltins; ///< to be forgotten
  bool isDevice, delays = false, wantsDelay = false, atOnce = false, wantsAtOnce = false;
};

} // namespace vx

#endif // VX_FRONTEND_LENIENT_CODE_H
