// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed forms of profiles and of what was measured.
#ifndef DIVCOST_TOOLS_PROFILE_H
#define DIVCOST_TOOLS_PROFILE_H

#include "divcost/measured.h"
#include "divcost/profile.h"

// On standard output. JSON gives the exit status of a failure where memory is out.
void profile_show_text(const dc_profile *profile);
int profile_show_json(const dc_profile *profile);
void profile_diff_text(const dc_profile *a, const dc_profile *b);

// Likewise; the exit status of a failure where memory is out.
int measured_show_text(const dc_measured *measured);

// The OUT of a command's "-o OUT FILE ..."; 0, or the exit status of wrong usage after a message:
// `misuse`, where OUT or a file is missing.
int profile_read_output(int count, char **arguments, const char *misuse, const char **output);

// `divcost profile import-ncu`, on what follows that; gives the exit status.
int profile_import_ncu(int count, char **arguments);

#endif
