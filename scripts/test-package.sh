#!/usr/bin/env bash
# Packs the package, checks its files, installs it into an empty folder, compiles a program that uses it, and starts it there.
set -euo pipefail
root=$(pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" > /dev/null
bytes=$(wc -c < "$folder"/*.tgz)
echo "$bytes bytes"
[ "$bytes" -lt 5000000 ] || { echo 'The package is over 5 MB' >&2; exit 1; }
npx publint --strict "$folder"/*.tgz
npx attw --quiet --profile esm-only "$folder"/*.tgz

cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund ./*.tgz
[ "$(ls node_modules)" = bicycle-catalogue ] || { echo 'The package installs others' >&2; exit 1; }
cp "$root"/examples/*.* .
node --test --test-reporter=dot node.test.mjs # in CommonJS, as npm init makes a project
npm pkg set type=module
npm install --silent --no-audit --no-fund @types/node@20
cp "$root/test/package/consumer.ts.txt" consumer.ts
"$root/node_modules/.bin/tsc" --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext --target es2023 --lib es2023,esnext.disposable,dom consumer.ts
node consumer.js
for version in 22 24 26; do npx --yes --package "node@$version" -- node consumer.js; done

echo '== the examples'
# Runs the job's steps in order, as a CI runner does; kills the group afterwards.
(cd "$root" && node --input-type=module --eval "
  import { readFileSync } from 'node:fs'
  import { parse } from 'yaml'
  const { env, steps } = parse(readFileSync('examples/github-actions.yml', 'utf8')).jobs.test
  console.log(Object.entries(env).map(([name, value]) => 'export ' + name + '=' + value).join('\\n'))
  for (const { run } of steps) if (run !== undefined) console.log(run)
") > job.sh
setsid bash -euo pipefail job.sh > job.out & job=$!
wait "$job" || { cat job.out; kill -- "-$job"; exit 1; }
kill -- "-$job"
grep -q '"title"' job.out
npm install --silent --no-audit --no-fund vitest@3
npx vitest run --reporter=dot vitest.test.ts

echo '== the command'
npx bicycle-catalogue --version
setsid npx bicycle-catalogue --port 0 > ready & # starts a process group, because npx does not forward signals
server=$!
trap 'kill -- "-$server" 2> /dev/null || true; rm -rf "$folder"' EXIT
timeout 30 bash -c 'until grep -q listening ready; do sleep 0.2; done'
url=$(node -p 'JSON.parse(require("fs").readFileSync("ready", "utf8")).url')
for path in /api/v1/bikes/ /api/v1/chains/?format=api / /openapi.json /docs/ /changelog/ /tokens/ /media/saddles/1.jpg; do
  curl --fail --silent --show-error --output /dev/null --write-out "%{http_code} $path\n" "$url$path"
done
