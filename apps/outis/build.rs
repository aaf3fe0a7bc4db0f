//! Embeds the page's files and all catalogues in the program, so that `cargo run` is enough.

#![allow(missing_docs, reason = "a build script has no readers of its documentation")]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    embed("web", "files.rs", "include_bytes!({}) as &[u8]");
    embed("words", "words.rs", "include_str!({})");
}

/// Writes names and contents of all files below a folder as a list for `include!`.
fn embed(folder: &str, list: &str, content: &str) {
    println!("cargo:rerun-if-changed={folder}");
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join(folder);
    let mut names = Vec::new();
    collect(&root, "", &mut names);
    names.sort();
    let mut table = String::from("&[\n");
    for name in &names {
        println!("cargo:rerun-if-changed={folder}/{name}");
        let content = content.replace("{}", &format!("{:?}", root.join(name)));
        writeln!(table, "    ({name:?}, {content}),").unwrap();
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join(list), table).unwrap();
}

/// All files below a folder, except hidden files, tests and files that the page does not use.
fn collect(root: &Path, below: &str, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    for entry in entries.filter_map(Result::ok) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') || matches!(&*name, "tests" | "node_modules" | "README.md" | "package.json") {
            continue;
        }
        let name = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            collect(root, &name, names);
        } else {
            names.push(name);
        }
    }
}
