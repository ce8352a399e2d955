//! The objects of a SARIF log that we write, with the names of the standard.

use std::collections::BTreeMap;

use serde::Serialize;

/// A text for people (3.11).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Message {
    pub text: String,
}

/// Which file (3.4).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Message>,
}

/// Where in it, from 1, the end exclusive (3.30).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A file and a place in it (3.29).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// A place and what there is to say about it (3.28).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

/// One report (3.27).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Result {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Message,
    pub locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
}

/// Edits that belong together (3.55).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub description: Message,
    pub artifact_changes: [Change; 1],
}

/// The edits of one file (3.56).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    pub artifact_location: Artifact,
    pub replacements: Vec<Replacement>,
}

/// One edit (3.57).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inserted_content: Option<Content>,
}

/// What an edit writes (3.3).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Content {
    pub text: String,
}

/// Something that the tool could not do (3.58).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message,
    pub locations: [Location; 1],
}

/// How the tool ran (3.20).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

/// The end of the run (3.14).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Run {
    pub tool: Tool,
    pub invocations: [Invocation; 1],
}

/// Who looked (3.18).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tool {
    pub driver: Driver,
}

/// The program itself (3.19).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: String,
    pub version: String,
    pub semantic_version: String,
    pub information_uri: &'static str,
    pub rules: Vec<Rule>,
    pub properties: BTreeMap<&'static str, String>,
}

/// What kind of report a code is (3.49).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: &'static str,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Help,
    pub help_uri: String,
    pub default_configuration: Configuration,
    pub properties: Properties,
}

/// A text in two forms (3.12).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Help {
    pub text: String,
    pub markdown: &'static str,
}

/// The level of all results of a rule (3.50).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Configuration {
    pub level: &'static str,
}

/// What code scanning sorts rules by.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Properties {
    pub tags: [&'static str; 1],
}
