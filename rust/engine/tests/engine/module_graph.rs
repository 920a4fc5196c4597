//! Which module of the crate uses which: lower floors only, and no file another one in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Modules from the lowest floor up, each with those that it uses.
const GRAPH: [(&str, &[&str]); 14] = [
    ("text", &[]),
    ("error", &["text"]),
    ("arch", &["text"]),
    ("cancel", &["error"]),
    ("code_point_map", &["text"]),
    ("memory_budget", &[]),
    ("alphabet", &["code_point_map", "text"]),
    ("executor", &["cancel", "error"]),
    ("normalize", &["arch", "cancel", "error", "text"]),
    ("exact", &["arch", "cancel", "error", "memory_budget", "text"]),
    ("align", &["cancel", "error", "normalize", "text"]),
    (
        "partial_ratio",
        &["alphabet", "arch", "cancel", "code_point_map", "error", "exact", "executor", "memory_budget", "text"],
    ),
    ("similarity", &["arch", "cancel", "error", "normalize", "text"]),
    (
        "source",
        &[
            "align",
            "alphabet",
            "cancel",
            "error",
            "exact",
            "executor",
            "memory_budget",
            "normalize",
            "partial_ratio",
            "text",
        ],
    ),
];

/// The highest floor: nothing uses it.
const BATCH: &str = "batch";

/// The modules that names of the crate's root come from.
const REEXPORTS: [(&str, &str); 9] = [
    ("Cancel", "cancel"),
    ("Error", "error"),
    ("Executor", "executor"),
    ("MAX_CHARS", "text"),
    ("Never", "cancel"),
    ("Sequential", "executor"),
    ("Span", "text"),
    ("check_chars", "error"),
    ("dispatch", "text"),
];

/// Every file by its module path, and the module paths that it imports.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    collect(&root, "", &mut files);
    let modules: BTreeSet<String> = files.keys().cloned().collect();
    files
        .into_iter()
        .map(|(module, source)| {
            let used = paths(&source).into_iter().filter_map(|path| resolve(&module, &path, &modules));
            let used = used.filter(|used| *used != module).collect();
            (module, used)
        })
        .collect()
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}::"), files);
        } else if let Some(stem) = name.strip_suffix(".rs").filter(|&stem| !prefix.is_empty() || stem != "lib") {
            let module = if stem == "mod" { prefix.trim_end_matches("::").into() } else { format!("{prefix}{stem}") };
            files.insert(module, fs::read_to_string(&path).unwrap());
        }
    }
}

/// The paths of all `use` declarations before the tests, one for each name.
fn paths(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |all, line| all + line + "\n");
    let mut paths = Vec::new();
    for declaration in code.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        expand("", &declaration.replace(char::is_whitespace, ""), &mut paths);
    }
    paths
}

/// Appends the paths of a tree such as `a::{b, c::{d, e}}`.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((head, rest)) = tree.split_once('{') else { return paths.push(format!("{prefix}{tree}")) };
    let inside = rest.strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut start) = (0, 0);
    for (at, character) in inside.char_indices().chain([(inside.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&format!("{prefix}{head}"), &inside[start..at], paths);
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The module that a path of `module` leads to, if it is one of this crate.
fn resolve(module: &str, path: &str, modules: &BTreeSet<String>) -> Option<String> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut place: Vec<&str> = module.split("::").collect();
    match parts[0] {
        "crate" => {
            place.clear();
            parts.remove(0);
        }
        "super" => {
            while parts.first() == Some(&"super") {
                place.pop();
                parts.remove(0);
            }
        }
        first if modules.contains(&format!("{module}::{first}")) => {}
        _ => return None,
    }
    if place.is_empty()
        && let Some((_, home)) = REEXPORTS.iter().find(|(name, _)| parts.first() == Some(name))
    {
        return Some((*home).into());
    }
    place.extend(parts);
    (1..=place.len()).rev().map(|len| place[..len].join("::")).find(|path| modules.contains(path))
}

#[test]
fn the_graph_is_as_drawn_and_leads_to_lower_floors() {
    let top = |module: &str| module.split("::").next().unwrap().to_owned();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, used) in imports() {
        let (from, used) = (top(&module), used.iter().map(|module| top(module)));
        let used: Vec<String> = used.filter(|to| *to != from).collect();
        graph.entry(from).or_default().extend(used);
    }
    assert!(graph.remove(BATCH).is_some_and(|used| !used.is_empty()));
    graph.remove("internals");
    let drawn = GRAPH.map(|(module, used)| (module.to_owned(), used.iter().map(|&used| used.to_owned()).collect()));
    assert_eq!(BTreeMap::from(drawn), graph);
    for (floor, (module, used)) in GRAPH.iter().enumerate() {
        for used in *used {
            assert!(GRAPH[..floor].iter().any(|(lower, _)| lower == used), "{module} uses {used}, which is not lower");
        }
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let imports = imports();
    // A module and the files in its folder are one subject.
    let is_kin = |a: &str, b: &str| a.starts_with(&format!("{b}::")) || b.starts_with(&format!("{a}::"));
    let mut left: BTreeMap<&str, BTreeSet<&str>> = imports
        .iter()
        .map(|(module, used)| {
            let used = used.iter().map(String::as_str).filter(|used| !is_kin(module, used)).collect();
            (module.as_str(), used)
        })
        .collect();
    while let Some(free) = left.iter().find(|(_, used)| used.is_empty()).map(|(&module, _)| module) {
        left.remove(free);
        left.values_mut().for_each(|used| {
            used.remove(free);
        });
    }
    assert_eq!(BTreeMap::new(), left);
}
