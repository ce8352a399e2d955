//! Records and values of structs.

use std::collections::HashMap;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, names, types as codes};
use symbi_syntax::ast::{AstNode, Expr, RecordExpr, RecordField, StructExpr};
use symbi_syntax::{NodeRef, Place};

use super::expect::{Use, Why, did_you_mean};
use super::relate::{bounded, fits, is_unknown, plain};
use super::scope::Checker;
use super::signatures::Fields;
use crate::findings::{at_node, at_token};
use crate::suggest::nearest;
use crate::ty::{ParamTy, RecordTy, Ty, TypeId};

/// Fields of a record literal that its type has.
const FIELDS: usize = 64;

impl<'i> Checker<'i> {
    /// `{ k: v }`. Where a struct, map or record is expected its fields are
    /// compared one by one, and nothing is said about the whole.
    #[inline(never)]
    pub(super) fn record_literal(&mut self, record: RecordExpr<'i>, used: Use<'_>) -> Ty {
        let node = record.node();
        let written: Vec<RecordField<'i>> = record.fields().collect();
        self.keys(&written);
        self.gives(used);
        match used.want.map(|(want, why)| (plain(want), why)) {
            Some((Ty::Struct(id), _)) => {
                let id = id.clone();
                self.filled(&id, node, node, &written);
                // Records and structs are told apart where they are declared only.
                return Ty::Struct(id);
            }
            Some((Ty::Record(expected), Why::Block)) => {
                let expected = expected.clone();
                return self.input(node, &written, &expected);
            }
            Some((Ty::Map(key, value), _)) if !is_unknown(value) || !is_unknown(key) => {
                let (key, value) = (key.clone(), value.clone());
                for field in &written {
                    if let Some(given) = field.value() {
                        self.expr(given, Use::of(&value, Why::MapValue));
                    }
                }
                if !written.is_empty() && !fits(&Ty::String, &key) {
                    self.expect(node, &Ty::Map(Arc::new(Ty::String), value.clone()), used);
                }
                return Ty::Map(key, value);
            }
            _ => {}
        }
        let mut fields: Vec<(Arc<str>, Ty)> = Vec::with_capacity(written.len());
        for field in &written {
            let ty = match field.value() {
                Some(value) => self.expr(value, Use::ANY),
                None => Ty::Any,
            };
            if let Some(key) = field.key() {
                match fields.len() <= FIELDS && fields.iter().all(|(known, _)| **known != *key) {
                    true => fields.push((key.into(), bounded(ty))),
                    false => continue,
                }
            }
        }
        // What comes beyond is there, but nothing is known of it.
        let open = fields.is_empty() || fields.len() > FIELDS;
        fields.truncate(FIELDS);
        let ty = Ty::Record(Arc::new(RecordTy { fields, open }));
        self.expect(node, &ty, used);
        ty
    }

    /// `T { k: v }`.
    #[inline(never)]
    pub(super) fn struct_literal(&mut self, structure: StructExpr<'i>) -> Ty {
        let written: Vec<RecordField<'i>> = structure.fields().collect();
        self.keys(&written);
        let named = structure.type_name();
        let name = match named {
            Some(Expr::Name(name)) => name.name().map(|name| name.text().into_owned()),
            Some(Expr::Path(path)) => Some(path.text()),
            _ => None,
        };
        let Some((named, name)) = named.zip(name) else {
            self.values(&written);
            return Ty::Any;
        };
        if self.declared_type(&name).is_none() && !super::types::is_builtin(&name) {
            self.opaque(&name, at_node(named.node()));
        }
        let ty = self.resolve(&crate::declaration::TypeRef::Named(
            name.as_str().into(),
            Vec::new(),
        ));
        match &ty {
            Ty::Struct(id) => self.filled(id, named.node(), structure.node(), &written),
            Ty::Map(_, value) if !is_unknown(value) => {
                for field in &written {
                    if let Some(given) = field.value() {
                        self.expr(given, Use::of(value, Why::MapValue));
                    }
                }
            }
            Ty::Map(..) | Ty::Any | Ty::Json | Ty::Opaque(_) | Ty::Error | Ty::Record(_) => {
                self.values(&written);
            }
            other => {
                self.values(&written);
                let report = Diagnostic::new(
                    &codes::T0301,
                    at_node(named.node()),
                    format!("`{name}` has no fields: it stands for `{other}`"),
                );
                self.report(report);
            }
        }
        ty
    }

    fn values(&mut self, written: &[RecordField<'i>]) {
        for field in written {
            if let Some(value) = field.value() {
                self.expr(value, Use::ANY);
            }
        }
    }

    /// Compares the fields that are written with those of a struct. `named` is
    /// marked if one is missing.
    fn filled(
        &mut self,
        id: &TypeId,
        named: NodeRef<'i>,
        whole: NodeRef<'i>,
        written: &[RecordField<'i>],
    ) {
        let Some(fields) = self.fields(id) else {
            return self.values(written);
        };
        let mut given = vec![false; fields.list.len()];
        for field in written {
            let key = field.key();
            let known = key.as_deref().and_then(|key| fields.by_name.get(key));
            if let Some(&at) = known {
                given[at] = true;
            } else if let Some(key) = key {
                self.no_such_field(field.node(), &key, id, &fields);
                // The field that is meant is not missing on top.
                let names = fields.list.iter().map(|field| &*field.name);
                if let Some(meant) = nearest(&key, names) {
                    given[fields.by_name[meant]] = true;
                }
            }
            if let Some(value) = field.value() {
                match known.map(|&at| &fields.list[at]) {
                    Some(ParamTy { name, ty, .. }) => {
                        self.expr(value, Use::of(ty, Why::Field(name, &id.name)));
                    }
                    None => {
                        self.expr(value, Use::ANY);
                    }
                }
            }
        }
        let missing: Vec<&str> = fields
            .list
            .iter()
            .zip(&given)
            .filter(|(field, given)| {
                !**given && !field.optional && !matches!(field.ty, Ty::Option(_))
            })
            .map(|(field, _)| &*field.name)
            .collect();
        if !missing.is_empty() {
            self.missing_fields(named, whole, &missing, id);
        }
    }

    #[cold]
    fn no_such_field(&mut self, node: NodeRef<'i>, key: &str, id: &TypeId, fields: &Fields) {
        let at = at_token(node.tokens().start);
        self.report(no_field(at, key, id, fields));
    }

    #[cold]
    fn missing_fields(
        &mut self,
        named: NodeRef<'i>,
        whole: NodeRef<'i>,
        missing: &[&str],
        id: &TypeId,
    ) {
        let listed = listed(missing);
        let at = match named == whole {
            true => at_token(whole.tokens().start),
            false => at_node(named),
        };
        let plural = if missing.len() == 1 {
            "the field"
        } else {
            "the fields"
        };
        let report = Diagnostic::new(
            &codes::T0310,
            at,
            format!("this `{}` lacks {plural} {listed}", id.name),
        )
        .help(format!(
            "write {}, or give the field a default where `{}` is declared",
            if missing.len() == 1 { "it" } else { "them" },
            id.name
        ));
        self.report(report);
    }

    /// The input of an agent: a record of its parameters.
    fn input(&mut self, node: NodeRef<'i>, written: &[RecordField<'i>], expected: &RecordTy) -> Ty {
        let known: HashMap<&str, &Ty> = expected
            .fields
            .iter()
            .map(|(name, ty)| (&**name, ty))
            .collect();
        for field in written {
            let key = field.key();
            let want = key.as_deref().and_then(|key| known.get(key).copied());
            match (field.value(), want) {
                (Some(value), Some(want)) => {
                    self.expr(value, Use::of(want, Why::Block));
                }
                (Some(value), None) => {
                    self.expr(value, Use::ANY);
                    if let Some(key) = key
                        && !expected.open
                    {
                        let near = nearest(&key, expected.fields.iter().map(|(name, _)| &**name));
                        let report = Diagnostic::new(
                            &codes::T0308,
                            at_token(field.node().tokens().start),
                            format!("nothing here takes `{key}`"),
                        );
                        self.report(match near {
                            Some(near) => did_you_mean(report, near),
                            None => report,
                        });
                    }
                }
                (None, _) => {}
            }
        }
        let given: std::collections::HashSet<String> =
            written.iter().filter_map(|field| field.key()).collect();
        let missing: Vec<&str> = expected
            .fields
            .iter()
            .filter(|(name, ty)| !given.contains(&**name) && !matches!(ty, Ty::Option(_)))
            .map(|(name, _)| &**name)
            .collect();
        if !missing.is_empty() && !expected.open {
            let report = Diagnostic::new(
                &codes::T0307,
                at_token(node.tokens().start),
                format!("{} is missing here", listed(&missing)),
            );
            self.report(report);
        }
        Ty::Record(Arc::new(expected.clone()))
    }

    /// Reports keys that are written twice.
    fn keys(&mut self, written: &[RecordField<'i>]) {
        if written.len() < 2 {
            return;
        }
        let mut seen: HashMap<String, RecordField<'i>> = HashMap::with_capacity(written.len());
        for field in written {
            let Some(key) = field.key() else { continue };
            let Some(first) = seen.get(&key) else {
                seen.insert(key, *field);
                continue;
            };
            let at = at_token(field.node().tokens().start);
            let first_at = at_token(first.node().tokens().start);
            let same = is_same(first.value(), field.value());
            let report = match same {
                true => Diagnostic::new(
                    &names::N0209,
                    at,
                    format!("`{key}` is written twice with the same value"),
                ),
                false => Diagnostic::new(
                    &names::N0208,
                    at,
                    format!("`{key}` has another value already"),
                )
                .help("leave one of the two out"),
            };
            self.report(report.note(first_at, format!("`{key}` is here, too")));
        }
    }
}

/// Whether two values are written with the same tokens.
fn is_same(one: Option<Expr<'_>>, two: Option<Expr<'_>>) -> bool {
    let (Some(one), Some(two)) = (one, two) else {
        return one.is_none() && two.is_none();
    };
    let (one, two) = (one.node(), two.node());
    let item = one.item();
    one.tokens().len() == two.tokens().len()
        && one.tokens().zip(two.tokens()).all(|(one, two)| {
            item.token_kind(one) == item.token_kind(two)
                && item.token_text(one) == item.token_text(two)
        })
}

/// Names in a sentence: `` `a`, `b` and `c` ``.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// The report about a field that a struct does not have.
pub(super) fn no_field(at: Place, name: &str, id: &TypeId, fields: &Fields) -> Diagnostic<Place> {
    let report = Diagnostic::new(
        &codes::T0309,
        at,
        format!("`{}` has no field `{name}`", id.name),
    );
    match nearest(name, fields.list.iter().map(|field| &*field.name)) {
        Some(near) => did_you_mean(report, near),
        None if fields.list.is_empty() => report.help("it has no fields at all"),
        None if fields.list.len() <= 8 => {
            let names: Vec<&str> = fields.list.iter().map(|field| &*field.name).collect();
            report.help(format!("it has {}", listed(&names)))
        }
        None => report,
    }
}
