// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of lowering share: one visit per instruction, in these files.
//   lower_control_flow.cpp    blocks, edges and the forest of loops
//   lower_instructions.cpp    arithmetic, which keeps its meaning, and everything else, of which
//                             what divergence needs
//   lower_reals.cpp           floating-point arithmetic, where its result is known but for rounding
//   lower_calls.cpp           intrinsics, inline PTX, the device library
//   lower_memory.cpp          addresses and accesses
//   lower_counts.cpp          machine instructions that loops have more or fewer of
//   lower_loop_metadata.cpp   what is said of loops, in their metadata and in the source
#ifndef DIVCOST_PASS_IR_LOWER_INTERNAL_H
#define DIVCOST_PASS_IR_LOWER_INTERNAL_H

#include "analysis/intrinsics.h"
#include "ir/lower.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace divcost {

inline uint8_t mixOf(dc_mix Mix) { return static_cast<uint8_t>(Mix + 1); }

// Where the addresses of a function lead.
class MemoryFacts {
public:
  MemoryFacts(const llvm::Function &F, bool IsKernel);
  // The kind of memory, and the parameter, variable or alloca behind an address where there is just
  // one, else NULL.
  ssa_space spaceOf(const llvm::Value *Address, const llvm::Value **Root = nullptr) const;
  // The number of a variable in shared memory, or 0. Arrays whose size the launch gives all begin
  // at the same address, so they are one.
  uint8_t objectOf(const llvm::Value *Root);
  // Whether memory of the thread's own is among what an address may lead to: then one address is
  // another location for each lane.
  bool mayBePrivate(const llvm::Value *Address) const;
  bool neverWritten(const llvm::Value *Root) const;
  // Whether a pointer was read from a structure that the launch passes by value.
  bool isParameterField(const llvm::Value *V) const;

private:
  bool IsKernel;
  llvm::DenseMap<const llvm::Value *, uint8_t> SharedObjects;
  llvm::SmallPtrSet<const llvm::Value *, 16> Written;
  bool AnyWritten = false; // through an address that could not be followed
  bool HasPrivate = false; // memory of the thread's own
};

class Lowering : public llvm::InstVisitor<Lowering> {
public:
  Lowering(llvm::Function &F, const dcp_source &Source, LocationTable &Locations, Lowered &Out);
  void run();

  void visitInstruction(llvm::Instruction &I) { makePure(I, mixOf(DC_MIX_INTEGER)); }
  void visitPHINode(llvm::PHINode &I);
  void visitBinaryOperator(llvm::BinaryOperator &I);
  void visitUnaryOperator(llvm::UnaryOperator &I);
  void visitICmpInst(llvm::ICmpInst &I);
  void visitFCmpInst(llvm::FCmpInst &I);
  void visitSelectInst(llvm::SelectInst &I);
  void visitCastInst(llvm::CastInst &I);
  void visitFreezeInst(llvm::FreezeInst &I) { makeCopy(I, I.getOperand(0)); }
  void visitGetElementPtrInst(llvm::GetElementPtrInst &I);
  void visitLoadInst(llvm::LoadInst &I);
  void visitStoreInst(llvm::StoreInst &I);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &I) {
    makeAtomic(I, I.getPointerOperand(), I.getType());
  }
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &I) {
    makeAtomic(I, I.getPointerOperand(), I.getCompareOperand()->getType());
  }
  void visitAllocaInst(llvm::AllocaInst &I);
  void visitFenceInst(llvm::FenceInst &I) { makeEffect(I, mixOf(DC_MIX_BARRIER)); }
  void visitCallBase(llvm::CallBase &I);
  void visitTerminator(llvm::Instruction &I) { makeEffect(I, mixOf(DC_MIX_CONTROL)); }
  void visitBranchInst(llvm::BranchInst &I) { visitTerminator(I); }
  void visitSwitchInst(llvm::SwitchInst &I) { visitTerminator(I); }
  void visitReturnInst(llvm::ReturnInst &I) { visitTerminator(I); }
  void visitUnreachableInst(llvm::UnreachableInst &I) { makeEffect(I, 0); }

private:
  // lower_instructions.cpp
  unsigned bitsOf(const llvm::Type *T) const;  // of an integer or pointer, or 0
  unsigned widthOf(const llvm::Type *T) const; // of a number that expressions know, or 0
  uint8_t floatMix(const llvm::Value &V) const;
  uint8_t mixOfIntrinsic(const llvm::CallBase &I) const;
  uint32_t text(llvm::StringRef S);
  llvm::StringRef nameOf(const llvm::Value *V) const;
  uint32_t constant(unsigned Bits, int64_t Value);
  uint32_t use(const llvm::Value *V);
  uint32_t add(ssa_value Value, llvm::ArrayRef<uint32_t> Operands);
  uint32_t expression(dc_expr_op Op, unsigned Bits, llvm::ArrayRef<uint32_t> Operands, uint8_t Mix,
                      uint8_t NoWrap = 0);
  ssa_value &current(const llvm::Instruction &I) { return Out.Values[Ids.lookup(&I)]; }
  void setOperands(uint32_t Id, llvm::ArrayRef<uint32_t> Operands);
  void makeExpression(llvm::Instruction &I, dc_expr_op Op, llvm::ArrayRef<uint32_t> Operands);
  void makeOperator(llvm::BinaryOperator &I, dc_expr_op Op);
  void makePure(llvm::Instruction &I, uint8_t Mix);
  void makeCopy(llvm::Instruction &I, const llvm::Value *Operand);
  void makeEffect(llvm::Instruction &I, uint8_t Mix);
  void makeUnknown(llvm::Instruction &I, const llvm::Twine &Why);
  // lower_reals.cpp
  uint32_t summand(const llvm::Value *V, bool &Negated);
  uint32_t real(dc_expr_op Op, unsigned Bits, llvm::ArrayRef<uint32_t> Operands);
  void makeReal(llvm::Instruction &I, dc_expr_op Op, llvm::ArrayRef<uint32_t> Operands);
  bool makeSum(llvm::Instruction &I, bool Subtracts);
  bool makeRealOperator(llvm::BinaryOperator &I);
  bool makeRealCast(llvm::CastInst &I);
  bool makeRealIntrinsic(llvm::CallBase &I);
  bool makeRealFunction(llvm::CallBase &I, llvm::StringRef Name);
  bool makeConversion(llvm::CallBase &I, llvm::StringRef Name);
  // lower_calls.cpp
  void makeIntrinsic(llvm::CallBase &I, const dcp_meaning &Meaning);
  bool makeSumIntrinsic(llvm::IntrinsicInst &I);
  bool makeIntegerIntrinsic(llvm::IntrinsicInst &I);
  bool makeLibraryCall(llvm::CallBase &I, const llvm::Function &Callee);
  // lower_memory.cpp
  const llvm::Value *access(ssa_value &V, const llvm::Value *Address);
  bool makeMemoryIntrinsic(llvm::CallBase &I);
  void makeAtomic(llvm::Instruction &I, const llvm::Value *Address, llvm::Type *Accessed);
  // Whether some launch passes it as an address with an offset.
  bool isDisplaced(const llvm::Value *Root) const;
  void noteAccess(const llvm::Instruction &I, const llvm::Value *Address, llvm::Type *Accessed,
                  llvm::Align Alignment);
  void makeRead(llvm::Instruction &I, const llvm::Value *Address, bool NeverChanges);
  // lower_control_flow.cpp
  void numberValues();
  void lowerBlock(llvm::BasicBlock &BB);
  void lowerValues(llvm::BasicBlock &BB);
  void lowerEdges(const llvm::DominatorTree &DT);
  void lowerLoop(const llvm::Cycle &C, uint32_t Parent);
  void placeBodies();
  void lowerLoops(const llvm::CycleInfo &CI);
  void noteSwaps(const llvm::CycleInfo &CI);
  // lower_counts.cpp
  void countAddressSteps(const llvm::DominatorTree &DT, const llvm::CycleInfo &CI);
  void countCarriedLoads(const llvm::DominatorTree &DT, const llvm::CycleInfo &CI);
  void countRemainders();
  void countAtEnd(const llvm::BasicBlock &BB);
  void countParameterReads(const llvm::DominatorTree &DT, const llvm::CycleInfo &CI);
  void countWidenings(const llvm::DominatorTree &DT, const llvm::CycleInfo &CI);
  void countJumps(const llvm::CycleInfo &CI);
  bool jumpsAtEnd(const llvm::Cycle &C) const;
  void countInLatches(const llvm::Cycle &C);
  void countLastExits(const llvm::CycleInfo &CI);
  void countYields(const llvm::CycleInfo &CI);
  // lower_loop_metadata.cpp
  void readHint(const llvm::MDNode &Hint, ssa_loop &L);
  void describeLoop(const llvm::Cycle &C, ssa_loop &L);
  void describeStatement(const llvm::DILocation &Location, ssa_loop &L);
  llvm::DILocation *locationOfStatement(const llvm::Cycle &C, const ssa_loop &L);

  llvm::Function &F;
  const llvm::DataLayout &Layout;
  LocationTable &Locations;
  Lowered &Out;
  const dcp_source &Source;
  const dcp_kernel_source *KernelSource;
  MemoryFacts Memory;
  llvm::DenseMap<const llvm::Value *, uint32_t> Ids;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> BlockIds;
  llvm::DenseMap<std::pair<unsigned, int64_t>, uint32_t> Constants;
  std::vector<uint32_t> *Into = nullptr;                // values of the block being lowered
  std::vector<std::pair<uint32_t, uint32_t>> BodyMarks; // block, location of the loop
};

} // namespace divcost

#endif
