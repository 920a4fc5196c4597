//! The files of the crate have no circular imports.

use std::path::Path;

use crate::module_graph::{Modules, circles, imports};

/// The modules that the crate root re-exports names from.
const REEXPORTS: [(&str, &str); 8] = [
    ("Kind", "reading"),
    ("Language", "lexicon"),
    ("Lexicon", "lexicon"),
    ("LexiconError", "lexicon"),
    ("LexiconSet", "lexicon"),
    ("Reader", "reading"),
    ("Reading", "reading"),
    ("Term", "reading"),
];

fn own_imports() -> Modules {
    imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &REEXPORTS)
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    assert_eq!(Modules::new(), circles(&own_imports()));
}
