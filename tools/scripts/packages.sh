# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian packages for ./demo and ./check: install_missing PACKAGE... installs those that aren't
# there, and says so; with nothing missing it does nothing.

packages_to_build=(
  clang-22 llvm-22-dev libclang-22-dev llvm-22-tools # the compiler that loads the plugin, headers
  libjansson-dev zlib1g-dev libcmocka-dev            # JSON; the HTML report's data; unit tests
  lld-22 wasi-libc libclang-rt-22-dev-wasm32         # the HTML report's model, as WebAssembly
  g++ cmake ninja-build pkg-config python3
)
packages_to_test=(
  "${packages_to_build[@]}"
  clang-19 llvm-19-dev libclang-19-dev llvm-19-tools # the other version that is supported
  libclang-rt-22-dev                                 # sanitizers
  clang-format-22 clang-tidy-22 valgrind
  ccache distcc lintian mandoc zsh fish # builds, packages, manual pages, completion
  neovim                 # a client of the language server
  python3-jsonschema # reports against their schema
  python3-matplotlib # plots of measurements
  chromium tidy      # the HTML report, in a browser and by a checker
)
# A validator of SARIF, clients of the language server. Node from elsewhere has its own npm.
command -v npm >/dev/null || packages_to_test+=(nodejs npm)

install_missing() {
  local package log missing=() as_root=()
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  echo "==> installing through apt (a minute or two): ${missing[*]}"
  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
      echo "neither root nor sudo: have somebody run 'apt-get install ${missing[*]}'" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  log=$(mktemp)
  "${as_root[@]}" apt-get -q update >"$log" 2>&1 || show_failure "$log" || return 1
  for package in "${missing[@]}"; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then
      echo "apt has no package $package: this needs Debian 12 with its updates, or LLVM's own apt" \
        "repository for clang and LLVM" >&2
      return 1
    fi
  done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y \
    --no-install-recommends "${missing[@]}" >"$log" 2>&1 || show_failure "$log" || return 1
  rm -f "$log"
}

show_failure() {
  tail -20 "$1"
  echo "apt failed; all that it said is in $1" >&2
  return 1
}
