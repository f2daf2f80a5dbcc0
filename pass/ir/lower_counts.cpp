// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where machine code has other instructions than the one for each of the IR, for it is optimised
// more than we do, who keep loops as they were written: addresses advance, parameters are read
// where they are needed, and what an iteration stores the next one needn't load; and instructions
// of which the IR knows nothing.
#include "ir/address_spaces.h"
#include "ir/lower_internal.h"
#include "ir/own_sums.h"
#include "ir/remainders.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

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

void Lowering::countRemainders() {
  if (Out.Compiler != DCP_NVCC)
    return;
  for (Instruction &I : instructions(F))
    if (wasRemainder(I)) {
      const char *Name = I.getType()->getScalarSizeInBits() > 32 ? "rem u64" : "rem u32";
      uint32_t Count = dc_machine_code_count(Out.MachineCode, Name, 1);
      current(I).machine = static_cast<uint16_t>(std::min(Count, uint32_t(UINT16_MAX)));
    }
}

void Lowering::countAtEnd(const BasicBlock &BB) {
  uint16_t &Count = Out.Values[Ids.lookup(BB.getTerminator())].machine;
  Count += Count < UINT16_MAX;
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
    countAtEnd(*readsFor(Reader, DT, CI));
  }
}

// Whether addresses alone use an index that was widened.
static bool scalesAlone(const SExtInst &Widened) {
  return all_of(Widened.users(), [](const User *U) { return isa<GetElementPtrInst>(U); });
}

// Where a sign is widened for the blocks behind it: as late as all of them can have it, but in no
// further loop; NULL: it isn't used there.
static const BasicBlock *widenedFor(const SExtInst &Widened, const DominatorTree &DT,
                                    const CycleInfo &CI) {
  const BasicBlock *Own = Widened.getParent(), *Found = nullptr;
  for (const User *U : Widened.users()) {
    const BasicBlock *BB = cast<Instruction>(U)->getParent();
    if (BB != Own && DT.isReachableFromEntry(BB))
      Found = Found ? DT.findNearestCommonDominator(Found, BB) : BB;
  }
  return Found && CI.getCycle(Found) != CI.getCycle(Own) ? Own : Found;
}

// A sign that is widened is part of an address in its own block (IMAD.WIDE), and an instruction for
// those of others.
void Lowering::countWidenings(const DominatorTree &DT, const CycleInfo &CI) {
  for (Instruction &I : instructions(F)) {
    auto *Widened = dyn_cast<SExtInst>(&I);
    const BasicBlock *BB =
        Widened && scalesAlone(*Widened) ? widenedFor(*Widened, DT, CI) : nullptr;
    if (BB)
      countAtEnd(*BB);
  }
}

// Whether a block has nothing but its branch.
static bool isEmpty(const BasicBlock &BB) {
  return all_of(BB, [](const Instruction &I) {
    return I.isTerminator() || isa<PHINode>(I) || I.isDebugOrPseudoInst();
  });
}

static bool jumps(const BasicBlock &BB) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  return Branch && Branch->isUnconditional();
}

// A loop that is left neither where it begins nor where it ends has a jump at its end; where that
// is the end of a side of a branch, it is the side's.
void Lowering::countJumps(const CycleInfo &CI) {
  for (BasicBlock &BB : F) {
    const Cycle *C = CI.getCycle(&BB);
    if (!C || C->getHeader() != &BB ||
        any_of(successors(&BB), [C](const BasicBlock *To) { return !C->contains(To); }))
      continue;
    for (BasicBlock *Latch : predecessors(&BB)) {
      if (!C->contains(Latch) || !jumps(*Latch))
        continue;
      if (!isEmpty(*Latch)) {
        countAtEnd(*Latch);
        continue;
      }
      for (BasicBlock *Before : predecessors(Latch))
        if (jumps(*Before))
          countAtEnd(*Before);
    }
  }
}

// Whether lanes that come to a block of a kernel end there, or behind a few that are empty.
static bool endsLanes(const BasicBlock *BB) {
  constexpr unsigned Few = 8;
  for (unsigned K = 0; K < Few && BB && isEmpty(*BB); ++K, BB = BB->getSingleSuccessor())
    if (isa<ReturnInst>(BB->getTerminator()))
      return true;
  return false;
}

// Whether a value counts by one, before or behind the addition.
static bool countsByOne(const Value &V, const Cycle &C) {
  auto *Phi = dyn_cast<PHINode>(&V);
  auto *Sum = dyn_cast<BinaryOperator>(&V);
  if (!Phi && Sum)
    Phi = dyn_cast<PHINode>(Sum->getOperand(0));
  return Phi && Phi->getParent() == C.getHeader() &&
         any_of(Phi->incoming_values(), [Phi](const Use &U) {
           auto *Next = dyn_cast<BinaryOperator>(U.get());
           auto *Step = Next ? dyn_cast<ConstantInt>(Next->getOperand(1)) : nullptr;
           return Step && Next->getOpcode() == Instruction::Add && Next->getOperand(0) == Phi &&
                  (Step->isOne() || Step->isMinusOne());
         });
}

// Whether LLVM tests for the last iteration in place of the bound, and so for where to leave.
static bool testsForLast(const BranchInst &Exit, const Cycle &C) {
  auto *Test = dyn_cast<ICmpInst>(Exit.getCondition());
  auto Stays = [&C](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return !I || !C.contains(I->getParent());
  };
  return Test && ((countsByOne(*Test->getOperand(0), C) && Stays(Test->getOperand(1))) ||
                  (countsByOne(*Test->getOperand(1), C) && Stays(Test->getOperand(0))));
}

// Whether a loop of a kernel, behind which nothing is, has its exit in front of a jump back: where
// clang's branch is taken to leave, and in loops of several blocks, whose last isn't laid out last.
static bool exitsBeforeJump(const Cycle &C) {
  SmallVector<BasicBlock *, 4> Exiting;
  C.getExitingBlocks(Exiting);
  auto *Exit = Exiting.size() == 1 ? dyn_cast<BranchInst>(Exiting[0]->getTerminator()) : nullptr;
  if (!Exit || !Exit->isConditional())
    return false;
  bool InMiddle =
      Exiting[0] != C.getHeader() && !is_contained(successors(Exiting[0]), C.getHeader());
  bool Ends = all_of(Exit->successors(),
                     [&C](const BasicBlock *To) { return C.contains(To) || endsLanes(To); });
  bool HasOther = any_of(C.blocks(), [Exit](const BasicBlock *BB) {
    return BB->getTerminator() != Exit && BB->getTerminator()->getNumSuccessors() > 1;
  });
  return !InMiddle && Ends && (HasOther || testsForLast(*Exit, C));
}

void Lowering::countInLatches(const Cycle &C) {
  for (BasicBlock *Latch : predecessors(C.getHeader()))
    if (C.contains(Latch))
      countAtEnd(*Latch);
}

bool Lowering::jumpsAtEnd(const Cycle &C) const {
  return Out.IsKernel && Out.Compiler != DCP_NVCC && exitsBeforeJump(C);
}

void Lowering::countLastExits(const CycleInfo &CI) {
  for (BasicBlock &BB : F) {
    const Cycle *C = CI.getCycle(&BB);
    if (C && C->getHeader() == &BB && jumpsAtEnd(*C))
      countInLatches(*C);
  }
}

// Whether a value is computed from what an atomic of the loop returned, in the lane itself.
static bool restsOnAtomic(Value &Of, const Cycle &C) {
  SmallVector<Value *, 8> Open = {&Of};
  SmallPtrSet<Value *, 8> Seen;
  while (!Open.empty()) {
    auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !C.contains(I->getParent()) || !Seen.insert(I).second)
      continue;
    if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
      return true;
    if (!isa<CallBase>(I) && !I->mayReadFromMemory())
      Open.append(I->op_begin(), I->op_end());
  }
  return false;
}

// Where lanes may wait in a loop for what others do, ptxas lets these go on (YIELD).
void Lowering::countYields(const CycleInfo &CI) {
  for (BasicBlock &BB : F) {
    const Cycle *C = CI.getCycle(&BB);
    if (!C || C->getHeader() != &BB)
      continue;
    SmallVector<BasicBlock *, 4> Exiting;
    C->getExitingBlocks(Exiting);
    if (any_of(Exiting, [C](const BasicBlock *From) {
          auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
          return Branch && Branch->isConditional() && restsOnAtomic(*Branch->getCondition(), *C);
        }))
      countAtEnd(BB);
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

static bool hasOneExit(const Cycle &C) {
  SmallVector<BasicBlock *, 4> Exiting;
  C.getExitingBlocks(Exiting);
  return Exiting.size() == 1;
}

// Whether LLVM lets an address advance with the iterations of C.
static bool advancesInEach(const Instruction &I, const Cycle &C) {
  auto *Address = dyn_cast<GetElementPtrInst>(&I);
  if (!Address || Address->getNumIndices() != 1 || hasShortAddress(*Address))
    return false;
  auto *Base = dyn_cast<Instruction>(Address->getPointerOperand());
  return !(Base && C.contains(Base->getParent())) && advances(Address->getOperand(1), C);
}

// LLVM lets the addresses of an innermost loop advance, so that each takes an addition of two words
// (LoopStrengthReduce), where it would be a product and a sum otherwise. Of several that advance
// together ptxas has the words apart, and moves all but one to where a load wants them; so it does
// with both words of one where it jumps back behind an exit.
void Lowering::countAddressSteps(const DominatorTree &DT, const CycleInfo &CI) {
  DenseMap<const Cycle *, unsigned> Advancing;
  for (BasicBlock &BB : F) {
    const Cycle *C = CI.getCycle(&BB);
    if (!C || !C->children().empty() || !isInEach(BB, *C, DT))
      continue;
    for (Instruction &I : BB) {
      uint16_t &Count = current(I).machine;
      if (Count != 1 || !advancesInEach(I, *C))
        continue;
      unsigned Before = Advancing[C]++;
      Count = 2;
      if (hasOneExit(*C))
        Count += Before == 0 ? 0 : Before == 1 ? 3 : 2;
    }
  }
  for (auto [C, N] : Advancing)
    for (unsigned Word = 0; N == 1 && jumpsAtEnd(*C) && Word < 2; ++Word)
      countInLatches(*C);
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
