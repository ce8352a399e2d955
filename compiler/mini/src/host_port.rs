//! `host:port`, the entries of `network_policy` (language.md section 3).
//!
//! The host is a name in ASCII, an IPv4 address, or an IPv6 address in
//! brackets. The port is always there: an allow-list that guesses ports opens
//! doors that nobody named. For the same reason there are no wildcards, no
//! schemes and no paths, and names with other letters are given in their ASCII
//! form (`xn--…`), where two that look alike are told apart.

use crate::MiniError;
use crate::error::{quote, quote_char};
use crate::grammar::{Piece, Steps, run, some};
use chumsky::prelude::*;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A place on the network.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostPort {
    /// The host.
    pub host: Host,
    /// The port, 1 … 65535.
    pub port: u16,
}

/// The host of a [`HostPort`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name in lower case, without a dot at its end.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Name(name) => write!(f, "{name}:{}", self.port),
            Host::Address(IpAddr::V4(address)) => write!(f, "{address}:{}", self.port),
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]:{}", self.port),
        }
    }
}

/// Reads a `host:port`.
///
/// ```
/// use symbi_mini::host_port::{Host, parse};
/// let place = parse("API.example.com:443").unwrap();
/// assert_eq!(place.host, Host::Name("api.example.com".into()));
/// assert_eq!(place.port, 443);
/// assert_eq!(parse("[::1]:8080").unwrap().to_string(), "[::1]:8080");
/// let error = parse("https://api.example.com/v1").unwrap_err();
/// assert_eq!(error.help.as_deref(), Some("write `api.example.com:443`"));
/// ```
///
/// # Errors
/// No port or one outside 1 … 65535, a host that is neither a name nor an
/// address, a wildcard, a scheme, a path, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<HostPort, MiniError> {
    parse_counted(text, &mut Steps::default())
}

/// A piece between colons, or one in brackets.
struct Part<'t> {
    piece: Piece<'t>,
    bracketed: bool,
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<HostPort, MiniError> {
    let trimmed = text.trim();
    let offset = text.len() - text.trim_start().len();
    crate::grammar::within(text, crate::MAX_BYTES)?;
    let bracketed = just('[')
        .ignore_then(some(|c| !matches!(c, '[' | ']')))
        .then_ignore(just(']'))
        .map(|piece| Part {
            piece,
            bracketed: true,
        });
    let plain = some(|c| !matches!(c, ':' | '[' | ']')).map(|piece| Part {
        piece,
        bracketed: false,
    });
    let grammar = bracketed
        .or(plain)
        .or_not()
        .separated_by(just(':'))
        .collect::<Vec<_>>();
    let parts = run(trimmed, grammar, steps, |at| misplaced_bracket(trimmed, at));
    let place = parts.and_then(|parts| {
        steps.0 += parts.len();
        read(trimmed, &parts)
    });
    // The grammar saw the text without the blanks around it.
    place.map_err(|mut error| {
        error.span = error.span.start + offset..error.span.end + offset;
        error
    })
}

fn read(text: &str, parts: &[Option<Part<'_>>]) -> Result<HostPort, MiniError> {
    if text.is_empty() {
        let message = "a `host:port` is expected, and this text is empty";
        return Err(MiniError::new(0..0, message).help(HELP));
    }
    if let Some(error) = like_a_url(text) {
        return Err(error);
    }
    let bare_ipv6 = || {
        let message = "an IPv6 address stands in brackets in front of its port";
        MiniError::new(0..text.len(), message).help("write for example `[::1]:443`")
    };
    if text.parse::<Ipv6Addr>().is_ok() {
        return Err(bare_ipv6());
    }
    let (host, port) = match parts {
        [Some(host)] => {
            let end = text.len();
            let message = "the port is missing";
            return Err(MiniError::new(end..end, message)
                .help(format!("name it, as in `{}:443`", shown_host(host))));
        }
        [None, ..] => {
            return Err(MiniError::new(0..0, "the host before `:` is missing").help(HELP));
        }
        [Some(host), port] => (host, port),
        _ if parts.len() > 3 => return Err(bare_ipv6()),
        _ => {
            let message = "one host and one port are expected";
            return Err(MiniError::new(0..text.len(), message).help(HELP));
        }
    };
    let host = read_host(host)?;
    let port = match port {
        Some(port) if !port.bracketed => read_port(port.piece)?,
        Some(port) => {
            let message = "a number is expected after `:`";
            return Err(MiniError::new(port.piece.span(), message).help(PORT));
        }
        None => {
            let end = text.len();
            let message = "a port is expected after `:`";
            return Err(MiniError::new(end..end, message).help(PORT));
        }
    };
    Ok(HostPort { host, port })
}

const HELP: &str = "write for example `api.example.com:443`";
const PORT: &str = "a port is a number from 1 to 65535";

fn shown_host(host: &Part<'_>) -> String {
    let text: String = host.piece.text.chars().take(60).collect();
    if host.bracketed {
        format!("[{text}]")
    } else {
        text
    }
}

fn misplaced_bracket(text: &str, at: usize) -> MiniError {
    let span = match text[at..].chars().next() {
        Some(c) => at..at + c.len_utf8(),
        None => at..at,
    };
    MiniError::new(span, "brackets stand only around a whole IPv6 address")
        .help("write for example `[::1]:443`")
}

/// `https://host/path`, `host:443/path`.
fn like_a_url(text: &str) -> Option<MiniError> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text),
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    if scheme.is_none() && authority.len() == rest.len() {
        return None;
    }
    let at = match scheme {
        Some(scheme) => 0..scheme.len() + 3,
        None => authority.len()..text.len(),
    };
    let message = match scheme {
        Some(_) => "a host and a port are expected, without a scheme",
        None => "a host and a port are expected, without a path",
    };
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let port = match scheme {
        Some("http" | "ws") => 80,
        _ => 443,
    };
    let whole = if authority.contains(':') {
        authority.to_owned()
    } else {
        format!("{authority}:{port}")
    };
    let error = MiniError::new(at, message);
    // Only a right text is worth offering.
    Some(match whole.len() < 300 && parse(&whole).is_ok() {
        true => error.help(format!("write `{whole}`")),
        false => error.help(HELP),
    })
}

fn read_port(piece: Piece<'_>) -> Result<u16, MiniError> {
    let fails = |message: String| Err(MiniError::new(piece.span(), message).help(PORT));
    if !piece.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return fails(format!("{} is not a port", quote(piece.text)));
    }
    if piece.text.len() > 1 && piece.text.starts_with('0') {
        return fails("a port does not start with 0".to_owned());
    }
    match piece.text.parse::<u16>() {
        Ok(port) if port > 0 => Ok(port),
        Ok(_) => fails("port 0 is no port".to_owned()),
        Err(_) => fails(format!("port {} is too large", quote(piece.text))),
    }
}

fn read_host(part: &Part<'_>) -> Result<Host, MiniError> {
    let piece = part.piece;
    if part.bracketed {
        return match piece.text.parse::<Ipv6Addr>() {
            Ok(address) => Ok(Host::Address(IpAddr::V6(address))),
            Err(_) if piece.text.contains('%') => {
                let message = "an address with a zone (`%…`) means another host on every machine";
                Err(MiniError::new(piece.span(), message).help("write the address without it"))
            }
            Err(_) => {
                let message = format!("{} is not an IPv6 address", quote(piece.text));
                Err(MiniError::new(piece.span(), message)
                    .help("only such addresses stand in brackets"))
            }
        };
    }
    let name = piece.text.to_ascii_lowercase();
    if let Some(error) = wrong_character(piece) {
        return Err(error);
    }
    // As in a browser: a name that ends in a number is an address or nothing.
    let last = name.rsplit('.').next().unwrap_or("");
    if !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) {
        return match name.parse::<Ipv4Addr>() {
            Ok(address) => Ok(Host::Address(IpAddr::V4(address))),
            Err(_) => {
                let message = format!("{} is not an IPv4 address", quote(piece.text));
                Err(MiniError::new(piece.span(), message)
                    .help("four numbers from 0 to 255 without leading zeros, as in `10.0.0.1`"))
            }
        };
    }
    check_labels(piece)?;
    Ok(Host::Name(name))
}

fn wrong_character(piece: Piece<'_>) -> Option<MiniError> {
    let is_wrong = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let (at, c) = piece.text.char_indices().find(|(_, c)| is_wrong(*c))?;
    let span = piece.at + at..piece.at + at + c.len_utf8();
    if c == '*' {
        let message = "a wildcard is not read here: it would let in hosts that nobody named";
        return Some(MiniError::new(span, message).help("name each host in an entry of its own"));
    }
    if c == '@' {
        let message = "a user name does not belong here";
        return Some(MiniError::new(span, message).help("write the host and the port alone"));
    }
    let error = MiniError::new(
        span,
        format!("{} cannot stand in a host name", quote_char(c)),
    );
    Some(if c.is_ascii() {
        error.help(HELP)
    } else {
        error.help("write the name's ASCII form, which has parts that start with `xn--`")
    })
}

fn check_labels(piece: Piece<'_>) -> Result<(), MiniError> {
    if piece.text.len() > 253 {
        let message = "a host name has at most 253 characters";
        return Err(MiniError::new(piece.span(), message));
    }
    let mut at = piece.at;
    for label in piece.text.split('.') {
        let span = at..at + label.len();
        let message = if label.is_empty() {
            "a part of this host name is empty: a dot too many"
        } else if label.len() > 63 {
            "a part of a host name has at most 63 characters"
        } else if label.starts_with('-') || label.ends_with('-') {
            "a part of a host name neither starts nor ends with `-`"
        } else {
            at += label.len() + 1;
            continue;
        };
        return Err(MiniError::new(span, message).help(HELP));
    }
    Ok(())
}
