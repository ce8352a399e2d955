//! Why a bundle is none of a program, with a code for each reason.

use symbi_bundle::BundleError;
use symbi_diagnostics::{Code, programs as codes};
use symbi_ir::IrError;

/// Why a program cannot be put into a bundle, or be had from one.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// What is wrong with the container.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// There is none in it.
    #[error("the bundle holds no program: give one that `symbi build` wrote")]
    NoProgram,
    /// It cannot be read, or does not hold together.
    #[error("{0}")]
    Program(IrError),
    /// A file that the program names is not there.
    #[error("`{path}` is not in the bundle, and the program was checked with it: build it again")]
    Missing {
        /// Its path.
        path: String,
    },
    /// A file is another one than the program was checked with.
    #[error("`{path}` is not the file that the program was checked with: build it again")]
    Changed {
        /// Its path.
        path: String,
    },
    /// A file that nothing in the program names.
    #[error("nothing in the program names `{path}`, so no bundle of it has this file")]
    Stray {
        /// Its path.
        path: String,
    },
}

impl PackageError {
    /// The code, whose page tells more.
    pub fn code(&self) -> &'static Code {
        match self {
            PackageError::Bundle(error) => error.code(),
            PackageError::NoProgram => &codes::I0930,
            PackageError::Program(IrError::UnknownVersion { .. }) => &codes::I0931,
            PackageError::Program(_) => &codes::I0932,
            PackageError::Missing { .. } => &codes::I0933,
            PackageError::Changed { .. } => &codes::I0934,
            PackageError::Stray { .. } => &codes::I0935,
        }
    }
}
