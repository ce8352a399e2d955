//! Values that name something in a network. Nothing is looked up: a name is
//! judged by its letters here, and by its addresses in the host.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::problem::ValueProblem;
use super::{Rules, digits};

/// A range of addresses, which begins at its first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u128,
    /// How many of the 128 bits all addresses share.
    length: u8,
}

/// Ranges that nothing outside may be reached in: this host, private, shared,
/// link-local, documentation, benchmarks, many receivers, reserved. In the
/// notation of IPv6, where IPv4 lies at `::ffff:0:0/96`.
const INTERNAL: [(&str, u8); 32] = [
    ("0.0.0.0", 8),
    ("10.0.0.0", 8),
    ("100.64.0.0", 10),
    ("127.0.0.0", 8),
    ("169.254.0.0", 16),
    ("172.16.0.0", 12),
    ("192.0.0.0", 24),
    ("192.0.2.0", 24),
    ("192.88.99.0", 24),
    ("192.168.0.0", 16),
    ("198.18.0.0", 15),
    ("198.51.100.0", 24),
    ("203.0.113.0", 24),
    ("224.0.0.0", 4),
    ("240.0.0.0", 4),
    // Unspecified, loopback, and IPv4 without its prefix.
    ("::", 96),
    // What a translator would send on to any IPv4 address.
    ("64:ff9b::", 96),
    ("64:ff9b:1::", 48),
    ("100::", 64),
    ("2001::", 32),
    ("2001:2::", 48),
    ("2001:10::", 28),
    ("2001:20::", 28),
    ("2001:db8::", 32),
    ("2002::", 16),
    ("3fff::", 20),
    ("5f00::", 16),
    ("fc00::", 7),
    ("fe80::", 10),
    ("fec0::", 10),
    ("ff00::", 8),
    ("::ffff:0:0:0", 96),
];

/// Link-local ranges: they are reached by nobody who means it, and clouds
/// answer there with keys.
const LINK_LOCAL: [(&str, u8); 2] = [("169.254.0.0", 16), ("fe80::", 10)];

/// Names that end so lead into private networks.
const INTERNAL_NAMES: [&str; 8] = [
    "localhost",
    "local",
    "internal",
    "home.arpa",
    "lan",
    "intranet",
    "corp",
    "private",
];

/// Schemes that no tool is ever given: they read files, or run what they hold.
pub(crate) const REFUSED_SCHEMES: [&str; 10] = [
    "file",
    "gopher",
    "data",
    "javascript",
    "dict",
    "ldap",
    "tftp",
    "jar",
    "vbscript",
    "php",
];

impl Range {
    /// A range by an address in it and its length.
    fn new(address: IpAddr, length: u8) -> Option<Self> {
        let (bits, length) = match address {
            IpAddr::V4(address) if length <= 32 => {
                (address.to_ipv6_mapped().to_bits(), length + 96)
            }
            IpAddr::V6(address) if length <= 128 => (address.to_bits(), length),
            _ => return None,
        };
        let first = bits & mask(length);
        Some(Self { first, length })
    }

    /// `192.0.2.0/24`: what was written, and the range it lies in.
    fn parse(text: &str) -> Option<(IpAddr, u8, Self)> {
        let (address, length) = text.split_once('/')?;
        let plain = digits(length) && (length == "0" || !length.starts_with('0'));
        let address: IpAddr = address.parse().ok()?;
        let length: u8 = length.parse().ok().filter(|_| plain)?;
        Some((address, length, Self::new(address, length)?))
    }

    /// One of the lists above.
    fn listed((address, length): (&str, u8)) -> Option<Self> {
        Self::new(address.parse().ok()?, length)
    }

    /// Whether two ranges have an address in common.
    fn overlaps(self, other: Self) -> bool {
        let mask = mask(self.length.min(other.length));
        self.first & mask == other.first & mask
    }

    fn is_in(self, ranges: &[(&str, u8)]) -> bool {
        let mut ranges = ranges.iter().filter_map(|range| Self::listed(*range));
        ranges.any(|range| self.overlaps(range))
    }
}

/// The first bits.
fn mask(length: u8) -> u128 {
    match length {
        0 => 0,
        length => u128::MAX << (128 - u32::from(length.min(128))),
    }
}

/// Whether a host of a URL is within a private network, as far as its letters
/// tell.
pub fn is_internal_host(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(&host);
    if let Ok(address) = host.parse() {
        return Range::new(address, full(address)).is_some_and(is_internal_range);
    }
    INTERNAL_NAMES.iter().any(|name| {
        host.strip_suffix(name)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }) || hides_address(host)
}

/// An address of IPv4 inside of a name, as services offer that resolve it:
/// `10.0.0.1.example` or `10-0-0-1.example`.
fn hides_address(host: &str) -> bool {
    let parts: Vec<&str> = host.split(['.', '-']).collect();
    parts.windows(4).any(|parts| {
        let octets: Option<Vec<u8>> = parts.iter().map(|part| part.parse().ok()).collect();
        match octets.as_deref() {
            Some([a, b, c, d]) => {
                let address = IpAddr::V4(Ipv4Addr::new(*a, *b, *c, *d));
                Range::new(address, 32).is_some_and(is_internal_range)
            }
            _ => false,
        }
    })
}

/// Whether a range has an address of a private network.
fn is_internal_range(range: Range) -> bool {
    range.is_in(&INTERNAL)
}

/// Whether a host of a URL is one that no tool ever reaches.
pub fn is_never_reached(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(&host);
    if bare == "metadata.google.internal" {
        return true;
    }
    let address: Option<IpAddr> = bare.parse().ok();
    let range = address.and_then(|address| Range::new(address, full(address)));
    range.is_some_and(|range| range.is_in(&LINK_LOCAL))
}

fn full(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// Whether a host may be given, however it is written.
fn reachable(rules: &Rules, host: &str) -> Result<(), ValueProblem> {
    if is_never_reached(host) {
        return Err(ValueProblem::LinkLocal);
    }
    if rules.block_internal && is_internal_host(host) {
        return Err(ValueProblem::Internal);
    }
    Ok(())
}

/// An address.
pub fn address(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    if text.parse::<IpAddr>().is_err() {
        return Err(ValueProblem::Shape("an address", "192.0.2.1"));
    }
    reachable(rules, text)
}

/// A range of addresses.
pub fn range(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("a range of addresses", "192.0.2.0/24");
    let (address, length, range) = Range::parse(text).ok_or(SHAPE)?;
    let first = match address {
        IpAddr::V4(_) => {
            let [.., a, b, c, d] = range.first.to_be_bytes();
            IpAddr::V4(Ipv4Addr::new(a, b, c, d))
        }
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(range.first)),
    };
    if first != address {
        return Err(ValueProblem::HostBits(format!("{first}/{length}")));
    }
    // A range that holds the link-local one is wide, not aimed at it; only
    // `block_internal` minds.
    if LINK_LOCAL
        .iter()
        .filter_map(|known| Range::listed(*known))
        .any(|known| range.length >= known.length && range.overlaps(known))
    {
        return Err(ValueProblem::LinkLocal);
    }
    if rules.block_internal && is_internal_range(range) {
        return Err(ValueProblem::Internal);
    }
    Ok(())
}

/// An address, a range or the name of a host.
pub fn target(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    if text.parse::<IpAddr>().is_ok() {
        return reachable(rules, text);
    }
    if text.contains('/') {
        return range(rules, text);
    }
    if text.contains('*') {
        return Err(ValueProblem::Wildcard);
    }
    host(text)?;
    reachable(rules, text)
}

/// The name of a host, or an address of IPv4.
fn host(text: &str) -> Result<(), ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("a host", "example.com");
    if text.parse::<Ipv4Addr>().is_ok() {
        return Ok(());
    }
    if text.is_empty() || text.len() > 253 {
        return Err(SHAPE);
    }
    for label in text.split('.') {
        let letters = label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let ends = label.starts_with('-') || label.ends_with('-');
        if label.is_empty() || label.len() > 63 || !letters || ends {
            return Err(SHAPE);
        }
        if label
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
        {
            return Err(ValueProblem::Punycode);
        }
    }
    // `127.1`, `2130706433` and `0x7f000001` are addresses to many programs.
    let last = text.rsplit('.').next().unwrap_or(text);
    let hexadecimal = last
        .get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    if digits(last) || hexadecimal {
        return Err(ValueProblem::OddAddress);
    }
    Ok(())
}

/// A URL. What is left to the host is to read it as a browser does and to find
/// the same.
pub fn url(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("a URL", "https://example.com/");
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
        _ => return Err(SHAPE),
    };
    if REFUSED_SCHEMES.contains(&&*scheme) {
        return Err(ValueProblem::RefusedScheme(scheme));
    }
    if !rules.schemes.contains(&scheme) {
        return Err(ValueProblem::Scheme(rules.schemes.clone()));
    }
    let rest = rest.strip_prefix("//").ok_or(SHAPE)?;
    if !text.is_ascii() {
        return Err(SHAPE);
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    if authority.contains('@') {
        return Err(ValueProblem::UserInfo);
    }
    let name = match authority.split_once(':') {
        Some((name, port)) => {
            let port: Option<u16> = port.parse().ok().filter(|_| digits(port));
            if port.is_none_or(|port| port == 0) {
                return Err(SHAPE);
            }
            name
        }
        None => authority,
    };
    if name.contains('*') {
        return Err(ValueProblem::Wildcard);
    }
    host(name)?;
    reachable(rules, name)
}

/// `https`.
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}
