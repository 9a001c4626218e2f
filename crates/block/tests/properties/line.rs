//! What holds for every line.

use drivecast_block::line::{LineError, Term};
use proptest::prelude::*;

/// The place lies in the line, on a character, and the message can be printed with its caret under the line.
fn is_placed(error: &LineError) -> bool {
    let text = error.to_string();
    let caret = text.lines().position(|row| row.trim_start() == "^" && row.starts_with("    "));
    error.at <= error.line.len() && error.line.is_char_boundary(error.at) && caret.is_some()
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9._µ][a-zA-Z0-9._+%/-]{0,8}"
}

/// A term as text, valid by construction.
fn term() -> impl Strategy<Value = String> {
    name().prop_recursive(4, 24, 4, |inner| {
        let member =
            prop_oneof![inner.clone(), (1_u32..100, inner).prop_map(|(n, term)| format!("{n} * {term}"))];
        let options = prop::collection::btree_map(name(), name(), 0..4);
        (name(), prop::collection::vec(member, 1..4), options, any::<bool>()).prop_map(
            |(name, members, options, is_bracketed)| {
                let options: Vec<String> =
                    options.iter().map(|(key, value)| format!("{key}={value}")).collect();
                match (options.is_empty(), is_bracketed) {
                    (true, _) => format!("{name}({})", members.join(", ")),
                    (_, true) => format!("{name}({})[{}]", members.join(","), options.join(" , ")),
                    (_, false) => format!("{name}( {},{} )", members.join(", "), options.join(",")),
                }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_panics(line in any::<String>()) {
        if let Err(error) = Term::parse(&line) {
            prop_assert!(is_placed(&error), "{error:?}");
        }
    }

    #[test]
    fn no_line_of_the_grammars_own_characters_panics(line in "[a-c0-9()\\[\\]=,* .µé\n-]{0,40}") {
        match Term::parse(&line) {
            Ok(term) => {
                prop_assert!(!term.leaves().is_empty());
                if let Err(error) = term.finish() {
                    prop_assert!(is_placed(&error), "{error:?}");
                }
            }
            Err(error) => prop_assert!(is_placed(&error), "{error:?}"),
        }
    }

    #[test]
    fn valid_lines_are_taken(line in term()) {
        let parsed = Term::parse(&line);
        prop_assert!(parsed.is_ok(), "{line}: {}", parsed.expect_err("shown"));
    }

    #[test]
    fn valid_lines_cut_short_or_with_more_are_placed(line in term(), at in any::<prop::sample::Index>(), more in any::<char>()) {
        let cut: String = line.chars().take(at.index(line.chars().count())).collect();
        for text in [cut.clone(), format!("{cut}{more}"), format!("{line}{more}")] {
            if let Err(error) = Term::parse(&text) {
                prop_assert!(is_placed(&error), "{error:?}");
            }
        }
    }
}
