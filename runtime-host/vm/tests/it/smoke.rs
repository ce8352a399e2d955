//! The machine runs programs from their text.
use std::sync::Arc;

use symbi_vm::{Ended, Image, Machine, Meter, Step, show};

use crate::support::compile;

fn run(source: &str, name: &str) -> String {
    let image = Arc::new(Image::load(compile(source).0).unwrap());
    let meter = Meter::new(10_000_000, 64 << 20);
    let mut machine = Machine::function(&image, 0, name, Vec::new(), meter).unwrap();
    match machine.run(u64::MAX) {
        Step::Ended(Ended::Value(value)) => show(&value, 10_000).unwrap(),
        Step::Ended(Ended::Raised(problem)) => {
            format!(
                "raised {}: {}",
                problem.kind.as_str(),
                problem.message.as_str()
            )
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn smoke() {
    let source = r#"
function fib(n: int) -> int { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
function a() -> int { fib(15) }
function b() -> Any { let xs = [1, 2]; let ys = xs; xs[0] = 10; { x: xs, y: ys } }
function c() -> String { let s = ""; for i in [1, 2, 3] { s = s + i + ","; } s }
function d() -> int { let t = 0; let i = 0; while i < 10 { i += 1; if i == 3 { continue; } if i > 6 { break; } t += i; } t }
function e() -> String { try { error("no") } catch (e) { e.message } }
function f() -> Any { match 3 { 1 | 2 => "low", n if n > 2 => "n" + n, _ => "other" } }
function g() -> Any { let k = 10; let f = x => x + k; k = 20; f(1) }
function h() -> Any { 1 / 0 }
function i(n: int = 3, m: int = n * 2) -> int { n + m }
function j() -> int { i(m = 1) + i(5) }
function k() -> Result<int> { Err("bad") }
function l() -> String { match k() { Ok(n) => "ok", Err(e) => e.message } }
function deep(n: int) -> int { deep(n + 1) }
function m() -> int { deep(0) }
function o() -> Any { let r = { a: { b: [1, 2] } }; r.a.b[1] += 5; r }
"#;
    let expected = [
        ("a", "610"),
        ("b", "{ x: [10, 2], y: [1, 2] }"),
        ("c", "1,2,3,"),
        ("d", "18"),
        ("f", "n3"),
        ("g", "11"),
        ("h", "raised division_by_zero: a division by zero"),
        ("j", "19"),
        ("l", "bad"),
        ("m", "raised too_deep: calls nest deeper than 10000"),
        ("o", "{ a: { b: [1, 7] } }"),
    ];
    for (name, value) in expected {
        assert_eq!(run(source, name), value, "{name}");
    }
}
