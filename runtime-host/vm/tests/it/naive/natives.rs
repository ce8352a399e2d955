//! What functions of the library do: the same as in the fast machine, but that
//! those that call back are gone through at once.

use symbi_vm::library::{Cx, Each, Native, Next};
use symbi_vm::{Failure, Value};

use super::calls::Call;
use super::{Naive, Run, Stop};

impl<'p> Naive<'p, '_> {
    pub(super) fn native(
        &mut self,
        call: Call<'_, 'p>,
        native: Native,
        arguments: &mut [Value],
    ) -> Run {
        let mut cx = Cx {
            meter: &mut self.meter,
        };
        if !Each::calls_back(native) {
            let given = symbi_vm::library::call(native, &mut cx, arguments);
            return self.done(call, given);
        }
        let begun = Each::begin(native, &mut cx, arguments);
        let (mut each, mut next) = self.done(call, begun)?;
        loop {
            match next {
                Next::Done(value) => return Ok(value),
                Next::Call { function, args } => {
                    let values = args.into_iter().map(|value| (None, value)).collect();
                    let given = self.call_value(call, &function, values)?;
                    let mut cx = Cx {
                        meter: &mut self.meter,
                    };
                    let resumed = each.resume(&mut cx, given);
                    next = self.done(call, resumed)?;
                }
            }
        }
    }

    fn done<T>(&self, call: Call<'_, 'p>, done: Result<T, Failure>) -> Run<T> {
        match done {
            Ok(value) => Ok(value),
            Err(Failure::Raise(raise)) => self.raise(call.scope, call.id, *raise),
            Err(Failure::Memory | Failure::Fuel) => Err(Stop::Exhausted),
        }
    }
}
