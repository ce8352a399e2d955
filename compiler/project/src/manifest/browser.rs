//! `[browser]`: a browser that is driven. It is read and checked whole; the
//! host says honestly that it cannot run one.

use symbi_diagnostics::Diagnostic;
use symbi_diagnostics::project as codes;

use super::argument::{self, Argument};
use super::keys;
use super::section::Section;
use super::session::{check_command_name, not_longer};
use super::terms::{Connect, Engine, ExtractMode, Method, RiskTier};
use crate::custom_types::CustomTypes;
use crate::document::Entry;
use crate::reader::Reader;
use crate::{Setting, Spanned};

/// `[browser]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Browser {
    /// `engine`.
    pub engine: Setting<Engine>,
    /// `headless`.
    pub headless: Setting<bool>,
    /// `connect`.
    pub connect: Setting<Connect>,
    /// `extract_mode`.
    pub extract_mode: Setting<ExtractMode>,
    /// `startup_timeout_seconds`.
    pub startup_timeout_seconds: Setting<u64>,
    /// `idle_timeout_seconds`.
    pub idle_timeout_seconds: Setting<u64>,
    /// `session_timeout_seconds`.
    pub session_timeout_seconds: Setting<u64>,
    /// `max_interactions`.
    pub max_interactions: Setting<u64>,
    /// `scope.allowed_domains`.
    pub allowed_domains: Vec<Spanned<String>>,
    /// `scope.blocked_domains`.
    pub blocked_domains: Vec<Spanned<String>>,
    /// `scope.allow_external`: it may leave the allowed domains.
    pub allow_external: Setting<bool>,
    /// `network.allowed_methods`; `GET` and `HEAD` if it is not given.
    pub allowed_methods: Option<Vec<Spanned<Method>>>,
    /// `network.private_origins`.
    pub private_origins: Vec<Spanned<String>>,
    /// `commands`, in the order of the file.
    pub commands: Vec<BrowserCommand>,
    /// `state.fields`.
    pub state_fields: Vec<Spanned<String>>,
}

/// `[browser.commands.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BrowserCommand {
    /// Its name: agents call `TOOL.NAME`.
    pub name: Spanned<String>,
    /// `description`.
    pub description: String,
    /// `risk_tier`.
    pub risk_tier: Setting<RiskTier>,
    /// `human_approval`.
    pub human_approval: Setting<bool>,
    /// `args`.
    pub arguments: Vec<Argument>,
}

/// The most domains of a scope.
const MAX_DOMAINS: usize = 256;

/// Reads `[browser]`.
pub fn read<'d>(reader: &mut Reader<'d>, section: &Section<'d>, types: &CustomTypes) -> Browser {
    let scope = section.section(reader, "scope", &keys::BROWSER_SCOPE);
    let domains = |reader: &mut Reader<'d>, name: &str| {
        let written = scope.as_ref().and_then(|scope| scope.texts(reader, name));
        let mut written = written.unwrap_or_default();
        if let Some(more) = written.get(MAX_DOMAINS) {
            let message = format!("a scope has at most {MAX_DOMAINS} domains");
            reader.report(Diagnostic::new(&codes::K0863, more.at, message));
        }
        written.retain(|domain| is_domain(reader, domain));
        written
    };
    let allowed_domains = domains(reader, "allowed_domains");
    let blocked_domains = domains(reader, "blocked_domains");
    let allow_external = match &scope {
        Some(scope) => scope.boolean(reader, "allow_external", false),
        None => Setting::or(None, false),
    };
    let network = section.section(reader, "network", &keys::BROWSER_NETWORK);
    let allowed_methods = network
        .as_ref()
        .and_then(|network| network.terms(reader, "allowed_methods"));
    let private_origins = network
        .as_ref()
        .and_then(|network| network.texts(reader, "private_origins"));
    let mut private_origins = private_origins.unwrap_or_default();
    private_origins.retain(|origin| is_origin(reader, origin));
    let state = section.section(reader, "state", &keys::BROWSER_STATE);
    let state_fields = state
        .as_ref()
        .and_then(|state| state.texts(reader, "fields"));
    let startup_timeout_seconds = section.whole_or(reader, "startup_timeout_seconds", 10);
    let idle_timeout_seconds = section.whole_or(reader, "idle_timeout_seconds", 120);
    let session_timeout_seconds = section.whole_or(reader, "session_timeout_seconds", 600);
    not_longer(
        reader,
        "startup_timeout_seconds",
        &startup_timeout_seconds,
        &session_timeout_seconds,
    );
    not_longer(
        reader,
        "idle_timeout_seconds",
        &idle_timeout_seconds,
        &session_timeout_seconds,
    );
    let entries = section.open(reader, "commands");
    let mut commands = Vec::new();
    for entry in entries {
        commands.extend(command(reader, entry, types));
    }
    Browser {
        engine: section.term_or(reader, "engine", Engine::Cdp),
        headless: section.boolean(reader, "headless", true),
        connect: section.term_or(reader, "connect", Connect::Launch),
        extract_mode: section.term_or(reader, "extract_mode", ExtractMode::AccessibilityTree),
        startup_timeout_seconds,
        idle_timeout_seconds,
        session_timeout_seconds,
        max_interactions: section.whole_or(reader, "max_interactions", 200),
        allowed_domains,
        blocked_domains,
        allow_external,
        allowed_methods,
        private_origins,
        commands,
        state_fields: state_fields.unwrap_or_default(),
    }
}

/// `example.com`, `*.example.com` or `admin.*`.
fn is_domain(reader: &mut Reader, domain: &Spanned<String>) -> bool {
    let label = |label: &str| {
        label == "*"
            || (!label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
    };
    let fits = domain.value.len() <= 253 && domain.value.split('.').all(label);
    if !fits {
        let message = format!("`{}` is no domain", shortened(&domain.value));
        let report = Diagnostic::new(&codes::K0863, domain.at, message);
        reader.report(
            report.help("write `\"example.com\"`, or `\"*.example.com\"` for those below it"),
        );
    }
    fits
}

/// `http://127.0.0.1:8080`.
fn is_origin(reader: &mut Reader, origin: &Spanned<String>) -> bool {
    let rest = origin
        .value
        .strip_prefix("http://")
        .or(origin.value.strip_prefix("https://"));
    let fits = rest.is_some_and(|rest| match rest.parse::<std::net::SocketAddr>() {
        Ok(_) => true,
        Err(_) => rest
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok(),
    });
    if !fits {
        let message = format!(
            "`{}` is no origin with an address",
            shortened(&origin.value)
        );
        let report = Diagnostic::new(&codes::K0863, origin.at, message);
        reader.report(report.help("write for example `\"http://127.0.0.1:8080\"`"));
    }
    fits
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

fn command(reader: &mut Reader<'_>, entry: &Entry, types: &CustomTypes) -> Option<BrowserCommand> {
    let header = format!("browser.commands.{}", entry.key);
    let section = Section::read(reader, entry, &keys::BROWSER_COMMAND, &header)?;
    check_command_name(reader, entry);
    let description = section.text(reader, "description");
    let entries = section.open(reader, "args");
    Some(BrowserCommand {
        name: Spanned {
            value: entry.key.clone(),
            at: entry.key_at,
        },
        description: description.map(|text| text.value).unwrap_or_default(),
        risk_tier: section.term_or(reader, "risk_tier", RiskTier::Low),
        human_approval: section.boolean(reader, "human_approval", false),
        arguments: argument::read_all(reader, entries, &format!("{header}.args"), types),
    })
}
