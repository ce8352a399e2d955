//! Rows, and how they are printed.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Report;

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// `MB/s` (millions of bytes), `M/s` (millions), `ms`, or `×` for a ratio.
    pub unit: &'static str,
}

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is measured.
    pub what: String,
    /// What it came to.
    pub ours: Figure,
    /// More about it: the numbers behind a ratio, say.
    pub detail: Option<String>,
    /// What the same costs elsewhere.
    pub peer: Option<Peer>,
    /// How many times better than the peer, or how many times its time: the
    /// goal of the row says which.
    pub ratio: Option<f64>,
    /// What it should come to, if that is decided.
    pub goal: Option<Goal>,
}

/// Somebody else's figure.
#[derive(Clone, Debug, Serialize)]
pub struct Peer {
    /// Whose.
    pub name: &'static str,
    /// What it came to, in the same run.
    pub figure: Figure,
}

/// What a figure should be.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Which number is meant.
    pub on: On,
    /// Where it should stay.
    pub limit: Limit,
    /// The goal as people say it, if the number alone does not tell.
    pub words: Option<String>,
}

/// The number that a goal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Our own figure.
    Ours,
    /// The ratio to the peer.
    Ratio,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// No less than this.
    AtLeast(f64),
    /// No more than this.
    AtMost(f64),
}

impl Row {
    /// A row of our own figure alone.
    pub fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Row {
        Row {
            what: what.into(),
            ours: Figure { value, unit },
            detail: None,
            peer: None,
            ratio: None,
            goal: None,
        }
    }

    /// Adds what stands in brackets behind our figure.
    pub fn detail(self, detail: String) -> Row {
        Row {
            detail: Some(detail),
            ..self
        }
    }

    /// Adds a peer's figure in the same unit; the ratio is ours to theirs.
    pub fn peer(self, name: &'static str, value: f64) -> Row {
        let figure = Figure {
            value,
            unit: self.ours.unit,
        };
        Row {
            peer: Some(Peer { name, figure }),
            ratio: Some(self.ours.value / value),
            ..self
        }
    }

    /// Adds a goal.
    pub fn goal(self, on: On, limit: Limit) -> Row {
        let words = None;
        Row {
            goal: Some(Goal { on, limit, words }),
            ..self
        }
    }

    /// Says the goal in words; the number follows in brackets.
    pub fn in_words(mut self, words: &str) -> Row {
        if let Some(goal) = &mut self.goal {
            goal.words = Some(words.to_owned());
        }
        self
    }

    /// Whether the goal is reached; `None` without one.
    pub fn is_reached(&self) -> Option<bool> {
        let goal = self.goal.as_ref()?;
        let value = match goal.on {
            On::Ours => self.ours.value,
            On::Ratio => self.ratio?,
        };
        Some(match goal.limit {
            Limit::AtLeast(limit) => value >= limit,
            Limit::AtMost(limit) => value <= limit,
        })
    }

    fn goal_text(&self) -> String {
        let Some(goal) = &self.goal else {
            return String::new();
        };
        let (sign, value) = match goal.limit {
            Limit::AtLeast(value) => ('≥', value),
            Limit::AtMost(value) => ('≤', value),
        };
        let unit = match goal.on {
            On::Ours => self.ours.unit,
            On::Ratio => "×",
        };
        match &goal.words {
            Some(words) => format!("{words} ({})", Figure { value, unit }),
            None => format!("{sign} {value} {unit}"),
        }
    }

    fn cells(&self) -> [String; 6] {
        let ours = match &self.detail {
            Some(detail) => format!("{} ({detail})", self.ours),
            None => self.ours.to_string(),
        };
        let verdict = match self.is_reached() {
            Some(true) => "ok",
            Some(false) => "short",
            None => "",
        };
        [
            self.what.clone(),
            self.goal_text(),
            ours,
            self.peer.as_ref().map_or(String::new(), |peer| {
                format!("{} {}", peer.name, peer.figure)
            }),
            self.ratio.map_or(String::new(), |value| {
                Figure { value, unit: "×" }.to_string()
            }),
            verdict.to_owned(),
        ]
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.value {
            value if value < 10.0 => 2,
            value if value < 100.0 => 1,
            _ => 0,
        };
        write!(f, "{:.digits$} {}", self.value, self.unit)
    }
}

impl Serialize for Goal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (bound, limit) = match self.limit {
            Limit::AtLeast(limit) => ("at-least", limit),
            Limit::AtMost(limit) => ("at-most", limit),
        };
        let on = match self.on {
            On::Ours => "ours",
            On::Ratio => "ratio",
        };
        (on, bound, limit).serialize(serializer)
    }
}

const HEAD: [&str; 6] = ["what", "goal", "ours", "peer", "ratio", ""];

impl Report {
    /// The rows as a table of Markdown, then what was not measured.
    pub fn to_text(&self) -> String {
        let mut lines = vec![HEAD.map(str::to_owned)];
        lines.extend(self.rows.iter().map(Row::cells));
        let mut widths = [3; HEAD.len()];
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        for (index, line) in lines.iter().enumerate() {
            for (width, cell) in widths.iter().zip(line) {
                out.push_str(&format!("| {cell:width$} "));
            }
            out.push_str("|\n");
            if index == 0 {
                for width in widths {
                    out.push_str(&format!("|{:-<1$}", "", width + 2));
                }
                out.push_str("|\n");
            }
        }
        for note in &self.notes {
            out.push_str(&format!("\nNot measured: {note}\n"));
        }
        for failure in &self.failures {
            out.push_str(&format!("\nFAILED: {failure}\n"));
        }
        out
    }

    /// The same as one JSON document.
    pub fn to_json(&self) -> String {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| serde_json::json!({ "row": row, "reached": row.is_reached() }))
            .collect();
        let document = serde_json::json!({
            "rows": rows,
            "notes": self.notes,
            "failures": self.failures,
        });
        format!("{document:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse() -> Row {
        Row::new("parse", 160.0, "MB/s").peer("the peer", 8.0)
    }

    #[test]
    fn a_goal_is_about_ours_or_about_the_ratio() {
        let table = [
            (On::Ours, Limit::AtLeast(150.0), true),
            (On::Ours, Limit::AtLeast(161.0), false),
            (On::Ratio, Limit::AtLeast(20.0), true),
            (On::Ratio, Limit::AtLeast(20.1), false),
            (On::Ratio, Limit::AtMost(20.0), true),
            (On::Ratio, Limit::AtMost(19.9), false),
        ];
        for (on, limit, reached) in table {
            let row = parse().goal(on, limit);
            assert_eq!(row.is_reached(), Some(reached), "{on:?} {limit:?}");
        }
        assert_eq!(parse().is_reached(), None);
    }

    #[test]
    fn a_goal_about_a_ratio_without_a_peer_is_not_judged() {
        let row = Row::new("parse", 160.0, "MB/s").goal(On::Ratio, Limit::AtLeast(20.0));
        assert_eq!(row.is_reached(), None);
    }

    #[test]
    fn the_table_is_this() {
        let report = Report {
            rows: vec![
                parse().goal(On::Ratio, Limit::AtLeast(20.0)),
                Row::new("process", 0.761, "ms")
                    .goal(On::Ours, Limit::AtMost(0.5))
                    .in_words("≤ 1.5 × `true`"),
                Row::new("memory", 5.1, "×").detail("29.1 MB".to_owned()),
            ],
            notes: vec!["the peer".to_owned()],
            failures: vec!["files: gone".to_owned()],
        };
        assert_eq!(
            report.to_text(),
            "\
| what    | goal                     | ours             | peer               | ratio  |       |
|---------|--------------------------|------------------|--------------------|--------|-------|
| parse   | ≥ 20 ×                   | 160 MB/s         | the peer 8.00 MB/s | 20.0 × | ok    |
| process | ≤ 1.5 × `true` (0.50 ms) | 0.76 ms          |                    |        | short |
| memory  |                          | 5.10 × (29.1 MB) |                    |        |       |

Not measured: the peer

FAILED: files: gone
"
        );
    }

    #[test]
    fn the_document_holds_numbers() {
        let report = Report {
            rows: vec![parse().goal(On::Ours, Limit::AtLeast(150.0))],
            ..Report::default()
        };
        let document: serde_json::Value =
            serde_json::from_str(&report.to_json()).expect("valid JSON");
        let row = &document["rows"][0];
        assert_eq!(row["row"]["ours"]["value"], 160.0);
        assert_eq!(row["row"]["peer"]["figure"]["value"], 8.0);
        assert_eq!(row["row"]["ratio"], 20.0);
        assert_eq!(
            row["row"]["goal"],
            serde_json::json!(["ours", "at-least", 150.0])
        );
        assert_eq!(row["reached"], true);
    }
}
