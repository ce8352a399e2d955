//! `[tool]` and the sections below it: what a tool is called, how dangerous it
//! is, and what it may use up.

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::keys;
use super::placeholder;
use super::section::Section;
use super::spelt_like_a_name;
use super::terms::{Dispatch, Hash, Mode, RiskTier};
use crate::reader::Reader;
use crate::value::relative_path;
use crate::{Setting, Spanned};

/// The seconds after which a call ends that says nothing else.
const TIMEOUT: u64 = 30;

/// `[tool]` apart from its name and its description.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// `version`.
    pub version: Option<Spanned<String>>,
    /// `binary`: the name of the program, without folders.
    pub binary: Option<Spanned<String>>,
    /// `mode`.
    pub mode: Setting<Mode>,
    /// `timeout_seconds`: when a call is ended.
    pub timeout_seconds: Setting<u64>,
    /// `risk_tier`.
    pub risk_tier: Setting<RiskTier>,
    /// `human_approval`: a person approves each call.
    pub human_approval: Setting<bool>,
    /// `network_egress`: it dials what its arguments name.
    pub network_egress: Setting<bool>,
    /// `allow_interpreter`: its program may run what it is given as code.
    pub allow_interpreter: Setting<bool>,
    /// `output_dir`: where it writes, below the folder of the project.
    pub output_dir: Option<Spanned<String>>,
    /// `dispatch`.
    pub dispatch: Setting<Dispatch>,
    /// `[tool.cedar]`, if it is given.
    pub cedar: Option<Cedar>,
    /// `[tool.evidence]`, if it is given.
    pub evidence: Option<Evidence>,
    /// `[tool.limits]`.
    pub limits: Limits,
}

/// `[tool.cedar]`: what policies call a call of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cedar {
    /// `resource`, such as `Tool::NmapScan`.
    pub resource: Setting<String>,
    /// `action`.
    pub action: Setting<String>,
}

/// `[tool.evidence]`: what is kept of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// `output_dir`, with `{evidence_dir}` and `{scan_id}` in it.
    pub output_dir: Option<Spanned<String>>,
    /// `capture`: the output is kept.
    pub capture: Setting<bool>,
    /// `hash`.
    pub hash: Setting<Hash>,
}

/// `[tool.limits]`: what a call may use up. What is not given is up to the
/// sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// `nproc`: processes.
    pub nproc: Option<Spanned<u64>>,
    /// `nofile`: open files.
    pub nofile: Option<Spanned<u64>>,
    /// `fsize_bytes`: the largest file it may write.
    pub fsize_bytes: Option<Spanned<u64>>,
    /// `address_space_bytes`: memory.
    pub address_space_bytes: Option<Spanned<u64>>,
    /// `cpu_seconds`.
    pub cpu_seconds: Option<Spanned<u64>>,
}

/// Reads `[tool]`: name, description and the rest.
pub fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Section<'d>,
    file_name: &str,
) -> (Option<Spanned<String>>, String, Tool) {
    let given = root.entry("tool");
    let section = given.and_then(|entry| Section::read(reader, entry, &keys::TOOL, "tool"));
    let Some(section) = section else {
        if given.is_none() {
            no_name(reader, None, file_name);
        }
        return (None, String::new(), Tool::default());
    };
    let name = match section.entry("name") {
        Some(_) => section
            .text(reader, "name")
            .filter(|name| is_name(reader, name)),
        None => {
            no_name(reader, Some(section.at), file_name);
            None
        }
    };
    let description = section.text(reader, "description");
    let description = description.map(|text| text.value).unwrap_or_default();
    let tool = Tool {
        version: section.filled(reader, "version"),
        binary: section
            .filled(reader, "binary")
            .filter(|binary| is_binary(reader, binary)),
        mode: section.term_or(reader, "mode", Mode::Oneshot),
        timeout_seconds: section.whole_or(reader, "timeout_seconds", TIMEOUT),
        risk_tier: section.term_or(reader, "risk_tier", RiskTier::Low),
        human_approval: section.boolean(reader, "human_approval", false),
        network_egress: section.boolean(reader, "network_egress", false),
        allow_interpreter: section.boolean(reader, "allow_interpreter", false),
        output_dir: output_dir(reader, &section),
        dispatch: section.term_or(reader, "dispatch", Dispatch::Exec),
        cedar: cedar(reader, &section, name.as_ref()),
        evidence: evidence(reader, &section),
        limits: limits(reader, &section),
    };
    (name, description, tool)
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            version: None,
            binary: None,
            mode: Setting::or(None, Mode::Oneshot),
            timeout_seconds: Setting::or(None, TIMEOUT),
            risk_tier: Setting::or(None, RiskTier::Low),
            human_approval: Setting::or(None, false),
            network_egress: Setting::or(None, false),
            allow_interpreter: Setting::or(None, false),
            output_dir: None,
            dispatch: Setting::or(None, Dispatch::Exec),
            cedar: None,
            evidence: None,
            limits: Limits::default(),
        }
    }
}

fn no_name(reader: &mut Reader, tool: Option<Span>, file_name: &str) {
    let at = tool.unwrap_or(Span::at(0));
    let report = Diagnostic::new(&codes::K0852, at, "the tool has no name");
    let stem = stem(file_name);
    let example = if spelt_like_a_name(stem) {
        stem
    } else {
        "read_file"
    };
    reader.report(report.help(match tool {
        Some(_) => format!("write `name = \"{example}\"` below `[tool]`"),
        None => format!("write `[tool]`, and below it `name = \"{example}\"`"),
    }));
}

/// The name of a manifest without folders and endings.
fn stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    name.strip_suffix(".clad.toml").unwrap_or(name)
}

/// A tool is called in sources, where only a name can stand.
fn is_name(reader: &mut Reader, name: &Spanned<String>) -> bool {
    let written = &name.value;
    if spelt_like_a_name(written) {
        return true;
    }
    let message = if written.is_empty() {
        "the name of the tool is empty".to_owned()
    } else {
        format!("a tool cannot be called `{written}`: no source could name it")
    };
    let mut report = Diagnostic::new(&codes::K0853, name.at, message);
    let plain = written.replace(['-', ' ', '.'], "_");
    report = report.help(if spelt_like_a_name(&plain) {
        format!("write `{plain}`")
    } else {
        "a name has letters from `a` to `z`, digits and `_`, and no digit first".to_owned()
    });
    reader.report(report);
    false
}

/// The name of a program is one word without folders.
fn is_binary(reader: &mut Reader, binary: &Spanned<String>) -> bool {
    let written = &binary.value;
    if let Some(name) = written.rsplit(['/', '\\']).next()
        && name != written
    {
        let message = "`binary` is the name of a program without its folders";
        let mut report = Diagnostic::new(&codes::K0863, binary.at, message);
        if !name.is_empty() && !name.contains('"') {
            let text = format!("\"{name}\"");
            let edit = Edit {
                at: binary.at,
                text: text.clone(),
            };
            report = report.fix(format!("write `{text}`"), vec![edit]);
        }
        reader.report(report);
        return false;
    }
    if let Some((at, space)) = written.char_indices().find(|(_, c)| c.is_whitespace()) {
        let place = reader.inside(binary, at..at + space.len_utf8());
        let message = "`binary` is the name of a program alone, without what it is given";
        reader.report(Diagnostic::new(&codes::K0863, place, message));
        return false;
    }
    true
}

/// Where a tool writes lies below the project.
fn output_dir(reader: &mut Reader, section: &Section) -> Option<Spanned<String>> {
    let written = section.filled(reader, "output_dir")?;
    if let Err(problem) = relative_path(&written.value) {
        let message = format!("`output_dir` {problem}");
        reader.report(Diagnostic::new(&codes::K0868, written.at, message));
        return None;
    }
    Some(written)
}

fn cedar<'d>(
    reader: &mut Reader<'d>,
    tool: &Section<'d>,
    name: Option<&Spanned<String>>,
) -> Option<Cedar> {
    let section = tool.section(reader, "cedar", &keys::CEDAR)?;
    let resource = section.filled(reader, "resource").filter(|resource| {
        let path = resource.value.split("::").all(spelt_like_a_name);
        if !path {
            let message = format!("`{}` is no type of Cedar", resource.value);
            let report = Diagnostic::new(&codes::K0863, resource.at, message);
            reader.report(report.help("write names with `::` between them: `Tool::NmapScan`"));
        }
        path
    });
    let action = section.filled(reader, "action").filter(|action| {
        let plain = !action.value.contains(['"', '\\']) && !action.value.contains(char::is_control);
        if !plain {
            let message = "the name of an action has no quotes, backslashes or control characters";
            reader.report(Diagnostic::new(&codes::K0863, action.at, message));
        }
        plain
    });
    let own = name.map_or_else(
        || "Tool".to_owned(),
        |name| format!("Tool::{}", camel(&name.value)),
    );
    Some(Cedar {
        resource: Setting::or(resource, own),
        action: Setting::or(action, "execute_tool".to_owned()),
    })
}

/// `nmap_scan` as `NmapScan`.
fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Names that the folder of evidence may have in it.
const FOLDER_NAMES: [&str; 3] = ["evidence_dir", "scan_id", "session_id"];

fn evidence<'d>(reader: &mut Reader<'d>, tool: &Section<'d>) -> Option<Evidence> {
    let section = tool.section(reader, "evidence", &keys::EVIDENCE)?;
    let output_dir = section.filled(reader, "output_dir");
    let output_dir = output_dir.filter(|written| is_below_evidence(reader, written));
    Some(Evidence {
        output_dir,
        capture: section.boolean(reader, "capture", true),
        hash: section.term_or(reader, "hash", Hash::Sha256),
    })
}

/// Evidence stays below its folder.
fn is_below_evidence(reader: &mut Reader, written: &Spanned<String>) -> bool {
    let Some(pieces) = placeholder::strict(reader, written) else {
        return false;
    };
    for (name, part) in placeholder::names(&pieces) {
        if !FOLDER_NAMES.contains(&name) {
            let at = reader.inside(written, part.clone());
            let message = format!("`{{{name}}}` stands for nothing in a folder of evidence");
            let report = Diagnostic::new(&codes::K0867, at, message);
            reader.report(report.help("write `{evidence_dir}` or `{scan_id}`"));
            return false;
        }
    }
    let below = written
        .value
        .strip_prefix("{evidence_dir}/")
        .unwrap_or(&written.value);
    let inside = relative_path(below);
    if inside.is_err() || below.contains("{evidence_dir}") || below.is_empty() {
        let message = "evidence is kept below its own folder";
        let report = Diagnostic::new(&codes::K0868, written.at, message);
        reader.report(report.help("write for example `\"{evidence_dir}/{scan_id}\"`"));
        return false;
    }
    true
}

fn limits<'d>(reader: &mut Reader<'d>, tool: &Section<'d>) -> Limits {
    let Some(section) = tool.section(reader, "limits", &keys::LIMITS) else {
        return Limits::default();
    };
    Limits {
        nproc: section.whole(reader, "nproc"),
        nofile: section.whole(reader, "nofile"),
        fsize_bytes: section.whole(reader, "fsize_bytes"),
        address_space_bytes: section.whole(reader, "address_space_bytes"),
        cpu_seconds: section.whole(reader, "cpu_seconds"),
    }
}
