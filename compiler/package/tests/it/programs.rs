//! Programs made by hand.

use std::sync::Arc;

use symbi_ir::{
    Admission, Agent, Attributes, CedarFile, Code, Function, IR_VERSION, Module, Program, Route,
    Sandbox, Sha256, Span, Tool, Type,
};

/// The source of the one agent.
pub const SOURCE: &str = "agent greet { }\n";

/// The manifest of the tool.
pub const MANIFEST: &str = "[tool]";

/// The policy of Cedar.
pub const POLICY: &str = "permit(principal, action, resource);";

fn agent() -> Agent {
    Agent {
        entry: Function {
            name: "greet".into(),
            at: Span {
                start: 6,
                length: 5,
            },
            params: Vec::new(),
            result: Type::Any,
            code: Code::default(),
        },
        principal: symbi_ir::principal("greet").into(),
        span: Span {
            start: 0,
            length: 15,
        },
        functions: Vec::new(),
        structs: Vec::new(),
        metadata: Vec::new(),
        driver: None,
        capabilities: None,
        policies: Vec::new(),
        attributes: Attributes::default(),
        secrets: Vec::new(),
        declaration: None,
        admission: Route::ALL
            .map(|route| Admission {
                route,
                refused: Vec::new(),
            })
            .to_vec(),
    }
}

/// A program with one agent.
pub fn one_agent() -> Program {
    let module = Module {
        path: "greet.symbi".into(),
        sha256: Sha256::of(SOURCE.as_bytes()),
        length: SOURCE.len() as u32,
        lines: vec![0, 16],
        structs: Vec::new(),
        functions: Vec::new(),
        policies: Vec::new(),
        agents: vec![agent()],
        schedules: Vec::new(),
        webhooks: Vec::new(),
        channels: Vec::new(),
        memories: Vec::new(),
    };
    Program {
        version: IR_VERSION,
        stdlib: Sha256::of(b""),
        effects: Vec::new(),
        drivers: Vec::new(),
        delegating: Vec::new(),
        sandbox: Sandbox::default(),
        waived: Vec::new(),
        modules: vec![Arc::new(module)],
        tools: Vec::new(),
        cedar: Vec::new(),
    }
}

/// The same with a tool.
pub fn one_tool() -> Program {
    let mut program = one_agent();
    program.tools.push(Tool {
        name: "count".into(),
        version: None,
        manifest: "tools/count.clad.toml".into(),
        sha256: Sha256::of(MANIFEST.as_bytes()),
        resource: None,
        asks: false,
        params: Vec::new(),
    });
    program
}

/// The same with a policy of Cedar too.
pub fn with_cedar() -> Program {
    let mut program = one_tool();
    program.cedar.push(CedarFile {
        path: "policies/run/a.cedar".into(),
        sha256: Sha256::of(POLICY.as_bytes()),
    });
    program
}
