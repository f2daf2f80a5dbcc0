// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/examine.h"

#include "findings/findings.h"
#include "ir/loop_metadata.h"
#include "ir/simplify.h"

#include "llvm/IR/Module.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

// Marks the loop statements that loops of the kernels come from.
static void markKept(const dc_unit &Unit, dcp_source &Source) {
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    const dc_kernel &Kernel = Unit.kernels[K].kernel;
    for (uint32_t L = 0; L < Kernel.n_loops; ++L) {
      if (Kernel.loops[L].location == DC_NONE)
        continue;
      const dc_location &Place = Kernel.locations[Kernel.loops[L].location];
      if (auto *Loop = dcp_source_find_loop(&Source, dc_kernel_text(&Kernel, Place.file),
                                            Place.line, Place.column))
        Source.loops[Loop - Source.loops].kept = true;
    }
  }
}

bool divcost::examine(Module &Private, bool OnlyWarns, const dcp_options &Options,
                      dcp_source &Source, dcp_annotations &Annotations, unsigned Sm,
                      const std::string &Path, PartBuilt Built,
                      function_ref<void(dc_unit &)> Prepare, dc_unit &Unit, dc_error &Error) {
  if (Options.arch.sm)
    Sm = Options.arch.sm;
  Unit.path = strdup(Path.c_str());
  Unit.archs = static_cast<unsigned *>(malloc(sizeof *Unit.archs));
  if (!Unit.path || !Unit.archs)
    return dc_fail(&Error, DC_ERROR_MEMORY, "out of memory"), false;
  Unit.archs[0] = Sm;
  Unit.n_archs = 1;
  markCompiled(Private, Source);
  simplify(Private, Source);
  if (!buildKernels(Private, OnlyWarns, Options, Source, Built, Unit))
    return dc_fail(&Error, DC_ERROR_MEMORY, "out of memory"), false;
  markKept(Unit, Source);
  if (dcp_annotations_apply_ids(&Annotations, &Unit, &Error) != DC_OK)
    return false;
  Prepare(Unit);
  return dcp_find(&Unit, Sm, &Options, OnlyWarns, &Error) == DC_OK;
}
