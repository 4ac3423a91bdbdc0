package main

import (
	"context"
	"io"
	"os"

	api "example.org/program/client"
)

func expect(condition bool, what string) {
	if !condition {
		panic(what + " failed")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func csv() *os.File {
	text := "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n"
	if err := os.WriteFile("graduates.csv", []byte(text), 0o600); err != nil {
		panic(err)
	}
	return must(os.Open("graduates.csv"))
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("GATEHOUSE_API")}}
	for name := range configuration.OperationServers {
		configuration.OperationServers[name] = configuration.Servers
	}
	client := api.NewAPIClient(configuration)
	ctx := context.WithValue(
		context.Background(), api.ContextAccessToken, os.Getenv("GATEHOUSE_API_KEY"))

	checked, _, err := client.BulkAPI.CheckBatch(ctx).Body(csv()).
		Title("First aid").Date("2026-11-20").Execute()
	expect(must(checked, err).Rows == 2, "check")
	body := api.NewIssueDocumentBody(
		*api.NewIssueDocumentBodyRecipient("Grace Student", "grace@example.org"),
		"Record of results", "Transcript")
	body.SetFile("QQ==")
	body.SetFileName("results.txt")
	issued, _, err := client.IssuingAPI.IssueDocument(ctx).IssueDocumentBody(*body).Execute()
	id := must(issued, err).Id
	expect(issued.Mail == "postponed", "unknown value")
	list, _, err := client.IssuingAPI.ListDocuments(ctx).Execute()
	expect(len(must(list, err).Data) > 0, "list")
	version := api.NewReplaceDocumentBody()
	version.SetFile("Qg==")
	version.SetFileName("results.txt")
	replaced, _, err := client.IssuingAPI.ReplaceDocument(ctx, id).
		ReplaceDocumentBody(*version).Execute()
	expect(len(must(replaced, err).Versions) == 2, "replace")
	file, _, err := client.IssuingAPI.DownloadDocument(ctx, id).Execute()
	expect(string(must(io.ReadAll(must(file, err)))) == "B", "download")
	batch, _, err := client.BulkAPI.CreateBatch(ctx).Body(csv()).
		Title("First aid").Date("2026-11-20").Execute()
	sent, _, err := client.BulkAPI.SendBatch(ctx, must(batch, err).Id).
		Body(map[string]interface{}{}).Execute()
	expect(must(sent, err).Id == batch.Id, "send")
	withdrawn, _, err := client.IssuingAPI.WithdrawDocument(ctx, id).
		WithdrawDocumentBody(*api.NewWithdrawDocumentBody("Annulled")).Execute()
	expect(must(withdrawn, err).Status == "withdrawn", "withdraw")
}
