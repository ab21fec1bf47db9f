#!/usr/bin/env bash
# Runs what depends on the engine on the other supported versions of Node, which the npm package `node` brings.
set -euo pipefail
for version in 22 24 26; do
  npx --yes --package "node@$version" -- bash -c 'echo "Node $(node --version)" && npm test -- --disable-coverage --exclude test/scripts --exclude test/verify --exclude test/pages --exclude test/openapi'
done
