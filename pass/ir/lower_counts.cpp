// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where machine code has other instructions than the one for each of the IR, for it is optimised
// more than we do, who keep loops as they were written: addresses advance, parameters are read
// where they are needed, and what an iteration stores the next one needn't load.
#include "ir/address_spaces.h"
#include "ir/lower_internal.h"
#include "ir/own_sums.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace divcost {

// Where a block's parameters are read: in front of a loop that has no loops in it.
static BasicBlock *readsFor(BasicBlock *BB, const DominatorTree &DT, const CycleInfo &CI) {
  for (const Cycle *C = CI.getCycle(BB); C && C->children().empty(); C = CI.getCycle(BB)) {
    auto *Node = DT.getNode(C->getHeader());
    if (!Node || !Node->getIDom())
      break;
    BB = Node->getIDom()->getBlock();
  }
  return BB;
}

// The instructions that read the parameters of a kernel into registers: each once, as late as all
// that need it can have it, but in no innermost loop. They count for the block's terminator.
void Lowering::countParameterReads(const DominatorTree &DT, const CycleInfo &CI) {
  for (Argument &A : F.args()) {
    BasicBlock *Reader = nullptr;
    for (const Use &U : A.uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(I);
      BasicBlock *BB = Phi ? Phi->getIncomingBlock(U) : I->getParent();
      if (DT.isReachableFromEntry(BB)) {
        BB = readsFor(BB, DT, CI);
        Reader = Reader ? DT.findNearestCommonDominator(Reader, BB) : BB;
      }
    }
    if (!Reader || A.hasByValAttr())
      continue;
    uint16_t &Count = Out.Values[Ids.lookup(readsFor(Reader, DT, CI)->getTerminator())].machine;
    Count += Count < UINT16_MAX;
  }
}

// Whether what is widened may wrap before.
static bool mayWrap(const Value &V) {
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(&V);
  return Sum && !Sum->hasNoSignedWrap() && !Sum->hasNoUnsignedWrap() &&
         ownSum(*cast<Instruction>(Sum)) == SSA_SUM_OWN;
}

// Whether a value advances by a constant from one iteration to the next, before it is widened or
// scaled.
static bool advances(const Value *V, const Cycle &C) {
  for (;;) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || isa<PHINode>(I))
      break;
    bool Scaled = isa<BinaryOperator>(I) && isa<Constant>(I->getOperand(1)) &&
                  (I->getOpcode() == Instruction::Add || I->getOpcode() == Instruction::Mul ||
                   I->getOpcode() == Instruction::Shl);
    bool Widened = isa<SExtInst>(I) || isa<ZExtInst>(I);
    if ((!Widened && !Scaled) || (Widened && mayWrap(*I->getOperand(0))))
      return false;
    V = I->getOperand(0);
  }
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != C.getHeader())
    return false;
  return any_of(Phi->incoming_values(), [Phi](const Use &U) {
    auto *Next = dyn_cast<BinaryOperator>(U.get());
    return Next && Next->getOpcode() == Instruction::Add && Next->getOperand(0) == Phi &&
           isa<ConstantInt>(Next->getOperand(1));
  });
}

// Whether a word is enough: in shared and local memory.
static bool hasShortAddress(const Value &Address) {
  const Value *Object = getUnderlyingObject(&Address);
  return isa<AllocaInst>(Object) || Object->getType()->getPointerAddressSpace() == SharedSpace;
}

// Whether all iterations of a loop go through a block of it.
static bool isInEach(const BasicBlock &BB, const Cycle &C, const DominatorTree &DT) {
  return all_of(predecessors(C.getHeader()), [&](const BasicBlock *From) {
    return !C.contains(From) || DT.dominates(&BB, From);
  });
}

// LLVM lets the addresses of an innermost loop advance, so that each takes an addition of two words
// (LoopStrengthReduce), where it would be a product and a sum otherwise.
void Lowering::countAddressSteps(const DominatorTree &DT, const CycleInfo &CI) {
  for (BasicBlock &BB : F) {
    const Cycle *C = CI.getCycle(&BB);
    if (!C || !C->children().empty() || !isInEach(BB, *C, DT))
      continue;
    for (Instruction &I : BB) {
      auto *Address = dyn_cast<GetElementPtrInst>(&I);
      if (!Address || Address->getNumIndices() != 1 || hasShortAddress(*Address))
        continue;
      auto *Base = dyn_cast<Instruction>(Address->getPointerOperand());
      uint16_t &Count = Out.Values[Ids.lookup(Address)].machine;
      if (Count == 1 && !(Base && C->contains(Base->getParent())) &&
          advances(Address->getOperand(1), *C))
        Count = 2;
    }
  }
}

// The one address that a loop writes to, the same in all iterations; NULL: there is none, or
// another may be written to.
static const Value *writtenAddress(const Cycle &C) {
  const Value *Address = nullptr;
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB) {
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store && I.mayWriteToMemory())
        return nullptr;
      if (!Store || Store->getPointerOperand() == Address)
        continue;
      auto *Computed = dyn_cast<Instruction>(Store->getPointerOperand());
      if (Address || !Store->isSimple() || (Computed && C.contains(Computed->getParent())))
        return nullptr;
      Address = Store->getPointerOperand();
    }
  return Address;
}

// The type of what each iteration stores there last; NULL: not each does.
static const Type *storedInEach(const Cycle &C, const Value &Address, const DominatorTree &DT) {
  for (const User *U : Address.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && C.contains(Store->getParent()) && isInEach(*Store->getParent(), C, DT))
      return Store->getValueOperand()->getType();
  }
  return nullptr;
}

// `*sum += a[i]`: LLVM hands on what an iteration has stored to the next (GVN), which loads
// nothing, but stores, for a[i] may be there, too.
void Lowering::countCarriedLoads(const DominatorTree &DT, const CycleInfo &CI) {
  DenseMap<const Cycle *, const Value *> Addresses;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB) {
      const Cycle *C = isa<LoadInst>(I) ? CI.getCycle(&BB) : nullptr;
      if (!C || !cast<LoadInst>(I).isSimple() || !isInEach(BB, *C, DT))
        continue;
      auto [Known, New] = Addresses.try_emplace(C);
      if (New)
        Known->second = writtenAddress(*C);
      const Value *Address = Known->second;
      if (Address && getLoadStorePointerOperand(&I) == Address &&
          storedInEach(*C, *Address, DT) == I.getType())
        current(I).machine = current(I).size = 0;
    }
}

} // namespace divcost
