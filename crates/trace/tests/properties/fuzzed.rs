//! No input that fuzzing kept makes a reader panic or break its promises.

#[path = "../../../../fuzz/trials/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/trials/trace.rs"]
mod trace;

use corpus::replay;

#[test]
fn traces() {
    replay("blktrace", trace::blktrace);
    replay("vscsi", trace::vscsi);
    replay("octf", trace::octf);
    replay("msr", trace::msr);
    replay("mapping", trace::mapping);
}

#[test]
fn texts_that_are_asked_for() {
    replay("text", trace::text);
}

#[test]
fn counter_logs() {
    replay("counters", trace::counters);
    replay("iostat", trace::iostat);
}

#[test]
fn whatever_it_is() {
    replay("detection", trace::detection);
    replay("parquet", trace::parquet);
    replay("summary", trace::summary);
}
