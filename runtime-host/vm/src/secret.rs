//! Secrets: what they are made of. Their texts are the host's alone, and are no
//! part of any state of a program.

use crate::raise::{Raise, kinds};

/// A secret: parts that are put together where it is used.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Secret {
    /// In order; never empty.
    pub parts: Vec<SecretPart>,
}

/// A part of a secret.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SecretPart {
    /// What a reference stands for, and in it the fields and places that lead
    /// to the part.
    Reference {
        /// `vault://path`, `env://NAME`, or the path that was given to
        /// `secret_read`.
        address: String,
        /// Fields and places, in order.
        path: Vec<String>,
    },
    /// A text that was put before or behind it.
    Text(String),
}

/// How many parts a secret may have.
const MAX_PARTS: usize = 1024;

impl Secret {
    /// The secret of an address.
    pub fn of(address: impl Into<String>) -> Self {
        Secret {
            parts: vec![SecretPart::Reference {
                address: address.into(),
                path: Vec::new(),
            }],
        }
    }

    /// A field of it, or the element at a place.
    ///
    /// # Errors
    /// It was put together of several, and has no parts of its own.
    pub fn part(&self, name: &str) -> Result<Self, Raise> {
        match &*self.parts {
            [SecretPart::Reference { address, path }] if path.len() < MAX_PARTS => {
                let mut path = path.clone();
                path.push(name.to_owned());
                Ok(Secret {
                    parts: vec![SecretPart::Reference {
                        address: address.clone(),
                        path,
                    }],
                })
            }
            _ => Err(Raise::new(
                kinds::MISSING_FIELD,
                "a secret that was put together has no fields",
            )),
        }
    }

    /// This one, and another one behind it.
    ///
    /// # Errors
    /// It would have too many parts.
    pub fn join(&self, other: &Secret) -> Result<Self, Raise> {
        let count = self.parts.len() + other.parts.len();
        if count > MAX_PARTS {
            return Err(Raise::new(
                kinds::TOO_DEEP,
                format!("a secret has more than {MAX_PARTS} parts"),
            ));
        }
        let parts = self.parts.iter().chain(&other.parts).cloned().collect();
        Ok(Secret { parts })
    }
}
