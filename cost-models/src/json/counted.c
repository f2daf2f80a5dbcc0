// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "counted": of which memory a profiler has counted what accesses take, as names.
#include "json/json_internal.h"

void dc__json_put_counted(dc_json_writer *writer, json_t *object,
                          const bool known[DC_TRAFFIC_COUNT]) {
  json_t *list = json_array();
  for (unsigned kind = 0; kind < DC_TRAFFIC_COUNT; ++kind)
    if (known[kind])
      dc__json_append(writer, list, json_string(dc_traffic_kind_name((dc_traffic_kind)kind)));
  dc__json_put(writer, object, "counted", list);
}

void dc__json_read_counted(dc_json_reader *reader, const dc_json_place *object, dc_json_need need,
                           bool known[DC_TRAFFIC_COUNT]) {
  dc_json_place list = dc__json_member(object, "counted");
  size_t count = dc__json_count(reader, &list, need);
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place kind = dc__json_element(&list, k);
    uint8_t which = dc__json_enum(reader, &kind, dc_traffic_kind_parse);
    if (reader->status == DC_OK)
      known[which] = true;
  }
}
