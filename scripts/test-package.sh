#!/usr/bin/env bash
# Packs the package, checks its files, and uses it as its users do: each package manager, test runner, compiler and engine in a directory
# of its own, side by side. Arguments name the functions to run; --daily leaves out other engines, as .ci/run without --all does.
set -euo pipefail
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_DATA_HOME=$folder YARN_GLOBAL_FOLDER=$folder/yarn YARN_CACHE_FOLDER=$folder/yarn YARN_ENABLE_TELEMETRY=0 # nothing stays
npm run tools --silent
npm pack --silent --pack-destination "$folder" > /dev/null
tarball=$(ls "$folder"/*.tgz)
bytes=$(wc -c < "$tarball")
echo "$bytes bytes"
[ "$bytes" -lt 5000000 ] || { echo 'The package is over 5 MB' >&2; exit 1; }

# The registry's packages of the tools, which need no Node of theirs and nothing global.
tools=$folder/tools/node_modules
mkdir -p "$folder/tools"
npm install --silent --no-audit --no-fund --prefix "$folder/tools" @yarnpkg/cli-dist@4.18.1 yarn@1.22.22 pnpm@12.21.0 bun@1.4.5 node@18 \
  oldest@npm:typescript@5.0.4 newest@npm:typescript@7.0.2

install () { npm install --silent --no-audit --no-fund "$@" "$tarball"; }

# Uses everything in the current directory, by the words that run a command of a project; leaves a server at $url.
use () {
  cp "$root/test/package/program.mjs" .
  "$@" node program.mjs
  "$@" bicycle-catalogue --version
  "$@" bicycle-catalogue init own > /dev/null
  "$@" bicycle-catalogue check own
  "$@" bicycle-catalogue generate many --bikes 60 > /dev/null
  setsid "$@" bicycle-catalogue --port 0 --data many --tokens ci --rate-limit off > ready & # a process group, because package managers forward no signals
  server=$!
  trap 'kill -- "-$server" 2> /dev/null || true' EXIT
  until grep -q listening ready; do kill -0 "$server"; sleep 0.2; done
  url=$(node -p 'JSON.parse(require("fs").readFileSync("ready")).url')
  curl --fail --silent --show-error --output /dev/null "$url/api/v1/bikes/?format=api"
}

files () {
  "$root/tools/node_modules/.bin/publint" --strict "$tarball"
  "$root/tools/node_modules/.bin/attw" --quiet --profile esm-only "$tarball"
}

with_npm () {
  npm init --yes > /dev/null
  install --ignore-scripts --omit=dev
  [ "$(ls node_modules)" = bicycle-catalogue ] || { echo 'The package installs others' >&2; exit 1; }
  # The resolver of eslint-plugin-import, which knows no exports.
  node -e "require('$root/tools/node_modules/resolve').sync('bicycle-catalogue/schemas', { basedir: '.' })"
  use npx --
  cp "$root"/examples/*.* .
  node --test --test-reporter=dot node.test.mjs # in CommonJS, as npm init makes a project
}

with_yarn () {
  echo '{}' > package.json
  touch yarn.lock
  node "$tools/@yarnpkg/cli-dist/bin/yarn.js" config set nodeLinker "$1"
  node "$tools/@yarnpkg/cli-dist/bin/yarn.js" add "$tarball"
  use node "$tools/@yarnpkg/cli-dist/bin/yarn.js"
}

with_yarn_pnp () {
  with_yarn pnp
  node "$tools/@yarnpkg/cli-dist/bin/yarn.js" bicycle-catalogue verify "$url" --token ci --rate 1000
  node "$tools/@yarnpkg/cli-dist/bin/yarn.js" bicycle-catalogue pull "$url" copy --token ci --rate 1000
  node "$tools/@yarnpkg/cli-dist/bin/yarn.js" bicycle-catalogue check copy
}

with_yarn_node_modules () { with_yarn node-modules; }

with_yarn_1 () {
  echo '{}' > package.json
  node "$tools/yarn/bin/yarn.js" add --silent "$tarball"
  use node "$tools/yarn/bin/yarn.js" --silent
}

with_pnpm () {
  echo '{}' > package.json
  "$tools/.bin/pnpm" add "$tarball"
  use "$tools/.bin/pnpm" exec
}

# The directory has a name that few tools are tried with.
in_a_path_with_spaces () {
  mkdir 'größe & co' && cd 'größe & co'
  echo '{}' > package.json
  install
  use npx --
}

with_old_node () {
  npm init --yes > /dev/null
  install
  local code=0 sentence='bicycle-catalogue needs Node 20.12 or later; this is Node 18'
  "$tools/.bin/node" node_modules/.bin/bicycle-catalogue check > out 2> errors || code=$?
  [ "$code" = 2 ] && [ ! -s out ] && [ "$(wc -l < errors)" = 1 ] && grep -q "^$sentence" errors
  "$tools/.bin/node" --input-type=module --eval "import('bicycle-catalogue').catch(error => console.log(error.message))" | grep "^$sentence"
}

with_bun () {
  npm init --yes > /dev/null
  install
  "$tools/.bin/bun" --eval "
    const { start } = await import('bicycle-catalogue')
    const server = await start()
    if ((await fetch(server.url + '/api/v1/bikes/?page=1')).status !== 200) throw new Error('no list')
    await server.close()
    console.log('closed')" | grep closed
}

# In CommonJS, Node 22 and later can require the package.
with_other_nodes () {
  npm init --yes > /dev/null
  npm pkg set type=module
  install
  echo "import { start } from 'bicycle-catalogue'; await (await start()).close()" > program.js
  echo "require('bicycle-catalogue').start().then(server => server.close())" > required.cjs
  npx --yes --package node@20 -- node program.js
  for version in 22 24 26; do npx --yes --package "node@$version" -- bash -c 'node program.js && node required.cjs'; done
}

# A bundle for browsers may have the schemas; one for Node leaves the package outside.
with_bundles () {
  npm init --yes > /dev/null
  npm pkg set type=module
  install @types/node@20
  cp "$root/test/package/consumer.ts.txt" consumer.ts
  "$root/node_modules/.bin/tsc" --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext --target es2023 --lib es2023,esnext.disposable,dom consumer.ts
  node consumer.js
  echo "import { start } from 'bicycle-catalogue'; await (await start()).close()" > program.js
  "$root/node_modules/.bin/esbuild" program.js --bundle --platform=node --format=esm --external:bicycle-catalogue --outfile=bundle.js
  node bundle.js
  echo "import { Wheel } from 'bicycle-catalogue/schemas'; if (!Wheel.properties.id) throw new Error('no schema')" > browser.js
  "$root/node_modules/.bin/esbuild" browser.js --bundle --format=esm | node --input-type=module
}

# Each resolution of modules, with and without the types of Node, in the oldest compiler, ours and the newest, which has no node10.
with_compilers () {
  npm init --yes > /dev/null
  npm pkg set type=module
  install @types/node@20
  cp "$root/test/package/types.ts.txt" types.ts
  while read -r compiler flags; do
    node "$compiler/bin/tsc" --strict --exactOptionalPropertyTypes --noEmit --target es2022 --lib es2022 $flags types.ts || { echo "$compiler $flags"; exit 1; }
  done << END
$tools/oldest --module esnext --moduleResolution node --typeRoots none
$tools/oldest --module nodenext --typeRoots none
$tools/oldest --module esnext --moduleResolution bundler --types node
$root/node_modules/typescript --module esnext --moduleResolution node10 --ignoreDeprecations 6.0 --typeRoots none
$root/node_modules/typescript --module esnext --moduleResolution node10 --ignoreDeprecations 6.0 --types node
$root/node_modules/typescript --module nodenext --types node
$tools/newest --module node16 --typeRoots none
$tools/newest --module node16 --types node
$tools/newest --module nodenext --typeRoots none
$tools/newest --module nodenext --types node
$tools/newest --module esnext --moduleResolution bundler --typeRoots none
$tools/newest --module esnext --moduleResolution bundler --types node
END
  local types=$PWD/node_modules/bicycle-catalogue/dist/index.d.ts
  cd "$root" && node --import ts-blank-space/register test/package/options.ts "$types"
}

# Runs an example after a test is added to it that fails: the others must pass.
fails_alone () {
  local file=$1 url=$2 output
  shift 2
  node "$root/test/package/failing.mjs" "$file" "$url"
  output=$("$@" 2>&1) && { echo 'no test fails'; return 1; }
  # in the words of node:test, Jest or Vitest
  grep -Eq '^# fail 1$|^Tests: +1 failed, [1-9][0-9]* passed|Tests +1 failed \| [1-9][0-9]* passed' <<< "$output" || { echo "$output"; return 1; }
}

with_jest () {
  npm init --yes > /dev/null
  cp -r "$root"/examples/jest/* .
  install "jest@$1" "jest-environment-jsdom@$1"
  npx jest --ci
  fails_alone catalogue.test.js url npx jest --ci
  cp "$root"/test/package/{jest,jsdom}.test.mjs .
  echo '{ "testMatch": ["**/*.test.mjs"], "testTimeout": 30000, "transform": {} }' > modules.json
  node --experimental-vm-modules node_modules/jest/bin/jest.js --ci --config modules.json
}

with_jest_29 () { with_jest 29; }
with_jest_30 () { with_jest 30; }

with_msw_and_vitest () {
  npm init --yes > /dev/null
  cp "$root"/examples/vitest.test.ts "$root"/examples/msw/* "$root/test/package/jsdom.test.mjs" .
  install msw@2 vitest@3 jsdom@26
  node --test --test-reporter=dot msw.test.mjs
  npx vitest run --reporter=dot vitest.test.ts
  fails_alone msw.test.mjs origin node --test --test-reporter=tap msw.test.mjs
  fails_alone vitest.test.ts server.url env NO_COLOR=1 npx vitest run vitest.test.ts
  cp "$root/examples/vitest.test.ts" .
  echo "export default { test: { server: { deps: { inline: ['bicycle-catalogue'] } } } }" > vitest.config.mjs
  npx vitest run --reporter=dot vitest.test.ts
  npx vitest run --reporter=dot --globals --environment jsdom --pool vmThreads jsdom.test.mjs
}

# Runs functions side by side, each in a directory of its name, and prints what those that failed have printed.
together () {
  local name failed=0
  declare -A jobs
  for name in "$@"; do
    mkdir "$folder/$name"
    (set -euo pipefail; cd "$folder/$name"; "$name") &> "$folder/$name.log" & jobs[$name]=$!
  done
  for name in "$@"; do
    if wait "${jobs[$name]}"; then echo "passed: $name"; else echo "failed: $name"; cat "$folder/$name.log"; failed=1; fi
  done
  return "$failed"
}

[ $# = 0 ] || [ "$1" = --daily ] || { together "$@"; exit; }
together with_npm with_yarn_pnp with_yarn_node_modules with_yarn_1 with_pnpm in_a_path_with_spaces
together with_jest_29 with_jest_30 with_msw_and_vitest with_bundles
together files with_compilers
[ "${1:-}" = --daily ] || together with_old_node with_bun with_other_nodes
