module example.org/catalogue

go 1.19
