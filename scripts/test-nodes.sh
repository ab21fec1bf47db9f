#!/usr/bin/env bash
# Runs the tests on the other supported versions of Node, which the npm package `node` brings.
set -euo pipefail
for version in 22 24; do
  echo "Node $version"
  npx --yes --package "node@$version" -- bash -c 'node --version && npm test'
done
