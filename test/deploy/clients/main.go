package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

// Takes URLs, each with a number of times. Requests each that often, and prints what the caller of each request sees.
func main() {
	for index := 1; index < len(os.Args); index += 2 {
		times, _ := strconv.Atoi(os.Args[index+1])
		for ; times > 0; times-- {
			response, err := http.Get(os.Args[index])
			if err == nil {
				var list any
				err = json.NewDecoder(response.Body).Decode(&list)
				response.Body.Close()
			}
			if err != nil {
				fmt.Print("failed ")
			} else {
				fmt.Print(response.StatusCode, " ")
			}
		}
	}
}
