// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opencl-lower-printf: a call of OpenCL's variadic printf becomes CUDA's vprintf with the
// arguments packed in memory. A vector is packed element by element, and its conversion written out
// as often:
//
//   printf("%v2hlf\n", v)      vprintf("%f,%f\n", {(double)v.x, (double)v.y})
//
// The result is OpenCL's: 0, or -1 when the text could not be written.

#include "frontend/opencl/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::opencl {
namespace {

/// One conversion of a format: %[flags][width][.precision][vN][length]letter.
struct Conversion {
  std::string head;      ///< "%", flags, width, precision
  unsigned elements = 0; ///< of a vector; 0: a scalar
  StringRef length;
  char letter = 0;
};

/// Reads the conversion at the start of TEXT, which is "%…", and drops it.
std::optional<Conversion> takeConversion(StringRef &text) {
  Conversion c;
  size_t end = text.find_first_not_of("-+ #0123456789.*", 1);
  if (end == StringRef::npos)
    return std::nullopt;
  c.head = text.take_front(end).str();
  text = text.drop_front(end);
  if (text.consume_front("v") && text.consumeInteger(10, c.elements))
    return std::nullopt;
  size_t length = std::min(text.find_first_not_of("hlLjzt"), text.size());
  c.length = text.take_front(length);
  text = text.drop_front(length);
  if (text.empty())
    return std::nullopt;
  c.letter = text.front();
  text = text.drop_front();
  return c;
}

/// Packs the arguments of one call.
class PrintfLowering {
public:
  explicit PrintfLowering(CallInst &call) : call(call), b(&call) {}

  void run() {
    StringRef format;
    Value *text = call.getArgOperand(0);
    if (getConstantStringInfo(text, format) && format.contains('%')) {
      std::optional<std::string> rewritten = rewrite(format);
      if (!rewritten)
        return report("the format of printf asks for something else than its arguments are");
      if (*rewritten != format)
        text = b.CreateGlobalString(*rewritten, "format",
                                    call.getArgOperand(0)->getType()->getPointerAddressSpace());
    } else {
      for (Value *arg : drop_begin(call.args()))
        packScalar(arg);
    }
    Type *ptr = b.getPtrTy();
    FunctionCallee vprintf =
        call.getModule()->getOrInsertFunction("vprintf", b.getInt32Ty(), ptr, ptr);
    Value *done = b.CreateCall(vprintf, {b.CreateAddrSpaceCast(text, ptr), pack()});
    Value *failed = b.CreateICmpSLT(done, b.getInt32(0));
    call.replaceAllUsesWith(b.CreateSelect(failed, b.getInt32(-1), b.getInt32(0)));
    call.eraseFromParent();
  }

private:
  /// Returns FORMAT without vectors, each argument in `packed`; nothing if they do not fit
  /// together.
  std::optional<std::string> rewrite(StringRef format) {
    std::string result;
    unsigned next = 1;
    auto take = [&]() -> Value * {
      return next < call.arg_size() ? call.getArgOperand(next++) : nullptr;
    };
    while (!format.empty()) {
      size_t percent = std::min(format.find('%'), format.size());
      result += format.take_front(percent);
      format = format.drop_front(percent);
      if (format.empty())
        break;
      if (format.starts_with("%%")) {
        result += "%%";
        format = format.drop_front(2);
        continue;
      }
      std::optional<Conversion> c = takeConversion(format);
      if (!c)
        return std::nullopt;
      for (char star : c->head)
        if (star == '*') {
          Value *value = take();
          if (!value)
            return std::nullopt;
          packScalar(value);
        }
      Value *value = take();
      if (!value)
        return std::nullopt;
      if (!c->elements) {
        result += c->head + c->length.str() + c->letter;
        packScalar(value);
        continue;
      }
      auto *vector = dyn_cast<FixedVectorType>(value->getType());
      if (!vector || vector->getNumElements() != c->elements)
        return std::nullopt;
      result += join(SmallVector<std::string, 16>(c->elements, elementSpec(*c)), ",");
      packVector(value, *vector, StringRef("diouxXc").contains(c->letter),
                 StringRef("di").contains(c->letter));
    }
    return result;
  }

  /// Returns the conversion of one element. "hl" says 32 bits, which is not a length in C.
  static std::string elementSpec(const Conversion &c) {
    bool isFloat = StringRef("fFeEgGaA").contains(c.letter);
    StringRef length = isFloat || c.length == "hl" ? "" : c.length;
    return c.head + length.str() + c.letter;
  }

  void packVector(Value *vector, FixedVectorType &type, bool asInteger, bool isSigned) {
    Type *element = type.getElementType();
    for (unsigned i = 0; i != type.getNumElements(); ++i) {
      Value *value = b.CreateExtractElement(vector, i);
      if (element->isFloatingPointTy())
        value = b.CreateFPExt(value, b.getDoubleTy());
      else if (element->getIntegerBitWidth() < 32)
        value =
            isSigned ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
      packed.push_back(value);
    }
  }

  void packScalar(Value *value) {
    Type *type = value->getType();
    if (type->isFloatTy() || type->isHalfTy())
      value = b.CreateFPExt(value, b.getDoubleTy());
    else if (type->isPointerTy())
      value = b.CreateAddrSpaceCast(value, b.getPtrTy());
    packed.push_back(value);
  }

  /// Returns the buffer with the arguments.
  Value *pack() {
    if (packed.empty())
      return ConstantPointerNull::get(b.getPtrTy());
    SmallVector<Type *, 8> types;
    for (Value *value : packed)
      types.push_back(value->getType());
    StructType *layout = StructType::get(call.getContext(), types);
    IRBuilder<> entry(&call.getFunction()->getEntryBlock().front());
    AllocaInst *slot = entry.CreateAlloca(layout, nullptr, "printf.arguments");
    for (auto [i, value] : enumerate(packed))
      b.CreateStore(value, b.CreateStructGEP(layout, slot, i));
    return slot;
  }

  void report(const Twine &message) {
    call.getContext().diagnose(DiagnosticInfoGenericWithLoc(
        message, *call.getFunction(), DiagnosticLocation(call.getDebugLoc())));
    call.replaceAllUsesWith(b.getInt32(-1));
    call.eraseFromParent();
  }

  CallInst &call;
  IRBuilder<> b;
  SmallVector<Value *, 8> packed;
};

} // namespace

PreservedAnalyses LowerPrintfPass::run(Module &m, ModuleAnalysisManager &) {
  Function *printf = m.getFunction("printf");
  if (!printf || !printf->isDeclaration())
    return PreservedAnalyses::all();
  for (User *user : make_early_inc_range(printf->users()))
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == printf)
      PrintfLowering(*call).run();
  return PreservedAnalyses::none();
}

} // namespace vx::opencl
