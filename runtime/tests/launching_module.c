// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module that launches while it is loaded, as test_recorder.c has it.
void launch_while_loading(void);

__attribute__((constructor)) static void begin(void) { launch_while_loading(); }
