#!/usr/bin/env bash
# Makes the third request of any client fail, and prints the statuses of all requests. Start npx bicycle-catalogue --simulate first, then run:
# bash rules.sh http://localhost:3000
set -euo pipefail
url=${1:-http://localhost:3000}

rule () {
  curl --fail --silent --show-error --output /dev/null --json "$1" "$url/__simulate"
}

curl --fail --silent --request DELETE "$url/__simulate"
rule '{"path": "/api/v1/bikes/", "sequence": [{}, {}, {"code": 503}]}' # two requests pass

for _ in 1 2 3 4; do
  curl --silent --output /dev/null --write-out '%{http_code}\n' "$url/api/v1/bikes/?page=1"
done
curl --fail --silent "$url/__simulate" | grep --only-matching '"status":[0-9]*'
