//! No files of the crate import each other in a circle.

use std::path::Path;

use crate::module_graph::{Modules, circles, imports};

/// The modules that names of the crate's root come from.
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
