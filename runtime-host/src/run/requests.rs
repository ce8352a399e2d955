//! What a program asks for that is no effect: the time, chance, what it says,
//! and what is computed with the text of a secret.

use std::time::Duration;

use serde_json::{Value as Json, json};
use symbi_vm::library::{Function, Native};
use symbi_vm::{Raise, Request, Value, What, kinds, show};

use super::drive::{Run, Trouble};
use crate::obligations::LogLevel;

/// What the machine is answered.
pub(super) type Answer = Result<Value, Raise>;

/// The longest that is slept without looking around.
const NAP: Duration = Duration::from_millis(20);

impl Run<'_> {
    /// Answers a request, and puts it on record.
    pub(super) fn request(&mut self, request: &Request) -> Result<Answer, Trouble> {
        let What::Library {
            function,
            arguments,
        } = &request.what
        else {
            return self.effect(request);
        };
        if let symbi_vm::library::Does::Effect(_) = function.does {
            return self.effect(request);
        }
        match function.native {
            Native::Log | Native::Print | Native::AuditLog => {
                self.say(request.number, function, arguments)
            }
            Native::Sleep => self.sleep(request.number, arguments),
            _ => {
                let answer = self.value(function, arguments);
                let kept = self.record.answer(&answer, true);
                self.note(&json!({
                    "type": "value",
                    "number": request.number,
                    "function": function.name,
                    "answer": kept.json,
                    "exact": kept.exact,
                }))?;
                Ok(answer)
            }
        }
    }

    /// What is not the same each time, and what needs the text of a secret.
    fn value(&self, function: &Function, arguments: &[Value]) -> Answer {
        let host = self.host;
        let now = || {
            let now = (host.setup.clock)().as_nanosecond();
            i64::try_from(now).unwrap_or(i64::MAX)
        };
        let text = |at: usize| match arguments.get(at) {
            Some(Value::Text(text)) => Ok(text.to_string()),
            Some(Value::Secret(secret)) => host.secrets.text(secret),
            _ => Err(Raise::new(kinds::WRONG_TYPE, "a text is needed here")),
        };
        Ok(match function.native {
            Native::Now => Value::Time(now()),
            Native::TimeSince => match arguments.first() {
                Some(Value::Time(start)) => Value::Duration(now().saturating_sub(*start)),
                _ => return Err(Raise::new(kinds::WRONG_TYPE, "an instant is needed here")),
            },
            Native::Random => {
                let mut bytes = [0; 8];
                getrandom::fill(&mut bytes).map_err(|_| {
                    Raise::new(kinds::NOT_FOUND, "the system gives no bytes of chance")
                })?;
                // 53 bits: all that a float below 1 can tell apart.
                Value::Float((u64::from_le_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64)
            }
            Native::GenerateId => Value::from(super::uuid7((host.setup.clock)()).to_string()),
            Native::HmacSha256 => {
                let key = text(1)?;
                Value::from(symbi_vm::library::hmac_sha256_hex(
                    &text(0)?,
                    key.as_bytes(),
                ))
            }
            Native::VerifyHmacSha256 => {
                let key = text(1)?;
                let is = symbi_vm::library::is_hmac_sha256(&text(0)?, key.as_bytes(), &text(2)?);
                Value::Bool(is)
            }
            Native::VerifySecret => {
                let (secret, given) = (text(0)?, text(1)?);
                let is = symbi_vm::library::is_same_secret(secret.as_bytes(), given.as_bytes());
                Value::Bool(is)
            }
            _ => {
                let message = format!("this host does not have `{}`", function.name);
                return Err(Raise::new(kinds::NO_PROVIDER, message));
            }
        })
    }

    /// `log`, `print` and `audit_log`.
    fn say(
        &mut self,
        number: u64,
        function: &Function,
        arguments: &[Value],
    ) -> Result<Answer, Trouble> {
        let values = match arguments.first() {
            Some(Value::List(list)) => list.items(),
            _ => &[],
        };
        let mut texts: Vec<String> = values
            .iter()
            .map(|value| show(value, 1 << 20).unwrap_or_else(|| "(too long to show)".to_owned()))
            .collect();
        let mut level = LogLevel::Info;
        if function.native == Native::Log && texts.len() > 1 {
            let first = texts.first().map(String::as_str).unwrap_or_default();
            if let Some(said) = LogLevel::of_message(first) {
                level = said;
                texts.remove(0);
            }
        }
        let text = texts.join(" ");
        let kept = self.record.clean(&json!(text));
        let mut event = json!({
            "type": function.name,
            "number": number,
            "text": kept.json,
            "answer": {"value": null},
        });
        if let (Native::Log, Some(event)) = (function.native, event.as_object_mut()) {
            event.insert("level".to_owned(), json!(level.as_message()));
            // That something was said stays: a replay asks for it by its number.
            if level < self.gate.log_level() {
                event.insert("text".to_owned(), Json::Null);
                event.insert("kept".to_owned(), json!(false));
            }
        }
        self.note(&event)?;
        let shown = kept.json.as_str().map_or(text.as_str(), |clean| clean);
        match function.native {
            Native::Print => self.host.setup.console.print(shown),
            Native::Log => self.host.setup.console.log(level.as_message(), shown),
            _ => {}
        }
        Ok(Ok(Value::Null))
    }

    fn sleep(&mut self, number: u64, arguments: &[Value]) -> Result<Answer, Trouble> {
        let nanos = match arguments.first() {
            Some(Value::Duration(nanos)) => u64::try_from(*nanos).unwrap_or(0),
            _ => 0,
        };
        let now = (self.host.setup.clock)();
        // A run that is resumed waits for what is left.
        let until = match self.recorded.sleeping(number) {
            Some(until) => until,
            None => {
                let nanos = i64::try_from(nanos).unwrap_or(i64::MAX);
                let until = now.saturating_add(symbi_mini::jiff::SignedDuration::from_nanos(nanos));
                let until = until.unwrap_or(now);
                self.note(
                    &json!({"type": "sleeping", "number": number, "until": until.to_string()}),
                )?;
                until
            }
        };
        if !self.host.setup.dry {
            while (self.host.setup.clock)() < until {
                self.may_go_on()?;
                let left = until.duration_since((self.host.setup.clock)());
                let left = Duration::try_from(left).unwrap_or(Duration::ZERO);
                std::thread::sleep(left.min(NAP));
            }
        }
        self.note(&json!({
            "type": "value", "number": number, "function": "sleep", "answer": {"value": null},
        }))?;
        Ok(Ok(Value::Null))
    }
}
