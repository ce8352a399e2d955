//! The texts of secrets: found where they are used, and kept nowhere else.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;
use symbi_vm::{Raise, Secret, SecretPart, kinds};

use super::answers::Answers;

/// Where the texts of secrets are.
pub struct Secrets {
    answers: Arc<Answers>,
    /// What was found, so that it can be kept out of journals.
    known: Mutex<HashSet<String>>,
}

impl Secrets {
    /// Those of scripted answers, and of the environment.
    pub fn new(answers: Arc<Answers>) -> Self {
        let known = answers.secrets().map(str::to_owned).collect();
        Secrets {
            answers,
            known: Mutex::new(known),
        }
    }

    /// The text of an address: `env://NAME`, or a path of a vault.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, address: &str) -> Result<String, Raise> {
        let scripted = self.answers.secret(address).or_else(|| {
            let path = address.strip_prefix("vault://")?;
            self.answers.secret(path)
        });
        let found = match (scripted, address.strip_prefix("env://")) {
            (Some(text), _) => text.to_owned(),
            (None, Some(name)) => std::env::var(name).map_err(|_| {
                Raise::new(
                    kinds::NOT_FOUND,
                    format!("there is no secret `{address}`: the environment has no `{name}`"),
                )
            })?,
            (None, None) => {
                return Err(Raise::new(
                    kinds::NOT_FOUND,
                    format!("there is no secret `{address}`: no vault is connected"),
                ));
            }
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(found.clone());
        Ok(found)
    }

    /// The text that a secret is put together of.
    ///
    /// # Errors
    /// A part of it is not there.
    pub fn text(&self, secret: &Secret) -> Result<String, Raise> {
        let mut text = String::new();
        for part in &secret.parts {
            match part {
                SecretPart::Text(part) => text.push_str(part),
                SecretPart::Reference { address, path } => {
                    let whole = self.find(address)?;
                    text.push_str(&self.part(address, whole, path)?);
                }
            }
        }
        Ok(text)
    }

    /// A field of a secret that is JSON.
    fn part(&self, address: &str, whole: String, path: &[String]) -> Result<String, Raise> {
        if path.is_empty() {
            return Ok(whole);
        }
        let missing = || {
            Raise::new(
                kinds::MISSING_FIELD,
                format!("the secret `{address}` has no `{}`", path.join(".")),
            )
        };
        let json: Json = serde_json::from_str(&whole).map_err(|_| missing())?;
        let mut at = &json;
        for step in path {
            let found = match at {
                Json::Array(items) => step.parse().ok().and_then(|place: usize| items.get(place)),
                other => other.get(step),
            };
            at = found.ok_or_else(missing)?;
        }
        let text = match at {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text.clone());
        Ok(text)
    }

    /// All texts that were found, to be kept out of what is written.
    pub fn known(&self) -> Vec<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known: Vec<String> = known.iter().cloned().collect();
        known.sort();
        known
    }
}
