# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion of divcost for bash. Commands and options are those that --help lists; what an option's
# value can be goes by the word that stands for it there.

# The lines of a help text that say how to call, without what they mean.
_divcost_usage() {
  "$@" --help 2>/dev/null | sed -n 's/^\(usage:\|      \) divcost /divcost /p; s/^  \(-[^ ]\)/\1/p' | sed 's/   *[^ ].*//'
}

# The rules, in the help text of --fail-on.
_divcost_rules() {
  "$@" --help 2>/dev/null | sed -n 's/^ *or a rule: \(.*\);$/\1/p' | tr -d ,
}

_divcost() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local name=${COMP_WORDS[1]} usage value words='' files=''
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][-a-z]*\)  .*/\1/p') --help --version"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  usage=$(_divcost_usage "$program" "$name")
  if [[ $previous == -* ]]; then
    value=$(sed -n "s/^\(.*[][ ,|]\)\{0,1\}$previous \([A-Z][A-Z]*\).*/\2/p" <<<"$usage" | head -n 1)
  fi
  case $previous:$value in
  --arch:* | -*:NAME) words="fermi kepler maxwell hopper sm_70 sm_75 sm_80 sm_86 sm_89 sm_90" files='!*.json' ;;
  *:CONDITION) words="any $(_divcost_rules "$program" "$name") imbalance= lost=" ;;
  *:DIR | *:BUILD) files=/ ;;
  *:FILE | *:OUT | *:PROGRAM) files='*' ;;
  *:[A-Z]*) ;; # a number or a distribution
  *)
    words=$(grep -oE -- '(^|[][ ,|])--?[a-z][-a-z0-9]*' <<<"$usage" | tr -d '][ ,|')
    if [[ $COMP_CWORD -eq 2 ]]; then
      words+=" $(sed -n "s/^divcost $name \([a-z][a-z]*\).*/\1/p" <<<"$usage")"
    fi
    case $name in
    check) files='!*.@(cu|cuh|cpp|cc|cxx)' ;;
    report | diff | what-if) files='!*.@(json|o|a)' ;;
    profile) files='!*.divprof' ;;
    model | lsp) ;;
    *) files='*' ;;
    esac
    ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$current"
    shopt -s extglob
    [[ $files != [/!]* || $current == -* ]] || compgen -d -S / -- "$current"
    case $files in
    '*') compgen -f -- "$current" ;;
    '!'*) compgen -f -X "$files" -- "$current" ;;
    esac
  )
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] || [[ ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

complete -F _divcost divcost
