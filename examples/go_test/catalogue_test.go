// Starts bicycle-catalogue once for all tests of the package. Each test starts without rules.
//
//	npm init --yes && npm install --save-dev ./bicycle-catalogue-1.0.0.tgz; go test ./...
//
// Set BICYCLE_CATALOGUE to use another command. npx --no runs an installed package only.
package catalogue

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

var server struct{ URL string }

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	command := "npx --no -- bicycle-catalogue"
	if given := os.Getenv("BICYCLE_CATALOGUE"); given != "" {
		command = given
	}
	words := strings.Fields(command + " --port 0 --rate-limit off --simulate --exit-with-parent")
	process := exec.Command(words[0], words[1:]...)
	input, _ := process.StdinPipe() // the server exits when this closes, even if the tests are killed
	output, _ := process.StdoutPipe()
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		panic(err)
	}
	defer process.Wait()
	defer input.Close()
	if err := json.NewDecoder(bufio.NewReader(output)).Decode(&server); err != nil {
		panic(err)
	}
	return m.Run()
}

type recordedRequest struct {
	Status int
	Advice []struct{ Text string }
}

// simulate adds rules. After the test, it deletes them, and reports the rules of the contract that the client broke.
func simulate(t *testing.T, rules ...string) {
	t.Helper()
	t.Cleanup(func() {
		requests := recordedRequests(t)
		// Delete the rules first, so that a failed test leaves none behind.
		request, _ := http.NewRequest(http.MethodDelete, server.URL+"/__simulate", nil)
		if response, err := http.DefaultClient.Do(request); err != nil {
			t.Error(err)
		} else {
			response.Body.Close()
		}
		for _, request := range requests {
			for _, advice := range request.Advice {
				t.Error(advice.Text)
			}
		}
	})
	for _, rule := range rules {
		response, err := http.Post(server.URL+"/__simulate", "application/json", strings.NewReader(rule))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			body, _ := io.ReadAll(response.Body) // names the invalid properties
			t.Fatalf("%s: %s", response.Status, body)
		}
	}
}

func recordedRequests(t *testing.T) []recordedRequest {
	t.Helper()
	response, err := http.Get(server.URL + "/__simulate")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var simulation struct{ Requests []recordedRequest }
	if err := json.NewDecoder(response.Body).Decode(&simulation); err != nil {
		t.Fatal(err)
	}
	return simulation.Requests
}

// firstPage stands in for your client: it waits and tries again after 503.
func firstPage() (count int, err error) {
	for {
		response, err := http.Get(server.URL + "/api/v1/bikes/?page=1")
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusServiceUnavailable {
			var page struct{ Count int }
			err = json.NewDecoder(response.Body).Decode(&page)
			return page.Count, err
		}
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

func TestClientTriesAgain(t *testing.T) {
	simulate(t, `{"path": "/api/v1/bikes/", "code": 503, "times": 1}`)
	if count, err := firstPage(); err != nil || count == 0 {
		t.Fatalf("%d bikes, %v", count, err)
	}
	if requests := recordedRequests(t); len(requests) != 2 || requests[0].Status != 503 || requests[1].Status != 200 {
		t.Fatalf("%+v", requests)
	}
}
