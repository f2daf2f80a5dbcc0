// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures for people: as many digits as a reader needs, intervals as "low..high" where the two look
// different, "not known" where they are negative.
#ifndef DIVCOST_NUMBER_H
#define DIVCOST_NUMBER_H

#include "divcost/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_number {
  char text[48];
} dc_number;

dc_number dc_number_count(dc_interval interval);   // "12,480", "31.4", "1.24G", "3..12"
dc_number dc_number_percent(dc_interval interval); // of a share: "47%", "2.1..31%", "<0.1%"

#ifdef __cplusplus
}
#endif

#endif
