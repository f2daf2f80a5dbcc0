// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report inside the host's object file (divcost/embedded.h).
#ifndef DIVCOST_PASS_FINDINGS_EMBED_H
#define DIVCOST_PASS_FINDINGS_EMBED_H

#include "findings/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the session's processes found so far, as assembly text that makes the section of it. *text
// is released with free, and NULL if they left nothing.
dc_status dcp_embed_text(dcp_session *session, char **text, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
