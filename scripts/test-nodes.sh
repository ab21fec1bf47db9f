#!/usr/bin/env bash
# Runs engine-dependent tests on the other supported versions of Node, from the npm package `node`.
set -euo pipefail
for version in 22 24 26; do
  npx --yes --package "node@$version" -- bash -c 'echo "Node $(node --version)" && npm test -- --disable-coverage --exclude test/tools --exclude test/verify --exclude test/pages --exclude test/openapi'
done
