// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/small_copies.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace {

constexpr uint64_t SizeMax = 128; // beyond, the backend makes a loop
constexpr uint64_t WidthMax = 16; // of an access

// What so many bytes are moved as.
Type *typeOf(LLVMContext &Context, uint64_t Bytes) {
  Type *Word = Type::getInt32Ty(Context);
  return Bytes > 4
             ? static_cast<Type *>(FixedVectorType::get(Word, static_cast<unsigned>(Bytes / 4)))
             : IntegerType::get(Context, static_cast<unsigned>(8 * Bytes));
}

void expand(MemCpyInst &Copy, uint64_t Size) {
  IRBuilder<> Builder(&Copy);
  uint64_t Aligned = std::min(Copy.getSourceAlign().valueOrOne().value(),
                              Copy.getDestAlign().valueOrOne().value());
  for (uint64_t At = 0, Width; At < Size; At += Width) {
    for (Width = std::min(WidthMax, Aligned); Width > Size - At;)
      Width /= 2;
    Type *Part = typeOf(Builder.getContext(), Width);
    Value *From = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Copy.getRawSource(), At);
    Value *To = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Copy.getRawDest(), At);
    Builder.CreateAlignedStore(Builder.CreateAlignedLoad(Part, From, Align(Width)), To,
                               Align(Width));
  }
  Copy.eraseFromParent();
}

} // namespace

void divcost::expandSmallCopies(Function &F) {
  SmallVector<std::pair<MemCpyInst *, uint64_t>, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      if (auto *Size = dyn_cast<ConstantInt>(Copy->getLength());
          Size && !Copy->isVolatile() && Size->getZExtValue() <= SizeMax)
        Found.emplace_back(Copy, Size->getZExtValue());
  for (auto [Copy, Size] : Found)
    expand(*Copy, Size);
}
