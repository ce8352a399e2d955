//! Tools that dial what their arguments name: each such argument says that it
//! names nothing within private networks.

use symbi_diagnostics::Diagnostic;
use symbi_diagnostics::project as codes;

use super::argument::{Argument, ArgumentType};
use super::backend::Backend;
use super::command::{Launch, program_name};
use super::placeholder::Part;
use super::tool::Tool;
use crate::reader::Reader;

/// Programs that dial.
const DIALLERS: [&str; 27] = [
    "aria2c", "curl", "dig", "ffuf", "ftp", "gobuster", "host", "http", "hydra", "masscan", "mtr",
    "nc", "ncat", "netcat", "nikto", "nmap", "nslookup", "nuclei", "ping", "rsync", "scp", "sftp",
    "socat", "ssh", "telnet", "wget", "whois",
];

/// Warns about arguments that may name something in a private network.
pub fn check(reader: &mut Reader, tool: &Tool, arguments: &[Argument], backend: Option<&Backend>) {
    let dials = tool.network_egress.value
        || match backend {
            Some(Backend::Http(_) | Backend::Browser(_)) => true,
            Some(Backend::Command(command)) => match &command.launch {
                Launch::Exec(words) | Launch::Template(words) => {
                    words.first().is_some_and(|word| match &*word.parts {
                        [Part::Text(program)] => DIALLERS.contains(&program_name(program)),
                        _ => false,
                    })
                }
                Launch::Executor(_) => false,
            },
            _ => false,
        };
    if !dials {
        return;
    }
    for argument in arguments {
        let Some(rules) = &argument.rules else {
            continue;
        };
        let network = matches!(
            rules.ty,
            ArgumentType::Cidr
                | ArgumentType::IpAddress
                | ArgumentType::ScopeTarget
                | ArgumentType::Url
        );
        if network && !rules.block_internal {
            let message = format!(
                "`{}` is dialled, and may lead into a private network",
                argument.name.value
            );
            let report = Diagnostic::new(&codes::K0874, argument.name.at, message);
            reader.report(report.help("write `block_internal = true`"));
        }
    }
}
