// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where values stand in a text of JSON, for messages: jansson, which reads them, doesn't keep it.
// The text has to be one that jansson takes; of another the places are wrong, but in it.
#ifndef DIVCOST_PASS_FINDINGS_JSON_PLACE_H
#define DIVCOST_PASS_FINDINGS_JSON_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dcp_json_place {
  const char *at;
  uint32_t line, column; // from 1; columns count characters, as jansson's do
} dcp_json_place;

dcp_json_place dcp_json_begin(const char *text);

// The member of that name of the object at `object`: its value, and where its name begins. False:
// there is none, or its name is written with escapes.
bool dcp_json_member(dcp_json_place object, const char *name, dcp_json_place *key,
                     dcp_json_place *value);

// The first element of the array at *array, and the one after the element at *element. False: there
// is none.
bool dcp_json_first(dcp_json_place *array);
bool dcp_json_next(dcp_json_place *element);

// The byte of a text's value that has this offset once its escapes are resolved.
dcp_json_place dcp_json_in_text(dcp_json_place text, unsigned offset);

#endif
