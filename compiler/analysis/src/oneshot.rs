//! A program that is checked once: its files are read, what each declares is
//! kept, and bodies are parsed, checked and freed one file after the other.
//!
//! Files can be summarised and checked on several threads.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use symbi_diagnostics::{Code, Diagnostic};
use symbi_ir::Module;
use symbi_syntax::{Decoded, File, SyntaxKind};

use crate::across::across;
use crate::admission::{Admission, admission};
use crate::assemble::{Checked, FilePlace, assemble, assemble_hidden};
use crate::check::check_item;
use crate::declaration::{Declaration, Kind, declare, metadata};
use crate::exports::{Exports, exports};
use crate::findings::Findings;
use crate::lowering;
use crate::names::Names;
use crate::policies::{
    AgentBlock, Governed, NamedAgent, Scopes, Together, agent_blocks, called, first_block, governed,
};
use crate::program::{
    AgentEntry, AgentParams, Entries, FileAgents, FileId, Program, SUGGESTIONS, Tool, agent_params,
};
use crate::settings::{Sandbox, Settings, Tools};

/// What is kept of a file until it is checked, and after.
#[derive(Debug)]
pub struct Summary {
    path: Arc<str>,
    source: Decoded,
    declarations: Vec<Arc<Declaration>>,
    names: Names,
    exports: Exports,
    metadata: BTreeMap<Arc<str>, Arc<str>>,
    /// Where blocks in its policies name agents.
    agent_blocks: Vec<AgentBlock>,
    /// The tree, if it was kept to save parsing the text again.
    tree: Mutex<Option<File>>,
}

impl Summary {
    /// Reads what a file declares. `keep_tree` trades memory (about twice the
    /// text) for the time of a second parse.
    pub fn new(path: impl Into<Arc<str>>, source: Decoded, keep_tree: bool) -> Self {
        let path = path.into();
        let file = File::parse_decoded(source.clone());
        let declarations: Vec<Arc<Declaration>> = file
            .items()
            .iter()
            .map(|placed| Arc::new(declare(&placed.item)))
            .collect();
        let plain = || declarations.iter().map(|declaration| &**declaration);
        Summary {
            names: Names::of(plain()),
            exports: exports(&path, plain()),
            metadata: metadata(plain()),
            agent_blocks: agent_blocks(
                file.text(),
                file.items()
                    .iter()
                    .map(|placed| (&*placed.item, placed.span)),
            ),
            tree: Mutex::new(keep_tree.then_some(file)),
            declarations,
            source,
            path,
        }
    }

    /// Its path, as messages call it.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Its text.
    pub fn text(&self) -> &Arc<str> {
        &self.source.text
    }
}

/// A whole program, to be checked once.
#[derive(Debug)]
pub struct OneShot {
    files: Vec<Summary>,
    agents: HashMap<Arc<str>, Entries<AgentEntry>>,
    webhook_paths: HashMap<Arc<str>, Entries<FileId>>,
    named_agents: HashMap<NamedAgent, Entries<FileId>>,
    /// The names of agents and of each kind of block, sorted.
    names: BTreeMap<Kind, Vec<Arc<str>>>,
    tools: Tools,
    settings: Settings,
}

impl OneShot {
    /// The program of these files.
    pub fn new(files: Vec<Summary>, tools: Tools, settings: Settings) -> Self {
        let mut agents: HashMap<_, Entries<_>> = HashMap::new();
        let mut webhook_paths: HashMap<_, Entries<_>> = HashMap::new();
        let mut named_agents: HashMap<_, Entries<_>> = HashMap::new();
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by(|a, b| files[*a].path.cmp(&files[*b].path));
        for index in order {
            let id = FileId(index as u32);
            let exports = &files[index].exports;
            for agent in &exports.agents {
                agents
                    .entry(agent.name.clone())
                    .or_insert_with(Entries::default)
                    .add(AgentEntry {
                        file: id,
                        declared: agent.declared.clone(),
                    });
            }
            for named in &exports.named_agents {
                named_agents
                    .entry(named.clone())
                    .or_insert_with(Entries::default)
                    .add(id);
            }
            for path in &exports.webhook_paths {
                webhook_paths
                    .entry(path.clone())
                    .or_insert_with(Entries::default)
                    .add(id);
            }
        }
        let mut names: BTreeMap<Kind, Vec<Arc<str>>> = BTreeMap::new();
        names.insert(Kind::Agent, agents.keys().cloned().collect());
        for file in &files {
            for (kind, name) in &file.exports.blocks {
                names.entry(*kind).or_default().push(name.clone());
            }
        }
        for names in names.values_mut() {
            names.sort();
            names.dedup();
        }
        OneShot {
            names,
            files,
            agents,
            webhook_paths,
            named_agents,
            tools,
            settings,
        }
    }

    /// Its files, in the order in which they were given.
    pub fn files(&self) -> &[Summary] {
        &self.files
    }

    /// All that governs an agent of a file; `None` if it declares none of this
    /// name.
    pub fn governed(&self, index: usize, agent: &str) -> Option<Governed> {
        let summary = self.files.get(index)?;
        let file = File::parse_decoded(summary.source.clone());
        let items: Vec<&symbi_syntax::Item> =
            file.items().iter().map(|placed| &*placed.item).collect();
        let view = View {
            program: self,
            file: FileId(index as u32),
            tree: &file,
            called: OnceCell::new(),
            params: OnceCell::new(),
            early: false,
        };
        governed(&view, &items, agent)
    }

    /// All there is to say about a file. Its tree is freed before this
    /// returns.
    pub fn check(&self, index: usize) -> Vec<Diagnostic> {
        self.examine(index, false).0
    }

    /// All there is to say about a file and, if it is asked for, on which routes
    /// its agents may run.
    pub fn examine(&self, index: usize, admitted: bool) -> (Vec<Diagnostic>, Option<Admission>) {
        let (reports, admission, _) = self.examined(index, admitted, false);
        (reports, admission)
    }

    /// All there is to say about a file, and the file as a part of a program.
    /// `None` if there is no such file.
    pub fn compile(&self, index: usize) -> (Vec<Diagnostic>, Option<Module>) {
        let (reports, _, module) = self.examined(index, true, true);
        (reports, module)
    }

    fn examined(
        &self,
        index: usize,
        admitted: bool,
        lowered: bool,
    ) -> (Vec<Diagnostic>, Option<Admission>, Option<Module>) {
        let Some(summary) = self.files.get(index) else {
            return (Vec::new(), None, None);
        };
        let kept = summary
            .tree
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let file = kept.unwrap_or_else(|| File::parse_decoded(summary.source.clone()));
        let view = View {
            program: self,
            file: FileId(index as u32),
            tree: &file,
            called: OnceCell::new(),
            params: OnceCell::new(),
            // What is switched off need not be kept, unless someone asks what refuses an
            // agent, or a comment may allow it and is then no comment in vain.
            early: !admitted && !file.text().contains("symbi:"),
        };
        let (findings, together) = view.check_items();
        let checked: Vec<Checked<'_>> = file
            .items()
            .iter()
            .zip(&findings)
            .map(|(placed, findings)| Checked {
                item: &placed.item,
                span: placed.span,
                findings,
            })
            .collect();
        let mut across = across(&view, &summary.path, &summary.declarations);
        across.extend(together);
        let mut reports = assemble(file.text(), &checked, file.problems(), &across);
        let admission = admitted.then(|| {
            let hidden = assemble_hidden(file.text(), &checked, file.problems(), &across);
            admission(
                &view,
                &summary.path,
                file.text(),
                &checked,
                &hidden,
                &self.settings,
            )
        });
        reports.retain(|report| self.settings.shows(report));
        let module = admission.as_ref().filter(|_| lowered).map(|admission| {
            let items: Vec<lowering::Lowered> = file
                .items()
                .iter()
                .map(|placed| lowering::lower(&view, &placed.item))
                .collect();
            lowering::module(&lowering::File {
                path: &summary.path,
                text: file.text(),
                items: items
                    .iter()
                    .zip(file.items())
                    .map(|(lowered, placed)| (lowered, placed.span))
                    .collect(),
                admission,
            })
        });
        (reports, admission, module)
    }
}

/// The program as one of its files sees it.
struct View<'p> {
    program: &'p OneShot,
    file: FileId,
    tree: &'p File,
    /// What the file calls by name, found when a policy asks.
    called: OnceCell<BTreeSet<Arc<str>>>,
    /// The parameters of its agents, likewise.
    params: OnceCell<Arc<AgentParams>>,
    /// What is not shown is dropped as soon as it is known.
    early: bool,
}

impl View<'_> {
    /// What there is to say about each item, and about policies that permit nothing
    /// together.
    fn check_items(&self) -> (Vec<Findings>, Vec<Diagnostic<FilePlace>>) {
        let items = self.tree.items();
        let mut found = vec![Findings::default(); items.len()];
        let mut check = |at: usize| {
            let (mut findings, scopes) = check_item(self, &items[at].item);
            if self.early {
                let settings = &self.program.settings;
                findings.reports.retain(|report| settings.shows(report));
            }
            found[at] = findings;
            scopes
        };
        let is_policy = |at: &usize| items[*at].item.root().kind() == SyntaxKind::PolicyDef;
        // The policies of a file come before its agents: so what the ones of an agent
        // permit need not be kept.
        let shared: Vec<(u32, Scopes)> = (0..items.len())
            .filter(is_policy)
            .filter_map(|at| Some((at as u32, check(at)?)))
            .collect();
        let mut together = Together::new(shared.iter().map(|(at, scopes)| (*at, scopes)));
        let told = (0..items.len())
            .filter(|at| !is_policy(at))
            .filter_map(|at| together.agent(self, at as u32, &check(at)?))
            .collect();
        (found, told)
    }

    fn called(&self) -> &BTreeSet<Arc<str>> {
        self.called.get_or_init(|| {
            let items = self.tree.items().iter();
            items
                .flat_map(|placed| called(placed.item.root()))
                .collect()
        })
    }

    fn summary(&self, file: FileId) -> Option<&Summary> {
        self.program.files.get(file.0 as usize)
    }
}

impl Program for View<'_> {
    fn may_show(&self, code: &Code) -> bool {
        !self.early || self.program.settings.shows_code(code)
    }

    fn file(&self) -> FileId {
        self.file
    }

    fn file_name(&self, file: FileId) -> Arc<str> {
        self.summary(file)
            .map_or_else(|| "".into(), |file| file.path.clone())
    }

    fn declared_in(&self, file: FileId, kind: Kind, name: &str) -> Option<Arc<Declaration>> {
        let file = self.summary(file)?;
        let item = file.names.first(kind, name)?;
        file.declarations.get(item as usize).cloned()
    }

    fn names_in(&self, file: FileId, kind: Kind) -> Vec<Arc<str>> {
        self.summary(file)
            .map(|file| file.names.few(kind, SUGGESTIONS))
            .unwrap_or_default()
    }

    fn has_block(&self, file: FileId, kind: Kind, name: &str) -> bool {
        self.summary(file)
            .is_some_and(|file| file.exports.has_block(kind, name))
    }

    fn file_agents(&self) -> FileAgents {
        let own = self.summary(self.file);
        own.map(|own| own.exports.file_agents.clone())
            .unwrap_or_default()
    }

    fn agent_entries(&self, name: &str) -> Entries<AgentEntry> {
        self.program.agents.get(name).cloned().unwrap_or_default()
    }

    fn webhook_files(&self, path: &str) -> Entries<FileId> {
        let paths = &self.program.webhook_paths;
        paths.get(path).cloned().unwrap_or_default()
    }

    fn naming_files(&self, named: &NamedAgent) -> Entries<FileId> {
        let files = self.program.named_agents.get(named);
        files.cloned().unwrap_or_default()
    }

    fn agent_block(&self, file: FileId, named: &NamedAgent) -> Option<AgentBlock> {
        first_block(&self.summary(file)?.agent_blocks, named)
    }

    fn project_has(&self, kind: Kind, name: &str) -> bool {
        let names = self.program.names.get(&kind);
        names.is_some_and(|names| names.binary_search_by(|known| (**known).cmp(name)).is_ok())
    }

    fn project_names(&self, kind: Kind) -> Vec<Arc<str>> {
        let names = self.program.names.get(&kind);
        let few = names.filter(|names| names.len() <= SUGGESTIONS);
        few.cloned().unwrap_or_default()
    }

    fn file_metadata(&self, key: &str) -> Option<Arc<str>> {
        self.summary(self.file)?.metadata.get(key).cloned()
    }

    fn sandbox(&self) -> Sandbox {
        self.program.settings.sandbox
    }

    fn agent_params(&self) -> Arc<AgentParams> {
        let found = self.params.get_or_init(|| {
            let declarations = self.summary(self.file).map(|own| &*own.declarations);
            let declarations = declarations.unwrap_or_default().iter();
            Arc::new(agent_params(declarations.map(|declaration| &**declaration)))
        });
        found.clone()
    }

    fn calls(&self, name: &str) -> bool {
        View::called(self).contains(name)
    }

    fn function_calls(&self, name: &str) -> Vec<Arc<str>> {
        let own = self.summary(self.file);
        let item = own.and_then(|own| own.names.first(Kind::Function, name));
        let placed = item.and_then(|item| self.tree.items().get(item as usize));
        placed
            .map(|placed| called(placed.item.root()).into_iter().collect())
            .unwrap_or_default()
    }

    fn called(&self) -> Vec<Arc<str>> {
        let called = View::called(self);
        match called.len() <= SUGGESTIONS {
            true => called.iter().cloned().collect(),
            false => Vec::new(),
        }
    }

    fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.program.tools.get(name)
    }

    fn tool_names(&self) -> Vec<Arc<str>> {
        self.program.tools.names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let decoded = |text: &str| symbi_syntax::decode(text.as_bytes().to_vec());
        let summaries = |keep: bool| -> Vec<Summary> {
            files
                .iter()
                .map(|(path, text)| Summary::new(*path, decoded(text), keep))
                .collect()
        };
        let reports = |keep: bool| -> Vec<Vec<String>> {
            let program = OneShot::new(summaries(keep), Tools::default(), Settings::default());
            (0..files.len())
                .map(|index| {
                    let reports = program.check(index);
                    let line =
                        |report: &Diagnostic| format!("{} {}", report.code.id, report.message);
                    reports.iter().map(line).collect()
                })
                .collect()
        };
        let kept = reports(true);
        assert_eq!(kept, reports(false), "a second parse finds the same");
        kept
    }

    #[test]
    fn names_that_lead_to_several_agents_are_told_in_each_file() {
        let reports = check(&[
            ("a.symbi", "agent x { } agent y { }"),
            ("b.symbi", "agent x { } agent z { }"),
            ("z.symbi", "agent only { }"),
        ]);
        assert_eq!(reports[0], ["K0820 `x` leads to an agent of `b.symbi` too"]);
        assert_eq!(
            reports[1],
            [
                "K0820 `x` leads to an agent of `a.symbi` too",
                "K0820 `z` leads to an agent of `z.symbi` too"
            ]
        );
        assert_eq!(
            reports[2],
            [
                "K0821 `only` cannot be called `z` after its file: that name leads to an agent of \
              `b.symbi` too"
            ]
        );
    }

    #[test]
    fn an_allow_covers_the_construct_it_stands_before() {
        let table = [
            ("// symbi: allow(S0131)\nfunction f() { g(); ; h(); ; }", ""),
            ("function f() { // symbi: allow(S0131)\n ; }", ""),
            (
                "function f() {\n// symbi: allow(S0131)\n;\nlet x = 1;\n;\n}",
                "S",
            ),
        ];
        // Which code a stray `;` has is none of this test's business.
        let code = {
            let file = File::parse("function f() { ; }");
            file.diagnostics()[0].code.id
        };
        for (text, expected) in table {
            let text = text.replace("S0131", code);
            let reports = check(&[("x.symbi", &text)]);
            let left: String = reports[0]
                .iter()
                .map(|report| &report[..1])
                .filter(|f| *f == "S")
                .collect();
            assert_eq!(left, expected, "{text}: {reports:?}");
        }
    }
}
