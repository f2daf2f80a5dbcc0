#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in for clang with the plugin, where there is none. It writes a line to $FAKE_LOG, and the
# report $FAKE_REPORT where the plugin would; words in the source file make it fail in several ways.
for word; do
  case $word in
  -fplugin-arg-divcost-report=*) report=${word#*=} ;;
  -fplugin-arg-divcost-ptxas=*) cp "${word#*=}" "$FAKE_LOG.ptxas" ;;
  esac
  [ "$before" = -header-include-file ] && headers=$word
  before=$previous
  previous=$word
  source=$word
done
echo "$source" >>"$FAKE_LOG"
text=$(cat "$source" 2>/dev/null) || { echo "clang++: error: no such file or directory: '$source'"; exit 1; }
case $text in
*HEADER*) echo "../include/rows.h" >"$headers" ;;
esac
case $text in
*SLOW*) sleep 0.3 ;;
*STUCK*) sh -c 'sleep 60; :' "$PWD/$source" ;;
*CRASH*) kill -SEGV $$ ;;
*BROKEN*) echo "$source:1:1: error: this is broken"; echo "1 error generated when compiling for sm_90."; exit 1 ;;
*GARBAGE*) echo '{"divcost": 1, "un' >"$report"; exit 0 ;;
*SILENT*) exit 0 ;;
*FLOOD*) yes "a line that goes on and on" | head -c 20000000 ;;
*OTHER*) echo "divcost: this plugin was built for LLVM 22 and does nothing in LLVM 19" ; exit 0 ;;
esac
case $text in
*HEADER*)
  echo "In file included from $source:1:"
  echo "../include/rows.h:6:3: warning: loop runs differently [divcost-imbalance] [-Wbackend-plugin]"
  echo "    6 |   for (;;)"
  echo "../include/rows.h:4:1: note: because"
  ;;
esac
case $text in
*OWN*) printf '%s:2:3: warning: own loop \351 [divcost-imbalance] [-Wbackend-plugin]\n' "$source" ;;
esac
echo "2 warnings generated when compiling for sm_90."
cp "$FAKE_REPORT" "$report.part" && mv "$report.part" "$report"
