#!/usr/bin/env bash
# Runs the tests of what depends on the engine on the other supported versions of Node, from the npm package `node`: connections, streams,
# files, processes, compression, collation, JSON. test/digests.test.ts compares the bytes of responses.
set -euo pipefail
tests=(test/{http,command,settings} test/{cli,closing,digests,own-data,reload,start,tls}.test.ts
  test/catalogue/{files,load,images,errors/positions}.test.ts test/recorded/recording.test.ts test/base/timestamps.test.ts test/lists/{cache,filter,ordering,page,serialise,table}.test.ts
  test/pull/pull.test.ts test/routes/{any-target,compress,hostile,lists,long-lists,media,methods}.test.ts test/simulation/{delays,faults}.test.ts)
ls -d "${tests[@]}" > /dev/null # each of them exists
own=$(node -p 'process.versions.node.split(".")[0]')
for version in 20 22 24 26; do
  [ "$version" = "$own" ] || npx --yes --package "node@$version" -- bash -c 'echo "Node $(node --version)" && npm test -- --disable-coverage "$@"' bash "${tests[@]}"
done
