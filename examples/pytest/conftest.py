"""Starts bicycle-catalogue once for all tests. Each test starts without rules.

npm init --yes && npm install --save-dev ./bicycle-catalogue-1.0.0.tgz; pytest
Set BICYCLE_CATALOGUE to use another command. npx --no runs an installed package only.
"""

import json
import os
import shlex
import subprocess
import urllib.error
import urllib.request

import pytest


class Catalogue:
    def __init__(self, url):
        self.url = url

    def request(self, path, method="GET", body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            # The body names the invalid properties of a rule.
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def simulate(self, **rule):
        return self.request("/__simulate", "POST", rule)

    def requests(self):
        return self.request("/__simulate")["requests"]


@pytest.fixture(scope="session")
def catalogue_url():
    command = shlex.split(os.environ.get("BICYCLE_CATALOGUE", "npx --no -- bicycle-catalogue"))
    flags = ["--port", "0", "--rate-limit", "off", "--simulate", "--exit-with-parent"]
    # --exit-with-parent stops the server when its standard input closes, even if pytest is killed.
    server = subprocess.Popen(command + flags, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    line = server.stdout.readline()
    assert line, f"{' '.join(command)} did not start: is it installed here? Its message is on stderr."
    yield json.loads(line)["url"]
    server.stdin.close()
    server.wait(timeout=10)


@pytest.fixture
def catalogue(catalogue_url):
    catalogue = Catalogue(catalogue_url)
    yield catalogue
    requests = catalogue.requests()
    # Before the assertion, so that a failed test leaves no rules behind.
    catalogue.request("/__simulate", "DELETE")
    advice = [text for request in requests for text in request["advice"]]
    assert not advice, "your client breaks rules of the contract"
