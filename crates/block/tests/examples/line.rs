//! Lines as people write them, and as they miswrite them.

use drivecast_block::line::{Term, nearest};
use drivecast_block::units::{Bytes, Nanos};

#[test]
fn a_design() {
    let term = Term::parse("raid10(8 * intel-710-100gb[partition=0.83], chunk=64KiB)").expect("a design");
    assert_eq!(term.name, "raid10");
    assert_eq!(term.bytes("chunk"), Ok(Some(Bytes::kib(64))));
    assert_eq!((term.members.len(), term.members[0].count), (1, 8));
    let member = &term.members[0].term;
    assert_eq!(member.name, "intel-710-100gb");
    assert_eq!(member.fraction("partition"), Ok(Some(0.83)));
    assert_eq!(term.leaves(), ["intel-710-100gb"]);
    assert!(term.finish().is_ok() && member.finish().is_ok());
}

#[test]
fn values_of_each_kind() {
    let term = Term::parse(" hdd ( rpm = 15000, seek=3.5ms, gc=fifo, share=70% ) ").expect("spaces are free");
    assert_eq!(term.integer("rpm"), Ok(Some(15_000)));
    assert_eq!(term.nanos("seek"), Ok(Some(Nanos(3_500_000))));
    assert_eq!(term.choice("gc", &[("greedy", 1), ("fifo", 2)]), Ok(Some(2)));
    assert_eq!(term.fraction("share"), Ok(Some(0.7)));
    assert_eq!(term.text("absent"), None);
    assert!(term.finish().is_ok());
}

/// The line, the column of the caret (from 0) and words of the message.
#[test]
fn refusals_point_at_the_fault() {
    for (line, column, words) in [
        ("", 0, "expected a name, found the end of the line"),
        ("raid10(", 7, "expected a member or key=value"),
        ("raid10(a", 8, "expected `,` or `)`"),
        ("raid10(a b)", 9, "found `b`"),
        ("raid10(a))", 9, "expected the end of the line, found `)`"),
        ("raid10(0 * a)", 7, "expected a count from 1"),
        ("raid10(-2 * a)", 7, "expected a count from 1"),
        ("raid10(99999999999 * a)", 7, "expected a count from 1"),
        ("a[b]", 3, "expected `=`"),
        ("a[b=]", 4, "expected a value"),
        ("a(b=1, b=2)", 7, "`b` is given twice"),
        ("a(b=1)[b=2]", 7, "`b` is given twice"),
        ("µ(é=1, x=ü!)", 10, "expected `,` or `)`, found `!`"),
    ] {
        let error = Term::parse(line).expect_err(line);
        let text = error.to_string();
        assert!(text.contains(words), "{line}: {text}");
        let caret = text.lines().find(|row| row.trim() == "^").expect("a caret").chars().count() - 5;
        assert_eq!(caret, column, "{text}");
    }
}

#[test]
fn wrong_values_are_shown_with_what_would_do() {
    let term = Term::parse("hdd(capacity=lots, depth=1.5, gc=random)").expect("a line");
    let error = term.bytes("capacity").expect_err("no size");
    assert_eq!(error.at, 13, "{error}");
    assert!(
        error.to_string().contains("capacity: expected a size such as 4096, 64KiB or 300GB, found `lots`")
    );
    assert_eq!(term.integer("depth").expect_err("not whole").at, 25);
    let error = term.choice("gc", &[("greedy", 1), ("fifo", 2)]).expect_err("no choice").to_string();
    assert!(error.contains("expected one of greedy, fifo, found `random`"), "{error}");
}

#[test]
fn finish_names_the_nearest() {
    let term = Term::parse("hdd(capacty=300GB)").expect("a line");
    let error = term.finish().expect_err("nobody asked yet");
    assert!(error.message.contains("known: none") && error.hint.is_none(), "{error}");
    assert_eq!((term.text("capacity"), term.text("rpm")), (None, None));
    let error = term.finish().expect_err("misspelt");
    assert_eq!((error.at, error.hint.as_deref()), (4, Some("did you mean `capacity`?")), "{error}");
    let known = error.message.split("known: ").nth(1);
    assert_eq!(known, Some("capacity, rpm"), "each known key once, however often it was asked for");
    term.text("rpm");
    let again = term.finish().expect_err("still misspelt");
    assert_eq!(again.message, error.message, "asking twice changes nothing");
}

#[test]
fn nesting_is_limited() {
    let nested = |levels: usize| format!("{}a{}", "a(".repeat(levels), ")".repeat(levels));
    assert!(Term::parse(&nested(16)).is_ok());
    let error = Term::parse(&nested(17)).expect_err("too deep");
    assert!(error.message.contains("16 levels"), "{error}");
    assert!(Term::parse(&nested(100_000)).is_err(), "and the stack holds");
}

#[test]
fn likeness() {
    assert_eq!(nearest("reed", ["read", "write"]), Some("read"));
    assert_eq!(nearest("zzz", ["read", "write"]), None);
    assert_eq!(nearest("anything", []), None);
}
