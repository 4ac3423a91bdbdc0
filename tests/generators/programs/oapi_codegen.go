package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"time"

	"example.org/program/client"
	"github.com/oapi-codegen/runtime/types"
)

const csv = "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n"

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

func pointer[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("GATEHOUSE_API_KEY"))
		return nil
	}
	c := must(client.NewClientWithResponses(
		os.Getenv("GATEHOUSE_API"), client.WithRequestEditorFn(withKey)))
	title, date := pointer("First aid"), &types.Date{Time: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}

	checked := must(c.CheckBatchWithBodyWithResponse(ctx,
		&client.CheckBatchParams{Title: title, Date: date}, "text/csv", strings.NewReader(csv)))
	expect(checked.JSON200 != nil && checked.JSON200.Rows == 2, "check")
	body := client.IssueDocumentBody{
		Title: "Record of results", Type: "Transcript",
		File: pointer("QQ=="), FileName: pointer("results.txt"),
	}
	body.Recipient.Name, body.Recipient.Email = "Grace Student", "grace@example.org"
	issued := must(c.IssueDocumentWithResponse(ctx, nil, body))
	expect(issued.JSON201 != nil && issued.JSON201.Mail == "postponed", "unknown value")
	id := issued.JSON201.Id
	list := must(c.ListDocumentsWithResponse(ctx, nil))
	expect(list.JSON200 != nil && len(list.JSON200.Data) > 0, "list")
	replaced := must(c.ReplaceDocumentWithResponse(ctx, id, nil,
		client.ReplaceDocumentBody{File: pointer("Qg=="), FileName: pointer("results.txt")}))
	expect(replaced.JSON200 != nil && len(replaced.JSON200.Versions) == 2, "replace")
	file := must(c.DownloadDocumentWithResponse(ctx, id, nil))
	expect(string(file.Body) == "B", "download")
	batch := must(c.CreateBatchWithBodyWithResponse(ctx,
		&client.CreateBatchParams{Title: title, Date: date}, "text/csv", strings.NewReader(csv)))
	expect(batch.JSON201 != nil, "batch")
	sent := must(c.SendBatchWithResponse(ctx, batch.JSON201.Id, nil, client.SendBatchBody{}))
	expect(sent.JSON200 != nil, "send")
	withdrawn := must(c.WithdrawDocumentWithResponse(ctx, id, nil,
		client.WithdrawDocumentBody{Reason: "Annulled"}))
	expect(withdrawn.JSON200 != nil && withdrawn.JSON200.Status == "withdrawn", "withdraw")
}
