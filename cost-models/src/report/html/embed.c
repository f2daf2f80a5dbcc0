// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// embed OUT.c FILE...: writes the files as arrays of C, known by the last components of their
// names, each with a zero behind its end.
#include "divcost/path.h"

#include <stdio.h>
#include <string.h>

static int embed_one(FILE *out, const char *path, int number, unsigned long *size) {
  FILE *in = fopen(path, "rb");
  int byte;
  *size = 0;
  if (!in) {
    perror(path);
    return 1;
  }
  fprintf(out, "static const unsigned char bytes_%d[] = {", number);
  while ((byte = getc(in)) != EOF)
    fprintf(out, "%s%d,", (*size)++ % 32 ? "" : "\n", byte);
  fprintf(out, "0};\n");
  fclose(in);
  return 0;
}

int main(int count, char **arguments) {
  unsigned long sizes[16];
  if (count < 3 || count > 2 + 16) {
    fprintf(stderr, "usage: embed OUT.c FILE... (16 at most)\n");
    return 2;
  }
  FILE *out = fopen(arguments[1], "w");
  if (!out) {
    perror(arguments[1]);
    return 1;
  }
  fprintf(out, "#include \"report/html/html.h\"\n\n");
  for (int k = 2; k < count; ++k)
    if (embed_one(out, arguments[k], k - 2, &sizes[k - 2])) {
      fclose(out);
      return 1;
    }
  fprintf(out, "\nconst html_resource dc__html_resources[] = {\n");
  for (int k = 2; k < count; ++k)
    fprintf(out, "    {\"%s\", bytes_%d, %lu},\n", dc_base_name(arguments[k]), k - 2, sizes[k - 2]);
  fprintf(out, "};\nconst unsigned dc__html_n_resources = %d;\n", count - 2);
  if (fclose(out) != 0) {
    perror(arguments[1]);
    return 1;
  }
  return 0;
}
