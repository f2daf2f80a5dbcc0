// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/lower.h"
#include "ir/module_facts.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace divcost {

// Scopes are far fewer than locations.
LocationTable::Names LocationTable::namesOf(const DILocalScope *Scope) {
  auto [Found, IsNew] = Scopes.try_emplace(Scope);
  if (IsNew) {
    const DISubprogram *Subprogram = Scope->getSubprogram();
    std::string Function = Subprogram ? nameOf(*Subprogram) : "";
    Found->second = {dc_kernel_add_text(&Kernel, pathOf(*Scope).c_str()),
                     dc_kernel_add_text(&Kernel, Function.c_str())};
  }
  return Found->second;
}

uint32_t LocationTable::of(const DILocation *Location) {
  if (!Location)
    return DC_NONE;
  auto Found = Known.find(Location);
  if (Found != Known.end())
    return Found->second;
  uint32_t InlinedAt = of(Location->getInlinedAt());
  uint32_t Index = dc_kernel_add_location(&Kernel);
  if (Index == DC_NONE)
    return DC_NONE;
  Names Texts = namesOf(Location->getScope());
  dc_location &Out = Kernel.locations[Index];
  Out.file = Texts.File;
  Out.function = Texts.Function;
  Out.line = Location->getLine();
  Out.column = Location->getColumn();
  Out.inlined_at = InlinedAt;
  Known[Location] = Index;
  return Index;
}

} // namespace divcost
