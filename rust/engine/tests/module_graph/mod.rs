//! Reads the imports between modules from the sources of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A set of modules for each module.
pub(crate) type Modules = BTreeMap<String, BTreeSet<String>>;

/// Returns the module path of every file below `src`, with the module paths that it imports. `reexports` lists names of
/// the crate's root with the modules that they come from.
pub(crate) fn imports(src: &Path, reexports: &[(&str, &str)]) -> Modules {
    let mut files = BTreeMap::new();
    collect(src, "", &mut files);
    let modules: BTreeSet<String> = files.keys().cloned().collect();
    files
        .into_iter()
        .map(|(module, source)| {
            let used = paths(&source).into_iter().filter_map(|path| resolve(&module, &path, &modules, reexports));
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

/// Returns the paths of all `use` declarations before the tests, one for each name.
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

/// Returns the module that `path`, used in `module`, leads to, if it is in this crate.
fn resolve(module: &str, path: &str, modules: &BTreeSet<String>, reexports: &[(&str, &str)]) -> Option<String> {
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
        && let Some((_, home)) = reexports.iter().find(|(name, _)| parts.first() == Some(name))
    {
        return Some((*home).into());
    }
    place.extend(parts);
    (1..=place.len()).rev().map(|len| place[..len].join("::")).find(|path| modules.contains(path))
}

/// Returns the imports between top-level modules.
pub(crate) fn graph(imports: &Modules) -> Modules {
    let top = |module: &str| module.split("::").next().unwrap().to_owned();
    let mut graph = Modules::new();
    for (module, used) in imports {
        let from = top(module);
        let used: Vec<String> = used.iter().map(|module| top(module)).filter(|to| *to != from).collect();
        graph.entry(from).or_default().extend(used);
    }
    graph
}

/// Asserts that `graph` equals `layers`: the modules from the lowest layer up, each with the modules that it imports.
pub(crate) fn assert_layers(graph: &Modules, layers: &[(&str, &[&str])]) {
    let drawn = layers.iter().map(|(module, used)| ((*module).into(), used.iter().map(|&used| used.into()).collect()));
    assert_eq!(drawn.collect::<Modules>(), *graph);
    for (layer, (module, used)) in layers.iter().enumerate() {
        for used in *used {
            assert!(
                layers[..layer].iter().any(|(lower, _)| lower == used),
                "{module} imports {used}, which is not lower"
            );
        }
    }
}

/// Returns the files that import each other in a cycle, with the imports that take part in it. A module and the files
/// in its folder are one subject and may import each other.
pub(crate) fn cycles(imports: &Modules) -> Modules {
    let is_kin = |a: &str, b: &str| a.starts_with(&format!("{b}::")) || b.starts_with(&format!("{a}::"));
    let mut left: Modules = imports
        .iter()
        .map(|(module, used)| (module.clone(), used.iter().filter(|used| !is_kin(module, used)).cloned().collect()))
        .collect();
    while let Some(free) = left.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        left.remove(&free);
        left.values_mut().for_each(|used| {
            used.remove(&free);
        });
    }
    left
}
