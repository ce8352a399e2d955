//! The states of an effect. Each is made from the one before and by the gate
//! alone; none can be copied, so that what was granted once happens once.

use symbi_ir::Sha256;
use symbi_policy::Record;

use super::approval::Receipt;
use super::call::{Call, Fingerprint, fingerprint};
use super::told::Told;
use crate::obligations::AuditRules;

/// A call about which the gate has decided.
#[derive(Debug)]
#[must_use]
pub struct Decided {
    pub(super) call: Call,
    pub(super) fingerprint: Fingerprint,
    pub(super) principal: std::sync::Arc<str>,
    pub(super) granted: bool,
    pub(super) told: Told,
    pub(super) audit: AuditRules,
    pub(super) limit: Option<u64>,
    pub(super) receipt: Option<Receipt>,
}

impl Decided {
    /// Whether it may happen.
    pub fn is_granted(&self) -> bool {
        self.granted
    }

    /// Why.
    pub fn told(&self) -> &Told {
        &self.told
    }

    /// The call, as it would be carried out.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// What it is known by.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// What is put on record about it.
    pub fn audit(&self) -> &AuditRules {
        &self.audit
    }

    /// The agreement of a person, where one was asked.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }

    /// What may be carried out.
    ///
    /// # Errors
    /// It was refused.
    pub fn prepare(self) -> Result<Prepared, Raised> {
        match self.granted {
            true => Ok(Prepared { decided: self }),
            false => Err(Raised {
                kind: match self.told.because {
                    "invalid_arguments" => "invalid_arguments",
                    _ => "denied",
                },
                told: self.told,
            }),
        }
    }
}

/// A call that was granted, and not yet carried out.
#[derive(Debug)]
#[must_use]
pub struct Prepared {
    decided: Decided,
}

/// A call as it is about to go out: what a provider takes.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// The name of the effect.
    pub name: &'a str,
    /// The arguments by name.
    pub arguments: &'a Record,
    /// The hash of the tool's manifest, as it is now.
    pub contract: Option<Sha256>,
}

impl Prepared {
    /// The call that was granted.
    pub fn call(&self) -> &Call {
        &self.decided.call
    }

    /// What it is known by.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.decided.fingerprint
    }

    /// How many bytes its result may have.
    pub fn result_limit(&self) -> Option<u64> {
        self.decided.limit
    }

    /// The call as it was granted, where nothing has changed it.
    pub fn outgoing(&self) -> Outgoing<'_> {
        let call = &self.decided.call;
        Outgoing {
            name: &call.name,
            arguments: &call.arguments,
            contract: call.tool.as_ref().map(|tool| tool.sha256),
        }
    }

    /// Whether what goes out is what was granted: the same name and arguments,
    /// and the same manifest of the tool.
    ///
    /// # Errors
    /// It is another call, which has to be proposed anew.
    pub fn check(&self, outgoing: &Outgoing<'_>) -> Result<(), Raised> {
        let input = self.decided.call.input.as_ref();
        let principal = &self.decided.principal;
        let (name, arguments) = (outgoing.name, outgoing.arguments);
        let (found, _) = fingerprint(principal, name, arguments, input, outgoing.contract);
        match found == self.decided.fingerprint {
            true => Ok(()),
            false => Err(Raised {
                kind: "denied",
                told: Told::plain(
                    "changed",
                    format!("`{name}` is not the call that was granted: it has changed since"),
                ),
            }),
        }
    }

    /// Carries it out: hands the call to a provider, once, if it is still the
    /// one that was granted.
    ///
    /// # Errors
    /// It is another call, and the provider was not asked.
    pub fn carry_out<R>(
        self,
        outgoing: &Outgoing<'_>,
        provider: impl FnOnce(&Call) -> R,
    ) -> Result<(Done, R), Raised> {
        self.check(outgoing)?;
        let result = provider(&self.decided.call);
        let done = Done {
            decided: self.decided,
        };
        Ok((done, result))
    }

    /// Carries out the call as it was granted, which nothing has changed.
    pub fn carry_out_as_granted<R>(self, provider: impl FnOnce(&Call) -> R) -> (Done, R) {
        let result = provider(&self.decided.call);
        let done = Done {
            decided: self.decided,
        };
        (done, result)
    }
}

/// A call that a provider was asked to carry out.
#[derive(Debug)]
pub struct Done {
    decided: Decided,
}

impl Done {
    /// The call.
    pub fn call(&self) -> &Call {
        &self.decided.call
    }

    /// What it is known by.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.decided.fingerprint
    }

    /// What is put on record about it.
    pub fn audit(&self) -> &AuditRules {
        &self.decided.audit
    }

    /// Whether a result of so many bytes may be used.
    ///
    /// # Errors
    /// `max_data_size` allows fewer.
    pub fn check_result(&self, bytes: u64) -> Result<(), Raised> {
        match self.decided.limit.filter(|limit| bytes > *limit) {
            None => Ok(()),
            Some(limit) => Err(Raised {
                kind: "data_too_large",
                told: Told::plain(
                    "data_too_large",
                    format!(
                        "the result of `{}` has {bytes} bytes, and `max_data_size` allows {limit}",
                        self.decided.call.name
                    ),
                ),
            }),
        }
    }
}

/// What a program catches where an effect does not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// The kind of the error: `denied`, `invalid_arguments`, `data_too_large`.
    pub kind: &'static str,
    /// Why.
    pub told: Told,
}
