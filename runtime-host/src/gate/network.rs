//! Where an address leads, as far as its text tells. The client that connects
//! looks at what the name resolves to; rules see what is written.

use std::net::IpAddr;

use symbi_policy::Network;

/// Where an address leads; `None` if it is none.
pub fn network(url: &str) -> Option<Network<'_>> {
    let (_, rest) = url.split_once("://")?;
    // Clients take `\` for `/` (WHATWG URL 4.4).
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(inner) => inner.split(']').next()?,
        None => host.split(':').next()?,
    };
    Some(Network {
        url,
        host,
        internal: is_internal(host),
    })
}

/// An address of the machine or of a private network, by its text alone.
fn is_internal(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(v4)) => {
            v4.is_loopback() || v4.is_private() || v4.is_link_local() || v4.is_unspecified()
        }
        Ok(IpAddr::V6(v6)) => {
            v6.is_loopback()
                || v6.is_unspecified()
                || v6.is_unique_local()
                || v6.is_unicast_link_local()
                || v6
                    .to_ipv4_mapped()
                    .is_some_and(|v4| is_internal(&v4.to_string()))
        }
        Err(_) => {
            let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_by_its_text() {
        let table = [
            (
                "https://api.example.org/v1",
                Some(("api.example.org", false)),
            ),
            (
                "https://api.example.org:8443?q",
                Some(("api.example.org", false)),
            ),
            (
                "https://ann:pass@example.org/",
                Some(("example.org", false)),
            ),
            (
                "https://example.org\\@10.0.0.1/",
                Some(("example.org", false)),
            ),
            ("http://10.0.0.8/x", Some(("10.0.0.8", true))),
            ("http://127.0.0.1:80", Some(("127.0.0.1", true))),
            ("http://[::1]:80/x", Some(("::1", true))),
            ("http://[::ffff:10.0.0.1]/", Some(("::ffff:10.0.0.1", true))),
            ("http://LOCALHOST/", Some(("LOCALHOST", true))),
            ("http://db.localhost./", Some(("db.localhost.", true))),
            (
                "http://169.254.169.254/latest",
                Some(("169.254.169.254", true)),
            ),
            ("example.org", None),
            ("", None),
        ];
        for (url, expected) in table {
            let found = network(url).map(|found| (found.host, found.internal));
            assert_eq!(found, expected, "{url}");
        }
    }
}
