//! Which run is meant.

use std::path::{Path, PathBuf};

use symbi_journal::{Journals, PublicKey, RunId};

/// Where runs are looked for.
#[derive(Debug, clap::Args)]
pub struct Where {
    /// The folder of the project; else the nearest one upwards
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,

    /// The public key that has to have signed: 64 hexadecimal digits; else that
    /// of the project
    #[arg(long, value_name = "HEX")]
    public_key: Option<String>,
}

/// A run, and where its journal is.
pub struct Which {
    pub journals: Journals,
    pub run: RunId,
}

impl Where {
    /// The folder of the project.
    pub fn project(&self) -> PathBuf {
        match &self.project {
            Some(project) => project.clone(),
            None => crate::run::project(),
        }
    }

    /// The journals of the project.
    pub fn journals(&self) -> Journals {
        Journals::in_project(&self.project())
    }

    /// The key that journals have to be signed with.
    pub fn key(&self) -> Result<PublicKey, String> {
        match &self.public_key {
            Some(hex) => hex
                .parse()
                .map_err(|error| format!("--public-key: {error}")),
            None => PublicKey::of_project(&self.project()).map_err(|error| error.to_string()),
        }
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<RunId>, String> {
        let mut runs = self.journals().runs().map_err(|error| error.to_string())?;
        // A name begins with the time.
        runs.sort_by(|one, two| one.as_str().cmp(two.as_str()));
        Ok(runs)
    }

    /// The run of a name, the beginning of one, `last`, or a file.
    pub fn which(&self, wanted: &str) -> Result<Which, String> {
        let path = Path::new(wanted);
        if wanted.ends_with(".jsonl") || wanted.contains('/') {
            let (journals, run) = Journals::of_file(path).map_err(|error| error.to_string())?;
            return Ok(Which { journals, run });
        }
        let run = find(&self.runs()?, wanted)?;
        Ok(Which {
            journals: self.journals(),
            run,
        })
    }
}

/// A run by its name, the beginning of it, or `last`.
pub fn find(runs: &[RunId], wanted: &str) -> Result<RunId, String> {
    if wanted == "last" {
        let last = runs.last().cloned();
        return last.ok_or_else(|| "there is no run in this project yet".to_owned());
    }
    let mut found = runs.iter().filter(|run| run.as_str().starts_with(wanted));
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run.clone()),
        (Some(one), Some(two)) => Err(format!(
            "several runs begin with `{wanted}`: say more, such as {one} or {two}"
        )),
        (None, _) => Err(format!(
            "there is no run `{wanted}` in this project: `symbi audit list` shows which there are"
        )),
    }
}
