//! What the tests share: programs from texts, and a world that answers them.

use std::sync::Arc;

use symbi_analysis::{OneShot, Settings, Summary};
use symbi_ir::Program;
use symbi_vm::{Raise, Secret, Value, show};

use crate::naive::Asked;

/// The program of a text, and the errors in it.
pub fn compile(text: &str) -> (Arc<Program>, Vec<String>) {
    let decoded = symbi_syntax::decode(text.as_bytes().to_vec());
    let summary = Summary::new("main.symbi", decoded, true);
    let settings = Settings::default();
    let one_shot = OneShot::new(vec![summary], Default::default(), settings.clone());
    let (reports, _) = one_shot.examine(0, false);
    let errors = reports
        .iter()
        .filter(|report| report.code.level.word() == "error")
        .map(|report| {
            let marked = &text[report.primary.at.range()];
            format!("{} {} at `{marked}`", report.code.id, report.message)
        });
    let errors = errors.collect();
    let modules = one_shot.compile(0).1.map(Arc::new).into_iter().collect();
    let program = symbi_analysis::program(&settings, modules, Vec::new(), Vec::new());
    (Arc::new(program), errors)
}

/// A value as the pages write it: texts have quotes.
pub fn written(value: &Value) -> String {
    let list = Value::list(vec![value.clone()]);
    let shown = list.ok().and_then(|list| show(&list, 1 << 24));
    let Some(shown) = shown else {
        return "(too deep)".to_owned();
    };
    shown[1..shown.len() - 1].to_owned()
}

/// What was asked, as the pages write it.
pub fn asked(asked: &Asked) -> String {
    let arguments = asked.arguments.iter();
    let arguments: Vec<String> = arguments.map(|(_, value)| written(value)).collect();
    format!("{}({})", asked.name, arguments.join(", "))
}

/// A world in which `echo` gives back what it gets, `fail` raises the kind that
/// it gets, and nothing else gives anything.
pub fn answer(asked: &Asked) -> Result<Value, Raise> {
    let first = asked.arguments.first().map(|(_, value)| value.clone());
    Ok(match (&*asked.name, first) {
        ("secret_read", Some(Value::Text(path))) => {
            Value::Secret(Arc::new(Secret::of(path.to_string())))
        }
        ("echo", Some(first)) => first,
        ("fail", Some(Value::Text(kind))) => {
            let mut raise = Raise::new("", "the world is against it");
            raise.kind = kind.to_string().into();
            return Err(raise);
        }
        _ => Value::Null,
    })
}
