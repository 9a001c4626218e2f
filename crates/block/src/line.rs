//! The one-line grammar of designs and workloads.
//!
//! ```text
//! term   := name [ "(" item ("," item)* ")" ] [ "[" option ("," option)* "]" ]
//! item   := [ count "*" ] term  |  option
//! option := key "=" ( value | term )
//! ```
//!
//! A name, key or value is a run of letters, digits and `. _ - + % / µ`. So `raid10(8 * intel-710-100gb, chunk=64KiB)` is
//! the term `raid10` with one member (8 of `intel-710-100gb`) and one option. What names and keys mean is decided by
//! whoever reads the [`Term`]: reading an option consumes it, and [`Term::finish`] rejects what was not read, naming the
//! nearest known key.

use crate::units::{self, Bytes, Nanos, QuantityError};
use std::cell::RefCell;

/// Why a line is wrong, with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The whole line.
    pub line: String,
    /// Byte offset of the fault.
    pub at: usize,
    /// What is wrong: what was expected and found.
    pub message: String,
    /// What to do, if anything in particular.
    pub hint: Option<String>,
}

impl std::error::Error for LineError {}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let column = self.line[..self.at.min(self.line.len())].chars().count();
        write!(f, "{}\n    {}\n    {:>width$}", self.message, self.line, "^", width = column + 1)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// One `key=value`.
#[derive(Clone, Debug)]
struct Setting {
    key: String,
    value: String,
    key_at: usize,
    value_at: usize,
    /// The value with what is in its brackets, where it has any.
    term: Option<Term>,
}

/// A member of a term: `count * term`.
#[derive(Clone, Debug)]
pub struct Member {
    /// How many; 1 where the line has no count.
    pub count: u32,
    /// What.
    pub term: Term,
}

/// A name with members, positional values and options.
#[derive(Clone, Debug)]
pub struct Term {
    /// The name as written.
    pub name: String,
    /// The members, in order. A bare word such as `4KiB` is a member too: a term without members.
    pub members: Vec<Member>,
    /// Byte offset of the name in the line.
    pub at: usize,
    line: String,
    settings: Vec<Setting>,
    read_keys: RefCell<Vec<&'static str>>,
    /// Of these, those read as terms.
    read_terms: RefCell<Vec<&'static str>>,
}

impl Term {
    /// Parses a line.
    ///
    /// # Errors
    /// The line does not follow the grammar; a key is given twice; nesting is deeper than 16; more than 16,384 bytes.
    pub fn parse(line: &str) -> Result<Term, LineError> {
        if line.len() > LINE_MAX {
            let message = format!("expected a line of at most {LINE_MAX} bytes, found {}", line.len());
            let line = line.chars().take(SHOWN).chain(['…']).collect();
            return Err(LineError { line, at: 0, message, hint: None });
        }
        let mut parser = Parser { line, at: 0 };
        let term = parser.term(0)?;
        match parser.peek() {
            None => Ok(term),
            Some(_) => Err(parser.refuse("the end of the line")),
        }
    }

    /// The names of all terms without members, outermost first: drives, values, built-in names.
    pub fn leaves(&self) -> Vec<&str> {
        if self.members.is_empty() {
            return vec![&self.name];
        }
        self.members.iter().flat_map(|member| member.term.leaves()).collect()
    }

    /// Whether the line gives this option.
    pub fn has(&self, key: &str) -> bool {
        self.settings.iter().any(|setting| setting.key == key)
    }

    /// An error at the name of this term.
    pub fn error(&self, message: impl Into<String>, hint: Option<String>) -> LineError {
        LineError { line: self.line.clone(), at: self.at, message: message.into(), hint }
    }

    /// An error at the value of `key`, or at the name where the line does not set `key`.
    pub fn error_at(&self, key: &str, message: impl Into<String>) -> LineError {
        let at = self.settings.iter().find(|s| s.key == key).map_or(self.at, |s| s.value_at);
        LineError { line: self.line.clone(), at, message: message.into(), hint: None }
    }

    /// The option `key` as written.
    pub fn text(&self, key: &'static str) -> Option<&str> {
        let mut read_keys = self.read_keys.borrow_mut();
        if !read_keys.contains(&key) {
            read_keys.push(key);
        }
        self.settings.iter().find(|setting| setting.key == key).map(|setting| setting.value.as_str())
    }

    /// The option `key` as a term: with what is in its brackets, or a bare name.
    pub fn term(&self, key: &'static str) -> Option<Term> {
        let name = self.text(key)?.to_owned();
        self.read_terms.borrow_mut().push(key);
        let setting = self.settings.iter().find(|setting| setting.key == key)?;
        let bare = || Term::bare(self.line.clone(), setting.value_at, name);
        Some(setting.term.clone().unwrap_or_else(bare))
    }

    /// A name alone.
    fn bare(line: String, at: usize, name: String) -> Term {
        let (read_keys, read_terms) = (RefCell::default(), RefCell::default());
        Term { name, members: Vec::new(), at, line, settings: Vec::new(), read_keys, read_terms }
    }

    /// The option `key` read by `parse`.
    ///
    /// # Errors
    /// The value is not what `parse` takes.
    pub fn read<T>(
        &self,
        key: &'static str,
        parse: impl Fn(&str) -> Result<T, QuantityError>,
    ) -> Result<Option<T>, LineError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        parse(text).map(Some).map_err(|error| self.error_at(key, format!("{key}: {error}")))
    }

    /// The option `key` as a size.
    ///
    /// # Errors
    /// Not a size.
    pub fn bytes(&self, key: &'static str) -> Result<Option<Bytes>, LineError> {
        self.read(key, units::parse_bytes)
    }

    /// The option `key` as a time.
    ///
    /// # Errors
    /// Not a time.
    pub fn nanos(&self, key: &'static str) -> Result<Option<Nanos>, LineError> {
        self.read(key, units::parse_nanos)
    }

    /// The option `key` as a fraction in [0, 1].
    ///
    /// # Errors
    /// Not a fraction.
    pub fn fraction(&self, key: &'static str) -> Result<Option<f64>, LineError> {
        self.read(key, units::parse_fraction)
    }

    /// The option `key` as a whole number.
    ///
    /// # Errors
    /// Not a whole number below 2³².
    pub fn integer(&self, key: &'static str) -> Result<Option<u32>, LineError> {
        self.read(key, |text| {
            text.parse().map_err(|_| QuantityError { expected: "a whole number", found: text.to_owned() })
        })
    }

    /// The option `key` as one of `choices`.
    ///
    /// # Errors
    /// None of the choices; the error lists them.
    pub fn choice<T: Copy>(&self, key: &'static str, choices: &[(&str, T)]) -> Result<Option<T>, LineError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let chosen = choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
        chosen.map(Some).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            let message = format!("{key}: expected one of {}, found `{text}`", names.join(", "));
            let hint = nearest(text, names).map(|name| format!("did you mean `{name}`?"));
            LineError { hint, ..self.error_at(key, message) }
        })
    }

    /// Rejects options that were not read, and brackets behind a plain value.
    ///
    /// # Errors
    /// The first unknown key, with the nearest known one; or the first such value.
    pub fn finish(&self) -> Result<(), LineError> {
        let (read_keys, read_terms) = (self.read_keys.borrow(), self.read_terms.borrow());
        let Some(unknown) = self.settings.iter().find(|s| !read_keys.contains(&s.key.as_str())) else {
            let is_plain = |s: &&Setting| s.term.is_some() && !read_terms.contains(&s.key.as_str());
            return self.settings.iter().find(is_plain).map_or(Ok(()), |setting| {
                let message = format!("{}: expected a value without brackets", setting.key);
                Err(self.error_at(&setting.key, message))
            });
        };
        let known = if read_keys.is_empty() { "none".to_owned() } else { read_keys.join(", ") };
        Err(LineError {
            line: self.line.clone(),
            at: unknown.key_at,
            message: format!("unknown option `{}` of `{}`; known: {known}", unknown.key, self.name),
            hint: nearest(&unknown.key, read_keys.iter().copied())
                .map(|name| format!("did you mean `{name}`?")),
        })
    }
}

/// The candidate most like `word`, if any is alike enough to suggest (Jaro-Winkler similarity above 0.7).
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// A line beyond this is a mistake: every term holds a copy of it, for its errors.
const LINE_MAX: usize = 16_384;
/// Characters of such a line in its error.
const SHOWN: usize = 60;

/// Nesting beyond this is a mistake, and would only serve to exhaust the stack.
const DEPTH_MAX: usize = 16;

struct Parser<'a> {
    line: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.line[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn refuse(&mut self, expected: &str) -> LineError {
        let found = match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end of the line".to_owned(),
        };
        let message = format!("expected {expected}, found {found}");
        LineError { line: self.line.to_owned(), at: self.at, message, hint: None }
    }

    fn word(&mut self, expected: &str) -> Result<(usize, String), LineError> {
        self.peek();
        let start = self.at;
        let rest = &self.line[start..];
        let inside = |c: char| c.is_alphanumeric() || "._-+%/µ".contains(c);
        self.at += rest.find(|c| !inside(c)).unwrap_or(rest.len());
        if self.at == start {
            return Err(self.refuse(expected));
        }
        Ok((start, self.line[start..self.at].to_owned()))
    }

    fn term(&mut self, depth: usize) -> Result<Term, LineError> {
        let (at, name) = self.word("a name")?;
        self.term_named(at, name, depth)
    }

    fn term_named(&mut self, at: usize, name: String, depth: usize) -> Result<Term, LineError> {
        if depth > DEPTH_MAX {
            return Err(self.refuse("at most 16 levels of nesting"));
        }
        let line = self.line.to_owned();
        let mut term = Term::bare(line, at, name);
        for (open, close) in [('(', ')'), ('[', ']')] {
            if !self.take(open) {
                continue;
            }
            loop {
                self.item(&mut term, open == '(', depth)?;
                if self.take(close) {
                    break;
                }
                if !self.take(',') {
                    return Err(self.refuse(&format!("`,` or `{close}`")));
                }
            }
        }
        Ok(term)
    }

    fn item(&mut self, term: &mut Term, members_allowed: bool, depth: usize) -> Result<(), LineError> {
        let (at, word) = self.word(if members_allowed { "a member or key=value" } else { "key=value" })?;
        if self.take('=') {
            return self.setting(term, at, word, depth);
        }
        if !members_allowed {
            return Err(self.refuse("`=`"));
        }
        let member = if self.take('*') {
            let count = word.parse().ok().filter(|count| *count > 0);
            let Some(count) = count else {
                let message = format!("expected a count from 1 before `*`, found `{word}`");
                return Err(LineError { line: self.line.to_owned(), at, message, hint: None });
            };
            Member { count, term: self.term(depth + 1)? }
        } else {
            Member { count: 1, term: self.term_named(at, word, depth + 1)? }
        };
        term.members.push(member);
        Ok(())
    }

    fn setting(
        &mut self,
        term: &mut Term,
        key_at: usize,
        key: String,
        depth: usize,
    ) -> Result<(), LineError> {
        let (value_at, value) = self.word("a value")?;
        let has_brackets = matches!(self.peek(), Some('(' | '['));
        let inner = has_brackets.then(|| self.term_named(value_at, value.clone(), depth + 1)).transpose()?;
        if term.settings.iter().any(|setting| setting.key == key) {
            let message = format!("`{key}` is given twice");
            return Err(LineError { line: self.line.to_owned(), at: key_at, message, hint: None });
        }
        term.settings.push(Setting { key, value, key_at, value_at, term: inner });
        Ok(())
    }
}
