use openapi::apis::{bulk_api, configuration::Configuration, issuing_api};
use openapi::models;

const CSV: &str = "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let configuration = Configuration {
        base_path: std::env::var("GATEHOUSE_API")?,
        bearer_access_token: Some(std::env::var("GATEHOUSE_API_KEY")?),
        ..Configuration::default()
    };
    let path = std::path::PathBuf::from("graduates.csv");
    std::fs::write(&path, CSV)?;
    let date = chrono::NaiveDate::from_ymd_opt(2026, 11, 20);
    let title = Some("First aid");

    let checked = bulk_api::check_batch(
        &configuration, path.clone(), title, None, date, None, None, None, None, None, None, None,
    ).await?;
    assert_eq!(checked.rows, 2);
    let recipient = models::IssueDocumentBodyRecipient::new(
        "Grace Student".into(), "grace@example.org".into(),
    );
    let mut body = models::IssueDocumentBody::new(
        recipient, "Record of results".into(), "Transcript".into(),
    );
    body.file = Some(Some("QQ==".into()));
    body.file_name = Some(Some("results.txt".into()));
    let issued = issuing_api::issue_document(&configuration, body, None).await?;
    assert_eq!(issued.mail, "postponed");
    let list = issuing_api::list_documents(
        &configuration, None, None, None, None, None, None, None, None,
    ).await?;
    assert!(list.data.iter().any(|each| each.id == issued.id));
    let mut version = models::ReplaceDocumentBody::new();
    version.file = Some(Some("Qg==".into()));
    version.file_name = Some(Some("results.txt".into()));
    let replaced =
        issuing_api::replace_document(&configuration, &issued.id, version, None).await?;
    assert_eq!(replaced.versions.len(), 2);
    let file = issuing_api::download_document(&configuration, &issued.id, None, None).await?;
    assert_eq!(file.text().await?, "B");
    let batch = bulk_api::create_batch(
        &configuration, path, title, None, date, None, None, None, None, None, None, None, None,
    ).await?;
    let sent =
        bulk_api::send_batch(&configuration, &batch.id, serde_json::json!({}), None).await?;
    assert_eq!(sent.id, batch.id);
    let reason = models::WithdrawDocumentBody::new("Annulled".into());
    let withdrawn =
        issuing_api::withdraw_document(&configuration, &issued.id, reason, None).await?;
    assert_eq!(withdrawn.status, "withdrawn");
    Ok(())
}
