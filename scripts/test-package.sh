#!/usr/bin/env bash
# Packs the package, installs it into an empty folder and starts it there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" > /dev/null
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund ./*.tgz
npx bicycle-catalogue --version
setsid npx bicycle-catalogue --port 0 > ready & # a group of its own, because npx does not pass signals on
server=$!
trap 'kill -- "-$server" 2> /dev/null || true; rm -rf "$folder"' EXIT
timeout 30 bash -c 'until grep -q listening ready; do sleep 0.2; done'
url=$(node -p 'JSON.parse(require("fs").readFileSync("ready", "utf8")).url')
for path in /api/v1/bikes/ /api/v1/chains/?format=api / /openapi.json /docs/ /changelog/ /tokens/ /media/saddles/1.jpg; do
  curl --fail --silent --show-error --output /dev/null --write-out "%{http_code} $path\n" "$url$path"
done
