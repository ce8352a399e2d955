//! What stands beside the sources of a project, as the checks need it.

use std::collections::HashMap;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span, across as codes};
use symbi_project::{ArgumentType, CustomTypes, Manifest, ProjectFile, Tier};

use crate::program::{Tool, ToolParam};
use crate::settings::{Sandbox, Settings, Tools};
use crate::stdlib::Stdlib;
use crate::suggest::nearest;
use crate::ty::Ty;

/// A file with its path, as messages call it.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// Its path.
    pub path: &'t str,
    /// What it holds.
    pub text: &'t str,
}

/// Reads `symbiont.toml`. Errors make the check fail; what could be read holds.
pub fn read_project_file(text: &str) -> (Settings, Vec<Diagnostic>) {
    let parsed = ProjectFile::parse(text);
    let check = &parsed.data.check;
    let off = symbi_diagnostics::all().filter(|code| check.is_off(code));
    let settings = Settings {
        off: off.map(|code| code.id.into()).collect(),
        hints: check.hints.as_ref().is_some_and(|hints| hints.value),
        sandbox: Sandbox {
            tier: parsed.data.sandbox.tier.as_ref().map(|tier| tier.value),
            minimum: (parsed.data.sandbox.minimum.as_ref()).map(|minimum| minimum.value),
        },
        waived: (parsed.data.policy.waive.iter())
            .map(|waiver| (waiver.code.id.into(), waiver.name.value.as_str().into()))
            .collect(),
    };
    let mut diagnostics = parsed.diagnostics;
    if let Some(tier) = &parsed.data.sandbox.tier
        && tier.value == Tier::None
    {
        diagnostics.push(crate::blocks::not_isolated(tier.at));
        diagnostics.sort_by_key(|report| (report.primary.at, report.code.id));
    }
    (settings, diagnostics)
}

/// The tools of a project, and what there is to say about each manifest.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// The tools that could be read.
    pub tools: Tools,
    /// The same as a compiled program has them, sorted by name.
    pub contracts: Vec<symbi_ir::Tool>,
    /// Reports about the manifests, in their order.
    pub reports: Vec<Vec<Diagnostic>>,
    /// Reports about the file with custom types.
    pub type_reports: Vec<Diagnostic>,
}

/// Reads the manifests of a project, in the order of their paths, and its
/// custom types (`toolclad.toml`) if it has any.
pub fn read_manifests(manifests: &[Text<'_>], types: Option<&str>) -> Manifests {
    let types = types.map(CustomTypes::parse);
    let (types, type_reports) = match types {
        Some(parsed) => (parsed.data, parsed.diagnostics),
        None => (CustomTypes::default(), Vec::new()),
    };
    let mut first: HashMap<String, &str> = HashMap::new();
    let mut tools = Vec::new();
    let mut contracts = Vec::new();
    let mut reports = Vec::with_capacity(manifests.len());
    for file in manifests {
        let parsed = Manifest::parse_with(file.text, file.path, &types);
        let mut about = parsed.diagnostics;
        if let Some(name) = &parsed.data.name {
            let same = Stdlib::get().functions.contains_key(&name.value);
            if same {
                about.push(
                    Diagnostic::new(
                        &codes::K0823,
                        name.at,
                        format!("`{}` is a built-in function", name.value),
                    )
                    .label("a call of this name never reaches the tool")
                    .help("give the tool another name"),
                );
            }
            match first.get(&name.value) {
                Some(other) => about.push(
                    Diagnostic::new(
                        &codes::K0824,
                        name.at,
                        format!("`{other}` declares the tool `{}` too", name.value),
                    )
                    .help("rename one of them, or remove the manifest that is not used"),
                ),
                None => {
                    first.insert(name.value.clone(), file.path);
                    if !same {
                        let tool = tool(name.value.as_str().into(), &parsed.data);
                        contracts.push(contract(&tool, file, &parsed.data));
                        tools.push(tool);
                    }
                }
            }
        }
        about.sort_by_key(|report| (report.primary.at, report.code.id));
        reports.push(about);
    }
    contracts.sort_by(|a: &symbi_ir::Tool, b| a.name.cmp(&b.name));
    Manifests {
        contracts,
        tools: Tools::new(tools),
        reports,
        type_reports,
    }
}

/// The folders of `policies/` that are read, one a way of running; those of
/// chats and delegation share `coordinator`.
pub const POLICY_FOLDERS: &[&str] = &[
    "run",
    "http-input",
    "schedule",
    "coordinator",
    "mcp-server",
    "managed-cli",
];

/// What is wrong with a folder below `policies/` in which policies lie: the
/// report is about the first of them.
pub fn read_policy_folder(name: &str) -> Option<Diagnostic> {
    if POLICY_FOLDERS.contains(&name) {
        return None;
    }
    let shown = symbi_mini::quote(name);
    let start = Span::at(0);
    let near = nearest(&name.to_ascii_lowercase(), POLICY_FOLDERS.iter().copied());
    Some(match near {
        Some(near) => Diagnostic::new(
            &codes::K0825,
            start,
            format!("nothing reads the policies in the folder {shown}"),
        )
        .help(format!("rename the folder to `{near}`")),
        None => Diagnostic::new(
            &codes::K0826,
            start,
            format!("nothing reads the policies in the folder {shown}"),
        )
        .help(format!(
            "move it to `policies/`, or to a folder below that is read: {}",
            POLICY_FOLDERS
                .iter()
                .map(|folder| format!("`{folder}`"))
                .collect::<Vec<_>>()
                .join(", ")
        )),
    })
}

fn tool(name: Arc<str>, manifest: &Manifest) -> Tool {
    let params = manifest.arguments.iter().map(|argument| ToolParam {
        name: argument.name.value.as_str().into(),
        ty: argument.ty().map_or(Ty::Any, ty),
        required: argument.required && argument.default.is_none(),
        rules: argument.rules.clone(),
    });
    Tool {
        name,
        description: manifest.description.as_str().into(),
        params: params.collect(),
    }
}

/// A tool as a compiled program has it.
fn contract(tool: &Tool, file: &Text<'_>, manifest: &Manifest) -> symbi_ir::Tool {
    let params = tool.params.iter().map(|param| symbi_ir::ToolParam {
        name: param.name.clone(),
        ty: crate::lowering::lower_type(&param.ty),
        required: param.required,
    });
    let cedar = manifest.tool.cedar.as_ref();
    symbi_ir::Tool {
        name: tool.name.clone(),
        version: (manifest.tool.version.as_ref()).map(|version| version.value.as_str().into()),
        manifest: file.path.replace('\\', "/").into(),
        sha256: symbi_ir::Sha256::of(file.text.as_bytes()),
        resource: cedar.map(|cedar| cedar.resource.value.as_str().into()),
        asks: manifest.tool.human_approval.value,
        params: params.collect(),
    }
}

/// What a call may pass. A manifest's duration takes seconds and texts as
/// well, so it says nothing here.
fn ty(argument: ArgumentType) -> Ty {
    match argument {
        ArgumentType::Integer | ArgumentType::Port => Ty::Int,
        ArgumentType::Number => Ty::Float,
        ArgumentType::Boolean => Ty::Bool,
        ArgumentType::Duration => Ty::Any,
        ArgumentType::AgentSummary
        | ArgumentType::Cidr
        | ArgumentType::CredentialFile
        | ArgumentType::Enum
        | ArgumentType::IpAddress
        | ArgumentType::LiteralText
        | ArgumentType::MsfOptions
        | ArgumentType::Path
        | ArgumentType::RegexMatch
        | ArgumentType::ScopeTarget
        | ArgumentType::String
        | ArgumentType::Url => Ty::String,
    }
}
