// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed forms of profiles.
#ifndef DIVCOST_TOOLS_PROFILE_H
#define DIVCOST_TOOLS_PROFILE_H

#include "divcost/profile.h"

// On standard output. JSON gives the exit status of a failure where memory is out.
void profile_show_text(const dc_profile *profile);
int profile_show_json(const dc_profile *profile);
void profile_diff_text(const dc_profile *a, const dc_profile *b);

#endif
