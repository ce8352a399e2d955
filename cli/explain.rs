//! `symbi explain`: the page of a diagnostic code, or the list of all codes.

use symbi_diagnostics::{Code, Level};

use crate::Stop;
use crate::exit::Exit;
use crate::output::{CYAN, Output, RED_BOLD, YELLOW, headings, paint};

/// What `symbi explain` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The code, such as S0107, in upper or lower case; without one, all codes
    /// are listed
    code: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  symbi explain S0107    what the code means, an example that fails, and the
                         same example mended
  symbi explain          every code with its level and title";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let Some(wanted) = &args.code else {
        for code in symbi_diagnostics::all() {
            let line = row(code, output.stdout_colour);
            output.line(&line)?;
        }
        return Ok(Exit::Fine);
    };
    match symbi_diagnostics::find(wanted.trim()) {
        Some(code) => {
            let page = headings(code.page.trim_end(), output.stdout_colour);
            output.line(&page)?;
            Ok(Exit::Fine)
        }
        None => {
            output.error(&unknown(wanted))?;
            Ok(Exit::Unusable)
        }
    }
}

fn row(code: &Code, colour: bool) -> String {
    // Padded before it is painted: escapes have no width.
    let level = format!("{:<7}", code.level.word());
    let style = match code.level {
        Level::Error => RED_BOLD,
        Level::Warning => YELLOW,
        Level::Hint => CYAN,
    };
    format!(
        "{}  {}  {}",
        code.id,
        paint(&level, style, colour),
        code.title
    )
}

fn unknown(wanted: &str) -> String {
    let wanted = symbi_diagnostics::render::one_line(wanted);
    let list = "`symbi explain` without a code lists them all";
    match near(&wanted).as_slice() {
        [] => format!("there is no code `{wanted}`; {list}"),
        [one] => format!("there is no code `{wanted}`; did you mean `{one}`? {list}"),
        [most @ .., last] => format!(
            "there is no code `{wanted}`; did you mean {} or `{last}`? {list}",
            most.iter()
                .map(|id| format!("`{id}`"))
                .collect::<Vec<_>>()
                .join(", "),
        ),
    }
}

/// The codes a person may have meant: the nearest, one or two letters away, at
/// most three.
fn near(wanted: &str) -> Vec<&'static str> {
    let upper = wanted.to_ascii_uppercase();
    let at = |distance| {
        symbi_diagnostics::all()
            .map(|code| code.id)
            .filter(|id| strsim::levenshtein(id, &upper) == distance)
            .take(3)
            .collect::<Vec<_>>()
    };
    let nearest = at(1);
    if nearest.is_empty() { at(2) } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn a_code_that_is_nearly_right_is_guessed() {
        let table: [(&str, &[&str]); 7] = [
            ("E0107", &["S0107"]),
            ("107", &["S0107"]),
            ("s107", &["S0107"]),
            ("S01077", &["S0107"]),
            ("S01O", &["S0101", "S0102", "S0103"]),
            ("nonsense", &[]),
            ("", &[]),
        ];
        for (wanted, expected) in table {
            assert_eq!(near(wanted), expected, "{wanted}");
        }
    }
}
