package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"example.org/program/client"
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

// security has the key of the operations for issuers.
type security struct{}

func (security) IssuerKey(context.Context, client.OperationName) (client.IssuerKey, error) {
	return client.IssuerKey{Token: os.Getenv("GATEHOUSE_API_KEY")}, nil
}

func (security) RecordSession(context.Context, client.OperationName) (client.RecordSession, error) {
	return client.RecordSession{}, nil
}

func (security) AppToken(context.Context, client.OperationName) (client.AppToken, error) {
	return client.AppToken{}, nil
}

func main() {
	ctx := context.Background()
	c := must(client.NewClient(os.Getenv("GATEHOUSE_API"), security{}))
	title := client.NewOptString("First aid")
	date := client.NewOptDate(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))

	checked := must(c.CheckBatch(ctx, &client.CheckBatchReqTextCsv{Data: strings.NewReader(csv)},
		client.CheckBatchParams{Title: title, Date: date}))
	expect(checked.(*client.CheckBatchOKHeaders).Response.Rows == 2, "check")
	issued := must(c.IssueDocument(ctx, &client.IssueDocumentBody{
		Recipient: client.IssueDocumentBodyRecipient{
			Name: "Grace Student", Email: "grace@example.org"},
		Title: "Record of results", Type: "Transcript",
		File:     client.NewOptNilString("QQ=="),
		FileName: client.NewOptNilString("results.txt"),
	}, client.IssueDocumentParams{})).(*client.DocumentHeaders).Response
	expect(issued.Mail == "postponed", "unknown value")
	id := issued.ID
	list := must(c.ListDocuments(ctx, client.ListDocumentsParams{}))
	expect(len(list.(*client.ListDocumentsOKHeaders).Response.Data) > 0, "list")
	replaced := must(c.ReplaceDocument(ctx, &client.ReplaceDocumentBody{
		File:     client.NewOptNilString("Qg=="),
		FileName: client.NewOptNilString("results.txt"),
	}, client.ReplaceDocumentParams{ID: id})).(*client.DocumentHeaders).Response
	expect(len(replaced.Versions) == 2, "replace")
	file := must(c.DownloadDocument(ctx, client.DownloadDocumentParams{ID: id}))
	content := must(io.ReadAll(file.(*client.DownloadDocumentOKHeaders).Response.Data))
	expect(string(content) == "B", "download")
	batch := must(c.CreateBatch(ctx, &client.CreateBatchReqTextCsv{Data: strings.NewReader(csv)},
		client.CreateBatchParams{Title: title, Date: date})).(*client.BatchHeaders).Response
	_, isSent := must(c.SendBatch(ctx, &client.SendBatchBody{},
		client.SendBatchParams{ID: batch.ID})).(*client.BatchHeaders)
	expect(isSent, "send")
	withdrawn := must(c.WithdrawDocument(ctx, &client.WithdrawDocumentBody{Reason: "Annulled"},
		client.WithdrawDocumentParams{ID: id})).(*client.DocumentHeaders).Response
	expect(withdrawn.Status == "withdrawn", "withdraw")
}
