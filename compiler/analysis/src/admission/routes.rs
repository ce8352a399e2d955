//! The ways in which an agent comes to run (language.md section 6).

/// A way in which an agent comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Route {
    /// From the command line.
    Run,
    /// For a request over HTTP.
    Http,
    /// When a schedule fires.
    Schedule,
    /// For another agent.
    Delegate,
    /// For a message in a channel.
    Chat,
    /// For a client of the Model Context Protocol.
    Mcp,
    /// In a managed driver.
    Managed,
}

impl Route {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Route; 7] = [
        Route::Run,
        Route::Http,
        Route::Schedule,
        Route::Delegate,
        Route::Chat,
        Route::Mcp,
        Route::Managed,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Route::Run => "run",
            Route::Http => "http",
            Route::Schedule => "schedule",
            Route::Delegate => "delegate",
            Route::Chat => "chat",
            Route::Mcp => "mcp",
            Route::Managed => "managed",
        }
    }
}

/// Some of the routes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Routes(u8);

impl Routes {
    /// None.
    pub const NONE: Routes = Routes(0);
    /// All.
    pub const ALL: Routes = Routes(0x7f);

    /// These.
    pub fn of(routes: &[Route]) -> Self {
        Routes(
            routes
                .iter()
                .fold(0, |bits, route| bits | 1 << *route as u8),
        )
    }

    /// Whether a route is among them.
    pub fn has(self, route: Route) -> bool {
        self.0 & (1 << route as u8) != 0
    }

    /// Those of both.
    #[must_use]
    pub fn both(self, other: Routes) -> Self {
        Routes(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_sets() {
        assert!(Route::ALL.iter().all(|route| Routes::ALL.has(*route)));
        assert!(!Route::ALL.iter().any(|route| Routes::NONE.has(*route)));
        let some = Routes::of(&[Route::Http, Route::Managed]);
        let has: Vec<&str> = Route::ALL
            .into_iter()
            .filter(|route| some.has(*route))
            .map(Route::as_str)
            .collect();
        assert_eq!(has, ["http", "managed"]);
        assert_eq!(
            some.both(Routes::of(&[Route::Http])),
            Routes::of(&[Route::Http])
        );
    }
}
