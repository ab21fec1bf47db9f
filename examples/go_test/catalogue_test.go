// Starts bicycle-catalogue for all tests of the package.
//
//	npm init --yes && npm install --save-dev ./bicycle-catalogue-0.5.0.tgz; go test ./...
//
// BICYCLE_CATALOGUE names another command. npx --no runs an installed package only.
package catalogue

import (
	"bufio"
	"encoding/json"
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
	input, _ := process.StdinPipe() // the server exits when this closes, also when the tests are killed
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
	rule := strings.NewReader(`{"path": "/api/v1/bikes/", "code": 503, "times": 1}`)
	if _, err := http.Post(server.URL+"/__simulate", "application/json", rule); err != nil {
		t.Fatal(err)
	}
	if count, err := firstPage(); err != nil || count == 0 {
		t.Fatalf("%d bikes, %v", count, err)
	}
	response, err := http.Get(server.URL + "/__simulate")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var journal struct {
		Requests []struct {
			Status int
			Advice []struct{ Text string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&journal); err != nil || len(journal.Requests) != 2 {
		t.Fatalf("%+v, %v", journal, err)
	}
	for _, request := range journal.Requests {
		for _, advice := range request.Advice { // what the client does wrong by the contract
			t.Error(advice.Text)
		}
	}
}
