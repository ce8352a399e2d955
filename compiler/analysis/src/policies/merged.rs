//! Policies of one name in one scope are one (language.md section 4).

use std::collections::HashMap;
use std::sync::Arc;

/// Joins what has one name, in the place of the first of them. What has none
/// stays by itself.
pub(crate) fn merged<T>(
    all: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> Option<&Arc<str>>,
    join: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    let mut places: HashMap<Arc<str>, usize> = HashMap::new();
    for one in all {
        let Some(name) = name(&one).cloned() else {
            found.push(one);
            continue;
        };
        match places.get(&name).and_then(|at| found.get_mut(*at)) {
            Some(first) => join(first, one),
            None => {
                places.insert(name, found.len());
                found.push(one);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_name_is_one_in_the_place_of_the_first() {
        let all = [("a", 1), ("", 2), ("b", 3), ("a", 4), ("", 5), ("b", 6)];
        let all = all.map(|(name, number)| {
            let name: Option<Arc<str>> = (!name.is_empty()).then(|| name.into());
            (name, vec![number])
        });
        let found = merged(
            all,
            |(name, _)| name.as_ref(),
            |first, (_, more)| {
                first.1.extend(more);
            },
        );
        let numbers: Vec<Vec<i32>> = found.into_iter().map(|(_, numbers)| numbers).collect();
        assert_eq!(numbers, [vec![1, 4], vec![2], vec![3, 6], vec![5]]);
    }
}
