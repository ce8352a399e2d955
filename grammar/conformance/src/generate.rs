//! Random programs from the grammar: lists of tokens with what the grammar
//! says about their layout. The same seed gives the same program for ever.

use symbi_syntax::fuzzing::mutate::Random;

use crate::ebnf::{Expr, Grammar, Look, Mark, Place};
use crate::pool;
use crate::terminal::{Space, Terminal, Token};

/// How deep rules may nest before only the shortest way out is taken.
const DEPTH: usize = 70;
/// How often a sequence is tried again whose tokens a mark forbids.
const TRIES: usize = 12;

/// Makes programs, and counts which ways of the grammar they took.
#[derive(Debug)]
pub struct Generator<'g> {
    grammar: &'g Grammar,
    /// The fewest tokens of each rule.
    costs: Vec<usize>,
    /// How many rules lie between each rule and each other one.
    distances: Vec<Vec<usize>>,
    /// For each way of the grammar, how often each of its branches was taken
    /// in a program that was finished.
    pub used: Vec<Vec<u64>>,
}

/// One program in the making.
struct Run<'r, 'g> {
    generator: &'r Generator<'g>,
    random: Random,
    tokens: Vec<Token>,
    /// Marks that wait for the next token.
    marks: Vec<Mark>,
    /// What may not follow, from which token on.
    forbidden: Vec<(usize, &'g [Vec<Look>])>,
    /// Ways taken: number and branch.
    taken: Vec<(usize, usize)>,
    budget: usize,
    depth: usize,
    /// How many parts are being made that do not lead to the goal.
    aside: usize,
    /// What the program shall take, until it has.
    goal: Option<Goal>,
}

/// A branch that a program shall take.
#[derive(Clone, Copy)]
struct Goal {
    way: usize,
    branch: usize,
    /// The rule it belongs to.
    rule: usize,
}

/// Further away than any rule.
const FAR: usize = usize::MAX / 1_000;

impl<'g> Generator<'g> {
    /// A generator for a grammar.
    pub fn new(grammar: &'g Grammar) -> Self {
        Self {
            grammar,
            costs: costs(grammar),
            distances: distances(grammar),
            used: grammar.ways.iter().map(|way| vec![0; way.count]).collect(),
        }
    }

    /// One token that what follows it may yet forbid. Much has to be made anew
    /// then, so such a token is rare.
    fn is_risky(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Choice(_, parts) => parts.iter().all(|part| self.is_risky(part)),
            Expr::Sequence(parts) => match parts.as_slice() {
                [Expr::Mark(Mark::Not(runs)), Expr::Terminal(_)] => {
                    runs.iter().any(|run| run.len() > 1)
                }
                [part] => self.is_risky(part),
                _ => false,
            },
            Expr::Rule(rule, _) => self.is_risky(&self.grammar.productions[*rule].body),
            _ => false,
        }
    }

    /// How many branches the ways of the grammar have.
    pub fn branches(&self) -> usize {
        self.grammar.ways.iter().map(|way| way.count).sum()
    }

    /// Branch number `number` of all: its way, and which of its branches.
    fn branch(&self, mut number: usize) -> Option<(usize, usize)> {
        for (at, way) in self.grammar.ways.iter().enumerate() {
            if number < way.count {
                return Some((at, number));
            }
            number -= way.count;
        }
        None
    }

    /// A program from a start symbol, made so that it takes branch number
    /// `goal` if there is one and a way to it is found. `None` if the grammar has no such rule,
    /// or if marks left no program in a hundred tries.
    pub fn program(&mut self, start: &str, seed: u64, goal: Option<usize>) -> Option<Vec<Token>> {
        let start = self.grammar.production(start)?;
        let goal = goal.and_then(|number| {
            let (way, branch) = self.branch(number)?;
            let rule = self
                .grammar
                .production(&self.grammar.ways[way].production)?;
            Some(Goal { way, branch, rule })
        });
        let mut seeds = Random(seed);
        for _ in 0..100 {
            let mut random = Random(seeds.number());
            let budget = match goal {
                Some(_) => 150,
                None => [15, 50, 120, 250][random.below(4)],
            };
            let mut run = Run {
                generator: self,
                random,
                tokens: Vec::new(),
                marks: Vec::new(),
                forbidden: Vec::new(),
                taken: Vec::new(),
                budget,
                depth: 0,
                aside: 0,
                goal,
            };
            if run.rule(start, Place::Plain) && run.allowed(true) {
                let (tokens, taken) = (run.tokens, run.taken);
                for (way, branch) in taken {
                    self.used[way][branch] += 1;
                }
                return Some(tokens);
            }
        }
        None
    }

    /// Ways that no program has taken, as `rule: branch n of m`.
    pub fn unused(&self) -> Vec<String> {
        let mut unused = Vec::new();
        for (way, used) in self.grammar.ways.iter().zip(&self.used) {
            for (branch, count) in used.iter().enumerate() {
                if *count == 0 {
                    unused.push(format!(
                        "{}: branch {} of {}",
                        way.production,
                        branch + 1,
                        way.count
                    ));
                }
            }
        }
        unused
    }
}

/// The fewest tokens that each rule has; a large number while unknown.
fn costs(grammar: &Grammar) -> Vec<usize> {
    let mut costs = vec![FAR; grammar.productions.len()];
    loop {
        let next: Vec<usize> = grammar
            .productions
            .iter()
            .map(|production| cost(&production.body, &costs))
            .collect();
        if next == costs {
            return costs;
        }
        costs = next;
    }
}

fn cost(expr: &Expr, costs: &[usize]) -> usize {
    match expr {
        Expr::Choice(_, parts) => parts
            .iter()
            .map(|part| cost(part, costs))
            .min()
            .unwrap_or(0),
        Expr::Sequence(parts) => parts
            .iter()
            .fold(0usize, |sum, part| sum.saturating_add(cost(part, costs)))
            .min(FAR),
        Expr::Terminal(_) => 1,
        Expr::Rule(rule, _) => costs[*rule],
        Expr::Repeat(_, inner, true) => cost(inner, costs),
        Expr::Optional(..) | Expr::Repeat(..) | Expr::Mark(_) => 0,
    }
}

/// From each rule, how many rules lie on the shortest way to each other one.
fn distances(grammar: &Grammar) -> Vec<Vec<usize>> {
    let count = grammar.productions.len();
    let named: Vec<Vec<usize>> = grammar
        .productions
        .iter()
        .map(|production| {
            let mut rules = Vec::new();
            rules_of(&production.body, &mut rules);
            rules
        })
        .collect();
    (0..count)
        .map(|from| {
            let mut distance = vec![FAR; count];
            distance[from] = 0;
            let mut open = std::collections::VecDeque::from([from]);
            while let Some(at) = open.pop_front() {
                for &next in &named[at] {
                    if distance[next] == FAR {
                        distance[next] = distance[at] + 1;
                        open.push_back(next);
                    }
                }
            }
            distance
        })
        .collect()
}

fn rules_of(expr: &Expr, out: &mut Vec<usize>) {
    match expr {
        Expr::Choice(_, parts) | Expr::Sequence(parts) => {
            parts.iter().for_each(|part| rules_of(part, out))
        }
        Expr::Rule(rule, _) => out.push(*rule),
        Expr::Optional(_, inner) | Expr::Repeat(_, inner, _) => rules_of(inner, out),
        Expr::Terminal(_) | Expr::Mark(_) => {}
    }
}

/// A `;` that ends nothing: it would be the shortest way nearly everywhere.
fn is_stray(expr: &Expr) -> bool {
    match expr {
        Expr::Sequence(parts) => matches!(parts.as_slice(), [part] if is_stray(part)),
        Expr::Terminal(Terminal::Text(text)) => &**text == ";",
        _ => false,
    }
}

/// Where a try began.
struct Before {
    tokens: usize,
    marks: Vec<Mark>,
    forbidden: usize,
    taken: usize,
}

impl<'g> Run<'_, 'g> {
    fn full(&self) -> bool {
        self.aside > 0 || self.tokens.len() >= self.budget || self.depth >= DEPTH
    }

    fn before(&self) -> Before {
        Before {
            tokens: self.tokens.len(),
            marks: self.marks.clone(),
            forbidden: self.forbidden.len(),
            taken: self.taken.len(),
        }
    }

    fn back(&mut self, before: &Before) {
        self.tokens.truncate(before.tokens);
        self.marks.clone_from(&before.marks);
        self.forbidden.truncate(before.forbidden);
        self.taken.truncate(before.taken);
    }

    fn take(&mut self, way: usize, branch: usize) {
        self.taken.push((way, branch));
        if self
            .goal
            .is_some_and(|goal| (goal.way, goal.branch) == (way, branch))
        {
            self.goal = None;
        }
    }

    /// How far it is from here to the goal; [`FAR`] if there is none.
    fn leads(&self, expr: &Expr) -> usize {
        let Some(goal) = self.goal else {
            return FAR;
        };
        match expr {
            Expr::Choice(way, _) | Expr::Optional(way, _) | Expr::Repeat(way, ..)
                if *way == goal.way =>
            {
                0
            }
            Expr::Choice(_, parts) | Expr::Sequence(parts) => parts
                .iter()
                .map(|part| self.leads(part))
                .min()
                .unwrap_or(FAR),
            Expr::Rule(rule, _) => self.generator.distances[*rule][goal.rule] + 1,
            Expr::Optional(_, inner) | Expr::Repeat(_, inner, _) => self.leads(inner),
            Expr::Terminal(_) | Expr::Mark(_) => FAR,
        }
    }

    /// Whether a part shall be made for the sake of the goal.
    fn wanted(&mut self, way: usize, inner: &Expr) -> bool {
        let Some(goal) = self.goal else {
            return false;
        };
        let towards = if goal.way == way {
            goal.branch == 1
        } else {
            self.leads(inner) < FAR
        };
        towards && !self.full() && self.random.below(4) > 0
    }

    fn rule(&mut self, rule: usize, place: Place) -> bool {
        // Nothing ends that is far too large.
        if self.tokens.len() > 20 * self.budget + 2_000 {
            return false;
        }
        let grammar = self.generator.grammar;
        self.depth += 1;
        let made = self.expr(&grammar.productions[rule].body, place);
        self.depth -= 1;
        made
    }

    fn expr(&mut self, expr: &'g Expr, place: Place) -> bool {
        match expr {
            Expr::Choice(way, parts) => self.choice(*way, parts, place),
            Expr::Sequence(parts) => self.sequence(parts, place),
            Expr::Terminal(terminal) => {
                let text = self.terminal(terminal);
                self.push(text);
                self.allowed(false)
            }
            Expr::Rule(rule, other) => self.rule(*rule, other.unwrap_or(place)),
            Expr::Optional(way, inner) => {
                let wanted = self.wanted(*way, inner);
                if !wanted && (self.full() || self.random.below(2) == 0) {
                    self.take(*way, 0);
                    return true;
                }
                let before = self.before();
                self.take(*way, 1);
                if !self.expr(inner, place) {
                    self.back(&before);
                    self.take(*way, 0);
                }
                true
            }
            Expr::Repeat(way, inner, once) => self.repeat(*way, inner, *once, place),
            Expr::Mark(Mark::NotIn(not)) => *not != place,
            Expr::Mark(Mark::SameIn(only)) => {
                if *only == place {
                    self.marks.push(Mark::Same);
                }
                true
            }
            Expr::Mark(mark) => {
                self.marks.push(mark.clone());
                true
            }
        }
    }

    fn choice(&mut self, way: usize, parts: &'g [Expr], place: Place) -> bool {
        let costs = &self.generator.costs;
        let least = parts
            .iter()
            .map(|part| cost(part, costs))
            .min()
            .unwrap_or(0);
        let nearest = parts
            .iter()
            .map(|part| self.leads(part))
            .min()
            .unwrap_or(FAR);
        let towards = |run: &Self, branch: usize| match run.goal {
            Some(goal) if goal.way == way => goal.branch == branch,
            _ => run.leads(&parts[branch]) == nearest,
        };
        let aim = !self.full()
            && self
                .goal
                .is_some_and(|goal| nearest < FAR || goal.way == way)
            && self.random.below(8) > 0;
        let short = self.full() || self.random.below(10) < 2;
        for attempt in 0..TRIES {
            let branch = self.random.below(parts.len());
            if aim && !towards(self, branch) {
                continue;
            }
            if !aim && self.generator.is_risky(&parts[branch]) && self.random.below(32) > 0 {
                continue;
            }
            if !aim && is_stray(&parts[branch]) && self.random.below(8) > 0 {
                continue;
            }
            if short && !aim && attempt < TRIES / 2 && cost(&parts[branch], costs) > least {
                continue;
            }
            let before = self.before();
            self.take(way, branch);
            if self.expr(&parts[branch], place) {
                return true;
            }
            self.back(&before);
        }
        // What chance left out.
        for (branch, part) in parts.iter().enumerate() {
            if self.generator.is_risky(part) {
                continue;
            }
            let before = self.before();
            self.take(way, branch);
            if self.expr(part, place) {
                return true;
            }
            self.back(&before);
        }
        false
    }

    fn repeat(&mut self, way: usize, inner: &'g Expr, once: bool, place: Place) -> bool {
        let mut rounds = 0;
        // Chains of operators are short, lists of items may be long.
        let often = match self.depth {
            _ if is_stray(inner) => 1,
            0..6 => 7,
            6..12 => 4,
            _ => 2,
        };
        loop {
            let wanted = rounds < 3 && self.wanted(way, inner);
            let more = wanted || !self.full() && self.random.below(10) < often;
            if !(more || once && rounds == 0) {
                break;
            }
            let before = self.before();
            self.take(way, 1);
            if !self.expr(inner, place) {
                self.back(&before);
                if once && rounds == 0 {
                    return false;
                }
                break;
            }
            rounds += 1;
        }
        if rounds == 0 {
            self.take(way, 0);
        } else if once {
            // There is no way without.
            self.take(way, 0);
        }
        true
    }

    /// A `!{ … }` is about the tokens that follow: what stands behind it is
    /// made anew until it is allowed.
    fn sequence(&mut self, parts: &'g [Expr], place: Place) -> bool {
        for (at, part) in parts.iter().enumerate() {
            let Expr::Mark(Mark::Not(runs)) = part else {
                // On the way to a goal everything else is short.
                let goal = self.goal;
                let nearest = parts[at..].iter().map(|part| self.leads(part)).min();
                let aside = goal.is_some() && Some(self.leads(part)) > nearest;
                if aside {
                    self.goal = None;
                    self.aside += 1;
                }
                let made = self.expr(part, place);
                if aside {
                    self.goal = goal;
                    self.aside -= 1;
                }
                if !made {
                    return false;
                }
                continue;
            };
            let before = self.before();
            for _ in 0..TRIES {
                self.forbidden.push((self.tokens.len(), runs));
                if self.sequence(&parts[at + 1..], place) {
                    return true;
                }
                self.back(&before);
            }
            return false;
        }
        true
    }

    /// Whether no run of tokens that is forbidden ends with the last token, or
    /// with the end of the program.
    fn allowed(&self, at_end: bool) -> bool {
        let tokens = &self.tokens;
        let forbidden = self.forbidden.iter().any(|(from, runs)| {
            runs.iter().any(|run| {
                let end = from + run.len();
                (end == tokens.len() || at_end && end > tokens.len())
                    && run
                        .iter()
                        .enumerate()
                        .all(|(at, look)| match tokens.get(from + at) {
                            // Where a line break may come, none may come as well.
                            Some(token) => {
                                look.terminal.matches(token.kind, &token.text) != look.not
                            }
                            None => look.not,
                        })
            })
        });
        !forbidden
    }

    fn terminal(&mut self, terminal: &Terminal) -> String {
        match terminal {
            Terminal::Text(text) => text.to_string(),
            Terminal::Lexical(lexical) => pool::text(*lexical, &mut self.random).to_owned(),
            // Most words are plain names.
            Terminal::Set(name, members) => {
                let first = &**name == "WORD" && self.random.below(3) > 0;
                let at = if first {
                    0
                } else {
                    self.random.below(members.len())
                };
                self.terminal(&members[at])
            }
        }
    }

    fn push(&mut self, text: String) {
        let mut token = Token::new(text, Space::Free);
        for mark in self.marks.drain(..) {
            let space = match mark {
                Mark::Same => Space::Same,
                Mark::Glued => Space::Glued,
                Mark::First => Space::First,
                Mark::SameIf(set) if set.iter().any(|one| one.matches(token.kind, &token.text)) => {
                    Space::Same
                }
                _ => continue,
            };
            if token.space != Space::Glued {
                token.space = space;
            }
        }
        self.tokens.push(token);
    }
}
