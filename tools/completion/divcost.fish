# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion of divcost for fish. Commands and options are those that --help lists; what an option's
# value can be goes by the word that stands for it there.

# The lines of a help text that say how to call, without what they mean.
function __divcost_usage
    divcost $argv --help 2>/dev/null | string replace -rf '^(usage:|      ) divcost |^  (?=-[^ ])' '' \
        | string replace -r '   *[^ ].*' ''
end

# The rules, in the help text of --fail-on.
function __divcost_rules
    divcost $argv --help 2>/dev/null | string replace -rf '^ *or a rule: (.*);$' '$1' | string split ', '
end

function __divcost_commands
    divcost --help 2>/dev/null | string replace -rf '^  ([a-z][-a-z]*)  +' '$1\t'
end

# What can stand where the cursor is, behind a command.
function __divcost_words
    set -l words (commandline -opc)
    set -l name $words[2]
    set -l previous $words[-1]
    set -l usage (__divcost_usage $name)
    set -l value ''
    if string match -q -- '-*' $previous
        set value (string match -rg -- '(?:^|[][ ,|])'$previous' ([A-Z]+)' $usage)[1]
    end
    switch "$previous:$value"
        case '--arch:*' '-*:NAME'
            printf '%s\n' fermi kepler maxwell hopper sm_70 sm_75 sm_80 sm_86 sm_89 sm_90
            __fish_complete_suffix .json
        case '*:CONDITION'
            printf '%s\n' any (__divcost_rules $name) imbalance= lost=
        case '*:DIR' '*:BUILD'
            __fish_complete_directories
        case '*:FILE' '*:OUT' '*:PROGRAM'
            __fish_complete_path
        case '-*:?*' # a number or a distribution
        case '*'
            string match -arg -- '(?:^|[][ ,|])(--?[a-z][-a-z0-9]*)' $usage
            if test (count $words) -eq 2
                string match -rg -- "^$name ([a-z]+)" $usage
            end
            switch $name
                case check
                    __fish_complete_suffix .cu .cpp
                case report diff what-if
                    __fish_complete_suffix .json .o .a
                case profile
                    __fish_complete_suffix .divprof
                case model lsp
                case '*'
                    __fish_complete_path
            end
    end
end

complete -c divcost -f
complete -c divcost -n __fish_use_subcommand -a '(__divcost_commands) --help --version'
complete -c divcost -n 'not __fish_use_subcommand' -a '(__divcost_words)'
