//! Cedar's side of the decisions: the ten rules as its policies, and the
//! questions as its requests.

use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityId, EntityTypeName, EntityUid, PolicySet,
    Request, Response, RestrictedExpression,
};

use crate::decisions::{PRINCIPAL, Plain, QUESTIONS, Question};

/// Whatever keeps Cedar from an answer.
pub type Error = Box<dyn std::error::Error>;

/// A policy for each rule, in the same order: the ids are `policy0` and so on.
const POLICIES: &str = r#"
permit (principal, action == Action::"tool_call::read_file", resource);
permit (principal, action == Action::"tool_call::list_files", resource);
permit (principal, action == Action::"tool_call::fetch", resource)
when { context.arguments.url like "https://*" };
permit (principal, action == Action::"tool_call::transfer", resource)
when {
    context.arguments.amount <= 500 &&
    ["EUR", "USD", "CHF"].contains(context.arguments.currency)
};
permit (principal, action == Action::"tool_call::delete_file", resource)
when { context.approved && context.environment != "production" };
permit (principal, action == Action::"tool_call::send_mail", resource)
when { ["operator", "admin"].contains(context.role) };
forbid (principal, action == Action::"tool_call::delete_file", resource)
when { context.arguments.path == "/" };
forbid (principal, action, resource) when { context.risk > 7 };
forbid (principal, action, resource) when { context.suspended };
forbid (principal, action == Action::"tool_call::transfer", resource)
when { context.arguments.amount > 100 && !context.approved };
"#;

/// Cedar with its policies, ready to decide.
pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    /// The action of each question: tools are known before they are called.
    actions: Vec<EntityUid>,
    principal: EntityUid,
    resource: EntityUid,
    requests: Vec<Request>,
}

impl Cedar {
    /// Parses the policies and builds a request for each question.
    ///
    /// # Errors
    /// Cedar refuses some of it.
    pub fn new() -> Result<Self, Error> {
        let uid = |kind: &str, id: &str| -> Result<EntityUid, Error> {
            let kind: EntityTypeName = kind.parse()?;
            Ok(EntityUid::from_type_name_and_id(kind, EntityId::new(id)))
        };
        let actions: Result<Vec<_>, _> = QUESTIONS
            .iter()
            .map(|question| uid("Action", &format!("tool_call::{}", question.tool)))
            .collect();
        let mut cedar = Cedar {
            authorizer: Authorizer::new(),
            policies: POLICIES.parse()?,
            entities: Entities::empty(),
            actions: actions?,
            principal: uid("Agent", PRINCIPAL)?,
            resource: uid("Resource", "default")?,
            requests: Vec::new(),
        };
        let requests = QUESTIONS.iter().enumerate();
        let requests: Result<_, _> = requests
            .map(|(at, question)| cedar.request(at, question))
            .collect();
        cedar.requests = requests?;
        Ok(cedar)
    }

    /// Asks each question so many times, with requests that are there.
    pub fn decide(&self, rounds: usize) -> Vec<Response> {
        let mut responses = Vec::with_capacity(rounds * self.requests.len());
        for _ in 0..rounds {
            for request in &self.requests {
                let request = std::hint::black_box(request);
                responses.push(self.decided(request));
            }
        }
        responses
    }

    /// The same, with a request that is built for each question and freed after
    /// it.
    ///
    /// # Errors
    /// Cedar refuses a request.
    pub fn build_and_decide(&self, rounds: usize) -> Result<usize, Error> {
        let mut permitted = 0;
        for _ in 0..rounds {
            for (at, question) in QUESTIONS.iter().enumerate() {
                let request = self.request(at, std::hint::black_box(question))?;
                let response = self.decided(&request);
                permitted += usize::from(response.decision() == Decision::Allow);
            }
        }
        Ok(permitted)
    }

    /// How many of these are permitted.
    pub fn permitted(responses: &[Response]) -> usize {
        let permitted = responses
            .iter()
            .filter(|response| response.decision() == Decision::Allow);
        permitted.count()
    }

    /// Whether each question is decided by the policy that should decide it,
    /// and no policy has an error.
    ///
    /// # Errors
    /// One is not.
    pub fn check(&self) -> Result<(), String> {
        for (question, request) in QUESTIONS.iter().zip(&self.requests) {
            let response = self.decided(request);
            let reasons = response.diagnostics().reason();
            let reasons: Vec<String> = reasons.map(ToString::to_string).collect();
            let expected: Vec<String> = question
                .decides
                .map(|rule| format!("policy{rule}"))
                .into_iter()
                .collect();
            let permits = response.decision() == Decision::Allow;
            let errors = response.diagnostics().errors().count();
            if permits != question.permits() || reasons != expected || errors > 0 {
                return Err(format!("{question:?} gives {response:?}"));
            }
        }
        Ok(())
    }

    /// Whether a call that is like one of [`QUESTIONS`] may happen.
    ///
    /// # Errors
    /// Cedar refuses the request, or a policy cannot be evaluated.
    pub fn permits(&self, like: usize, question: &Question) -> Result<bool, Error> {
        let response = self.decided(&self.request(like, question)?);
        match response.diagnostics().errors().next() {
            Some(error) => Err(error.to_string().into()),
            None => Ok(response.decision() == Decision::Allow),
        }
    }

    fn decided(&self, request: &Request) -> Response {
        self.authorizer
            .is_authorized(request, &self.policies, &self.entities)
    }

    fn request(&self, at: usize, question: &Question) -> Result<Request, Error> {
        let arguments = RestrictedExpression::new_record(fields(question.arguments))?;
        let situation = question.situation.facts();
        let all = fields(&situation).chain([("arguments".to_owned(), arguments)]);
        Ok(Request::new(
            self.principal.clone(),
            self.actions[at].clone(),
            self.resource.clone(),
            Context::from_pairs(all)?,
            None,
        )?)
    }
}

fn fields(
    fields: &[(&'static str, Plain)],
) -> impl Iterator<Item = (String, RestrictedExpression)> {
    fields.iter().map(|&(name, plain)| {
        let value = match plain {
            Plain::Text(text) => RestrictedExpression::new_string(text.to_owned()),
            Plain::Int(value) => RestrictedExpression::new_long(value),
            Plain::Bool(value) => RestrictedExpression::new_bool(value),
        };
        (name.to_owned(), value)
    })
}
