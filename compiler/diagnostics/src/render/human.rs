//! The report for people: the message, the lines concerned with marks under
//! them, and what to write instead. Drawn by ariadne from an excerpt.

use ariadne::{Color, Config, IndexType, Label, LabelAttach, Report, ReportKind, Source};

use super::excerpt::{Excerpt, excerpt};
use super::text::one_line;
use crate::{Diagnostic, Fix, Level, SourceFile, Span};

/// How a report for people looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to colour it with ANSI escapes.
    pub color: bool,
    /// Columns of a source line that are shown; of a longer line, the parts
    /// around the marks, with `…` for the rest. Taken as at least 40.
    pub width: usize,
}

impl Default for Style {
    /// No colours, 200 columns.
    fn default() -> Self {
        Self {
            color: false,
            width: 200,
        }
    }
}

/// Notes that are drawn; of the others only their number is said.
const MAX_NOTES: usize = 8;

/// What is printed of an edit's text in a help line.
const MAX_EDIT: usize = 60;

/// The report, of several lines, the last one with its line feed. Every
/// character in it is printable and no line ends in a space.
pub fn human(file: &SourceFile, diagnostic: &Diagnostic, style: Style) -> String {
    let primary = file.clamp(diagnostic.primary.at);
    let notes = &diagnostic.notes[..diagnostic.notes.len().min(MAX_NOTES)];
    let spans: Vec<Span> = std::iter::once(primary)
        .chain(notes.iter().map(|note| file.clamp(note.at)))
        .collect();
    let excerpt = excerpt(file, &spans, style.width.max(40));
    let Some(drawn) = draw(diagnostic, &excerpt) else {
        return super::short(file, diagnostic);
    };

    let mut lines: Vec<Line> = drawn.lines().map(cells).collect();
    renumber(&mut lines, &excerpt.numbers);
    let place = file.line_column(primary.start);
    let place = format!("{}:{}:{}", one_line(&file.name), place.line, place.column);
    set_place(&mut lines, &place);
    insert_help(&mut lines, &helps(file, diagnostic, primary));

    let mut out = String::with_capacity(drawn.len());
    for line in &lines {
        write(line, style.color, &mut out);
    }
    out
}

/// What ariadne makes of the excerpt, in colour, with the excerpt's own line
/// numbers and without a path.
fn draw(diagnostic: &Diagnostic, excerpt: &Excerpt) -> Option<String> {
    let color = match diagnostic.code.level {
        Level::Error => Color::Red,
        Level::Warning => Color::Yellow,
        Level::Hint => Color::Blue,
    };
    // Without words ariadne draws no mark at all.
    let words = |text: &str, otherwise: &str| match text {
        "" => otherwise.to_owned(),
        text => one_line(text).into_owned(),
    };
    let (primary, notes) = excerpt.spans.split_first()?;
    let mut labels = vec![(
        primary.end,
        Label::new(primary.clone())
            .with_message(words(&diagnostic.primary.text, "here"))
            .with_color(color)
            .with_priority(1),
    )];
    labels.extend(notes.iter().zip(&diagnostic.notes).map(|(span, note)| {
        let label = Label::new(span.clone())
            .with_message(words(&note.text, "see here"))
            .with_color(Color::Cyan);
        (span.end, label)
    }));
    // Ariadne begins a new section wherever a label ends above the one before.
    labels.sort_by_key(|(end, _)| *end);

    let kind = format!("{}[{}]", diagnostic.code.level.word(), diagnostic.code.id);
    let report = Report::build(ReportKind::Custom(&kind, color), primary.clone())
        .with_config(
            Config::new()
                .with_index_type(IndexType::Byte)
                // The middle of a label may be a combining mark, which has no
                // column to attach anything to.
                .with_label_attach(LabelAttach::Start),
        )
        .with_message(one_line(&diagnostic.message))
        .with_labels(labels.into_iter().map(|(_, label)| label))
        .finish();
    let mut drawn = Vec::new();
    report
        .write(Source::from(excerpt.text.as_str()), &mut drawn)
        .ok()?;
    String::from_utf8(drawn).ok()
}

/// What to do about it, one line each.
fn helps(file: &SourceFile, diagnostic: &Diagnostic, primary: Span) -> Vec<String> {
    let mut helps = Vec::new();
    if diagnostic.notes.len() > MAX_NOTES {
        let more = diagnostic.notes.len() - MAX_NOTES;
        helps.push(format!("{more} more places like these are not shown"));
    }
    helps.extend(
        diagnostic
            .help
            .as_deref()
            .map(|help| one_line(help).into_owned()),
    );
    helps.extend(
        diagnostic
            .fix
            .as_ref()
            .map(|fix| fix_line(file, fix, primary)),
    );
    helps
}

/// The title of a fix; of a single edit also what is written and where, if the
/// title and the mark do not tell.
fn fix_line(file: &SourceFile, fix: &Fix, primary: Span) -> String {
    let mut line = one_line(&fix.title).into_owned();
    let [edit] = fix.edits.as_slice() else {
        return line;
    };
    let at = file.clamp(edit.at);
    let marked = at.start <= primary.end && primary.start <= at.end;
    let place = if !marked {
        let place = file.line_column(at.start);
        format!(" at {}:{}", place.line, place.column)
    } else if at.start == at.end {
        " here".to_owned()
    } else {
        String::new()
    };
    let text = edit.text.trim();
    let told = fix.title.contains(text) || text.contains('\n') || text.len() > MAX_EDIT;
    if !told {
        line.push_str(&format!(": write `{}`{place}", one_line(text)));
    } else if !marked || line.ends_with('`') {
        line.push_str(&place);
    }
    line
}

/// A printed line: its characters and the ANSI sequence each is coloured with,
/// empty for none. No character of ours is an escape, so every escape in what
/// ariadne wrote is a colour.
type Line<'a> = Vec<(char, &'a str)>;

fn cells(line: &str) -> Line<'_> {
    let mut cells = Vec::new();
    let mut color = "";
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '\x1B' {
            let end = rest.find('m').map_or(rest.len(), |end| end + 1);
            color = match &rest[..end] {
                // Ariadne's grey for source text without a label can hardly be
                // read on a white ground: that text keeps the terminal's own.
                "\x1B[0m" | "\x1B[38;5;249m" => "",
                sequence => sequence,
            };
            rest = &rest[end..];
        } else {
            cells.push((c, color));
            rest = &rest[c.len_utf8()..];
        }
    }
    cells
}

/// Puts the file's line numbers into the margin and widens it for them.
///
/// Ariadne's own offset for line numbers reaches only the place on its second
/// line, not the margin (0.6.0). Every line but the header begins with the
/// margin: spaces, then a number or a bar; the last one with a rule.
fn renumber(lines: &mut [Line], numbers: &[Option<u32>]) {
    let digits = |number: usize| number.to_string().len();
    let last = numbers.iter().flatten().max().copied().unwrap_or(1) as usize;
    let wider = digits(last).saturating_sub(digits(numbers.len()));
    for line in lines.iter_mut().skip(1) {
        let Some(at) = line.iter().position(|(c, _)| *c != ' ') else {
            continue;
        };
        let (c, color) = line[at];
        if !c.is_ascii_digit() {
            // Lengthens the rule by itself, a line of spaces by spaces.
            let first = line[0];
            line.splice(0..0, std::iter::repeat_n(first, wider));
            continue;
        }
        let len = line[at..]
            .iter()
            .take_while(|(c, _)| c.is_ascii_digit())
            .count();
        let shown: String = line[at..at + len].iter().map(|(c, _)| c).collect();
        let number = shown
            .parse::<usize>()
            .ok()
            .and_then(|shown| *numbers.get(shown.checked_sub(1)?)?);
        let number = number.map_or(shown, |number| number.to_string());
        let padded = format!("{number:>width$}", width = at + len + wider);
        line.splice(..at + len, padded.chars().map(|c| (c, color)));
    }
}

/// Writes the place into the box on the second line.
fn set_place(lines: &mut [Line], place: &str) {
    let Some(line) = lines.get_mut(1) else {
        return;
    };
    let open = line.iter().position(|(c, _)| *c == '[');
    let close = line.iter().rposition(|(c, _)| *c == ']');
    if let (Some(open), Some(close)) = (open, close) {
        let place = format!(" {place} ");
        line.splice(open + 1..close, place.chars().map(|c| (c, "")));
    }
}

/// Puts help lines above the rule that ends the report. Not with ariadne's own
/// means: it numbers them and begins them with a capital.
fn insert_help(lines: &mut Vec<Line>, helps: &[String]) {
    if helps.is_empty() {
        return;
    }
    let Some(rule) = lines.pop() else { return };
    let color = rule.first().map_or("", |(_, color)| color);
    let mut margin: Line = vec![(' ', ""); rule.len() - 1];
    margin.push(('│', color));
    lines.push(margin.clone());
    for help in helps {
        let mut line = margin.clone();
        line.push((' ', ""));
        line.extend("help".chars().map(|c| (c, "\x1B[36m")));
        line.extend(": ".chars().chain(help.chars()).map(|c| (c, "")));
        lines.push(line);
    }
    lines.push(rule);
}

/// Appends a line without spaces at its end, with one sequence a run of equal
/// colour; ariadne writes one a character.
fn write(line: &Line, color: bool, out: &mut String) {
    let len = line
        .iter()
        .rposition(|(c, _)| !c.is_whitespace())
        .map_or(0, |at| at + 1);
    let mut current = "";
    for &(c, wanted) in &line[..len] {
        if color && wanted != current {
            if !current.is_empty() {
                out.push_str("\x1B[0m");
            }
            out.push_str(wanted);
            current = wanted;
        }
        out.push(c);
    }
    if !current.is_empty() {
        out.push_str("\x1B[0m");
    }
    out.push('\n');
}
