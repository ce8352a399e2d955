//! The page of each code of ours has an example that gives exactly it, and the
//! same one mended, which gives nothing.

use symbi_diagnostics::bundles;

use crate::recipe::follow;

/// The blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    page.split("\n```")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').unwrap())
        .collect()
}

#[test]
fn failing_examples_fail_and_mended_ones_do_not() {
    for code in bundles::ALL {
        let mut roles = Vec::new();
        for (info, recipe) in blocks(code.page) {
            if !info.starts_with("bundle") {
                continue;
            }
            roles.push(info);
            let found = follow(recipe).map_err(|error| (error.code().id, error.to_string()));
            let found = found.as_ref().map_err(|(id, message)| (*id, message));
            match info {
                "bundle fails" => assert_eq!(found.unwrap_err().0, code.id, "{found:?}"),
                "bundle" => assert_eq!(found, Ok(&()), "{}", code.id),
                _ => panic!("{}: {info}", code.id),
            }
        }
        assert_eq!(roles, ["bundle fails", "bundle"], "{}", code.id);
    }
}
