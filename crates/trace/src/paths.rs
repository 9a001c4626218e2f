//! From paths to files: a file, a set of per-CPU files by its prefix, standard input (`-`), a directory or archive that holds
//! one set, or files of one format.
//!
//! blktrace writes `<prefix>.<CPU>`; a compressed member ends in `.gz`, `.xz`, `.zst`, `.lz4` or `.bz2` besides. Names only say which files
//! belong together and in which order; what they are is detected from their content.

use crate::archive;
use crate::decompress::Input;
use crate::description::{Description, Reading};
use crate::detect::detect;
use crate::error::TraceError;
#[cfg(unix)]
use crate::fifo;
use crate::options::Options;
use crate::source::Source;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The files of a log and what there is to say about them.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) sources: Vec<Source>,
    pub(crate) notes: Vec<String>,
    /// What is missing among the files.
    pub(crate) losses: Vec<String>,
}

/// Prefix and CPU of a member of a set.
fn member(name: &str) -> Option<(&str, u32)> {
    let name =
        [".gz", ".xz", ".zst", ".lz4", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let (prefix, cpu) = name.rsplit_once('.')?;
    let number = !cpu.is_empty() && cpu.len() <= 5 && cpu.bytes().all(|byte| byte.is_ascii_digit());
    (number && !prefix.is_empty()).then(|| cpu.parse().ok().map(|cpu| (prefix, cpu)))?
}

/// The files that `paths` name.
pub(crate) fn resolve<P: AsRef<Path>>(paths: &[P], options: &Options) -> Result<Files, TraceError> {
    let mut files = Files::default();
    for path in paths {
        let found = resolve_one(path.as_ref(), options)?;
        files.sources.extend(found.sources);
        files.notes.extend(found.notes);
        files.losses.extend(found.losses);
    }
    if paths.len() > 1 && files.sources.iter().all(|source| member(source.base_name()).is_some()) {
        // A shell's pattern sorts CPU 10 before CPU 2.
        files
            .sources
            .sort_by_key(|source| member(source.base_name()).map(|(prefix, cpu)| (prefix.to_owned(), cpu)));
        files.notes.clear();
        files.losses = gaps(&files.sources).into_iter().collect();
    }
    Ok(files)
}

fn resolve_one(path: &Path, options: &Options) -> Result<Files, TraceError> {
    if path.is_dir() {
        return choose(path, list(path)?, "a directory", options);
    }
    let (source, losses) = if path == Path::new("-") {
        (Source::pipe("standard input", Box::new(std::io::stdin()))?, Vec::new())
    } else if path.is_file() {
        (Source::file(path), lone(path))
    } else if path.exists() {
        (special(path)?, Vec::new())
    } else {
        return by_prefix(path);
    };
    match archive::members(&source)? {
        Some(members) => choose(path, members, "an archive", options),
        None => Ok(Files { sources: vec![source], losses, ..Files::default() }),
    }
}

/// What is neither a file nor a directory: a pipe can be read, a device never ends.
fn special(path: &Path) -> Result<Source, TraceError> {
    let name = path.display().to_string();
    let refuse = |source| TraceError::Read { file: name.clone(), source };
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&std::fs::metadata(path).map_err(refuse)?.file_type()) {
        return Source::pipe(&name, Box::new(fifo::open(path).map_err(refuse)?));
    }
    let why = "it is a device or a socket; expected a file, a directory or a pipe";
    Err(refuse(std::io::Error::other(why)))
}

/// All files of a directory.
fn list(directory: &Path) -> Result<Vec<Source>, TraceError> {
    let refuse = |error| TraceError::Read { file: directory.display().to_string(), source: error };
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if path.is_file() {
            sources.push(Source::file(&path));
        }
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(sources)
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// The set whose prefix is `path`, or `path` with `.blktrace` as the tools of blktrace take it.
fn by_prefix(path: &Path) -> Result<Files, TraceError> {
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let near = directory_of(path);
    let siblings = if near.is_dir() { list(near)? } else { Vec::new() };
    for prefix in [wanted.clone(), format!("{wanted}.blktrace")] {
        let is_member =
            |source: &&Source| member(source.base_name()).is_some_and(|(found, _)| found == prefix);
        let members: Vec<_> = siblings.iter().filter(is_member).cloned().collect();
        if !members.is_empty() {
            return Ok(set(members));
        }
    }
    let prefixes = siblings.iter().filter_map(|source| member(source.base_name()).map(|(prefix, _)| prefix));
    let names = prefixes.chain(siblings.iter().map(Source::base_name));
    let hint = match drivecast_block::line::nearest(&wanted, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is no set `{wanted}.0`, `{wanted}.1`, … either"),
    };
    Err(TraceError::NotFound { path: path.display().to_string(), hint })
}

/// The only set of per-CPU files among `candidates`; without such sets, the files of the only format.
fn choose(path: &Path, candidates: Vec<Source>, kind: &str, options: &Options) -> Result<Files, TraceError> {
    let mut sets: BTreeMap<&str, Vec<Source>> = BTreeMap::new();
    for source in &candidates {
        if let Some((prefix, _)) = member(source.base_name()) {
            sets.entry(prefix).or_default().push(source.clone());
        }
    }
    let mut found = Vec::new();
    for (prefix, members) in sets {
        if holds_events(&members)? {
            found.push((format!("`{prefix}`"), members));
        }
    }
    if found.is_empty() {
        return of_one_format(path, candidates, kind, options);
    }
    match <[_; 1]>::try_from(found) {
        Ok([(_, members)]) => Ok(set(members)),
        Err(found) => {
            let names: Vec<_> = found.into_iter().map(|(prefix, _)| prefix).collect();
            Err(several(path, kind, &format!("the sets {}", names.join(", "))))
        }
    }
}

/// All the files of the only format among `candidates`.
fn of_one_format(
    path: &Path,
    candidates: Vec<Source>,
    kind: &str,
    options: &Options,
) -> Result<Files, TraceError> {
    let mut found: Vec<(&Description, Vec<Source>)> = Vec::new();
    let mut left_out = Vec::new();
    for source in candidates {
        let mut input = Input::open(&source, Arc::new(AtomicU64::new(0)))?;
        let detected = match detect(&mut input, options) {
            Ok(format) => Some(format)
                .filter(|format| format.is_trace() && !matches!(format.reading, Reading::Parquet(_))),
            Err(TraceError::Foreign { .. } | TraceError::Empty { .. }) => None,
            Err(error) => return Err(error),
        };
        match detected {
            None => left_out.push(source.base_name().to_owned()),
            Some(format) => match found.iter_mut().find(|(known, _)| *known == format) {
                Some((_, sources)) => sources.push(source),
                None => found.push((format, vec![source])),
            },
        }
    }
    match <[_; 1]>::try_from(found) {
        Ok([(_, sources)]) => {
            let notes = left_out.iter().map(|name| format!("{name} is no trace and was left out")).collect();
            Ok(Files { sources, notes, ..Files::default() })
        }
        Err(found) if found.is_empty() => Err(several(path, kind, "none")),
        Err(found) => {
            let names: Vec<_> =
                found.iter().map(|(format, files)| format!("{} ({})", format.name, files.len())).collect();
            Err(several(path, kind, &format!("files of the formats {}", names.join(", "))))
        }
    }
}

fn several(path: &Path, kind: &str, found: &str) -> TraceError {
    TraceError::Set {
        path: path.display().to_string(),
        expected: format!(
            "{kind} that holds one set of per-CPU files (`<prefix>.0`, `<prefix>.1`, …), or files of one format"
        ),
        found: found.to_owned(),
        hint: "give the files, or the prefix of the set".to_owned(),
    }
}

fn holds_events(members: &[Source]) -> Result<bool, TraceError> {
    for source in members {
        let mut input = Input::open(source, Arc::new(AtomicU64::new(0)))?;
        return Ok(match detect(&mut input, &Options::default()) {
            Ok(format) => matches!(format.reading, Reading::PerCpu(_)),
            Err(TraceError::Empty { .. }) => continue,
            // Events of a version that cannot be read: opening them reports it.
            Err(TraceError::Record { .. }) => true,
            Err(_) => false,
        });
    }
    Ok(false)
}

/// Members in order of their CPUs, each once, with a remark on what is missing.
fn set(mut members: Vec<Source>) -> Files {
    let cpu = |source: &Source| member(source.base_name()).map_or(0, |(_, cpu)| cpu);
    // The plain file of a CPU comes before its compressed copy.
    members
        .sort_by(|a, b| (cpu(a), a.base_name().len(), &a.name).cmp(&(cpu(b), b.base_name().len(), &b.name)));
    let mut notes = Vec::new();
    let mut sources: Vec<Source> = Vec::with_capacity(members.len());
    for source in members {
        match sources.last() {
            Some(last) if cpu(last) == cpu(&source) => {
                notes.push(format!("{} was left out: {} is there", source.base_name(), last.base_name()));
            }
            _ => sources.push(source),
        }
    }
    let losses = gaps(&sources).into_iter().collect();
    Files { sources, notes, losses }
}

/// Which CPUs have no file, as far as the numbers show.
fn gaps(sources: &[Source]) -> Option<String> {
    let cpus: Vec<u32> = sources.iter().filter_map(|s| member(s.base_name()).map(|(_, cpu)| cpu)).collect();
    let missing: Vec<String> = (0..cpus.iter().copied().max()?)
        .filter(|cpu| !cpus.contains(cpu))
        .map(|cpu| cpu.to_string())
        .collect();
    let shown = missing.len().min(16);
    let more = if missing.len() > shown { ", …" } else { "" };
    (!missing.is_empty()).then(|| {
        format!(
            "{} of {} per-CPU files are missing: CPU {}{more}; their events are not in the trace",
            missing.len(),
            missing.len() + cpus.len(),
            missing[..shown].join(", ")
        )
    })
}

/// A remark where one member of a larger set was given.
fn lone(path: &Path) -> Vec<String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some((prefix, cpu)) = member(&name) else { return Vec::new() };
    let siblings = list(directory_of(path)).unwrap_or_default();
    let others = siblings.iter().filter(|source| {
        member(source.base_name()).is_some_and(|(other, number)| other == prefix && number != cpu)
    });
    match others.count() {
        0 => Vec::new(),
        count => {
            vec![format!("{name} is one of {} per-CPU files; `{prefix}` stands for all of them", count + 1)]
        }
    }
}
