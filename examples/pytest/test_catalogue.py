import json
import time
import urllib.error
import urllib.request


def first_page(url, attempts=3):
    """Stands in for your client: waits and tries again after 503."""
    for _ in range(attempts):
        try:
            with urllib.request.urlopen(url + "/api/v1/bikes/?page=1", timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
            time.sleep(int(error.headers["Retry-After"]))
    raise RuntimeError("the service is busy")


def test_the_client_reads_a_page(catalogue):
    assert len(first_page(catalogue.url)["results"]) == 10


def test_the_client_waits_and_tries_again_after_503(catalogue):
    catalogue.simulate(path="/api/v1/bikes/", code=503, times=1)
    assert first_page(catalogue.url)["count"] > 0
    assert [request["status"] for request in catalogue.requests()] == [503, 200]
